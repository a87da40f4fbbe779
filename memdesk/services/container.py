"""All services in one place, handed to the window, the server and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.ports import Clock, Lanes
    from memdesk.services.agents import AgentsService
    from memdesk.services.backup import BackupService
    from memdesk.services.chat import ChatService
    from memdesk.services.consolidation import ConsolidationService
    from memdesk.services.conversations import ConversationsService
    from memdesk.services.distillation import DistillationService
    from memdesk.services.events import EventBus
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The service layer. Made by the composition root; services hold no reference to it."""

    clock: Clock
    lanes: Lanes
    events: EventBus
    settings: SettingsService
    vault: VaultService
    agents: AgentsService
    conversations: ConversationsService
    chat: ChatService
    ingest: IngestService
    recall: RecallService
    indexing: IndexingService
    distillation: DistillationService
    review: ReviewService
    consolidation: ConsolidationService
    memories: MemoriesService
    forgetting: ForgettingService
    history: HistoryService
    models: ModelsService
    tokens: TokensService
    status: StatusService
    backup: BackupService
    importing: ImportService
