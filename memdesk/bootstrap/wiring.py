"""Joins the services to the adapters. Nothing heavy is imported or started here before it is needed."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memdesk.bootstrap.lanes import HoldableLanes
from memdesk.bootstrap.lazy import Embedders, LazyAnalyzer, LazyIndexes
from memdesk.bootstrap.profile import keyring, make_catalogue, open_store, profile_vault, vault_at
from memdesk.engines.discover import find_models
from memdesk.engines.fingerprint import Fingerprints
from memdesk.engines.hub import HttpHub
from memdesk.runtime import power
from memdesk.runtime.clock import SystemClock
from memdesk.runtime.scheduler import Scheduler
from memdesk.runtime.supervisor import WorkerPool
from memdesk.services.agents import AgentsService
from memdesk.services.backup import BackupService
from memdesk.services.chat import ChatService
from memdesk.services.consolidation import ConsolidationService
from memdesk.services.container import Services
from memdesk.services.conversations import ConversationsService
from memdesk.services.distillation import DistillationService
from memdesk.services.events import EngineChanged, EventBus
from memdesk.services.forgetting import ForgettingService
from memdesk.services.history import HistoryService
from memdesk.services.importing import ImportService
from memdesk.services.indexing import IndexingService
from memdesk.services.ingest import IngestService
from memdesk.services.memories import MemoriesService
from memdesk.services.models import ModelsService
from memdesk.services.recall import RecallService
from memdesk.services.review import ReviewService
from memdesk.services.settings import SettingsService
from memdesk.services.status import StatusService
from memdesk.services.tokens import TokensService
from memdesk.services.vault import VaultService
from memdesk.settings.store import SettingsStore
from memdesk.storage.database import Database

if TYPE_CHECKING:
    from memdesk.ports import Embedder, SecretStore
    from memdesk.settings.paths import ProfilePaths


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """The services with what has to be ended in order."""

    services: Services
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
    keys = keyring() if secrets is None else secrets
    clock, events, lanes = SystemClock(), EventBus(), HoldableLanes()
    scheduler = Scheduler(lanes, clock)
    workers = WorkerPool(lanes, lambda name, state: events.publish(EngineChanged(name, state)))
    store = Database(paths.database)
    settings = SettingsService(SettingsStore(paths.config), events)
    vault = VaultService(vault=profile_vault(paths, keys), store=store, events=events)

    known, servers, catalogue = make_catalogue(paths, lambda: settings.current.engine, keys, workers)
    models = ModelsService(
        catalogue=catalogue,
        embedder=None,
        settings=settings,
        servers=servers,
        hub=HttpHub(lambda: settings.current.engine.hub_url),
        finder=find_models,
        speeds=known,
        folder=paths.models,
    )
    embedders = Embedders(paths, settings, models, workers, events)
    analyzer = LazyAnalyzer(workers, Fingerprints(paths.cache / "fingerprints.json"))
    indexing = IndexingService(
        store=store, embedder=embedder or embedders.current, indexes=LazyIndexes(), events=events, lanes=lanes
    )
    forgetting = ForgettingService(store=store, clock=clock, events=events, indexing=indexing)
    agents = AgentsService(store=store, clock=clock, events=events, forgetting=forgetting)
    recall = RecallService(
        store=store,
        settings=settings,
        clock=clock,
        events=events,
        lanes=lanes,
        indexing=indexing,
        catalogue=catalogue,
    )
    distillation = DistillationService(
        store=store,
        clock=clock,
        events=events,
        settings=settings,
        lanes=lanes,
        catalogue=catalogue,
        analyzer=analyzer,
        embedder=embedder or embedders.current,
        indexing=indexing,
    )
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
    )
    consolidation = ConsolidationService(
        store=store,
        clock=clock,
        events=events,
        settings=settings,
        indexing=indexing,
        hold_ups=[
            lambda: "memdesk is locked." if vault.state() != "open" else "",
            lambda: "Background work is paused." if lanes.held else "",
            power.hold_up,
        ],
        busy=chat.busy,
    )
    services = Services(
        clock=clock,
        lanes=lanes,
        events=events,
        settings=settings,
        vault=vault,
        agents=agents,
        conversations=ConversationsService(
            store=store, clock=clock, events=events, agents=agents, forgetting=forgetting
        ),
        chat=chat,
        ingest=ingest,
        recall=recall,
        indexing=indexing,
        distillation=distillation,
        review=ReviewService(store=store, clock=clock, events=events, indexing=indexing),
        consolidation=consolidation,
        memories=MemoriesService(
            store=store, clock=clock, events=events, settings=settings, forgetting=forgetting, indexing=indexing
        ),
        forgetting=forgetting,
        history=HistoryService(store=store),
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
        ),
        backup=BackupService(store=store, vault=vault, paths=paths, clock=clock, opener=open_store, vault_at=vault_at),
        importing=ImportService(store=store, ingest=ingest),
    )
    closing = ExitStack()
    # Ended in the opposite order: first what starts work, then what does it, the store last.
    closing.callback(store.close)
    closing.callback(lanes.close)
    closing.callback(workers.close)
    closing.callback(indexing.stop)
    closing.callback(distillation.close)
    closing.callback(scheduler.close)
    return Wiring(services=services, lanes=lanes, scheduler=scheduler, closing=closing)
