"""Chats in upstream servers' protocols: the messages, where memory goes, and the answer.

Bodies are for the upstream to validate: what is not understood here is left as it is.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from memdesk.api.dialects.parts import message_of
from memdesk.domain.chatting.images import Image
from memdesk.domain.decoding import list_in, number_in, object_in, text_in
from memdesk.domain.models import Role
from memdesk.errors import BadRequestError
from memdesk.ports import ChatMessage
from memdesk.services.chatting import Elsewhere

log = logging.getLogger(__name__)

_ROLES: Final[dict[Any, Role]] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
}


@dataclass(frozen=True, slots=True)
class Talk:
    """One protocol's chat.

    Attributes:
        key: the field with the messages, or with the text itself.
        heard: reads an answer, or an event of one: its text, and whether tools are called.
        words: the type of a text part.
    """

    key: str
    heard: Callable[[Any], tuple[str, bool]]
    words: str = "text"

    def messages(self, body: dict[str, Any]) -> Iterator[ChatMessage]:
        """Yield the messages, with images; tool results in a user's message are not text."""
        for message in self._given(body):
            role = _ROLES.get(message.get("role"))
            pieces = list(_pieces(message))
            if role is not None and (pieces or role != "user"):
                yield message_of(role, pieces)

    def with_memory(self, body: dict[str, Any], chat: Elsewhere) -> dict[str, Any]:
        """Return the body with the memory block before the text of the user's last message."""
        if chat.receipt is None or not chat.receipt.block:
            return body
        if isinstance(body[self.key], str):
            return body | {self.key: chat.wrap(body[self.key])}
        messages = list(body[self.key])
        last = max(n for n, each in enumerate(messages) if _is_users(each))
        content = messages[last].get("content")
        if isinstance(content, list):
            # Anthropic requires tool results first.
            at = next((n for n, part in enumerate(content) if text_in(part, "type") != "tool_result"), len(content))
            block = {"type": self.words, "text": chat.wrap("").rstrip()}
            content = [*content[:at], block, *content[at:]]
        else:
            content = chat.wrap(content or "")
        messages[last] = messages[last] | {"content": content}
        return body | {self.key: messages}

    def _given(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        said = body.get(self.key)
        if isinstance(said, str):
            return [{"role": "user", "content": said}] if said else []
        return [each for each in list_in(body, self.key) if isinstance(each, dict)]


def _is_users(message: Any) -> bool:
    return isinstance(message, dict) and message.get("role") == "user" and next(_pieces(message), None) is not None


def _pieces(message: dict[str, Any]) -> Iterator[str | Image]:
    content = message.get("content")
    if isinstance(content, str):
        yield content
    for part in list_in(message, "content"):
        if text_in(part, "type") in {"text", "input_text", "output_text"}:
            yield text_in(part, "text")
        elif text_in(part, "type") in {"image_url", "input_image", "image"}:
            shown = text_in(object_in(part, "image_url"), "url") or text_in(part, "image_url")
            yield from _picture(shown or text_in(object_in(part, "source"), "data"))
    for shown in list_in(message, "images"):
        yield from _picture(str(shown))


def _picture(shown: str) -> Iterator[Image]:
    try:
        yield Image.of(shown)
    except BadRequestError as error:
        log.info("a picture goes on that is not kept: %s", error)


def _chat(told: Any) -> tuple[str, bool]:
    """Read a completion, or a chunk; of several answers the first."""
    choices = [choice for choice in list_in(told, "choices") if number_in(choice, "index") == 0]
    said = [object_in(choice, "delta") or object_in(choice, "message") for choice in choices]
    return "".join(text_in(each, "content") for each in said), any(each.get("tool_calls") for each in said)


def _messages(told: Any) -> tuple[str, bool]:
    blocks = [*list_in(told, "content"), object_in(told, "content_block")]
    text = "".join(text_in(block, "text") for block in blocks) + text_in(object_in(told, "delta"), "text")
    return text, any(text_in(block, "type") == "tool_use" for block in blocks)


def _responses(told: Any) -> tuple[str, bool]:
    items = [*list_in(told, "output"), object_in(told, "item")]
    calls = any(text_in(item, "type") == "function_call" for item in items)
    if text_in(told, "type") == "response.output_text.delta":
        return text_in(told, "delta"), calls
    return "".join(text_in(part, "text") for item in items[:-1] for part in list_in(item, "content")), calls


def _ollama(told: Any) -> tuple[str, bool]:
    said = object_in(told, "message")
    return text_in(said, "content") + text_in(told, "response"), bool(said.get("tool_calls"))


CHAT: Final = Talk("messages", _chat)
MESSAGES: Final = Talk("messages", _messages)
RESPONSES: Final = Talk("input", _responses, words="input_text")
#: By the end of the path.
OLLAMA: Final = {"chat": Talk("messages", _ollama), "generate": Talk("prompt", _ollama)}
