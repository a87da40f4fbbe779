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
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memdesk.bootstrap.lanes import HoldableLanes
from memdesk.bootstrap.lazy import Embedders, LazyAnalyzer, LazyIndexes, later, was_made
from memdesk.bootstrap.profile import keyring, make_catalogue, model_check, open_store, profile_vault, vault_at
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
from memdesk.settings.store import SettingsStore
from memdesk.storage.database import Database, give_back_freed

if TYPE_CHECKING:
    from memdesk.engines.catalogue import Catalogue
    from memdesk.engines.known_models import KnownModels
    from memdesk.engines.remote import RemoteServers
    from memdesk.ports import Embedder, SecretStore, ToolConnector
    from memdesk.services.agents import AgentsService
    from memdesk.services.chatting import ChatService
    from memdesk.services.distilling import DistillationService
    from memdesk.services.forgetting import ForgettingService
    from memdesk.services.guarding import BackupService, ConnectingService, SnapshotService
    from memdesk.services.importing import EverythingService, ImportService
    from memdesk.services.library import MemoryService
    from memdesk.services.models import ModelsService
    from memdesk.services.notes import NotesService
    from memdesk.services.recalling import IndexingService, RecallService
    from memdesk.services.recording import ConversationsService, IngestService
    from memdesk.services.remembering import (
        HistoryService,
        ItemsService,
        MemoriesService,
        ProgramsService,
        ReviewService,
    )
    from memdesk.services.testing import MemoryTestsService
    from memdesk.services.tools import OutsideTools, ToolsService
    from memdesk.services.upkeep import ConsolidationService
    from memdesk.settings.paths import ProfilePaths


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """The services with what has to be ended in order."""

    services: Services
    store: Database
    lanes: HoldableLanes
    scheduler: Scheduler
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

    Args:
        paths: the profile's folders.
        secrets: the keyring; None for the system's.
        embedder: gives the embedder instead of the settings'.

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
        closing=parts.closing(),
    )


