"""The graphs of all-MiniLM-L6-v2 for ONNX Runtime, node by node, without weights.

``python -m memdesk.engines.minilm_graph`` writes ``resources/models/minilm.onnx``, ``minilm_int8.onnx``,
``minilm_pairs.onnx`` and ``minilm_tokens.onnx``: some 9 kB of structure each, which a test compares with this code. The numbers come from the
published safetensors file, whose SHA-256 is checked when the session is created (``minilm_session``). So nothing opaque
is shipped or downloaded, nothing has to be built or stored on the user's disk, and only developers import ``onnx``.

The architecture is BERT (https://arxiv.org/abs/1810.04805) with 6 layers of width 384 and 12 heads; the
mean of the token vectors, scaled to length 1, is the text's vector. The operators in ``com.microsoft`` are
ONNX Runtime's fused ones: https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

LAYERS, HEADS, DIM, WIDE = 6, 12, 384, 1536
#: Classes of pairs: for each task the first is "nothing"; tasks with fewer leave the last unused.
CLASSES = 3
VOCABULARY, POSITIONS = 30522, 512
EPSILON = 1e-12


def build(*, int8: bool = False) -> Any:
    """Return the model: ``input_ids`` and ``attention_mask`` of int32 ``(batch, tokens)`` in, ``vectors`` out.

    Args:
        int8: its large matrices are integers with a scale for each column (``minilm_session.quantized``), and their
            inputs are quantized on the fly: less than half the time for a question.
    """
    graph = _Builder(int8=int8)
    _pool(graph, _encoder(graph, segments=False))
    return graph.model("all-MiniLM-L6-v2", ["input_ids", "attention_mask"], ("vectors", ["batch", DIM]))


def build_tokens() -> Any:
    """Return the model with the vectors of the tokens themselves out: ``hidden`` of ``(batch, tokens, 384)``."""
    graph = _Builder()
    last = _encoder(graph, segments=False)
    return graph.model("all-MiniLM-L6-v2-tokens", ["input_ids", "attention_mask"], (last, ["batch", "tokens", DIM]))


def build_pairs() -> Any:
    """Return the model that classifies pairs of texts: also ``segment_ids`` in, ``logits`` of :data:`CLASSES` out.

    Its last layer is trained (``memdesk.bench.adapting``) on the mean of the token vectors.
    """
    graph = _Builder()
    _classify(graph, _encoder(graph, segments=True))
    return graph.model(
        "all-MiniLM-L6-v2-pairs", ["input_ids", "segment_ids", "attention_mask"], ("logits", ["batch", CLASSES])
    )


def _encoder(graph: _Builder, *, segments: bool) -> str:
    """Add the embeddings and the layers, and return the name of their output."""
    embed = ["input_ids", "segment_ids" if segments else ""]
    embed += [graph.weight("words", VOCABULARY, DIM), graph.weight("positions", POSITIONS, DIM)]
    embed += [graph.weight("segments", 2, DIM) if segments else ""]
    embed += [graph.weight("embed_gamma", DIM), graph.weight("embed_beta", DIM)]
    graph.node("EmbedLayerNormalization", embed, ["hidden", "unused_mask"], fused=True, epsilon=EPSILON)
    hidden = "hidden"
    for layer in range(LAYERS):
        hidden = _layer(graph, layer, hidden)
    return hidden


def _layer(graph: _Builder, layer: int, hidden: str) -> str:
    """Add one transformer layer and return the name of its output."""
    attended = _attend(graph, layer, hidden)
    mixed = graph.matmul(f"mix_{layer}", attended, DIM, DIM)
    first = _add_and_norm(graph, f"norm1_{layer}", mixed, hidden)
    wide = graph.matmul(f"wide_{layer}", first, DIM, WIDE)
    active = graph.node("BiasGelu", [wide, graph.weight(f"wide_bias_{layer}", WIDE)], [f"active_{layer}"], fused=True)
    narrow = graph.matmul(f"narrow_{layer}", active, WIDE, DIM)
    return _add_and_norm(graph, f"norm2_{layer}", narrow, first)


def _attend(graph: _Builder, layer: int, hidden: str) -> str:
    name, bias, attended = f"qkv_{layer}", graph.weight(f"qkv_bias_{layer}", 3 * DIM), [f"attended_{layer}"]
    if not graph.int8:
        qkv = [hidden, graph.weight(f"{name}_weight", DIM, 3 * DIM), bias, "attention_mask"]
        return graph.node("Attention", qkv, attended, fused=True, num_heads=HEADS)
    parts = [f"{part}_{layer}" for part in ("query", "key", "value")]
    graph.node("Split", [graph.matmul(name, hidden, DIM, 3 * DIM)], parts, axis=-1)
    return graph.node("MultiHeadAttention", [*parts, bias, "attention_mask"], attended, fused=True, num_heads=HEADS)


def _add_and_norm(graph: _Builder, name: str, new: str, old: str) -> str:
    weights = [graph.weight(f"{name}_{part}", DIM) for part in ("gamma", "beta", "bias")]
    return graph.node("SkipLayerNormalization", [new, old, *weights], [name], fused=True, epsilon=EPSILON)


def _total(graph: _Builder, hidden: str) -> tuple[str, str]:
    """Add the sum of the vectors of real tokens; return its name and that of their mask as a column."""
    from onnx import TensorProto

    axis, last = graph.axis("pool_axis", 1), graph.axis("last_axis", -1)
    mask = graph.node("Cast", ["attention_mask"], ["mask_float"], to=TensorProto.FLOAT)
    column = graph.node("Unsqueeze", [mask, last], ["mask_column"])
    kept = graph.node("Mul", [hidden, column], ["kept"])
    return graph.node("ReduceSum", [kept, axis], ["total"], keepdims=0), column


def _pool(graph: _Builder, hidden: str) -> None:
    """Add the sum over real tokens, scaled to length 1; dividing by their number would change nothing."""
    total, _ = _total(graph, hidden)
    graph.node("LpNormalization", [total], ["vectors"], axis=-1, p=2)


def _classify(graph: _Builder, hidden: str) -> None:
    """Add the trained layer on the mean over real tokens."""
    total, column = _total(graph, hidden)
    count = graph.node("ReduceSum", [column, "pool_axis"], ["count"], keepdims=0)
    mean = graph.node("Div", [total, count], ["mean"])
    graph.node("Gemm", [mean, graph.weight("head", DIM, CLASSES), graph.weight("head_bias", CLASSES)], ["logits"])


class _Builder:
    """Collects nodes and named tensors. Weights are declared as external: the session supplies them."""

    def __init__(self, *, int8: bool = False) -> None:
        self.int8 = int8
        self.nodes: list[Any] = []
        self.tensors: list[Any] = []

    def weight(self, name: str, *shape: int, kind: str = "FLOAT") -> str:
        from onnx import TensorProto

        held = TensorProto.DataType.Value(kind)
        tensor = TensorProto(name=name, dims=shape, data_type=held, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="safetensors")
        self.tensors.append(tensor)
        return name

    def model(self, name: str, inputs: Sequence[str], output: tuple[str, list[str | int]]) -> Any:
        from onnx import TensorProto, helper

        given = [helper.make_tensor_value_info(each, TensorProto.INT32, ["batch", "tokens"]) for each in inputs]
        made = [helper.make_tensor_value_info(output[0], TensorProto.FLOAT, output[1])]
        body = helper.make_graph(self.nodes, name, given, made, initializer=self.tensors)
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(body, opset_imports=opsets, ir_version=8, producer_name="memdesk")

    def axis(self, name: str, value: int) -> str:
        from onnx import TensorProto, helper

        self.tensors.append(helper.make_tensor(name, TensorProto.INT64, [1], [value]))
        return name

    def node(self, kind: str, inputs: Sequence[str], outputs: list[str], *, fused: bool = False, **options: Any) -> str:
        from onnx import helper

        domain = "com.microsoft" if fused else ""
        self.nodes.append(
            helper.make_node(kind, list(inputs), outputs, name=f"{kind}_{outputs[0]}", domain=domain, **options)
        )
        return outputs[0]

    def matmul(self, name: str, left: str, rows: int, columns: int) -> str:
        weight = f"{name}_weight"
        if not self.int8:
            return self.node("MatMul", [left, self.weight(weight, rows, columns)], [name])
        whole = [self.weight(weight, rows, columns, kind="INT8"), self.weight(f"{weight}_scale", columns)]
        return self.node("DynamicQuantizeMatMul", [left, *whole], [name], fused=True)


def main() -> None:
    from memdesk.settings.resources import resources_root

    folder = Path(resources_root()) / "models"
    made = {"": build(), "_int8": build(int8=True), "_pairs": build_pairs(), "_tokens": build_tokens()}
    for suffix, model in made.items():
        (folder / f"minilm{suffix}.onnx").write_bytes(model.SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
