"""Adapters that are made when they are first needed, so that a start waits for none of them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from memdesk.errors import EngineError, MemdeskError
from memdesk.services.events import EventBus, Notice, SettingsChanged

if TYPE_CHECKING:
    from memdesk.domain.language.analysis import Analysis
    from memdesk.domain.models import VectorKind
    from memdesk.engines.embedder import ProcessEmbedder
    from memdesk.engines.hnsw import HnswIndex
    from memdesk.engines.nlp import SpacyAnalyzer
    from memdesk.ports import CancelToken, Embedder, EngineState, Workers
    from memdesk.services.models import ModelsService
    from memdesk.services.settings import SettingsService
    from memdesk.settings.paths import ProfilePaths

log = logging.getLogger(__name__)
T = TypeVar("T")
_FIELDS = frozenset({"memory.embedding_backend", "memory.embedding_model"})


class _Later:
    """Stands for an object until something of it is asked for; then it is made, once, and asked instead."""

    __slots__ = ("_lock", "_made", "_make")

    def __init__(self, make: Callable[[], object]) -> None:
        self._make = make
        self._made: object | None = None
        self._lock = threading.RLock()

    def __getattr__(self, name: str) -> Any:
        made = self._made
        if made is None:
            with self._lock:
                if self._made is None:
                    self._made = self._make()
                made = self._made
        return getattr(made, name)


def later(make: Callable[[], T]) -> T:
    """Return what stands for ``make()`` and calls it when it is first used. Thread-safe.

    An error of ``make`` reaches the first user; the next one tries again.
    """
    return cast("T", _Later(make))


def was_made(stand_in: object) -> bool:
    """Whether what :func:`later` returned has been used."""
    assert isinstance(stand_in, _Later)
    return stand_in._made is not None  # noqa: SLF001 -- one mechanism in two parts


class Embedders:
    """The embedder that the settings ask for. Thread-safe.

    One that cannot be opened is told about once and stands for none, until the settings change.
    """

    def __init__(
        self,
        paths: ProfilePaths,
        settings: SettingsService,
        models: ModelsService,
        workers: Workers,
        events: EventBus,
    ) -> None:
        self._paths = paths
        self._settings = settings
        self._models = models
        self._workers = workers
        self._events = events
        self._lock = threading.Lock()
        self._known = False
        self._embedder: ProcessEmbedder | None = None
        events.subscribe(SettingsChanged, self._changed)

    def current(self) -> Embedder | None:
        """Return the embedder in force; None for search by words alone."""
        if self._known:
            return self._embedder
        with self._lock:
            if not self._known:
                self._embedder = self._open()
                self._models.use_embedder(self._embedder)
                self._known = True
            return self._embedder

    def _open(self) -> ProcessEmbedder | None:
        memory, engine = self._settings.current.memory, self._settings.current.engine
        if memory.embedding_backend == "none":
            return None
        from memdesk.engines.embedder import open_embedder

        try:
            return open_embedder(
                memory.embedding_model,
                self._workers,
                self._paths.cache,
                threads=engine.threads,
                idle_seconds=engine.idle_unload_seconds,
            )
        except MemdeskError as error:
            log.warning("no embedder: %s", error.code)
            self._events.publish(Notice("error", error.title, error.message, hint=error.hint, code=error.code))
            return None

    def _changed(self, event: SettingsChanged) -> None:
        if not _FIELDS & set(event.names):
            return
        with self._lock:
            former, self._embedder, self._known = self._embedder, None, False
        if former is not None:
            former.unload()
        self.current()


class LazyAnalyzer:
    """``ports.LanguageAnalyzer`` whose pipeline is looked for at the first text."""

    def __init__(self, workers: Workers, fingerprints: Path) -> None:
        self._workers = workers
        self._fingerprints = fingerprints
        self._lock = threading.Lock()
        self._made: SpacyAnalyzer | None = None

    def analyze(self, texts: Sequence[str], *, cancel: CancelToken | None = None) -> list[Analysis]:
        """Analyse texts; see ``ports.LanguageAnalyzer``.

        Raises:
            EngineError: the pipeline is not installed, or its process failed.
        """
        return self._get().analyze(texts, cancel=cancel)

    def state(self) -> EngineState:
        """Return what the process is doing."""
        from memdesk.ports import EngineState

        if self._made is None:
            return EngineState(name="language", kind="nlp", state="stopped")
        return self._made.state()

    def _get(self) -> SpacyAnalyzer:
        with self._lock:
            if self._made is None:
                from memdesk.engines.fingerprint import Fingerprints
                from memdesk.engines.nlp import SpacyAnalyzer

                try:
                    self._made = SpacyAnalyzer(self._workers, Fingerprints(self._fingerprints))
                except MemdeskError as error:
                    raise EngineError(error.message, hint=error.hint) from error
            return self._made


class LazyIndexes:
    """``ports.VectorIndexFactory`` that imports numpy and hnswlib with the first index."""

    def create(self, agent_id: str, kind: VectorKind, model: str, dim: int) -> HnswIndex:
        """Return an empty index."""
        from memdesk.engines.hnsw import HnswFactory

        return HnswFactory().create(agent_id, kind, model, dim)
