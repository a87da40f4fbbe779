"""Runs the bundled model on ONNX Runtime, for vectors, pairs of texts and tags; only in child processes."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from safetensors import safe_open
from tokenizers import Tokenizer

from memdesk.engines.batching import by_length
from memdesk.errors import EngineError
from memdesk.messages import say

MAX_TOKENS, LAYERS = 256, 6
#: Tokens of a pair of texts; the longer text is cut first.
MAX_PAIR_TOKENS = 128
#: Largest integer of quantized weights.
MOST_WHOLE = 63
#: Heads of the tagger: attributes, kinds of care, and the marks of value and topic. Classes less likely than this are left out.
HEADS, LEAST_ODDS = ("classes", "care", "marks"), 0.01
#: Suffixes of the two low-rank matrices that an adapter adds to one of the model's.
LOW, HIGH = ".lora_a", ".lora_b"
#: Minimum cosine to sentence-transformers on the reference texts; processors differ only in the last bits.
MIN_COSINE = 0.999

Array = NDArray[np.float32]
#: Returns a tensor by its published name.
Tensors = Callable[[str], Array]


class MiniLm:
    """One ONNX Runtime session with its tokenizer.

    Args:
        graph: ``resources/models/minilm.onnx`` or ``minilm_int8.onnx``.
        weights: the verified safetensors file; ``tokenizer.json`` is beside it.
        threads: 0 leaves it to ONNX Runtime (one per physical core).
        adapter: trained by ``memdesk.bench.adapting``; None: as published.
        words: the word embeddings of another session with the same weights: half of a session's memory.
        int8: the graph is ``minilm_int8.onnx``.
    """

    dim = 384

    def __init__(
        self,
        graph: Path,
        weights: Path,
        threads: int = 0,
        adapter: Path | None = None,
        words: Any = None,
        *,
        int8: bool = False,
    ) -> None:
        self._tokenizer = _tokenizer(weights, MAX_TOKENS)
        with _tensors(weights, adapter) as tensor:
            values = _values(quantized(_weights(tensor)) if int8 else _weights(tensor), words)
        self.words = values["words"]
        self._session = _session(graph, values, threads)

    def tokenize(self, texts: Sequence[str]) -> list[list[int]]:
        """Return each text's token ids, cut at ``MAX_TOKENS`` as sentence-transformers does."""
        return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]

    def embed(self, tokens: Sequence[Sequence[int]]) -> Array:
        """Return unit vectors of shape ``(len(tokens), 384)``; one run of the model, padded to the longest."""
        given = {"input_ids": _padded(tokens), "attention_mask": _padded([[1] * len(ids) for ids in tokens])}
        vectors: Array = self._session.run(None, given)[0]
        return vectors

    def check(self, reference: Path) -> float:
        """Compare with vectors that sentence-transformers computed from the same weights; return the smallest cosine.

        Only the shortest texts are compared: this takes milliseconds, at each start.

        Raises:
            EngineError: this machine computes different vectors.
        """
        known = json.loads(reference.read_text(encoding="utf-8"))
        pairs = sorted(zip(known["texts"], known["vectors"], strict=True), key=lambda pair: len(pair[0]))[:3]
        ours = self.embed(self.tokenize([text for text, _ in pairs]))
        theirs = np.asarray([vector for _, vector in pairs], dtype=np.float32)
        cosine = float((ours * theirs).sum(axis=1).min())
        if not cosine >= MIN_COSINE:
            raise EngineError(
                say("The embedding model computes wrong vectors on this machine (cosine {cosine:.4f}).", cosine=cosine)
            )
        return cosine


class MiniLmPairs:
    """Classifies pairs of texts with an adapter.

    Args:
        graph: ``resources/models/minilm_pairs.onnx``.
        weights: as for :class:`MiniLm`.
        adapter: trained by ``memdesk.bench.adapting``, including the last layer.
        threads, words: as for :class:`MiniLm`.
    """

    def __init__(self, graph: Path, weights: Path, adapter: Path, threads: int = 0, words: Any = None) -> None:
        self._tokenizer = _tokenizer(weights, MAX_PAIR_TOKENS)
        with _tensors(weights, adapter) as tensor:
            values = _values(_pair_weights(tensor), words)
        self.words = values["words"]
        self._session = _session(graph, values, threads)

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[list[int], Array]]:
        """Yield positions of pairs with their class probabilities, shape ``(len(positions), 3)``, batch by batch."""
        encoded = self._tokenizer.encode_batch_fast(list(pairs))
        for positions in by_length([len(one.ids) for one in encoded]):
            yield positions, _softmax(self._logits([encoded[position] for position in positions]))

    def _logits(self, encoded: Sequence[Any]) -> Array:
        given = {
            "input_ids": _padded([one.ids for one in encoded]),
            "segment_ids": _padded([one.type_ids for one in encoded]),
            "attention_mask": _padded([one.attention_mask for one in encoded]),
        }
        logits: Array = self._session.run(None, given)[0]
        return logits


