"""``memdesk bench succession FILE...``: which earlier statements a message ends, by fields and by the fine-tuned model.

A file has labeled pairs of messages, people who tell much and later have news, or long chats whose later messages make
few of the earlier ones untrue (``tests/data/comparing/*.jsonl``).
Prints the share of each class that came out right: updates and reversals that end what they should, and others that end
nothing; by fields alone, and with the odds. ``--train`` trains the bundled model on the files and writes the shipped
adapter.
"""

import argparse
import random
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import numpy as np
from tqdm import tqdm

from memdesk.bench.adapting import Example, teach, write
from memdesk.bench.learning import Engines, Vectors, engines
from memdesk.bench.shared import loaded, rows_in, tell, trainable
from memdesk.domain.comparing.comparison import compare
from memdesk.domain.comparing.succession import AGAIN, ENDS, LANGUAGE, OVER, TASK
from memdesk.domain.comparing.tagging import TASK as TAGS
from memdesk.domain.language.text import one_line
from memdesk.domain.reading.candidates import ASSISTANT, Candidate, SourceTurn
from memdesk.domain.reading.extractor import prepare
from memdesk.settings.resources import resources_root

ENDING: Final = frozenset({"update", "reversal"})
CLASSES: Final = ("update", "reversal", "keep", "same")
#: Negatives: of the other known statements, the most similar and some at random.
NEAREST, AT_RANDOM = 3, 1
#: Of the negatives as many as this for each other example: with all there would be ten.
NEGATIVES: Final = 3
#: Cosine above which other people may mean the same thing, weight of such pairs, and index of the one used.
STRANGE, STRANGERS_COUNT, STRANGER = 0.6, 0.4, 2
EPOCHS: Final = 3
SEED: Final = 0


@dataclass(frozen=True, slots=True)
class Case:
    """A message with what its writer said before.

    Attributes:
        label: one of :data:`CLASSES`.
        known: the lines extracted from each earlier message.
        over, again: which of these it ends, and which it repeats.
        new: statements extracted from the message.
        sentences: of the message.
        told: text that a sentence with the news contains.
    """

    label: str
    known: tuple[tuple[Candidate, ...], ...]
    over: frozenset[int]
    again: frozenset[int]
    new: tuple[Candidate, ...]
    sentences: tuple[str, ...]
    told: re.Pattern[str]

    def telling(self) -> list[str]:
        """Return the sentences that may contain the news."""
        return [one for one in self.sentences if self.told.search(one)] or list(
            self.sentences[: len(self.sentences) < 2]
        )


def cases(lent: Engines, path: Path) -> list[Case]:
    """Return the English cases of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not such a file.
    """
    rows: list[dict[str, Any]] = rows_in(path)
    if rows and "told" in rows[0]:
        return [case for row in rows for case in _of_person(lent, row)]
    if rows and "chat" in rows[0]:
        return [case for _, chat in groupby(rows, itemgetter("chat")) for case in _of_chat(lent, chat)]
    english = [row for row in rows if row.get("language", LANGUAGE) == LANGUAGE]
    return [_of_pair(lent, row) for row in english if row["class"] in CLASSES]


def _of_person(lent: Engines, row: Mapping[str, Any]) -> Iterator[Case]:
    known = tuple(_read(lent, said)[0] for said in row["told"])
    for news in row["news"]:
        new, sentences = _read(lent, news)
        yield Case(
            news["how"],
            tuple(tuple(one for one in lines if not one.tentative) for lines in known),
            frozenset(news["ends"]),
            frozenset(news.get("again", ())),
            new,
            sentences,
            re.compile(re.escape(news["words"]), re.IGNORECASE),
        )


