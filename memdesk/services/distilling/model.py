"""The one model call of a session: the prompt, according to the model's grade, and the answer."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from memdesk.domain.language.dates import say_day
from memdesk.domain.language.text import shorten
from memdesk.domain.reading.candidates import Candidate, SourceTurn
from memdesk.domain.reading.digest import Choice, Digest, choice_schema, free_schema, merged, read_choice, read_digest
from memdesk.domain.reading.judging import Pair, pair_lines
from memdesk.domain.reading.selection import may_be_pinned
from memdesk.domain.reading.structured import UnusableAnswerError, find_json
from memdesk.errors import CancelledError, ContextOverflowError
from memdesk.messages import say
from memdesk.ports import CancelToken, ChatMessage, GenerationRequest, LanguageModel, Usage
from memdesk.settings.prompts import distill_prompt, distill_prompts

log = logging.getLogger(__name__)

#: Tokens for the answer: a written digest, and a choice of numbers.
DIGEST_TOKENS: Final = 1000
CHOICE_TOKENS: Final = 40
#: Extra tokens for a thinking model.
THINKING_TOKENS: Final = 2048
JUDGMENT_TOKENS: Final = 50
#: Context size assumed if unknown.
UNSAID_TOKENS: Final = 4096
#: Lines shown to a weak model, whose time goes mostly into reading.
SHOWN_LINES: Final = 8
SHOWN_CHARS: Final = 80
#: Factors by which windows shrink after the model refused one; then the extractor's digest is used.
SHRINK: Final = 0.6
SHRINKS: Final = 3


@dataclass(slots=True)
class Asked:
    """A model's digest with its cost."""

    calls: int = 0
    tokens: int = 0
    digest: Digest | None = None
    choice: Choice | None = None
    #: the pairs that the digest's judgments refer to.
    pairs: tuple[Pair, ...] = ()


def choose(model: LanguageModel, lines: Sequence[Candidate], cancel: CancelToken | None) -> Asked:
    """Have a weak model choose among ``lines``; its answer is constrained to that.

    Raises:
        CancelledError, EngineError: see ``LanguageModel.generate``.
        UnusableAnswerError: the answer was cut off.
    """
    shown = list(lines[:SHOWN_LINES])
    durable = [i for i, line in enumerate(shown, 1) if may_be_pinned(line)]
    texts = distill_prompts()["chooses"]
    while True:
        listing = "\n".join(f"{i}. {shorten(line.text, SHOWN_CHARS)}" for i, line in enumerate(shown, 1))
        messages = (
            ChatMessage(role="system", content=texts["system"]),
            ChatMessage(role="user", content=texts["user"].format(lines=listing)),
        )
        if len(shown) <= 2 or model.count_tokens(messages) + CHOICE_TOKENS <= _context(model):
            break
        shown.pop()
        durable = [i for i in durable if i <= len(shown)]
    data, tokens = _ask(model, messages, choice_schema(len(shown), durable), CHOICE_TOKENS, cancel)
    return Asked(calls=1, tokens=tokens, choice=read_choice(data, len(shown)))


def write(
    model: LanguageModel,
    turns: Sequence[SourceTurn],
    known: Sequence[str],
    cancel: CancelToken | None,
    answer_tokens: int = DIGEST_TOKENS,
    pairs: Sequence[Pair] = (),
    own_prompt: str = "",
) -> Asked:
    """Have a model that passed its self-test digest the session in its own words, and judge ``pairs`` in the same call.

    ``own_prompt`` is the user's own text, used instead of the built-in one.

    A session that does not fit is read in windows whose digests are merged; a single turn that does not fit is read
    in pieces. After a context error the windows get smaller, never the same again.

    Raises:
        ContextOverflowError: even small windows do not fit.
        CancelledError, EngineError, UnusableAnswerError: as in :func:`choose`.
    """
    answer_tokens += JUDGMENT_TOKENS * len(pairs)
    room = float(_context(model) - answer_tokens)
    for attempt in range(SHRINKS + 1):
        asked = Asked(pairs=tuple(pairs))
        window: tuple[ChatMessage, ...] = ()
        try:
            digests = []
            # Pairs are judged once, where the session begins.
            numbered = _numbered(turns)
            for number, window in enumerate(windows(model, numbered, known, int(room), pairs, own_prompt)):
                count = len(pairs) if number == 0 else 0
                data, tokens = _ask(model, window, free_schema(count), answer_tokens, cancel)
                asked.calls += 1
                asked.tokens += tokens
                digests.append(read_digest(data, count))
        except ContextOverflowError:
            if attempt == SHRINKS:
                raise
            room = SHRINK * min(room, model.count_tokens(window))
            continue
        asked.digest = merged(digests)
        return asked
    raise ContextOverflowError(say("The session does not fit the model's context."))