class MiniLmTagger:
    """Reads the attribute, the value and the topic of sentences: heads on the model's token vectors.

    Args:
        graph: ``resources/models/minilm_tokens.onnx``.
        weights: as for :class:`MiniLm`.
        adapter: trained by ``memdesk bench attributes``; its metadata lists the attributes.
        threads, words: as for :class:`MiniLm`.
    """

    def __init__(self, graph: Path, weights: Path, adapter: Path, threads: int = 0, words: Any = None) -> None:
        self._tokenizer = _tokenizer(weights, MAX_PAIR_TOKENS)
        with safe_open(adapter, framework="np") as taught:
            #: for each class, under which field of the tags its odds are; the first class is "none".
            self._fields: list[str] = [field for _, field in json.loads(taught.metadata()["attributes"])]
            self._cares: list[str] = json.loads(taught.metadata()["cares"])
        with _tensors(weights, adapter) as tensor:
            values = _values(_weights(tensor), words)
            self._classes, self._care, self._marks = (
                (tensor(f"{head}.weight").T, tensor(f"{head}.bias")) for head in HEADS
            )
        self.words = values["words"]
        self._session = _session(graph, values, threads)

    def tags(self, texts: Sequence[str]) -> Iterator[tuple[list[int], list[dict[str, Any]]]]:
        """Yield positions of texts with the fields of their ``domain.comparing.tagging.Tags``, batch by batch."""
        encoded = self._tokenizer.encode_batch(list(texts))  # the fast one leaves out where tokens are
        for positions in by_length([len(one.ids) for one in encoded]):
            batch = [encoded[position] for position in positions]
            given = {"input_ids": _padded([one.ids for one in batch])}
            given["attention_mask"] = _padded([one.attention_mask for one in batch])
            hidden: Array = self._session.run(None, given)[0]
            yield (
                positions,
                [
                    self._tagged(texts[position], one, rows[: len(one.ids)])
                    for position, one, rows in zip(positions, batch, hidden, strict=True)
                ],
            )

    def _tagged(self, text: str, encoded: Any, rows: Array) -> dict[str, Any]:
        """Return one sentence's tags from its tokens' vectors, shape (tokens, 384)."""
        mean = rows.mean(axis=0)
        odds, care = (_softmax(mean @ weight + bias) for weight, bias in (self._classes, self._care))
        likely = [number for number in np.flatnonzero(odds >= LEAST_ODDS).tolist() if number]
        marked = rows @ self._marks[0] + self._marks[1] > 0
        return {
            **{
                field: {number: float(odds[number]) for number in likely if self._fields[number] == field}
                for field in ("odds", "several")
            },
            "care": {self._cares[at]: float(care[at]) for at in np.flatnonzero(care >= LEAST_ODDS).tolist() if at},
            "value": _words_of(text, encoded.offsets, marked[:, 0]),
            "topic": _words_of(text, encoded.offsets, marked[:, 1]),
        }


def _softmax(logits: Array) -> Array:
    """Return the probabilities of the last axis."""
    odds: Array = np.exp(logits - logits.max(axis=-1, keepdims=True))
    odds /= odds.sum(axis=-1, keepdims=True)
    return odds


def _words_of(text: str, offsets: Sequence[tuple[int, int]], marked: NDArray[np.bool_]) -> str:
    """Return the words of a text that have a marked token; special tokens have no characters."""
    spans = [(begin, end) for (begin, end), chosen in zip(offsets, marked, strict=True) if chosen and end > begin]
    return " ".join(m[0] for m in re.finditer(r"\S+", text) if any(a < m.end() and b > m.start() for a, b in spans))


def _tokenizer(weights: Path, most: int) -> Tokenizer:
    """Return the tokenizer beside the weights; it truncates to ``most`` tokens."""
    tokenizer = Tokenizer.from_file(str(weights.parent / "tokenizer.json"))
    tokenizer.enable_truncation(most)
    tokenizer.no_padding()
    return tokenizer


def _padded(rows: Sequence[Sequence[int]]) -> NDArray[np.int32]:
    if len(rows) == 1:
        return np.array(rows, dtype=np.int32)
    table = np.zeros((len(rows), max(map(len, rows))), dtype=np.int32)
    for row, one in zip(table, rows, strict=True):
        row[: len(one)] = one
    return table


