"""``memdesk bench recall PATH...``: how much of what answers a question is in the block, against plain baselines."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memdesk.bench.recall_ablation import FILLING, GROUPS, RULES, STOPPING, Place
from memdesk.bench.recall_examples import Teacher
from memdesk.bench.recall_measure import Answer, Figures, measure
from memdesk.bench.recall_perturb import PERTURBATIONS
from memdesk.bench.recall_rig import Loaded, load, profile
from memdesk.bench.recall_train import Examples, fit, fit_statements
from memdesk.domain.dates import say_day
from memdesk.domain.ranking import FEATURES, STATEMENT_FEATURES
from memdesk.domain.text import content_words
from memdesk.errors import MemdeskError
from memdesk.ports import TextFilter
from memdesk.services.locomo import LocomoConversation, LocomoQuestion, read_locomo

if TYPE_CHECKING:
    from memdesk.domain.models import Turn
    from memdesk.domain.ranking import Weights
    from memdesk.services.container import Services

BUDGETS = (200, 400, 800, 1600)
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop", 5: "adversarial"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0, or 2 when a file cannot be read."""
    options = _arguments(argv)
    try:
        conversations = [read_locomo(path) for path in options.paths]
    except MemdeskError as error:
        sys.stderr.write(f"{error.title}: {error.message}\n")
        return 2
    if options.perturb:
        conversations = [PERTURBATIONS[options.perturb](talk) for talk in conversations]
    auto = options.section == "auto"
    settings: dict[str, object] = {"extraction_mode": "rules"} if options.rules else {}
    with profile(options.store, **settings) as services:
        loaded = load(services, conversations, distil=auto)
        bench = Bench(services, conversations, options.section)
        report = bench.run(options.budget, baselines=not options.quick)
        if options.leave_one_out:
            report["leave_one_out"] = bench.leave_one_out(options.budget)
        if options.ablate:
            report["ablation"] = bench.ablation(options.budget, features=options.ablate == "all")
        if options.train:
            options.train.write_text(json.dumps(bench.train(), indent=1) + "\n", encoding="utf-8")
    report["ingest"] = {
        "turns": loaded.turns,
        "turns_per_second": round(loaded.turns / loaded.record_seconds, 1),
        "embedded_per_second": round(loaded.turns / max(loaded.embed_seconds, 1e-9), 1),
        "distil_seconds": round(loaded.distil_seconds, 1),
    }
    if options.json:
        print(json.dumps(report))
    else:
        _print(report, loaded)
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="memdesk bench recall", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, help="conversations in the LoCoMo format")
    parser.add_argument("--section", choices=("transcript", "auto"), default="transcript")
    parser.add_argument("--budget", type=int, default=800, help="tokens of the figure and of the baselines")
    parser.add_argument("--quick", action="store_true", help="leave out the baselines and the other budgets")
    parser.add_argument("--store", type=Path, help="keep the loaded profile in this folder, and use it again if there")
    parser.add_argument("--rules", action="store_true", help="distil by rules alone instead of with the core model")
    parser.add_argument(
        "--ablate",
        nargs="?",
        const="all",
        choices=("all", "rules"),
        help="what each part is worth; rules: only what is not learned, for files with too few questions to learn from",
    )
    parser.add_argument("--leave-one-out", action="store_true", help="judge each file by weights learned on the others")
    parser.add_argument(
        "--train",
        type=Path,
        help="learn the ranking's weights from the files and write them here; with --section auto those of statements",
    )
    parser.add_argument(
        "--perturb",
        choices=tuple(PERTURBATIONS),
        default="",
        help="change what must not matter: names, capitals and marks, a polite opening, slips (not with --store)",
    )
    parser.add_argument("--json", action="store_true", help="one object instead of tables")
    return parser.parse_args(argv)


