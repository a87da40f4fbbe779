"""Joins the services to the adapters.

What a start needs (settings, vault, store, tokens, status) is created at once; every other service is imported and
created on first use, so that a server answers and a window paints before most of the code is loaded.
"""

from __future__ import annotations

import gc
import inspect
import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

from memdesk.bootstrap.lazy import Embedders, LazyIndexes, later, lazy_analyzer, was_made
from memdesk.bootstrap.profile import keyring, make_catalogue, model_check, open_store, profile_vault, vault_at
from memdesk.errors import MissingPartError
from memdesk.messages import say
from memdesk.ports import LaneName
from memdesk.runtime import power
from memdesk.runtime.clock import SystemClock, ticks
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.logs import tail
from memdesk.runtime.pool import WorkerPool
from memdesk.runtime.scheduler import Scheduler
from memdesk.services import (
    agents,
    chatting,
    distilling,
    forgetting,
    guarding,
    importing,
    library,
    notes,
    recalling,
    recording,
    remembering,
    testing,
    tools,
    upkeep,
)
from memdesk.services.container import Services
from memdesk.services.events import EngineChanged, EventBus, Notice
from memdesk.services.guarding import ServerKeys, TokensService, VaultService
from memdesk.services.settings import SettingsService
from memdesk.settings.addresses import is_web_address
from memdesk.settings.freed import give_back_freed
from memdesk.settings.store import SettingsStore
from memdesk.storage.database import Database

if TYPE_CHECKING:
    from memdesk.engines.catalogue import Catalogue
    from memdesk.engines.diagrams import MermaidDrawer
    from memdesk.engines.known_models import KnownModels
    from memdesk.engines.nlp import SpacyAnalyzer
    from memdesk.engines.remote import RemoteServers
    from memdesk.engines.voice import ServerVoice
    from memdesk.ports import Embedder, SecretStore, ToolConnector
    from memdesk.ports.item_store import ItemStore
    from memdesk.services.library import MemoryService
    from memdesk.services.models import ModelsService
    from memdesk.services.notes import NotesService
    from memdesk.services.tools import OutsideTools, ToolsService
    from memdesk.settings.paths import ProfilePaths


#: How long paused work waits before it is tried again.
HELD_SECONDS: Final = 30.0
#: Key prefixes of timed work that a pause holds; unloading idle engines is not held.
HELD_KEYS: Final = ("distill:", "indexing.")


class HoldableLanes(ThreadLanes):
    """``ThreadLanes`` that a user can pause: automatic work waits, what is asked for runs."""

    def __init__(self) -> None:
        super().__init__()
        self.held = False

    def later(self, seconds: float, lane: LaneName, work: Callable[[], object], *, key: str) -> None:
        """Run ``work`` once after ``seconds``, or when the pause is over."""

        def unless_held() -> None:
            if self.held:
                super(HoldableLanes, self).later(HELD_SECONDS, lane, unless_held, key=key)
            else:
                work()

        super().later(seconds, lane, unless_held if key.startswith(HELD_KEYS) else work, key=key)


T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """The services, and what has to be closed in order."""

    services: Services
    store: Database
    lanes: HoldableLanes
    scheduler: Scheduler
    embedders: Embedders
    closing: ExitStack

    def close(self) -> None:
        """Stop background work, engines, lanes and the store. Idempotent."""
        self.closing.close()


def wire(
    paths: ProfilePaths, *, secrets: SecretStore | None = None, embedder: Callable[[], Embedder | None] | None = None
) -> Wiring:
    """Return the services of a profile; its memory is not open yet.

    ``embedder`` replaces the settings' embedder; without ``secrets`` the system's keyring is used.

    Raises:
        SettingsFileError: a settings file cannot be used.
    """
    # Models come in wheels and files; nothing here may look for one online by itself.
    os.environ["HF_HUB_OFFLINE"] = "1"
    parts = _Parts(paths, keyring() if secrets is None else secrets, embedder)
    return Wiring(
        services=parts.services(),
        store=parts.store,
        lanes=parts.lanes,
        scheduler=parts.scheduler,
        embedders=parts.embedders,
        closing=parts.closing(),
    )


def _later(make: Callable[[_Parts], T]) -> cached_property[T]:
    """Return an attribute that is a proxy for ``make()``, called on first use."""
    return cached_property(lambda parts: later(lambda: make(parts)))


