"""``ports.Embedder`` over a supervised child process. Imports neither torch nor ONNX Runtime."""

import hashlib
import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memdesk.domain.decoding import decode, number_in
from memdesk.engines import bundled
from memdesk.engines.embedding_prompts import Prompts, folder_prompts, named_prompts
from memdesk.engines.fingerprint import Fingerprints
from memdesk.engines.gguf import read_gguf
from memdesk.engines.llama import ENVIRONMENT
from memdesk.errors import EngineError, EnvironmentFault
from memdesk.messages import say
from memdesk.ports import EngineState, LaneName, Worker, Workers, WorkerSpec
from memdesk.settings.resources import resources_root

TARGET = "memdesk.engines.embedder_worker:EmbedderWorker"
BUNDLED_ID = bundled.MINILM.id
#: The name of the adapter with which the bundled model embeds questions.
QUESTIONS = "questions"
#: The first usable one of the bundled model, embedding models in GGUF files, and servers on this machine.
AUTO = "auto"
#: One request to the child: small enough that a waiting query is answered within some 50 ms.
SLICE_TEXTS, SLICE_CHARACTERS = 16, 1600
#: The child is silent for no longer than one batch, which takes moments, so that callers of a stopped process do not
#: wait for a minute. Loading torch from a slow disk takes longer.
ANSWER_SECONDS, START_SECONDS = 20.0, 180.0

Vectors = NDArray[np.float32]


class ProcessEmbedder:
    """Turns text into unit vectors in a child process.

    Work is cut into small requests, so that a query waits for at most one of them during a large job.

    Args:
        model_id: name of the vector space: model and revision of its files.
        prompts: prefixes of questions and texts.
        aside: questions have a session of their own and do not wait for texts.
    """

    def __init__(self, model_id: str, dim: int, worker: Worker, prompts: Prompts, *, aside: bool = False) -> None:
        self._model_id = model_id + prompts.mark
        self._dim = dim
        self._worker = worker
        self._prompts = prompts
        self._aside = aside

    @property
    def model_id(self) -> str:
        return self._model_id

    @property
    def dim(self) -> int:
        return self._dim

    def embed(self, texts: Sequence[str], *, query: bool = False, priority: LaneName = "interactive") -> Vectors:
        asked = {"prompt": self._prompts.of(query=query), "task": "query" if query else "document"}
        rows = np.empty((len(texts), self._dim), dtype=np.float32)
        for start, end in slices(texts):
            item, blob = self._worker.call(
                "embed", {"texts": list(texts[start:end]), **asked}, priority=priority, aside=query and self._aside
            )
            if item.get("dim") != self._dim:
                raise EngineError(
                    say(
                        "The embedding model made vectors of {get} numbers, not {dim}.",
                        get=item.get("dim"),
                        dim=self._dim,
                    )
                )
            rows[start:end] = np.frombuffer(blob, dtype=np.float32).reshape(end - start, self._dim)
        return rows

    def state(self) -> EngineState:
        return self._worker.state()

    def warm_up(self) -> None:
        self._worker.start()

    def unload(self) -> None:
        """Stop the process; the next call starts it again."""
        self._worker.unload()


