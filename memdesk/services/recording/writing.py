"""Writes turns, with everything attached, in one transaction."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from attrs import define, fields

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.models import Signal, Turn, new_id
from memdesk.ports import Clock, Repositories, Store
from memdesk.services.distilling import as_remembered
from memdesk.services.events import AgentsChanged, ConversationsChanged, EventBus, PendingChanged, TurnsRecorded
from memdesk.services.moments import now_ms
from memdesk.services.recording import drafts, versions
from memdesk.services.recording.folders import placed
from memdesk.services.recording.turns import NewTurn, fresh_conversation, turn_of

if TYPE_CHECKING:
    from memdesk.services.agents import AgentsService
    from memdesk.services.distilling import DistillationService
    from memdesk.services.forgetting import ForgettingService
    from memdesk.services.settings import SettingsService


@dataclass(frozen=True, slots=True)
class Written:
    """Stored turns, how many are pending distillation, and whether their agent was created."""

    turns: list[Turn]
    signals: int
    new_agent: bool


@define(kw_only=True, eq=False, repr=False, slots=False)
class Recording:
    """What recording needs of its neighbors."""

    _store: Store
    _clock: Clock
    _events: EventBus
    _settings: SettingsService
    _agents: AgentsService
    _distillation: DistillationService
    _forgetting: ForgettingService

    def neighbors(self) -> dict[str, Any]:
        """Return them by name."""
        return {each.name.lstrip("_"): getattr(self, each.name) for each in fields(Recording)}


@define(kw_only=True, eq=False, repr=False, slots=False)
class TurnWriter(Recording):
    """Writes turns; one thread at a time per conversation."""

    def __attrs_post_init__(self) -> None:
        self._locks = [threading.Lock() for _ in range(64)]

    def exclusive(self, agent_id: str, conversation_id: str) -> AbstractContextManager[object]:
        """Hold a conversation while its turns are read, compared and written. Not re-entrant."""
        return self._locks[hash((agent_id, conversation_id)) % len(self._locks)]

    def write_instead(
        self,
        kind: Literal["conversation", "turn"],
        ids: Sequence[str],
        agent_id: str,
        work: Callable[[Repositories], Written],
        *,
        keeping: bool = False,
        learned: bool = True,
    ) -> Written:
        """Run ``work`` in one transaction with the forgetting of what it replaces: both happen or neither."""
        if not ids:
            return self._store.write(work)
        from memdesk.services.forgetting import ForgetTarget

        written: list[Written] = []
        target = ForgetTarget(kind=kind, ids=tuple(ids), agent_id=agent_id, learned=learned, keep_former=keeping)
        self._forgetting.forget(target, verify=False, then=lambda repos: written.append(work(repos)))
        return written[-1]

    def append(
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
    ) -> Written:
        """Append turns to a conversation, creating it if new.

        Args:
            repos: of the transaction.
            agent_id: created if unknown.
            conversation_id: within the agent.
            rows: messages in order.
            learn: whether they may be distilled; memory modes and settings can only narrow this.
            session_date: date of a conversation created here.
            defaults: its fields.
            anew: whether the conversation of that name is being forgotten and replaced.
        """
        now = now_ms(self._clock)
        new_agent = repos.agents.get(agent_id) is None
        agent = self._agents.ensure_in(repos, agent_id)
        known = repos.conversations.get(agent_id, conversation_id)
        fresh = fresh_conversation(agent_id, conversation_id, rows, session_date, now, defaults)
        fresh = replace(fresh, folder_id=placed(repos, agent_id, fresh.folder_id))
        # A conversation being forgotten still exists, without a title; its replacement starts fresh.
        conversation = fresh if known is None or anew else replace(known, title=known.title or fresh.title)
        position = repos.turns.next_position(agent_id, conversation_id) if known else 0
        turns = [turn_of(row, conversation, position + i, now) for i, row in enumerate(rows)]
        # Lists sort by the last message's time, since imports store old conversations now.
        last = max((turn.said_at for turn in turns), default=now)
        last = min(now, last if known is None or anew else max(last, known.updated_at))
        repos.conversations.put(replace(conversation, turn_count=conversation.turn_count + len(turns), updated_at=last))
        said = [Draft(row.written or row.content, images=row.images) for row in rows if row.role == "user"]
        for place in {conversation_id, conversation_id if known else None}:
            drafts.drop_recorded(repos, agent_id, place, said)
        _keep_beside(repos, conversation_id, rows, turns)
        seqs = repos.turns.add(turns)
        learns = learn and self._settings.current.memory.enabled and agent.memory == conversation.memory == "on"
        if learns:
            here = partial(Signal, agent_id=agent_id, conversation_id=conversation_id, created_at=now)
            repos.signals.add([here(id=new_id(), turn_id=turn.id) for turn in turns])
        stored = [replace(turn, seq=seq) for turn, seq in zip(turns, seqs, strict=True)]
        return Written(stored, len(turns) if learns else 0, new_agent)

    def recorded(self, agent_id: str, conversation_id: str, written: Written) -> list[Turn]:
        """Publish what was written, which is distilled after the usual idle time; return the turns."""
        if not written.turns:
            return []
        self.tell(agent_id, conversation_id, written)
        if written.signals:
            self._distillation.note_activity(agent_id, conversation_id)
        return written.turns

    def tell(self, agent_id: str, conversation_id: str, written: Written) -> None:
        """Publish what was written."""
        if written.new_agent:
            self._events.publish(AgentsChanged())
        self._events.publish(TurnsRecorded(agent_id, conversation_id, tuple(turn.id for turn in written.turns)))
        if written.signals:
            self._events.publish(PendingChanged())
        self._events.publish(ConversationsChanged(agent_id))


def _keep_beside(repos: Repositories, conversation_id: str, rows: Sequence[NewTurn], turns: Sequence[Turn]) -> None:
    """Store data attached to turns: receipts, thinking, files and pictures."""
    for row, turn in zip(rows, turns, strict=True):
        if row.receipt is not None:
            receipt = as_remembered(repos, row.receipt)
            repos.receipts.put(replace(receipt, conversation_id=conversation_id, turn_id=turn.id))
        versions.keep_thought(repos, turn, row.thought)
        versions.keep_files(repos, turn, row.files)
        repos.images.put(row.images)
