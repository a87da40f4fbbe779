"""Response bodies of our own routes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, make_dataclass
from datetime import datetime
from typing import Any, Final, Literal, NotRequired, get_type_hints

from typing_extensions import TypedDict

from memdesk.domain.items.item import Digest, MemoryItem
from memdesk.domain.items.registry import DETAIL, EPISODE, FACT, IDENTITY
from memdesk.domain.models import ApiToken, MemoryMode, Run
from memdesk.domain.reading.digest import ModelGrade
from memdesk.ports import EngineState, ModelInfo
from memdesk.ports.models import Speed
from memdesk.services.distilling import Rule, SessionOutcome
from memdesk.services.importing import ImportReport
from memdesk.services.recalling import SearchItem

#: One value; a page of them; a value that may be sent as events or lines instead; only lines; a text, or a value.
Kind = Literal["one", "page", "events", "lines", "stream", "text"]
#: Responses by method and path; several types if a parameter decides.
Answers = Mapping[str, tuple[Kind, Any]]


@dataclass(frozen=True)
class ErrorInfo:
    """What went wrong, and what to do."""

    message: str
    type: str
    code: str
    hint: str


@dataclass(frozen=True)
class ErrorBody:
    """The response to every failed request."""

    error: ErrorInfo


def _viewed(name: str, view: Mapping[str, str], **other: Any) -> type:
    """Return a dataclass with the fields of a view of items, some of ``other`` types, only for its schema."""
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
#: The views of items in a response.
VIEWED: Final = Fact | Episode | IdentityLine | EpisodeDetail


class Alive(TypedDict):
    """Confirmation that the server answers."""

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
    """A part of the state that is unavailable."""

    error: str
    message: str


class Session(TypedDict):
    """A conversation that is waiting for distillation or being distilled."""

    agent_id: str
    conversation_id: str
    signals: NotRequired[int]
    reason: NotRequired[str]


class LastOutcome(TypedDict):
    """The last outcome of a session."""

    agent_id: str
    conversation_id: str
    outcome: str
    message: str


class Distilling(TypedDict):
    """Current and recent distillation."""

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
    """The hit rate of a cache."""

    hits: int
    misses: int
    rate: float
    size: NotRequired[int]


class IndexState(TypedDict):
    """How many rows have a vector."""

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
    """The caches of the read path, and statistics of the store."""

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
    """The state of memory and of background work; a token of some agents does not see what concerns all."""

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
    """The result of distilling; ``accepted``: it has begun."""

    status: Literal["ok", "accepted"]
    outcomes: list[SessionOutcome]


class Shown(TypedDict):
    """Whether there is a window to bring to the front."""

    window: bool


class SnapshotSeen(TypedDict):
    """A snapshot on disk."""

    name: str
    made_at: datetime
    bytes: int


class Progress(TypedDict):
    """A line of an import: a finished chat."""

    event: Literal["progress"]
    done: int
    title: str


class Imported(TypedDict):
    """The last line of an import."""

    event: Literal["report"]
    report: ImportReport


class Hits(TypedDict):
    """The hits of a search, and whether by words, by meaning, or both."""

    mode: str
    items: list[SearchItem]
    total: int
    next: None


class Rejected(TypedDict):
    """A rejected candidate, with the rule learned from it."""

    rejected: Literal[True]
    result: Rule | None


class Resolved(TypedDict):
    """A resolved contradiction, with the facts that remain."""

    resolved: str
    result: list[str]


class Removed(TypedDict):
    """The id of a removed row."""

    removed: str


class Tested(TypedDict):
    """A new memory test and its result."""

    id: str
    state: str


class FilesForgotten(TypedDict):
    """How many files of a folder were forgotten."""

    files: int


class ToolTold(TypedDict):
    """A tool, as listed for programs."""

    name: str
    title: str
    description: str
    arguments: dict[str, Any]
    #: the schema of its answer; null if that varies.
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
    #: of its own memory; null: its chats use their agents'.
    agent_id: str | None
    conversations: int


class ChatFolders(TypedDict):
    """Every folder of chats, in the order of the list."""

    folders: list[ChatFolder]


class AgentFile(TypedDict):
    """An agent's settings, for importing elsewhere."""

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
