"""Labeled prompts for the gate, and how its decisions on them are counted."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memdesk.domain.language.names import EntityMatcher
from memdesk.domain.recalling.gate import SECTIONS, Decision, Gate


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with its right sections."""

    query: str
    accept: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Labeled:
    """A file of prompts: its stem, the entity names, the prompts."""

    name: str
    entities: tuple[str, ...]
    prompts: tuple[Prompt, ...]


def read_prompts(path: Path) -> tuple[list[str], list[Prompt]]:
    """Read entity names and prompts: JSON lines, the first one ``{"entities": [...]}``.

    Raises:
        ValueError: a line is malformed.
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
