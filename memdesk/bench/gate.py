"""``memdesk bench gate FILE...``: how often the gate chooses a right section, and the cost of a decision."""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from memdesk.bench.gate_prompts import Labeled, Prompt, figures, judge, read_prompts
from memdesk.bench.gate_train import learn, leave_one_out, write
from memdesk.bench.shared import arguments, tell
from memdesk.domain.language.names import EntityMatcher
from memdesk.domain.recalling.gate import SECTIONS, Decision, Gate
from memdesk.services.recalling import shipped_gate

#: Names known to the matcher while decisions are timed.
NAMES = 10_000
_ROUNDS = 20


def microseconds(gate: Gate, names: Sequence[str], prompts: Sequence[Prompt]) -> float:
    """Return the mean processor time of a decision with :data:`NAMES` names to look for."""
    many = [*names, *(f"Person{i} Family{i * 7}" for i in range(NAMES - len(names)))]
    matcher = EntityMatcher(many, generic=gate.generic_words)
    rounds = tqdm(range(_ROUNDS), desc="timing", file=sys.stderr)
    best = float("inf")
    for _ in rounds:
        started = time.thread_time()
        for prompt in prompts:
            gate.decide(prompt.query, matcher)
        best = min(best, (time.thread_time() - started) / len(prompts) * 1e6)
    return best


def main(argv: Sequence[str] | None = None) -> int:
    """Run the bench; return 0, or 2 when the file cannot be read."""
    parser = arguments("gate", __doc__)
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="file",
        help='JSON lines: {"entities": [...]}, then {"query", "accept": [...]}',
    )
    parser.add_argument("--leave-one-out", action="store_true", help="judge each file by what the others teach")
    parser.add_argument("--train", type=Path, help="learn the weights of wordings from the files and write them here")
    options = parser.parse_args(argv)
    sets: list[Labeled] = []
    for path in options.files:
        try:
            names, prompts = read_prompts(path)
        except (OSError, ValueError) as error:
            sys.stderr.write(f"{path} cannot be read: {error}\n")
            return 2
        sets.append(Labeled(path.stem, tuple(names), tuple(prompts)))
    if options.train is not None or options.leave_one_out:
        return _teach(sets, options)
    return _measure(sets, options)


def _teach(sets: Sequence[Labeled], options: argparse.Namespace) -> int:
    if options.train is not None:
        write(options.train, learn(sets))
    if options.leave_one_out:
        found = leave_one_out(sets)
        for name, accuracy in found.items():
            print(f"{name:12}{accuracy:8.4f}")
        print(f"accuracy {sum(found.values()) / len(found):.4f}")
    return 0


def _measure(sets: Sequence[Labeled], options: argparse.Namespace) -> int:
    gate = shipped_gate()
    judged = []
    for each in sets:
        judged += judge(gate, EntityMatcher(each.entities, generic=gate.generic_words), each.prompts)
    prompts = [prompt for prompt, _ in judged]
    names = [name for each in sets for name in each.entities]
    report = {**figures(judged), "microseconds": round(microseconds(gate, names, prompts), 1)}
    tell(options, report, lambda: _table(report, judged))
    return 0


def _table(report: dict[str, Any], judged: Sequence[tuple[Prompt, Decision]]) -> Iterator[str]:
    for prompt, decision in judged:
        if decision.section not in prompt.accept:
            yield f"{prompt.query!r}: {decision.section} by {decision.rule}, not {' or '.join(prompt.accept)}"
    yield f"{'section':12}{'prompts':>8}{'precision':>11}{'recall':>8}"
    for section, row in report["sections"].items():
        precision = "-" if row["precision"] is None else f"{row['precision']:.3f}"
        recall = "-" if row["recall"] is None else f"{row['recall']:.3f}"
        yield f"{section:12}{row['prompts']:8}{precision:>11}{recall:>8}"
    yield f"{'wanted, chosen':16}" + "".join(f"{section:>11}" for section in SECTIONS)
    for wanted, row in report["confusion"].items():
        yield f"{wanted:16}" + "".join(f"{row[section]:11}" for section in SECTIONS)
    yield f"{report['microseconds']:.0f} microseconds of processor time a decision with {NAMES:,} names"
    yield f"accuracy {report['accuracy']:.4f}"
