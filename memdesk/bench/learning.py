"""Learns what :class:`memdesk.domain.regression.Regression` reads, and writes it with what taught it."""

import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from memdesk.bench.logistic import fit
from memdesk.domain.language.analysis import Analysis
from memdesk.engines.embedder import BUNDLED_ID, open_embedder
from memdesk.engines.fingerprint import Fingerprints
from memdesk.engines.nlp import SpacyAnalyzer
from memdesk.ports import Vectors
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.pool import WorkerPool
from memdesk.settings.resources import resources_root

Analyze = Callable[[Sequence[str]], list[Analysis]]
Embed = Callable[[Sequence[str]], "Vectors"]
#: Inverse strength of the ridge, for the summed loss; chosen by leaving files out.
LOOSE: Final = 0.8
#: Features of fewer examples tell little of the next.
LEAST_SEEN: Final = 2
#: What one step of a stored weight is worth, and below how many a weight is left out.
UNIT: Final = 0.02
LEAST_STEPS: Final = 2


@dataclass(frozen=True, slots=True)
class Example:
    """What is weighed, and whether it is so.

    ``counts`` says for how many it stands.
    """

    features: frozenset[str]
    so: bool
    counts: float = 1.0


def learn(taught: Sequence[Example], scales: Mapping[str, float], *, least: int = LEAST_SEEN) -> dict[str, Any]:
    """Return what :class:`Regression` reads; features of fewer than ``least`` examples are left out."""
    seen = Counter(feature for example in taught for feature in example.features)
    names = sorted(feature for feature, count in seen.items() if count >= least)
    places = {feature: place for place, feature in enumerate(names)}
    rows = [
        {places[each]: scales[each.partition(":")[0]] for each in sorted(example.features) if each in places}
        for example in taught
    ]
    so = np.array([[float(example.so)] for example in taught])
    counts = np.array([example.counts for example in taught])
    weights, bias = fit(rows, len(names), so, 1.0 / (LOOSE * counts.sum()), counts)
    steps = np.rint(weights[:, 0] / UNIT).astype(int)
    return {
        "unit": UNIT,
        "bias": int(np.rint(bias[0] / UNIT)),
        "weights": {names[i]: int(steps[i]) for i in np.flatnonzero(np.abs(steps) >= LEAST_STEPS)},
    }


def write(resource: str, bench: str, files: Sequence[Path], data: Mapping[str, Any]) -> None:
    """Write weights that ship, and which files taught them; one feature a line, so that a change of them can be read."""
    head = {
        "learned_by": f"memdesk bench {bench} --train",
        "learned_from": [
            {
                "file": path.name,
                "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
                "source": "written for memdesk",
            }
            for path in files
        ],
    }
    path = resources_root() / resource
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({**head, **data}, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


@contextmanager
def engines() -> Iterator[tuple[Analyze, Embed]]:
    """Lend the language pipeline and the bundled embedder; each has a process of its own from its first use on."""
    lanes = ThreadLanes()
    workers = WorkerPool(lanes)
    try:
        with tempfile.TemporaryDirectory() as folder:
            embedder = open_embedder(BUNDLED_ID, workers, Path(folder))
            yield SpacyAnalyzer(workers, Fingerprints(Path(folder) / "fingerprints.json")).analyze, embedder.embed
    finally:
        workers.close()
        lanes.close()