class Bench:
    """Questions put to a loaded store.

    Args:
        services: with the conversations recorded and embedded.
        conversations: what was recorded.
        section: ``transcript`` or ``auto``.
    """

    def __init__(self, services: Services, conversations: Sequence[LocomoConversation], section: str) -> None:
        self._services = services
        self._conversations = conversations
        self._section: Any = section
        self._times: list[float] = []
        self._turns = {conversation.name: self._read_turns(conversation) for conversation in conversations}

    def run(self, budget: int, *, baselines: bool) -> dict[str, Any]:
        """Measure memdesk, and the baselines in the same run."""
        self._times = []
        figures, each = self._ask(self._memdesk, budget)
        times = sorted(self._times)
        report: dict[str, Any] = {
            "evidence": round(figures.evidence, 4),
            "answer_words": round(figures.answer_words, 4),
            "section": self._section,
            "budget": budget,
            "tokens": round(figures.mean_tokens, 1),
            "by_category": {CATEGORIES[n]: round(figures.category(n), 4) for n in CATEGORIES},
            "by_conversation": {name: round(one.evidence, 4) for name, one in each.items()},
            "p50_ms": round(statistics.median(times), 2),
            "p95_ms": round(times[int(0.95 * (len(times) - 1))], 2),
        }
        with _constants(STOPPING):
            report["full_budget"] = _short(self._ask(self._memdesk, budget)[0])
        if baselines:
            report["budgets"] = {
                str(other): _short(self._ask(self._memdesk, other)[0]) for other in BUDGETS if other != budget
            }
            report["baselines"] = {
                name: _short(self._ask(answer, budget)[0])
                for name, answer in (
                    ("BM25", self._ranked(lambda text, _: text)),
                    ("vectors", self._ranked(lambda _, cosine: cosine)),
                    ("0.7 vectors + 0.3 text", self._ranked(lambda text, cosine: 0.7 * _of_best(cosine) + 0.3 * text)),
                )
            }
        return report

    def ablation(self, budget: int, *, features: bool) -> dict[str, dict[str, float]]:
        """Measure with one part taken out at a time.

        Args:
            budget: tokens of a block.
            features: take parts of the ranking out too, the rest of the weights learned anew.
        """
        out = {"everything": _short(self._ask(self._memdesk, budget)[0])}
        if features:
            examples = [part for conversation in self._conversations for part in self._examples(conversation)]
            for name, group in GROUPS.items():
                with self._weights(fit(examples, vectors=True, without=group)):
                    out[f"without {name}"] = _short(self._ask(self._memdesk, budget)[0])
        for name, places in {**RULES, **(FILLING if self._section == "auto" else {})}.items():
            with _constants(places):
                out[f"without {name}"] = _short(self._ask(self._memdesk, budget)[0])
        return out

    def leave_one_out(self, budget: int) -> dict[str, Any]:
        """Measure each conversation by weights learned on the others, with and without stopping early."""
        turns = {one.name: self._examples(one) for one in self._conversations}
        auto = self._section == "auto"
        stated = {one.name: self._statements(one) for one in self._conversations} if auto else {}
        out: dict[str, Any] = {}
        total, full = Figures(), Figures()
        for conversation in self._conversations:
            others = _without(turns, conversation.name)
            if not others:
                continue
            statements = fit_statements(_without(stated, conversation.name), vectors=True) if auto else None
            with self._weights(fit(others, vectors=True), statements):
                figures = measure(conversation, self._memdesk, budget)
                with _constants(STOPPING):
                    full.add(measure(conversation, self._memdesk, budget))
            total.add(figures)
            out[conversation.name] = round(figures.evidence, 4)
        return {**out, **_short(total), "full_budget": _short(full)}

    def train(self) -> dict[str, Any]:
        """Return weights learned on all conversations, with and without vectors: of statements, where there are any."""
        examples, learn = (self._statements, fit_statements) if self._section == "auto" else (self._examples, fit)
        names = STATEMENT_FEATURES if self._section == "auto" else FEATURES
        out = {}
        for mode, vectors in (("hybrid", True), ("fts", False)):
            parts = [part for one in self._conversations for part in examples(one, vectors=vectors)]
            out[mode] = learn(parts, vectors=vectors).to_dict(names)
        return out

    # ------------------------------------------------------------------ pieces

    def _ask(self, answer: Answer, budget: int) -> tuple[Figures, dict[str, Figures]]:
        each = {one.name: measure(one, answer, budget) for one in self._conversations}
        total = Figures()
        for figures in each.values():
            total.add(figures)
        return total, each

    def _memdesk(self, conversation: LocomoConversation, question: LocomoQuestion, budget: int) -> str:
        self._services.recall.invalidate(conversation.name)
        started = time.perf_counter()
        receipt = self._services.recall.context(
            agent_id=conversation.name,
            query=question.question,
            budget_tokens=budget,
            section=self._section,
            session_now=conversation.last_date,
        )
        self._times.append((time.perf_counter() - started) * 1000)
        return receipt.block

    def _ranked(self, mix: Callable[[Any, Any], Any]) -> Answer:
        """Return a baseline: turns in the order of a mix of max-scaled BM25 and cosine, whole lines until full."""

        def answer(conversation: LocomoConversation, question: LocomoQuestion, budget: int) -> str:
            turns = self._turns[conversation.name]
            seqs = [turn.seq for turn in turns]
            terms = content_words(question.question)
            with self._services.recall.store.read() as repos:
                flt = TextFilter(agent_id=conversation.name)
                hits = {hit.seq: hit.score for hit in repos.text.search("turn", terms, flt, limit=len(turns))}
            embedded = self._services.indexing.embed_query(question.question)
            vectors = self._services.indexing.vectors(conversation.name, "turn", seqs)
            cosine = np.zeros(len(turns)) if embedded is None or vectors is None else vectors @ embedded[1]
            text = _of_best(np.array([hits.get(seq, 0.0) for seq in seqs]))
            lines: list[str] = []
            used = 0
            for i in np.argsort(-mix(text, cosine), kind="stable"):
                turn = turns[int(i)]
                line = f"{say_day(turn.said_at.date())} {turn.speaker}: {turn.content}"
                if used + len(line) + 1 > budget * 4:
                    break
                lines.append(line)
                used += len(line) + 1
            return "\n".join(lines)

        return answer

    def _examples(self, conversation: LocomoConversation, *, vectors: bool = True) -> list[Examples]:
        with self._services.recall.store.read() as repos:
            return self._teacher(conversation).turns(repos, vectors=vectors)

    def _statements(self, conversation: LocomoConversation, *, vectors: bool = True) -> list[Examples]:
        with self._services.recall.store.read() as repos:
            return self._teacher(conversation).statements(repos, vectors=vectors)

    def _teacher(self, conversation: LocomoConversation) -> Teacher:
        return Teacher(self._services.recall.searcher, conversation, self._turns[conversation.name])

    def _read_turns(self, conversation: LocomoConversation) -> list[Turn]:
        with self._services.recall.store.read() as repos:
            return [
                turn
                for session in conversation.sessions
                for turn in repos.turns.of_conversation(conversation.name, session.conversation_id)
            ]

    @contextmanager
    def _weights(self, turns: Weights, statements: Weights | None = None) -> Iterator[None]:
        searcher = self._services.recall.searcher
        searcher.weights["hybrid"] = turns
        if statements is not None:
            searcher.stated["hybrid"] = statements
        try:
            yield
        finally:
            searcher.weights.clear()
            searcher.stated.clear()


