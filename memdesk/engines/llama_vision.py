"""Reads pictures for a model with a projector; runs only in the llama.cpp child process."""

import base64
import ctypes
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import llama_cpp
from llama_cpp import mtmd_cpp

from memdesk.errors import BadRequestError, EngineError
from memdesk.messages import say

MARKER = mtmd_cpp.mtmd_default_marker().decode("utf-8")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture in a prompt.

    Attributes:
        start: its first position in the prompt's tokens.
        end: the position after it; it may fill more context cells than positions.
        cells: context cells that it fills.
        chunk: the projector's object.
    """

    start: int
    end: int
    cells: int
    chunk: Any


class Prompt:
    """A prompt's tokens; negative ones stand for pictures, the same for the same picture.

    Freed with :meth:`close`.
    """

    def __init__(self, chunks: Any) -> None:
        self._chunks = chunks
        self.tokens: list[int] = []
        self.pictures: list[Picture] = []
        for number in range(mtmd_cpp.mtmd_input_chunks_size(chunks)):
            chunk = mtmd_cpp.mtmd_input_chunks_get(chunks, number)
            if mtmd_cpp.mtmd_input_chunk_get_type(chunk) == mtmd_cpp.MTMD_INPUT_CHUNK_TYPE_TEXT:
                count = ctypes.c_size_t()
                found = mtmd_cpp.mtmd_input_chunk_get_tokens_text(chunk, ctypes.byref(count))
                self.tokens += [found[at] for at in range(count.value)]
                continue
            start, span = len(self.tokens), int(mtmd_cpp.mtmd_input_chunk_get_n_pos(chunk))
            mark = -1 - zlib.crc32(mtmd_cpp.mtmd_input_chunk_get_id(chunk) or b"")
            self.tokens += [mark] * span
            cells = int(mtmd_cpp.mtmd_input_chunk_get_n_tokens(chunk))
            self.pictures.append(Picture(start, start + span, cells, chunk))

    @property
    def cells(self) -> int:
        return len(self.tokens) + sum(picture.cells - picture.end + picture.start for picture in self.pictures)

    def begin_with(self, token: int) -> None:
        if self.tokens[:1] != [token]:
            self.tokens.insert(0, token)
            self.pictures = [Picture(p.start + 1, p.end + 1, p.cells, p.chunk) for p in self.pictures]

    def close(self) -> None:
        """Free its memory in the projector."""
        mtmd_cpp.mtmd_input_chunks_free(self._chunks)


class Projector:
    """Turns pictures into model input.

    Args:
        path: the projector's file (``mmproj``).

    Raises:
        EngineError: it is not a projector, or belongs to another model.
    """

    def __init__(self, llama: Any, path: str, threads: int) -> None:
        self._llama = llama
        params = mtmd_cpp.mtmd_context_params_default()
        params.use_gpu, params.print_timings, params.n_threads = False, False, threads
        self._context = mtmd_cpp.mtmd_init_from_file(path.encode(), llama.model, params)
        if self._context is None or not mtmd_cpp.mtmd_support_vision(self._context):
            raise EngineError(
                say("The file that reads pictures for this model cannot be used."),
                hint=say("It may belong to another model, or be damaged: download it again, or move it away."),
            )

    def read(self, prompt: str, images: Sequence[bytes]) -> Prompt:
        """Return the tokens of a prompt that has a :data:`MARKER` for each picture.

        Raises:
            BadRequestError: a picture cannot be read.
        """
        bitmaps: list[Any] = []
        try:
            bitmaps.extend(map(self._bitmap, images))
            text = prompt.encode("utf-8", "replace")
            told = mtmd_cpp.mtmd_input_text()
            told.text, told.add_special, told.parse_special = text, False, True
            if hasattr(told, "text_len"):
                told.text_len = len(text)
            chunks = mtmd_cpp.mtmd_input_chunks_init()
            array = (mtmd_cpp.mtmd_bitmap_p_ctypes * len(bitmaps))(*bitmaps)
            failed = mtmd_cpp.mtmd_tokenize(self._context, chunks, ctypes.byref(told), array, len(bitmaps))
        finally:
            for bitmap in bitmaps:
                mtmd_cpp.mtmd_bitmap_free(bitmap)
        if failed:
            mtmd_cpp.mtmd_input_chunks_free(chunks)
            raise BadRequestError(say("The pictures cannot be read by this model ({code}).", code=failed))
        return Prompt(chunks)

    def look(self, picture: Picture) -> None:
        """Let the model read a picture at its current position.

        Raises:
            EngineError: it failed.
        """
        llama, after = self._llama, llama_cpp.llama_pos(0)
        llama._ctx.kv_cache_seq_rm(-1, llama.n_tokens, -1)  # noqa: SLF001  # as its own eval does
        failed = mtmd_cpp.mtmd_helper_eval_chunk_single(
            self._context,
            llama.ctx,
            picture.chunk,
            llama_cpp.llama_pos(llama.n_tokens),
            llama_cpp.llama_seq_id(0),
            llama.n_batch,
            False,
            ctypes.byref(after),
        )
        if failed:
            raise EngineError(say("The model failed while looking at a picture ({code}).", code=failed))
        llama.n_tokens = after.value

    def _bitmap(self, image: bytes) -> Any:
        data = (ctypes.c_uint8 * len(image)).from_buffer_copy(image)
        made = mtmd_cpp.mtmd_helper_bitmap_init_from_buf(self._context, data, len(image), False)
        if not made:
            raise BadRequestError(say("A picture is damaged, or of a kind that cannot be read here."))
        # By its content, so that a picture already read is recognized.
        mtmd_cpp.mtmd_bitmap_set_id(made, f"{zlib.crc32(image):08x}{len(image):x}".encode())
        return made


def with_markers(messages: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Return messages as plain text with a marker for each picture before the words, and the pictures."""
    found: list[bytes] = []
    plain = [{**message, "content": "".join(_parts(message.get("content"), found))} for message in messages]
    return plain, found


def _parts(content: Any, found: list[bytes]) -> Iterator[str]:
    parts: list[dict[str, Any]] = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
    for part in parts:
        if part["type"] == "image_url":
            found.append(base64.b64decode(part["image_url"]["url"].partition(",")[2]))
            yield f"{MARKER}\n"
    for part in parts:
        if part["type"] == "text":
            # No text may be mistaken for a picture.
            yield part["text"].replace(MARKER, "")
