"""Response bodies of OpenAI's Responses API."""

from typing import Any, Final, Literal, NotRequired

from typing_extensions import TypedDict

from memdesk.api.shapes import Answers


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
    """Why a response is incomplete."""

    reason: str


class ResponseUsage(TypedDict):
    """Token counts."""

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


class OpenAiResponseGone(TypedDict):
    """A response that was forgotten."""

    id: str
    object: Literal["response"]
    deleted: bool


class OpenAiCount(TypedDict):
    """The tokens of a prompt."""

    object: Literal["response.input_tokens"]
    input_tokens: int


class OpenAiItems(TypedDict):
    """The output items of a response, last first."""

    object: Literal["list"]
    data: list[dict[str, Any]]
    has_more: bool
    first_id: NotRequired[str]
    last_id: NotRequired[str]


#: By method and path.
ANSWERS: Final[Answers] = {
    "POST /v1/responses": ("events", OpenAiResponse),
    "GET /v1/responses/{response_id}": ("one", OpenAiResponse),
    "DELETE /v1/responses/{response_id}": ("one", OpenAiResponseGone),
    "POST /v1/responses/input_tokens": ("one", OpenAiCount),
    "GET /v1/responses/{response_id}/input_items": ("one", OpenAiItems),
}
