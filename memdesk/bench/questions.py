"""``memdesk bench questions FILE...``: how near questions are to their answers, as published and fine-tuned.

Files are conversations as ``bench recall`` reads them. Prints the share of the evidence among the nearest 5, 10 and 30
turns of its memory, by the published model on both sides, and by fine-tuned question vectors; and the share of messages
detected as wanting memory, for those that do and for idle ones. ``--train`` trains on the files, and writes the shipped
adapter and the gate's weights for it; ``--sense`` writes only the latter, for the adapter that ships.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Final

import numpy as np
from tqdm import tqdm

from memdesk.bench.adapting import Asked, teach_questions, teach_sense, write
from memdesk.bench.learning import Engines, Vectors, engines
from memdesk.bench.recall_talks import Ask, Said, Talk, read_talks
from memdesk.bench.shared import loaded, provenance, tell, trainable
from memdesk.domain.reading.candidates import ASSISTANT, SourceTurn
from memdesk.domain.recalling.opening import Sense
from memdesk.engines.embedder import QUESTIONS
from memdesk.services.recalling.gate import learned_sense, noise_questions
from memdesk.services.recalling.index.texts import turn_text
from memdesk.settings.resources import resources_root

NEAREST: Final = (5, 10, 30)
#: Lines of other people mixed into a memory.
STRANGERS: Final = 100
EPOCHS: Final = 4
SEED: Final = 0
#: Languages whose questions use the published model: the training data is English.
STAYING: Final = ("de", "fr", "es", "it", "nl")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0, or 2 when a file cannot be read."""
    parser = trainable("questions", __doc__, "conversations with questions")
    parser.add_argument("--sense", action="store_true", help="learn the sense of the gate alone, and write it")
    options = parser.parse_args(argv)
    sets = loaded(options.files, read_talks)
    if sets is None:
        return 2
    talks = [talk for each in sets.values() for talk in each]
    if options.train:
        with engines() as lent:
            tensors = teach_questions(list(examples(lent, Vectors(lent.embedder), talks)), epochs=EPOCHS)
        write(QUESTIONS, "questions", list(sets), tensors)
    # What was just taught is read by an engine that starts after it.
    with engines() as lent:
        vectors = Vectors(lent.embedder)
        if options.train or options.sense:
            _write_sense(sense(vectors, talks), list(sets))
        else:
            _report(options, {path.stem: found(vectors, each) for path, each in sets.items()})
    return 0


def sense(vectors: Vectors, talks: Sequence[Talk]) -> Sense:
    """Return what the messages of talks teach of which of them want memory."""
    asked = {ask.text: float(bool(ask.evidence)) for talk in talks for ask in (*talk.questions, *talk.idle)}
    rows = np.concatenate([vectors.of([text], query=True) for text in tqdm(asked, desc="reading", file=sys.stderr)])
    return Sense(vectors.model, *teach_sense(rows, np.array(list(asked.values()))))


def examples(lent: Engines, vectors: Vectors, talks: Sequence[Talk]) -> Iterator[Asked]:
    """Yield questions with the turns and statements of their memory, idle messages, and texts to leave unchanged."""
    chance = random.Random(SEED)
    strangers = [text for talk in talks for text in _lines(talk)]
    for talk in tqdm(talks, desc="pairing", file=sys.stderr):
        said = talk.turns
        read = _statements(lent, talk)
        texts = [*_lines(talk), *(text for _, text in read), *chance.sample(strangers, min(STRANGERS, len(strangers)))]
        lines = vectors.of(texts).astype(np.float16)
        ids = [*(turn.id for turn in said), *(of for of, _ in read)]
        for ask in (*talk.questions, *talk.idle):
            known = _known(talk, ask)
            wanted = [place for place, of in enumerate(ids) if of in ask.evidence]
            others = [
                place
                for place in range(len(texts))
                if place not in wanted and (place >= len(ids) or ids[place] in known)
            ]
            if wanted or not ask.evidence:
                yield Asked(ask.text, lines, wanted, others)
    for text in (text for code in STAYING for text in noise_questions(code)):
        yield Asked(text, np.empty((0, 0)), stays=True)


