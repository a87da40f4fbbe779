"""Models: the list, downloads and servers, measured speed."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final, Literal

from attrs import define

from memdesk.errors import BadRequestError, ConflictError, EngineError, MemdeskError, NotFoundError
from memdesk.messages import say
from memdesk.ports import (
    AnyToken,
    CancelToken,
    ChatMessage,
    Embedder,
    EngineState,
    GenerationRequest,
    LanguageModel,
    ModelCatalogue,
    ModelInfo,
    Usage,
)
from memdesk.ports.models import Fetching, Finder, FoundModel, Hub, HubFile, Progress, Servers, Speed, Speeds
from memdesk.services.settings import SettingsService
from memdesk.settings.addresses import is_server_name

#: Concurrent downloads: each holds a thread of the lane that distillation also needs.
MOST: Final = 2


class Downloads:
    """Tracks every download of this process and leftovers of earlier ones. Thread-safe."""

    def __init__(self, hub: Hub, folder: Path) -> None:
        self._hub = hub
        self._folder = folder
        self._lock = threading.Lock()
        self._running: dict[tuple[str, str], Fetching] = {}
        self._stops: dict[tuple[str, str], threading.Event] = {}

    def all(self) -> list[Fetching]:
        """Return running, then interrupted downloads; reads the disk."""
        with self._lock:
            running = dict(self._running)
        left = [found for found in self._hub.unfinished(self._folder) if (found.repo, found.filename) not in running]
        return [*running.values(), *left]

    def run(self, repo: str, filename: str, progress: Progress | None, cancel: CancelToken | None) -> list[Path]:
        """Download a file and return the paths of its parts; raises as ``ModelsService.download``."""
        job = (repo, filename)
        with self._lock:
            if job in self._running:
                raise ConflictError(say("{filename} is being downloaded already.", filename=filename))
            if len(self._running) >= MOST:
                raise ConflictError(
                    say("Two downloads are running already."),
                    hint=say("Start this one when one of them has ended, or stop one."),
                )
            self._running[job] = Fetching(repo=repo, filename=filename, running=True)
            stop = self._stops[job] = threading.Event()

        def told(done: int, total: int) -> None:
            with self._lock:
                self._running[job] = replace(self._running[job], done=done, total=total)
            if progress is not None:
                progress(done, total)

        try:
            return self._hub.download(repo, filename, self._folder, progress=told, cancel=AnyToken(stop, cancel))
        finally:
            with self._lock:
                del self._running[job], self._stops[job]

    def stop(self, repo: str, filename: str) -> None:
        """Stop a download; what was received is kept. It need not be running."""
        with self._lock:
            stop = self._stops.get((repo, filename))
        if stop is not None:
            stop.set()

    def discard(self, repo: str, filename: str) -> None:
        """Delete what an interrupted download left.

        Raises:
            ConflictError: it is running.
        """
        with self._lock:
            if (repo, filename) in self._running:
                raise ConflictError(say("{filename} is being downloaded already.", filename=filename))
        self._hub.discard(repo, filename, self._folder)


log = logging.getLogger(__name__)

#: Programs list models often: servers are not queried again sooner, and a list waits no longer for one.
ASK_AGAIN_SECONDS: Final = 30.0
ASK_SECONDS: Final = 2.0
#: Tokens to read and write in a measurement: long enough to average out, seconds on two cores.
MEASURE_SENTENCES: Final = 12
MEASURE_ANSWER_TOKENS: Final = 24


@define(kw_only=True, eq=False, repr=False, slots=False)
class ModelsService:
    """What the Models page, the server and the other services ask about models. Thread-safe.

    Args:
        embedder: turns text into vectors; None if vector search is off.
        folder: where downloads go.
        unload_all: stops every engine process, including the embedder's and the language pipeline's.
    """

    catalogue: ModelCatalogue
    _embedder: Embedder | None
    _settings: SettingsService
    _servers: Servers
    _hub: Hub
    _finder: Finder
    _speeds: Speeds
    _folder: Path
    _unload_all: Callable[[], object] | None = None

    def __attrs_post_init__(self) -> None:
        #: Downloads that run or were interrupted.
        self.downloads = Downloads(self._hub, self._folder)
        self._asking = threading.Lock()
        #: when each server was last queried for its models, by name and URL.
        self._asked: dict[tuple[str, str], float] = {}

    @property
    def embedder(self) -> Embedder | None:
        """The embedder in use; None if vector search is off."""
        return self._embedder

    def use_embedder(self, embedder: Embedder | None) -> None:
        self._embedder = embedder

    def all(self) -> list[ModelInfo]:
        """List every model. No network."""
        return self.catalogue.all()

    def embedders(self) -> list[ModelInfo]:
        return self.catalogue.embedders()

    def info(self, model_id: str) -> ModelInfo:
        """Describe one model. Raises ``NotFoundError``."""
        found = self.catalogue.info(model_id)
        if found is None:
            raise NotFoundError(say("There is no model {model_id} here.", model_id=model_id))
        return found

    def open(self, model_id: str) -> LanguageModel:
        return self.catalogue.open(model_id)

    def states(self) -> list[EngineState]:
        """Return what the engine processes are doing, the embedder's first."""
        embedder = [] if self._embedder is None else [self._embedder.state()]
        return embedder + self.catalogue.states()

    def unload(self, model_id: str | None = None) -> None:
        if model_id is None:
            (self._unload_all or self.catalogue.unload)()
        else:
            self.catalogue.unload(model_id)

    def add_path(self, path: str, name: str = "") -> list[ModelInfo]:
        return self.catalogue.add_path(path, name)

    def remove(self, model_id: str) -> None:
        """Stop offering a model; its file is left alone. The default model replaces it where it was used."""
        self.catalogue.remove(model_id)
        self._replace(lambda used: used == model_id)

    def delete_file(self, model_id: str) -> None:
        self.catalogue.delete_file(model_id)
        self._replace(lambda used: used == model_id)

    def _replace(self, gone: Callable[[str], bool]) -> None:
        """Replace missing models by the default ones."""
        uses: tuple[tuple[Literal["engine", "memory"], str], ...] = (("engine", "chat_model"), ("memory", "core_model"))
        for section, name in uses:
            known = getattr(self._settings.current, section)
            if gone(getattr(known, name)):
                self._settings.update(section, {name: type(known).model_fields[name].default})

    def discover(self) -> list[FoundModel]:
        """Return models that LM Studio, Jan and Ollama keep on this machine."""
        offered = {info.path for info in self.catalogue.all()}
        return [replace(found, known=found.path in offered) for found in self._finder()]

    def add_found(self, found: FoundModel) -> list[ModelInfo]:
        return self.catalogue.add_path(found.path, found.name if found.store == "Ollama" else "")

    def hub_files(self, repo: str) -> list[HubFile]:
        """List a repository's GGUF files, smallest first. Raises the hub's ``MemdeskError``."""
        return self._hub.files(repo)

    def search_hub(self, words: str, limit: int = 20) -> list[str]:
        """Return repositories with GGUF files that match ``words``."""
        return self._hub.search(words, limit)

    def download(
        self, repo: str, filename: str, *, progress: Progress | None = None, cancel: CancelToken | None = None
    ) -> ModelInfo:
        """Download a model, resuming an interrupted download, and offer it.

        For a split model, ``filename`` is its first part. ``progress`` is called with bytes done and total; what was
        received before a cancel is kept for a retry.

        Raises:
            ConflictError: this file is being downloaded.
            CancelledError: ``cancel`` was set.
            EnvironmentFault: too little space, or it cannot be written.
            MemdeskError: the hub's errors, a wrong checksum.
        """
        paths = self.downloads.run(repo, filename, progress, cancel)
        return self.info(f"gguf:{paths[0].parent.resolve() / paths[0].name}")

    def add_remote(
        self, name: str, base_url: str, key: str | None = None, *, same_key: bool = False
    ) -> list[ModelInfo]:
        """Set up or change a server, after querying its models. Nothing is stored if it does not answer.

        ``name`` is part of its models' ids and has no slash. With ``same_key`` its stored key is used,
        unless one is given.

        Raises:
            BadRequestError: an invalid name or URL.
            EngineError: it does not answer, or refuses the key.
            EnvironmentFault: there is a key but no keyring to store it.
        """
        name = name.strip()
        if not is_server_name(name) or len(name) > 64:
            raise BadRequestError(say("A server's name must have 1 to 64 characters and no slash."))
        key = (key or "").strip() or (self._servers.key(name) if same_key else None)
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            raise BadRequestError(say("A key must be ASCII, without spaces."), hint=say("Copy it again."))
        full, _models = self._servers.check(name, base_url, key)
        self._servers.set_key(name, key or None)
        others = [entry for entry in self._settings.current.engine.remote_servers if entry.get("name") != name]
        self._settings.update("engine", {"remote_servers": [*others, {"name": name, "base_url": full}]})
        return self._servers.probe(name)

    def reach_remote(self, name: str) -> tuple[str, str]:
        """Return a server's base URL and key, empty if it has none.

        Raises:
            NotFoundError: no server of that name is set up.
            EnvironmentFault: the keyring is locked.
        """
        return self._servers.reach(name)

    def probe_remote(self, name: str) -> list[ModelInfo]:
        """Query a server's models again. Raises as ``add_remote``, and ``NotFoundError``."""
        return self._servers.probe(name)

    def ask_servers(self) -> None:
        """Query all servers' models again, in parallel; a slow or failing one keeps its old list."""
        now = time.monotonic()
        with self._asking:
            servers = [(entry["name"], entry["base_url"]) for entry in self._settings.current.engine.remote_servers]
            due = [one for one in servers if now - self._asked.get(one, -ASK_AGAIN_SECONDS) >= ASK_AGAIN_SECONDS]
            self._asked.update(dict.fromkeys(due, now))
        if due:
            pool = ThreadPoolExecutor(len(due), thread_name_prefix="memdesk-servers")
            wait([pool.submit(self._ask, name) for name, _ in due], ASK_SECONDS)
            pool.shutdown(wait=False)

    def _ask(self, name: str) -> None:
        try:
            self._servers.probe(name)
        except MemdeskError as error:
            log.info("a server's models could not be listed: %s", error.code)

    def set_context(self, model_id: str, tokens: int | None) -> None:
        """Set a remote model's context size, if its server does not report it or is wrong; None resets it.

        Raises:
            BadRequestError: not a remote model, or fewer than 512 or more than 16,777,216 tokens.
        """
        if not model_id.startswith("remote:"):
            raise BadRequestError(say("The context can be set only for models on a server."))
        if tokens is not None and not 512 <= tokens <= 16_777_216:
            raise BadRequestError(say("A context must have 512 to 16,777,216 tokens."))
        self._servers.set_context(model_id, tokens)

    def remove_remote(self, name: str) -> None:
        """Forget a server with its key and models; unknown ones are fine."""
        others = [entry for entry in self._settings.current.engine.remote_servers if entry.get("name") != name]
        self._settings.update("engine", {"remote_servers": others})
        if self._settings.current.server.upstream == name:
            self._settings.update("server", {"upstream": ""})
        self._servers.forget(name)
        self._replace(lambda used: used.startswith(f"remote:{name}/"))

    def speed(self, model_id: str) -> Speed | None:
        """Return the last measured speed, or None."""
        known = self._speeds.speeds().get(model_id)
        return Speed(**known) if known else None

    def measure(self, model_id: str, *, cancel: CancelToken | None = None) -> Speed:
        """Measure a model on this machine and store the result. Takes seconds.

        Raises:
            ModelMissingError, CancelledError, EngineError: as ``LanguageModel.generate``.
        """
        model = self.catalogue.open(model_id)
        started = time.perf_counter()
        _last_usage(model, _question("Say yes.", 1), cancel)
        ready = time.perf_counter() - started
        # A unique number in front, so that the model's prompt cache skips nothing.
        text = f"Note {time.time_ns()}. " + "The river rises in the hills and reaches the sea. " * MEASURE_SENTENCES
        usage = _last_usage(model, _question(f"{text}\nTell a story about this river.", MEASURE_ANSWER_TOKENS), cancel)
        speed = Speed(
            prompt_tokens_per_second=round(usage.prompt_tokens / max(usage.prompt_seconds, 1e-6), 1),
            tokens_per_second=round(usage.completion_tokens / max(usage.completion_seconds, 1e-6), 1),
            ready_seconds=round(ready, 2),
        )
        self._speeds.set_speed(model_id, asdict(speed))
        return speed


def _question(text: str, tokens: int) -> GenerationRequest:
    return GenerationRequest(
        messages=(ChatMessage(role="user", content=text),), max_tokens=tokens, temperature=0.0, priority="interactive"
    )


def _last_usage(model: LanguageModel, request: GenerationRequest, cancel: CancelToken | None) -> Usage:
    usage: Usage | None = None
    for chunk in model.generate(request, cancel=cancel):
        usage = chunk.usage or usage
    if usage is None:
        error: MemdeskError = EngineError(say("The model gave no counts."))
        raise error
    return usage
