"""What the user changes of the memory by hand: facts, episodes, identity, entities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from memdesk.domain.items.item import MemoryItem, type_of
from memdesk.domain.items.statement import Statement
from memdesk.domain.models import (
    Actor,
    Entity,
    Episode,
    FactKind,
    FactSource,
    FactStatus,
    new_id,
)
from memdesk.domain.reading.judging import judge
from memdesk.domain.reading.secrets import sentences_with_secrets
from memdesk.errors import BadRequestError, ConflictError, NotFoundError
from memdesk.messages import say
from memdesk.ports import Repositories
from memdesk.services import journal
from memdesk.services.agents import known_agent
from memdesk.services.distilling import Decider, LineReader, Neighbors
from memdesk.services.events import EventBus, LockChanged
from memdesk.services.moments import now_ms
from memdesk.services.recording import known_conversation
from memdesk.services.remembering import entities, entity_joins, identity_lines
from memdesk.services.remembering.announcing import announce
from memdesk.services.remembering.changing import check_changes, check_text, restore, reworded, with_changes
from memdesk.services.remembering.entity_joins import Joined
from memdesk.services.remembering.reading import MemoryReading
from memdesk.services.remembering.selection import Describe, nearest_sentence, retold
from memdesk.services.remembering.undo import BulkChange, Edit, UndoShelf, edits_of
from memdesk.services.remembering.views import same_words

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
        lines: LineReader | None = None,
    ) -> None:
        super().__init__(store=store, clock=clock, settings=settings, indexing=indexing)
        self._events = events
        self._describe = describe or retold(clock)
        self._lines = lines or LineReader(None)
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
    ) -> MemoryItem:
        """Store a fact that the user or a program states; what says the same already is answered with.

        A fact of which this gives another value, or which it ends, is superseded; see :mod:`memdesk.domain.comparing`.

        Raises:
            BadRequestError: empty or too long a text, salience outside 0..1, unknown kind.
            NotFoundError: there is no such agent.
        """
        wanted: dict[str, Any] = {"content": content, "kind": kind, "tags": tags, "salience": salience}
        values = check_changes(wanted | {"valid_from": valid_from, "valid_until": valid_until})
        now = now_ms(self._clock)

        said_at = min(valid_from, now) if valid_from is not None else now
        statement = self._read(values["content"], said_at)
        nearest = self._nearest(agent_id, values["content"], statement)

        def work(repos: Repositories) -> tuple[MemoryItem, bool, set[str]]:
            known_agent(repos, agent_id)
            known = same_words(repos, agent_id, values["content"])
            decider = Decider(repos, now, actor, actor_detail)
            verdict = judge(statement, values["content"], nearest, said_at)
            again = repos.items.get(verdict.target.id) if verdict.action == "NONE" and verdict.target else None
            if known is not None:
                return known, False, set()
            if again is not None and again.status is FactStatus.ACTIVE:
                decider.confirm(again, sources, said_at, values["salience"], verdict.reason)
                return repos.items.get(again.id) or again, False, set()
            fact = MemoryItem(
                id=new_id(),
                agent_id=agent_id,
                **values,
                type=type_of(statement),
                statement=statement,
                user_pinned=pinned,
                origin=actor,
                provenance="import" if actor == "import" else "user",
                sources=tuple(sources),
                source_count=max(1, len(sources)),
                run_id=conversation_id,
                decayed_at=now,
                created_at=now,
                updated_at=now,
            )
            fact = (decider.overtaken(fact, verdict) or fact) if verdict.action == "FORMER" else fact
            seq = repos.items.put(fact)
            repos.history.add([journal.created(fact, actor=actor, actor_detail=actor_detail)])
            decider.carry_out(verdict, fact)
            return replace(fact, seq=seq), True, {one.id for one in verdict.targets}

        fact, is_new, ended = self._store.write(work)
        if is_new:
            with self._store.read() as repos:
                self._announce(fact, *repos.items.many(sorted(ended)))
        return fact

    def _read(self, content: str, said_at: datetime) -> Statement | None:
        return self._lines.read([(content, self._clock.local(said_at))])[0]

    def _nearest(self, agent_id: str, content: str, statement: Statement | None) -> Sequence[MemoryItem]:
        """Return the facts that a line may repeat, update or end."""
        if statement is None:
            return ()
        with self._store.read() as repos:
            neighbors = Neighbors(self._store, repos, agent_id, self._lines)
        return neighbors(content, statement)

    def remember(self, agent_id: str, text: str, turn_id: str | None = None) -> MemoryItem:
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

    def keep_secret(self, agent_id: str, turn_id: str) -> list[MemoryItem]:
        """Store the sentences of a message that were left out as they hold secrets, as the user asks for it.

        Raises:
            NotFoundError: the message is gone.
        """
        with self._store.read() as repos:
            turn = repos.turns.get(turn_id)
        if turn is None:
            raise NotFoundError(say("This message is gone."))
        return [self.remember(agent_id, sentence, turn_id) for sentence in sentences_with_secrets(turn.content)]

    def edit_fact(self, fact_id: str, *, actor: Actor = "user", actor_detail: str = "", **changes: Any) -> MemoryItem:
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
                say("That can no longer be undone."), hint=say("Each change can still be taken back under Activity.")
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
    ) -> tuple[list[MemoryItem], list[Edit]]:
        """Change facts in one transaction; return those that changed, and how."""
        told = self._read(values["content"], now) if "content" in values else None

        def work(repos: Repositories) -> tuple[list[MemoryItem], list[Edit]]:
            found = [item for item in repos.items.many(ids) if item.tier == "pinned"]
            if len(ids) == 1 and not found:
                raise NotFoundError(say("There is no such fact."), hint="GET /memory/facts lists them.")
            changes = [(old, with_changes(old, values, now, actor=actor)) for old in found]
            pairs = [(old, new) for old, new in ((o, reworded(n, o, told)) for o, n in changes) if new != old]
            changed, edits = [new for _, new in pairs], edits_of(pairs)
            for fact, edit in zip(changed, edits, strict=True):
                repos.items.change(fact, edit.after.keys())
            # A source that the new words no longer rest on comes back with them, by the undo bar; the log tells the words.
            told_of = [(old, replace(new, sources=old.sources)) for old, new in pairs]
            repos.history.add(
                [
                    journal.change(old, new, "edit", at=now, actor=actor, actor_detail=actor_detail)
                    for old, new in told_of
                ]
            )
            return changed, edits

        changed, edits = self._store.write(work)
        self._announce(*changed)
        return changed, edits

    # ------------------------------------------------------------------ details

    def unkept(self, episode: Episode) -> list[MemoryItem]:
        """Return the details of an episode that no fact of its agent says in the same words."""
        with self._store.read() as repos:
            return [detail for detail in episode.details if same_words(repos, episode.agent_id, detail.content) is None]

    def keep_detail(self, episode_id: str, detail_id: str) -> MemoryItem:
        """Make a fact of a detail, with the messages it came from as its sources; it lasts without its episode.

        Raises:
            NotFoundError: there is no such episode, or it has no such detail (any more).
        """
        with self._store.read() as repos:
            episode = repos.episodes.get(episode_id)
            detail = next((d for d in episode.details if d.id == detail_id), None) if episode else None
            if episode is None or detail is None:
                raise NotFoundError(say("There is no such detail."), hint=say("It may be gone already."))
            quoted = [
                (turn, nearest_sentence(turn.content, detail.content)) for turn in repos.turns.many(detail.turn_ids)
            ]
        return self.add_fact(
            agent_id=episode.agent_id,
            content=detail.content,
            kind=detail.kind,
            salience=0.8,
            sources=[FactSource(turn_id=turn.id, quote=quote) for turn, quote in quoted],
            conversation_id=episode.conversation_id or None,
        )

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
            raise BadRequestError(say("A session cannot end before it begins."))

        def work(repos: Repositories) -> tuple[Episode, bool]:
            known_agent(repos, agent_id)
            if conversation_id:
                known_conversation(repos, agent_id, conversation_id)
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
                raise NotFoundError(say("There is no such episode."), hint="GET /memory/episodes lists them.")
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

    def add_identity(self, content: str, *, actor: Actor = "user", actor_detail: str = "") -> MemoryItem:
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
    ) -> MemoryItem:
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
            The one that stays, and the change that :meth:`memdesk.services.remembering.history.HistoryService.take_back` takes back.

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
