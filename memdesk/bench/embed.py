"""``memdesk bench embed MODEL [MODEL]``: which of two embedding models finds more in your own memory.

Questions are generated from the memory itself, without a model: questions in chats that the next message answers, facts
without what they say about their subject, and your own memory tests. Each model embeds the same rows and is asked the
same questions, by vectors only. Nothing is written or kept; a model on another machine gets what it would get in use,
and local-only texts are left out for both.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from memdesk.bench.shared import arguments, tell
from memdesk.bootstrap.app import App
from memdesk.domain.models import VectorKind, every
from memdesk.errors import BadRequestError, MemdeskError
from memdesk.ports import Embedder, FactFilter, Repositories
from memdesk.services.recalling.index.texts import kept_here, texts
from memdesk.settings.paths import profile_paths

#: Longest question taken from a chat, in characters, and its ending.
_LONGEST: Final = 300
_ASKING: Final = ("?", "\N{FULLWIDTH QUESTION MARK}", "\N{ARABIC QUESTION MARK}")
#: Bootstrap samples for the interval of a difference.
_DRAWS: Final = 2000
_SEED: Final = 7

Key = tuple["VectorKind", int]


@dataclass(frozen=True, slots=True)
class Question:
    """A question generated from the memory.

    Attributes:
        answer: the row that answers it.
        said: the row that contains the question, which does not count as found.
        source: ``chat``, ``fact`` or ``test``.
    """

    text: str
    answer: Key
    said: Key | None
    source: str


@dataclass(frozen=True, slots=True)
class Found:
    """What one model found.

    Attributes:
        ranks: place of each question's answer among all rows, from 1.
        ms_per_text: time to embed a row.
    """

    model: str
    ranks: list[int]
    ms_per_text: float
    ms_per_question: float

    def figures(self) -> dict[str, float]:
        """Return the shares found first, among five and ten, and the mean reciprocal rank."""
        ranks = np.array(self.ranks)
        shares = {f"hit@{k}": round(float((ranks <= k).mean()), 3) for k in (1, 5, 10)}
        return {**shares, "mrr": round(float((1 / ranks).mean()), 3)}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0, or 2 when the memory or a model cannot be used."""
    options = _arguments(argv)
    try:
        return _run(options)
    except MemdeskError as error:
        sys.stderr.write(f"{error.message} {error.hint}\n")
        return 2


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = arguments("embed", __doc__)
    parser.add_argument(
        "models", nargs="+", metavar="MODEL", help="as memory.embeddingModel names it; one: beside that in use"
    )
    parser.add_argument("--agent", default="default", metavar="ID", help="whose memory")
    parser.add_argument("--questions", type=int, default=300, help="at most so many, drawn at random")
    parser.add_argument(
        "--rows", type=int, default=4000, help="at most so many rows; those that answer are always among them"
    )
    parser.add_argument("--profile", default="default")
    parser.add_argument("--home", type=Path, help="the folder that everything of a profile is below")
    parser.add_argument("--passphrase-env", metavar="NAME", help="the environment variable that holds the passphrase")
    return parser.parse_args(argv)


def _run(options: argparse.Namespace) -> int:
    paths = profile_paths(options.profile, home=options.home)
    if not paths.vault.exists():
        raise BadRequestError("There is no memory yet.", hint="Chat a little, or import your chats.")
    app = App(paths, brief=True)
    try:
        app.open(os.environ.get(options.passphrase_env) if options.passphrase_env else None)
        services = app.services
        wanted = [*options.models, services.settings.current.memory.embedding_model][:2]
        models = [app.lend_embedder(model) for model in wanted]
        with services.recall.store.read() as repos:
            rows = rows_of(repos, options.agent, leaving=not all(model.state().on_this_machine for model in models))
            asked = questions_of(repos, rows)
        asked += [
            Question(test.question, ("item", seq), None, "test")
            for test in services.tests.all(options.agent)
            for seq in [key[1] for key, text in rows.items() if key[0] == "item" and test.line and test.line in text][
                :1
            ]
        ]
        drawn = random.Random(_SEED)
        asked = drawn.sample(asked, min(options.questions, len(asked)))
        if not asked:
            raise BadRequestError(
                "Nothing in this memory makes a question yet.", hint="Chat a little, or import your chats."
            )
        answers = {question.answer for question in asked}
        others = [key for key in rows if key not in answers]
        kept = [*answers, *drawn.sample(others, max(0, min(options.rows - len(answers), len(others))))]
        found = [measure(model, {key: rows[key] for key in sorted(kept)}, asked) for model in models]
    finally:
        app.close()
    report = told(found, asked, len(kept))
    tell(options, report, lambda: _lines(report))
    return 0


