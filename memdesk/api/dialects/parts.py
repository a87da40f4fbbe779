"""The parts of messages: text, images, files."""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from pydantic import Field

from memdesk.api.params import OpenBody
from memdesk.domain.chatting.files import SentFile, joined
from memdesk.domain.chatting.images import Image
from memdesk.domain.models import Role
from memdesk.errors import BadRequestError
from memdesk.ports import ChatMessage
from memdesk.services.chatting import Sampling
from memdesk.services.documents import limited, text_of


class Sampled(OpenBody):
    """Sampling options with the same names in OpenAI's and Ollama's APIs."""

    temperature: float | None = Field(default=None, ge=0, le=2)
    top_p: float | None = Field(default=None, ge=0, le=1)
    stop: str | list[str] | None = None
    seed: int | None = None
    presence_penalty: float | None = Field(default=None, ge=-2, le=2)
    frequency_penalty: float | None = Field(default=None, ge=-2, le=2)

    def sampling(self, max_tokens: int | None, **other: int | None) -> Sampling:
        stop = [self.stop] if isinstance(self.stop, str) else self.stop or ()
        same = {name: getattr(self, name) for name in Sampled.model_fields if name != "stop"}
        return Sampling(max_tokens=max_tokens, stop=tuple(text for text in stop if text), **same, **other)


class ImageUrl(OpenBody):
    """An image as a ``data:`` URL."""

    url: str
    detail: str = ""


class FileData(OpenBody):
    """A file in base64, bare or as a ``data:`` URL."""

    filename: str = ""
    file_data: str = ""


class Part(FileData):
    """A part of a message in OpenAI's shapes: text, an image, or a file."""

    type: str
    text: str = ""
    image_url: ImageUrl | str | None = None
    detail: str = ""
    file: FileData | None = None


#: The content of a message.
Piece = str | Image | SentFile


def pieces_of(content: str | Sequence[Part]) -> list[Piece]:
    """Return the text, images and files of a message.

    Raises:
        BadRequestError: another kind of part, or an unusable image or file.
    """
    return [content] if isinstance(content, str) else [_piece(part) for part in content]


def message_of(
    role: Role, pieces: Iterable[Piece], *, tool_calls: Iterable[dict[str, Any]] = (), **fields: str | None
) -> ChatMessage:
    """Return a message of pieces; files follow the text, as in the window."""
    told = list(pieces)
    words = "\n".join(piece for piece in told if isinstance(piece, str))
    files = [piece for piece in told if isinstance(piece, SentFile)]
    content = joined(words, files) if files else words
    behind: list[int] = []
    length = len(content) - len(words) - 1
    for piece in reversed(told):
        if isinstance(piece, str):
            length += len(piece) + 1
        elif isinstance(piece, Image):
            behind.append(max(0, length))
    return ChatMessage(
        role=role,
        content=content,
        images=tuple(piece for piece in told if isinstance(piece, Image)),
        behind=tuple(reversed(behind)),
        tool_calls=tuple(tool_calls),
        **fields,
    )


def file_of(name: str, data: str) -> SentFile:
    """Return a file that a client sends; reading it may take seconds.

    Raises:
        BadRequestError: it is not base64, too large, damaged, or contains no text.
    """
    name, (head, mark, body) = name or "file", data.rpartition(";base64,")
    try:
        held: bytes | None = base64.b64decode(body, validate=True)
    except ValueError:
        held = None
    if held is None or not (body or head + mark):
        raise BadRequestError(f"{name[:80]} is not in base64.", hint="Send the file itself, not its id or URL.")
    return text_file(name, text_of(name, held) if held.strip() else "")


def text_file(name: str, text: str) -> SentFile:
    """Return a text that a client sends as a file.

    Raises:
        BadRequestError: it is empty or too long.
    """
    if not text.strip():
        raise BadRequestError(f"{name[:80]} is empty.", hint="Leave it out, or send the text that it should hold.")
    return SentFile.of(name, limited(name, text))


def call_of(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    """Return a tool call in our message format; ``arguments`` is JSON text."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def function_of(name: str, **told: Any) -> dict[str, Any]:
    """Return a client's tool, or the choice of one, in the engines' format."""
    return {"type": "function", "function": {"name": name, **told}}


def schema_of(kind: str, schema: Any) -> dict[str, Any] | None:
    """Return the schema for an answer; None for text, an empty one for any JSON.

    Raises:
        BadRequestError: an unknown format, or an invalid schema.
    """
    if kind == "text":
        return None
    if kind == "json_object":
        return {}
    if kind == "json_schema" and isinstance(schema, dict):
        return schema
    raise BadRequestError(
        f"The form “{kind[:80]}” of an answer is not known.",
        hint="Use text, json_object, or json_schema with a schema.",
    )


def _piece(part: Part) -> Piece:
    if part.type in {"text", "input_text", "output_text", "refusal"}:
        return part.text
    if part.type in {"file", "input_file"}:
        sent = part.file or part
        return file_of(sent.filename, sent.file_data)
    if part.type not in {"image_url", "input_image"}:
        raise BadRequestError(f"This server reads text, pictures and files, not {part.type}.")
    if part.image_url is None:
        raise BadRequestError("A picture was given by a file id.", hint="Send the picture itself, as a data: URL.")
    shown = part.image_url
    image = Image.of(shown.url if isinstance(shown, ImageUrl) else shown)
    return replace(image, detail=shown.detail if isinstance(shown, ImageUrl) else part.detail)
