"""What runs in the embedder's child process. Imported there only."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memdesk.errors import BadRequestError, EngineError
from memdesk.messages import say

#: Tokens of one run of the model, padding included: about 50 ms on two slow cores.
BATCH_TOKENS = 512

Batches = Iterator[tuple[list[int], NDArray[np.float32]]]


class EmbedderWorker:
    """Answers ``embed`` with one blob of float32 rows.

    Args:
        config: ``weights``, ``graph`` and ``reference`` for the bundled model, or ``folder`` for any
            sentence-transformers model; and ``threads``.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        self._backend: _Bundled | _SentenceTransformers
        if "weights" in config:
            self._backend = _Bundled(config)
        else:
            self._backend = _SentenceTransformers(config)

    def info(self) -> dict[str, Any]:
        """Describe the loaded model."""
        return {"dim": self._backend.dim}

    def may_pause(self) -> bool:
        """Requests are short."""
        return False

    def handle(
        self, op: str, args: dict[str, Any], blob: bytes, cancelled: Callable[[], bool]
    ) -> Iterator[tuple[dict[str, Any], bytes] | None]:
        """Answer one request."""
        del blob
        if op != "embed":
            raise BadRequestError(say("Unknown operation {op}.", op=op))
        # Half a surrogate pair, cut out of an emoji, is text to Python but not to tokenizers.
        texts = [str(text).encode("utf-8", "replace").decode("utf-8") for text in args["texts"]]
        prompt, task = str(args.get("prompt", "")), str(args.get("task", "document"))
        started = time.perf_counter()
        rows = np.empty((len(texts), self._backend.dim), dtype=np.float32)
        for positions, vectors in self._backend.batches(texts, prompt, task):
            rows[positions] = vectors
            if cancelled():
                return
            yield None
        seconds = max(time.perf_counter() - started, 1e-9)
        yield {"dim": self._backend.dim, "stats": {"texts_per_second": len(texts) / seconds}}, rows.tobytes()


class _Bundled:
    """all-MiniLM-L6-v2 on ONNX Runtime: no torch."""

    def __init__(self, config: dict[str, Any]) -> None:
        from memdesk.engines.minilm_session import MiniLm

        self._model = MiniLm(Path(config["graph"]), Path(config["weights"]), int(config["threads"]))
        self._model.check(Path(config["reference"]))
        self.dim = self._model.dim

    def batches(self, texts: Sequence[str], prompt: str, task: str) -> Batches:
        del task
        tokens = self._model.tokenize([prompt + text for text in texts])
        for positions in by_length([len(ids) for ids in tokens]):
            yield positions, self._model.embed([tokens[position] for position in positions])


class _SentenceTransformers:
    """Any sentence-transformers folder, on torch."""

    def __init__(self, config: dict[str, Any]) -> None:
        import torch
        from sentence_transformers import SentenceTransformer

        if config["threads"]:
            torch.set_num_threads(int(config["threads"]))
        try:
            self._model = SentenceTransformer(config["folder"], device="cpu", local_files_only=True)
        except Exception as error:
            raise EngineError(
                say("This folder cannot be loaded as an embedding model: {error}", error=error),
                hint=say("Choose the folder that holds modules.json or config.json of a sentence-transformers model."),
            ) from error
        self.dim = int(self._model.get_sentence_embedding_dimension() or 0)

    def batches(self, texts: Sequence[str], prompt: str, task: str) -> Batches:
        for positions in by_length([(len(prompt) + len(text)) // 4 + 2 for text in texts]):
            batch = [texts[position] for position in positions]
            yield (
                positions,
                self._model.encode(
                    batch,
                    prompt=prompt,
                    task=task,
                    batch_size=len(batch),
                    normalize_embeddings=True,
                    show_progress_bar=False,
                ).astype(np.float32),
            )


def by_length(lengths: Sequence[int], budget: int = BATCH_TOKENS) -> Iterator[list[int]]:
    """Split positions into batches of similar length whose padded size stays within ``budget`` tokens.

    A text that is longer than the budget goes alone.
    """
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lambda position: lengths[position]):
        if batch and (len(batch) + 1) * lengths[position] > budget:
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch
