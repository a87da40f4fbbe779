"""One session as its readers share it: its turns, parsed if a parser knows their language, and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from memdesk.domain.language.analysis import Analysis, plain
from memdesk.domain.language.mending import mended
from memdesk.domain.language.tell import language_of, leading
from memdesk.domain.reading import noise
from memdesk.domain.reading.candidates import ASSISTANT, SourceTurn
from memdesk.domain.reading.wording import is_foreign, names_in

#: How many turns the language of a session is detected from.
SHOWN_TURNS: Final = 20


class LeftOut:
    """Why parts were left out, in the order in which turns and their sentences are read."""

    def __init__(self) -> None:
        self._notes: list[tuple[int, int | None, str]] = []
        self._turn = -1

    def next_turn(self) -> None:
        self._turn += 1

    def note(self, reason: str, token: int | None = None) -> None:
        """Note why the clause at a token of the turn is left out; without a token it concerns no part of this turn."""
        self._notes.append((self._turn, token, reason))

    def by_reason(self) -> dict[str, int]:
        """Return how often each reason was noted."""
        return dict(Counter(reason for *_, reason in self._notes))

    def last_reason(self, turn: int, begin: int, end: int) -> str | None:
        """Return the last reason noted for tokens of a turn."""
        its = (
            why for of, token, why in reversed(self._notes) if of == turn and token is not None and begin <= token < end
        )
        return next(its, None)


@dataclass(frozen=True, slots=True)
class Session:
    """The turns of a session.

    Attributes:
        turns: in order.
        analyses: one per turn, corrected if addressed to an assistant.
        foreign: whether each is in another language than the parser's.
        language: of what people say in it.
        languages: several if words alone do not decide.
        left_out: why parts of it were left out.
        names: how often each ``(name, type)`` was mentioned.
    """

    turns: Sequence[SourceTurn]
    analyses: Sequence[Analysis]
    foreign: Sequence[bool]
    language: str
    languages: Sequence[str]
    left_out: LeftOut = field(default_factory=LeftOut)
    names: Counter[tuple[str, str]] = field(default_factory=Counter)

    def count_names(self, number: int) -> None:
        """Count the names in a turn."""
        analysis = self.analyses[number]
        self.names.update(names_in(analysis, 0, len(analysis.tokens)))


def session_of(turns: Sequence[SourceTurn], analyses: Sequence[Analysis], spoken: str) -> Session:
    """Return a session.

    Args:
        turns: in order.
        analyses: one per turn.
        spoken: the language of earlier sessions, for words that could be of several.
    """
    said = _said_to_assistant(turns)
    language, found = language_of(said, spoken), leading(said)
    foreign = [_is_foreign(turn, each, language) for turn, each in zip(turns, analyses, strict=True)]
    read = [_readable(turn, each, other) for turn, each, other in zip(turns, analyses, foreign, strict=True)]
    return Session(turns, read, foreign, language, [spoken] if spoken in found else found)


def _said_to_assistant(turns: Sequence[SourceTurn]) -> str:
    """Return what people say in a chat with an assistant, to detect its language: short turns alone are not enough."""
    return "\n".join(noise.clean(turn.text[:400]).text for turn in turns[:SHOWN_TURNS] if turn.listener == ASSISTANT)


def _is_foreign(turn: SourceTurn, analysis: Analysis, language: str) -> bool:
    if language != "en" and ASSISTANT in {turn.listener, turn.speaker}:
        return language_of(analysis.text, language) != "en"
    return is_foreign(analysis.text)


def _readable(turn: SourceTurn, analysis: Analysis, foreign: bool) -> Analysis:
    if foreign and analysis.parsed:
        return plain(analysis.text)  # an English parser is useless for other languages
    return mended(analysis) if turn.listener == ASSISTANT else analysis
