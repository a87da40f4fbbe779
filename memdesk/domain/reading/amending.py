"""What was said so far in a session, as later sentences correct it: "no, I meant Tuesday", "scratch that"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memdesk.domain.language.text import content_words
from memdesk.domain.reading import corrections
from memdesk.domain.reading.candidates import SourceTurn
from memdesk.domain.reading.drafts import Draft
from memdesk.domain.reading.session import LeftOut

#: How many turns a correction may look back.
CORRECTED_BACK: Final = 8
#: Fewest content words of a line.
MIN_CONTENT: Final = 2


class SaidSoFar:
    """The drafts of each turn that was read.

    Args:
        turns: of the session.
        left_out: records what is dropped, and why.
    """

    def __init__(self, turns: Sequence[SourceTurn], left_out: LeftOut) -> None:
        self._turns, self._left_out = turns, left_out
        self.by_turn: list[list[Draft]] = []

    def amends(self, quote: str, turn: SourceTurn) -> bool:
        """Correct or drop what the speaker said before; return whether the sentence says nothing else."""
        correction = corrections.correction_in(quote)
        if correction is not None:
            self._correct(correction, turn, quote)
            return True
        size = corrections.retraction_in(quote)
        if size:
            self._take_back(turn)
        return size > 0 and len(content_words(quote[size:])) < MIN_CONTENT

    def _correct(self, correction: corrections.Correction, turn: SourceTurn, quote: str) -> None:
        """Put the intended words into the latest of the speaker's statements that they fit."""
        last = len(self.by_turn) - 1
        for number in range(last, max(-1, last - CORRECTED_BACK), -1):
            for draft in reversed(self.by_turn[number] if self._turns[number].speaker == turn.speaker else ()):
                line = corrections.corrected(draft.line, correction)
                if line:
                    draft.line = line
                    draft.spans = []
                    draft.elsewhere.append((turn.id, quote))
                    return
        self._left_out.note("corrects nothing")

    def _take_back(self, turn: SourceTurn) -> None:
        """Drop the speaker's latest statement, unless it is older than their previous turn."""
        own = [found for its, found in zip(self._turns, self.by_turn, strict=False) if its.speaker == turn.speaker]
        latest = next((found for found in reversed(own[-2:]) if found), None)
        if latest is not None:
            latest.pop()
            self._left_out.note("taken back")
