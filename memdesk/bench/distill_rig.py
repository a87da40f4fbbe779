"""The real app over a throw-away store, for the distillation bench."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

from memdesk.bench.labeled import LabeledTurn
from memdesk.bench.updates import outcome_of
from memdesk.bootstrap.app import App
from memdesk.bootstrap.throwaway import throwaway
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Turn
from memdesk.engines.embedder import ProcessEmbedder, open_embedder
from memdesk.ports import FactFilter, LanguageModel
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.pool import WorkerPool
from memdesk.services.distilling import SessionOutcome
from memdesk.services.importing import LocomoConversation, LocomoSession
from memdesk.services.recording import IngestTurn

AGENT: Final = "bench"
Lines = list[tuple[str, tuple[str, ...]]]


@dataclass(slots=True)
class Spent:
    """What distilling cost, for choosing a model."""

    sessions: int = 0
    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0

    def add(self, outcome: SessionOutcome) -> None:
        self.sessions += 1
        self.seconds += outcome.seconds
        self.calls += outcome.model_calls
        self.tokens += outcome.model_tokens

    def report(self) -> dict[str, Any]:
        sessions = max(1, self.sessions)
        return {
            "seconds_per_session": round(self.seconds / sessions, 2),
            "calls_per_session": round(self.calls / sessions, 3),
            "tokens_per_session": round(self.tokens / sessions, 1),
        }


class Rig:
    """Records and distills sessions with the app's own services.

    Args:
        mode: ``sessionEnd`` or ``rules``.
    """

    def __init__(self, app: App, core_model: str, mode: str, embedder: ProcessEmbedder) -> None:
        self._services = app.services
        self._core_model = core_model
        self._embedder = embedder
        #: over all input.
        self.spent = Spent()
        self._services.settings.update("memory", {"coreModel": core_model, "extractionMode": mode})

    def record(self, conversation: LocomoConversation, session: LocomoSession) -> list[Turn]:
        turns = [
            IngestTurn(user=turn.text, user_speaker=turn.speaker)
            if turn.speaker == conversation.speaker_a
            else IngestTurn(assistant=turn.text, assistant_speaker=turn.speaker)
            for turn in session.turns
        ]
        self._services.ingest.ingest(
            agent_id=AGENT, conversation_id=session.conversation_id, turns=turns, session_date=session.date, wait=False
        )
        return self._services.memories.transcript(AGENT, session.conversation_id, limit=500).items

    def distill(self, conversation_id: str) -> SessionOutcome:
        return self._distill(AGENT, conversation_id)

    def _distill(self, agent_id: str, conversation_id: str) -> SessionOutcome:
        outcome = self._services.distillation.distill(agent_id, conversation_id)[0]
        self.spent.add(outcome)
        return outcome

    def lines(self, outcome: SessionOutcome, pick: Callable[[MemoryItem, Sequence[MemoryItem]], Lines]) -> Lines:
        if outcome.episode_id is None:
            return []
        episode = self._services.memories.episode(outcome.episode_id)
        facts = [self._services.memories.fact(fact_id) for fact_id in outcome.facts]
        return pick(episode, facts)

    def kept_of(self, chat: Sequence[LabeledTurn], agent_id: str) -> list[str]:
        """Feed a labeled chat to an agent of its own; return its facts."""
        turns = [IngestTurn(assistant=turn.text) if turn.assistant else IngestTurn(user=turn.text) for turn in chat]
        self._services.ingest.ingest(agent_id=agent_id, conversation_id=agent_id, turns=turns, wait=False)
        self._distill(agent_id, agent_id)
        return [fact.content for fact in self._services.memories.facts(FactFilter(agent_id=agent_id), limit=500).items]

    def outcome_of(self, row: dict[str, Any], agent_id: str) -> str:
        """Feed a pair of statements over two chats to an agent of its own; return what became of the first."""
        chats = (f"{agent_id}-old", f"{agent_id}-new")
        for chat, said in zip(chats, row["said"], strict=True):
            day = datetime.fromisoformat(said["on"]).replace(hour=12, tzinfo=UTC)
            turns = [IngestTurn(user=said["text"])]
            self._services.ingest.ingest(
                agent_id=agent_id, conversation_id=chat, turns=turns, session_date=day, wait=False
            )
            self._distill(agent_id, chat)
        found = self._services.memories.facts(FactFilter(agent_id=agent_id), limit=500).items
        return outcome_of(found, chats)

    def model(self) -> LanguageModel:
        return self._services.models.catalogue.open(self._core_model)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return unit vectors, shape ``(len(texts), 384)``."""
        return self._embedder.embed(list(texts)) if texts else np.zeros((0, 384), dtype=np.float32)


@contextmanager
def rig(folder: Path, core_model: str, mode: str) -> Iterator[Rig]:
    """Lend a rig below ``folder``; the judging embedder runs in its own process, so that its work is not timed."""
    lanes = ThreadLanes()
    workers = WorkerPool(lanes)
    try:
        judge = open_embedder("bundled:all-MiniLM-L6-v2", workers, folder / "judge")
        with throwaway(folder / "home") as app:
            yield Rig(app, core_model, mode, judge)
    finally:
        workers.close()
        lanes.close()
