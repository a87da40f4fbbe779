"""The real language pipeline in this process: loaded once for all tests, where a child process would load it for each."""

from __future__ import annotations

import json
import sys
import threading
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.reading.extractor import extract, prepare
from memdesk.engines.fingerprint import Fingerprints
from memdesk.engines.nlp import joined, pieces, pipeline_folder
from memdesk.engines.nlp_worker import NlpWorker


class ReadsHere:
    """The part of ``ports.LanguageAnalyzer`` that reads statements, by what ``analyze`` gives."""

    def analyze(self, texts, *, cancel=None):
        raise NotImplementedError

    def extract(self, turns, *, known=(), spoken="en", cancel=None):
        return extract(turns, self.analyze(prepare(turns), cancel=cancel), known=known, spoken=spoken)


class InProcessParser(ReadsHere):
    """``ports.LanguageAnalyzer`` over the pipeline itself."""

    def __init__(self, folder: Path) -> None:
        loaded = dict(sys.modules)
        self._worker = NlpWorker({"path": str(folder)})
        self._one_at_a_time = threading.Lock()
        for name in [name for name, module in sys.modules.items() if module is None and name not in loaded]:
            del sys.modules[name]  # what the worker keeps its own process from importing

    def analyze(self, texts, *, cancel=None):
        cut = [pieces(text) for text in texts]
        blob = json.dumps([piece for parts in cut for piece in parts]).encode()
        with self._one_at_a_time:
            answers = [
                answer for answer in self._worker.handle("analyze", {}, blob, lambda: False) if answer is not None
            ]
        rows = iter([row for answer in answers for row in json.loads(answer[1])])
        return [joined(text, parts, rows) for text, parts in zip(texts, cut, strict=True)]


@cache
def parser() -> InProcessParser:
    """Return the one that all tests of a process share."""
    with TemporaryDirectory() as folder:
        return InProcessParser(pipeline_folder(Fingerprints(Path(folder) / "fingerprints.json")))


def read_here(monkeypatch) -> None:
    """Let apps read with that one, where a process of its own would take each of them a second of the processor."""
    shared = parser()
    monkeypatch.setattr("memdesk.bootstrap.lazy._analyzer", lambda *_: shared)


def parsed(texts: list[str]) -> list[Analysis]:
    """Parse texts."""
    return parser().analyze(texts)
