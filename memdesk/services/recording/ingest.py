"""The write path's first half: turns and signals in one durable transaction, no model, no network."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from attrs import define

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.chatting.thinking import without_thinking
from memdesk.domain.chatting.titles import title_of
from memdesk.domain.chatting.versions import Former, FormerTurn
from memdesk.domain.models import Conversation, HistoryEntry, Receipt, Signal, Turn, new_id
from memdesk.domain.reading.secrets import secret_kinds
from memdesk.errors import BadRequestError, CancelledError, MemdeskError, NotFoundError
from memdesk.messages import say
from memdesk.ports import CancelToken, Clock, Repositories, Store
from memdesk.services.distilling import as_remembered, memory_off
from memdesk.services.events import (
    AgentsChanged,
    ConversationsChanged,
    EventBus,
    MemoryChanged,
    PendingChanged,
    TurnsRecorded,
)
from memdesk.services.moments import now_ms
from memdesk.services.recording import drafts, versions
from memdesk.services.recording.folders import placed
from memdesk.services.recording.rehousing import (
    Belongings,
    Learned,
    Rehoused,
    belongings,
    carried,
    carry_versions,
    restored,
)
from memdesk.services.recording.turns import (
    MAX_TURN_CHARS,
    IngestResult,
    IngestTurn,
    NewTurn,
    check_conversation_id,
    fresh_conversation,
    turn_of,
)

__all__ = ["MAX_TURN_CHARS", "IngestResult", "IngestService", "IngestTurn", "NewTurn", "check_conversation_id"]

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.services.agents import AgentsService
    from memdesk.services.distilling import DistillationService
    from memdesk.services.forgetting import ForgettingService
    from memdesk.services.settings import SettingsService

_KEPT: Final = ("title", "memory", "pinned", "archived", "overrides", "folder_id")
#: Turns among which is the one that gave a conversation its title.
_BEGINNING: Final = 8


@dataclass(slots=True)
class _Written:
    turns: list[Turn]
    signals: int
    new_agent: bool


@define(kw_only=True, eq=False, repr=False, slots=False)
class IngestService:
    """Records what was said. What it acknowledges is on the disk."""

    _store: Store
    _clock: Clock
    _events: EventBus
    _settings: SettingsService
    _agents: AgentsService
    _distillation: DistillationService
    _forgetting: ForgettingService

    def __attrs_post_init__(self) -> None:
        self._locks = [threading.Lock() for _ in range(64)]

    def record(
        self,
        *,
        agent_id: str,
        conversation_id: str,
        turns: Sequence[NewTurn],
        learn: bool = True,
        conversation_defaults: dict[str, Any] | None = None,
        instead_of: Sequence[str] = (),
        keep_former: bool = False,
        must_exist: bool = False,
    ) -> list[Turn]:
        """Append turns to a conversation, which is made when new, in one transaction.

        Args:
            agent_id: made when unknown.
            conversation_id: any text of 1 to 200 characters.
            turns: messages in order.
            learn: whether they may be distilled; the agent's and the conversation's memory mode and the
                setting ``enabled`` can only narrow this.
            conversation_defaults: fields of a conversation that is made here.
            instead_of: ids of turns that these replace (an edit, another answer); they go with what was
                learned solely from them, in the same transaction.
            keep_former: keep what goes as a former version, which :meth:`turn_to` brings back.
            must_exist: record nothing when the conversation is gone: it was deleted while its answer was
                made, and must not come back.
        """
        check_conversation_id(conversation_id)

        def work(repos: Repositories) -> _Written:
            if must_exist and repos.conversations.get(agent_id, conversation_id) is None:
                return _Written([], 0, new_agent=False)
            if former and keep_former:
                # Its messages are gone by now, and their pictures with them.
                repos.images.put(pictures.values())
                versions.keep(repos, version)
            return self._append(
                repos,
                agent_id,
                conversation_id,
                turns,
                learn=learn,
                session_date=None,
                defaults=conversation_defaults or {},
            )

        with self.exclusive(agent_id, conversation_id):
            with self._store.read() as repos:
                if must_exist and repos.conversations.get(agent_id, conversation_id) is None:
                    return []
                former = repos.turns.many(instead_of) if instead_of else []
                if former and keep_former:
                    version = versions.gather(repos, former)
                    pictures = versions.pictures(repos, former)
            written = self._replace("turn", [turn.id for turn in former], agent_id, work, keeping=keep_former)
        return self._recorded(agent_id, conversation_id, written)

    def record_beside(self, said: Turn, answer: NewTurn) -> list[Turn]:
        """Keep another answer to a stored message as a version of the one it has.

        Returns:
            the message and this answer; empty where the message is gone.
        """

        def work(repos: Repositories) -> list[Turn]:
            known = repos.conversations.get(said.agent_id, said.conversation_id)
            if known is None or not repos.turns.many([said.id]):
                return []
            turn = turn_of(answer, known, said.position + 1, now_ms(self._clock))
            receipt = as_remembered(repos, answer.receipt) if answer.receipt is not None else None
            learns = bool(repos.signals.of_turns([said.id]))
            versions.keep(repos, Former(said.id, (FormerTurn(turn, receipt, answer.thought),), learns))
            return [said, turn]

        with self.exclusive(said.agent_id, said.conversation_id):
            return self._store.write(work)

    def turn_to(self, agent_id: str, conversation_id: str, key: str, *, learn: bool = True) -> list[Turn]:
        """Let a conversation go on as in a former version; how it went on so far becomes one.

        Memory follows what is shown: what was learned solely from the messages that go is forgotten, and those that
        come back are learned from again where they were before.

        ``key`` is the former version's. The messages that are there again are returned, with ids of their own.

        Raises:
            NotFoundError: there is no such version (any more).
        """
        with self.exclusive(agent_id, conversation_id):
            with self._store.read() as repos:
                wanted = versions.former(repos, agent_id, conversation_id).get(key)
                history = repos.turns.of_conversation(agent_id, conversation_id)
                at = next((n for n, turn in enumerate(history, 1) if wanted and turn.id == wanted.after), 0)
                if wanted is None or (wanted.after and not at):
                    raise NotFoundError(say("That version is no longer there."))
                going = history[at:]
                version = versions.gather(repos, going) if going else None
                pictures = versions.pictures(repos, going)

            def work(repos: Repositories) -> _Written:
                done = self._append(
                    repos,
                    agent_id,
                    conversation_id,
                    versions.as_new(repos, wanted),
                    learn=learn and wanted.learns,
                    session_date=None,
                    defaults={},
                )
                if version is not None:
                    repos.images.put(pictures.values())
                    versions.keep(repos, version)
                versions.taken_up(repos, key, wanted, done.turns)
                return done

            written = self._replace("turn", [turn.id for turn in going], agent_id, work, keeping=True)
        return self._recorded(agent_id, conversation_id, written)

    def rehouse(self, agent_id: str, conversation_id: str, to: str, *, learned: Learned) -> Rehoused:
        """Let a chat go over to another agent, with its messages, pictures, thinking and former versions.

        Nothing else crosses over: receipts tell of the memory of the agent that was asked, and are left behind.

        ``learned``: what becomes of the facts and episodes that came from it alone. :meth:`bring_back` undoes it with
        what is returned.

        Raises:
            NotFoundError: the agent has no such chat, or there is no such agent.
        """
        self._agents.get(to)
        with self._store.read() as repos:
            talk = repos.conversations.get(agent_id, conversation_id)
            if talk is None:
                raise NotFoundError(say("There is no such conversation."))
            had = belongings(repos, talk)
            folder_id = placed(repos, to, None)
        # Lines about the user are every agent's: a folder with a memory of its own has none of them.
        going = [item for item in had.items if item.id in had.alone and item.agent_id] if learned == "moves" else []
        return self._rehouse(talk, to, folder_id, had, going, forget=learned != "stays")

    def bring_back(self, moved: Rehoused) -> Conversation:
        """Undo :meth:`rehouse`: the chat is where it was, and what was learned from it is known as it was.

        Raises:
            NotFoundError: the chat is gone.
        """
        here = moved.talk
        receipts = {moved.turns[turn]: receipt for turn, receipt in moved.had.receipts.items()}
        items = [
            replace(
                item,
                run_id=here.id if item.run_id == moved.former.id else item.run_id,
                sources=tuple(
                    replace(each, turn_id=moved.turns.get(each.turn_id, each.turn_id)) for each in item.sources
                ),
            )
            for item in moved.had.items
        ]
        with self._store.read() as repos:
            talk = repos.conversations.get(here.agent_id, here.id)
        if talk is None:
            raise NotFoundError(say("There is no such conversation."))
        had = Belongings(items=tuple(items), alone=moved.had.alone, receipts=receipts)
        return self._rehouse(
            talk, moved.former.agent_id, moved.former.folder_id, had, items, forget=True, receipts=receipts
        ).talk

    def _rehouse(
        self,
        talk: Conversation,
        to: str,
        folder_id: str | None,
        had: Belongings,
        going: Sequence[MemoryItem],
        *,
        forget: bool,
        receipts: Mapping[str, Receipt] | None = None,
    ) -> Rehoused:
        there, ids, made = (
            replace(talk, agent_id=to, id=new_id(), folder_id=folder_id),
            dict[str, str](),
            dict[str, str](),
        )
        mine = {item.id for item in going}
        with self.exclusive(talk.agent_id, talk.id):
            with self._store.read() as repos:
                history = repos.turns.of_conversation(talk.agent_id, talk.id)
                shown, thought = versions.pictures(repos, history), versions.thoughts(repos, talk.agent_id, talk.id)
                files = versions.whole_files(repos, history)
                waits = bool(repos.signals.pending(talk.agent_id, talk.id))
                # What stayed, or is of other chats too, is there and gets its sources back.
                wanted = {name for item in going for name in (item.id, item.parent_id, item.superseded_by) if name}
                there_already = {item.id: item for item in repos.items.many([*wanted]) if item.agent_id in {to, ""}}

            def work(repos: Repositories) -> _Written:
                rows = [
                    replace(
                        versions.copied(turn, shown, thought=thought.get(turn.id)),
                        files=files,
                        receipt_id=None,
                        receipt=(receipts or {}).get(turn.id),
                    )
                    for turn in history
                ]
                kept = {name: getattr(there, name) for name in (*_KEPT, "session_date", "created_at")}
                done = self._append(
                    repos, to, there.id, rows, learn=waits, session_date=talk.session_date, defaults=kept
                )
                made.update({old.id: new.id for old, new in zip(history, done.turns, strict=True)})
                ids.update(
                    {name: name if name in there_already else new_id() for name in wanted & mine | there_already.keys()}
                )
                for item in going:
                    was, now = carried(item, talk, there, made, ids), there_already.get(item.id)
                    repos.items.put(was if now is None else restored(now, was))
                carry_versions(repos, talk, there, made)
                return done

            written = self._replace("conversation", [talk.id], talk.agent_id, work, learned=forget)
        self._recorded(to, there.id, written)
        for agent in (talk.agent_id, to):
            self._events.publish(ConversationsChanged(agent))
            self._events.publish(MemoryChanged(agent, ("fact", "episode")))
        return Rehoused(talk=there, former=talk, had=had, turns=made)

    def _recorded(self, agent_id: str, conversation_id: str, written: _Written) -> list[Turn]:
        if not written.turns:
            return []
        self._tell(agent_id, conversation_id, written)
        if written.signals:
            self._distillation.note_activity(agent_id, conversation_id)
        return written.turns

    def ingest(
        self,
        *,
        agent_id: str,
        conversation_id: str,
        turns: Sequence[IngestTurn],
        session_date: datetime | None = None,
        skip_extraction: bool = False,
        actor_detail: str = "",
        program: str = "",
        wait: bool = True,
        title: str = "",
        folder_id: str | None = None,
        cancel: CancelToken | None = None,
        patience: float | None = None,
    ) -> IngestResult:
        """Record a whole session; the same conversation again replaces what it was.

        What is known already costs next to nothing: a session that is sent again as it stands is left as it is, and of one
        that went on only the rest is recorded and learned from.

        Args:
            agent_id: made when unknown.
            conversation_id: the session's name within the agent.
            turns: exchanges in order.
            session_date: when it took place; turns without a date of their own take it.
            skip_extraction: store the transcript only; nothing waits for distillation.
            actor_detail: the file it came from, for the history.
            program: the name of the token of the program that sends it.
            wait: distill before returning; otherwise after the usual rest.
            title: of the conversation; else its first words.
            folder_id: of the folder that a new conversation is put into.
            cancel: stops the distillation, never the recording.
            patience: seconds that are waited for the distillation, which goes on behind.

        Raises:
            BadRequestError: an id or a turn that cannot be stored. Nothing was changed.
        """
        check_conversation_id(conversation_id)
        rows, undated = self._rows(turns, session_date, program)
        if not rows:
            return IngestResult(turns_ingested=0, distillation="no_signals")
        learn = not skip_extraction
        with self.exclusive(agent_id, conversation_id):
            with self._store.read() as repos:
                known = repos.conversations.get(agent_id, conversation_id)
                began = repos.turns.page(agent_id=agent_id, conversation_id=conversation_id, limit=_BEGINNING).items
                held = None
                if known is not None and known.session_date == session_date and title in {"", known.title}:
                    off = memory_off(self._settings.current.memory, repos.agents.get(agent_id), known)
                    held = _held(repos, known, rows, undated, learned=learn and not off)
            # What the user set by hand outlives a replacement of the words; a title made of them does not.
            defaults: dict[str, Any] = {"folder_id": folder_id}
            if known is not None:
                defaults = {name: getattr(known, name) for name in _KEPT}
            if known is not None and known.title in {title_of(turn.content) for turn in began}:
                del defaults["title"]

            def work(repos: Repositories) -> _Written:
                done = self._append(
                    repos,
                    agent_id,
                    conversation_id,
                    rows[held or 0 :],
                    learn=learn,
                    session_date=session_date,
                    defaults=defaults | ({"title": title} if title else {}),
                    anew=held is None,
                )
                repos.history.add([self._entry(agent_id, conversation_id, len(done.turns), actor_detail or program)])
                return done

            former = (conversation_id,) if known is not None and held is None else ()
            here = held == len(rows)
            written = None if here else self._replace("conversation", former, agent_id, work)
        distill = partial(
            self._distill, agent_id, conversation_id, len(turns), wait=wait, cancel=cancel, patience=patience
        )
        if written is None:
            return self._known_already(agent_id, conversation_id, len(turns), distill if learn else None)
        self._tell(agent_id, conversation_id, written)
        if not written.signals:
            outcome = "skipped:skip_extraction" if skip_extraction else self._why_not(agent_id, conversation_id)
            return IngestResult(turns_ingested=len(turns), distillation=outcome)
        return _with_secrets(distill(), rows[held or 0 :])

    def _known_already(
        self, agent_id: str, conversation_id: str, count: int, distill: Callable[[], IngestResult] | None
    ) -> IngestResult:
        """Say what became of a session that is here as it was sent; what of it waits is distilled, where it may be."""
        with self._store.read() as repos:
            waits = bool(repos.signals.pending(agent_id, conversation_id))
        if distill is not None and waits:
            return distill()
        outcome = self._why_not(agent_id, conversation_id) if distill is not None else "skipped:skip_extraction"
        return IngestResult(turns_ingested=count, distillation="unchanged" if outcome == "no_signals" else outcome)

    def exclusive(self, agent_id: str, conversation_id: str) -> AbstractContextManager[object]:
        """Hold a conversation while its turns are read, compared and written. Not re-entrant."""
        return self._locks[hash((agent_id, conversation_id)) % len(self._locks)]

    def _replace(
        self,
        kind: Literal["conversation", "turn"],
        ids: Sequence[str],
        agent_id: str,
        work: Callable[[Repositories], _Written],
        *,
        keeping: bool = False,
        learned: bool = True,
    ) -> _Written:
        """Run ``work`` in one transaction with the forgetting of what it replaces: both happen or neither."""
        if not ids:
            return self._store.write(work)
        from memdesk.services.forgetting import ForgetTarget

        written: list[_Written] = []
        target = ForgetTarget(kind=kind, ids=tuple(ids), agent_id=agent_id, learned=learned, keep_former=keeping)
        self._forgetting.forget(target, verify=False, then=lambda repos: written.append(work(repos)))
        return written[-1]

    def _rows(
        self, turns: Sequence[IngestTurn], session_date: datetime | None, program: str
    ) -> tuple[list[NewTurn], set[int]]:
        """Return the messages, and the numbers of those of which nobody said when they were."""
        rows: list[NewTurn] = []
        undated: set[int] = set()
        base = session_date or now_ms(self._clock)
        for number, turn in enumerate(turns):
            # Milliseconds keep the order of turns that share a date, without moving them to another day.
            when = turn.date or base + timedelta(milliseconds=number)
            for role, text, speaker, images in (
                ("user", turn.user, turn.user_speaker, turn.user_images),
                ("assistant", without_thinking(turn.assistant), turn.assistant_speaker, turn.assistant_images),
            ):
                if len(text) > MAX_TURN_CHARS:
                    raise BadRequestError(say("A turn has more than {n:,} characters.", n=MAX_TURN_CHARS))
                if text.strip() or images:
                    side: Literal["user", "assistant"] = "user" if role == "user" else "assistant"
                    if turn.date is None and session_date is None:
                        undated.add(len(rows))
                    new = NewTurn(
                        role=side, content=text, speaker=speaker, said_at=when, images=images, program=program
                    )
                    rows.append(new)
        return rows, undated

    def _append(
        self,
        repos: Repositories,
        agent_id: str,
        conversation_id: str,
        rows: Sequence[NewTurn],
        *,
        learn: bool,
        session_date: datetime | None,
        defaults: dict[str, Any],
        anew: bool = False,
    ) -> _Written:
        now = now_ms(self._clock)
        new_agent = repos.agents.get(agent_id) is None
        agent = self._agents.ensure_in(repos, agent_id)
        known = repos.conversations.get(agent_id, conversation_id)
        fresh = fresh_conversation(agent_id, conversation_id, rows, session_date, now, defaults)
        fresh = replace(fresh, folder_id=placed(repos, agent_id, fresh.folder_id))
        # What is being forgotten is still there, without a title; what takes its place begins anew.
        conversation = fresh if known is None or anew else replace(known, title=known.title or fresh.title)
        position = repos.turns.next_position(agent_id, conversation_id) if known else 0
        turns = [turn_of(row, conversation, position + i, now) for i, row in enumerate(rows)]
        # Lists go by when something was said last: an import brings old talks, which are stored now.
        last = max((turn.said_at for turn in turns), default=now)
        last = min(now, last if known is None or anew else max(last, known.updated_at))
        repos.conversations.put(replace(conversation, turn_count=conversation.turn_count + len(turns), updated_at=last))
        said = [Draft(row.written or row.content, images=row.images) for row in rows if row.role == "user"]
        for place in {conversation_id, conversation_id if known else None}:
            drafts.drop_recorded(repos, agent_id, place, said)
        for row, turn in zip(rows, turns, strict=True):
            if row.receipt is not None:
                receipt = as_remembered(repos, row.receipt)
                repos.receipts.put(replace(receipt, conversation_id=conversation_id, turn_id=turn.id))
            versions.keep_thought(repos, turn, row.thought)
            versions.keep_files(repos, turn, row.files)
            repos.images.put(row.images)
        seqs = repos.turns.add(turns)
        learns = learn and self._settings.current.memory.enabled and agent.memory == conversation.memory == "on"
        if learns:
            repos.signals.add(
                [
                    Signal(
                        id=new_id(), turn_id=turn.id, agent_id=agent_id, conversation_id=conversation_id, created_at=now
                    )
                    for turn in turns
                ]
            )
        stored = [replace(turn, seq=seq) for turn, seq in zip(turns, seqs, strict=True)]
        return _Written(stored, len(turns) if learns else 0, new_agent)

    def _entry(self, agent_id: str, conversation_id: str, count: int, actor_detail: str) -> HistoryEntry:
        return HistoryEntry(
            id=new_id(),
            agent_id=agent_id,
            kind="conversation",
            ref_id=conversation_id,
            action="ingest",
            actor="import",
            actor_detail=actor_detail,
            new={"turns": count},
            at=now_ms(self._clock),
        )

    def _tell(self, agent_id: str, conversation_id: str, written: _Written) -> None:
        if written.new_agent:
            self._events.publish(AgentsChanged())
        self._events.publish(TurnsRecorded(agent_id, conversation_id, tuple(turn.id for turn in written.turns)))
        if written.signals:
            self._events.publish(PendingChanged())
        self._events.publish(ConversationsChanged(agent_id))

    def _why_not(self, agent_id: str, conversation_id: str) -> str:
        with self._store.read() as repos:
            conversation = repos.conversations.get(agent_id, conversation_id)
        off = memory_off(self._settings.current.memory, self._agents.get(agent_id), conversation)
        return f"skipped:{off}" if off else "no_signals"

    def _distill(
        self,
        agent_id: str,
        conversation_id: str,
        count: int,
        *,
        wait: bool,
        cancel: CancelToken | None,
        patience: float | None,
    ) -> IngestResult:
        if self._settings.current.memory.extraction_mode == "manual":
            return IngestResult(turns_ingested=count, distillation="skipped:manual")
        if not wait:
            self._distillation.note_activity(agent_id, conversation_id)
            return IngestResult(turns_ingested=count, distillation="skipped:deferred")
        try:
            outcomes = self._distillation.distill(agent_id, conversation_id, cancel=cancel, patience=patience)
        except CancelledError:
            return IngestResult(turns_ingested=count, distillation="skipped:cancelled")
        except MemdeskError as error:
            # The turns are safe and their signals pending: the import succeeded, the answer names the rest.
            return IngestResult(turns_ingested=count, distillation=f"error:{error.code}")
        if not outcomes:
            return IngestResult(turns_ingested=count, distillation="skipped:deferred")
        last = outcomes[-1]
        return IngestResult(
            turns_ingested=count,
            distillation=last.outcome,
            episode_id=last.episode_id,
            facts=len(last.facts),
            review=len(last.review),
            rejected=last.rejected,
            model_calls=last.model_calls,
            seconds=last.seconds,
            message=last.message,
        )


def _with_secrets(result: IngestResult, rows: Sequence[NewTurn]) -> IngestResult:
    """Say which secrets memory leaves out of new messages, and how one is kept on purpose."""
    kinds = secret_kinds(row.content for row in rows)
    if not kinds:
        return result
    told = say("Left out of memory: {kinds}. Store it as a fact to keep it on purpose.", kinds=", ".join(kinds))
    return replace(result, secrets=kinds, message=f"{result.message} {told}".strip())


def _held(
    repos: Repositories, known: Conversation, rows: Sequence[NewTurn], undated: set[int], *, learned: bool
) -> int | None:
    """Return how many of the messages a conversation has; None where it must be written anew.

    That is where it has others, or is to be learned from and was not, or the other way round.
    """
    had = repos.turns.of_conversation(known.agent_id, known.id)
    if not 0 < len(had) <= len(rows):
        return None
    for number, (row, turn) in enumerate(zip(rows, had, strict=False)):
        if (row.role, row.speaker, row.content) != (turn.role, turn.speaker, turn.content):
            return None
        if set(turn.images) != {image.id for image in row.images}:
            return None
        if number not in undated and row.said_at != turn.said_at:
            return None
    signals = len(repos.signals.of_turns([turn.id for turn in had]))
    return len(had) if signals == (len(had) if learned else 0) else None
