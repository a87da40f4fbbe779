"""Finds the JSON in a model's answer. Pure; serves local and remote models alike."""

import re
from typing import Any

from memdesk.domain.chatting.thinking import without_thinking
from memdesk.domain.decoding import decode
from memdesk.errors import MemdeskError
from memdesk.messages import say

_FENCE = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\r?\n(.*?)```", re.DOTALL)
_CLOSERS = {"{": "}", "[": "]"}


class UnusableAnswerError(MemdeskError):
    """The model's answer contains no valid JSON. Asking again may give another answer."""

    code = "answer_unusable"
    title = say("The model gave no usable answer")
    default_hint = say("A larger model follows the format more reliably.")
    status = 502
    retryable = True


def find_json(text: str) -> Any:
    """Return the JSON value in an answer.

    Tried in order: the whole text, each fenced block, from the first brace or bracket to the last one that
    closes it, and the same with its end repaired (an answer cut off by a token limit).

    Raises:
        UnusableAnswerError: there is none.
    """
    text = without_thinking(text).strip().lstrip("\ufeff")
    for candidate in (text, *(block.strip() for block in _FENCE.findall(text)), *_braced(text)):
        value = _parse(candidate)
        if isinstance(value, (dict, list)):
            return value
    raise UnusableAnswerError(say("The model's answer holds no JSON."))


def close_json(text: str) -> str:
    """Close the strings, arrays and objects that are open at the end of ``text``, dropping a dangling piece."""
    cut, stack = _last_complete(text)
    return text[:cut].rstrip().rstrip(",") + "".join(_CLOSERS[opener] for opener in reversed(stack))


def _braced(text: str) -> list[str]:
    starts = [at for at in (text.find("{"), text.find("[")) if at >= 0]
    if not starts:
        return []
    start = min(starts)
    end = text.rfind(_CLOSERS[text[start]])
    candidates = [text[start : end + 1]] if end > start else []
    repaired = close_json(text[start:])
    # A lone brace in prose is not an answer.
    return [*candidates, repaired] if len(repaired) > 2 else candidates


def _parse(text: str) -> Any:
    try:
        return decode(text, strict=False)
    except ValueError:
        return None


def _last_complete(text: str) -> tuple[int, list[str]]:
    """Return where the last complete element ends, and which brackets are open there."""
    stack: list[str] = []
    in_string = escaped = False
    best: tuple[int, list[str]] = (0, [])
    for at, char in enumerate(text):
        if in_string:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                in_string = False
            continue
        if char == '"':
            in_string = True
        elif char in _CLOSERS:
            stack.append(char)
            best = (at + 1, list(stack))
        elif char in "}]" and stack:
            stack.pop()
            best = (at + 1, list(stack))
            if not stack:
                return best
        elif char == "," and stack:
            best = (at, list(stack))
    return best
