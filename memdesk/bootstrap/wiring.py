"""Joins the services to the adapters.

What a start needs (settings, vault, store, tokens, status) is made at once; every other service is imported
and made when it is first used, so that a server answers and a window paints before most of the code is read.
"""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, TypedDict, TypeVar

from memdesk.bootstrap.lanes import HoldableLanes
from memdesk.bootstrap.lazy import Embedders, LazyAnalyzer, LazyIndexes, later, was_made
from memdesk.bootstrap.profile import keyring, make_catalogue, model_check, open_store, profile_vault, vault_at
from memdesk.errors import MissingPartError
from memdesk.messages import say
from memdesk.runtime import power
from memdesk.runtime.clock import SystemClock, ticks
from memdesk.runtime.logs import tail
from memdesk.runtime.pool import WorkerPool
from memdesk.runtime.scheduler import Scheduler
from memdesk.services.container import Services
from memdesk.services.events import EngineChanged, EventBus, Notice
from memdesk.services.guarding import ServerKeys, TokensService, VaultService
from memdesk.services.settings import SettingsService
from memdesk.services.upkeep import StatusService
from memdesk.settings.schema import is_web_address
from memdesk.settings.store import SettingsStore
from memdesk.storage.database import Database, give_back_freed

if TYPE_CHECKING:
    from memdesk.engines.catalogue import Catalogue
    from memdesk.engines.diagrams import MermaidDrawer
    from memdesk.engines.known_models import KnownModels
    from memdesk.engines.remote import RemoteServers
    from memdesk.ports import Embedder, SecretStore, ToolConnector
    from memdesk.ports.item_store import ItemStore
    from memdesk.services.agents import AgentsService, PromptsService
    from memdesk.services.chatting import ChatService
    from memdesk.services.distilling import DistillationService
    from memdesk.services.forgetting import ForgettingService
    from memdesk.services.guarding import BackupService, ConnectingService, SnapshotService
    from memdesk.services.importing import EverythingService, ImportService
    from memdesk.services.library import MemoryService
    from memdesk.services.models import ModelsService
    from memdesk.services.notes import NotesService, OwnFiles
    from memdesk.services.recalling import IndexingService, RecallService
    from memdesk.services.recording import ConversationsService, FoldersService, IngestService
    from memdesk.services.remembering import (
        HistoryService,
        ItemsService,
        MemoriesService,
        ProgramsService,
        ReviewService,
    )
    from memdesk.services.testing import MemoryTestsService
    from memdesk.services.tools import EntriesCopy, Gateway, OutsideTools, ToolsService
    from memdesk.services.upkeep import ConsolidationService
    from memdesk.settings.paths import ProfilePaths

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """The services with what has to be ended in order."""

    services: Services
    store: Database
    lanes: HoldableLanes
    scheduler: Scheduler
    embedders: Embedders
    closing: ExitStack

    def close(self) -> None:
        """End background work, engines, lanes and the store. Idempotent."""
        self.closing.close()


def wire(
    paths: ProfilePaths,
    *,
    secrets: SecretStore | None = None,
    embedder: Callable[[], Embedder | None] | None = None,
) -> Wiring:
    """Return the services of a profile; its memory is not opened yet.

    ``embedder`` gives the embedder instead of the settings'; without ``secrets`` the system's keyring is asked.

    Raises:
        SettingsFileError: a settings file cannot be used.
    """
    # Models come in wheels and files; nothing here may look for one on the net by itself.
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
    """Return an attribute that stands for what ``make`` returns, and calls it when it is first used."""
    return cached_property(lambda parts: later(lambda: make(parts)))


class _Each(TypedDict):
    """What nearly every service is given."""

    store: Database
    clock: SystemClock
    events: EventBus