def rows_of(repos: Repositories, agent_id: str, *, leaving: bool) -> dict[Key, str]:
    """Return what is embedded of an agent's turns and facts; ``leaving`` omits local-only texts."""
    found: dict[Key, str] = {}
    kinds: dict[VectorKind, list[int]] = {
        "turn": [turn.seq for turn in every(repos.turns.page, agent_id=agent_id)],
        "item": [fact.seq for fact in every(repos.items.facts, FactFilter(agent_id=agent_id))],
    }
    for kind, seqs in kinds.items():
        stay = kept_here(repos, kind, [(agent_id, seq) for seq in seqs]) if leaving else set()
        found |= {(kind, seq): text for seq, text in texts(repos, kind, seqs).items() if seq not in stay}
    return found


def questions_of(repos: Repositories, rows: dict[Key, str]) -> list[Question]:
    """Return the questions generated from chats and facts among ``rows``."""
    found: list[Question] = []
    turns = repos.turns.by_seq([seq for kind, seq in rows if kind == "turn"])
    for turn in turns.values():
        # Turns of a conversation mostly have consecutive numbers.
        reply = turns.get(turn.seq + 1)
        text = turn.content.strip()
        if not text.endswith(_ASKING) or len(text) > _LONGEST or reply is None:
            continue
        if reply.conversation_id == turn.conversation_id and reply.role != turn.role:
            found.append(Question(text, ("turn", reply.seq), ("turn", turn.seq), "chat"))
    for item in repos.items.by_seq([seq for kind, seq in rows if kind == "item"], details=False).values():
        told_of = item.statement.object if item.statement is not None else ""
        if told_of and told_of in item.content:
            asked = " ".join(item.content.replace(told_of, " ").strip(" .!").split())
            found.append(Question(f"{asked}?", ("item", item.seq), None, "fact"))
    return found


def measure(embedder: Embedder, rows: dict[Key, str], asked: Sequence[Question]) -> Found:
    """Embed rows and questions, and return the rank of each answer."""
    embedder.warm_up()
    embedder.embed(["Once, so that what is loaded at the first text does not count."], query=True)
    keys = list(rows)
    began = time.perf_counter()
    vectors = embedder.embed([rows[key] for key in keys], priority="background")
    took = time.perf_counter() - began
    places = {key: place for place, key in enumerate(keys)}
    ranks, waited = [], 0.0
    for question in asked:
        began = time.perf_counter()
        vector = embedder.embed([question.text], query=True)[0]
        waited += time.perf_counter() - began
        likeness = vectors @ vector
        if question.said in places:
            likeness[places[question.said]] = -np.inf
        ranks.append(1 + int((likeness > likeness[places[question.answer]]).sum()))
    return Found(embedder.model_id, ranks, 1000 * took / len(keys), 1000 * waited / len(asked))


def told(found: Sequence[Found], asked: Sequence[Question], rows: int) -> dict[str, Any]:
    """Return the figures of each model, and the difference between the two with its 95 % interval."""
    report: dict[str, Any] = {
        "rows": rows,
        "questions": {source: sum(one.source == source for one in asked) for source in ("chat", "fact", "test")},
        "models": [
            {
                "model": one.model,
                **one.figures(),
                "ms_per_text": round(one.ms_per_text, 2),
                "ms_per_question": round(one.ms_per_question, 2),
            }
            for one in found
        ],
    }
    if len(found) > 1:
        gains = 1 / np.array(found[0].ranks) - 1 / np.array(found[1].ranks)
        draws = np.random.default_rng(_SEED).integers(0, len(gains), (_DRAWS, len(gains)))
        low, high = np.percentile(gains[draws].mean(axis=1), [2.5, 97.5])
        report["mrr_difference"] = [round(float(value), 3) for value in (gains.mean(), low, high)]
    return report


def _lines(report: dict[str, Any]) -> Iterator[str]:
    made = ", ".join(f"{count} of {source}s" for source, count in report["questions"].items() if count)
    yield f"{report['rows']:,} rows; questions: {made}"
    for one in report["models"]:
        shares = "  ".join(f"{name} {one[name]:.3f}" for name in ("hit@1", "hit@5", "hit@10", "mrr"))
        yield f"{shares}  {one['ms_per_text']:.1f} ms a row, {one['ms_per_question']:.1f} a question  {one['model']}"
    if "mrr_difference" in report:
        mean, low, high = report["mrr_difference"]
        verdict = "no difference that is beyond chance"
        if low > 0 or high < 0:
            verdict = "the first finds more" if low > 0 else "the second finds more"
        yield f"difference in mrr {mean:+.3f} (95 %: {low:+.3f} to {high:+.3f}): {verdict}"
