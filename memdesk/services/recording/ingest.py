"""The write path's first half: turns and signals in one durable transaction, no model, no network."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final

from attrs import define

from memdesk.domain.chatting.titles import title_of
from memdesk.domain.chatting.versions import Former, FormerTurn
from memdesk.domain.models import Conversation, HistoryEntry, Turn, new_id
from memdesk.errors import NotFoundError
from memdesk.messages import say
from memdesk.ports import CancelToken, Repositories
from memdesk.services.distilling import as_remembered, memory_off
from memdesk.services.moments import now_ms
from memdesk.services.recording import versions
from memdesk.services.recording.outcomes import Outcomes, with_secrets
from memdesk.services.recording.rehousing import ChatMover, Learned, Rehoused
from memdesk.services.recording.turns import (
    KEPT,
    MAX_TURN_CHARS,
    IngestResult,
    IngestTurn,
    NewTurn,
    already_held,
    check_conversation_id,
    rows_of,
    turn_of,
)
from memdesk.services.recording.writing import Recording, TurnWriter, Written

__all__ = ["MAX_TURN_CHARS", "IngestResult", "IngestService", "IngestTurn", "NewTurn", "check_conversation_id"]


#: The first turns, one of which gave a conversation its title.
_BEGINNING: Final = 8


@define(kw_only=True, eq=False, repr=False, slots=False)
class IngestService(Recording):
    """Records turns. Acknowledged turns are durable."""

    def __attrs_post_init__(self) -> None:
        self._writer = TurnWriter(**self.neighbors())
        self._mover = ChatMover(store=self._store, events=self._events, agents=self._agents, writer=self._writer)
        self._outcomes = Outcomes(
            store=self._store, settings=self._settings, agents=self._agents, distillation=self._distillation
        )

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
        """Append turns to a conversation, creating it if new, in one transaction.

        Args:
            agent_id: created if unknown.
            conversation_id: any text of 1 to 200 characters.
            turns: messages in order.
            learn: whether they may be distilled; the agent's and the conversation's memory mode and the
                setting ``enabled`` can only narrow this.
            conversation_defaults: fields of a conversation created here.
            instead_of: ids of turns that these replace (an edit, another answer); deleted with what was learned solely
                from them, in the same transaction.
            keep_former: keep the replaced turns as a former version, which :meth:`turn_to` brings back.
            must_exist: record nothing if the conversation was deleted while its answer was made, so that it does not
                come back.
        """
        check_conversation_id(conversation_id)

        def work(repos: Repositories) -> Written:
            if must_exist and repos.conversations.get(agent_id, conversation_id) is None:
                return Written([], 0, new_agent=False)
            if former and keep_former:
                # Its messages are gone by now, with their pictures.
                repos.images.put(pictures.values())
                versions.keep(repos, version)
            return self._writer.append(
                repos,
                agent_id,
                conversation_id,
                turns,
                learn=learn,
                session_date=None,
                defaults=conversation_defaults or {},
            )

        with self._writer.exclusive(agent_id, conversation_id):
            with self._store.read() as repos:
                if must_exist and repos.conversations.get(agent_id, conversation_id) is None:
                    return []
                former = repos.turns.many(instead_of) if instead_of else []
                if former and keep_former:
                    version = versions.gather(repos, former)
                    pictures = versions.pictures(repos, former)
            written = self._writer.write_instead(
                "turn", [turn.id for turn in former], agent_id, work, keeping=keep_former
            )
        return self._writer.recorded(agent_id, conversation_id, written)

    def record_beside(self, said: Turn, answer: NewTurn) -> list[Turn]:
        """Store another answer to a stored message as a version of the existing one.

        Returns:
            the message and this answer; empty if the message is gone.
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

        with self._writer.exclusive(said.agent_id, said.conversation_id):
            return self._store.write(work)

    def turn_to(self, agent_id: str, conversation_id: str, key: str, *, learn: bool = True) -> list[Turn]:
        """Switch a conversation to a former version; the present one becomes a version too.

        Memory follows what is shown: what was learned solely from the removed messages is forgotten, and restored ones
        are learned from again if they were before.

        ``key`` is the former version's. Returns the restored messages, with new ids.

        Raises:
            NotFoundError: there is no such version (any more).
        """
        with self._writer.exclusive(agent_id, conversation_id):
            with self._store.read() as repos:
                wanted = versions.former(repos, agent_id, conversation_id).get(key)
                history = repos.turns.of_conversation(agent_id, conversation_id)
                at = next((n for n, turn in enumerate(history, 1) if wanted and turn.id == wanted.after), 0)
                if wanted is None or (wanted.after and not at):
                    raise NotFoundError(say("That version is no longer there."))
                going = history[at:]
                version = versions.gather(repos, going) if going else None
                pictures = versions.pictures(repos, going)

            def work(repos: Repositories) -> Written:
                done = self._writer.append(
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

            written = self._writer.write_instead("turn", [turn.id for turn in going], agent_id, work, keeping=True)
        return self._writer.recorded(agent_id, conversation_id, written)

    def rehouse(self, agent_id: str, conversation_id: str, to: str, *, learned: Learned) -> Rehoused:
        """Move a chat to another agent, with its messages, pictures, thinking and former versions.

        Receipts stay behind: they are about the old agent's memory.

        ``learned``: what happens to the facts and episodes from it alone. :meth:`bring_back` undoes it with
        the result.

        Raises:
            NotFoundError: the agent has no such chat, or the other agent does not exist.
        """
        return self._mover.rehouse(agent_id, conversation_id, to, learned=learned)

    def bring_back(self, moved: Rehoused) -> Conversation:
        """Undo :meth:`rehouse`: restore the chat and what was learned from it.

        Raises:
            NotFoundError: the chat is gone.
        """
        return self._mover.bring_back(moved)

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
        """Record a whole session; ingesting a conversation again replaces it.

        Repetition is cheap: an unchanged session is left alone, and of a continued one only the rest is recorded and
        learned from.

        Args:
            agent_id: created if unknown.
            conversation_id: the session's name within the agent.
            turns: exchanges in order.
            session_date: when it took place; used for turns without a date.
            skip_extraction: store the transcript only; nothing is distilled.
            actor_detail: the file it came from, for the history.
            program: the token name of the sending program.
            wait: distill before returning; otherwise after the usual idle time.
            title: of the conversation; else its first words.
            folder_id: folder of a new conversation.
            cancel: stops the distillation, never the recording.
            patience: seconds to wait for the distillation, which goes on in the background.

        Raises:
            BadRequestError: an id or a turn that cannot be stored. Nothing was changed.
        """
        check_conversation_id(conversation_id)
        rows, undated = rows_of(turns, session_date, program, now_ms(self._clock))
        if not rows:
            return IngestResult(turns_ingested=0, distillation="no_signals")
        learn = not skip_extraction
        with self._writer.exclusive(agent_id, conversation_id):
            with self._store.read() as repos:
                known = repos.conversations.get(agent_id, conversation_id)
                began = repos.turns.page(agent_id=agent_id, conversation_id=conversation_id, limit=_BEGINNING).items
                held = None
                if known is not None and known.session_date == session_date and title in {"", known.title}:
                    off = memory_off(self._settings.current.memory, repos.agents.get(agent_id), known)
                    held = already_held(repos, known, rows, undated, learned=learn and not off)
            # User settings survive a replacement of the text; a title derived from it does not.
            defaults: dict[str, Any] = {"folder_id": folder_id}
            if known is not None:
                defaults = {name: getattr(known, name) for name in KEPT}
            if known is not None and known.title in {title_of(turn.content) for turn in began}:
                del defaults["title"]

            def work(repos: Repositories) -> Written:
                done = self._writer.append(
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
            written = None if here else self._writer.write_instead("conversation", former, agent_id, work)
        distill = partial(
            self._outcomes.distill, agent_id, conversation_id, len(turns), wait=wait, cancel=cancel, patience=patience
        )
        if written is None:
            return self._outcomes.known_already(agent_id, conversation_id, len(turns), distill if learn else None)
        self._writer.tell(agent_id, conversation_id, written)
        if not written.signals:
            outcome = (
                "skipped:skip_extraction" if skip_extraction else self._outcomes.why_not(agent_id, conversation_id)
            )
            return IngestResult(turns_ingested=len(turns), distillation=outcome)
        return with_secrets(distill(), rows[held or 0 :])

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
