"""A real encrypted store with rows made in one line, a clock one can set, settings one can change."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Agent, Conversation, FactSource, Turn, new_id
from memdesk.services.events import Event, EventBus
from memdesk.services.forgetting.forgetting import ForgettingService
from memdesk.services.remembering.history import HistoryService
from memdesk.services.remembering.memories import MemoriesService
from memdesk.services.upkeep.consolidation import ConsolidationService
from memdesk.settings.schema import Settings
from memdesk.storage.database import Database
from tests.helpers import rows

NOON = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
KEY = bytes(range(32))


class SetClock:
    """A clock that stands until it is moved."""

    def __init__(self, now: datetime = NOON) -> None:
        self.moment = now

    def now(self) -> datetime:
        return self.moment

    def local(self, when: datetime) -> datetime:
        return when.astimezone(UTC)

    def move(self, **delta: float) -> None:
        self.moment += timedelta(**delta)


@dataclass
class FixedSettings:
    """Settings that tests change by replacing fields of ``memory``."""

    current: Settings = field(default_factory=Settings)

    def set_memory(self, **changes: object) -> None:
        memory = self.current.memory.model_copy(update=changes)
        self.current = self.current.model_copy(update={"memory": memory})


class NotedIndexing:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.noted: list[tuple[str, str, tuple[int, ...]]] = []
        self.forgotten: list[tuple[str, str, tuple[int, ...]]] = []

    def vectors(self, agent_id, kind, seqs):
        return None

    def search(self, agent_id, kind, query_vector, k, allowed=None):
        return []

    def status(self):
        return {"enabled": False, "missing": 0, "done": 0, "model": "", "error": ""}

    def note(self, agent_id, kind, seqs) -> None:
        self.noted.append((agent_id, kind, tuple(seqs)))

    def forget(self, agent_id, kind, seqs) -> None:
        self.forgotten.append((agent_id, kind, tuple(seqs)))


class Desk:
    """Store, clock and the services that keep memory tidy."""

    def __init__(self, folder, *, agents=("ana",)) -> None:
        self.store = Database(folder / "memory.db")
        self.store.open(KEY)
        self.clock = SetClock()
        self.settings = FixedSettings()
        self.bus = EventBus()
        self.events: list[Event] = []
        self.bus.subscribe(Event, self.events.append)
        self.indexing = NotedIndexing()
        self._numbers = itertools.count()
        shared: dict[str, Any] = {
            "store": self.store,
            "clock": self.clock,
            "events": self.bus,
            "indexing": self.indexing,
        }
        self.forgetting = ForgettingService(**shared)
        self.memories = MemoriesService(**shared, settings=self.settings)
        self.consolidation = ConsolidationService(**shared, settings=self.settings)
        self.history = HistoryService(**shared)
        for agent_id in agents:
            self.write(
                lambda repos, agent_id=agent_id: repos.agents.put(
                    Agent(id=agent_id, name=agent_id, created_at=NOON, updated_at=NOON)
                )
            )

    def write(self, work):
        return self.store.write(work)

    def close(self) -> None:
        self.store.close()

    # ------------------------------------------------------------------ rows

    def fact(self, content: str, **fields) -> MemoryItem:
        made = fields.pop("created_at", self.clock.now())
        defaults = {"id": new_id(), "agent_id": "ana", "origin": "distiller", "created_at": made, "updated_at": made}
        fact = MemoryItem(content=content, **(defaults | fields))
        seq = self.write(lambda repos: repos.items.put(fact))
        return replace(fact, seq=seq)

    def episode(self, summary: str, *, details=(), **fields) -> MemoryItem:
        made = fields.pop("created_at", self.clock.now())
        number = next(self._numbers)
        defaults = {
            "id": new_id(),
            "agent_id": "ana",
            "conversation_id": f"thread-{number}",
            "started_at": made,
            "ended_at": made,
            "created_at": made,
            "updated_at": made,
            "details": tuple(
                detail if isinstance(detail, MemoryItem) else rows.detail(detail, id=new_id()) for detail in details
            ),
        }
        episode = rows.episode(summary, **(defaults | fields))
        seq = self.write(lambda repos: repos.items.put(episode))
        return replace(episode, seq=seq)

    def thread(self, conversation_id: str, *texts: str, agent_id: str = "ana", title: str = "") -> list[Turn]:
        now = self.clock.now()
        turns = [
            Turn(
                id=new_id(),
                agent_id=agent_id,
                conversation_id=conversation_id,
                position=number,
                role="user" if number % 2 == 0 else "assistant",
                content=text,
                said_at=now,
                created_at=now,
            )
            for number, text in enumerate(texts)
        ]

        def work(repos):
            repos.conversations.put(
                Conversation(agent_id=agent_id, id=conversation_id, title=title, created_at=now, updated_at=now)
            )
            return repos.turns.add(turns)

        seqs = self.write(work)
        return [replace(turn, seq=seq) for turn, seq in zip(turns, seqs, strict=True)]

    def said(self, turn: Turn, content: str, **fields) -> MemoryItem:
        """A fact whose source is the whole of a turn."""
        sources = (FactSource(turn_id=turn.id, quote=turn.content),)
        return self.fact(
            content, **({"sources": sources, "run_id": turn.conversation_id, "origin": "distiller"} | fields)
        )

    # ------------------------------------------------------------------ looking

    def facts(self, agent_id: str = "ana") -> dict[str, MemoryItem]:
        """Every fact of an agent in any state, with sources, by id."""
        return {fact.id: fact for fact in self.every_fact() if fact.agent_id == agent_id}

    def every_fact(self) -> list[MemoryItem]:
        from memdesk.domain.models import FactStatus
        from memdesk.ports import FactFilter

        with self.store.read() as repos:
            return repos.items.facts(FactFilter(status=tuple(FactStatus)), limit=500).items

    def episodes(self, agent_id: str = "ana") -> dict[str, MemoryItem]:
        with self.store.read() as repos:
            items = repos.items.episodes(agent_id=agent_id, status=None, limit=500).items
        return {episode.id: episode for episode in items}
