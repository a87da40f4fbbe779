"""Reads the metadata of GGUF model files.

Format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (versions 2 and 3, little endian).
The file is mapped, not read; arrays (vocabularies of 100,000 words and more) are skipped.
"""

import mmap
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from memdesk.errors import EnvironmentFault
from memdesk.messages import say

_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9
_ENCODERS = frozenset(
    {"bert", "nomic-bert", "nomic-bert-moe", "jina-bert-v2", "jina-bert-v3", "t5encoder", "clip", "modern-bert"}
)
#: How llama.cpp names the parts of a split model (``llama_split_path``).
_SPLIT = re.compile(r"-(\d{5})-of-(\d{5})(?=\.gguf$)")

#: ``general.file_type`` (llama.cpp's ``llama_ftype``) by their common names.
_FILE_TYPES = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S",
    12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K",
    19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL",
    26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16",
    36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4",
}  # fmt: skip


class GgufError(EnvironmentFault):
    """The file is not a GGUF model, or it is damaged."""

    code = "gguf_unreadable"
    title = say("Not a usable model file")
    default_hint = say("Download the file again; a download that was cut off looks like this.")
    status = 422


@dataclass(frozen=True, slots=True, kw_only=True)
class GgufInfo:
    """A GGUF file's metadata. Empty and zero where it has none."""

    name: str
    architecture: str
    parameters: int
    quantization: str
    context_tokens: int
    chat_template: str
    license: str
    #: type of the file: "model", or "adapter", "mmproj" and the like, which cannot chat.
    type: str
    #: sampling that the publisher recommends (``general.sampling.*``).
    sampling: dict[str, float]
    #: size of the vocabulary; 0 for files without a tokenizer.
    vocabulary: int
    #: for a projector: width of its output for each token of its model.
    projects: int = 0
    #: width of a token's vector, and of a text's.
    width: int = 0
    #: it declares a pooling, as embedding models do.
    pools: bool = False

    @property
    def can_chat(self) -> bool:
        """Whether it is a text model with a vocabulary of its own."""
        return self._is_text_model and self.architecture not in _ENCODERS and not self.pools

    @property
    def can_embed(self) -> bool:
        """Whether it is an embedding model."""
        return self._is_text_model and (self.pools or self.architecture in _ENCODERS - {"clip"})

    @property
    def _is_text_model(self) -> bool:
        return self.type in {"", "model"} and self.vocabulary > 0


def split_paths(path: Path) -> list[Path]:
    """Return all parts of a split model, given any of them; of any other file only itself. None needs to exist."""
    match = _SPLIT.search(path.name)
    if match is None:
        return [path]
    head, count = path.name[: match.start()], int(match[2])
    return [path.with_name(f"{head}-{number:05d}-of-{count:05d}.gguf") for number in range(1, count + 1)]


def real_path(path: Path) -> Path:
    """Return a file's resolved path; parts of a split model keep their names, by which they find each other."""
    return path.parent.resolve() / path.name if _SPLIT.search(path.name) else path.resolve()


def read_gguf(path: Path) -> GgufInfo:
    """Read a model's metadata; remembered until the file changes.

    Raises:
        GgufError: the file cannot be read as GGUF.
    """
    try:
        stat = path.stat()
    except OSError as error:
        raise GgufError(say("{name} cannot be read: {strerror}.", name=path.name, strerror=error.strerror)) from error
    return _read_cached(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=512)
def _read_cached(path: Path, size: int, _mtime_ns: int) -> GgufInfo:
    if size < 24:
        raise GgufError(say("{name} is too short to be a model.", name=path.name))
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            reader = _Reader(data, path.name)
            meta = dict(reader.metadata())
            parameters = reader.parameters()
            reader.check_weights(int(meta.get("general.alignment", 32)))
            return _describe(meta, parameters, path)
    except (struct.error, UnicodeDecodeError, IndexError) as error:
        raise GgufError(say("{name} ends in the middle of its header.", name=path.name)) from error
    except OSError as error:
        raise GgufError(say("{name} cannot be read: {strerror}.", name=path.name, strerror=error.strerror)) from error


