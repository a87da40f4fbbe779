"""The available models: bundled, GGUF files on this machine, and those of remote servers."""

import logging
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
from attrs import define

from memdesk.engines import bundled
from memdesk.engines.embedding_prompts import sounds_like_one
from memdesk.engines.fingerprint import Fingerprints
from memdesk.engines.gguf import GgufError, GgufInfo, read_gguf, real_path, split_paths
from memdesk.engines.known_models import KnownModels
from memdesk.engines.llama import ENVIRONMENT, LlamaModel
from memdesk.engines.remote import RemoteServers, split_id
from memdesk.errors import BadRequestError, EnvironmentFault, MemdeskError, ModelMissingError
from memdesk.messages import say
from memdesk.ports import EngineState, LanguageModel, ModelInfo, Worker, Workers, WorkerSpec
from memdesk.settings.schema import EngineSettings

log = logging.getLogger(__name__)

WORKER = "memdesk.engines.llama_worker:LlamaWorker"
#: Temperature and top-p are the model card's advice (https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct).
#: The penalty and the length are ours: without the penalty, about half of the answers to plain statements never end,
#: and beyond this length so small a model only wanders.
SMOLLM2_SAMPLING = {"temperature": 0.2, "top_p": 0.9, "repeat_penalty": 1.1, "max_tokens": 256}
#: Opening messages of its chats without a system message. Its own template's greeting makes it answer at length in any
#: language; with only our system text, a place name ("I live in Berlin") still made it switch to the local language 10
#: of 36 times; with a short exchange in English first, never.
SMOLLM2_OPENING = (
    {
        "role": "system",
        "content": "You are a friendly assistant chatting with the user in English. Keep your replies short.",
    },
    {"role": "user", "content": "Hello!"},
    {"role": "assistant", "content": "Hello! How can I help you today?"},
)
#: Q8_0, for which llama.cpp has much faster kernels than for the bundled Q4_1; see ``requantize``.
FASTER_FILE_TYPE = 7
#: Answers that one model generates in turns; each keeps its state in memory.
ANSWERS_AT_ONCE = 3
#: A model writes for seconds; what is asked of memory meanwhile takes moments, and goes first.
NICE = 5


@dataclass(frozen=True, slots=True)
class _Opened:
    """A local model and the options its process was started with."""

    options: tuple[object, ...]
    model: LlamaModel


