"""Classifies by wording which memory a question needs, trained on labeled prompts.

Logistic regressions on the words of a question, on parts of words, and on word classes
(``resources/gate/wording/kinds.toml``): "worüber haben wir gestern gesprochen" and "what did we talk about yesterday"
are the same sequence of classes. ``memdesk bench gate FILE... --train`` trains the weights.
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
#: Of a long message only the first and the last words are read: that is where people ask.
_HEAD, _TAIL = 48, 24
#: The weight of a feature of each group before a question's features are normalized to length one.
SCALES = {"1": 1.0, "2": 1.0, "c": 0.5, "s": 1.0, "a": 1.0}
#: The weights are used only if at least this share of the words was seen in training.
_KNOWN = 0.4


class Kinds:
    """The word classes.

    Args:
        table: words of each class, in lower case, separated by spaces; ``stem*`` matches any ending.
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
        """Return the classes of a word, the main one first; ``#`` and ``####`` for numbers and years."""
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
        """Return the features of a question, each once.

        Args:
            text: in lower case, with what is not the user's own words masked, names replaced by :data:`NAME`.
        """
        tokens = _TOKEN.findall(text)
        if len(tokens) > _HEAD + _TAIL:
            tokens = [*tokens[:_HEAD], *tokens[-_TAIL:]]
        return list(dict.fromkeys([*self._of_words(tokens), *self._of_kinds(tokens)]))

    def _of_words(self, tokens: Sequence[str]) -> list[str]:
        out = ["1:" + token for token in tokens]
        for token in tokens:
            # A word with a class gains nothing from its letters.
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
    """Chooses a section by trained weights. Immutable, hence thread-safe.

    Args:
        kinds: the word classes.
        data: ``sections``, the ``languages`` it was trained on, ``unit`` (the value of a weight of one), ``bias`` and
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
        """Whether a message is only about names: "tell me about" somebody; ``text`` as in :meth:`Kinds.features`."""
        return all(
            token in all_stop_words() or token == NAME or self._kinds.of(token) for token in _TOKEN.findall(text)
        )

    def asks_who(self, text: str) -> bool:
        """Whether a message has a word that asks for a person."""
        return any("WHO" in self._kinds.of(token) for token in _TOKEN.findall(text))

    def choose(self, text: str) -> Section | None:
        """Return the most probable section; None if too few words were seen in training."""
        scores = self.scores(text)
        return None if scores is None else max(scores.items(), key=lambda item: item[1])[0]

    def scores(self, text: str) -> dict[Section, float] | None:
        """Return the log odds of every section; None if too few words were seen in training.

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