class _Parts:
    """Every part of one profile's app; those that :class:`Services` names go by its names."""

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
            vault=profile_vault(paths, secrets),
            store=self.store,
            events=self.events,
            clock=self.clock,
            let_go=_let_go,
        )
        self.tokens = TokensService(store=self.store, clock=self.clock, lanes=self.lanes, events=self.events)

        self.known: KnownModels = later(lambda: self._local_models[0])
        self.servers: RemoteServers = later(lambda: self._local_models[1])
        self.embedders = Embedders(
            paths, self.settings, self.models, self.known, self.servers, self._persons, self.workers, self.events
        )
        self.embedder = embedder or self.embedders.current
        self.analyzer = LazyAnalyzer(self.workers, paths.cache / "fingerprints.json")
        self._each: _Each = {"store": self.store, "clock": self.clock, "events": self.events}

    def _persons(self) -> set[str]:
        with self.store.read() as repos:
            return {name for agent in repos.agents.all() for name in repos.entities.persons(agent.id)}

    def services(self) -> Services:
        """Return the container that everyone above receives."""
        return Services(**{each.name: getattr(self, each.name) for each in fields(Services)})

    def closing(self) -> ExitStack:
        """Return what ends everything: first what starts work, then what does it, the store last."""
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

    # ------------------------------------------------------------------ models

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

        return ModelsService(
            catalogue=self.catalogue,
            embedder=None,
            settings=self.settings,
            servers=self.servers,
            hub=HttpHub(lambda: self.settings.current.engine.hub_url),
            unload_all=self.workers.unload,
            finder=find_models,
            speeds=self.known,
            folder=self.paths.models,
        )

    @_later
    def diagrams(self) -> MermaidDrawer:
        from memdesk.engines.diagrams import MermaidDrawer

        return MermaidDrawer(self.workers)

    # ------------------------------------------------------------------ memory

    @_later
    def indexing(self) -> IndexingService:
        from memdesk.services.recalling import IndexingService

        return IndexingService(
            store=self.store,
            embedder=self.embedder,
            change=self.embedders if self.embedder == self.embedders.current else None,
            indexes=LazyIndexes(),
            events=self.events,
            lanes=self.lanes,
            rest_seconds=lambda: float(self.settings.current.engine.idle_unload_seconds),
        )

    @_later
    def forgetting(self) -> ForgettingService:
        from memdesk.services.forgetting import ForgettingService

        return ForgettingService(
            **self._each,
            indexing=self.indexing,
            drop_copies=lambda: self.snapshots.drop(),  # noqa: PLW0108 -- made when it is first needed
        )

    @_later
    def agents(self) -> AgentsService:
        from memdesk.services.agents import AgentsService

        return AgentsService(**self._each, forgetting=self.forgetting)

    @_later
    def recall(self) -> RecallService:
        from memdesk.services.recalling import RecallService

        return RecallService(
            store=self.store,
            settings=self.settings,
            clock=self.clock,
            events=self.events,
            lanes=self.lanes,
            indexing=self.indexing,
            catalogue=self.catalogue,
        )

    @_later
    def distillation(self) -> DistillationService:
        from memdesk.services.distilling import DistillationService

        return DistillationService(
            **self._each,
            settings=self.settings,
            lanes=self.lanes,
            catalogue=self.catalogue,
            analyzer=self.analyzer,
            embedder=self.embedder,
            indexing=self.indexing,
            held=lambda: self.lanes.held,
        )

    @_later
    def ingest(self) -> IngestService:
        from memdesk.services.recording import IngestService

        return IngestService(
            **self._each,
            settings=self.settings,
            agents=self.agents,
            distillation=self.distillation,
            forgetting=self.forgetting,
        )

    @_later
    def chat(self) -> ChatService:
        from memdesk.services.chatting import ChatService

        return ChatService(
            **self._each,
            settings=self.settings,
            agents=self.agents,
            ingest=self.ingest,
            recall=self.recall,
            catalogue=self.catalogue,
            outside=self.outside,
        )

    @_later
    def outside(self) -> OutsideTools:
        from memdesk.services.tools import OutsideTools

        def connector() -> ToolConnector:
            # The client takes a second to load, and most chats use none of its tools.
            from memdesk.mcp.client import McpConnector

            return McpConnector()

        return OutsideTools(
            store=self.store,
            settings=self.settings,
            keys=ServerKeys(self.secrets, self.store),
            connector=later(connector),
        )

    @_later
    def consolidation(self) -> ConsolidationService:
        from memdesk.services.upkeep import ConsolidationService

        return ConsolidationService(
            **self._each,
            settings=self.settings,
            indexing=self.indexing,
            hold_ups=[lambda: "Background work is paused." if self.lanes.held else "", power.hold_up],
            busy=lambda: was_made(self.chat) and self.chat.busy(),
            ticks=ticks,
        )

    @_later
    def memories(self) -> MemoriesService:
        from memdesk.services.distilling import LineReader
        from memdesk.services.remembering import MemoriesService, retold

        return MemoriesService(
            **self._each,
            settings=self.settings,
            indexing=self.indexing,
            describe=retold(self.clock, self.analyzer),
            lines=LineReader(self.analyzer),
        )

    @_later
    def items(self) -> ItemsService:
        from memdesk.services.remembering import ItemsService

        return ItemsService(
            **self._each,
            forgetting=self.forgetting,
            indexing=self.indexing,
        )

    @_later
    def notes(self) -> NotesService:
        from memdesk.runtime.watching import NoticedFolders
        from memdesk.services.notes import NotesService

        return NotesService(
            store=self.store,
            settings=self.settings,
            agents=self.agents,
            clock=self.clock,
            events=self.events,
            lanes=self.lanes,
            watcher=NoticedFolders(),
            indexing=self.indexing,
        )

    @_later
    def review(self) -> ReviewService:
        from memdesk.services.remembering import ReviewService

        return ReviewService(**self._each, indexing=self.indexing)

    @_later
    def conversations(self) -> ConversationsService:
        from memdesk.services.recording import ConversationsService

        return ConversationsService(**self._each, agents=self.agents, forgetting=self.forgetting)

    @_later
    def folders(self) -> FoldersService:
        from memdesk.services.recording import FoldersService

        return FoldersService(store=self.store, events=self.events, agents=self.agents, forgetting=self.forgetting)

    @_later
    def prompts(self) -> PromptsService:
        from memdesk.services.agents import PromptsService

        return PromptsService(store=self.store)

    @_later
    def history(self) -> HistoryService:
        from memdesk.services.remembering import HistoryService

        return HistoryService(**self._each, indexing=self.indexing)

    @_later
    def library(self) -> MemoryService:
        from memdesk.services.library import GrammarExtractor, MemoryService, Parts, calibration, decide
        from memdesk.storage.item_store import SqlItemStore

        embedder = self.embedder()
        store = SqlItemStore(self.store)
        return MemoryService(
            Parts(
                store=store,
                history=store,
                embedder=embedder,
                extractor=GrammarExtractor(self.analyzer),
                decide=decide,
                clock=self.clock,
                calibrate=calibration("" if embedder is None else embedder.model_id),
            )
        )

    # ------------------------------------------------------------------ state and copies

    @cached_property
    def status(self) -> StatusService:
        return StatusService(
            **self._each,
            settings=self.settings,
            vault=self.vault,
            models=self.models,
            indexing=self.indexing,
            recall=self.recall,
            distillation=self.distillation,
            consolidation=self.consolidation,
            free_disk=lambda: shutil.disk_usage(self.paths.data).free,
            log_tail=lambda lines: tail(self.paths.log, lines),
            paused=lambda: self.lanes.held,
        )

    @_later
    def backup(self) -> BackupService:
        from memdesk.services.guarding import BackupService

        return BackupService(
            store=self.store,
            vault=self.vault,
            paths=self.paths,
            clock=self.clock,
            opener=open_store,
            vault_at=vault_at,
        )

    @_later
    def snapshots(self) -> SnapshotService:
        from memdesk.services.guarding import SnapshotService

        return SnapshotService(
            backup=self.backup, folder=self.paths.snapshots, settings=self.settings, clock=self.clock
        )

    @_later
    def importing(self) -> ImportService:
        from memdesk.services.importing import ImportService

        return ImportService(
            store=self.store,
            ingest=self.ingest,
            everything=self.everything,
            events=self.events,
            agents=self.agents,
            remember=self.memories.add_fact,
        )

    @_later
    def everything(self) -> EverythingService:
        from memdesk.services.importing import EverythingService

        return EverythingService(store=self.store, clock=self.clock, own=self.paths.folders)

    @_later
    def own_files(self) -> OwnFiles:
        from memdesk.services.notes import OwnFiles

        return OwnFiles(**self._each, agents=self.agents, forgetting=self.forgetting, indexing=self.indexing)

    @_later
    def tools(self) -> ToolsService:
        from memdesk.services.remembering import GraphService
        from memdesk.services.tools import ToolsService, memory_tools

        graph = GraphService(
            **self._each,
            agents=self.agents,
            memories=self.memories,
            forgetting=self.forgetting,
        )
        return ToolsService(
            memory_tools(
                recall=self.recall,
                memories=self.memories,
                forgetting=self.forgetting,
                agents=self.agents,
                status=self.status,
                graph=graph,
                items=self.items,
                notes=self.notes,
                files=self.own_files,
                gateway=self.gateway,
            )
        )

    @_later
    def gateway(self) -> Gateway:
        from memdesk.services.tools import Gateway

        return Gateway(
            recall=self.recall,
            items=self.items,
            agents=self.agents,
            settings=self.settings,
            clock=self.clock,
            copy=self.entries_copy,
        )

    @_later
    def entries_copy(self) -> EntriesCopy:
        from memdesk.services.tools import EntriesCopy

        return EntriesCopy(
            **self._each,
            items=self.items,
            settings=self.settings,
            indexing=self.indexing,
            keys=ServerKeys(self.secrets, self.store),
            lanes=self.lanes,
            connect=_open_qdrant,
        )

    @_later
    def tests(self) -> MemoryTestsService:
        from memdesk.services.testing import MemoryTestsService

        return MemoryTestsService(
            **self._each,
            lanes=self.lanes,
            recall=self.recall,
            indexing=self.indexing,
        )

    @_later
    def programs(self) -> ProgramsService:
        from memdesk.services.remembering import ProgramsService

        return ProgramsService(
            **self._each,
            forgetting=self.forgetting,
            indexing=self.indexing,
        )

    @_later
    def connecting(self) -> ConnectingService:
        from memdesk.services.guarding import ConnectingService, StoredKeys

        return ConnectingService(keys=StoredKeys(self.tokens), command=self.paths.command)


def _open_qdrant(address: str, key: str | None) -> ItemStore:
    """Open a server, or a folder on this machine. Raises ``MissingPartError``."""
    try:
        from memdesk.stores.qdrant import QdrantStore

        if is_web_address(address):
            return QdrantStore(address, api_key=key, timeout=5)
        return QdrantStore(path=address)
    except ModuleNotFoundError as error:
        raise MissingPartError.of(error) or error from error


def _let_go() -> None:
    """Free what the memory's texts lay in, and hand it back to the system, which gives it to nobody unwiped."""
    gc.collect()
    give_back_freed()
