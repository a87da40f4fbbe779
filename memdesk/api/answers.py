"""What every route answers: the one declaration that ``/openapi.json`` is made of and that tests hold answers to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, make_dataclass
from datetime import datetime
from typing import Any, Final, Literal, NotRequired, get_type_hints

from typing_extensions import TypedDict

from memdesk.api.dialects.anthropic import answers as anthropic
from memdesk.api.dialects.mem0 import answers as mem0
from memdesk.api.dialects.ollama import answers as ollama
from memdesk.api.dialects.omniroute import answers as omniroute
from memdesk.api.dialects.openai import answers as openai
from memdesk.api.dialects.responses import answers as responses
from memdesk.domain.items.item import Digest, MemoryItem
from memdesk.domain.items.registry import DETAIL, EPISODE, FACT, IDENTITY
from memdesk.domain.models import (
    ApiToken,
    Conversation,
    Entity,
    HistoryEntry,
    MemoryMode,
    Receipt,
    Run,
    RunChange,
    Turn,
)
from memdesk.domain.reading.digest import ModelGrade
from memdesk.ports import ActivityRow, EngineState, ModelInfo
from memdesk.services.distilling import Rule, SessionOutcome
from memdesk.services.forgetting import ForgetPreview, ForgetReport
from memdesk.services.guarding import BackupReport, Comparison
from memdesk.services.importing import ExportReport, ImportReport
from memdesk.services.library import Found, Memory
from memdesk.services.models import Speed
from memdesk.services.notes import FolderStatus, Synced
from memdesk.services.recalling import SearchItem
from memdesk.services.recording import IngestResult
from memdesk.services.remembering import ContradictionCard, EntityView, Neighbor, ProgramSeen, SourceView, Written
from memdesk.services.testing import MemoryTest
from memdesk.services.upkeep import HealthTile, RunResult, UndoResult
from memdesk.settings.fields import FieldInfo
from memdesk.settings.prompts import DistillPrompt
from memdesk.settings.schema import AppearanceSettings, EngineSettings, MemorySettings, ServerSettings

#: One value; a page of them; a value that may come as events or as lines instead; lines alone; a text, or a value.
Kind = Literal["one", "page", "events", "lines", "stream", "text"]


@dataclass(frozen=True)
class ErrorInfo:
    """What went wrong, and what to do about it."""

    message: str
    type: str
    code: str
    hint: str


@dataclass(frozen=True)
class ErrorBody:
    """The answer to every request that fails."""

    error: ErrorInfo


def _viewed(name: str, view: Mapping[str, str], **other: Any) -> type:
    """Return a dataclass with the fields of a view of items, some of ``other`` types, for its schema alone."""
    types: dict[str, Any] = {}
    defaults: dict[str, Any] = {}
    for part, before in ((MemoryItem, ""), (Digest, "digest.")):
        types |= {f"{before}{field}": kind for field, kind in get_type_hints(part).items()}
        defaults |= {f"{before}{each.name}": each.default for each in fields(part)}
    types |= {kept: get_type_hints(getattr(MemoryItem, kept).fget)["return"] for kept in view.values() - types.keys()}
    types |= {view[shown]: kind for shown, kind in other.items()}
    parts = [(shown, types[kept], field(default=defaults.get(kept, MISSING))) for shown, kept in view.items()]
    return make_dataclass(name, parts, kw_only=True)


Fact, IdentityLine, EpisodeDetail = (
    _viewed(name, view) for name, view in (("Fact", FACT), ("IdentityLine", IDENTITY), ("EpisodeDetail", DETAIL))
)
Item = _viewed("Item", {each.name: each.name for each in fields(MemoryItem)}, agent_id=str | None)
Episode = _viewed("Episode", EPISODE, details=tuple[EpisodeDetail, ...])  # type: ignore[valid-type]  # made above
IssuedToken = make_dataclass("IssuedToken", [("secret", str)], bases=(ApiToken,), frozen=True, kw_only=True)
GradedModel = make_dataclass(
    "GradedModel", [("grade", ModelGrade | None, None)], bases=(ModelInfo,), frozen=True, kw_only=True
)
#: What an item within an answer is shown as: whichever of these it is.
VIEWED: Final = Fact | Episode | IdentityLine | EpisodeDetail


class Alive(TypedDict):
    """That the server answers."""

    status: str
    version: str


class EngineSeen(TypedDict):
    """An engine process."""

    name: str
    kind: str
    state: str


class Ready(TypedDict):
    """Whether requests can be answered now."""

    ready: bool
    database: str
    engines: list[EngineSeen]


class Failed(TypedDict):
    """A part of the state that could not be told."""

    error: str
    message: str


class Session(TypedDict):
    """A conversation that waits for distillation, or is in it."""

    agent_id: str
    conversation_id: str
    signals: NotRequired[int]
    reason: NotRequired[str]


class LastOutcome(TypedDict):
    """What became of a session."""

    agent_id: str
    conversation_id: str
    outcome: str
    message: str


class Distilling(TypedDict):
    """Distillation now and lately."""

    running: list[Session]
    queued: int
    mode: str
    core_model: str
    blocked: str
    barren: int
    left_out: dict[str, int]
    skipped: dict[str, int]
    last: list[LastOutcome]


class NextRun(TypedDict):
    """The next pass of consolidation."""

    at: datetime | None
    overdue: bool
    waiting: str
    last: Run | None


class CacheRate(TypedDict):
    """How often a cache had what was asked of it."""

    hits: int
    misses: int
    rate: float
    size: NotRequired[int]


class IndexState(TypedDict):
    """How much has its vector."""

    enabled: bool
    model: str
    missing: int
    done: int
    progress: float
    error: str
    coming: NotRequired[str]
    problem: NotRequired[str]
    running: NotRequired[bool]
    indexes: NotRequired[dict[str, int]]
    query_cache: NotRequired[CacheRate]
    content_cache: NotRequired[CacheRate]


class Caches(TypedDict):
    """The caches of the read path, and the store's own figures."""

    contexts: CacheRate
    frequencies: CacheRate
    query_vectors: CacheRate
    content_vectors: CacheRate
    store: dict[str, Any]


