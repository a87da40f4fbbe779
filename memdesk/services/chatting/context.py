"""Fits a prompt into a model's context: the oldest exchanges go first, the latest never."""

import json
import math
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Final

from memdesk.domain.language.text import estimate_tokens
from memdesk.errors import ContextOverflowError
from memdesk.messages import say
from memdesk.ports import ChatMessage, LanguageModel
from memdesk.services.chatting.messages import ContextFit

#: Tokens reserved for an answer without a limit.
DEFAULT_ANSWER_TOKENS: Final = 512
#: With fewer tokens left than this, the prompt counts as too long.
LEAST_ANSWER_TOKENS: Final = 32
#: No tokenizer yields fewer than one token per this many characters of real text; used to refuse or trim
#: without counting what could never fit.
CHARS_PER_TOKEN_AT_MOST: Final = 16


def fit_context(
    model: LanguageModel,
    messages: Sequence[ChatMessage],
    *,
    max_tokens: int | None,
    tools: Sequence[dict[str, Any]] = (),
    part: float = 1.0,
) -> tuple[tuple[ChatMessage, ...], ContextFit, int | None]:
    """Drop the oldest exchanges until prompt and answer fit.

    Leading system messages and everything from the latest user message on are kept. An exchange is dropped as
    a whole, so no tool result is left without its call.

    Without ``max_tokens`` the answer's length is left to the model. Only ``part`` of the context is filled: less than 1
    after the model rejected a prompt that should have fit (a remote model's tokens are estimated).

    Returns:
        the messages, how they fit, and the answer's length limit.

    Raises:
        ContextOverflowError: even the system prompt and the latest message do not fit.
    """
    limit = int(model.context_tokens * part)
    head, exchanges, last = split_exchanges(messages)
    if limit <= 0:
        recent = exchanges[len(exchanges) - int(len(exchanges) * part) :]
        dropped = sum(len(exchange) for exchange in exchanges) - sum(len(exchange) for exchange in recent)
        return (
            _joined(head, recent, last),
            ContextFit(prompt_tokens=0, context_tokens=0, dropped_messages=dropped),
            max_tokens,
        )
    overhead = estimate_tokens(json.dumps(list(tools))) if tools else 0
    least = min(LEAST_ANSWER_TOKENS, max_tokens or LEAST_ANSWER_TOKENS)
    wanted = max(least, min(max_tokens or DEFAULT_ANSWER_TOKENS, limit // 4))
    room = limit - overhead - wanted
    if _chars([*head, *last]) > CHARS_PER_TOKEN_AT_MOST * limit:
        raise _too_long(limit)
    ends = list(accumulate(_chars(exchange) for exchange in exchanges))
    # By characters first, so that text that cannot fit is never sent for counting.
    excess = float(_chars([*head, *last]) + (ends[-1] if ends else 0) - CHARS_PER_TOKEN_AT_MOST * room)
    gone = _cut(ends, excess, room)
    kept = _joined(head, exchanges[gone:], last)
    count = model.count_tokens(kept)
    while count > room and gone < len(exchanges):
        excess = (count - room) * max(1, _chars(kept)) / count + (ends[gone - 1] if gone else 0)
        gone = max(gone + 1, _cut(ends, excess, room))
        kept = _joined(head, exchanges[gone:], last)
        count = model.count_tokens(kept)
    if count + overhead + least > limit:
        raise _too_long(limit)
    dropped = sum(len(exchange) for exchange in exchanges[:gone])
    answer = limit - count - overhead
    return (
        kept,
        ContextFit(prompt_tokens=count + overhead, context_tokens=limit, dropped_messages=dropped),
        max_tokens if max_tokens is None else min(max_tokens, answer),
    )


def split_exchanges(
    messages: Sequence[ChatMessage],
) -> tuple[list[ChatMessage], list[list[ChatMessage]], list[ChatMessage]]:
    """Split a prompt into leading system messages, earlier exchanges, and the latest exchange."""
    start = 0
    while start < len(messages) and messages[start].role == "system":
        start += 1
    exchanges: list[list[ChatMessage]] = []
    for message in messages[start:]:
        if message.role == "user" or not exchanges:
            exchanges.append([])
        exchanges[-1].append(message)
    last = exchanges.pop() if exchanges else []
    return list(messages[:start]), exchanges, last


def _cut(ends: Sequence[int], excess: float, room: int) -> int:
    """Return how many of the oldest exchanges to drop so that at least ``excess`` characters go.

    The cut moves in steps of about a quarter of the context, not with every message: between two steps the
    prompt begins with the same words, and the model need not read them again.

    Args:
        ends: characters up to the end of each exchange.
        excess: characters too many; 0 or less if nothing must go.
        room: tokens for the prompt; that many characters are a quarter of it.
    """
    if excess <= 0:
        return 0
    step = max(1, room)
    wanted = math.ceil(excess / step) * step
    return min(len(ends), bisect_left(ends, wanted) + 1)


def _joined(
    head: list[ChatMessage], exchanges: list[list[ChatMessage]], last: list[ChatMessage]
) -> tuple[ChatMessage, ...]:
    return (*head, *(message for exchange in exchanges for message in exchange), *last)


def _chars(messages: Sequence[ChatMessage]) -> int:
    return sum(len(message.content) for message in messages)


def _too_long(limit: int) -> ContextOverflowError:
    return ContextOverflowError(
        # Clients tell this error from others by its first words, which are Anthropic's.
        say(
            "The prompt is too long: message and system prompt do not fit this model's context of {limit} tokens.",
            limit=limit,
        )
    )
