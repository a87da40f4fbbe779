"""``memdesk bench succession FILE...``: what a new statement ends of what was said before, by fields and by learned odds.

A file holds labeled pairs of messages (``tests/data/comparing/*.jsonl``). Printed is the share of each class that came out right: of
updates and reversals those that end what they should, of the others those that end nothing; by fields alone, and with the odds.
``--train`` writes the weights that ship, with what taught them.
"""

import argparse
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

import numpy as np

from memdesk.bench.learning import Analyze, Embed, Example, engines, learn, write
from memdesk.bench.shared import arguments, tell
from memdesk.bench.updates import load_pairs
from memdesk.domain.comparing.comparison import compare
from memdesk.domain.comparing.succession import ENDS, LANGUAGE, SCALES, Succession, features, succession
from memdesk.domain.reading.candidates import Candidate, SourceTurn
from memdesk.domain.reading.extractor import ASSISTANT, extract, prepare

ENDING: Final = frozenset({"update", "reversal"})
CLASSES: Final = ("update", "reversal", "keep", "same")
#: Pairs of statements of different people: what next to always ends nothing. For each new one the likest, and so many at random in all.
NEAREST, AT_RANDOM = 4, 25_000
#: Above this cosine strangers may well speak of the same thing; what each of the others counts.
STRANGE, STRANGERS_COUNT = 0.6, 0.2
#: Features of fewer pairs tell little of the next.
LEAST_SEEN: Final = 3
SEED: Final = 0


@dataclass(frozen=True, slots=True)
class Pair:
    """A labeled pair of messages with what was read of each."""

    row: dict[str, Any]
    known: tuple[Candidate, ...]
    new: tuple[Candidate, ...]


def read_pairs(analyze: Analyze, path: Path) -> list[Pair]:
    rows = [row for row in load_pairs(path) if row.get("language", LANGUAGE) == LANGUAGE]
    return [
        Pair(
            row,
            tuple(one for one in _read(analyze, row["said"][0]) if not one.tentative),
            tuple(_read(analyze, row["said"][1])),
        )
        for row in rows
    ]


def _read(analyze: Analyze, said: dict[str, str]) -> list[Candidate]:
    turn = SourceTurn(
        id="t",
        speaker="the user",
        listener=ASSISTANT,
        text=said["text"],
        day=date.fromisoformat(said["on"]),
        own=True,
    )
    found = extract([turn], analyze(prepare([turn]))).candidates
    return [one for one in found if one.lasts and one.statement is not None]


def ended(new: Candidate, known: Candidate) -> bool:
    """Return whether fields prove that a statement ends another."""
    return _compared(new, known) in ENDING


def _compared(new: Candidate, known: Candidate) -> str:
    assert new.statement is not None
    assert known.statement is not None
    return compare(new.statement, known.statement).outcome


class Likeness:
    """Cosines of lines; each is embedded once."""

    def __init__(self, embed: Embed, texts: Sequence[str]) -> None:
        unique = sorted(set(texts), key=len)
        self._places = {text: place for place, text in enumerate(unique)}
        self._vectors = embed(unique)

    def __call__(self, left: str, right: str) -> float:
        return float(self._vectors[self._places[left]] @ self._vectors[self._places[right]])

    def nearest(self, text: str, others: Sequence[str], count: int) -> list[int]:
        """Return the places of the likest of others."""
        rows = self._vectors[[self._places[other] for other in others]]
        return [int(place) for place in np.argsort(-(rows @ self._vectors[self._places[text]]))[:count]]


def labeled(pair: Pair) -> Iterator[tuple[Candidate, Candidate, bool]]:
    """Yield new and known statements of a pair with whether the one ends the other, where the label tells."""
    ends = pair.row["class"] in ENDING
    gone, current = (
        [re.compile(one, re.IGNORECASE) for one in pair.row.get(name) or ()] for name in ("gone", "current")
    )
    for known in pair.known:
        for new in pair.new:
            of_it = not gone or any(one.search(f"{known.text} {known.quotes[0]}") for one in gone)
            told = pair.row["class"] != "update" or any(one.search(f"{new.text} {new.quotes[0]}") for one in current)
            if not ends or (of_it and told):
                yield new, known, ends


