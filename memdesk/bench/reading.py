"""``memdesk bench reading FILE...``: what is kept of labeled chats, and training of what is worth keeping.

A file is a labeled set (``tests/data/reading``). Prints the share of the facts worth keeping that are kept, and the
share of what is kept that was worth it, from reading alone: nothing is stored and compared. ``--train`` trains the
bundled model on the files and writes the shipped adapter.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final

from tqdm import tqdm

from memdesk.bench.adapting import Example, teach, write
from memdesk.bench.labeled import Figures, LabeledTurn, holds, load, measure
from memdesk.bench.learning import engines
from memdesk.bench.shared import loaded, tell, trainable
from memdesk.domain.reading.candidates import ASSISTANT, Candidate, Extraction, SourceTurn
from memdesk.domain.reading.durability import LASTS, TASK, Judge
from memdesk.domain.reading.extractor import extract, prepare
from memdesk.engines.nlp import SpacyAnalyzer

#: The date of labeled chats.
DAY: Final = date(2026, 11, 21)
USER: Final = "the user"
EPOCHS: Final = 3

Chat = Sequence[LabeledTurn]


class _Noting:
    """Keeps all but what is ``known``, whatever it is, and records the context of each piece."""

    def __init__(self, known: frozenset[str] = frozenset()) -> None:
        self._known = known
        self.told: dict[str, str] = {}

    def judge(self) -> Judge:
        return Judge(self._lasting, lambda _: {})

    def _lasting(self, piece: str, around: str) -> float:
        if piece in self._known:
            return 0.0
        self.told[piece] = around
        return 1.0


def turns_of(chat: Chat) -> list[SourceTurn]:
    """Return a labeled chat as turns."""
    return [
        SourceTurn(
            id=str(number),
            speaker=ASSISTANT if turn.assistant else USER,
            listener=USER if turn.assistant else ASSISTANT,
            text=turn.text,
            day=DAY,
            provenance="assistant" if turn.assistant else "user",
            own=not turn.assistant,
        )
        for number, turn in enumerate(chat)
    ]


def lines(analyzer: SpacyAnalyzer, chat: Chat) -> list[str]:
    """Return the lines that are kept of a labeled chat."""
    return [one.text for one in _kept(analyzer.extract(turns_of(chat)))]


def _kept(found: Extraction) -> list[Candidate]:
    return [one for one in found.candidates if one.lasts and not one.tentative]


def examples(analyzer: SpacyAnalyzer, chat: Chat) -> Iterator[Example]:
    """Yield the clauses of a labeled chat not excluded by structure, then sentences without a kept clause."""
    allowed = [words for turn in chat for words in (*turn.facts, *turn.fine)]
    turns = turns_of(chat)
    analyses = analyzer.analyze(prepare(turns))
    clauses = _Noting()
    yield from _noted(extract(turns, analyses, judge=clauses.judge()), clauses, allowed)
    sentences = _Noting(frozenset(clauses.told))
    yield from _noted(extract(turns, analyses, judge=sentences.judge()), sentences, allowed)


def _noted(found: Extraction, noting: _Noting, allowed: Sequence[str]) -> Iterator[Example]:
    for line in _kept(found):
        piece = line.statement.quote if line.statement is not None else ""
        if piece in noting.told:
            lasts = any(holds(line.text, words) for words in allowed)
            yield Example(piece, noting.told[piece], LASTS if lasts else 0)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0, or 2 when a file cannot be read."""
    options = trainable("reading", __doc__, "labeled chats").parse_args(argv)
    sets = loaded(options.files, load)
    if sets is None:
        return 2
    with engines() as lent:
        if options.train:
            chats = tqdm([chat for chats in sets.values() for chat in chats], desc="reading", file=sys.stderr)
            found = [example for chat in chats for example in examples(lent.analyzer, chat)]
            write(TASK, "reading", list(sets), teach(found, epochs=EPOCHS))
        _report(options, lent.analyzer, sets)
    return 0


def _report(options: argparse.Namespace, analyzer: SpacyAnalyzer, sets: dict[Path, list[list[LabeledTurn]]]) -> None:
    report: dict[str, Figures] = {
        path.stem: measure(chats, partial(lines, analyzer))
        for path, chats in tqdm(sets.items(), desc="measuring", file=sys.stderr)
    }
    tell(
        options,
        {
            name: {"recall": round(each.recall, 3), "precision": round(each.precision, 3)}
            for name, each in report.items()
        },
        lambda: (f"{name:28}{each.recall:7.3f}{each.precision:7.3f}" for name, each in report.items()),
    )