@contextmanager
def _constants(places: Sequence[Place]) -> Iterator[None]:
    with ExitStack() as stack:
        for module, name, value in places:
            stack.callback(setattr, module, name, getattr(module, name))
            setattr(module, name, value)
        yield


def _without(examples: dict[str, list[Examples]], name: str) -> list[Examples]:
    return [part for other, parts in examples.items() if other != name for part in parts]


def _of_best(values: Any) -> Any:
    return values / max(float(values.max()), 1e-9)


def _short(figures: Figures) -> dict[str, float]:
    return {
        "evidence": round(figures.evidence, 4),
        "answer_words": round(figures.answer_words, 4),
        "tokens": round(figures.mean_tokens, 1),
    }


def _saved(report: dict[str, Any]) -> tuple[float, float]:
    """Return the share of tokens that stopping early saves, and the evidence it loses."""
    full = report["full_budget"]
    return 1.0 - report["tokens"] / max(full["tokens"], 1.0), full["evidence"] - report["evidence"]


def _print(report: dict[str, Any], loaded: Loaded) -> None:
    rows: list[tuple[str, dict[str, Any]]] = [(f"memdesk, {report['budget']} tokens", report)]
    rows.append(("memdesk, never stopping early", report["full_budget"]))
    rows += [(f"memdesk, {budget} tokens", row) for budget, row in report.get("budgets", {}).items()]
    rows += list(report.get("baselines", {}).items())
    rows += list(report.get("ablation", {}).items())
    if "leave_one_out" in report:
        rows.append(("weights learned on the others", report["leave_one_out"]))
        rows.append(("the same, never stopping early", report["leave_one_out"]["full_budget"]))
    print(f"{'':44}{'evidence':>9}{'answer words':>14}{'tokens':>8}")
    for name, row in rows:
        print(f"{name:44}{row['evidence']:9.3f}{row['answer_words']:14.3f}{row['tokens']:8.0f}")
    print()
    saved, lost = _saved(report)
    print(f"stopping early saves {saved:.1%} of the tokens for {lost:.4f} of the evidence")
    print("  ".join(f"{name} {value:.3f}" for name, value in report["by_category"].items()))
    print("  ".join(f"{name} {value:.3f}" for name, value in report["by_conversation"].items()))
    ingest = report["ingest"]
    print(f"query p50 {report['p50_ms']:.1f} ms, p95 {report['p95_ms']:.1f} ms, with its embedding")
    print(
        f"{loaded.turns} turns recorded at {ingest['turns_per_second']:.0f}/s, "
        f"embedded at {ingest['embedded_per_second']:.0f}/s, distilled in {ingest['distil_seconds']:.0f} s"
    )
    print(f"evidence {report['evidence']:.4f} answer_words {report['answer_words']:.4f}")


assert all(feature in FEATURES for features in GROUPS.values() for feature in features)
