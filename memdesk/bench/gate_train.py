"""Learns the weights of :class:`memdesk.domain.recalling.gate_wording.Wording` from labeled prompts, and judges what was learned.

One logistic regression with a ridge for each section against the rest.
"""

import json
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from memdesk.bench.gate_prompts import Labeled, figures, judge
from memdesk.bench.logistic import fit
from memdesk.domain.language.data import LANGUAGES
from memdesk.domain.language.names import EntityMatcher
from memdesk.domain.recalling.gate import SECTIONS, Gate
from memdesk.domain.recalling.gate_wording import SCALES, Wording
from memdesk.services.recalling import language_rules, word_kinds

#: Inverse strength of the ridge, for the summed loss.
LOOSE = 100.0
#: Features of fewer prompts tell little of the next.
_LEAST_SEEN = 2
#: What one step of a stored weight is worth.
_UNIT = 0.05
#: Weights that nowhere reach this many steps are left out.
_LEAST_STEPS = 4


def learn(sets: Sequence[Labeled]) -> dict[str, Any]:
    """Return what :class:`Wording` reads, learned from the prompts in :data:`LANGUAGES`."""
    rows, targets = _examples(sets)
    seen = Counter(feature for row in rows for feature in row)
    kept = sorted(feature for feature, count in seen.items() if count >= _LEAST_SEEN)
    weights, bias = _fit(rows, {feature: index for index, feature in enumerate(kept)}, targets)
    steps = np.rint(weights / _UNIT).astype(int)
    telling = np.abs(steps).max(axis=1) >= _LEAST_STEPS
    return {
        "sections": list(SECTIONS),
        "languages": sorted(LANGUAGES),
        "unit": _UNIT,
        "bias": np.rint(bias / _UNIT).astype(int).tolist(),
        "weights": {kept[index]: steps[index].tolist() for index in np.flatnonzero(telling)},
    }


def leave_one_out(sets: Sequence[Labeled]) -> dict[str, float]:
    """Return the accuracy on each set of weights learned on the others."""
    found = {}
    for held in sets:
        data = learn([each for each in sets if each is not held])
        gate = Gate(language_rules(), wording=Wording(word_kinds(), data))
        names = EntityMatcher(held.entities, generic=gate.generic_words)
        found[held.name] = float(figures(judge(gate, names, held.prompts))["accuracy"])
    return found


def write(path: Path, data: dict[str, Any]) -> None:
    """Write weights, one feature a line, so that a change of them can be read."""
    head = {key: value for key, value in data.items() if key != "weights"}
    lines = [
        f"{json.dumps(key, ensure_ascii=False)}:{json.dumps(value, separators=(',', ':'))}"
        for key, value in head.items()
    ]
    rows = ",\n".join(
        f"{json.dumps(feature, ensure_ascii=False)}:{json.dumps(numbers, separators=(',', ':'))}"
        for feature, numbers in sorted(data["weights"].items())
    )
    path.write_text("{" + ",\n".join(lines) + ',\n"weights":{\n' + rows + "\n}}\n", encoding="utf-8")


def _examples(sets: Sequence[Labeled]) -> tuple[list[list[str]], np.ndarray[Any, Any]]:
    """Return the features of every prompt, with the share of each section."""
    gate = Gate(language_rules())
    kinds = word_kinds()
    rows: list[list[str]] = []
    targets: list[list[float]] = []
    for each in sets:
        names = EntityMatcher(each.entities, generic=gate.generic_words)
        for prompt in each.prompts:
            share = [prompt.accept.count(section) / len(prompt.accept) for section in SECTIONS]
            text, languages = gate.reading(prompt.query, names)
            if not set(languages).isdisjoint(LANGUAGES):
                rows.append(kinds.features(text))
                targets.append(share)
    return rows, np.array(targets)


def _fit(
    rows: Sequence[Sequence[str]], places: dict[str, int], targets: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return weights (features, sections) and the bias of each section."""
    kept = [[feature for feature in row if feature in places] for row in rows]
    lengths = [math.sqrt(sum(SCALES[feature[0]] ** 2 for feature in row)) or 1.0 for row in kept]
    scaled = [
        {places[feature]: SCALES[feature[0]] / length for feature in row}
        for row, length in zip(kept, lengths, strict=True)
    ]
    return fit(scaled, len(places), targets, 1.0 / (LOOSE * len(rows)))
