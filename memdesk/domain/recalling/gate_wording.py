"""Tells by its wording which memory a question needs, as labeled prompts have taught it.

Logistic regressions on the words of a question, on parts of words, and on the kinds of its words
(``resources/gate/wording/kinds.toml``): "worüber haben wir gestern gesprochen" and "what did we talk about yesterday"
are the same row of kinds. ``memdesk bench gate FILE... --train`` learns the weights.
"""

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from memdesk.domain.language.data import all_stop_words
from memdesk.domain.models import Section

#: Stands for a known name.
NAME = "\u00a4"
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[?:!.\u00a6\u00a4]")
#: Of a long message the first and the last words are read: that is where people ask.
_HEAD, _TAIL = 48, 24
#: What a feature of each group counts before a question's features are brought to length one.
SCALES = {"1": 1.0, "2": 1.0, "c": 0.5, "s": 1.0, "a": 1.0}
#: Of the words at least this share must have been learned for the weights to have a say.
_KNOWN = 0.4


class Kinds:
    """The kinds of words.

    Args:
        table: words of each kind, in small letters, separated by blanks; ``stem*`` stands for any ending.
    """

    def __init__(self, table: Mapping[str, str]) -> None:
        self._words: dict[str, tuple[str, ...]] = {}
        self._stems: list[tuple[str, str]] = []
        for kind, words in table.items():
            for word in words.split():
                if word.endswith("*"):
                    self._stems.append((word[:-1], kind))
                else:
                    self._words[word] = tuple(dict.fromkeys((*self._words.get(word, ()), kind)))

    def of(self, word: str) -> tuple[str, ...]:
        """Return the kinds of a word, the chief one first; ``#`` and ``####`` for numbers and years."""
        known = self._words.get(word)
        if known is not None:
            return known
        if word.isdigit():
            return ("#" if len(word) < 4 else "####",)
        for stem, kind in self._stems:
            if word.startswith(stem):
                return (kind,)
        return ()

    def features(self, text: str) -> list[str]:
        """Return what a question is told by, each once.

        Args:
            text: in small letters, what is not the user's own words masked, names replaced by :data:`NAME`.
        """
        tokens = _TOKEN.findall(text)
        if len(tokens) > _HEAD + _TAIL:
            tokens = [*tokens[:_HEAD], *tokens[-_TAIL:]]
        return list(dict.fromkeys([*self._of_words(tokens), *self._of_kinds(tokens)]))

    def _of_words(self, tokens: Sequence[str]) -> list[str]:
        out = ["1:" + token for token in tokens]
        for token in tokens:
            # What is known by its kind tells nothing more by its letters.
            if len(token) > 3 and token not in all_stop_words() and not self.of(token):
                edged = f"<{token}>"
                out += ["c:" + edged[start : start + size] for size in (4, 5) for start in range(len(edged) - size + 1)]
        return out + [f"2:{left} {right}" for left, right in pairwise(["^", *tokens, "$"])]

    def _of_kinds(self, tokens: Sequence[str]) -> list[str]:
        row = ["^"]
        out = []
        for token in tokens:
            kinds = self.of(token)
            if kinds:
                row.append(kinds[0])
                out += ["a:" + other for other in kinds[1:]]
            else:
                row.append(token if token in all_stop_words() or not token.isalpha() else "_")
        row.append("$")
        for size in (1, 2, 3, 4):
            out += ["s:" + " ".join(row[start : start + size]) for start in range(len(row) - size + 1)]
        return out


class Wording:
    """Chooses a section by learned weights. Immutable, hence thread-safe.

    Args:
        kinds: the kinds of words.
        data: ``sections``, the ``languages`` it was taught, ``unit`` (what a weight of one is worth), ``bias`` and
            ``weights`` (by feature), one number for each section.
    """

    def __init__(self, kinds: Kinds, data: Mapping[str, Any]) -> None:
        self._kinds = kinds
        self._sections: tuple[Section, ...] = tuple(data["sections"])
        self.languages = frozenset(data["languages"])
        unit = float(data["unit"])
        self._bias = unit * np.array(data["bias"], dtype=np.float32)
        self._rows = {feature: row for row, feature in enumerate(data["weights"])}
        scales = np.array([SCALES[feature[0]] for feature in self._rows], dtype=np.float32)[:, None]
        numbers = np.array(list(data["weights"].values()), dtype=np.float32)
        # What a feature adds to the square of a question's length, then to each section.
        self._weights = np.hstack([scales**2, unit * scales * numbers])

    def names_only(self, text: str) -> bool:
        """Whether a message speaks of nothing but names: "tell me about" somebody; ``text`` as in :meth:`Kinds.features`."""
        return all(
            token in all_stop_words() or token == NAME or self._kinds.of(token) for token in _TOKEN.findall(text)
        )

    def choose(self, text: str) -> Section | None:
        """Return the most probable section; None when too few of the words were ever learned."""
        scores = self.scores(text)
        return None if scores is None else max(scores.items(), key=lambda item: item[1])[0]

    def scores(self, text: str) -> dict[Section, float] | None:
        """Return the log odds of every section; None when too few of the words were ever learned.

        Args:
            text: as in :meth:`Kinds.features`.
        """
        features = self._kinds.features(text)
        found = [row for row in map(self._rows.get, features) if row is not None]
        words = [feature for feature in features if feature[0] == "1"]
        known = sum(word in self._rows or word[2:] in all_stop_words() for word in words)
        if not (found and known) or known < _KNOWN * len(words):
            return None
        square, *sums = self._weights.take(found, axis=0).sum(axis=0).tolist()
        odds = self._bias + np.array(sums, dtype=np.float32) / math.sqrt(square)
        return dict(zip(self._sections, odds.tolist(), strict=True))
