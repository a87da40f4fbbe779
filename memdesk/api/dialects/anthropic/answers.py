"""Response bodies of Anthropic's protocol."""

from typing import Any, Final, Literal, NotRequired

from typing_extensions import TypedDict

from memdesk.api.shapes import Answers


class AnthropicBlock(TypedDict):
    """A content block: text, thinking, or a tool call."""

    type: Literal["text", "thinking", "tool_use"]
    text: NotRequired[str]
    thinking: NotRequired[str]
    signature: NotRequired[str]
    id: NotRequired[str]
    name: NotRequired[str]
    input: NotRequired[dict[str, Any]]


class AnthropicUsage(TypedDict):
    """Token counts."""

    input_tokens: int
    output_tokens: int


class AnthropicCount(TypedDict):
    """The tokens of a prompt."""

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


#: By method and path.
ANSWERS: Final[Answers] = {
    "POST /v1/messages": ("events", AnthropicMessage),
    "POST /v1/messages/count_tokens": ("one", AnthropicCount),
}
