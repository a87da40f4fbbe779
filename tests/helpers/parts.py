"""The service layer for tests of the API: a real encrypted store, a queue-fed model, small neighbors."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from memdesk.domain.language.text import content_words, estimate_tokens
from memdesk.domain.models import Receipt, ReceiptItem, new_id
from memdesk.errors import NotFoundError
from memdesk.ports import EngineState, TextFilter
from memdesk.ports.library import Told
from memdesk.runtime.clock import SystemClock
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.watching import NoticedFolders
from memdesk.services.agents.agents import AgentsService
from memdesk.services.chatting.chat import ChatService
from memdesk.services.distilling import Lately
from memdesk.services.distilling.distillation import SessionOutcome
from memdesk.services.events import EventBus
from memdesk.services.forgetting.forgetting import ForgettingService
from memdesk.services.guarding.snapshots import SnapshotService
from memdesk.services.guarding.tokens import TokensService
from memdesk.services.library.deciding import decide
from memdesk.services.library.keeping import Parts as LibraryParts
from memdesk.services.library.memory import MemoryService
from memdesk.services.library.scores import calibration
from memdesk.services.notes.notes import NotesService
from memdesk.services.notes.own_files import OwnFiles
from memdesk.services.recalling import SearchItem, SearchResult, Sieve
from memdesk.services.recording.conversations import ConversationsService
from memdesk.services.recording.folders import FoldersService
from memdesk.services.recording.ingest import IngestService
from memdesk.services.remembering.graph import GraphService
from memdesk.services.remembering.history import HistoryService
from memdesk.services.remembering.items import ItemsService
from memdesk.services.remembering.memories import MemoriesService
from memdesk.services.remembering.programs import ProgramsService
from memdesk.services.remembering.review import ReviewService
from memdesk.services.settings import SettingsService
from memdesk.services.testing.memory_tests import MemoryTestsService
from memdesk.services.tools.gateway import Gateway
from memdesk.services.tools.mirror import EntriesCopy
from memdesk.services.tools.outside import OutsideTools
from memdesk.services.tools.registry import ToolsService, memory_tools
from memdesk.services.upkeep.consolidation import ConsolidationService
from memdesk.services.upkeep.status import StatusService
from memdesk.settings.store import SettingsStore
from memdesk.storage.database import Database
from memdesk.storage.item_store import SqlItemStore
from memdesk.stores.memory import InMemoryStore
from tests.helpers.models import OneModelCatalogue, QueueModel
from tests.helpers.vaults import MemorySecrets


class WordRecall:
    """Recall by shared words alone: enough to see that a chat asks for memory and shows what it got."""

    def __init__(self, store, clock, settings):
        self._store, self._clock, self._settings = store, clock, settings
        self.calls = []
        self.noted = []
        self.failure = None

    def context(self, **asked):
        self.calls.append(asked)
        if self.failure is not None:
            raise self.failure
        facts = self._facts(asked["agent_id"], asked["query"])
        items = tuple(
            ReceiptItem(kind="fact", id=fact.id, line=f"- {fact.content}", score=1.0, tokens=5) for fact in facts
        )
        block = "\n".join(item.line for item in items)
        return Receipt(
            id=new_id(),
            agent_id=asked["agent_id"],
            query=asked["query"],
            section="pinned" if items else "none",
            rule="words",
            tokens=estimate_tokens(block),
            budget_tokens=asked.get("budget_tokens") or 800,
            block=block,
            items=items,
            mode="fts",
            conversation_id=asked.get("conversation_id"),
            created_at=self._clock.now(),
        )

    def wrap(self, block, user_message):
        return f"<memory>\n{block}\n</memory>\n\n{user_message}" if block else user_message

    def note_use(self, receipt, answer):
        self.noted.append((receipt.id, answer))

    def search(self, **asked):
        self.calls.append(asked)
        items = [
            SearchItem(kind="fact", id=fact.id, text=fact.content, score=1.0)
            for fact in self._facts(asked["agent_id"], asked["query"])
        ]
        return SearchResult(mode="fts", items=items)

    def sieve(self, agent_id):
        with self._store.read() as repos:
            return Sieve.of(repos, agent_id, self._settings.current.memory.local_only_kinds)

    def stats(self):
        caches = ("contexts", "frequencies", "query_vectors", "content_vectors")
        return {name: {"hits": 0, "misses": 0, "rate": 0.0} for name in caches} | {"store": {}}

    def invalidate(self, agent_id=None):
        return None

    def _facts(self, agent_id, query):
        terms = list(dict.fromkeys(content_words(query)))
        if not terms:
            return []
        with self._store.read() as repos:
            hits = repos.text.search("fact", terms, TextFilter(agent_id=agent_id), limit=5)
            found = repos.items.by_seq([hit.seq for hit in hits])
        return list(found.values())


class NotedDistillation:
    """Notes what it is asked; answers what the test says."""

    def __init__(self):
        self.activity = []
        self.asked = []
        self.outcome = "distilled"
        self.failure = None
        self.patience = None

    def lately(self):
        return Lately()

    def note_activity(self, agent_id, conversation_id):
        self.activity.append((agent_id, conversation_id))

    def distill(self, agent_id=None, conversation_id=None, *, cancel=None, wait=True, patience=None):
        self.patience = patience
        self.asked.append((agent_id, conversation_id))
        if self.failure is not None:
            raise self.failure
        if self.outcome is None:
            return []
        return [
            SessionOutcome(
                agent_id=agent_id or "default",
                conversation_id=conversation_id or "c",
                outcome=self.outcome,
                episode_id="episode-1",
                facts=("fact-1",),
            )
        ]

    def retry_parked(self, agent_id=None, conversation_id=None):
        return None

    def status(self):
        now = {"pending": [], "parked": [], "running": [], "queued": 0, "mode": "sessionEnd", "core_model": ""}
        return now | {"blocked": "", "barren": 0, "left_out": {}, "skipped": {}, "last": []}

    def grade(self, model_id):
        return None

    def test_model(self, model_id):
        raise NotFoundError(f"There is no model {model_id}.")


class NothingRead:
    """Reads no statement in anything."""

    def read(self, messages, *args, **options):
        return []

    def told(self, text, *, said_at):
        return Told(text=text)


class TinyEmbedder:
    """Two dimensions by the number of vowels and of other letters."""

    model_id = "bundled:tiny"
    dim = 2

    def embed(self, texts, *, query=False, priority="interactive"):
        rows = np.array([[sum(c in "aeiou" for c in t) + 1.0, len(t) + 1.0] for t in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def warm_up(self):
        pass

    def state(self):
        return EngineState(name="tiny", kind="embedder", state="stopped")


class OpenVault:
    """A vault that is open, until the test locks it."""

    def __init__(self, store, key, events):
        self._store, self._key, self._events = store, key, events
        self.tried = SystemClock().now()

    def state(self):
        return "open" if self._store.is_open else "locked"

    def is_open(self):
        return self._store.is_open

    def check_file(self):
        pass

    def recovery_tried(self):
        return self.tried

    def lock(self):
        self._store.close()

    def unlock(self):
        self._store.open(self._key)


@dataclass
class Parts:
    """The services and what a test wants to get hold of."""

    services: SimpleNamespace
    model: QueueModel
    recall: WordRecall
    distillation: NotedDistillation
    store: Database
    events: EventBus

    def close(self):
        self.services.lanes.close()
        self.store.close()


def make_parts(folder, *, model=None, others=(), connector: Any = None) -> Parts:
    """Build the service layer over a fresh encrypted store in ``folder``."""
    clock, events, lanes = SystemClock(), EventBus(), ThreadLanes()
    key = secrets.token_bytes(32)
    store = Database(folder / "memory.db")
    store.open(key)
    settings = SettingsService(SettingsStore(folder / "config"), events)
    model = model or QueueModel()
    settings.update("engine", {"chatModel": model.info.id})
    catalogue = OneModelCatalogue(model, *others)
    # Each stands in for a whole service, of which it has what is asked of it here.
    recall: Any = WordRecall(store, clock, settings)
    distillation: Any = NotedDistillation()
    vault: Any = OpenVault(store, key, events)
    forgetting = ForgettingService(store=store, clock=clock, events=events)
    agents = AgentsService(store=store, clock=clock, events=events, forgetting=forgetting)
    ingest = IngestService(
        store=store,
        clock=clock,
        events=events,
        settings=settings,
        agents=agents,
        distillation=distillation,
        forgetting=forgetting,
    )
    chat = ChatService(
        store=store,
        clock=clock,
        events=events,
        settings=settings,
        agents=agents,
        ingest=ingest,
        recall=recall,
        catalogue=catalogue,
        outside=OutsideTools(store=store, settings=settings, keys=MemorySecrets(), connector=connector),
    )
    consolidation = ConsolidationService(store=store, clock=clock, events=events, settings=settings, busy=chat.busy)
    indexing: Any = SimpleNamespace(
        status=lambda: {"enabled": True, "missing": 0, "done": 0, "progress": 1.0, "model": "", "error": ""},
        note=lambda *_: None,
        forget=lambda *_: None,
    )
    models: Any = SimpleNamespace(
        catalogue=catalogue,
        embedder=TinyEmbedder(),
        embedders=list,
        states=catalogue.states,
        speed=lambda _model: None,
        unload=catalogue.unload,
        ask_servers=lambda: None,
    )
    services = SimpleNamespace(
        clock=clock,
        lanes=lanes,
        events=events,
        settings=settings,
        vault=vault,
        agents=agents,
        conversations=ConversationsService(
            store=store, clock=clock, events=events, agents=agents, forgetting=forgetting
        ),
        folders=FoldersService(store=store, events=events, agents=agents, forgetting=forgetting),
        chat=chat,
        ingest=ingest,
        recall=recall,
        indexing=indexing,
        distillation=distillation,
        review=ReviewService(store=store, clock=clock, events=events),
        consolidation=consolidation,
        memories=MemoriesService(store=store, clock=clock, events=events, settings=settings),
        items=ItemsService(store=store, clock=clock, events=events, forgetting=forgetting),
        own_files=OwnFiles(
            store=store, agents=agents, clock=clock, events=events, indexing=None, forgetting=forgetting
        ),
        notes=NotesService(
            store=store,
            settings=settings,
            agents=agents,
            clock=clock,
            events=events,
            lanes=lanes,
            watcher=NoticedFolders(),
            indexing=indexing,
        ),
        forgetting=forgetting,
        history=HistoryService(store=store, clock=clock, events=events),
        models=models,
        tokens=TokensService(store=store, clock=clock, lanes=lanes, events=events),
        status=StatusService(
            store=store,
            clock=clock,
            events=events,
            settings=settings,
            vault=vault,
            models=models,
            indexing=indexing,
            recall=recall,
            distillation=distillation,
            consolidation=consolidation,
            free_disk=lambda: 10**11,
            log_tail=lambda _lines: "",
        ),
        backup=SimpleNamespace(),
        snapshots=SnapshotService(
            backup=cast("Any", SimpleNamespace()), folder=folder / "snapshots", settings=settings, clock=clock
        ),
        importing=SimpleNamespace(),
        tests=MemoryTestsService(
            store=store, clock=clock, events=events, lanes=lanes, recall=recall, indexing=indexing
        ),
    )
    items = SqlItemStore(store)
    services.library = MemoryService(
        LibraryParts(
            store=items,
            history=items,
            embedder=None,
            grammar=NothingRead(),
            decide=decide,
            clock=clock,
            calibrate=calibration(""),
        )
    )
    services.programs = ProgramsService(store=store, clock=clock, events=events, forgetting=forgetting)
    services.entries_copy = EntriesCopy(
        store=store,
        items=services.items,
        settings=settings,
        indexing=indexing,
        keys=MemorySecrets(),
        clock=clock,
        lanes=lanes,
        events=events,
        connect=lambda _address, _key: InMemoryStore(),
    )
    services.gateway = Gateway(
        recall=recall,
        items=services.items,
        agents=agents,
        settings=settings,
        clock=clock,
        copy=services.entries_copy,
    )
    services.tools = ToolsService(
        memory_tools(
            recall=recall,
            memories=services.memories,
            forgetting=forgetting,
            agents=agents,
            status=services.status,
            graph=GraphService(
                store=store,
                clock=clock,
                events=events,
                agents=agents,
                memories=services.memories,
                forgetting=forgetting,
            ),
            items=services.items,
            notes=services.notes,
            files=services.own_files,
            gateway=services.gateway,
        )
    )
    return Parts(services, model, recall, distillation, store, events)