def _of_chat(lent: Engines, rows: Iterable[Mapping[str, Any]]) -> Iterator[Case]:
    """Yield a case for each message: what it ends or says again is also newer than all that this ended in its turn."""
    known: list[tuple[Candidate, ...]] = []
    before: list[frozenset[int]] = []  # earlier values of what each message says
    words: dict[int, str] = {}  # for what of a message is over
    values: list[str] = []  # the newest that each message gives, as far as it is known
    for row in rows:
        new, sentences = _read(lent, row)
        ends, again = ({number - 1 for number in row.get(key, ())} for key in ("over", "again"))
        words |= dict.fromkeys(ends, row.get("was", ""))
        over = frozenset(ends).union(*(before[place] for place in ends | again))
        value = row.get("is") or next((values[place] for place in again), "")
        yield Case(
            "update" if over else "same" if again else "keep",
            tuple(_naming(words[place], lines) if place in over else lines for place, lines in enumerate(known)),
            over,
            frozenset(again),
            new,
            sentences,
            re.compile(re.escape(value), re.IGNORECASE),
        )
        known.append(tuple(one for one in new if not one.tentative))
        before.append(over)
        values.append(value)


def _naming(words: str, lines: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Return the only line with these words; all, if several or none have them."""
    naming = tuple(one for one in lines if words.casefold() in f"{one.text} {one.quotes[0]}".casefold())
    return naming if len(naming) == 1 else lines


def _of_pair(lent: Engines, row: Mapping[str, Any]) -> Case:
    known = [one for one in _read(lent, row["said"][0])[0] if not one.tentative]
    new, sentences = _read(lent, row["said"][1])
    gone = re.compile("|".join(row.get("gone") or ()), re.IGNORECASE)
    current = row.get("current") or () if row["class"] == "update" else ()
    those = frozenset(place for place, one in enumerate(known) if gone.search(f"{one.text} {one.quotes[0]}"))
    return Case(
        row["class"],
        tuple((one,) for one in known),
        those if row["class"] in ENDING else frozenset(),
        those if row["class"] == "same" else frozenset(),
        new,
        sentences,
        re.compile("|".join(current), re.IGNORECASE),
    )


def _read(lent: Engines, said: Mapping[str, str]) -> tuple[tuple[Candidate, ...], tuple[str, ...]]:
    """Return the statements and the sentences of a message."""
    turn = SourceTurn(
        id="t",
        speaker="the user",
        listener=ASSISTANT,
        text=said["text"],
        day=date.fromisoformat(said["on"]),
        own=True,
    )
    analyses = lent.analyzer.analyze(prepare([turn]))
    found = lent.analyzer.extract([turn]).candidates
    sentences = (one_line(analyses[0].piece(begin, end)) for begin, end in analyses[0].sentences())
    return tuple(one for one in found if one.lasts and one.statement is not None), tuple(filter(None, sentences))


def examples(every: Sequence[Case], vectors: Vectors) -> Iterator[Example]:
    """Yield pairs of a known line and a sentence that ends it, repeats it, or does neither."""
    chance = random.Random(SEED)
    lines = list(dict.fromkeys(one.text for case in every for group in case.known for one in group))
    vectors.of([*lines, *(sentence for case in every for sentence in case.sentences)])  # at once: it is faster
    rows = vectors.of(lines)
    for case in tqdm(every, desc="pairing", file=sys.stderr):
        yield from _own(case, vectors, chance)
        for sentence in case.sentences:
            cosines = rows @ vectors.of([sentence])[0]
            strange = [i for i in np.argsort(-cosines)[: NEAREST + STRANGER] if cosines[i] < STRANGE]
            for place in strange[STRANGER : STRANGER + 1]:
                yield Example(lines[place], sentence, 0, STRANGERS_COUNT)


def _own(case: Case, vectors: Vectors, chance: random.Random) -> Iterator[Example]:
    places = [(place, one.text) for place, group in enumerate(case.known) for one in group]
    telling = case.telling()
    if not places or (
        case.label in ENDING and not case.over
    ):  # what it ends was not read: nothing is known of the others
        return
    texts = [text for _, text in places]
    for sentence in case.sentences:
        cosines = vectors.cosines(sentence, texts)
        near = {*np.argsort(-cosines)[:NEAREST].tolist(), *chance.sample(range(len(texts)), AT_RANDOM)}
        for number, (place, text) in enumerate(places):
            alone = len(case.known[place]) == 1  # with several lines, it is unknown which is meant
            if place in case.over:
                if alone and sentence in telling:
                    yield Example(text, sentence, OVER)
            elif place in case.again:
                if alone and sentence == max(case.sentences, key=lambda one: float(vectors.cosines(one, [text])[0])):
                    yield Example(text, sentence, AGAIN)
            elif number in near and (sentence in telling or case.label not in ENDING):
                yield Example(text, sentence, 0)


def balanced(every: Sequence[Example]) -> list[Example]:
    """Return the examples, of the negatives some at random."""
    negatives = [one for one in every if one.label == 0]
    others = [one for one in every if one.label != 0]
    return [*others, *random.Random(SEED).sample(negatives, min(len(negatives), NEGATIVES * len(others)))]


def outcomes(lent: Engines, every: Sequence[Case]) -> list[tuple[str, dict[str, bool]]]:
    """Return each case's class, and whether it came out right, by fields alone and with the odds in addition."""
    found = []
    for case in tqdm(every, desc="weighing", file=sys.stderr):
        proven = {place for place, group in enumerate(case.known) for one in group if _ended(case, one)}
        ends = {"fields": proven, "odds": proven or _likeliest(lent, case)}
        right = {name: bool(over & case.over) if case.label in ENDING else not over for name, over in ends.items()}
        found.append((case.label, right))
    return found


def shares(found: Sequence[tuple[str, dict[str, bool]]], name: str) -> dict[str, float]:
    """Return the share of each class that came out right."""
    by_class = {label: [right[name] for each, right in found if each == label] for label in CLASSES}
    return {label: round(sum(right) / len(right), 3) for label, right in by_class.items() if right}


def _ended(case: Case, known: Candidate) -> bool:
    """Whether fields prove that something of a message ends a known statement."""
    assert known.statement is not None
    return any(
        new.statement is not None and compare(new.statement, known.statement).outcome in ENDING for new in case.new
    )


def _likeliest(lent: Engines, case: Case) -> set[int]:
    asked = [
        (place, one.text, sentence)
        for sentence in case.sentences
        for place, group in enumerate(case.known)
        for one in group
    ]
    odds = lent.analyzer.weigh(TASK, [(text, sentence) for _, text, sentence in asked]) if asked else ()
    best = max(zip((row[OVER] for row in odds), (place for place, _, _ in asked), strict=True), default=(0.0, 0))
    return {best[1]} if best[0] >= ENDS else set()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0, or 2 when a file cannot be read."""
    options = trainable("succession", __doc__, "labeled pairs, or people with news").parse_args(argv)
    with engines() as lent:
        sets = loaded(tqdm(options.files, desc="reading", file=sys.stderr), partial(cases, lent))
        if sets is None:
            return 2
        if options.train:
            vectors = Vectors(lent.embedder)
            found = [one for each in sets.values() for one in examples(each, vectors)]
            tags = resources_root() / "models" / f"{TAGS}.safetensors"
            write(TASK, "succession", list(sets), teach(balanced(found), epochs=EPOCHS, start=tags))
        _report(options, lent, sets)
    return 0


def _report(options: argparse.Namespace, lent: Engines, sets: dict[Path, list[Case]]) -> None:
    report: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    told = {path.stem: outcomes(lent, each) for path, each in sets.items()}
    for stem, each in (*told.items(), ("all", [one for found in told.values() for one in found])):
        for name in ("fields", "odds"):
            report[stem][name] = shares(each, name)
    heading = f"{'':36}" + "".join(f"{label:>10}" for label in CLASSES)
    tell(
        options,
        report,
        lambda: [
            heading,
            *(
                f"{stem + ' ' + name:36}" + "".join(f"{right.get(label, float('nan')):10.3f}" for label in CLASSES)
                for stem, both in report.items()
                for name, right in both.items()
            ),
        ],
    )
