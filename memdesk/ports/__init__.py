"""What services need from the world, as Protocols. Adapters live in storage, engines and runtime."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.ports.conversations import AgentsRepo, ConversationsRepo, ImagesRepo, SignalsRepo, TurnsRepo
from memdesk.ports.engines import (
    ChatMessage,
    DiagramColors,
    DiagramDrawer,
    DrawnDiagram,
    Embedder,
    EmbedderChange,
    EngineState,
    GenerationChunk,
    GenerationRequest,
    LanguageModel,
    ModelCatalogue,
    ModelInfo,
    Usage,
    VectorIndex,
    VectorIndexFactory,
    Worker,
    WorkerItem,
    Workers,
    WorkerSpec,
)
from memdesk.ports.language import LanguageAnalyzer
from memdesk.ports.memory import (
    EntitiesRepo,
    FactFilter,
    Handed,
    HistoryRepo,
    ItemOrder,
    ItemsRepo,
    ReceiptsRepo,
    SalienceRow,
    StatusRow,
)
from memdesk.ports.outside import OfferedTool, ServerAddress, ToolConnection, ToolConnector, ToolResult
from memdesk.ports.search import MIRRORS, EmbeddingsRepo, TextFilter, TextHit, TextSearchRepo
from memdesk.ports.store import Held, Repositories, Store, StoreUpkeep
from memdesk.ports.threads import CancelToken, Clock, LaneName, Lanes
from memdesk.ports.upkeep import (
    AGENT_PARTS,
    BEING_FORGOTTEN,
    ActivityRow,
    Asked,
    CopiedTexts,
    CopySource,
    ErasingRepo,
    ForgettableTable,
    MetaRepo,
    RunsRepo,
    TokensRepo,
    UsageRow,
)
from memdesk.ports.vault import SecretStore, VaultPort, Way
from memdesk.ports.watching import FolderWatcher

if TYPE_CHECKING:
    from memdesk.ports.engines import Vectors as Vectors

__all__ = [
    "AGENT_PARTS",
    "BEING_FORGOTTEN",
    "MIRRORS",
    "ActivityRow",
    "AgentsRepo",
    "Asked",
    "CancelToken",
    "ChatMessage",
    "Clock",
    "ConversationsRepo",
    "CopiedTexts",
    "CopySource",
    "DiagramColors",
    "DiagramDrawer",
    "DrawnDiagram",
    "Embedder",
    "EmbedderChange",
    "EmbeddingsRepo",
    "EngineState",
    "EntitiesRepo",
    "ErasingRepo",
    "FactFilter",
    "FolderWatcher",
    "ForgettableTable",
    "GenerationChunk",
    "GenerationRequest",
    "Handed",
    "Held",
    "HistoryRepo",
    "ImagesRepo",
    "ItemOrder",
    "ItemsRepo",
    "LaneName",
    "Lanes",
    "LanguageAnalyzer",
    "LanguageModel",
    "MetaRepo",
    "ModelCatalogue",
    "ModelInfo",
    "OfferedTool",
    "ReceiptsRepo",
    "Repositories",
    "RunsRepo",
    "SalienceRow",
    "SecretStore",
    "ServerAddress",
    "SignalsRepo",
    "StatusRow",
    "Store",
    "StoreUpkeep",
    "TextFilter",
    "TextHit",
    "TextSearchRepo",
    "TokensRepo",
    "ToolConnection",
    "ToolConnector",
    "ToolResult",
    "TurnsRepo",
    "Usage",
    "UsageRow",
    "VaultPort",
    "VectorIndex",
    "VectorIndexFactory",
    "Way",
    "Worker",
    "WorkerItem",
    "WorkerSpec",
    "Workers",
]