class _Parts:
    """Every part of one profile's app, by the names of :class:`Services` where it has them."""

    def __init__(
        self, paths: ProfilePaths, secrets: SecretStore, embedder: Callable[[], Embedder | None] | None
    ) -> None:
        self.paths, self.secrets = paths, secrets
        self.clock, self.events, self.lanes = SystemClock(), EventBus(), HoldableLanes()
        self.scheduler = Scheduler(self.lanes, self.clock)
        self.workers = WorkerPool(self.lanes, lambda name, state: self.events.publish(EngineChanged(name, state)))
        self.store = Database(paths.database, self._room_changed)
        self.catalogue: Catalogue = later(lambda: self._local_models[2])
        self.settings = SettingsService(SettingsStore(paths.config), self.events, model_check(self.catalogue))
        self.vault = VaultService(
            vault=profile_vault(paths, secrets), store=self.store, events=self.events, clock=self.clock, let_go=_let_go
        )
        self.tokens = TokensService(store=self.store, clock=self.clock, lanes=self.lanes, events=self.events)

        self.known: KnownModels = later(lambda: self._local_models[0])
        self.servers: RemoteServers = later(lambda: self._local_models[1])
        self.embedders: Embedders = Embedders(
            paths, self.settings, self.models, self.known, self.servers, self._persons, self.workers, self.events
        )
        self.embedder: Callable[[], Embedder | None] = embedder or self.embedders.current
        self.analyzer: SpacyAnalyzer = lazy_analyzer(self.workers, paths.cache / "fingerprints.json")

    def made(self, kind: Callable[..., T], **own: Any) -> T:
        """Create a service from ``own`` and the parts here that its other parameters name."""
        asked = inspect.signature(kind).parameters.keys() - own.keys()
        return kind(**{name: getattr(self, name) for name in asked if hasattr(self, name)}, **own)

    def _persons(self) -> set[str]:
        with self.store.read() as repos:
            return {name for agent in repos.agents.all() for name in repos.entities.persons(agent.id)}

    def services(self) -> Services:
        return Services(**{each.name: getattr(self, each.name) for each in fields(Services)})

    def closing(self) -> ExitStack:
        """Return what to close, in order: first what starts work, then what does it, the store last."""
        stack = ExitStack()
        stack.callback(self.store.close)
        stack.callback(self.lanes.close)
        stack.callback(self.workers.close)
        stack.callback(lambda: self.indexing.stop() if was_made(self.indexing) else None)
        stack.callback(lambda: self.distillation.close() if was_made(self.distillation) else None)
        stack.callback(lambda: self.notes.stop() if was_made(self.notes) else None)
        stack.callback(lambda: self.entries_copy.close() if was_made(self.entries_copy) else None)
        stack.callback(self.scheduler.close)
        return stack

    def _room_changed(self, full: bool) -> None:
        self.events.publish(
            Notice(
                "error",
                title=say("The disk is full"),
                message=say("Everything can be read and backed up to another disk, but nothing new is saved."),
                hint=say("Free some space, or forget something here: room is kept for that."),
                code="disk_full",
            )
            if full
            else Notice(
                "success",
                title=say("There is room on the disk again"),
                message=say("New messages are saved again."),
                code="disk_free",
            )
        )

    @cached_property
    def _local_models(self) -> tuple[KnownModels, RemoteServers, Catalogue]:
        return make_catalogue(
            self.paths, lambda: self.settings.current.engine, ServerKeys(self.secrets, self.store), self.workers
        )

    @_later
    def models(self) -> ModelsService:
        from memdesk.engines.discover import find_models
        from memdesk.engines.hub import HttpHub
        from memdesk.services.models import ModelsService

        return self.made(
            ModelsService,
            embedder=None,
            hub=HttpHub(lambda: self.settings.current.engine.hub_url),
            unload_all=self.workers.unload,
            finder=find_models,
            speeds=self.known,
            folder=self.paths.models,
        )

    indexing = _later(
        lambda self: self.made(
            recalling.IndexingService,
            change=self.embedders if self.embedder == self.embedders.current else None,
            indexes=LazyIndexes(),
            rest_seconds=lambda: float(self.settings.current.engine.idle_unload_seconds),
        )
    )
    backup = _later(lambda self: self.made(guarding.BackupService, opener=open_store, vault_at=vault_at))
    snapshots = _later(lambda self: self.made(guarding.SnapshotService, folder=self.paths.snapshots))
    forgetting = _later(
        lambda self: self.made(forgetting.ForgettingService, drop_copies=lambda: self.snapshots.drop())  # noqa: PLW0108 -- made when it is first needed
    )
    agents = _later(lambda self: self.made(agents.AgentsService))
    prompts = _later(lambda self: self.made(agents.PromptsService))
    lines = _later(lambda self: distilling.LineReader(self.analyzer, recalling.Topics(self.indexing).care))
    recall = _later(lambda self: self.made(recalling.RecallService, is_weak=distilling.is_weak))
    distillation = _later(lambda self: self.made(distilling.DistillationService, held=lambda: self.lanes.held))
    ingest = _later(lambda self: self.made(recording.IngestService))
    conversations = _later(lambda self: self.made(recording.ConversationsService))
    folders = _later(lambda self: self.made(recording.FoldersService))
    chat = _later(lambda self: self.made(chatting.ChatService))
    consolidation = _later(
        lambda self: self.made(
            upkeep.ConsolidationService,
            blockers=[lambda: "Background work is paused." if self.lanes.held else "", power.blocker],
            busy=lambda: was_made(self.chat) and self.chat.busy(),
            ticks=ticks,
        )
    )
    memories = _later(
        lambda self: self.made(remembering.MemoriesService, describe=remembering.retold(self.clock, self.analyzer))
    )
    items = _later(lambda self: self.made(remembering.ItemsService))
    review = _later(lambda self: self.made(remembering.ReviewService))
    history = _later(lambda self: self.made(remembering.HistoryService))
    programs = _later(lambda self: self.made(remembering.ProgramsService))
    own_files = _later(lambda self: self.made(notes.OwnFiles))
    tests = _later(lambda self: self.made(testing.MemoryTestsService))

    @_later
    def diagrams(self) -> MermaidDrawer:
        from memdesk.engines.diagrams import MermaidDrawer

        return MermaidDrawer(self.workers)

    @_later
    def voice(self) -> ServerVoice:
        from memdesk.engines.voice import ServerVoice

        return ServerVoice(lambda: self.settings.current.engine, self.servers)

    @_later
    def notes(self) -> NotesService:
        from memdesk.runtime.watching import NoticedFolders

        return self.made(notes.NotesService, watcher=NoticedFolders())

    @_later
    def outside(self) -> OutsideTools:
        def connector() -> ToolConnector:
            # The client takes a second to load, and most chats use no tools.
            from memdesk.mcp.client import McpConnector

            return McpConnector()

        keys = ServerKeys(self.secrets, self.store)
        return self.made(tools.OutsideTools, keys=keys, connector=later(connector))

    @_later
    def library(self) -> MemoryService:
        from memdesk.storage.item_store import SqlItemStore

        embedder = self.embedder()
        store = SqlItemStore(self.store)
        return library.MemoryService(
            library.Parts(
                store=store,
                history=store,
                embedder=embedder,
                grammar=library.GrammarExtractor(self.analyzer),
                decide=library.decide,
                clock=self.clock,
                calibrate=library.calibration("" if embedder is None else embedder.model_id),
            )
        )

    entries_copy = _later(
        lambda self: self.made(tools.EntriesCopy, keys=ServerKeys(self.secrets, self.store), connect=_open_qdrant)
    )
    gateway = _later(lambda self: self.made(tools.Gateway, copy=self.entries_copy))

    @_later
    def tools(self) -> ToolsService:
        graph = self.made(remembering.GraphService)
        return tools.ToolsService(self.made(tools.memory_tools, graph=graph, files=self.own_files))

    status = cached_property(
        lambda self: self.made(
            upkeep.StatusService,
            free_disk=lambda: shutil.disk_usage(self.paths.data).free,
            log_tail=lambda lines: tail(self.paths.log, lines),
            paused=lambda: self.lanes.held,
        )
    )
    everything = _later(lambda self: self.made(importing.EverythingService, own=self.paths.folders))
    importing = _later(lambda self: self.made(importing.ImportService, remember=self.memories.add_fact))
    connecting = _later(
        lambda self: guarding.ConnectingService(keys=guarding.StoredKeys(self.tokens), command=self.paths.command)
    )


def _let_go() -> None:
    """Free the buffers of the memory's texts and return them to the system, which wipes them before reuse."""
    gc.collect()
    give_back_freed()


def _open_qdrant(address: str, key: str | None) -> ItemStore:
    """Open a Qdrant server, or a local folder. Raises ``MissingPartError``."""
    try:
        from memdesk.stores.qdrant import QdrantStore

        if is_web_address(address):
            return QdrantStore(address, api_key=key, timeout=5)
        return QdrantStore(path=address)
    except ModuleNotFoundError as error:
        raise MissingPartError.of(error) or error from error
