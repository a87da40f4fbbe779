"""The real app over a throw-away store, for the distillation bench."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import numpy as np

from memdesk.bootstrap.app import App
from memdesk.bootstrap.throwaway import throwaway
from memdesk.domain.models import Episode, Fact, Turn
from memdesk.engines.embedder import ProcessEmbedder, open_embedder
from memdesk.ports import LanguageModel
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.pool import WorkerPool
from memdesk.services.distillation import SessionOutcome
from memdesk.services.ingest import IngestTurn
from memdesk.services.locomo import LocomoConversation, LocomoSession

AGENT: Final = "bench"
Lines = list[tuple[str, tuple[str, ...]]]


class Rig:
    """Records and distils sessions with the app's own services.

    Args:
        app: open, over a store of its own.
        core_model: the model that distils.
        mode: ``sessionEnd`` or ``rules``.
        embedder: the bundled MiniLM, for judging.
    """

    def __init__(self, app: App, core_model: str, mode: str, embedder: ProcessEmbedder) -> None:
        self._services = app.services
        self._core_model = core_model
        self._embedder = embedder
        self._services.settings.update("memory", {"coreModel": core_model, "extractionMode": mode})

    def record(self, conversation: LocomoConversation, session: LocomoSession) -> list[Turn]:
        """Store a session's turns and signals."""
        turns = [
            IngestTurn(user=turn.text, user_speaker=turn.speaker)
            if turn.speaker == conversation.speaker_a
            else IngestTurn(assistant=turn.text, assistant_speaker=turn.speaker)
            for turn in session.turns
        ]
        self._services.ingest.ingest(
            agent_id=AGENT,
            conversation_id=session.conversation_id,
            turns=turns,
            session_date=session.date,
            wait=False,
        )
        return self._services.memories.transcript(AGENT, session.conversation_id, limit=500).items

    def distil(self, conversation_id: str) -> SessionOutcome:
        """Distil one session and wait."""
        return self._services.distillation.distill(AGENT, conversation_id)[0]

    def lines(self, outcome: SessionOutcome, pick: Callable[[Episode, Sequence[Fact]], Lines]) -> Lines:
        """Return what was kept of a session."""
        if outcome.episode_id is None:
            return []
        episode = self._services.memories.episode(outcome.episode_id)
        facts = [self._services.memories.fact(fact_id) for fact_id in outcome.facts]
        return pick(episode, facts)

    def model(self) -> LanguageModel:
        """Return the core model."""
        return self._services.models.catalogue.open(self._core_model)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return unit vectors, shape ``(len(texts), 384)``."""
        return self._embedder.embed(list(texts)) if texts else np.zeros((0, 384), dtype=np.float32)


@contextmanager
def rig(folder: Path, core_model: str, mode: str) -> Iterator[Rig]:
    """Lend a rig below ``folder``; the judging embedder has a process of its own, so that its work is not timed."""
    lanes = ThreadLanes()
    workers = WorkerPool(lanes)
    try:
        judge = open_embedder("bundled:all-MiniLM-L6-v2", workers, folder / "judge")
        with throwaway(folder / "home") as app:
            yield Rig(app, core_model, mode, judge)
    finally:
        workers.close()
        lanes.close()
