"""The graph of all-MiniLM-L6-v2 for ONNX Runtime, node by node, without a single weight.

``resources/models/minilm.onnx`` is what ``python -m memdesk.engines.minilm_graph`` writes: 9 kB of
structure that a test compares with this code. The numbers come from the published safetensors file, whose
SHA-256 is checked, when the session is made (``minilm_session``). So nothing opaque is shipped or
downloaded, nothing has to be built or kept on the user's disk, and importing ``onnx`` is left to developers.

The architecture is BERT (https://arxiv.org/abs/1810.04805) with 6 layers of width 384 and 12 heads; the
mean of the token vectors, scaled to length 1, is the text's vector. The operators in ``com.microsoft`` are
ONNX Runtime's fused ones: https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

LAYERS, HEADS, DIM, WIDE = 6, 12, 384, 1536
VOCABULARY, POSITIONS = 30522, 512
EPSILON = 1e-12


def build() -> Any:
    """Return the model: ``input_ids`` and ``attention_mask`` of int32 ``(batch, tokens)`` in, ``vectors`` out."""
    from onnx import TensorProto, helper

    graph = _Builder()
    embed = ["input_ids", "", graph.weight("words", VOCABULARY, DIM), graph.weight("positions", POSITIONS, DIM), ""]
    embed += [graph.weight("embed_gamma", DIM), graph.weight("embed_beta", DIM)]
    graph.node("EmbedLayerNormalization", embed, ["hidden", "unused_mask"], fused=True, epsilon=EPSILON)
    hidden = "hidden"
    for layer in range(LAYERS):
        hidden = _layer(graph, layer, hidden)
    _pool(graph, hidden)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT32, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    outputs = [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", DIM])]
    body = helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", inputs, outputs, initializer=graph.tensors)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(body, opset_imports=opsets, ir_version=8, producer_name="memdesk")


def _layer(graph: _Builder, layer: int, hidden: str) -> str:
    """Add one transformer layer and return the name of its output."""
    qkv = [graph.weight(f"qkv_{layer}", DIM, 3 * DIM), graph.weight(f"qkv_bias_{layer}", 3 * DIM), "attention_mask"]
    attended = graph.node("Attention", [hidden, *qkv], [f"attended_{layer}"], fused=True, num_heads=HEADS)
    mixed = graph.matmul(f"mix_{layer}", attended, DIM, DIM)
    first = _add_and_norm(graph, f"norm1_{layer}", mixed, hidden)
    wide = graph.matmul(f"wide_{layer}", first, DIM, WIDE)
    active = graph.node("BiasGelu", [wide, graph.weight(f"wide_bias_{layer}", WIDE)], [f"active_{layer}"], fused=True)
    narrow = graph.matmul(f"narrow_{layer}", active, WIDE, DIM)
    return _add_and_norm(graph, f"norm2_{layer}", narrow, first)


def _add_and_norm(graph: _Builder, name: str, new: str, old: str) -> str:
    weights = [graph.weight(f"{name}_{part}", DIM) for part in ("gamma", "beta", "bias")]
    return graph.node("SkipLayerNormalization", [new, old, *weights], [name], fused=True, epsilon=EPSILON)


def _pool(graph: _Builder, hidden: str) -> None:
    """Add the sum over real tokens, scaled to length 1; dividing by their number would change nothing."""
    from onnx import TensorProto

    axis, last = graph.axis("pool_axis", 1), graph.axis("last_axis", -1)
    mask = graph.node("Cast", ["attention_mask"], ["mask_float"], to=TensorProto.FLOAT)
    column = graph.node("Unsqueeze", [mask, last], ["mask_column"])
    kept = graph.node("Mul", [hidden, column], ["kept"])
    total = graph.node("ReduceSum", [kept, axis], ["total"], keepdims=0)
    graph.node("LpNormalization", [total], ["vectors"], axis=-1, p=2)


class _Builder:
    """Collects nodes and named tensors. Weights are declared as external: the session supplies them."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.tensors: list[Any] = []

    def weight(self, name: str, *shape: int) -> str:
        from onnx import TensorProto

        tensor = TensorProto(name=name, dims=shape, data_type=TensorProto.FLOAT, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="safetensors")
        self.tensors.append(tensor)
        return name

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
        return self.node("MatMul", [left, self.weight(f"{name}_weight", rows, columns)], [name])


def main() -> None:
    from memdesk.settings.resources import resources_root

    target = Path(resources_root()) / "models" / "minilm.onnx"
    target.write_bytes(build().SerializeToString(deterministic=True))


if __name__ == "__main__":
    main()
