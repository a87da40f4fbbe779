"""What routes in foreign protocols answer, field by field."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from memdesk.domain.items.item import ItemType
from memdesk.services import library


class Called(TypedDict):
    """A function with the arguments that a model wrote, as JSON text."""

    name: str
    arguments: str


class OpenAiCall(TypedDict):
    """A call of one of the client's tools."""

    id: str
    type: Literal["function"]
    function: Called


class OpenAiMessage(TypedDict):
    """What the model said."""

    role: Literal["assistant"]
    content: str | None
    reasoning_content: NotRequired[str]
    tool_calls: NotRequired[list[OpenAiCall]]


class OpenAiUsage(TypedDict):
    """Tokens."""

    prompt_tokens: int
    total_tokens: int
    completion_tokens: NotRequired[int]


class ChatChoice(TypedDict):
    """One answer."""

    index: int
    message: OpenAiMessage
    logprobs: None
    finish_reason: str


class TextChoice(TypedDict):
    """One continuation."""

    index: int
    text: str
    logprobs: None
    finish_reason: str


class ChatCompletion(TypedDict):
    """OpenAI's ``chat.completion``."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[ChatChoice]
    usage: OpenAiUsage


class TextCompletion(TypedDict):
    """OpenAI's ``text_completion``."""

    id: str
    object: Literal["text_completion"]
    created: int
    model: str
    choices: list[TextChoice]
    usage: OpenAiUsage


class OpenAiModel(TypedDict):
    """A model on offer."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str
    type: Literal["model"]
    display_name: str
    created_at: str
    kind: NotRequired[str]
    name: NotRequired[str]
    context_length: NotRequired[int]
    quantization: NotRequired[str]
    size_bytes: NotRequired[int]
    available: NotRequired[bool]


class OpenAiModels(TypedDict):
    """The models on offer."""

    object: Literal["list"]
    data: list[OpenAiModel]
    has_more: bool
    first_id: str
    last_id: str


class OpenAiVector(TypedDict):
    """A vector: numbers, or little-endian 32-bit floats in base64."""

    object: Literal["embedding"]
    index: int
    embedding: list[float] | str


class OpenAiVectors(TypedDict):
    """A vector for each text."""

    object: Literal["list"]
    model: str
    data: list[OpenAiVector]
    usage: OpenAiUsage


class ResponseItem(TypedDict):
    """What the model said, thought or called."""

    id: str
    type: Literal["message", "reasoning", "function_call"]
    status: str
    role: NotRequired[str]
    content: NotRequired[list[dict[str, Any]]]
    summary: NotRequired[list[Any]]
    call_id: NotRequired[str]
    name: NotRequired[str]
    arguments: NotRequired[str]


class CutShort(TypedDict):
    """Why a response is not complete."""

    reason: str


class ResponseUsage(TypedDict):
    """Tokens."""

    input_tokens: int
    input_tokens_details: dict[str, int]
    output_tokens: int
    output_tokens_details: dict[str, int]
    total_tokens: int


class OpenAiResponse(TypedDict):
    """OpenAI's ``response``."""

    id: str
    object: Literal["response"]
    created_at: int
    status: str
    error: None
    incomplete_details: CutShort | None
    instructions: str | None
    max_output_tokens: int | None
    model: str
    output: list[ResponseItem]
    parallel_tool_calls: bool
    previous_response_id: str | None
    store: bool
    temperature: float | None
    text: dict[str, Any]
    tool_choice: Any
    tools: list[Any]
    top_p: float | None
    truncation: str
    usage: ResponseUsage | None
    metadata: dict[str, Any]


class AnthropicBlock(TypedDict):
    """A piece of an answer: text, thinking, or the use of a tool."""

    type: Literal["text", "thinking", "tool_use"]
    text: NotRequired[str]
    thinking: NotRequired[str]
    signature: NotRequired[str]
    id: NotRequired[str]
    name: NotRequired[str]
    input: NotRequired[dict[str, Any]]


class AnthropicUsage(TypedDict):
    """Tokens."""

    input_tokens: int
    output_tokens: int


class OpenAiResponseGone(TypedDict):
    """A response that was forgotten."""

    id: str
    object: Literal["response"]
    deleted: bool


class OpenAiItems(TypedDict):
    """What a response answered, the last first."""

    object: Literal["list"]
    data: list[dict[str, Any]]
    has_more: bool
    first_id: NotRequired[str]
    last_id: NotRequired[str]


class AnthropicCount(TypedDict):
    """How long a prompt is."""

    input_tokens: int


class AnthropicMessage(TypedDict):
    """Anthropic's ``message``."""

    id: str
    type: Literal["message"]
    role: Literal["assistant"]
    model: str
    content: list[AnthropicBlock]
    stop_reason: str
    stop_sequence: None
    usage: AnthropicUsage


class OllamaFunction(TypedDict):
    """A function with its arguments."""

    name: str
    arguments: dict[str, Any]


class OllamaCall(TypedDict):
    """A call of one of the client's tools."""

    function: OllamaFunction