def windows(
    model: LanguageModel,
    turns: Sequence[SourceTurn],
    known: Sequence[str],
    room: int,
    pairs: Sequence[Pair] = (),
    own_prompt: str = "",
) -> list[tuple[ChatMessage, ...]]:
    """Cut a session into prompts of at most ``room`` tokens each, the first with ``pairs``; nothing is left out."""
    whole = written_prompt(turns, known, pairs, own_prompt)
    if model.count_tokens(whole) <= room:
        return [whole]
    overhead = model.count_tokens(written_prompt([], known, pairs, own_prompt))
    found: list[tuple[ChatMessage, ...]] = []
    batch: list[SourceTurn] = []
    size = overhead
    for turn in _pieces(turns, max(200, (room - overhead) * 2)):
        # Tokenizers average more than three characters per token for chat in European languages.
        cost = len(turn.text) // 3 + len(turn.speaker) // 3 + 4
        if batch and size + cost > room:
            found.append(written_prompt(batch, known, pairs if not found else (), own_prompt))
            batch, size = [], overhead
        batch.append(turn)
        size += cost
    if batch:
        found.append(written_prompt(batch, known, pairs if not found else (), own_prompt))
    return found


def _numbered(turns: Sequence[SourceTurn]) -> list[SourceTurn]:
    """Put a turn's number before its speaker, so that statements can cite it."""
    return [replace(turn, speaker=f"[{number}] {turn.speaker}") for number, turn in enumerate(turns, 1)]


def _pieces(turns: Sequence[SourceTurn], chars: int) -> list[SourceTurn]:
    found = []
    for turn in turns:
        text = turn.text
        found += [replace(turn, text=text[i : i + chars]) for i in range(0, max(1, len(text)), chars)]
    return found


def written_prompt(
    turns: Sequence[SourceTurn], known: Sequence[str], pairs: Sequence[Pair] = (), own_prompt: str = ""
) -> tuple[ChatMessage, ...]:
    """Return the prompt for a digest of ``turns`` and for decisions on ``pairs``."""
    texts = distill_prompts()["writes"]
    names = {turn: turn.speaker.partition("] ")[2] or turn.speaker for turn in turns}
    speakers = list(dict.fromkeys(names.values())) or ["the user"]
    user = next((names[turn] for turn in turns if turn.provenance == "user"), "the user")
    transcript = "\n".join(f"{turn.speaker}: {turn.text}" for turn in turns)
    remembered = "Known already: " + " ".join(known) if known else ""
    judged = texts["judgments"].format(pairs=pair_lines(pairs)) if pairs else ""
    return (
        ChatMessage(role="system", content=distill_prompt(own_prompt).text.replace("{user}", user)),
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


def _context(model: LanguageModel) -> int:
    """Return how many tokens a model reads at once; reading in windows loses little."""
    return model.context_tokens or UNSAID_TOKENS


def _ask(
    model: LanguageModel,
    messages: tuple[ChatMessage, ...],
    schema: dict[str, Any],
    max_tokens: int,
    cancel: CancelToken | None,
) -> tuple[dict[str, Any], int]:
    """Return a model's answer, and the tokens it read and wrote, if it counts them."""
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
    usage = Usage()
    for chunk in model.generate(request, cancel=cancel):
        if cancel is not None and cancel.is_set():
            raise CancelledError(say("Distillation was cancelled."))
        parts.append(chunk.text)
        usage = chunk.usage or usage
    data = find_json("".join(parts))
    if not isinstance(data, dict):
        raise UnusableAnswerError(say("The model's answer is not a JSON object."))
    return data, usage.prompt_tokens + usage.completion_tokens
