"""``memdesk bench gate FILE...``: how often the gate chooses a right section, and what a decision costs."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from memdesk.domain.entities import EntityMatcher
from memdesk.domain.gate import SECTIONS, Decision, Gate
from memdesk.errors import MemdeskError
from memdesk.services.recall_gate import shipped_gate

#: Names in the matcher while decisions are timed.
NAMES = 10_000
_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with the sections that are right for it."""

    query: str
    accept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A file of prompts: its stem, the entity names, the prompts."""

    name: str
    entities: tuple[str, ...]
    prompts: tuple[Prompt, ...]


def read_prompts(path: Path) -> tuple[list[str], list[Prompt]]:
    """Read entity names and prompts: JSON lines, the first one ``{"entities": [...]}``.

    Raises:
        ValueError: a line is not of the format.
    """
    names: list[str] = []
    prompts: list[Prompt] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        entry = json.loads(line)
        if "entities" in entry:
            names += [str(name) for name in entry["entities"]]
        elif "query" in entry and entry.get("accept"):
            prompts.append(Prompt(str(entry["query"]), tuple(entry["accept"])))
        else:
            raise ValueError(f"line {number} has neither entities nor a query with the sections to accept")
    if not prompts:
        raise ValueError("the file holds no prompt")
    return names, prompts


def judge(gate: Gate, names: EntityMatcher, prompts: Sequence[Prompt]) -> list[tuple[Prompt, Decision]]:
    """Return every prompt with its decision."""
    return [(prompt, gate.decide(prompt.query, names)) for prompt in prompts]


def figures(judged: Sequence[tuple[Prompt, Decision]]) -> dict[str, Any]:
    """Return accuracy, and precision and recall of each section (of the first one accepted)."""
    right = sum(decision.section in prompt.accept for prompt, decision in judged)
    chosen = Counter(decision.section for _, decision in judged)
    wanted = Counter(prompt.accept[0] for prompt, _ in judged)
    good = Counter(decision.section for prompt, decision in judged if decision.section in prompt.accept)
    found = Counter(prompt.accept[0] for prompt, decision in judged if decision.section in prompt.accept)
    return {
        "accuracy": round(right / len(judged), 4),
        "confusion": _confusion(judged),
        "sections": {
            section: {
                "precision": round(good[section] / chosen[section], 4) if chosen[section] else None,
                "recall": round(found[section] / wanted[section], 4) if wanted[section] else None,
                "prompts": wanted[section],
            }
            for section in SECTIONS
        },
    }


def _confusion(judged: Sequence[tuple[Prompt, Decision]]) -> dict[str, dict[str, int]]:
    """Count what was chosen (inner) for what was wanted (outer); any accepted section counts as wanted."""
    pairs = Counter(
        (decision.section if decision.section in prompt.accept else prompt.accept[0], decision.section)
        for prompt, decision in judged
    )
    return {wanted: {chosen: pairs[wanted, chosen] for chosen in SECTIONS} for wanted in SECTIONS}


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
    parser = argparse.ArgumentParser(prog="memdesk bench gate", description=__doc__)
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="file",
        help='JSON lines: {"entities": [...]}, then {"query", "accept": [...]}',
    )
    parser.add_argument("--memory", type=Path, help="a conversation (LoCoMo): what likeness to it lets through besides")
    parser.add_argument("--store", type=Path, help="keep that conversation's profile in this folder, or use it again")
    parser.add_argument("--rules", action="store_true", help="distil it by rules alone")
    parser.add_argument("--leave-one-out", action="store_true", help="judge each file by what the others teach")
    parser.add_argument("--train", type=Path, help="learn the weights of wordings from the files and write them here")
    parser.add_argument("--json", action="store_true", help="one object instead of a table")
    options = parser.parse_args(argv)
    sets: list[Labelled] = []
    for path in options.files:
        try:
            names, prompts = read_prompts(path)
        except (OSError, ValueError) as error:
            sys.stderr.write(f"{path} cannot be read: {error}\n")
            return 2
        sets.append(Labelled(path.stem, tuple(names), tuple(prompts)))
    if options.train is not None or options.leave_one_out:
        return _teach(sets, options)
    return _measure(sets, options)


def _teach(sets: Sequence[Labelled], options: argparse.Namespace) -> int:
    from memdesk.bench.gate_train import learn, leave_one_out, write

    if options.train is not None:
        write(options.train, learn(sets))
    if options.leave_one_out:
        found = leave_one_out(sets)
        for name, accuracy in found.items():
            print(f"{name:12}{accuracy:8.4f}")
        print(f"accuracy {sum(found.values()) / len(found):.4f}")
    return 0


def _measure(sets: Sequence[Labelled], options: argparse.Namespace) -> int:
    gate = shipped_gate()
    judged = []
    for each in sets:
        judged += judge(gate, EntityMatcher(each.entities, generic=gate.generic_words), each.prompts)
    prompts = [prompt for prompt, _ in judged]
    names = [name for each in sets for name in each.entities]
    report = {**figures(judged), "microseconds": round(microseconds(gate, names, prompts), 1)}
    if options.memory is not None:
        from memdesk.bench.gate_memory import measure_likeness

        strangers = [prompt.query for prompt in prompts if prompt.accept == ("none",)]
        try:
            report["likeness"] = measure_likeness(options.memory, options.store, strangers, rules=options.rules)
        except MemdeskError as error:
            sys.stderr.write(f"{error.title}: {error.message}\n")
            return 2
    if options.json:
        print(json.dumps(report))
        return 0
    for line in _table(report, judged):
        print(line)
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
    if "likeness" in report:
        row = report["likeness"]
        yield (
            f"likeness opens for {row['hits']:.1%} of {row['hits_of']} questions to the memory that no rule lets through, "
            f"and for {row['false_alarms']:.1%} of {row['false_alarms_of']} prompts that ask for nothing"
        )
    yield f"{report['microseconds']:.0f} microseconds of processor time a decision with {NAMES:,} names"
    yield f"accuracy {report['accuracy']:.4f}"
