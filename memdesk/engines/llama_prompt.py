"""Renders a chat with a model's own template, and reports whether that opens the model's thinking."""

from collections.abc import Sequence
from typing import Any

from llama_cpp import llama_chat_format

from memdesk.domain.chatting.thinking import TAGS, opened_in
from memdesk.engines import toolcalls
from memdesk.errors import BadRequestError, EngineError
from memdesk.messages import say


class ChatPrompt:
    """A model's chat template (Jinja, as in its ``tokenizer.chat_template``).

    Args:
        template: its text; ChatML if empty.
        bos_token, eos_token: texts of the tokens that it may use.
        opening: opening messages of a chat without a system message; may be empty.

    Raises:
        EngineError: the template is invalid.
    """

    def __init__(
        self, template: str, *, bos_token: str = "", eos_token: str = "", opening: Sequence[dict[str, Any]] = ()
    ) -> None:
        self.knows_tools = "tools" in template
        self._opening = list(opening)
        # A template is foreign code: it may fail in any way, here and when rendered.
        try:
            self._render: Any = llama_chat_format.Jinja2ChatFormatter(
                template=template or llama_chat_format.CHATML_CHAT_TEMPLATE, eos_token=eos_token, bos_token=bos_token
            )
        except Exception as error:
            raise EngineError(say("The model's chat template cannot be used: {error}", error=error)) from error

    def render(
        self, messages: list[dict[str, Any]], tools: list[dict[str, Any]], *, at_once: bool = False
    ) -> tuple[str, str]:
        """Return the prompt, and the tag of ``thinking.TAGS`` that it leaves open, if the answer begins with thinking.

        This depends on the end of the prompt, not the template's text: DeepSeek-R1 and QwQ always open one there, some
        models none after a tool's answer, and Qwen3 lets the model open it.

        Args:
            messages: as in OpenAI's API.
            tools: the same; described in text for templates without tools.
            at_once: the answer leaves no room to think: the model is told not to think, or that it already has.

        Raises:
            BadRequestError: the template refuses the messages.
        """
        if messages[0]["role"] != "system":
            messages = [*self._opening, *messages]
        if tools and not self.knows_tools:
            messages = _with_system(messages, toolcalls.instructions(tools))
            tools = []
        if not self.knows_tools:
            messages = [_as_plain(message) for message in messages]
        # Qwen3, GLM and others then write empty thinking into the prompt, as in their training. Left out otherwise: the
        # model's default is its own choice.
        choice: dict[str, Any] = {"enable_thinking": False} if at_once else {}
        try:
            prompt = self._rendered(messages, tools=tools or None, **choice)
        except Exception as error:
            raise BadRequestError(
                say("The model's chat template refuses these messages: {error}", error=error)
            ) from error
        opened = opened_in(prompt)
        if opened and at_once:
            return f"{prompt.rstrip()}\n\n{TAGS[opened]}\n\n", ""
        return prompt, opened

    def _rendered(self, messages: list[dict[str, Any]], **more: Any) -> str:
        """Render messages; if the template refuses or drops the system message, it goes into the first user message."""
        told = _spoken_first(messages)
        prompt = ""
        try:
            prompt = str(self._render(messages=messages, **more).prompt)
        except Exception:
            if told == messages:
                raise
        if told == messages or messages[0]["content"].strip() in prompt:
            return prompt
        return str(self._render(messages=told, **more).prompt)


def _spoken_first(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return messages with the system text moved to the start of the first user message, if there are both."""
    first = next((at for at, message in enumerate(messages) if message["role"] == "user"), None)
    if first is None or messages[0]["role"] != "system" or not messages[0]["content"].strip():
        return messages
    words = f"{messages[0]['content']}\n\n{messages[first]['content']}"
    return [*messages[1:first], {**messages[first], "content": words}, *messages[first + 1 :]]


def _with_system(messages: list[dict[str, Any]], text: str) -> list[dict[str, Any]]:
    if messages and messages[0]["role"] == "system":
        first = {**messages[0], "content": f"{messages[0]['content']}\n\n{text}"}
        return [first, *messages[1:]]
    return [{"role": "system", "content": text}, *messages]


def _as_plain(message: dict[str, Any]) -> dict[str, Any]:
    """Turn tool traffic into text for a template that knows only system, user and assistant."""
    if message["role"] == "tool":
        return {"role": "user", "content": f"<tool_response>{message['content']}</tool_response>"}
    if message.get("tool_calls"):
        calls = "".join(
            f'<tool_call>{{"name": "{call["function"]["name"]}", "arguments": {call["function"]["arguments"]}}}</tool_call>'
            for call in message["tool_calls"]
        )
        return {"role": message["role"], "content": f"{message.get('content') or ''}{calls}"}
    return message
