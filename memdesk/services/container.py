"""All services in one place, passed to the window, the server and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.ports import Clock, DiagramDrawer, Lanes, VoiceInput
    from memdesk.services.agents import AgentsService, PromptsService
    from memdesk.services.chatting import ChatService
    from memdesk.services.distilling import DistillationService
    from memdesk.services.events import EventBus
    from memdesk.services.forgetting import ForgettingService
    from memdesk.services.guarding import BackupService, ConnectingService, SnapshotService, TokensService, VaultService
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
    from memdesk.services.settings import SettingsService
    from memdesk.services.testing import MemoryTestsService
    from memdesk.services.tools import EntriesCopy, Gateway, OutsideTools, ToolsService
    from memdesk.services.upkeep import ConsolidationService, StatusService


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The service layer. Made by the composition root; services hold no reference to it."""

    clock: Clock
    lanes: Lanes
    events: EventBus
    settings: SettingsService
    vault: VaultService
    agents: AgentsService
    prompts: PromptsService
    conversations: ConversationsService
    folders: FoldersService
    chat: ChatService
    ingest: IngestService
    recall: RecallService
    indexing: IndexingService
    distillation: DistillationService
    review: ReviewService
    consolidation: ConsolidationService
    memories: MemoriesService
    items: ItemsService
    notes: NotesService
    own_files: OwnFiles
    forgetting: ForgettingService
    history: HistoryService
    models: ModelsService
    tokens: TokensService
    status: StatusService
    backup: BackupService
    snapshots: SnapshotService
    importing: ImportService
    everything: EverythingService
    gateway: Gateway
    entries_copy: EntriesCopy
    tools: ToolsService
    programs: ProgramsService
    connecting: ConnectingService
    outside: OutsideTools
    library: MemoryService
    tests: MemoryTestsService
    diagrams: DiagramDrawer
    voice: VoiceInput
