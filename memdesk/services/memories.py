"""What the user changes of the memory by hand: facts, episodes, identity, entities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from memdesk.domain.models import (
    Actor,
    Entity,
    Episode,
    Fact,
    FactKind,
    FactSource,
    IdentityLine,
    new_id,
)
from memdesk.errors import BadRequestError, ConflictError, NotFoundError
from memdesk.ports import Repositories
from memdesk.services import agents, conversations, entities, entity_joins, identity_lines, journal
from memdesk.services.announcing import announce
from memdesk.services.changing import check_changes, check_text, restore, with_changes
from memdesk.services.entity_joins import Joined
from memdesk.services.events import EventBus, LockChanged
from memdesk.services.memory_reading import MemoryReading
from memdesk.services.memory_views import same_words
from memdesk.services.moments import now_ms
from memdesk.services.selection import Describe, retold
from memdesk.services.undo import BulkChange, Edit, UndoShelf, edits_of

__all__ = ["BulkChange", "MemoriesService"]

if TYPE_CHECKING:
    from memdesk.ports import CancelToken, Clock, Store
    from memdesk.services.seams import Indexing, SettingsReader


#: Facts of one transaction.
AT_ONCE: Final = 500
#: Told how far something is, 0..1, and what it does, in words.
Progress = Callable[[float, str], None]


class MemoriesService(MemoryReading):
    """Lists and changes what is remembered.

    Every change of a fact, an episode or a line is in the history, in the same transaction.
    """

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        events: EventBus,
        settings: SettingsReader,
        indexing: Indexing | None = None,
        describe: Describe | None = None,
    ) -> None:
        super().__init__(store=store, clock=clock, settings=settings, indexing=indexing)
        self._events = events
        self._describe = describe or retold(clock)
        self._shelf = UndoShelf()
        # What was undone in the list of an unlocked window is nobody's after it was locked.
        events.subscribe(LockChanged, lambda event: self._shelf.clear() if event.locked else None)

    # ------------------------------------------------------------------ facts

    def add_fact(
        self,
        *,
        agent_id: str,
        content: str,
        kind: FactKind | str = FactKind.OTHER,
        tags: Sequence[str] = (),
        salience: float = 0.6,
        valid_from: datetime | None = None,
        valid_until: datetime | None = None,
        pinned: bool = False,
        actor: Actor = "user",
        actor_detail: str = "",
        sources: Sequence[FactSource] = (),
        conversation_id: str | None = None,
    ) -> Fact:
        """Store a fact that the user or a program states. The very same words again answer with the known fact.

        Raises:
            BadRequestError: empty or too long a text, salience outside 0..1, unknown kind.
            NotFoundError: there is no such agent.
        """
        wanted: dict[str, Any] = {"content": content, "kind": kind, "tags": tags, "salience": salience}
        values = check_changes(wanted | {"valid_from": valid_from, "valid_until": valid_until})
        now = now_ms(self._clock)

        def work(repos: Repositories) -> tuple[Fact, bool]:
            agents.known(repos, agent_id)
            known = same_words(repos, agent_id, values["content"])
            if known is not None:
                return known, False
            fact = Fact(
                id=new_id(),
                agent_id=agent_id,
                **values,
                user_pinned=pinned,
                origin=actor,
                provenance="import" if actor == "import" else "user",
                sources=tuple(sources),
                source_count=max(1, len(sources)),
                conversation_id=conversation_id,
                decayed_at=now,
                created_at=now,
                updated_at=now,
            )
            seq = repos.facts.put(fact)
            repos.history.add([journal.created(fact, actor=actor, actor_detail=actor_detail)])
            return replace(fact, seq=seq), True

        fact, is_new = self._store.write(work)
        if is_new:
            self._announce(fact)
        return fact

    def remember(self, agent_id: str, text: str, turn_id: str | None = None) -> Fact:
        """Store what the user selected in a chat, with the turn as its source.

        Raises:
            BadRequestError: an empty or too long selection.
        """
        quote = check_text(text, "A selection")
        with self._store.read() as repos:
            turn = repos.turns.get(turn_id) if turn_id else None
        content, kind = self._describe(quote, turn)
        return self.add_fact(
            agent_id=agent_id,
            content=content,
            kind=kind,
            salience=0.8,
            sources=[FactSource(turn_id=turn.id, quote=quote)] if turn else [],
            conversation_id=turn.conversation_id if turn else None,
        )

    def edit_fact(self, fact_id: str, *, actor: Actor = "user", actor_detail: str = "", **changes: Any) -> Fact:
        """Change content, kind, tags, salience, validity, pin or status of a fact.

        Raises:
            BadRequestError: an unknown field or a value out of bounds; nothing was changed.
            NotFoundError: there is none of this id.
        """
        values = check_changes(changes)
        changed, _edits = self._edit([fact_id], values, now_ms(self._clock), actor, actor_detail)
        return changed[0] if changed else self.fact(fact_id)

    def edit_facts(
        self,
        ids: Sequence[str],
        *,
        actor: Actor = "user",
        actor_detail: str = "",
        cancel: CancelToken | None = None,
        progress: Progress | None = None,
        **changes: Any,
    ) -> BulkChange:
        """Change many facts alike. Besides the fields of :meth:`edit_fact`: ``add_tags`` and ``remove_tags``.

        Made in slices, so that nobody waits long for the store; stopped, what is done stays and can be taken back.

        Args:
            ids: the facts.
            actor: who changes them.
            actor_detail: the token's name, of a program.
            cancel: stops between two slices.
            progress: told how far it is, 0..1, and an empty text.
            **changes: the fields and their new values.

        Returns:
            How many changed and a token for :meth:`undo`.

        Raises:
            BadRequestError: an unknown field or a value out of bounds; nothing was changed.
        """
        values, now = check_changes(changes), now_ms(self._clock)
        edits: list[Edit] = []
        wanted = list(dict.fromkeys(ids))
        for start in range(0, len(wanted), AT_ONCE):
            if cancel is not None and cancel.is_set():
                break
            edits += self._edit(wanted[start : start + AT_ONCE], values, now, actor, actor_detail)[1]
            if progress is not None:
                progress(min(1.0, (start + AT_ONCE) / len(wanted)), "")
        return self._shelf.put(edits)

    def set_status(
        self,
        ids: Sequence[str],
        status: Literal["active", "disabled"],
        **options: Any,
    ) -> BulkChange:
        """Enable or disable facts; disabled ones are kept but never shown to a model. See :meth:`edit_facts`."""
        return self.edit_facts(ids, status=status, **options)

    def pin(self, ids: Sequence[str], on: bool = True, **options: Any) -> BulkChange:
        """Pin facts, so that consolidation leaves them alone, or unpin them. See :meth:`edit_facts`."""
        return self.edit_facts(ids, user_pinned=on, **options)

    def undo(self, token: str, *, progress: Progress | None = None) -> int:
        """Take a bulk change back where nothing changed since; return how many facts were restored.

        Raises:
            ConflictError: the token is no longer known.
        """
        edits = self._shelf.take(token)
        if edits is None:
            raise ConflictError(
                "That can no longer be undone.", hint="Each change can still be taken back under Activity."
            )
        now, count = now_ms(self._clock), 0
        for start in range(0, len(edits), AT_ONCE):
            part = edits[start : start + AT_ONCE]
            restored = self._store.write(lambda repos, part=part: restore(repos, part, now))  # type: ignore[misc]  # at once
            self._announce(*restored)
            count += len(restored)
            if progress is not None:
                progress(min(1.0, (start + AT_ONCE) / len(edits)), "")
        return count

    def _edit(
        self, ids: Sequence[str], values: dict[str, Any], now: datetime, actor: Actor, actor_detail: str
    ) -> tuple[list[Fact], list[Edit]]:
        """Change facts in one transaction; return those that changed, and how."""

        def work(repos: Repositories) -> tuple[list[Fact], list[Edit]]:
            found = repos.facts.many(ids)
            if len(ids) == 1 and not found:
                raise NotFoundError("There is no such fact.", hint="GET /memory/facts lists them.")
            pairs = [(old, new) for old in found if (new := with_changes(old, values, now)) != old]
            changed, edits = [new for _, new in pairs], edits_of(pairs)
            for fact, edit in zip(changed, edits, strict=True):
                repos.facts.change(fact, edit.after.keys())
            repos.history.add(
                [journal.change(old, new, "edit", at=now, actor=actor, actor_detail=actor_detail) for old, new in pairs]
            )
            return changed, edits

        changed, edits = self._store.write(work)
        self._announce(*changed)
        return changed, edits

    # ------------------------------------------------------------------ episodes

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
    ) -> Episode:
        """Store the digest of a session that a program made itself.

        The very same summary again, of the same conversation, answers with the known episode.

        Args:
            agent_id: whose memory.
            summary: what happened.
            conversation_id: the conversation it digests, with which it is forgotten; empty for one that is kept elsewhere.
            topics: short names of what it was about.
            decisions: what was decided.
            action_items: what is to be done.
            salience: how much it matters, 0..1.
            started_at: when the session began; None: when it ended.
            ended_at: when it ended; None: now.
            actor: who adds it.
            actor_detail: the token's name, of a program.

        Raises:
            BadRequestError: empty or too long a text, salience outside 0..1, or a session that ends before it begins.
            NotFoundError: there is no such agent, or it has no such conversation.
        """
        wanted = {"summary": summary, "topics": topics, "decisions": decisions, "action_items": action_items}
        values = check_changes(wanted | {"salience": salience}, of="episode")
        now = now_ms(self._clock)
        ended = ended_at or max(now, started_at or now)
        started = started_at or ended
        if ended < started:
            raise BadRequestError("A session cannot end before it begins.")

        def work(repos: Repositories) -> tuple[Episode, bool]:
            agents.known(repos, agent_id)
            if conversation_id:
                conversations.known(repos, agent_id, conversation_id)
            for known in repos.episodes.of_conversation(agent_id, conversation_id):
                if known.summary == values["summary"]:
                    return known, False
            episode = Episode(
                id=new_id(),
                agent_id=agent_id,
                conversation_id=conversation_id,
                **values,
                decayed_at=now,
                started_at=started,
                ended_at=ended,
                created_at=now,
                updated_at=now,
            )
            seq = repos.episodes.put(episode)
            repos.history.add([journal.created(episode, actor=actor, actor_detail=actor_detail)])
            return replace(episode, seq=seq), True

        episode, is_new = self._store.write(work)
        if is_new:
            self._announce(episode)
        return episode

    def edit_episode(
        self, episode_id: str, *, actor: Actor = "user", actor_detail: str = "", **changes: Any
    ) -> Episode:
        """Change summary, topics, decisions, action items, salience or status (active, disabled) of an episode.

        Raises:
            BadRequestError: an unknown field or a value out of bounds.
            NotFoundError: there is none of this id.
        """
        values = check_changes(changes, of="episode")
        now = now_ms(self._clock)

        def work(repos: Repositories) -> Episode:
            old = repos.episodes.get(episode_id)
            if old is None:
                raise NotFoundError("There is no such episode.", hint="GET /memory/episodes lists them.")
            new = with_changes(old, values, now)
            if new == old:
                return old
            seq = repos.episodes.put(new)
            repos.history.add([journal.change(old, new, "edit", at=now, actor=actor, actor_detail=actor_detail)])
            return replace(new, seq=seq)

        episode = self._store.write(work)
        self._announce(episode)
        return episode

    # ------------------------------------------------------------------ identity

    def add_identity(self, content: str, *, actor: Actor = "user", actor_detail: str = "") -> IdentityLine:
        """Add a line that the user wrote; the same line again answers with the known one.

        Raises:
            BadRequestError: empty or too long.
        """
        text = check_text(content, "An identity line", limit=500)
        now = now_ms(self._clock)
        line = self._store.write(lambda repos: identity_lines.add(repos, text, now, actor, actor_detail))
        self._announce(line)
        return line

    def edit_identity(
        self, line_id: str, *, actor: Actor = "user", actor_detail: str = "", **changes: Any
    ) -> IdentityLine:
        """Change content or status (active, disabled) of a line; a line whose words the user wrote is an override.

        Raises:
            BadRequestError: an unknown field or value.
            NotFoundError: there is none of this id.
        """
        values = check_changes(changes, of="identity")
        now = now_ms(self._clock)
        line = self._store.write(lambda repos: identity_lines.edit(repos, line_id, values, now, actor, actor_detail))
        self._announce(line)
        return line

    # ------------------------------------------------------------------ entities

    def edit_entity(
        self,
        entity_id: str,
        *,
        name: str | None = None,
        type_: str | None = None,
        aliases: Sequence[str] | None = None,
    ) -> Entity:
        """Change what an entity is called, its type and its other names; a former name becomes another one.

        Raises:
            BadRequestError: a name is empty or too long, or there are too many.
            ConflictError: another entity of the agent has the name.
            NotFoundError: there is none of this id.
        """
        now = now_ms(self._clock)
        entity = self._store.write(
            lambda repos: entities.edit(repos, entity_id, now, name=name, type_=type_, aliases=aliases)
        )
        self._announce(entity)
        return entity

    def merge_entities(self, gone_id: str, into_id: str) -> Joined:
        """Join two entities that are the same; what went is from now on another name of the one that stays.

        Returns:
            The one that stays, and the change that :meth:`memdesk.services.history.HistoryService.take_back` takes back.

        Raises:
            BadRequestError: they are one already, or of two agents.
            NotFoundError: one of them is gone.
        """
        now = now_ms(self._clock)
        joined = self._store.write(lambda repos: entity_joins.merge(repos, gone_id, into_id, now))
        self._announce(joined.entity)
        return joined

    # ------------------------------------------------------------------ telling others

    def _announce(self, *rows: journal.Remembered | Entity) -> None:
        announce(self._events, self._indexing, rows)
