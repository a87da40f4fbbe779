"""The one model call of a session: what is asked, by how much the model is trusted, and what came back."""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from memdesk.domain.candidates import Candidate, SourceTurn
from memdesk.domain.dates import say_day
from memdesk.domain.digest import (
    Choice,
    Digest,
    choice_schema,
    free_schema,
    merged,
    read_choice,
    read_digest,
)
from memdesk.domain.judging import Pair, pair_lines
from memdesk.domain.selection import may_be_pinned
from memdesk.domain.structured import UnusableAnswerError, find_json
from memdesk.domain.text import shorten
from memdesk.errors import CancelledError, ContextOverflowError
from memdesk.ports import CancelToken, ChatMessage, GenerationRequest, LanguageModel
from memdesk.settings.resources import resource_text

log = logging.getLogger(__name__)

#: Room for the answer: a written digest, and a choice of numbers.
DIGEST_TOKENS: Final = 700
CHOICE_TOKENS: Final = 40
#: Room for a model that thinks before it answers.
THINKING_TOKENS: Final = 2048
JUDGEMENT_TOKENS: Final = 50
#: Lines a weak model is shown: what it reads costs it most of its time.
SHOWN_LINES: Final = 8
SHOWN_CHARS: Final = 80
#: Windows are made smaller by this after the model refused one; then the extractor's digest stands.
SHRINK: Final = 0.6
SHRINKS: Final = 3


@cache
def prompts() -> dict[str, Any]:
    """Return ``resources/prompts/distil.toml``."""
    return tomllib.loads(resource_text("prompts", "distil.toml"))


@dataclass(slots=True)
class Asked:
    """A model's digest with what it cost."""

    calls: int = 0
    digest: Digest | None = None
    choice: Choice | None = None
    #: what the digest's judgements are of.
    pairs: tuple[Pair, ...] = ()


def choose(model: LanguageModel, lines: Sequence[Candidate], cancel: CancelToken | None) -> Asked:
    """Let a weak model pick among ``lines``; it cannot say anything else.

    Raises:
        CancelledError, EngineError: see ``LanguageModel.generate``.
        UnusableAnswerError: the answer was cut off.
    """
    shown = list(lines[:SHOWN_LINES])
    durable = [i for i, line in enumerate(shown, 1) if may_be_pinned(line)]
    texts = prompts()["chooses"]
    while True:
        listing = "\n".join(f"{i}. {shorten(line.text, SHOWN_CHARS)}" for i, line in enumerate(shown, 1))
        messages = (
            ChatMessage(role="system", content=texts["system"]),
            ChatMessage(role="user", content=texts["user"].format(lines=listing)),
        )
        if len(shown) <= 2 or model.count_tokens(messages) + CHOICE_TOKENS <= model.context_tokens:
            break
        shown.pop()
        durable = [i for i in durable if i <= len(shown)]
    data = _ask(model, messages, choice_schema(len(shown), durable), CHOICE_TOKENS, cancel)
    return Asked(calls=1, choice=read_choice(data, len(shown)))


def write(
    model: LanguageModel,
    turns: Sequence[SourceTurn],
    known: Sequence[str],
    cancel: CancelToken | None,
    answer_tokens: int = DIGEST_TOKENS,
    pairs: Sequence[Pair] = (),
) -> Asked:
    """Let a model that passed its self-test digest the session in its own words, and judge ``pairs`` in the same call.

    A session that does not fit is read in windows whose digests are merged; a single turn that does not fit is read
    in pieces. After a context error the windows get smaller, never the same again.

    Raises:
        ContextOverflowError: even small windows do not fit.
        CancelledError, EngineError, UnusableAnswerError: as in :func:`choose`.
    """
    answer_tokens += JUDGEMENT_TOKENS * len(pairs)
    room = float(model.context_tokens - answer_tokens)
    for attempt in range(SHRINKS + 1):
        asked = Asked(pairs=tuple(pairs))
        window: tuple[ChatMessage, ...] = ()
        try:
            digests = []
            # Pairs are judged once, where the session begins.
            for number, window in enumerate(windows(model, turns, known, int(room), pairs)):
                count = len(pairs) if number == 0 else 0
                data = _ask(model, window, free_schema(count), answer_tokens, cancel)
                asked.calls += 1
                digests.append(read_digest(data, count))
        except ContextOverflowError:
            if attempt == SHRINKS:
                raise
            room = SHRINK * min(room, model.count_tokens(window))
            continue
        asked.digest = merged(digests)
        return asked
    raise ContextOverflowError("The session does not fit the model's context.")