class _Reader:
    """Walks the header of a mapped file."""

    def __init__(self, data: mmap.mmap, name: str) -> None:
        self._data = data
        self._at = 0
        self._name = name
        if data[:4] != b"GGUF":
            raise GgufError(say("{name} is not a GGUF file.", name=name))
        version = struct.unpack_from("<I", data, 4)[0]
        if version not in {2, 3}:
            raise GgufError(
                say("{name} has GGUF version {version}, which is not known here.", name=name, version=version)
            )
        self._tensors, self._pairs = struct.unpack_from("<QQ", data, 8)
        if self._pairs > 1_000_000 or self._tensors > 10_000_000:
            raise GgufError(say("{name} has a damaged header.", name=name))
        self._at = 24

    def metadata(self) -> Iterator[tuple[str, Any]]:
        """Yield keys and values; arrays as their length."""
        for _ in range(self._pairs):
            key = self._string()
            yield key, self._value(self._take("I"))

    def parameters(self) -> int:
        """Sum the sizes of all tensors. Call after ``metadata``."""
        total = 0
        self._last = 0
        for _ in range(self._tensors):
            self._skip_string()
            size = 1
            for _ in range(self._take("I")):
                size *= self._take("Q")
            self._take("I")  # its type
            self._last = max(self._last, self._take("Q"))
            total += size
        if self._at > len(self._data):
            raise GgufError(say("{name} ends in the middle of its header.", name=self._name))
        return total

    def check_weights(self, alignment: int) -> None:
        """Check that the last tensor begins inside the file. Call after ``parameters``.

        Raises:
            GgufError: the file was truncated.
        """
        start = -(-self._at // max(alignment, 1)) * max(alignment, 1)
        if self._tensors and start + self._last >= len(self._data):
            raise GgufError(say("{name} ends in the middle of its weights.", name=self._name))

    def _take(self, code: str) -> Any:
        value = struct.unpack_from("<" + code, self._data, self._at)[0]
        self._at += struct.calcsize("<" + code)
        return value

    def _string(self) -> str:
        length = self._take("Q")
        if self._at + length > len(self._data):
            raise GgufError(say("{name} ends in the middle of its header.", name=self._name))
        start, self._at = self._at, self._at + length
        return self._data[start : self._at].decode("utf-8", "replace")

    def _skip_string(self) -> None:
        self._at += 8 + struct.unpack_from("<Q", self._data, self._at)[0]

    def _value(self, kind: int) -> Any:
        if kind in _SCALARS:
            return self._take(_SCALARS[kind])
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            return self._skip_array()
        raise GgufError(say("{name} holds a value of unknown type {kind}.", name=self._name, kind=kind))

    def _skip_array(self) -> int:
        kind, count = self._take("I"), self._take("Q")
        if kind in _SCALARS:
            self._at += int(count) * struct.calcsize("<" + _SCALARS[kind])
        elif kind == _STRING:
            unpack, data, at = struct.Struct("<Q").unpack_from, self._data, self._at
            for _ in range(count):
                at += 8 + unpack(data, at)[0]
            self._at = at
        else:
            for _ in range(count):
                self._value(kind)
        return int(count)


def _describe(meta: dict[str, Any], parameters: int, path: Path) -> GgufInfo:
    architecture = str(meta.get("general.architecture", ""))
    return GgufInfo(
        name=str(meta.get("general.name") or path.stem),
        architecture=architecture,
        parameters=parameters,
        quantization=_FILE_TYPES.get(int(meta.get("general.file_type", -1)), ""),
        context_tokens=int(meta.get(f"{architecture}.context_length", 0)),
        chat_template=str(meta.get("tokenizer.chat_template", "")),
        license=str(meta.get("general.license", "")),
        type=str(meta.get("general.type", "")),
        sampling={
            key.removeprefix("general.sampling."): float(value)
            for key, value in meta.items()
            if key.startswith("general.sampling.") and isinstance(value, (int, float))
        },
        vocabulary=int(meta.get("tokenizer.ggml.tokens", 0)),
        projects=int(meta.get("clip.vision.projection_dim", 0)),
        width=int(meta.get(f"{architecture}.embedding_length", 0)),
        # 0 is none: llama.cpp's llama_pooling_type.
        pools=int(meta.get(f"{architecture}.pooling_type", 0)) > 0,
    )