def slices(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield ``(start, end)`` of consecutive pieces of at most ``SLICE_TEXTS`` texts and ``SLICE_CHARACTERS``."""
    start = size = 0
    for position, text in enumerate(texts):
        if position > start and (position - start >= SLICE_TEXTS or size + len(text) > SLICE_CHARACTERS):
            yield start, position
            start, size = position, 0
        size += len(text)
    if start < len(texts):
        yield start, len(texts)


def open_embedder(
    model: str, workers: Workers, cache: Path, *, threads: int = 0, idle_seconds: float = 600.0
) -> ProcessEmbedder:
    """Return the embedder for a setting's value; its process starts on first use.

    Args:
        model: ``bundled:all-MiniLM-L6-v2``, a GGUF file, or the folder of a sentence-transformers or ONNX model.
        workers: makes the child process.
        cache: folder for cached digests of large files.
        threads: 0 uses the physical cores.
        idle_seconds: seconds without use before the model leaves memory.

    Raises:
        DamagedWeightsError: the bundled weights are missing or are not the published ones.
        EnvironmentFault: the file or folder is not such a model.
    """
    fingerprints = Fingerprints(cache / "fingerprints.json")
    config: dict[str, object]
    prompts = Prompts()
    if model == BUNDLED_ID:
        weights = bundled.verified(bundled.MINILM, fingerprints)
        resources = resources_root() / "models"
        config = {
            "weights": str(weights),
            "graph": str(resources / "minilm.onnx"),
            "reference": str(resources / "minilm_reference.json"),
            "asking": str(resources / "minilm_int8.onnx"),
            "questions": str(resources / f"{QUESTIONS}.safetensors"),
        }
        model_id, dim = bundled.MINILM.revision, 384
    elif (file := gguf_file(model)) is not None:
        info = read_gguf(file)
        config, prompts = {"gguf": str(file)}, named_prompts(f"{info.name} {file.stem}")
        model_id, dim = f"gguf:{file.stem}@{fingerprints.digest(file)[:12]}", info.width
    else:
        folder = Path(model).expanduser().resolve()
        config, prompts = {"folder": str(folder)}, folder_prompts(folder)
        if graph := _onnx(folder):
            config = {"onnx": str(graph), "folder": str(folder)}
        model_id, dim = f"folder:{folder.name}@{_revision(folder, fingerprints)}", _dimension(folder)
    spec = WorkerSpec(
        name="embedder",
        kind="embedder",
        target=TARGET,
        model=model,
        config={**config, "threads": threads},
        env={**ENVIRONMENT, "TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"},
        start_timeout=START_SECONDS,
        answer_timeout=ANSWER_SECONDS,
        idle_seconds=idle_seconds,
        # Requests are small; waiting for the running one is quicker than repeating it.
        preempt=False,
    )
    return ProcessEmbedder(model_id, dim, workers.make(spec), prompts, aside=model == BUNDLED_ID)


def check_embedder(model: str) -> None:
    """Refuse a setting's value that is neither the bundled model nor a folder that looks like one; nothing is loaded.

    Raises:
        EnvironmentFault: it is neither.
    """
    if model in {BUNDLED_ID, AUTO}:
        return
    try:
        file, folder = gguf_file(model), Path(model).expanduser()
        there = folder.is_dir() if file is None else file.is_file()
    except (OSError, RuntimeError):
        there = False  # invalid file name, or unknown user
    if not there:
        raise EnvironmentFault(
            say("There is no embedding model {model} here.", model=model),
            hint=say(
                "Use {bundled}, the folder of a sentence-transformers or ONNX model, a GGUF file, or a server's model as remote:SERVER/MODEL.",
                bundled=BUNDLED_ID,
            ),
        )
    if file is None:
        _dimension(folder)
    elif not read_gguf(file).width:
        raise EnvironmentFault(say("{name} is not a model that reads text.", name=file.name))


def gguf_file(model: str) -> Path | None:
    """Return the GGUF file that a setting's value names; None if it names none."""
    path = Path(model.removeprefix("gguf:")).expanduser()
    return path.resolve() if path.suffix.lower() == ".gguf" else None


def _onnx(folder: Path) -> Path | None:
    """Return the ONNX graph to run; None if sentence-transformers can run the folder's own weights."""
    has_weights = any(folder.glob("*.safetensors")) or any(folder.glob("pytorch_model*.bin"))
    if has_weights and importlib.util.find_spec("sentence_transformers") is not None:
        return None
    graphs = [*folder.glob("onnx/model.onnx"), *folder.glob("model.onnx"), *sorted(folder.rglob("model*.onnx"))]
    return graphs[0] if graphs else None


def _revision(folder: Path, fingerprints: Fingerprints) -> str:
    """Return a short digest of all files in the folder that determine the vectors."""
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix in {".safetensors", ".bin", ".json", ".txt", ".model", ".onnx", ".onnx_data"}
    ]
    if not files:
        raise EnvironmentFault(
            say("{folder} holds no embedding model.", folder=folder), hint=say("Choose a sentence-transformers folder.")
        )
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.relative_to(folder)}:{fingerprints.digest(path)}\n".encode())
    return digest.hexdigest()[:12]


def _dimension(folder: Path) -> int:
    """Return the length of the model's vectors, from its files."""
    for name, key in (
        ("*_Dense/config.json", "out_features"),
        ("*_Pooling/config.json", "word_embedding_dimension"),
        ("*_Pooling/config.json", "embedding_dimension"),
        ("config.json", "hidden_size"),
    ):
        for path in sorted(folder.glob(name), reverse=True):
            try:
                value = number_in(decode(path.read_bytes()), key)
            except (OSError, ValueError) as error:
                raise EnvironmentFault(say("{path} cannot be read.", path=path)) from error
            if value:
                return value
    raise EnvironmentFault(
        say("{folder} does not say how long its vectors are.", folder=folder),
        hint=say("Choose a sentence-transformers folder."),
    )
