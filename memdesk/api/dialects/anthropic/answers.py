"""What the routes in Anthropic's protocol answer, field by field."""

from typing import Any, Final, Literal, NotRequired

from typing_extensions import TypedDict

from memdesk.api.shapes import Answers


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
    stop_sequence: str | None
    usage: AnthropicUsage


#: By method and address.
ANSWERS: Final[Answers] = {
    "POST /v1/messages": ("events", AnthropicMessage),
    "POST /v1/messages/count_tokens": ("one", AnthropicCount),
}
