"""``memdesk bench distill PATH…``: how much of annotators' observations of a session its digest contains.

The files are LoCoMo conversations (Maharana et al., ACL 2024, arXiv:2402.17753) with ``session_N_observation``. Each
session is recorded in a throw-away encrypted store and distilled by the real service with the core model. An
observation counts as covered when some kept line (summary, detail, fact, decision, action; at most 12 different ones
a session) has a cosine of at least 0.7 to it in all-MiniLM-L6-v2.

A file that ends in ``.txt`` is a labeled set (``tests/data/reading``): prints the share of the facts worth keeping that
became facts, and the share of the kept facts that were worth it. One that ends in ``.jsonl`` has pairs of statements
(``tests/data/comparing``): prints the share of each class that came out as labeled, including updates and reversals.
Each also reports what a session used of the model given by ``--model``: calls, tokens read and written, seconds.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from tqdm import tqdm

from memdesk.bench.distill_rig import Rig, Spent, rig
from memdesk.bench.labeled import load, measure
from memdesk.bench.shared import arguments, folder, tell
from memdesk.bench.updates import SPENT, Right, load_pairs, spent, table
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.analysis import plain
from memdesk.domain.language.text import sentences
from memdesk.domain.models import Turn
from memdesk.domain.reading import grounding
from memdesk.domain.reading.candidates import SourceTurn
from memdesk.domain.reading.structured import UnusableAnswerError
from memdesk.domain.reading.thirdperson import retell
from memdesk.domain.reading.wording import cast_of
from memdesk.errors import ContextOverflowError
from memdesk.ports import LanguageModel
from memdesk.services.distilling import MAX_LINES, SessionOutcome, write
from memdesk.services.importing import LocomoConversation, LocomoSession, parse_locomo

_FIRST: Final = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|my|me|we|our|us)\b", re.IGNORECASE)
LINES: Final = 12


def sources(session: LocomoSession) -> list[SourceTurn]:
    people = list(dict.fromkeys(turn.speaker for turn in session.turns))
    return [
        SourceTurn(
            id=turn.id,
            speaker=turn.speaker,
            listener=next((other for other in people if other != turn.speaker), turn.speaker),
            text=turn.text,
            day=session.date.date(),
        )
        for turn in session.turns
    ]


def longest_first_person(session: LocomoSession) -> list[str]:
    """Return the 12 longest sentences with a first-person word, with "I" replaced by the speaker's name by rules."""
    found: list[tuple[int, str]] = []
    for turn in sources(session):
        for sentence in sentences(turn.text):
            if _FIRST.search(sentence):
                analysis = plain(sentence)
                line = retell(analysis, 0, len(analysis.tokens), cast_of(turn))
                found.append((len(sentence), line))
    return [line for _, line in sorted(found, key=lambda item: -item[0])[:LINES] if line]


def plainly(model: LanguageModel, session: LocomoSession) -> list[str]:
    """Return the lines of the model's raw digest, at most 12."""
    try:
        digest = write(model, sources(session), (), None).digest
    except (UnusableAnswerError, ContextOverflowError):
        return []
    if digest is None:
        return []
    lines = [stated.content for stated in digest.statements] + [digest.summary, *digest.decisions, *digest.action_items]
    return list(dict.fromkeys(line for line in lines if line))[:LINES]


COVERED: Final = 0.7
SAME: Final = 0.92
T = TypeVar("T")


@dataclass(slots=True)
class Tally:
    """Sums over sessions."""

    observations: int = 0
    covered: int = 0
    lines: int = 0
    grounded: int = 0
    pairs: int = 0
    same_pairs: int = 0
    repeated: int = 0
    sessions: int = 0
    seconds: float = 0.0
    calls: int = 0
    tokens: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    baselines: Counter[str] = field(default_factory=Counter)

    def report(self) -> dict[str, Any]:
        share = 1.0 / max(1, self.observations)
        sessions = max(1, self.sessions)
        return {
            "coverage": round(self.covered * share, 4),
            "grounded": round(self.grounded / max(1, self.lines), 4),
            "duplicates": round(self.repeated / max(1, self.lines), 4),
            "duplicate_pairs": round(self.same_pairs / max(1, self.pairs), 5),
            "lines_per_session": round(self.lines / sessions, 2),
            **Spent(self.sessions, self.seconds, self.calls, self.tokens).report(),
            "baselines": {name: round(count * share, 4) for name, count in self.baselines.items()},
            "sessions": self.sessions,
            "observations": self.observations,
            "outcomes": self.outcomes,
        }


