"""Answers that say the same over and over."""

from typing import Final

#: Tokens in a row that only repeat what stood one period before. A small model seldom leaves such a loop;
#: a reader has long given up, and wanted repetition (a ruler of dashes, a table of zeros) is shorter.
MOST_REPEATED_TOKENS: Final = 256
#: A loop counts after this many turns of it, so that a long passage may be quoted once more.
LEAST_PERIODS: Final = 4
#: So many equal tokens in a row suggest a period.
GRAM: Final = 4
#: Letters of a token, about.
LETTERS: Final = 4


class RepetitionGuard:
    """Follows the longest periodic tail of a sequence of tokens, or of letters, in constant time for each.

    Args:
        scale: how many of what it is told make a token: :data:`LETTERS`, of an answer whose tokens nobody here knows.
    """

    def __init__(self, scale: int = 1) -> None:
        self._most, self._gram = MOST_REPEATED_TOKENS * scale, GRAM * scale
        self._tokens: list[int | str] = []
        self._last_seen: dict[int, int] = {}
        self._period = 0
        self._run = 0

    def stuck(self, token: int | str) -> bool:
        """Take in the next token; return whether the tail is a loop by now.

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
            # Its hash is enough for a guess, and small.
            gram = hash(tuple(tokens[-self._gram :]))
            if not self._period and gram in self._last_seen:
                self._period, self._run = at - self._last_seen[gram], self._gram
            self._last_seen[gram] = at
        return self._run >= max(self._most, LEAST_PERIODS * self._period)