class Speeds(TypedDict):
    """How fast memory and the chat model are here."""

    recalls: int
    recall_ms: float | None
    chat_model: Speed | None


class ServerState(TypedDict):
    """This server."""

    url: str
    state: str
    message: str


class Status(TypedDict):
    """The state of memory and of the work on it; a token of some agents is not told of what is everybody's."""

    version: str
    enabled: bool
    core_model: str
    chat_model: str
    pending: list[Session]
    parked: list[Session]
    signals: dict[str, int]
    consolidation: NextRun | Failed
    engines: list[EngineState]
    index: IndexState | Failed
    caches: Caches | Failed
    speeds: Speeds | Failed
    counts: dict[str, int]
    settings: dict[str, str | int | float]
    uptime_seconds: float
    running: NotRequired[list[Session]]
    distillation: NotRequired[Distilling | Failed]
    server: NotRequired[ServerState]


class Distilled(TypedDict):
    """What distilling came to; ``accepted``: it has begun."""

    status: Literal["ok", "accepted"]
    outcomes: list[SessionOutcome]


class Shown(TypedDict):
    """Whether there is a window to bring to the front."""

    window: bool


class SnapshotSeen(TypedDict):
    """A snapshot on the disk."""

    name: str
    made_at: datetime
    bytes: int


class Progress(TypedDict):
    """A line of an import: a chat that is done."""

    event: Literal["progress"]
    done: int
    title: str


class Imported(TypedDict):
    """The last line of an import."""

    event: Literal["report"]
    report: ImportReport


class Hits(TypedDict):
    """What a search found, and how: by words, by meaning, or both."""

    mode: str
    items: list[SearchItem]
    total: int
    next: None


class Rejected(TypedDict):
    """A candidate that was dropped, with the rule that was learned of it."""

    rejected: Literal[True]
    result: Rule | None


class Resolved(TypedDict):
    """A contradiction that is settled, with the facts that stay."""

    resolved: str
    result: list[str]


class Removed(TypedDict):
    """The id of what was dropped."""

    removed: str


class Tested(TypedDict):
    """A new memory test, and how it ended."""

    id: str
    state: str


