"""``memdesk bench reading FILE...``: what is kept of labeled chats, and the weights by which it is told.

A file is a labeled set (``tests/data/reading``). Printed are the share of the facts worth keeping that are kept, and the share
of what is kept that was worth it, as sentences are read: nothing is stored and compared. ``--leave-one-out`` judges
each file by what the others teach; ``--train`` writes the weights that ship, with what taught them.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

from tqdm import tqdm

from memdesk.bench.labeled import Figures, LabeledTurn, holds, load, measure
from memdesk.bench.learning import Analyze, Example, engines, learn, write
from memdesk.bench.shared import arguments, tell
from memdesk.domain.language.text import one_line
from memdesk.domain.language.tree import Tree
from memdesk.domain.reading.candidates import Candidate, SourceTurn
from memdesk.domain.reading.clauses import Clause
from memdesk.domain.reading.durability import (
    SCALES,
    Durability,
    Judge,
    Setting,
    durability,
    features,
    sentence_features,
)
from memdesk.domain.reading.extractor import ASSISTANT, extract, prepare
from memdesk.domain.reading.statements import Read

#: When labeled chats were said.
DAY: Final = date(2026, 11, 21)
USER: Final = "the user"

Chat = Sequence[LabeledTurn]


class _Noting:
    """Notes by what clauses and sentences are weighed, by their words; keeps every sentence, and the clauses that a judge keeps.

    Args:
        clauses: decides on clauses; None keeps all.
    """

    def __init__(self, clauses: Judge | None = None) -> None:
        self._clauses = clauses
        self.told: dict[str, frozenset[str]] = {}

    def lasts(self, clause: Clause, read: Read, setting: Setting) -> bool:
        if self._clauses is not None:
            return self._clauses.lasts(clause, read, setting)
        self.told[read.statement.quote] = features(clause, read, setting)
        return True

    def tells(self, tree: Tree, found: Sequence[Clause], setting: Setting) -> bool:
        if self._clauses is not None:
            self.told[one_line(tree.analysis.piece(tree.begin, tree.end))] = sentence_features(tree, found, setting)
        return self._clauses is not None


def kept(analyze: Analyze, chat: Chat, judge: Judge) -> list[Candidate]:
    """Return what is kept of a labeled chat."""
    turns = [
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
    found = extract(turns, analyze(prepare(turns)), judge=judge)
    return [one for one in found.candidates if one.lasts and not one.tentative]


def _lines(analyze: Analyze, judge: Judge, chat: Chat) -> list[str]:
    return [one.text for one in kept(analyze, chat, judge)]


def examples(analyze: Analyze, chats: Sequence[Chat], clauses: Judge | None = None) -> Iterator[Example]:
    """Yield the clauses of labeled chats that are weighed; given who judges these, the sentences of which none is kept."""
    for chat in chats:
        allowed = [words for turn in chat for words in (*turn.facts, *turn.fine)]
        noting = _Noting(clauses)
        for line in kept(analyze, chat, noting):
            told = noting.told.get(line.statement.quote) if line.statement is not None else None
            if told is not None:
                yield Example(told, any(holds(line.text, words) for words in allowed))


def teach(analyze: Analyze, sets: Sequence[Sequence[Chat]]) -> dict[str, Any]:
    """Return what :class:`Durability` reads, learned from labeled sets."""
    clauses = learn([example for chats in sets for example in examples(analyze, chats)], SCALES)
    silent = {"unit": 1.0, "bias": -1, "weights": {}}
    judge = Durability({"clauses": clauses, "sentences": silent})
    return {
        "clauses": clauses,
        "sentences": learn([example for chats in sets for example in examples(analyze, chats, judge)], SCALES),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0, or 2 when a file cannot be read."""
    parser = arguments("reading", __doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="file", help="labeled chats")
    parser.add_argument("--leave-one-out", action="store_true", help="judge each file by what the others teach")
    parser.add_argument("--train", action="store_true", help="learn from the files, and write the weights that ship")
    options = parser.parse_args(argv)
    try:
        sets = {path: load(path) for path in options.files}
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    with engines() as (analyze, _):
        _run(options, analyze, sets)
    return 0


def _run(options: argparse.Namespace, analyze: Analyze, sets: dict[Path, list[list[LabeledTurn]]]) -> None:
    if options.train:
        write("reading/durability.json", "reading", list(sets), teach(analyze, list(sets.values())))
        durability.cache_clear()
    report: dict[str, Figures] = {}
    for path, chats in tqdm(sets.items(), desc="reading", file=sys.stderr):
        others = [each for other, each in sets.items() if other != path]
        judge = Durability(teach(analyze, others)) if options.leave_one_out else durability()
        report[path.stem] = measure(chats, partial(_lines, analyze, judge))
    tell(
        options,
        {
            name: {"recall": round(each.recall, 3), "precision": round(each.precision, 3)}
            for name, each in report.items()
        },
        lambda: (f"{name:28}{each.recall:7.3f}{each.precision:7.3f}" for name, each in report.items()),
    )
