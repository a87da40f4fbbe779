"""Real services over a throw-away store, for the distillation bench."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from memdesk.domain.models import Agent, Conversation, Episode, Fact, Signal, Turn, new_id
from memdesk.engines.catalogue import Catalogue
from memdesk.engines.embedder import open_embedder
from memdesk.engines.fingerprint import Fingerprints
from memdesk.engines.known_models import KnownModels
from memdesk.engines.nlp import SpacyAnalyzer
from memdesk.engines.remote import RemoteServers
from memdesk.ports import LanguageModel
from memdesk.runtime.clock import SystemClock
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.supervisor import WorkerPool
from memdesk.services.distillation import DistillationService, SessionOutcome
from memdesk.services.events import EventBus
from memdesk.services.locomo import LocomoConversation, LocomoSession
from memdesk.settings.schema import EngineSettings, MemorySettings, Settings
from memdesk.storage.database import Database

AGENT: Final = "bench"
Lines = list[tuple[str, tuple[str, ...]]]


class _NoSecrets:
    """A keyring without anything in it: the bench opens local models only."""

    def available(self) -> bool:
        return False

    def get(self, account: str) -> str | None:
        del account
        return None

    def set(self, account: str, secret: str) -> None:
        raise NotImplementedError

    def delete(self, account: str) -> None:
        raise NotImplementedError


class _Fixed:
    """Settings that stay as they are."""

    def __init__(self, settings: Settings) -> None:
        self.current = settings


class Rig:
    """Store, engines and the distillation service.

    Args:
        folder: for the store; gone afterwards.
        core_model: the model that distils.
        mode: ``sessionEnd`` or ``rules``.
    """

    def __init__(self, folder: Path, *, core_model: str, mode: str) -> None:
        self._store = Database(folder / "memory.db")
        self._store.open(secrets.token_bytes(32))
        self._lanes = ThreadLanes()
        self._workers = WorkerPool(self._lanes)
        settings = Settings(memory=MemorySettings.model_validate({"coreModel": core_model, "extractionMode": mode}))
        cache = folder / "cache"
        known = KnownModels(folder / "known.json")
        engine: Callable[[], EngineSettings] = lambda: settings.engine  # noqa: E731  # a getter of one value
        self._catalogue = Catalogue(
            models=folder,
            cache=cache,
            settings=engine,
            known=known,
            workers=self._workers,
            servers=RemoteServers(engine, _NoSecrets(), known),
        )
        self._core_model = core_model
        self._embedder = open_embedder("bundled:all-MiniLM-L6-v2", self._workers, cache)
        self._clock = SystemClock()
        self._service = DistillationService(
            store=self._store,
            clock=self._clock,
            events=EventBus(),
            settings=_Fixed(settings),
            lanes=self._lanes,
            catalogue=self._catalogue,
            analyzer=SpacyAnalyzer(self._workers, Fingerprints(cache / "fingerprints.json")),
            embedder=lambda: self._embedder,
        )
        now = self._clock.now()
        agent = Agent(id=AGENT, name="Bench", created_at=now, updated_at=now)
        self._store.write(lambda repos: repos.agents.put(agent))

    def record(self, conversation: LocomoConversation, session: LocomoSession) -> list[Turn]:
        """Store a session's turns and signals."""
        now = self._clock.now()
        turns = [
            Turn(
                id=new_id(),
                agent_id=AGENT,
                conversation_id=session.conversation_id,
                position=number,
                role="user" if turn.speaker == conversation.speaker_a else "assistant",
                speaker=turn.speaker,
                content=turn.text,
                said_at=session.date,
                created_at=now,
            )
            for number, turn in enumerate(session.turns)
        ]
        thread = Conversation(agent_id=AGENT, id=session.conversation_id, created_at=now, updated_at=now)

        def work(repos: Any) -> None:
            repos.conversations.put(thread)
            repos.turns.add(turns)
            repos.signals.add(
                [
                    Signal(id=new_id(), turn_id=t.id, agent_id=AGENT, conversation_id=t.conversation_id, created_at=now)
                    for t in turns
                ]
            )

        self._store.write(work)
        return turns

    def distil(self, conversation_id: str) -> SessionOutcome:
        """Distil one session and wait."""
        return self._service.distill(AGENT, conversation_id)[0]

    def lines(self, outcome: SessionOutcome, pick: Callable[[Episode, Sequence[Fact]], Lines]) -> Lines:
        """Return what was kept of a session."""
        if outcome.episode_id is None:
            return []
        with self._store.read() as repos:
            episode = repos.episodes.get(outcome.episode_id)
            facts = repos.facts.many(list(outcome.facts))
        return pick(episode, facts) if episode is not None else []

    def model(self) -> LanguageModel:
        """Return the core model."""
        return self._catalogue.open(self._core_model)

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Return unit vectors, shape ``(len(texts), 384)``."""
        return self._embedder.embed(list(texts)) if texts else np.zeros((0, 384), dtype=np.float32)

    def close(self) -> None:
        """Stop everything."""
        self._service.close()
        self._workers.close()
        self._lanes.close()
        self._store.close()