def found(vectors: Vectors, talks: Sequence[Talk]) -> dict[str, list[float]]:
    """Return, published and fine-tuned, the share of evidence among the :data:`NEAREST` turns, and detected needs."""
    shares: dict[str, list[list[float]]] = {"published": [], "taught": []}
    sensed: dict[str, list[float]] = {"asking": [], "idle": []}
    for talk in tqdm(talks, desc="asking", file=sys.stderr):
        lines = vectors.of(_lines(talk))
        for ask in (*talk.questions, *talk.idle):
            taught = vectors.of([ask.text], query=True)[0]
            known = _known(talk, ask)
            kept = [place for place, turn in enumerate(talk.turns) if turn.id in known and turn.text != ask.text]
            wanted = {turn.id for turn in talk.turns} & set(ask.evidence)
            odds = learned_sense().of(taught, vectors.model)
            if odds is not None and bool(wanted) == bool(ask.evidence):
                sensed["asking" if wanted else "idle"].append(float(odds > 0.0))
            for name, near in shares.items() if wanted else ():
                cosines = lines[kept] @ (taught if name == "taught" else vectors.of([ask.text])[0])
                order = [talk.turns[kept[place]].id for place in np.argsort(-cosines)]
                near.append([len(wanted.intersection(order[:most])) / len(wanted) for most in NEAREST])
    means = {name: np.mean(near, axis=0).tolist() for name, near in shares.items() if near}
    means |= {name: [float(np.mean(each))] for name, each in sensed.items() if each}
    return {name: [round(share, 3) for share in each] for name, each in means.items()}


def _known(talk: Talk, ask: Ask) -> set[str]:
    """Return the ids of the turns said before a question was asked."""
    return {turn.id for one in talk.sittings if ask.as_of is None or one.date <= ask.as_of for turn in one.turns}


def _lines(talk: Talk) -> list[str]:
    """Return what is embedded of each turn."""
    return [
        turn_text(turn.speaker or turn.role.capitalize(), one.date.date(), turn.text)
        for one in talk.sittings
        for turn in one.turns
    ]


def _statements(lent: Engines, talk: Talk) -> list[tuple[str, str]]:
    """Return the statements of answering turns, each with the id of its turn."""
    answering = {turn for ask in talk.questions for turn in ask.evidence}
    out = []
    for sitting in talk.sittings:
        people = [turn for turn in sitting.turns if turn.id in answering and (turn.speaker or turn.role == "user")]
        told = [_source(turn, sitting.date.date()) for turn in people]
        kept = lent.analyzer.extract(told).candidates if told else ()
        out += [(one.turn_ids[0], one.text) for one in kept if one.lasts and not one.tentative]
    return out


def _source(turn: Said, day: date) -> SourceTurn:
    speaker = turn.speaker or "the user"
    return SourceTurn(id=turn.id, speaker=speaker, listener=ASSISTANT, text=turn.text, day=day, own=turn.role == "user")


def _write_sense(sense: Sense, files: Sequence[Path]) -> None:
    data = {
        "learned_by": "memdesk bench questions --sense",
        "learned_from": [provenance(path) for path in files],
        **sense.to_dict(),
    }
    path = resources_root() / "gate" / "sense.json"
    path.write_text(json.dumps(data, ensure_ascii=False) + "\n", encoding="utf-8")


def _report(options: argparse.Namespace, report: dict[str, dict[str, list[float]]]) -> None:
    tell(
        options,
        report,
        lambda: [
            f"{'':40}" + "".join(f"{most:>8}" for most in NEAREST),
            *(
                f"{f'{stem} {name}':40}" + "".join(f"{share:8.3f}" for share in shares)
                for stem, both in report.items()
                for name, shares in both.items()
            ),
        ],
    )