class _Parts:
    """Every part of one profile's app. A method makes a service; an attribute stands for it from the start."""

    def __init__(
        self, paths: ProfilePaths, secrets: SecretStore, embedder: Callable[[], Embedder | None] | None
    ) -> None:
        self.paths, self.secrets = paths, secrets
        self.clock, self.events, self.lanes = SystemClock(), EventBus(), HoldableLanes()
        self.scheduler = Scheduler(self.lanes, self.clock)
        self.workers = WorkerPool(self.lanes, lambda name, state: self.events.publish(EngineChanged(name, state)))
        self.store = Database(paths.database, self._room_changed)
        self.catalogue: Catalogue = later(lambda: self._local_models()[2])
        self.settings = SettingsService(SettingsStore(paths.config), self.events, model_check(self.catalogue))
        self.vault = VaultService(
            vault=profile_vault(paths, secrets),
            store=self.store,
            events=self.events,
            clock=self.clock,
            let_go=_let_go,
        )
        self.tokens = TokensService(store=self.store, clock=self.clock, lanes=self.lanes, events=self.events)

        self.known: KnownModels = later(lambda: self._local_models()[0])
        self.servers: RemoteServers = later(lambda: self._local_models()[1])
        self._models_made: tuple[KnownModels, RemoteServers, Catalogue] | None = None
        self.models: ModelsService = later(self._models)
        self.embedders = Embedders(paths, self.settings, self.models, self.workers, self.events)
        self.embedder = embedder or self.embedders.current
        self.analyzer = LazyAnalyzer(self.workers, paths.cache / "fingerprints.json")

        self.indexing: IndexingService = later(self._indexing)
        self.backup: BackupService = later(self._backup)
        self.snapshots: SnapshotService = later(self._snapshots)
        self.forgetting: ForgettingService = later(self._forgetting)
        self.agents: AgentsService = later(self._agents)
        self.recall: RecallService = later(self._recall)
        self.distillation: DistillationService = later(self._distillation)
        self.ingest: IngestService = later(self._ingest)
        self.chat: ChatService = later(self._chat)
        self.consolidation: ConsolidationService = later(self._consolidation)
        self.outside: OutsideTools = later(self._outside)
        self.memories: MemoriesService = later(self._memories)
        self.items: ItemsService = later(self._items)
        self.notes: NotesService = later(self._notes)
        self.status = self._status()

    def services(self) -> Services:
        """Return the container that everyone above receives."""
        return Services(
            clock=self.clock,
            lanes=self.lanes,
            events=self.events,
            settings=self.settings,
            vault=self.vault,
            agents=self.agents,
            conversations=later(self._conversations),
            chat=self.chat,
            ingest=self.ingest,
            recall=self.recall,
            indexing=self.indexing,
            distillation=self.distillation,
            review=later(self._review),
            consolidation=self.consolidation,
            memories=self.memories,
            items=self.items,
            notes=self.notes,
            forgetting=self.forgetting,
            history=later(self._history),
            models=self.models,
            tokens=self.tokens,
            status=self.status,
            backup=self.backup,
            snapshots=self.snapshots,
            importing=later(self._importing),
            everything=later(self._everything),
            tools=later(self._tools),
            programs=later(self._programs),
            connecting=later(self._connecting),
            outside=self.outside,
            library=later(self._library),
            tests=later(self._tests),
        )

    def closing(self) -> ExitStack:
        """Return what ends everything: first what starts work, then what does it, the store last."""
        stack = ExitStack()
        stack.callback(self.store.close)
        stack.callback(self.lanes.close)
        stack.callback(self.workers.close)
        stack.callback(lambda: self.indexing.stop() if was_made(self.indexing) else None)
        stack.callback(lambda: self.distillation.close() if was_made(self.distillation) else None)
        stack.callback(lambda: self.notes.stop() if was_made(self.notes) else None)
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

    def _local_models(self) -> tuple[KnownModels, RemoteServers, Catalogue]:
        if self._models_made is None:
            self._models_made = make_catalogue(
                self.paths, lambda: self.settings.current.engine, ServerKeys(self.secrets, self.store), self.workers
            )
        return self._models_made

    def _models(self) -> ModelsService:
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

    # ------------------------------------------------------------------ memory

    def _indexing(self) -> IndexingService:
        from memdesk.services.recalling import IndexingService

        return IndexingService(
            store=self.store,
            embedder=self.embedder,
            indexes=LazyIndexes(),
            events=self.events,
            lanes=self.lanes,
            rest_seconds=lambda: float(self.settings.current.engine.idle_unload_seconds),
        )

    def _forgetting(self) -> ForgettingService:
        from memdesk.services.forgetting import ForgettingService

        return ForgettingService(
            store=self.store,
            clock=self.clock,
            events=self.events,
            indexing=self.indexing,
            drop_copies=lambda: self.snapshots.drop(),  # noqa: PLW0108 -- made when it is first needed
        )

    def _agents(self) -> AgentsService:
        from memdesk.services.agents import AgentsService

        return AgentsService(store=self.store, clock=self.clock, events=self.events, forgetting=self.forgetting)

    def _recall(self) -> RecallService:
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

    def _distillation(self) -> DistillationService:
        from memdesk.services.distilling import DistillationService

        return DistillationService(
            store=self.store,
            clock=self.clock,
            events=self.events,
            settings=self.settings,
            lanes=self.lanes,
            catalogue=self.catalogue,
            analyzer=self.analyzer,
            embedder=self.embedder,
            indexing=self.indexing,
            held=lambda: self.lanes.held,
        )

    def _ingest(self) -> IngestService:
        from memdesk.services.recording import IngestService

        return IngestService(
            store=self.store,
            clock=self.clock,
            events=self.events,
            settings=self.settings,
            agents=self.agents,
            distillation=self.distillation,
            forgetting=self.forgetting,
        )

    def _chat(self) -> ChatService:
        from memdesk.services.chatting import ChatService

        return ChatService(
            store=self.store,
            clock=self.clock,
            events=self.events,
            settings=self.settings,
            agents=self.agents,
            ingest=self.ingest,
            recall=self.recall,
            catalogue=self.catalogue,
            outside=self.outside,
        )

    def _outside(self) -> OutsideTools:
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

    def _consolidation(self) -> ConsolidationService:
        from memdesk.services.upkeep import ConsolidationService

        return ConsolidationService(
            store=self.store,
            clock=self.clock,
            events=self.events,
            settings=self.settings,
            indexing=self.indexing,
            hold_ups=[lambda: "Background work is paused." if self.lanes.held else "", power.hold_up],
            busy=lambda: was_made(self.chat) and self.chat.busy(),
            ticks=ticks,
        )

    def _memories(self) -> MemoriesService:
        from memdesk.services.distilling import LineReader
        from memdesk.services.remembering import MemoriesService, retold

        return MemoriesService(
            store=self.store,
            clock=self.clock,
            events=self.events,
            settings=self.settings,
            indexing=self.indexing,
            describe=retold(self.clock, self.analyzer),
            lines=LineReader(self.analyzer),
        )

    def _items(self) -> ItemsService:
        from memdesk.services.remembering import ItemsService

        return ItemsService(
            store=self.store,
            clock=self.clock,
            events=self.events,
            forgetting=self.forgetting,
            indexing=self.indexing,
        )

    def _notes(self) -> NotesService:
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

    def _review(self) -> ReviewService:
        from memdesk.services.remembering import ReviewService

        return ReviewService(store=self.store, clock=self.clock, events=self.events, indexing=self.indexing)

    def _conversations(self) -> ConversationsService:
        from memdesk.services.recording import ConversationsService

        return ConversationsService(
            store=self.store, clock=self.clock, events=self.events, agents=self.agents, forgetting=self.forgetting
        )

    def _history(self) -> HistoryService:
        from memdesk.services.remembering import HistoryService

        return HistoryService(store=self.store, clock=self.clock, events=self.events, indexing=self.indexing)

    def _library(self) -> MemoryService:
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

    def _status(self) -> StatusService:
        return StatusService(
            store=self.store,
            clock=self.clock,
            events=self.events,
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

    def _backup(self) -> BackupService:
        from memdesk.services.guarding import BackupService

        return BackupService(
            store=self.store,
            vault=self.vault,
            paths=self.paths,
            clock=self.clock,
            opener=open_store,
            vault_at=vault_at,
        )

    def _snapshots(self) -> SnapshotService:
        from memdesk.services.guarding import SnapshotService

        return SnapshotService(
            backup=self.backup, folder=self.paths.snapshots, settings=self.settings, clock=self.clock
        )

    def _importing(self) -> ImportService:
        from memdesk.services.importing import ImportService

        return ImportService(store=self.store, ingest=self.ingest, everything=self._everything(), events=self.events)

    def _everything(self) -> EverythingService:
        from memdesk.services.importing import EverythingService

        return EverythingService(store=self.store, clock=self.clock)

    def _tools(self) -> ToolsService:
        from memdesk.services.notes import OwnFiles
        from memdesk.services.remembering import GraphService
        from memdesk.services.tools import ToolsService, memory_tools

        graph = GraphService(
            store=self.store,
            clock=self.clock,
            events=self.events,
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
                files=OwnFiles(
                    store=self.store,
                    agents=self.agents,
                    clock=self.clock,
                    events=self.events,
                    indexing=self.indexing,
                ),
            )
        )

    def _tests(self) -> MemoryTestsService:
        from memdesk.services.testing import MemoryTestsService

        return MemoryTestsService(
            store=self.store,
            clock=self.clock,
            events=self.events,
            lanes=self.lanes,
            recall=self.recall,
            indexing=self.indexing,
        )

    def _programs(self) -> ProgramsService:
        from memdesk.services.remembering import ProgramsService

        return ProgramsService(
            store=self.store,
            clock=self.clock,
            events=self.events,
            forgetting=self.forgetting,
            indexing=self.indexing,
        )

    def _connecting(self) -> ConnectingService:
        from memdesk.services.guarding import ConnectingService, StoredKeys

        return ConnectingService(keys=StoredKeys(self.tokens), command=self.paths.command)


def _let_go() -> None:
    """Free what the memory's texts lay in, and hand it back to the system, which gives it to nobody unwiped."""
    gc.collect()
    give_back_freed()
