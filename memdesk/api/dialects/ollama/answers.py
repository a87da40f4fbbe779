"""Response bodies of Ollama's protocol."""

from datetime import datetime
from typing import Any, Final, Literal, NotRequired

from typing_extensions import TypedDict

from memdesk.api.shapes import Answers


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
    """Fields of both answers; counts, and times in nanoseconds, come with the last line."""

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
    """A model's kind."""

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
    digest: str


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


#: By method and path.
ANSWERS: Final[Answers] = {
    "POST /api/chat": ("lines", OllamaChat),
    "POST /api/generate": ("lines", OllamaText),
    "GET /api/tags": ("one", OllamaModels),
    "POST /api/show": ("one", OllamaShown),
    "GET /api/ps": ("one", OllamaLoaded),
    "POST /api/embed": ("one", OllamaVectors),
    "POST /api/embeddings": ("one", OllamaVector),
    "GET /api/version": ("one", OllamaVersion),
}
