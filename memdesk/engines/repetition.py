"""Detects answers that keep repeating themselves."""

from typing import Final

#: Consecutive tokens that only repeat those one period earlier. A small model seldom leaves such a loop;
#: readers have long given up, and intended repetition (a ruler of dashes, a table of zeros) is shorter.
MOST_REPEATED_TOKENS: Final = 256
#: A loop counts after this many rounds, so that a long passage may be quoted again.
LEAST_PERIODS: Final = 4
#: This many equal tokens in a row suggest a period.
GRAM: Final = 4
#: Approximate letters per token.
LETTERS: Final = 4


class RepetitionGuard:
    """Follows the longest periodic tail of a sequence of tokens, or of letters, in constant time for each.

    Args:
        scale: units per token: :data:`LETTERS` for answers of unknown tokenization.
    """

    def __init__(self, scale: int = 1) -> None:
        self._most, self._gram = MOST_REPEATED_TOKENS * scale, GRAM * scale
        self._tokens: list[int | str] = []
        self._last_seen: dict[int, int] = {}
        self._period = 0
        self._run = 0

    def stuck(self, token: int | str) -> bool:
        """Add the next token; return whether the tail is a loop.

        The tail of length ``run`` has period ``p`` when each of its tokens equals the one ``p`` before it.
        """
        tokens = self._tokens
        tokens.append(token)
        at = len(tokens) - 1
        if self._period and tokens[at - self._period] == token:
            self._run += 1
        else:
            self._period = self._run = 0
        if at + 1 >= self._gram:
            # Its hash is enough for a guess.
            gram = hash(tuple(tokens[-self._gram :]))
            if not self._period and gram in self._last_seen:
                self._period, self._run = at - self._last_seen[gram], self._gram
            self._last_seen[gram] = at
        return self._run >= max(self._most, LEAST_PERIODS * self._period)
