"""The engines that benches learn with."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from memdesk.engines.embedder import BUNDLED_ID, ProcessEmbedder, open_embedder
from memdesk.engines.fingerprint import Fingerprints
from memdesk.engines.nlp import SpacyAnalyzer
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.pool import WorkerPool


@dataclass(frozen=True, slots=True)
class Engines:
    """The language pipeline and the bundled embedder; each has a process of its own from its first use on."""

    analyzer: SpacyAnalyzer
    embedder: ProcessEmbedder


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
