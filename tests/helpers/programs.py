"""The memory of programs for tests: real reader and embedder, started once, over any store."""

from __future__ import annotations

import contextlib

from memdesk.engines import nlp
from memdesk.engines.embedder import BUNDLED_ID, open_embedder
from memdesk.engines.fingerprint import Fingerprints
from memdesk.errors import EngineError
from memdesk.runtime.clock import SystemClock
from memdesk.runtime.lanes import ThreadLanes
from memdesk.runtime.pool import WorkerPool
from memdesk.services.library.deciding import decide
from memdesk.services.library.grammar import GrammarExtractor
from memdesk.services.library.keeping import Parts
from memdesk.services.library.memory import MemoryService
from memdesk.services.library.scores import calibration
from memdesk.stores.history import InMemoryHistory

#: Longer than any run: a process that a test starts it must end.
FOR_EVER = 1e6


class Engines:
    """The bundled reader and embedder, warmed up."""

    def __init__(self, folder) -> None:
        self._lanes = ThreadLanes()
        self._pool = WorkerPool(self._lanes)
        self.embedder = open_embedder(BUNDLED_ID, self._pool, folder, idle_seconds=FOR_EVER)
        with _never_idle():
            self.analyzer = nlp.SpacyAnalyzer(self._pool, Fingerprints(folder / "fingerprints.json"))
        self.embedder.warm_up()
        self.analyzer.analyze(["Ready."])

    def close(self) -> None:
        self._pool.close()
        self._lanes.close()

    def service(self, store, history=None, **parts) -> MemoryService:
        """Return a memory over a store; ``parts`` replace those it would have."""
        history = history or InMemoryHistory()
        made = {
            "store": store,
            "history": history,
            "embedder": self.embedder,
            "grammar": GrammarExtractor(self.analyzer),
            "decide": decide,
            "clock": SystemClock(),
            "calibrate": calibration(self.embedder.model_id),
        } | parts
        return MemoryService(Parts(**made))


@contextlib.contextmanager
def _never_idle():
    before = nlp.IDLE_SECONDS
    nlp.IDLE_SECONDS = FOR_EVER  # type: ignore[misc]  # kept for a test
    try:
        yield
    finally:
        nlp.IDLE_SECONDS = before  # type: ignore[misc]


class Failing:
    """Any part that fails with an error whenever it is called, or for texts that hold a word."""

    def __init__(self, error=None, word: str = "", inner=None) -> None:
        self.error = error or EngineError("It is down.")
        self.word = word
        self.inner = inner
        self.calls = 0

    @property
    def model_id(self):
        return self.inner.model_id

    @property
    def dim(self):
        return self.inner.dim

    def embed(self, texts, **_more):
        self.calls += 1
        if not self.word or any(self.word in text for text in texts):
            raise self.error
        return self.inner.embed(texts)

    def read(self, *_messages, **_wishes):
        raise self.error

    def complete(self, *_asked):
        self.calls += 1
        raise self.error

    def note(self, *_records):
        raise self.error

    def noted(self, *_asked):
        return []

    def forget(self, *_asked):
        return None

    def close(self):
        return None


class QueueText:
    """``ports.library.TextModel`` that answers from a list and keeps what it was asked."""

    def __init__(self, *answers) -> None:
        self.answers = list(answers)
        self.asked: list = []

    def complete(self, system, user):
        self.asked.append((system, user))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def close(self):
        return None