class OllamaMessage(TypedDict):
    """What the model said."""

    role: Literal["assistant"]
    content: str
    thinking: NotRequired[str]
    tool_calls: NotRequired[list[OllamaCall]]


class OllamaEnd(TypedDict):
    """What both of Ollama's answers have; counts, with times in nanoseconds, come with the last line."""

    model: str
    created_at: datetime
    done: bool
    done_reason: NotRequired[str]
    total_duration: NotRequired[int]
    load_duration: NotRequired[int]
    prompt_eval_count: NotRequired[int]
    prompt_eval_duration: NotRequired[int]
    eval_count: NotRequired[int]
    eval_duration: NotRequired[int]


class OllamaChat(OllamaEnd):
    """An answer to a chat, or a line of it."""

    message: OllamaMessage


class OllamaText(OllamaEnd):
    """An answer to a prompt, or a line of it."""

    response: str
    thinking: NotRequired[str]


class OllamaDetails(TypedDict):
    """Of what kind a model is."""

    parent_model: str
    format: str
    family: str
    families: list[str]
    parameter_size: str
    quantization_level: str


class OllamaModel(TypedDict):
    """A model on offer."""

    name: str
    model: str
    modified_at: datetime
    size: int
    digest: str
    details: OllamaDetails


class OllamaModels(TypedDict):
    """The models on offer."""

    models: list[OllamaModel]


class OllamaShown(TypedDict):
    """One model."""

    details: OllamaDetails
    model_info: dict[str, str | int]
    capabilities: list[str]
    license: str


class OllamaLoadedModel(TypedDict):
    """A model in memory."""

    name: str
    model: str
    size: int


class OllamaLoaded(TypedDict):
    """The models in memory."""

    models: list[OllamaLoadedModel]


class OllamaVectors(TypedDict):
    """A vector for each text."""

    model: str
    embeddings: list[list[float]]
    prompt_eval_count: int
    total_duration: int
    load_duration: int


class OllamaVector(TypedDict):
    """A vector."""

    embedding: list[float]


class OllamaVersion(TypedDict):
    """The version."""

    version: str


class Pong(TypedDict):
    """That the token is good; mem0's clients ask for an organization and a project."""

    status: str
    name: str
    org_id: str
    project_id: str
    user_email: None


class Mem0Event(library.MemoryEvent):
    """What became of a memory, with its text as it is now or was."""

    memory: str | None


class Mem0Added(TypedDict):
    """What adding came to; ``PENDING`` with the id to ask for it by."""

    results: list[Mem0Event]
    status: NotRequired[Literal["PENDING"]]
    event_id: NotRequired[str]


class Mem0Queued(TypedDict):
    """What became of messages that were queued."""

    status: Literal["PENDING", "SUCCEEDED", "FAILED"]
    event_id: str
    problem: str
    results: list[Mem0Event]


class Mem0Told(TypedDict):
    """That it is done."""

    message: str
    deleted: NotRequired[int]


class NamedThing(library.Entity):
    """A named person, place, organization or thing."""


class NamedThings(TypedDict):
    """The named things of a scope."""

    results: list[NamedThing]


class Joint(library.Relation):
    """Two named things, and what joins them."""


class Joints(TypedDict):
    """What joins a thing to others."""

    results: list[Joint]


class Entry(TypedDict):
    """An entry of a gateway."""

    id: str
    apiKeyId: str | None
    sessionId: str
    type: ItemType
    key: str
    content: str
    metadata: dict[str, Any]
    createdAt: datetime
    updatedAt: datetime
    expiresAt: datetime | None


class EntryFigures(TypedDict):
    """Figures of a gateway's entries."""

    total: int
    byType: dict[str, int]
    tokensUsed: int
    hitRate: float


class Entries(TypedDict):
    """A page of a gateway's entries, under both of the names that its programs know."""

    memories: list[Entry]
    data: list[Entry]
    stats: EntryFigures
    total: int
    page: int
    limit: int
    totalPages: int


class EntryWritten(TypedDict):
    """An entry as it was written."""

    success: Literal[True]
    id: str
    memory: Entry


class EntryGone(TypedDict):
    """That an entry is gone."""

    success: Literal[True]


class EntriesSummedUp(TypedDict):
    """What summaries stand for now, or would."""

    dryRun: bool
    candidates: list[Entry]
    totalTokens: int
    deletedCount: int
    summaryId: str | None
    summaryIds: list[str]


class GatewayOptions(TypedDict):
    """Settings of memory in OmniRoute's words."""

    enabled: bool
    maxTokens: int
    retentionDays: int
    strategy: Literal["hybrid", "semantic", "exact", "recent"]
    skillsEnabled: bool


class GatewayHealth(TypedDict):
    """That entries can be written, listed and forgotten."""

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
    """An entry that the copy knows, with its text from here."""

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
    """How many entries were taken out of the copy."""

    deletedCount: int
    retentionDays: int


class EmbeddingModel(TypedDict):
    """A model that can make the vectors."""

    value: str
    label: str


class EmbeddingModels(TypedDict):
    """The models that can make the vectors."""

    models: list[EmbeddingModel]
