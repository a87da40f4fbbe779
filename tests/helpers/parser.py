"""The real language engine in this process, loaded once for all tests instead of in a child process for each."""

from __future__ import annotations

import json
import sys
import threading
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.reading.durability import Judge
from memdesk.domain.reading.extractor import extract, prepare
from memdesk.engines.fingerprint import Fingerprints
from memdesk.engines.nlp import TAGS, config, in_order, joined, pieces
from memdesk.engines.nlp_worker import NlpWorker


class ReadsHere:
    """The part of ``ports.LanguageAnalyzer`` that reads statements, by what ``analyze`` gives."""

    def analyze(self, texts, *, cancel=None):
        raise NotImplementedError

    def extract(self, turns, *, known=(), spoken="en", cancel=None):
        return extract(
            turns, self.analyze(prepare(turns), cancel=cancel), known=known, spoken=spoken, judge=parser().judge
        )

    def weigh(self, task, pairs, *, cancel=None):
        return parser().weigh(task, pairs)

    def tag(self, texts, *, cancel=None):
        return parser().tag(texts)


class InProcessParser(ReadsHere):
    """``ports.LanguageAnalyzer`` over the engine itself."""

    def __init__(self, told: dict[str, object]) -> None:
        loaded = dict(sys.modules)
        self._worker = NlpWorker(told)
        judge = self._worker.judge()
        self.judge = Judge(cache(judge.lasting), cache(judge.care))
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

    def tag(self, texts, *, cancel=None):
        return TAGS.validate_python(self._classified("tag", {}, list(texts), "tags"))

    def weigh(self, task, pairs, *, cancel=None):
        return self._classified("weigh", {"task": task}, list(pairs), "odds")

    def _classified(self, op, args, texts, field):
        with self._one_at_a_time:
            answers = self._worker.handle(op, args, json.dumps(texts).encode(), lambda: False)
            return in_order(filter(None, answers), field, len(texts))


@cache
def parser() -> InProcessParser:
    """Return the one that all tests of a process share."""
    with TemporaryDirectory() as folder:
        return InProcessParser(config(Fingerprints(Path(folder) / "fingerprints.json")))


def read_here(monkeypatch) -> None:
    """Let apps read with that one, where a process of its own would take each of them a second of the processor."""
    shared = parser()
    monkeypatch.setattr("memdesk.bootstrap.lazy._analyzer", lambda *_: shared)


def read_turns(turns, **more):
    """Return what is read of turns, as the app reads it."""
    return extract(turns, parser().analyze(prepare(turns)), judge=parser().judge, **more)


def parsed(texts: list[str]) -> list[Analysis]:
    """Parse texts."""
    return parser().analyze(texts)
