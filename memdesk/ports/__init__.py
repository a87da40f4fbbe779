"""What services need from the world, as Protocols. Adapters live in storage, engines and runtime."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.ports.conversations import AgentsRepo, ConversationsRepo, SignalsRepo, TurnsRepo
from memdesk.ports.engines import (
    ChatMessage,
    Embedder,
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
from memdesk.ports.language import EntityRecognizer, LanguageAnalyzer, NamedEntity
from memdesk.ports.memory import (
    EntitiesRepo,
    EpisodesRepo,
    FactFilter,
    FactsRepo,
    Handed,
    HistoryRepo,
    IdentityRepo,
    ReceiptsRepo,
    SalienceRow,
    StatusRow,
)
from memdesk.ports.search import MIRRORS, EmbeddingsRepo, TextFilter, TextHit, TextSearchRepo
from memdesk.ports.store import Held, Repositories, Store
from memdesk.ports.threads import CancelToken, Clock, LaneName, Lanes
from memdesk.ports.upkeep import (
    AGENT_PARTS,
    BEING_FORGOTTEN,
    ActivityRow,
    CopiedTexts,
    CopySource,
    ErasingRepo,
    ForgettableTable,
    MetaRepo,
    RunsRepo,
    TokensRepo,
)
from memdesk.ports.vault import SecretStore, VaultPort, Way

if TYPE_CHECKING:
    from memdesk.ports.engines import Vectors as Vectors

__all__ = [
    "AGENT_PARTS",
    "BEING_FORGOTTEN",
    "MIRRORS",
    "ActivityRow",
    "AgentsRepo",
    "CancelToken",
    "ChatMessage",
    "Clock",
    "ConversationsRepo",
    "CopiedTexts",
    "CopySource",
    "Embedder",
    "EmbeddingsRepo",
    "EngineState",
    "EntitiesRepo",
    "EntityRecognizer",
    "EpisodesRepo",
    "ErasingRepo",
    "FactFilter",
    "FactsRepo",
    "ForgettableTable",
    "GenerationChunk",
    "GenerationRequest",
    "Handed",
    "Held",
    "HistoryRepo",
    "IdentityRepo",
    "LaneName",
    "Lanes",
    "LanguageAnalyzer",
    "LanguageModel",
    "MetaRepo",
    "ModelCatalogue",
    "ModelInfo",
    "NamedEntity",
    "ReceiptsRepo",
    "Repositories",
    "RunsRepo",
    "SalienceRow",
    "SecretStore",
    "SignalsRepo",
    "StatusRow",
    "Store",
    "TextFilter",
    "TextHit",
    "TextSearchRepo",
    "TokensRepo",
    "TurnsRepo",
    "Usage",
    "VaultPort",
    "VectorIndex",
    "VectorIndexFactory",
    "Way",
    "Worker",
    "WorkerItem",
    "WorkerSpec",
    "Workers",
]
