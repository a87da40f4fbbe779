"""Writes a small projector (``mmproj``) of random weights: a real file of llama.cpp's, for any model's width."""

from __future__ import annotations

import struct

import numpy as np

#: Pictures of so many px a side, cut into patches of so many; four of them.
SIDE, PATCH, WIDE, LAYERS = 28, 14, 32, 2


def _text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value) -> bytes:
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, list):
        return struct.pack("<IIQ", 9, 6, len(value)) + struct.pack(f"<{len(value)}f", *value)
    return struct.pack("<I", 8) + _text(value)


def projector_bytes(width: int, seed: int = 1) -> bytes:
    """Return a LLaVA projector for a model whose tokens have ``width`` numbers."""
    random = np.random.default_rng(seed)
    meta = {
        "general.architecture": "clip",
        "general.type": "mmproj",
        "general.name": "Eyes",
        "general.file_type": 0,
        "clip.has_vision_encoder": True,
        "clip.has_text_encoder": False,
        "clip.has_llava_projector": True,
        "clip.projector_type": "mlp",
        "clip.use_gelu": True,
        "clip.vision.image_size": SIDE,
        "clip.vision.patch_size": PATCH,
        "clip.vision.embedding_length": WIDE,
        "clip.vision.feed_forward_length": 2 * WIDE,
        "clip.vision.projection_dim": width,
        "clip.vision.block_count": LAYERS,
        "clip.vision.attention.head_count": 2,
        "clip.vision.attention.layer_norm_epsilon": 1e-5,
        "clip.vision.image_mean": [0.5, 0.5, 0.5],
        "clip.vision.image_std": [0.5, 0.5, 0.5],
    }
    shapes = {
        "v.patch_embd.weight": (PATCH, PATCH, 3, WIDE),
        "v.class_embd": (WIDE,),
        "v.position_embd.weight": (WIDE, (SIDE // PATCH) ** 2 + 1),
        "v.pre_ln.weight": (WIDE,),
        "v.pre_ln.bias": (WIDE,),
        "mm.0.weight": (WIDE, width),
        "mm.0.bias": (width,),
        "mm.2.weight": (width, width),
        "mm.2.bias": (width,),
    }
    for layer in range(LAYERS):
        for name in ("attn_q", "attn_k", "attn_v", "attn_out"):
            shapes |= {f"v.blk.{layer}.{name}.weight": (WIDE, WIDE), f"v.blk.{layer}.{name}.bias": (WIDE,)}
        for name in ("ln1", "ln2"):
            shapes |= {f"v.blk.{layer}.{name}.weight": (WIDE,), f"v.blk.{layer}.{name}.bias": (WIDE,)}
        shapes |= {f"v.blk.{layer}.ffn_up.weight": (WIDE, 2 * WIDE), f"v.blk.{layer}.ffn_up.bias": (2 * WIDE,)}
        shapes |= {f"v.blk.{layer}.ffn_down.weight": (2 * WIDE, WIDE), f"v.blk.{layer}.ffn_down.bias": (WIDE,)}
    head = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), len(meta))
    head += b"".join(_text(key) + _value(value) for key, value in meta.items())
    data = b""
    for name, shape in shapes.items():
        head += _text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        head += struct.pack("<IQ", 0, len(data))
        weights = random.normal(0, 0.3, int(np.prod(shape))).astype("<f4")
        data += weights.tobytes()
        data += bytes(-len(data) % 32)
    return head + bytes(-len(head) % 32) + data
