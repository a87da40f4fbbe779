"""``memdesk bench recall PATH...``: how much of a question's evidence is in the block, against simple baselines."""

import argparse
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from memdesk.bench.recall_ablation import FILLING, GROUPS, RULES, Place
from memdesk.bench.recall_examples import Teacher
from memdesk.bench.recall_measure import Answer, Answered, Figures, measure
from memdesk.bench.recall_peers import Peers
from memdesk.bench.recall_perturb import PERTURBATIONS
from memdesk.bench.recall_rig import Loaded, load, profile
from memdesk.bench.recall_talks import Ask, Talk, padded, read_talks
from memdesk.bench.recall_train import Examples, fit
from memdesk.bench.shared import arguments, tell
from memdesk.domain.models import Receipt
from memdesk.domain.recalling.ranking import FEATURES, Weights
from memdesk.errors import MemdeskError
from memdesk.services.container import Services
from memdesk.services.recalling import search
from memdesk.services.recalling import statements as stated
from memdesk.services.recalling.scored import Mode

BUDGETS = (200, 400, 800, 1600)
SECTIONS = ("auto", "transcript", "pinned", "episode", "identity")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0, or 2 when a file cannot be read."""
    options = _arguments(argv)
    try:
        talks = [talk for path in options.paths for talk in read_talks(path)]
    except MemdeskError as error:
        sys.stderr.write(f"{error.title}: {error.message}\n")
        return 2
    talks = padded(talks, options.pad)
    if options.pool:
        talks = [replace(talk, pool="pool") for talk in talks]
    if options.perturb:
        talks = [PERTURBATIONS[options.perturb](talk) for talk in talks]
    report = _distilled(talks, options) if options.distill else _recorded(talks, options)
    tell(options, report, lambda: _lines(report))
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = arguments("recall", __doc__)
    parser.add_argument(
        "paths", nargs="+", type=Path, help='conversations in the LoCoMo format, or {"conversations": [...]}'
    )
    parser.add_argument("--section", choices=SECTIONS, default="auto", help="auto is what users get")
    parser.add_argument("--distill", action="store_true", help="distill first, each history in a profile of its own")
    parser.add_argument("--budget", type=int, default=800, help="tokens of the figure and of the baselines")
    parser.add_argument("--quick", action="store_true", help="leave out the baselines and the other budgets")
    parser.add_argument(
        "--store", type=Path, help="keep the loaded profiles in this folder, and use them again if there"
    )
    parser.add_argument("--pad", type=int, default=0, help="pad histories of fewer turns with others' filler sessions")
    parser.add_argument("--pool", action="store_true", help="keep all histories in one memory, and search it for each")
    parser.add_argument("--rules", action="store_true", help="distill by rules alone instead of with the core model")
    parser.add_argument(
        "--ablate",
        nargs="?",
        const="all",
        choices=("all", "rules"),
        help="what each part is worth; rules: only what is not learned, for files with too few questions to learn from",
    )
    parser.add_argument(
        "--leave-one-out",
        action="store_true",
        help="judge each set by weights learned on the other sets; each history, where there is one set",
    )
    parser.add_argument(
        "--perturb",
        choices=tuple(PERTURBATIONS),
        default="",
        help="change what must not matter: names, names written into the text, capitals, an opening, slips",
    )
    return parser.parse_args(argv)


def _recorded(talks: Sequence[Talk], options: argparse.Namespace) -> dict[str, Any]:
    """Measure all histories in one profile, each as its own agent."""
    with profile(options.store) as services:
        loaded = load(services, talks, distill=False)
        bench = Bench(services, talks, options.section, options.store)
        report = bench.report(bench.run(options.budget, whole=not options.quick))
        report["idle"] = bench.opened_by_idle(options.budget)
        if options.leave_one_out:
            report["leave_one_out"] = bench.leave_one_out(options.budget)
        if options.ablate:
            report["ablation"] = bench.ablation(options.budget, features=options.ablate == "all")
    report["ingest"] = _ingest(loaded)
    return report


def _distilled(talks: Sequence[Talk], options: argparse.Namespace) -> dict[str, Any]:
    """Measure each history in its own profile: identity belongs to a user, and each history has another."""
    settings: dict[str, object] = {"extraction_mode": "rules"} if options.rules else {}
    rows: Rows = {}
    times: list[float] = []
    total = Loaded(0, 0.0, 0.0, 0.0)
    for talk in talks:
        folder = None if options.store is None else options.store / talk.name
        with profile(folder, **settings) as services:
            total = total.plus(load(services, [talk], distill=True))
            bench = Bench(services, [talk], options.section, options.store)
            for row, figures in bench.run(options.budget, whole=not options.quick).items():
                for source, one in figures.items():
                    rows.setdefault(row, {}).setdefault(source, Figures()).add(one)
            times += bench.times
    return {**_report(rows, times, options.section, options.budget), "ingest": _ingest(total)}


#: Figures by measurement, then by set.
Rows = dict[str, dict[str, Figures]]


class Bench:
    """Questions put to a loaded store.

    Args:
        section: ``auto``, or a fixed section.
        cache: folder for cached vectors of the baselines' pieces.
    """

    def __init__(self, services: Services, talks: Sequence[Talk], section: str, cache: Path | None) -> None:
        self._services = services
        self._talks = talks
        self._section: Any = section
        self.times: list[float] = []
        self._teachers = {talk.name: self._teacher(talk) for talk in talks}
        self._stands_on = {talk.name: self._statements_of(talk) for talk in talks}
        self._peers = Peers(self._embed, cache)

    def run(self, budget: int, *, whole: bool) -> Rows:
        """Measure memdesk and, if ``whole``, other budgets and the baselines in the same run."""
        rows = {"memdesk": self._ask(self._memdesk, budget)}
        if whole:
            for other in BUDGETS:
                if other != budget:
                    rows[f"memdesk, {other} tokens"] = self._ask(self._memdesk, other)
            for rule in Peers.RULES:
                rows[rule] = self._ask(self._peers.answer(rule), budget)
        self._budget = budget
        return rows

    def report(self, rows: Rows) -> dict[str, Any]:
        return _report(rows, self.times, self._section, self._budget)

    def opened_by_idle(self, budget: int) -> dict[str, float]:
        """Return, by set, the share of messages about nothing remembered that still get a section."""
        out = {}
        for source in dict.fromkeys(talk.source for talk in self._talks):
            told = [
                self._receipt(talk, idle, budget).section
                for talk in self._talks
                if talk.source == source
                for idle in talk.idle
            ]
            if told and self._section == "auto":
                out[source] = round(sum(section != "none" for section in told) / len(told), 4)
        return out

    def ablation(self, budget: int, *, features: bool) -> dict[str, dict[str, float]]:
        """Measure with one part removed at a time.

        ``features``: also remove parts of the ranking, relearning the other weights.
        """
        out = {"everything": _short(self._total(budget))}
        if features:
            examples = [part for talk in self._talks for part in self.examples(talk)]
            for name, group in GROUPS.items():
                with self._weights(fit(examples, vectors=True, without=group)):
                    out[f"without {name}"] = _short(self._total(budget))
        for name, places in {**RULES, **(FILLING if self._section == "auto" else {})}.items():
            with _constants(places):
                out[f"without {name}"] = _short(self._total(budget))
        return out

    def leave_one_out(self, budget: int) -> dict[str, Any]:
        """Measure each set with weights learned on the others; each history, if there is only one set."""
        turns = {talk.name: self.examples(talk) for talk in self._talks}
        sources = list(dict.fromkeys(talk.source for talk in self._talks))
        out: dict[str, Any] = {}
        for name in sources if len(sources) > 1 else [talk.name for talk in self._talks]:
            held = [talk for talk in self._talks if name in {talk.source, talk.name}]
            others = [part for talk in self._talks if talk not in held for part in turns[talk.name]]
            if any(part.labels.any() for part in others):
                total = Figures()
                with self._weights(fit(others, vectors=True)):
                    for talk in held:
                        total.add(measure(talk, self._memdesk, budget))
                out[name] = round(total.evidence, 4)
        return out

    def examples(self, talk: Talk, *, vectors: bool = True) -> list[Examples]:
        """Return the training examples for ranking turns."""
        with self._services.recall.store.read() as repos:
            return self._teachers[talk.name].turns(repos, vectors=vectors)

    def statements(self, talk: Talk, *, vectors: bool = True) -> list[Examples]:
        """Return the training examples for ranking facts and details."""
        with self._services.recall.store.read() as repos:
            return self._teachers[talk.name].statements(repos, vectors=vectors)

    def _ask(self, answer: Answer, budget: int) -> dict[str, Figures]:
        each: dict[str, Figures] = {}
        for talk in self._talks:
            each.setdefault(talk.source, Figures()).add(measure(talk, answer, budget))
        return each

    def _total(self, budget: int) -> Figures:
        total = Figures()
        for figures in self._ask(self._memdesk, budget).values():
            total.add(figures)
        return total

    def _memdesk(self, talk: Talk, question: Ask, budget: int) -> Answered:
        started = time.perf_counter()
        receipt = self._receipt(talk, question, budget)
        self.times.append((time.perf_counter() - started) * 1000)
        return Answered(receipt.block, self._shown(talk, receipt), receipt.section, len(receipt.items))

    def _receipt(self, talk: Talk, question: Ask, budget: int) -> Receipt:
        self._services.recall.invalidate(talk.agent)
        return self._services.recall.context(
            agent_id=talk.agent,
            query=question.text,
            budget_tokens=budget,
            section=self._section,
            session_now=question.now,
            as_of=question.as_of,
            history=question.history,
            replies=question.replies,
        )

    def _shown(self, talk: Talk, receipt: Receipt) -> frozenset[str]:
        """Return the turns that lines of a block quote or cite, and the facts written by hand; a digest of a whole session cites none."""
        by_id, stands_on = self._teachers[talk.name].by_id, self._stands_on[talk.name]
        ids: set[str] = set()
        for item in receipt.items:
            ids.update((item.id,) if item.kind == "turn" else stands_on.get(item.id, ()))
        written = {fact.id for fact in talk.written if fact.text in receipt.block}
        return frozenset(by_id[turn] for turn in ids if turn in by_id) | written

    def _statements_of(self, talk: Talk) -> dict[str, tuple[str, ...]]:
        out: dict[str, tuple[str, ...]] = {}
        with self._services.recall.store.read() as repos:
            for line in repos.items.lines():
                out[line.id] = tuple(source.turn_id for source in line.sources if source.turn_id)
            for sitting in talk.sittings:
                for fact in repos.items.of_conversation(talk.agent, sitting.id):
                    out[fact.id] = tuple(source.turn_id for source in fact.sources if source.turn_id)
                for episode in repos.items.episodes_of(talk.agent, sitting.id):
                    out |= {detail.id: detail.turn_ids for detail in episode.session.details}
        return out

    def _embed(self, text: str) -> Any:
        """Return the vector of a text by the published model, for the baselines."""
        embedded = self._services.indexing.embed_queries([text], query=False)
        return None if embedded is None else embedded[1][0]

    def _teacher(self, talk: Talk) -> Teacher:
        with self._services.recall.store.read() as repos:
            stored = [turn for sitting in talk.sittings for turn in repos.turns.of_conversation(talk.agent, sitting.id)]
        return Teacher(self._services.recall.searcher, talk, stored)

    @contextmanager
    def _weights(self, turns: Weights, statements: Weights | None = None) -> Iterator[None]:
        ours = (
            (search, "turn_weights", turns),
            (stated, "stated_weights", statements or stated.stated_weights("hybrid")),
        )
        with _constants([(module, name, _in_place(weights, getattr(module, name))) for module, name, weights in ours]):
            yield


def _in_place(weights: Weights, shipped: Callable[[Mode], Weights]) -> Callable[[Mode], Weights]:
    """Return a provider of these weights where vectors are available, else of the shipped ones."""
    return lambda mode: weights if mode == "hybrid" else shipped(mode)


@contextmanager
def _constants(places: Sequence[Place]) -> Iterator[None]:
    with ExitStack() as stack:
        for module, name, value in places:
            stack.callback(setattr, module, name, getattr(module, name))
            setattr(module, name, value)
        yield


def _report(rows: Rows, times: Sequence[float], section: str, budget: int) -> dict[str, Any]:
    total = Figures()
    for figures in rows["memdesk"].values():
        total.add(figures)
    ordered = sorted(times)
    abilities: dict[str, set[str]] = defaultdict(set)
    for source, figures in rows["memdesk"].items():
        abilities[source] |= set(figures.by_ability)
    return {
        **_short(total),
        "section": section,
        "budget": budget,
        "sets": {source: {row: _short(each[source]) for row, each in rows.items()} for source in rows["memdesk"]},
        "by_ability": {
            source: {
                name: {row: round(each[source].ability(name), 4) for row, each in rows.items()}
                for name in sorted(names)
            }
            for source, names in abilities.items()
        },
        "sections": {source: dict(figures.sections) for source, figures in rows["memdesk"].items()},
        "p50_ms": round(statistics.median(ordered), 2),
        "p95_ms": round(ordered[int(0.95 * (len(ordered) - 1))], 2),
    }


def _ingest(loaded: Loaded) -> dict[str, float]:
    return {
        "turns": loaded.turns,
        "turns_per_second": round(loaded.turns / max(loaded.record_seconds, 1e-9), 1),
        "embedded_per_second": round(loaded.turns / max(loaded.embed_seconds, 1e-9), 1),
        "distill_seconds": round(loaded.distill_seconds, 1),
    }


def _short(figures: Figures) -> dict[str, float]:
    return {
        "evidence": round(figures.evidence, 4),
        "answer_words": round(figures.answer_words, 4),
        "tokens": round(figures.mean_tokens, 1),
        "lines": round(figures.mean_lines, 2),
    }


def _lines(report: dict[str, Any]) -> Iterator[str]:
    for source, rows in report["sets"].items():
        yield (f"{source} ({report['section']}, {report['budget']} tokens)")
        yield (f"  {'':34}{'evidence':>9}{'answer words':>14}{'tokens':>8}{'lines':>7}")
        for name, row in rows.items():
            yield (
                f"  {name:34}{row['evidence']:9.3f}{row['answer_words']:14.3f}{row['tokens']:8.0f}{row['lines']:7.1f}"
            )
        yield (f"  {'by ability':34}" + "".join(f"{row[:9]:>10}" for row in rows if "," not in row))
        for ability, found in report["by_ability"][source].items():
            yield (f"  {ability:34}" + "".join(f"{share:10.3f}" for row, share in found.items() if "," not in row))
        yield (
            "  " + ", ".join(f"{section} {count}" for section, count in report["sections"][source].items() if section)
        )
    for source, share in report.get("idle", {}).items():
        yield (f"{source}: {share:.1%} of the messages about nothing remembered open the gate")
    for name, row in report.get("ablation", {}).items():
        yield (f"{name:44}{row['evidence']:9.3f}{row['answer_words']:14.3f}{row['tokens']:8.0f}")
    for name, evidence in report.get("leave_one_out", {}).items():
        yield (f"{name}, by weights learned on the others: {evidence:.4f}")
    ingest = report["ingest"]
    yield (f"query p50 {report['p50_ms']:.1f} ms, p95 {report['p95_ms']:.1f} ms, with its embedding")
    yield (
        f"{ingest['turns']} turns recorded at {ingest['turns_per_second']:.0f}/s, "
        f"embedded at {ingest['embedded_per_second']:.0f}/s, distilled in {ingest['distill_seconds']:.0f} s"
    )
    yield (f"evidence {report['evidence']:.4f} answer_words {report['answer_words']:.4f}")


assert all(feature in FEATURES for features in GROUPS.values() for feature in features)
