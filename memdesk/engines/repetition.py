"""Notices when a model has begun to say the same thing over and over."""

from typing import Final

#: Tokens in a row that only repeat what stood one period before. A small model seldom leaves such a loop;
#: a reader has long given up, and wanted repetition (a ruler of dashes, a table of zeros) is shorter.
MOST_REPEATED_TOKENS: Final = 256
#: A loop counts after this many turns of it, so that a long passage may be quoted once more.
LEAST_PERIODS: Final = 4
#: So many equal tokens in a row suggest a period.
GRAM: Final = 4


class RepetitionGuard:
    """Follows the longest periodic tail of a token sequence, in constant time for each token."""

    def __init__(self) -> None:
        self._tokens: list[int] = []
        self._last_seen: dict[tuple[int, ...], int] = {}
        self._period = 0
        self._run = 0

    def stuck(self, token: int) -> bool:
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
        if at + 1 >= GRAM:
            gram = tuple(tokens[-GRAM:])
            if not self._period and gram in self._last_seen:
                self._period, self._run = at - self._last_seen[gram], GRAM
            self._last_seen[gram] = at
        return self._run >= max(MOST_REPEATED_TOKENS, LEAST_PERIODS * self._period)