def windows(
    model: LanguageModel, turns: Sequence[SourceTurn], known: Sequence[str], room: int, pairs: Sequence[Pair] = ()
) -> list[tuple[ChatMessage, ...]]:
    """Cut a session into prompts of at most ``room`` tokens each, the first with ``pairs``; nothing is left out."""
    whole = written_prompt(turns, known, pairs)
    if model.count_tokens(whole) <= room:
        return [whole]
    overhead = model.count_tokens(written_prompt([], known, pairs))
    found: list[tuple[ChatMessage, ...]] = []
    batch: list[SourceTurn] = []
    size = overhead
    for turn in _pieces(turns, max(200, (room - overhead) * 2)):
        # Three characters a token is below what tokenizers make of chat in European languages.
        cost = len(turn.text) // 3 + len(turn.speaker) // 3 + 4
        if batch and size + cost > room:
            found.append(written_prompt(batch, known, pairs if not found else ()))
            batch, size = [], overhead
        batch.append(turn)
        size += cost
    if batch:
        found.append(written_prompt(batch, known, pairs if not found else ()))
    return found


def _pieces(turns: Sequence[SourceTurn], chars: int) -> list[SourceTurn]:
    found = []
    for turn in turns:
        text = turn.text
        found += [replace(turn, text=text[i : i + chars]) for i in range(0, max(1, len(text)), chars)]
    return found


def written_prompt(
    turns: Sequence[SourceTurn], known: Sequence[str], pairs: Sequence[Pair] = ()
) -> tuple[ChatMessage, ...]:
    """Return the prompt for a digest of ``turns`` and for decisions on ``pairs``."""
    texts = prompts()["writes"]
    speakers = list(dict.fromkeys(turn.speaker for turn in turns)) or ["the user"]
    user = next((turn.speaker for turn in turns if turn.provenance == "user"), "the user")
    transcript = "\n".join(f"{turn.speaker}: {turn.text}" for turn in turns)
    remembered = "Known already: " + " ".join(known) if known else ""
    judged = texts["judgements"].format(pairs=pair_lines(pairs)) if pairs else ""
    return (
        ChatMessage(role="system", content=texts["system"].format(user=user)),
        ChatMessage(
            role="user",
            content=texts["user"].format(
                date=say_day(turns[0].day) if turns else "",
                speakers=", ".join(speakers),
                known=remembered,
                transcript=transcript,
            )
            + judged,
        ),
    )


def _ask(
    model: LanguageModel,
    messages: tuple[ChatMessage, ...],
    schema: dict[str, Any],
    max_tokens: int,
    cancel: CancelToken | None,
) -> dict[str, Any]:
    request = GenerationRequest(
        messages=messages,
        max_tokens=max_tokens,
        thinking_tokens=THINKING_TOKENS,
        temperature=0.0,
        seed=1,
        json_schema=schema,
        priority="background",
    )
    parts: list[str] = []
    for chunk in model.generate(request, cancel=cancel):
        if cancel is not None and cancel.is_set():
            raise CancelledError("Distillation was cancelled.")
        parts.append(chunk.text)
    data = find_json("".join(parts))
    if not isinstance(data, dict):
        raise UnusableAnswerError("The model's answer is no JSON object.")
    return data
