"""The embedder's child process. Imported only there."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memdesk.domain.decoding import decode, number_in
from memdesk.engines.batching import by_length
from memdesk.engines.gguf import read_gguf
from memdesk.errors import BadRequestError, EngineError, MissingPartError
from memdesk.messages import say

#: Tokens read of a text; memory's longest have some 600.
MOST_TOKENS = 1024

Batches = Iterator[tuple[list[int], NDArray[np.float32]]]


class EmbedderWorker:
    """Answers ``embed`` with one blob of float32 rows.

    Args:
        config: ``weights``, ``graph``, ``reference``, ``asking`` and ``questions`` for the bundled model, or ``folder`` for any
            sentence-transformers model, with ``onnx`` for its graph, or ``gguf`` for a file; and ``threads``.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        kinds: dict[str, type[_Bundled | _Onnx | _Gguf | _SentenceTransformers]] = {
            "weights": _Bundled,
            "onnx": _Onnx,
            "gguf": _Gguf,
            "folder": _SentenceTransformers,
        }
        self._backend = next(made for name, made in kinds.items() if name in config)(config)

    def info(self) -> dict[str, Any]:
        return {"dim": self._backend.dim}

    def may_pause(self) -> bool:
        """Requests are short."""
        return False

    def handle(
        self, op: str, args: dict[str, Any], blob: bytes, cancelled: Callable[[], bool]
    ) -> Iterator[tuple[dict[str, Any], bytes] | None]:
        del blob
        if op != "embed":
            raise BadRequestError(say("Unknown operation {op}.", op=op))
        # A lone surrogate, cut out of an emoji, is text to Python but not to tokenizers.
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
    """all-MiniLM-L6-v2 on ONNX Runtime: no torch. Questions use the adapter, all else the published weights."""

    def __init__(self, config: dict[str, Any]) -> None:
        from memdesk.engines.minilm_session import MiniLm

        graph, weights, threads = Path(config["graph"]), Path(config["weights"]), int(config["threads"])
        self._published = MiniLm(graph, weights, threads)
        self._published.check(Path(config["reference"]))
        asking, taught = Path(config["asking"]), Path(config["questions"])
        # A question is too short to gain from two threads.
        self._asking = MiniLm(asking, weights, 1, taught, self._published.words, int8=True)
        self.dim = self._published.dim

    def batches(self, texts: Sequence[str], prompt: str, task: str) -> Batches:
        model = self._asking if task == "query" else self._published
        tokens = model.tokenize([prompt + text for text in texts])
        for positions in by_length([len(ids) for ids in tokens]):
            yield positions, model.embed([tokens[position] for position in positions])


class _Gguf:
    """An embedding model in a GGUF file, on llama.cpp; for other models, the mean of their tokens' vectors."""

    def __init__(self, config: dict[str, Any]) -> None:
        import llama_cpp

        info = read_gguf(Path(config["gguf"]))
        # A text is read in one batch, so context and batch have the same size.
        tokens = min(info.context_tokens or MOST_TOKENS, MOST_TOKENS)
        unsaid = llama_cpp.LLAMA_POOLING_TYPE_UNSPECIFIED
        try:
            self._model = llama_cpp.Llama(
                config["gguf"],
                embedding=True,
                pooling_type=unsaid if info.pools else llama_cpp.LLAMA_POOLING_TYPE_MEAN,
                n_ctx=tokens,
                n_batch=tokens,
                n_ubatch=tokens,
                n_threads=int(config["threads"]) or None,
                n_threads_batch=int(config["threads"]) or None,
                verbose=False,
            )
        except (ValueError, OSError) as error:
            raise EngineError(
                say("This file cannot be loaded as an embedding model: {error}", error=error),
                hint=say("It may be damaged, or of a newer kind than this llama.cpp knows."),
            ) from error
        self.dim = int(self._model.n_embd())

    def batches(self, texts: Sequence[str], prompt: str, task: str) -> Batches:
        del task
        for positions in by_length([(len(prompt) + len(text)) // 4 + 2 for text in texts]):
            # An empty text has no tokens.
            rows = self._model.embed([prompt + (texts[position] or " ") for position in positions])
            yield positions, _unit(np.asarray(rows, dtype=np.float32))


class _Onnx:
    """A folder with an ONNX graph and a tokenizer, on ONNX Runtime: no torch."""

    def __init__(self, config: dict[str, Any]) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        folder, graph = Path(config["folder"]), Path(config["onnx"])
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = int(config["threads"])
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
        except Exception as error:
            raise EngineError(
                say("This folder cannot be loaded as an embedding model: {error}", error=error),
                hint=say("Choose the folder that holds tokenizer.json and the ONNX graph."),
            ) from error
        self._inputs = {
            given.name: np.int32 if "int32" in given.type else np.int64 for given in self._session.get_inputs()
        }
        if unknown := self._inputs.keys() - {"input_ids", "attention_mask", "token_type_ids", "position_ids"}:
            raise EngineError(
                say("This graph needs {names}, which no embedding model takes.", names=", ".join(sorted(unknown)))
            )
        pooling = next(iter(sorted(folder.glob("*_Pooling/config.json"))), None)
        self._pool = _pooling(decode(pooling.read_bytes()) if pooling is not None else {})
        limits = [
            number_in(decode(path.read_bytes()), "max_seq_length") for path in folder.glob("sentence_bert_config.json")
        ]
        self._tokenizer.enable_truncation(min([MOST_TOKENS, *(limit for limit in limits if limit)]))
        self._tokenizer.no_padding()
        self.dim = self._run([[0]]).shape[1]

    def batches(self, texts: Sequence[str], prompt: str, task: str) -> Batches:
        del task
        tokens = [one.ids or [0] for one in self._tokenizer.encode_batch_fast([prompt + text for text in texts])]
        for positions in by_length([len(ids) for ids in tokens]):
            yield positions, self._run([tokens[position] for position in positions])

    def _run(self, tokens: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        width = max(len(ids) for ids in tokens)
        given = {name: np.zeros((len(tokens), width), dtype=kind) for name, kind in self._inputs.items()}
        mask = np.zeros((len(tokens), width), dtype=np.int64)
        for row, ids in enumerate(tokens):
            given["input_ids"][row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        if "attention_mask" in given:
            given["attention_mask"][:] = mask
        if "position_ids" in given:
            given["position_ids"][:] = np.arange(width)
        found = self._session.run(None, given)
        # Some graphs pool by themselves, with a row for each text.
        pooled = next((one for one in found if one.ndim == 2), None)
        if pooled is None:
            pooled = self._pool(found[0].astype(np.float32), mask)
        return _unit(pooled.astype(np.float32))


def _pooling(config: dict[str, Any]) -> Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]:
    """Return the pooling of token vectors (texts, tokens, dim), as configured for sentence-transformers' Pooling."""
    mode = str(config.get("pooling_mode") or "")
    if mode == "cls" or config.get("pooling_mode_cls_token"):
        return lambda hidden, _mask: hidden[:, 0]
    if mode == "lasttoken" or config.get("pooling_mode_lasttoken"):
        return lambda hidden, mask: hidden[np.arange(len(hidden)), mask.sum(axis=1) - 1]
    if mode not in {"", "mean"} or config.get("pooling_mode_mean_tokens") is False:
        raise EngineError(
            say("This kind of pooling needs sentence-transformers."), hint=MissingPartError.remedy("torch")
        )
    return lambda hidden, mask: (hidden * mask[..., None]).sum(axis=1)


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(norms, np.finfo(np.float32).tiny), dtype=np.float32)


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
