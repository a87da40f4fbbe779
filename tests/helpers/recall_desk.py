"""A real store with recall and indexing over it, and an embedder made of words."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime

import numpy as np

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.text import content_words, stem
from memdesk.domain.models import Agent, Conversation, Entity, FactSource, Turn, new_id
from memdesk.engines.hnsw import HnswFactory
from memdesk.errors import EngineCrashedError
from memdesk.ports import EngineState
from memdesk.runtime.lanes import ThreadLanes
from memdesk.services.events import EventBus
from memdesk.services.recalling.index.indexing import IndexingService
from memdesk.services.recalling.recall import RecallService
from memdesk.settings.schema import MemorySettings, Settings
from memdesk.storage.database import Database
from tests.helpers import rows

NOW = datetime(2024, 6, 12, 10, 0, tzinfo=UTC)


class FakeClock:
    """Stands still until told otherwise."""

    def __init__(self, now=NOW):
        self.time = now

    def now(self):
        return self.time

    def local(self, when):
        return when


class WordEmbedder:
    """A vector for each word, added up; likeness is shared words."""

    def __init__(self, model_id="words@1", dim=64):
        self.model_id = model_id
        self.dim = dim
        self.calls = 0
        self.broken = False

    def embed(self, texts, *, query=False, priority="interactive"):
        if self.broken:
            raise EngineCrashedError("the child process ended")
        self.calls += len(texts)
        rows = np.zeros((len(texts), self.dim), dtype=np.float32)
        for i, text in enumerate(texts):
            for word in content_words(text):
                seed = int.from_bytes(
                    hashlib.blake2b((self.model_id + stem(word)).encode(), digest_size=4).digest(), "little"
                )
                rows[i] += np.random.default_rng(seed).standard_normal(self.dim)
        return (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)).astype(np.float32)

    def warm_up(self):
        pass

    def state(self):
        return EngineState(name="embedder", kind="embedder", state="ready")


class Change:
    """``ports.EmbedderChange`` of a desk: ``next`` is to come."""

    def __init__(self, desk):
        self.desk = desk
        self.next = None
        self.problem_told = ""

    def coming(self):
        return self.next

    def arrived(self, embedder):
        if embedder is self.next:
            self.desk.embedder, self.next = embedder, None

    def problem(self):
        return self.problem_told


class FixedSettings:
    """Settings that a test changes by assignment."""

    def __init__(self, **memory):
        self.current = Settings(memory=MemorySettings(**memory))

    def set(self, **memory):
        self.current = Settings(memory=MemorySettings(**memory))


class Desk:
    """Store, events, lanes, indexing and recall, joined as in the app."""

    def __init__(self, folder, *, embedder="words", catalogue=None, **memory):
        self.store = Database(folder / "memory.db")
        self.store.open(secrets.token_bytes(32))
        self.clock = FakeClock()
        self.events = EventBus()
        self.lanes = ThreadLanes()
        self.settings = FixedSettings(**memory)
        self.embedder = WordEmbedder() if embedder == "words" else embedder
        self.rest_seconds = 600.0
        self.change = Change(self)
        self.indexing = self.new_indexing()
        self.recall = RecallService(
            store=self.store,
            settings=self.settings,
            clock=self.clock,
            events=self.events,
            lanes=self.lanes,
            indexing=self.indexing,
            catalogue=catalogue,
            is_weak=lambda _, model: model == "weak",
        )

    def new_indexing(self):
        return IndexingService(
            store=self.store,
            embedder=lambda: self.embedder,
            change=self.change,
            indexes=HnswFactory(),
            events=self.events,
            lanes=self.lanes,
            rest_seconds=lambda: self.rest_seconds,
        )

    def close(self):
        self.indexing.stop()
        self.lanes.close()
        self.store.close()

    # ------------------------------------------------------------------ rows

    def agent(self, agent_id="a"):
        self.store.write(lambda r: r.agents.put(Agent(id=agent_id, name=agent_id, created_at=NOW, updated_at=NOW)))

    def talk(self, conversation_id, *said, agent_id="a", when=NOW, model=""):
        """Record turns ``(speaker, text)``; a speaker ``user`` or ``assistant`` has no name, ``model`` is what answered."""
        turns = [
            Turn(
                id=new_id(),
                agent_id=agent_id,
                conversation_id=conversation_id,
                position=i,
                role="assistant" if speaker == "assistant" else "user",
                speaker="" if speaker in {"user", "assistant"} else speaker,
                content=text,
                said_at=when,
                created_at=NOW,
                model=model if speaker == "assistant" else "",
            )
            for i, (speaker, text) in enumerate(said)
        ]

        def work(repos):
            if repos.agents.get(agent_id) is None:
                repos.agents.put(Agent(id=agent_id, name=agent_id, created_at=NOW, updated_at=NOW))
            repos.conversations.put(Conversation(agent_id=agent_id, id=conversation_id, created_at=NOW, updated_at=NOW))
            repos.turns.add(turns)

        self.store.write(work)
        return turns

    def fact(self, content, *, agent_id="a", when=NOW, **fields):
        fact = MemoryItem(
            id=new_id(),
            agent_id=agent_id,
            content=content,
            sources=(FactSource(turn_id=new_id(), quote=content),),
            created_at=when,
            updated_at=when,
            **fields,
        )
        self.store.write(lambda r: r.items.put(fact))
        return fact

    def episode(self, summary, *, agent_id="a", when=NOW, details=(), **fields):
        episode = rows.episode(
            summary,
            id=new_id(),
            agent_id=agent_id,
            conversation_id=fields.pop("conversation_id", "c"),
            details=tuple(rows.detail(text, id=new_id()) for text in details),
            started_at=when,
            ended_at=when,
            created_at=when,
            updated_at=when,
            **fields,
        )
        self.store.write(lambda r: r.items.put(episode))
        return episode

    def identity(self, content, **fields):
        line = rows.line(content, **({"created_at": NOW, "updated_at": NOW} | fields))
        self.store.write(lambda r: r.items.put(line))
        return line

    def entity(self, name, *, agent_id="a"):
        entity = Entity(id=new_id(), agent_id=agent_id, name=name, created_at=NOW, updated_at=NOW)
        self.store.write(lambda r: r.entities.put(entity))
        return entity