@contextmanager
def _tensors(weights: Path, adapter: Path | None) -> Iterator[Tensors]:
    """Lend the published tensors, with an adapter's changes and additions if there is one.

    Its low-rank matrices are added to the model's (LoRA, https://arxiv.org/abs/2106.09685).
    """
    brought: dict[str, Array] = {}
    if adapter is not None:
        with safe_open(adapter, framework="np") as taught:
            brought = {name: taught.get_tensor(name).astype(np.float32) for name in taught.keys()}  # noqa: SIM118  # no mapping
    with safe_open(weights, framework="np") as base:

        def tensor(name: str) -> Array:
            if name in brought:
                return brought[name]
            value: Array = base.get_tensor(name)
            layer = name.removesuffix(".weight")
            if layer + LOW in brought:
                value = value + brought[layer + HIGH] @ brought[layer + LOW]
            return value

        yield tensor


def _values(named: Iterable[tuple[str, NDArray[Any]]], words: Any) -> dict[str, Any]:
    """Return the graph's weights as ONNX Runtime values, but ``words`` if given."""
    lent = {} if words is None else {"words": words}
    make = onnxruntime.OrtValue.ortvalue_from_numpy
    return lent | {name: make(np.ascontiguousarray(tensor)) for name, tensor in named if name not in lent}


def _session(graph: Path, values: Mapping[str, Any], threads: int) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # Threads that spin between operators take cores from everybody else.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    # The arena keeps the largest batch's memory forever; batches are small here and malloc is quick enough.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    options.add_external_initializers(list(values), list(values.values()))
    return onnxruntime.InferenceSession(graph.read_bytes(), options, providers=["CPUExecutionProvider"])


def quantized(named: Iterable[tuple[str, Array]]) -> Iterator[tuple[str, Array | NDArray[np.int8]]]:
    """Yield the weights with each large matrix as integers, followed by a scale for each of its columns.

    They have 7 bits: two products of 8 bits each would overflow where a processor sums them in 16 (x86 without VNNI,
    https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html).
    """
    for name, tensor in named:
        if not name.endswith("_weight"):
            yield name, tensor
            continue
        scale = np.abs(tensor).max(axis=0) / MOST_WHOLE
        yield name, np.rint(tensor / scale).astype(np.int8)
        yield f"{name}_scale", scale


def _weights(tensor: Tensors) -> Iterator[tuple[str, Array]]:
    """Yield the graph's weights from the published tensors."""
    # Every token is of segment 0, so that segment's embedding is part of each position's.
    segment = tensor("embeddings.token_type_embeddings.weight")[0]
    yield "positions", tensor("embeddings.position_embeddings.weight") + segment
    yield from _shared_weights(tensor)


def _pair_weights(tensor: Tensors) -> Iterator[tuple[str, Array]]:
    """Yield the weights of the graph for pairs."""
    yield "positions", tensor("embeddings.position_embeddings.weight")
    yield "segments", tensor("embeddings.token_type_embeddings.weight")
    yield "head", tensor("head.weight").T
    yield "head_bias", tensor("head.bias")
    yield from _shared_weights(tensor)


def _shared_weights(tensor: Tensors) -> Iterator[tuple[str, Array]]:
    yield "words", tensor("embeddings.word_embeddings.weight")
    yield "embed_gamma", tensor("embeddings.LayerNorm.weight")
    yield "embed_beta", tensor("embeddings.LayerNorm.bias")
    for layer in range(LAYERS):
        prefix = f"encoder.layer.{layer}."
        parts = [f"{prefix}attention.self.{part}" for part in ("query", "key", "value")]
        yield f"qkv_{layer}_weight", np.concatenate([tensor(f"{part}.weight").T for part in parts], axis=1)
        yield f"qkv_bias_{layer}", np.concatenate([tensor(f"{part}.bias") for part in parts])
        for norm, block in (("norm1", "attention.output"), ("norm2", "output")):
            yield f"{norm}_{layer}_gamma", tensor(f"{prefix}{block}.LayerNorm.weight")
            yield f"{norm}_{layer}_beta", tensor(f"{prefix}{block}.LayerNorm.bias")
            yield f"{norm}_{layer}_bias", tensor(f"{prefix}{block}.dense.bias")
        yield f"mix_{layer}_weight", tensor(f"{prefix}attention.output.dense.weight").T
        yield f"wide_{layer}_weight", tensor(f"{prefix}intermediate.dense.weight").T
        yield f"wide_bias_{layer}", tensor(f"{prefix}intermediate.dense.bias")
        yield f"narrow_{layer}_weight", tensor(f"{prefix}output.dense.weight").T
