"""Response bodies of OmniRoute's protocol."""

from datetime import datetime
from typing import Any, Final, Literal, NotRequired

from typing_extensions import TypedDict

from memdesk.api.shapes import Answers
from memdesk.domain.items.item import ItemType


class Entry(TypedDict):
    """An entry of a gateway."""

    id: str
    apiKeyId: str | None
    sessionId: str
    type: ItemType
    scope: Literal["session", "token", "global"]
    key: str
    content: str
    metadata: dict[str, Any]
    createdAt: datetime
    updatedAt: datetime
    expiresAt: datetime | None


class EntryFigures(TypedDict):
    """Statistics of a gateway's entries."""

    total: int
    byType: dict[str, int]
    tokensUsed: int
    hitRate: float


class Entries(TypedDict):
    """A page of a gateway's entries, under both names that its programs use."""

    memories: list[Entry]
    data: list[Entry]
    stats: EntryFigures
    total: int
    page: int
    limit: int
    totalPages: int


class EntryWritten(TypedDict):
    """The written entry."""

    success: Literal[True]
    id: str
    memory: Entry


class EntryGone(TypedDict):
    """Confirmation that an entry was deleted."""

    success: Literal[True]


class EntriesSummedUp(TypedDict):
    """The entries that summaries replace, or would replace."""

    dryRun: bool
    candidates: list[Entry]
    totalTokens: int
    deletedCount: int
    summaryId: str | None
    summaryIds: list[str]


class GatewayOptions(TypedDict):
    """Memory settings, under OmniRoute's names."""

    enabled: bool
    maxTokens: int
    retentionDays: int
    strategy: Literal["hybrid", "semantic", "exact", "recent"]
    skillsEnabled: bool


class GatewayHealth(TypedDict):
    """Whether entries can be written, listed and forgotten."""

    status: str
    working: bool
    latencyMs: float


class QdrantSettings(TypedDict):
    """Settings of the copy in Qdrant."""

    enabled: bool
    host: str
    port: int
    collection: str
    embeddingModel: str
    quantization: Literal["none"]
    hasApiKey: bool
    apiKeyMasked: str | None


class QdrantHealth(TypedDict):
    """Whether Qdrant answered, and how fast."""

    ok: bool
    latencyMs: float
    error: NotRequired[str]


class CopiedEntry(Entry):
    """An entry of the copy, with its text from here."""

    memoryId: str


class QdrantHit(TypedDict):
    """A hit in the copy."""

    id: str
    score: float
    payload: CopiedEntry


class QdrantFound(QdrantHealth):
    """The nearest entries of the copy."""

    results: list[QdrantHit]


class QdrantCleaned(QdrantHealth):
    """How many entries were removed from the copy."""

    deletedCount: int
    retentionDays: int


class EmbeddingModel(TypedDict):
    """A model that can make the vectors."""

    value: str
    label: str


class EmbeddingModels(TypedDict):
    """The models that can make the vectors."""

    models: list[EmbeddingModel]


#: By method and path.
ANSWERS: Final[Answers] = {
    "GET /api/memory": ("one", Entries),
    "POST /api/memory": ("one", EntryWritten),
    "GET /api/memory/health": ("one", GatewayHealth),
    "POST /api/memory/summarize": ("one", EntriesSummedUp),
    "GET /api/settings/memory": ("one", GatewayOptions),
    "PUT /api/settings/memory": ("one", GatewayOptions),
    "GET /api/settings/qdrant": ("one", QdrantSettings),
    "PUT /api/settings/qdrant": ("one", QdrantSettings),
    "GET /api/settings/qdrant/health": ("one", QdrantHealth),
    "POST /api/settings/qdrant/search": ("one", QdrantFound),
    "POST /api/settings/qdrant/cleanup": ("one", QdrantCleaned),
    "GET /api/settings/qdrant/embedding-models": ("one", EmbeddingModels),
    "GET /api/memory/{memory_id}": ("one", Entry),
    "PUT /api/memory/{memory_id}": ("one", Entry),
    "DELETE /api/memory/{memory_id}": ("one", EntryGone),
}