@define(kw_only=True, eq=False, repr=False, slots=False)
class Catalogue:
    """``ports.ModelCatalogue``.

    Args:
        models: folder of the user's and downloaded GGUF files.
        cache: folder for data that can be recomputed.
        known: files added by path, and models last seen on remote servers.
    """

    _models: Path
    _cache: Path
    _settings: Callable[[], EngineSettings]
    _known: KnownModels
    _workers: Workers
    _servers: RemoteServers

    def __attrs_post_init__(self) -> None:
        self._fingerprints = Fingerprints(self._cache / "fingerprints.json")
        self._lock = threading.Lock()
        self._opened: dict[str, _Opened] = {}

    def all(self) -> list[ModelInfo]:
        """List every model: the bundled one, files by name, remote ones as last seen. No network."""
        local = [self._bundled(), *(self._gguf(path) for path in self._paths())]
        return local + self._servers.models()

    def embedders(self) -> list[ModelInfo]:
        """List the embedding models: bundled, GGUF files, and by name those of servers. No network."""
        own = ModelInfo(
            id=bundled.MINILM.id, name=bundled.MINILM.name, source="bundled", license=bundled.MINILM.license
        )
        files = (self._gguf(path) for path in self._paths())
        return [
            own,
            *(replace(info, available=True, problem="") for info in files if info.extra.get("embeds")),
            *(info for info in self._servers.models() if sounds_like_one(split_id(info.id)[1])),
        ]

    def info(self, model_id: str) -> ModelInfo | None:
        """Describe one model; None if unknown. A missing file is described as unavailable."""
        if model_id == bundled.SMOLLM2.id:
            return self._bundled()
        if model_id.startswith("gguf:"):
            path = Path(model_id.removeprefix("gguf:"))
            return self._gguf(path) if self._offers(path) else None
        return self._servers.info(model_id)

    def open(self, model_id: str) -> LanguageModel:
        if not model_id:
            raise ModelMissingError(say("No model is set."))
        info = self.info(model_id)
        if info is None:
            raise ModelMissingError(say("There is no model {model_id} here.", model_id=model_id))
        if not info.available:
            raise ModelMissingError(say("{name} cannot be used: {problem}", name=info.name, problem=info.problem))
        if info.source == "remote":
            return self._servers.open(info)
        return self._local(info)

    def add_path(self, path: str, name: str = "") -> list[ModelInfo]:
        """Offer a GGUF file, or all in a folder, where it is; ``name`` replaces the file's own name.

        Returns:
            The offered models, then the folder's other files: not ``available``, with the ``problem``.

        Raises:
            GgufError: a file that is not a GGUF model, or lacks a part.
            ModelMissingError: nothing is there, or nothing that can chat.
        """
        target = real_path(Path(path).expanduser().absolute())
        if target.is_dir():
            found = [self._gguf(file) for file in _gguf_files(target)]
        elif target.is_file():
            target = split_paths(target)[0]
            for part in split_paths(target):
                read_gguf(part)
            found = [self._gguf(target)]
        else:
            raise ModelMissingError(say("{target} is not there.", target=target))
        added = [info for info in found if info.available]
        if not added:
            raise ModelMissingError(say("{target} holds no model that can chat.", target=target))
        self._known.add_paths([Path(info.path) for info in added], name)
        return [*(self._gguf(Path(info.path)) for info in added), *(info for info in found if not info.available)]

    def remove(self, model_id: str) -> None:
        """Stop offering a model. The file itself is left alone; bundled models stay."""
        self.unload(model_id)
        if model_id.startswith("gguf:"):
            self._known.remove_path(Path(model_id.removeprefix("gguf:")))

    def delete_file(self, model_id: str) -> None:
        """Delete all parts of a model that memdesk downloaded.

        Raises:
            BadRequestError: its file is the user's own, or another program's.
            EnvironmentFault: it cannot be deleted.
        """
        path = Path(model_id.removeprefix("gguf:"))
        if not model_id.startswith("gguf:") or not self._is_ours(path):
            raise BadRequestError(say("Only what memdesk downloaded can be deleted here."))
        self.remove(model_id)
        try:
            for part in split_paths(path):
                part.unlink(missing_ok=True)
        except OSError as error:
            raise EnvironmentFault(
                say("{name} cannot be deleted: {strerror}.", name=path.name, strerror=error.strerror)
            ) from error

    def unload(self, model_id: str | None = None) -> None:
        with self._lock:
            opened = [o.model for key, o in self._opened.items() if model_id in {None, key}]
        for model in opened:
            model.worker.unload()

    def states(self) -> list[EngineState]:
        with self._lock:
            opened = [o.model for o in self._opened.values()]
        return [model.state() for model in opened]

    def _local(self, info: ModelInfo) -> LlamaModel:
        settings = self._settings()
        context = min(settings.context_tokens, info.context_tokens or settings.context_tokens)
        threads = settings.threads or psutil.cpu_count(logical=False) or psutil.cpu_count() or 1
        options = (info.path, context, threads, settings.idle_unload_seconds, settings.answer_timeout_seconds)
        stale: Worker | None = None
        with self._lock:
            opened = self._opened.get(info.id)
            if opened is None or opened.options != options:
                stale = opened.model.worker if opened is not None else None
                model = LlamaModel(info, context, self._workers.make(self._spec(info, context, threads, settings)))
                opened = self._opened[info.id] = _Opened(options, model)
        if stale is not None:
            stale.close()
        return opened.model

    def _spec(self, info: ModelInfo, context: int, threads: int, settings: EngineSettings) -> WorkerSpec:
        path, requantize = info.path, None
        if info.source == "bundled":
            path = str(bundled.verified(bundled.SMOLLM2, self._fingerprints))
            requantize = {
                "folder": str(self._cache / "engines"),
                "file_type": FASTER_FILE_TYPE,
                "sha256": bundled.SMOLLM2.sha256,
            }
        projector = info.extra.get("projector")
        return WorkerSpec(
            name=info.name,
            kind="llm",
            target=WORKER,
            model=info.id,
            config={
                "path": path,
                "context_tokens": context,
                "threads": threads,
                "sampling": info.extra.get("sampling", {}),
                "opening": info.extra.get("opening", ()),
                "requantize": requantize,
                "projector": projector,
            },
            env=ENVIRONMENT,
            answer_timeout=float(settings.answer_timeout_seconds),
            idle_seconds=float(settings.idle_unload_seconds),
            nice=NICE,
            shares=ANSWERS_AT_ONCE,
        )

    def _bundled(self) -> ModelInfo:
        model = bundled.SMOLLM2
        base = ModelInfo(id=model.id, name=model.name, source="bundled", license=model.license)
        try:
            path = bundled.locate(model)
            info = self._describe(base, path, read_gguf(path))
        except MemdeskError as error:
            return replace(base, available=False, problem=error.message)
        return replace(
            info, name=model.name, extra={**info.extra, "sampling": SMOLLM2_SAMPLING, "opening": SMOLLM2_OPENING}
        )

    def _gguf(self, path: Path) -> ModelInfo:
        extra = {"place": "downloads" if self._is_ours(path) else "folder" if self._in_folder(path) else "added"}
        base = ModelInfo(id=f"gguf:{path}", name=path.stem, source="gguf", path=str(path), extra=extra)
        try:
            info = self._describe(base, path, read_gguf(path))
            return replace(info, name=self._known.names().get(str(path), info.name))
        except GgufError as error:
            return replace(base, available=False, problem=error.message)

    def _describe(self, base: ModelInfo, path: Path, info: GgufInfo) -> ModelInfo:
        parts = split_paths(path)
        projector = _projector(path, info.width) if info.can_chat else None
        return replace(
            base,
            name=info.name,
            path=str(path),
            parameters=sum(read_gguf(part).parameters for part in parts),
            size_bytes=sum(part.stat().st_size for part in parts),
            context_tokens=info.context_tokens,
            sees=projector is not None,
            quantization=info.quantization,
            architecture=info.architecture,
            license=info.license or base.license,
            available=info.can_chat,
            problem="" if info.can_chat else say("It is not a model that can chat."),
            extra=base.extra
            | {
                "chat_template": bool(info.chat_template),
                "tools": "tools" in info.chat_template,
                "embeds": info.can_embed,
                "projector": str(projector) if projector is not None else None,
                "sampling": {
                    {"temp": "temperature"}.get(key, key): value
                    for key, value in info.sampling.items()
                    if key in {"temp", "top_p", "top_k", "min_p"}
                },
            },
        )

    def _folders(self) -> list[Path]:
        return [self._models, *(Path(folder).expanduser() for folder in self._settings().model_folders)]

    def _offers(self, path: Path) -> bool:
        """Whether a file was added or is in a model folder; ids cannot open any other file."""
        return path in self._known.paths() or (self._in_folder(path) and path.is_file())

    def _in_folder(self, path: Path) -> bool:
        inside = any(path.is_relative_to(folder.resolve()) for folder in self._folders())
        return inside and ".." not in path.parts

    def _is_ours(self, path: Path) -> bool:
        return path.is_relative_to(self._models.resolve()) and ".." not in path.parts

    def _paths(self) -> list[Path]:
        found: dict[Path, None] = {}
        for folder in self._folders():
            found.update(dict.fromkeys(_gguf_files(folder)))
        found.update(dict.fromkeys(self._known.paths()))
        return sorted(found, key=lambda path: path.name.lower())


def _gguf_files(folder: Path) -> Iterable[Path]:
    """Yield the models of a folder and its subfolders: first parts of split models, no projectors."""
    try:
        files = sorted(path for path in folder.rglob("*.gguf") if path.is_file())
    except OSError as error:
        log.warning("a model folder cannot be listed: %s", error.strerror)
        return
    for path in files:
        if split_paths(path)[0] == path and not path.name.lower().startswith("mmproj"):
            yield real_path(path)


def _projector(path: Path, width: int) -> Path | None:
    """Return the picture projector beside a model: one whose output has the width of the model's tokens."""
    try:
        beside = sorted(file for file in path.parent.glob("*.gguf") if "mmproj" in file.name.casefold())
    except OSError:
        return None
    for file in beside:
        try:
            if width and read_gguf(file).projects == width:
                return file
        except GgufError:
            continue
    return None