def observations(data: dict[str, Any], number: int) -> list[str]:
    body = data.get("observation", data)
    noted = body.get(f"session_{number}_observation") or {}
    return [str(entry[0]) for entries in noted.values() for entry in entries if entry]


def kept_lines(episode: MemoryItem, facts: Sequence[MemoryItem]) -> list[tuple[str, tuple[str, ...]]]:
    """Return the different lines of a digest with the turns they cite (none: the whole session), at most :data:`MAX_LINES`.

    Of longer digests the first in this order count: details, summary, facts, decisions, actions.
    """
    # Summaries, decisions and tasks are about the whole session: they cite all of it.
    every: tuple[str, ...] = ()
    lines: dict[str, tuple[str, ...]] = {detail.content: detail.turn_ids for detail in episode.session.details}
    lines.setdefault(episode.content, every)
    for fact in facts:
        lines.setdefault(fact.content, tuple(source.turn_id for source in fact.sources))
    for text in (*episode.session.decisions, *episode.session.action_items):
        lines.setdefault(text, every)
    return [(text, ids) for text, ids in lines.items() if text][:MAX_LINES]


def grounded_lines(lines: Sequence[tuple[str, tuple[str, ...]]], turns: Sequence[Turn], day: Any) -> int:
    """Count the lines whose content words are all in the turns they cite or derivable from them."""
    texts = {turn.id: turn.content for turn in turns}
    whole = tuple(texts)
    names = {turn.speaker for turn in turns}
    count = 0
    for text, ids in lines:
        known = grounding.vocabulary([texts[i] for i in ids or whole if i in texts], names=names, day=day)
        count += grounding.check(text, known).ok
    return count


def judge_session(
    lent: Rig,
    conversation: LocomoConversation,
    session: LocomoSession,
    gold: Sequence[str],
    tally: Tally,
    *,
    plain: bool,
) -> None:
    turns = lent.record(conversation, session)
    outcome: SessionOutcome = lent.distill(session.conversation_id)
    tally.sessions += 1
    tally.seconds += outcome.seconds
    tally.calls += outcome.model_calls
    tally.tokens += outcome.model_tokens
    word = outcome.outcome.partition(":")[0]
    tally.outcomes[word] += 1
    tally.observations += len(gold)
    lines = lent.lines(outcome, kept_lines)
    goal = lent.embed(gold)
    sets = {"12 longest first-person sentences": longest_first_person(session)}
    if plain:
        sets["the same model asked plainly"] = plainly(lent.model(), session)
    for name, texts in sets.items():
        tally.baselines[name] += covered(lent.embed(texts), goal)
    if lines:
        vectors = lent.embed([text for text, _ in lines])
        tally.covered += covered(vectors, goal)
        tally.lines += len(lines)
        tally.grounded += grounded_lines(lines, turns, session.date.date())
        alike = np.triu(vectors @ vectors.T >= SAME, 1)
        tally.pairs += len(lines) * (len(lines) - 1) // 2
        tally.same_pairs += int(alike.sum())
        tally.repeated += int(alike.any(axis=0).sum())


def covered(lines: np.ndarray, goal: np.ndarray) -> int:
    if not len(lines) or not len(goal):
        return 0
    return int(((lines @ goal.T).max(axis=0) >= COVERED).sum())