def teach(pairs: Sequence[Pair], likeness: Likeness) -> dict[str, Any]:
    """Return what :class:`Succession` reads."""
    told = [(new, known, ends, 1.0) for pair in pairs for new, known, ends in labeled(pair)]
    told += [(new, known, False, STRANGERS_COUNT) for new, known in _strangers(pairs, likeness)]
    return {
        name: learn(
            [
                Example(
                    _features(new, known, likeness(new.text, known.text) if name == "vectors" else None), ends, counts
                )
                for new, known, ends, counts in told
            ],
            SCALES,
            least=LEAST_SEEN,
        )
        for name in ("vectors", "words")
    }


def _strangers(pairs: Sequence[Pair], likeness: Likeness) -> Iterator[tuple[Candidate, Candidate]]:
    chance = random.Random(SEED)
    known, new = ([one for pair in pairs for one in getattr(pair, side)] for side in ("known", "new"))
    texts = [one.text for one in known]
    chosen = [(one, known[at]) for one in new for at in chance.sample(likeness.nearest(one.text, texts, 12), NEAREST)]
    chosen += [(chance.choice(new), chance.choice(known)) for _ in range(AT_RANDOM)]
    for one, other in chosen:
        if _compared(one, other) == "unrelated" and likeness(one.text, other.text) < STRANGE:
            yield one, other


def _features(new: Candidate, known: Candidate, cosine: float | None) -> frozenset[str]:
    assert new.statement is not None
    assert known.statement is not None
    return features(new.statement, known.statement, (new.text, known.text), cosine)


def measure(pairs: Sequence[Pair], likeness: Likeness, judge: Succession | None) -> dict[str, float]:
    """Return the share of each class that came out right; by fields alone where there is no judge."""
    right, count = Counter[str](), Counter[str]()
    for pair in pairs:
        label = pair.row["class"]
        over = any(
            ended(new, known) or _likely(new, known, likeness, judge) for new in pair.new for known in pair.known
        )
        count[label] += 1
        right[label] += over == (label in ENDING)
    return {label: round(right[label] / count[label], 3) for label in CLASSES if count[label]}


def _likely(new: Candidate, known: Candidate, likeness: Likeness, judge: Succession | None) -> bool:
    if judge is None or new.statement is None or known.statement is None or _compared(new, known) != "unrelated":
        return False
    cosine = likeness(new.text, known.text)
    return judge.probability(new.statement, known.statement, (new.text, known.text), cosine) >= ENDS


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0, or 2 when a file cannot be read."""
    parser = arguments("succession", __doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="file", help="labeled pairs")
    parser.add_argument("--train", action="store_true", help="learn from the files, and write the weights that ship")
    options = parser.parse_args(argv)
    with engines() as (analyze, embed):
        try:
            sets = {path: read_pairs(analyze, path) for path in options.files}
        except (OSError, ValueError) as error:
            sys.stderr.write(f"{error}\n")
            return 2
        every = [pair for pairs in sets.values() for pair in pairs]
        likeness = Likeness(embed, [one.text for pair in every for one in (*pair.known, *pair.new)])
        if options.train:
            write("comparing/succession.json", "succession", list(sets), teach(every, likeness))
            succession.cache_clear()
        _report(options, sets, likeness)
    return 0


def _report(options: argparse.Namespace, sets: dict[Path, list[Pair]], likeness: Likeness) -> None:
    report: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    every = [pair for pairs in sets.values() for pair in pairs]
    for path, pairs in (*sets.items(), (Path("all"), every)):
        for name, judge in (("fields", None), ("odds", succession())):
            report[path.stem][name] = measure(pairs, likeness, judge)
    heading = f"{'':36}" + "".join(f"{label:>10}" for label in CLASSES)
    tell(
        options,
        report,
        lambda: [
            heading,
            *(
                f"{stem + ' ' + name:36}" + "".join(f"{shares.get(label, float('nan')):10.3f}" for label in CLASSES)
                for stem, both in report.items()
                for name, shares in both.items()
            ),
        ],
    )
