"""Writes tiny GGUF files: a header and a byte of weights."""

from __future__ import annotations

import struct


def _text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def _value(value):
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    if isinstance(value, int):
        return struct.pack("<II", 4, value)
    if isinstance(value, float):
        return struct.pack("<If", 6, value)
    if isinstance(value, list):
        return struct.pack("<IIQ", 9, 8, len(value)) + b"".join(_text(item) for item in value)
    return struct.pack("<I", 8) + _text(value)


def gguf_bytes(name="Tiny", *, tensors=((4, 8),), padding=0, **meta):
    """Return a file with the usual metadata; ``meta`` overrides, None leaves a key out."""
    pairs = {
        "general.architecture": "llama",
        "general.name": name,
        "general.file_type": 15,
        "general.license": "mit",
        "llama.context_length": 2048,
        "tokenizer.ggml.tokens": ["<s>", "a", "ü"],
        "tokenizer.chat_template": "{{ messages }} {{ tools }}",
    } | {key.replace("__", "."): value for key, value in meta.items()}
    pairs = {key: value for key, value in pairs.items() if value is not None}
    body = b"".join(_text(key) + _value(value) for key, value in pairs.items())
    for number, shape in enumerate(tensors):
        body += _text(f"t{number}") + struct.pack("<I", len(shape))
        body += b"".join(struct.pack("<Q", size) for size in shape) + struct.pack("<IQ", 0, 0)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(pairs)) + body
    return head + bytes(-len(head) % 32 + 1 + padding)