class FilesForgotten(TypedDict):
    """How many files of a folder were forgotten."""

    files: int


class ToolTold(TypedDict):
    """A tool, as programs are told of it."""

    name: str
    title: str
    description: str
    arguments: dict[str, Any]
    #: the schema of what it answers; null: that differs.
    answer: dict[str, Any] | None
    scope: str
    read_only: bool
    destructive: bool


class AgentShort(TypedDict):
    """An agent in a list."""

    id: str
    name: str
    description: str
    default_model: str
    is_built_in: bool
    memory_entry_count: int
    created_at: datetime
    updated_at: datetime


class AgentWhole(AgentShort):
    """An agent with its settings."""

    system_prompt: str
    color: str
    sampling: dict[str, Any]
    memory: MemoryMode
    search_tool: bool
    shares_identity: bool


class Agents(TypedDict):
    """Every agent that the token may see."""

    agents: list[AgentShort]


class ChatFolder(TypedDict):
    """A folder of chats, with how many it holds."""

    id: str
    name: str
    instructions: str
    position: int
    collapsed: bool
    #: of a memory of its own; null: its chats use their agents'.
    agent_id: str | None
    conversations: int


class ChatFolders(TypedDict):
    """Every folder of chats, in the order of the list."""

    folders: list[ChatFolder]


class AgentFile(TypedDict):
    """An agent's settings, to be brought to another memory."""

    format: str
    id: str
    name: str
    description: str
    system_prompt: str
    model: str
    color: str
    sampling: dict[str, Any]
    memory: MemoryMode
    search_tool: bool
    shares_identity: bool


class Said(TypedDict):
    """A message of an exported thread."""

    role: str
    speaker: str
    content: str
    date: datetime
    model: str


class Thread(TypedDict):
    """An exported thread."""

    format: str
    agent_id: str
    conversation_id: str
    title: str
    session_date: datetime | None
    created_at: datetime
    messages: list[Said]


