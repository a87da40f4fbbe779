"""Recall rules of other systems, over pieces of 300 characters: BM25, vectors, and 0.7 cosine + 0.3 BM25 (OpenClaw)."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from memdesk.bench.recall_measure import Answer, Answered
from memdesk.bench.recall_talks import Ask, Talk
from memdesk.domain.language.dates import say_day
from memdesk.domain.language.text import content_words, one_line, stem
from memdesk.domain.recalling.ranking import bm25, inverse_frequency

#: Characters of a piece.
PIECE = 300
_CACHE = "pieces.npz"


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Pieces of a history, with data for both rankings: ``counts`` by stem, ``vectors`` of shape (n, dim) or None."""

    turns: list[str]
    lines: list[str]
    said: list[float]
    stems: list[list[str]]
    vectors: Any


def cut(text: str, size: int = PIECE) -> Iterator[str]:
    """Cut a text into pieces of at most ``size`` characters, at blanks where there are any."""
    rest = one_line(text)
    while len(rest) > size:
        at = rest.rfind(" ", size // 2, size)
        at = size if at < 0 else at
        yield rest[:at]
        rest = rest[at:].lstrip()
    if rest:
        yield rest


class Peers:
    """Answers by simple rules, in the same store's vector space.

    Args:
        embed: returns the vector of a question or a piece, shape (dim,); None for text only.
        cache: folder for vectors of pieces for the next run; None for no cache.
    """

    RULES: dict[str, Callable[[Any, Any], Any]] = {  # noqa: RUF012
        "BM25": lambda text, _: text,
        "vectors": lambda _, cosine: cosine,
        "0.7 vectors + 0.3 BM25": lambda text, cosine: 0.7 * cosine + 0.3 * text,
    }

    def __init__(self, embed: Callable[[str], Any], cache: Path | None) -> None:
        self._embed = embed
        self._cache = cache
        self._pieces: dict[str, _Pieces] = {}
        self._asked: dict[str, Any] = {}
        self._vectors: dict[str, Any] | None = None

    def answer(self, rule: str) -> Answer:
        """Return a rule: ranked pieces, each under its day and speaker, whole lines until the budget is full."""
        mix = self.RULES[rule]

        def answer(talk: Talk, question: Ask, budget: int) -> Answered:
            pieces = self._of(talk)
            text, cosine = self._scores(pieces, question)
            order = np.argsort(-mix(_of_best(text), _of_best(cosine)), kind="stable").tolist()
            lines, turns, used = [], [], 0
            limit = None if question.as_of is None else question.as_of.timestamp()
            for at in order:
                if limit is not None and pieces.said[at] > limit:
                    continue
                if used + len(pieces.lines[at]) + 1 > budget * 4:
                    break
                lines.append(pieces.lines[at])
                turns.append(pieces.turns[at])
                used += len(pieces.lines[at]) + 1
            return Answered("\n".join(lines), frozenset(turns), lines=len(lines))

        return answer

    def _scores(self, pieces: _Pieces, question: Ask) -> tuple[Any, Any]:
        wanted = list(dict.fromkeys(stem(word) for word in content_words(question.text))) or [""]
        counts = np.array([[one.count(root) for root in wanted] for one in pieces.stems], dtype=np.float32)
        held = (counts > 0).sum(axis=0)
        weight = np.array([inverse_frequency(int(count), len(counts)) for count in held], dtype=np.float32)
        lengths = np.array([len(one) for one in pieces.stems], dtype=np.float32)
        text = bm25(counts, lengths, weight)
        if question.text not in self._asked:
            self._asked[question.text] = self._embed(question.text)
        vector = self._asked[question.text]
        if vector is None or pieces.vectors is None:
            return text, np.zeros(len(text), dtype=np.float32)
        return text, pieces.vectors @ vector

    def _of(self, talk: Talk) -> _Pieces:
        if talk.name not in self._pieces:
            turns, lines, said, stems, texts = [], [], [], [], []
            for sitting in talk.sittings:
                for turn in sitting.turns:
                    for piece in cut(turn.text):
                        line = f"{say_day(sitting.date.date())} {turn.speaker or turn.role.capitalize()}: {piece}"
                        turns.append(turn.id)
                        lines.append(line)
                        said.append(sitting.date.timestamp())
                        stems.append([stem(word) for word in content_words(line)])
                        texts.append(line)
            self._pieces[talk.name] = _Pieces(turns, lines, said, stems, self._embedded(talk.name, texts))
        return self._pieces[talk.name]

    def _embedded(self, name: str, texts: Sequence[str]) -> Any:
        """Return vectors of shape (len(texts), dim), or None; each text is embedded once across histories."""
        known = self._known()
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        for text in tqdm(missing, desc=f"pieces of {name}", file=sys.stderr):
            vector = self._embed(text)
            if vector is None:
                return None
            known[text] = vector
        if missing and self._cache is not None:
            with (self._cache / _CACHE).open("wb") as file:
                np.savez(file, texts=np.array(list(known)), vectors=np.stack(list(known.values())).astype(np.float16))
        return np.stack([known[text] for text in texts]).astype(np.float32)

    def _known(self) -> dict[str, Any]:
        if self._vectors is None:
            self._vectors = {}
            file = None if self._cache is None else self._cache / _CACHE
            if file is not None and file.exists():
                with np.load(file) as kept:
                    self._vectors = dict(zip(kept["texts"].tolist(), kept["vectors"], strict=True))
        return self._vectors


def _of_best(values: Any) -> Any:
    return values / max(float(values.max(initial=0.0)), 1e-9)
