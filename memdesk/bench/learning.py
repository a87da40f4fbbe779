"""The engines that benches train with."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from memdesk.engines.embedder import BUNDLED_ID, ProcessEmbedder, open_embedder
from memdesk.engines.fingerprint import Fingerprints
from memdesk.engines.nlp import SpacyAnalyzer
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.pool import WorkerPool


@dataclass(frozen=True, slots=True)
class Engines:
    """The language pipeline and the bundled embedder; each runs in its own process from its first use."""

    analyzer: SpacyAnalyzer
    embedder: ProcessEmbedder


class Vectors:
    """Vectors of texts; each is embedded once."""

    def __init__(self, embedder: ProcessEmbedder) -> None:
        self._embedder = embedder
        self._known: dict[tuple[str, bool], Any] = {}

    @property
    def model(self) -> str:
        return self._embedder.model_id

    def of(self, texts: Sequence[str], *, query: bool = False) -> Any:
        """Return vectors, shape (len(texts), dim)."""
        fresh = [one for one in dict.fromkeys(texts) if (one, query) not in self._known]
        if fresh:
            made = self._embedder.embed(fresh, query=query, priority="background")
            self._known |= {(one, query): row for one, row in zip(fresh, made, strict=True)}
        return np.stack([self._known[one, query] for one in texts])

    def cosines(self, text: str, others: Sequence[str]) -> Any:
        """Return the cosine of a text to each of others."""
        *rows, own = self.of([*others, text])
        return np.stack(rows) @ own


@contextmanager
def engines() -> Iterator[Engines]:
    """Lend the engines."""
    lanes = ThreadLanes()
    workers = WorkerPool(lanes)
    try:
        with tempfile.TemporaryDirectory() as folder:
            analyzer = SpacyAnalyzer(workers, Fingerprints(Path(folder) / "fingerprints.json"))
            yield Engines(analyzer, open_embedder(BUNDLED_ID, workers, Path(folder)))
    finally:
        workers.close()
        lanes.close()