_FORGETTING: Final = ForgetReport | ForgetPreview
_SETTINGS: Final = MemorySettings | ServerSettings | AppearanceSettings | EngineSettings
#: By method and address; several types where a parameter decides.
ANSWERS: Final[dict[str, tuple[Kind, Any]]] = {
    "POST /memory/search": ("one", Hits),
    "GET /memory/facts": ("page", Fact),
    "POST /memory/facts": ("one", Fact),
    "GET /memory/facts/{fact_id}": ("one", Fact),
    "PATCH /memory/facts/{fact_id}": ("one", Fact),
    "DELETE /memory/facts/{fact_id}": ("one", _FORGETTING),
    "GET /memory/items": ("page", Item),
    "POST /memory/items": ("one", Item),
    "GET /memory/items/{item_id}": ("one", Item),
    "PATCH /memory/items/{item_id}": ("one", Item),
    "DELETE /memory/items/{item_id}": ("one", _FORGETTING),
    "GET /memory/episodes": ("page", Episode),
    "POST /memory/episodes": ("one", Episode),
    "GET /memory/episodes/{episode_id}": ("one", Episode),
    "PATCH /memory/episodes/{episode_id}": ("one", Episode),
    "DELETE /memory/episodes/{episode_id}": ("one", _FORGETTING),
    "GET /memory/identity": ("page", IdentityLine),
    "POST /memory/identity": ("one", IdentityLine),
    "PATCH /memory/identity/{line_id}": ("one", IdentityLine),
    "DELETE /memory/identity/{line_id}": ("one", _FORGETTING),
    "GET /memory/transcript": ("page", Turn),
    "GET /memory/conversations": ("page", Conversation),
    "GET /memory/conversations/{conversation_id}": ("one", Conversation),
    "PATCH /memory/conversations/{conversation_id}": ("one", Conversation),
    "DELETE /memory/conversations/{conversation_id}": ("one", _FORGETTING),
    "GET /memory/folders": ("one", ChatFolders),
    "POST /memory/folders": ("one", ChatFolder),
    "GET /memory/folders/{folder_id}": ("one", ChatFolder),
    "PATCH /memory/folders/{folder_id}": ("one", ChatFolder),
    "DELETE /memory/folders/{folder_id}": ("one", _FORGETTING),
    "POST /memory/forget": ("one", ForgetReport),
    "POST /memory/forget/preview": ("one", ForgetPreview),
    "POST /memory/ingest": ("one", IngestResult),
    "POST /memory/context": ("one", Receipt),
    "GET /memory/receipts": ("page", Receipt),
    "GET /memory/receipts/{receipt_id}": ("one", Receipt),
    "GET /memory/history": ("page", HistoryEntry),
    "GET /memory/entities": ("page", Entity),
    "GET /memory/review": ("page", Fact),
    "POST /memory/review/{fact_id}/accept": ("one", Fact),
    "GET /memory/runs": ("page", Run),
    "GET /memory/runs/{run_id}/changes": ("page", RunChange),
    "POST /memory/backup": ("one", BackupReport),
    "GET /memory/snapshots": ("page", SnapshotSeen),
    "GET /memory/snapshots/{name}": ("one", Comparison),
    "POST /memory/export": ("one", ExportReport),
    "GET /memory/health": ("page", HealthTile),
    "GET /memory/activity": ("page", ActivityRow),
    "GET /memory/programs/all": ("page", ProgramSeen),
    "GET /memory/tokens": ("page", ApiToken),
    "POST /memory/tokens": ("one", IssuedToken),
    "DELETE /memory/tokens/{token_id}": ("one", ApiToken),
    "GET /memory/settings": ("one", _SETTINGS),
    "PUT /memory/settings": ("one", _SETTINGS),
    "GET /health": ("one", Alive),
    "GET /readyz": ("one", Ready),
    "GET /memory/tools": ("page", ToolTold),
    "POST /memory/tools/{name}": ("one", dict[str, Any]),
    "DELETE /memory/files": ("one", dict[str, str]),
    "GET /memory/notes": ("page", FolderStatus),
    "POST /memory/notes": ("one", FolderStatus),
    "PATCH /memory/notes/{folder_id}": ("one", FolderStatus),
    "DELETE /memory/notes/{folder_id}": ("one", FilesForgotten),
    "POST /memory/notes/sync": ("one", Synced),
    "GET /memory/facts/{fact_id}/sources": ("page", SourceView),
    "GET /memory/facts/{fact_id}/neighbours": ("page", Neighbor),
    "GET /memory/export": ("text", Thread),
    "GET /memory/entities/{entity_id}": ("one", EntityView),
    "POST /memory/review/{fact_id}/reject": ("one", Rejected),
    "GET /memory/review/rules": ("page", Rule),
    "DELETE /memory/review/rules/{rule_id}": ("one", Removed),
    "GET /memory/contradictions": ("page", ContradictionCard),
    "POST /memory/contradictions/{card_id}": ("one", Resolved),
    "GET /memory/tests": ("page", MemoryTest),
    "POST /memory/tests": ("one", Tested),
    "POST /memory/receipts/{receipt_id}/test": ("one", Tested),
    "POST /memory/tests/run": ("page", MemoryTest),
    "DELETE /memory/tests/{test_id}": ("one", Removed),
    "GET /memory/status": ("one", Status),
    "POST /memory/distill": ("one", Distilled),
    "GET /memory/distill/prompt": ("one", DistillPrompt),
    "POST /memory/consolidate": ("one", RunResult),
    "POST /memory/runs/{run_id}/undo": ("one", UndoResult),
    "GET /memory/settings/fields": ("page", FieldInfo),
    "GET /memory/programs": ("one", Written),
    "DELETE /memory/programs": ("one", Written),
    "GET /agents": ("one", Agents),
    "GET /agents/{agent_id}": ("one", AgentWhole),
    "PUT /agents/{agent_id}": ("one", AgentWhole),
    "DELETE /agents/{agent_id}": ("one", _FORGETTING),
    "GET /agents/{agent_id}/export": ("one", AgentFile),
    "POST /memory/import": ("stream", Progress | Imported | ErrorBody),
    "GET /memory/models": ("page", GradedModel),
    "POST /memory/models/test": ("one", ModelGrade),
    "POST /memory/window": ("one", Shown),
    "POST /v1/chat/completions": ("events", openai.ChatCompletion),
    "POST /v1/completions": ("events", openai.TextCompletion),
    "GET /v1/models": ("one", openai.OpenAiModels),
    "GET /v1/models/{model_id}": ("one", openai.OpenAiModel),
    "POST /v1/embeddings": ("one", openai.OpenAiVectors),
    "POST /v1/responses": ("events", responses.OpenAiResponse),
    "GET /v1/responses/{response_id}": ("one", responses.OpenAiResponse),
    "DELETE /v1/responses/{response_id}": ("one", responses.OpenAiResponseGone),
    "POST /v1/responses/input_tokens": ("one", responses.OpenAiCount),
    "GET /v1/responses/{response_id}/input_items": ("one", responses.OpenAiItems),
    "POST /v1/messages": ("events", anthropic.AnthropicMessage),
    "POST /v1/messages/count_tokens": ("one", anthropic.AnthropicCount),
    "POST /api/chat": ("lines", ollama.OllamaChat),
    "POST /api/generate": ("lines", ollama.OllamaText),
    "GET /api/tags": ("one", ollama.OllamaModels),
    "POST /api/show": ("one", ollama.OllamaShown),
    "GET /api/ps": ("one", ollama.OllamaLoaded),
    "POST /api/embed": ("one", ollama.OllamaVectors),
    "POST /api/embeddings": ("one", ollama.OllamaVector),
    "GET /api/version": ("one", ollama.OllamaVersion),
    "GET /ping": ("one", mem0.Pong),
    "POST /memories": ("one", mem0.Mem0Added),
    "GET /memories": ("one", Found),
    "DELETE /memories": ("one", mem0.Mem0Told),
    "GET /memories/search": ("one", Found),
    "POST /memories/search": ("one", Found),
    "POST /search": ("one", Found),
    "POST /v2/memories/search": ("one", Found),
    "POST /memories/list": ("one", Found),
    "POST /v2/memories": ("one", Found),
    "GET /memories/{memory_id}": ("one", Memory),
    "PUT /memories/{memory_id}": ("one", Memory),
    "DELETE /memories/{memory_id}": ("one", mem0.Mem0Told),
    "GET /memories/{memory_id}/history": ("one", list[mem0.Mem0Past]),
    "POST /v3/memories/add": ("one", mem0.Mem0Added),
    "POST /v3/memories": ("one", mem0.Mem0Page),
    "POST /v3/memories/search": ("one", Found),
    "PUT /batch": ("one", mem0.Mem0Told),
    "DELETE /batch": ("one", mem0.Mem0Told),
    "GET /entities": ("one", mem0.Mem0Owners),
    "DELETE /v2/entities/{kind}/{name}": ("one", mem0.Mem0Told),
    "POST /reset": ("one", mem0.Mem0Told),
    "GET /event/{event_id}": ("one", mem0.Mem0Queued),
    "POST /entities": ("one", mem0.NamedThings),
    "GET /entities/{name}/relations": ("one", mem0.Joints),
    "GET /api/memory": ("one", omniroute.Entries),
    "POST /api/memory": ("one", omniroute.EntryWritten),
    "GET /api/memory/health": ("one", omniroute.GatewayHealth),
    "POST /api/memory/summarize": ("one", omniroute.EntriesSummedUp),
    "GET /api/settings/memory": ("one", omniroute.GatewayOptions),
    "PUT /api/settings/memory": ("one", omniroute.GatewayOptions),
    "GET /api/settings/qdrant": ("one", omniroute.QdrantSettings),
    "PUT /api/settings/qdrant": ("one", omniroute.QdrantSettings),
    "GET /api/settings/qdrant/health": ("one", omniroute.QdrantHealth),
    "POST /api/settings/qdrant/search": ("one", omniroute.QdrantFound),
    "POST /api/settings/qdrant/cleanup": ("one", omniroute.QdrantCleaned),
    "GET /api/settings/qdrant/embedding-models": ("one", omniroute.EmbeddingModels),
    "GET /api/memory/{memory_id}": ("one", omniroute.Entry),
    "PUT /api/memory/{memory_id}": ("one", omniroute.Entry),
    "DELETE /api/memory/{memory_id}": ("one", omniroute.EntryGone),
}
