"""Adapters that are created on first use, so that a start waits for none of them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define

from memdesk.errors import EngineError, MemdeskError
from memdesk.messages import say
from memdesk.services.events import EventBus, Notice, SettingsChanged

if TYPE_CHECKING:
    from memdesk.domain.models import VectorKind
    from memdesk.engines.embedder import ProcessEmbedder
    from memdesk.engines.hnsw import HnswIndex
    from memdesk.engines.known_models import KnownModels
    from memdesk.engines.leveling import LeveledEmbedder
    from memdesk.engines.nlp import SpacyAnalyzer
    from memdesk.engines.remote import RemoteServers
    from memdesk.engines.remote_embedder import ServerEmbedder
    from memdesk.ports import Embedder, Workers
    from memdesk.services.models import ModelsService
    from memdesk.services.settings import SettingsService
    from memdesk.settings.paths import ProfilePaths

    _Held = ProcessEmbedder | LeveledEmbedder

log = logging.getLogger(__name__)
T = TypeVar("T")
_FIELDS = frozenset({"memory.embedding_backend", "memory.embedding_model"})
_SERVERS = "engine.remote_servers"


class _Later:
    """A proxy for an object that is created, once, on first use."""

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
    """Return a proxy for ``make()``, which is called on first use. Thread-safe.

    An error of ``make`` reaches the first caller; the next one tries again.
    """
    return cast("T", _Later(make))


def was_made(stand_in: object) -> bool:
    """Whether what :func:`later` returned has been used."""
    assert isinstance(stand_in, _Later)
    return stand_in._made is not None  # noqa: SLF001 -- one mechanism in two parts


@define(eq=False, repr=False, slots=False)
class Embedders:
    """The embedder in use and, during a change of models, its successor: ``ports.EmbedderChange``. Thread-safe.

    One that cannot be opened is reported once; the one in use stays until the settings change.
    """

    _paths: ProfilePaths
    _settings: SettingsService
    _models: ModelsService
    _known_models: KnownModels
    _servers: RemoteServers
    _persons: Callable[[], Collection[str]]
    _workers: Workers
    _events: EventBus

    def __attrs_post_init__(self) -> None:
        self._lock = threading.Lock()
        self._known = False
        self._embedder: _Held | None = None
        self._coming: _Held | None = None
        self._problem = ""
        #: by their names in the settings
        self._opened: dict[str, _Held] = {}
        self._events.subscribe(SettingsChanged, self._changed)

    def current(self) -> Embedder | None:
        """Return the embedder in use; None for search by words alone."""
        self._settle()
        return self._embedder

    def coming(self) -> Embedder | None:
        self._settle()
        return self._coming

    def arrived(self, embedder: Embedder) -> None:
        with self._lock:
            if self._coming is not None and self._coming is embedder:
                self._use(self._settings.current.memory.embedding_model, self._coming)

    def problem(self) -> str:
        self._settle()
        return self._problem

    def lent(self, name: str) -> Embedder:
        """Return an embedder for a setting's value, in addition to those in use. Raises ``EnvironmentFault``."""
        return self._first() if name == "auto" else self._by_id(name)

    def _settle(self) -> None:
        if self._known:
            return
        with self._lock:
            if not self._known:
                self._choose()
                self._known = True

    def _choose(self) -> None:
        memory = self._settings.current.memory
        self._embedder, self._coming, self._problem = None, None, ""
        if memory.embedding_backend == "none":
            self._models.use_embedder(None)
            self._let_go()
            return
        former = self._known_models.embedder() or memory.embedding_model
        wanted = self._open(memory.embedding_model)
        if former != memory.embedding_model:
            try:
                self._embedder = self._opening(former)
            except MemdeskError as error:
                log.info("the embedder before is gone: %s", error.code)
        if wanted is not None and (self._embedder is None or self._embedder.model_id == wanted.model_id):
            self._use(memory.embedding_model, wanted)
            return
        self._coming = wanted
        self._models.use_embedder(self._embedder)
        self._let_go()

    def _use(self, name: str, embedder: _Held) -> None:
        self._embedder, self._coming = embedder, None
        self._models.use_embedder(embedder)
        self._let_go()
        try:
            self._known_models.set_embedder(name)
        except (MemdeskError, OSError) as error:
            # Search goes on with a full disk; after a restart the new space may be checked once more.
            log.warning("the embedding model in use could not be noted: %s", type(error).__name__)

    def _open(self, name: str) -> _Held | None:
        try:
            return self._opening(name)
        except MemdeskError as error:
            log.warning("no embedder: %s", error.code)
            self._problem = say("The embedding model {model} cannot be used.", model=name)
            self._events.publish(Notice("error", error.title, error.message, hint=error.hint, code=error.code))
            return None

    def _opening(self, name: str) -> _Held:
        if name in self._opened:
            return self._opened[name]
        self._opened[name] = self._first() if name == "auto" else self._by_id(name)
        return self._opened[name]

    def _first(self) -> _Held:
        """Return the first model that can be opened, excluding those on other machines."""
        failed: MemdeskError | None = None
        for info in self._models.embedders():
            if info.source == "remote" and not info.on_this_machine:
                continue
            try:
                return self._by_id(info.id)
            except MemdeskError as error:
                log.info("%s cannot be opened: %s", info.source, error.code)
                failed = failed or error
        assert failed is not None, "the bundled model is always tried"
        raise failed

    def _by_id(self, name: str) -> _Held:
        from memdesk.engines.embedder import BUNDLED_ID
        from memdesk.engines.leveling import LeveledEmbedder

        if name.startswith("remote:"):
            return LeveledEmbedder(self._of_server(name))
        found = self._of_file(name)
        # All thresholds are calibrated for the bundled model.
        return found if name == BUNDLED_ID else LeveledEmbedder(found)

    def _of_file(self, name: str) -> ProcessEmbedder:
        from memdesk.engines.embedder import open_embedder

        engine = self._settings.current.engine
        return open_embedder(
            name, self._workers, self._paths.cache, threads=engine.threads, idle_seconds=engine.idle_unload_seconds
        )

    def _of_server(self, name: str) -> ServerEmbedder:
        from memdesk.engines.remote import split_id
        from memdesk.engines.remote_embedder import ServerEmbedder

        server, model = split_id(name)
        place = f"{self._servers.server(server).base_url}/{model}"
        return ServerEmbedder(
            lambda: self._servers.server(server),
            model,
            self._known_models.dimensions(place),
            learned=lambda dimensions: self._known_models.set_dimensions(place, dimensions),
            stays=self._stays,
        )

    def _stays(self, text: str) -> bool:
        from memdesk.domain.reading.private import private_kinds

        kinds = self._settings.current.memory.local_only_kinds
        people = self._persons() if "people" in kinds else ()
        return bool(kinds) and not private_kinds(text, people).isdisjoint(kinds)

    def _let_go(self) -> None:
        """Stop the processes that are no longer used."""
        for name, embedder in list(self._opened.items()):
            if embedder is not self._embedder and embedder is not self._coming:
                self._opened.pop(name).unload()

    def _changed(self, event: SettingsChanged) -> None:
        if not {*_FIELDS, _SERVERS} & set(event.names):
            return
        with self._lock:
            if _SERVERS in event.names:
                for name in [name for name in self._opened if name.startswith("remote:")]:
                    self._opened.pop(name).unload()
            self._known = False
        self._settle()


def lazy_analyzer(workers: Workers, fingerprints: Path) -> SpacyAnalyzer:
    """Return an analyzer that loads its pipeline with the first text.

    If the pipeline is not installed, every text raises ``EngineError``.
    """
    return later(lambda: _analyzer(workers, fingerprints))


def _analyzer(workers: Workers, fingerprints: Path) -> SpacyAnalyzer:
    from memdesk.engines.fingerprint import Fingerprints
    from memdesk.engines.nlp import SpacyAnalyzer

    try:
        return SpacyAnalyzer(workers, Fingerprints(fingerprints))
    except MemdeskError as error:
        raise EngineError(error.message, hint=error.hint) from error


class LazyIndexes:
    """``ports.VectorIndexFactory`` that imports numpy and hnswlib with the first index."""

    def create(self, agent_id: str, kind: VectorKind, model: str, dim: int) -> HnswIndex:
        from memdesk.engines.hnsw import HnswFactory

        return HnswFactory().create(agent_id, kind, model, dim)
