"""Manual edits besides facts: episodes, identity, entities."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memdesk.domain.items.item import Digest, MemoryItem
from memdesk.domain.items.item import episode as episode_item
from memdesk.domain.models import Actor, Entity, FactKind, new_id
from memdesk.errors import BadRequestError, NotFoundError
from memdesk.messages import say
from memdesk.ports import Repositories
from memdesk.services import journal
from memdesk.services.agents import known_agent
from memdesk.services.moments import now_ms
from memdesk.services.recording import known_conversation
from memdesk.services.remembering import entities, entity_joins
from memdesk.services.remembering.announcing import announce
from memdesk.services.remembering.changing import check_changes, check_text, with_changes
from memdesk.services.remembering.entity_joins import Joined
from memdesk.services.remembering.reading import MemoryReading


class MemoryEditing(MemoryReading):
    """Changes episodes, lines about the user, and entities; notifies indexes and listeners."""

    def add_episode(
        self,
        *,
        agent_id: str,
        summary: str,
        conversation_id: str = "",
        topics: Sequence[str] = (),
        decisions: Sequence[str] = (),
        action_items: Sequence[str] = (),
        salience: float = 0.5,
        started_at: datetime | None = None,
        ended_at: datetime | None = None,
        actor: Actor = "user",
        actor_detail: str = "",
    ) -> MemoryItem:
        """Store a program's own digest of a session.

        An identical summary of the same conversation returns the existing episode.

        It is forgotten with its ``conversation_id``, which is empty for one stored elsewhere. ``salience`` is
        0..1; the session ended at ``ended_at`` (None: now) and began at ``started_at`` (None: ``ended_at``).

        Raises:
            BadRequestError: empty or too long a text, salience outside 0..1, or a session that ends before it begins.
            NotFoundError: the agent does not exist, or has no such conversation.
        """
        wanted = {"summary": summary, "topics": topics, "decisions": decisions, "action_items": action_items}
        values = check_changes(wanted | {"salience": salience}, of="episode")
        now = now_ms(self._clock)
        ended = ended_at or max(now, started_at or now)
        started = started_at or ended
        if ended < started:
            raise BadRequestError(say("A session cannot end before it begins."))

        def work(repos: Repositories) -> tuple[MemoryItem, bool]:
            known_agent(repos, agent_id)
            if conversation_id:
                known_conversation(repos, agent_id, conversation_id)
            for known in repos.items.episodes_of(agent_id, conversation_id):
                if known.content == values["summary"]:
                    return known, False
            digest = Digest(
                decisions=values["decisions"], action_items=values["action_items"], started_at=started, ended_at=ended
            )
            made = episode_item(
                values["summary"],
                digest,
                id=new_id(),
                agent_id=agent_id,
                run_id=conversation_id,
                tags=values["topics"],
                salience=values["salience"],
                decayed_at=now,
                created_at=now,
                updated_at=now,
            )
            seq = repos.items.put(made)
            repos.history.add([journal.created(made, actor=actor, actor_detail=actor_detail)])
            return replace(made, seq=seq), True

        episode, is_new = self._store.write(work)
        if is_new:
            self._announce(episode)
        return episode

    def edit_episode(
        self, episode_id: str, *, actor: Actor = "user", actor_detail: str = "", **changes: Any
    ) -> MemoryItem:
        """Change summary, topics, decisions, action items, salience or status (active, disabled) of an episode.

        Raises:
            BadRequestError: an unknown field or a value out of bounds.
            NotFoundError: no episode has this id.
        """
        values = check_changes(changes, of="episode")
        now = now_ms(self._clock)

        def work(repos: Repositories) -> MemoryItem:
            old = repos.items.episode(episode_id)
            if old is None:
                raise NotFoundError(say("There is no such episode."), hint="GET /memory/episodes lists them.")
            new = with_changes(old, values, now)
            if new == old:
                return old
            seq = repos.items.put(new)
            repos.history.add([journal.change(old, new, "edit", at=now, actor=actor, actor_detail=actor_detail)])
            return replace(new, seq=seq)

        episode = self._store.write(work)
        self._announce(episode)
        return episode

    def add_identity(self, content: str, *, actor: Actor = "user", actor_detail: str = "") -> MemoryItem:
        """Add a line that the user wrote; an identical line returns the existing one.

        Raises:
            BadRequestError: empty or too long.
        """
        text = check_text(content, "An identity line", limit=500)
        now = now_ms(self._clock)
        line = self._store.write(lambda repos: _add_line(repos, text, now, actor, actor_detail))
        self._announce(line)
        return line

    def edit_identity(
        self, line_id: str, *, actor: Actor = "user", actor_detail: str = "", **changes: Any
    ) -> MemoryItem:
        """Change content or status (active, disabled) of a line; a line worded by the user is an override.

        Raises:
            BadRequestError: an unknown field or value.
            NotFoundError: no line has this id.
        """
        values = check_changes(changes, of="identity")
        now = now_ms(self._clock)
        line = self._store.write(lambda repos: _edit_line(repos, line_id, values, now, actor, actor_detail))
        self._announce(line)
        return line

    def edit_entity(
        self, entity_id: str, *, name: str | None = None, type_: str | None = None, aliases: Sequence[str] | None = None
    ) -> Entity:
        """Change an entity's name, type and aliases; the old name becomes an alias.

        Raises:
            BadRequestError: a name is empty or too long, or there are too many.
            ConflictError: another entity of the agent has the name.
            NotFoundError: no entity has this id.
        """
        now = now_ms(self._clock)
        entity = self._store.write(
            lambda repos: entities.edit(repos, entity_id, now, name=name, type_=type_, aliases=aliases)
        )
        self._announce(entity)
        return entity

    def merge_entities(self, gone_id: str, into_id: str) -> Joined:
        """Merge two entities; the removed one's name becomes an alias of the one that stays.

        Returns:
            The one that stays, and the change that :meth:`memdesk.services.remembering.history.HistoryService.take_back` takes back.

        Raises:
            BadRequestError: they are already the same, or of different agents.
            NotFoundError: one of them is gone.
        """
        now = now_ms(self._clock)
        joined = self._store.write(lambda repos: entity_joins.merge(repos, gone_id, into_id, now))
        self._announce(joined.entity)
        return joined

    def _announce(self, *rows: MemoryItem | Entity) -> None:
        announce(self._events, self._indexing, rows)


def _add_line(repos: Repositories, text: str, now: datetime, actor: Actor, actor_detail: str) -> MemoryItem:
    """Store a line that the user wrote, or return the active one that says the same."""
    for line in repos.items.lines():
        if line.status == "active" and line.content.casefold() == text.casefold():
            return line
    line = MemoryItem(
        id=new_id(), tier="always", kind=FactKind.IDENTITY, salience=1.0, content=text, created_at=now, updated_at=now
    )
    line = replace(line, seq=repos.items.put(line))
    repos.history.add([journal.created(line, actor=actor, actor_detail=actor_detail)])
    return line


def _edit_line(
    repos: Repositories, line_id: str, values: dict[str, Any], now: datetime, actor: Actor, actor_detail: str
) -> MemoryItem:
    """Change a line; with new words it is the user's own. Raises ``NotFoundError``."""
    old = repos.items.get(line_id)
    if old is None or old.tier != "always":
        raise NotFoundError(say("There is no such identity line."), hint="GET /memory/identity lists them.")
    new = with_changes(old, values, now)
    if new == old:
        return old
    repos.items.put(new)
    repos.history.add([journal.change(old, new, "edit", at=now, actor=actor, actor_detail=actor_detail)])
    return new