def main(argv: list[str]) -> int:
    parser = arguments("distill", __doc__)
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="LoCoMo files, folders of them, or labeled sets (.txt, .jsonl)"
    )
    parser.add_argument("--model", default="bundled:smollm2-135m", help="core model (default: %(default)s)")
    parser.add_argument("--rules", action="store_true", help="without a model")
    parser.add_argument("--plain", action="store_true", help="also ask the model plainly for a digest; slow")
    parser.add_argument("--sessions", type=int, default=0, metavar="N", help="only the first N sessions of a file")
    options = parser.parse_args(argv)
    files = [f for path in map(Path, options.paths) for f in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    total = Tally()
    each: dict[str, Any] = {}
    labeled = {file.stem: _labeled(file, options) for file in files if file.suffix == ".txt"}
    pairs = {file.stem: _pairs(file, options) for file in files if file.suffix == ".jsonl"}
    for file in (file for file in files if file.suffix not in {".txt", ".jsonl"}):
        data = json.loads(file.read_text(encoding="utf-8"))
        conversation = parse_locomo(data, file.stem)
        sessions = [(s, observations(data, _number(s))) for s in conversation.sessions]
        sessions = [(s, gold) for s, gold in sessions if gold][: options.sessions or None]
        tally = Tally()
        with _lent(options) as lent:
            for session, gold in _bar(sessions, file, options):
                judge_session(lent, conversation, session, gold, tally, plain=options.plain)
        each[file.stem] = tally.report()
        _add(total, tally)
    report = {**total.report(), "files": each} if each else {}
    if labeled:
        report["labeled"] = labeled
    if pairs:
        report["pairs_right"] = pairs
    tell(options, report, lambda: ["\n\n".join(filter(None, (_table(report), _rates(labeled), table(pairs))))])
    return 0


@contextmanager
def _lent(options: argparse.Namespace) -> Iterator[Rig]:
    with folder() as place, rig(place, options.model, "rules" if options.rules else "sessionEnd") as lent:
        yield lent


def _bar(items: Sequence[T], file: Path, options: argparse.Namespace) -> Iterator[T]:
    yield from tqdm(items, desc=file.stem, disable=options.json or not sys.stderr.isatty())


def _labeled(file: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Return the figures of a labeled set, fed to the whole app chat by chat."""
    with _lent(options) as lent:
        chats = load(file)[: options.sessions or None]
        told = iter(_bar(range(len(chats)), file, options))
        figures = measure(chats, lambda chat: lent.kept_of(chat, f"chat-{next(told)}"))
    return {
        "keep_recall": round(figures.recall, 4),
        "precision": round(figures.precision, 4),
        "facts": figures.found + len(figures.missed),
        "kept": figures.right + len(figures.wrong),
    } | lent.spent.report()


def _pairs(file: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Return how many pairs of statements came out as labeled, each fed to the whole app over two chats."""
    right = Right()
    with _lent(options) as lent:
        for number, row in enumerate(_bar(load_pairs(file)[: options.sessions or None], file, options)):
            right.add(row["class"], lent.outcome_of(row, f"pair-{number}"))
    return right.report() | lent.spent.report()


def _rates(labeled: dict[str, Any]) -> str:
    if not labeled:
        return ""
    rows = [f"{'':28}    kept  precision   facts{SPENT}"]
    rows += [
        f"{name:28}{part['keep_recall']:8.3f}{part['precision']:11.3f}{part['facts']:8d}{spent(part)}"
        for name, part in labeled.items()
    ]
    return "\n".join(rows)


def _number(session: LocomoSession) -> int:
    return int(session.conversation_id.rpartition("-")[2])


def _add(total: Tally, part: Tally) -> None:
    for each in fields(Tally):
        mine, theirs = getattr(total, each.name), getattr(part, each.name)
        if isinstance(mine, Counter):
            mine.update(theirs)
        else:
            setattr(total, each.name, mine + theirs)


def _table(report: dict[str, Any]) -> str:
    if "files" not in report:
        return ""
    rows = [f"{'':28}coverage  grounded  duplicates  lines{SPENT}"]
    for name, part in (*report["files"].items(), ("all", report)):
        rows.append(
            f"{name:28}{part['coverage']:8.3f}{part['grounded']:10.3f}{part['duplicates']:12.4f}"
            f"{part['lines_per_session']:7.1f}{spent(part)}"
        )
    rows += [f"{name:28}{value:8.3f}" for name, value in report["baselines"].items()]
    return "\n".join(rows)
