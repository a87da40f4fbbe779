"""Response bodies of OpenAI's protocol; its Responses API has its own folder."""

from typing import Final, Literal, NotRequired

from typing_extensions import TypedDict

from memdesk.api.shapes import Answers


class Called(TypedDict):
    """A function with its arguments as JSON text."""

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
    """Token counts."""

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


#: By method and path.
ANSWERS: Final[Answers] = {
    "POST /v1/chat/completions": ("events", ChatCompletion),
    "POST /v1/completions": ("events", TextCompletion),
    "GET /v1/models": ("one", OpenAiModels),
    "GET /v1/models/{model_id}": ("one", OpenAiModel),
    "POST /v1/embeddings": ("one", OpenAiVectors),
}
