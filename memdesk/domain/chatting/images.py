"""Pictures sent with a message, in the form that protocols, models and JSON share."""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass, field
from typing import Final

from memdesk.errors import BadRequestError
from memdesk.messages import say

#: Approximate tokens of one: 258 (Gemini) to 1,600 (Claude), by its size.
IMAGE_TOKENS: Final = 1000
#: Larger ones are refused; servers refuse more than 5 MB (Anthropic) to 20 MB (OpenAI).
MOST_BYTES: Final = 20_000_000
_BEGINNINGS: Final = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))


@dataclass(frozen=True, slots=True)
class Image:
    """A picture sent with a message: PNG, JPEG, GIF or WebP. Created by :meth:`of`, which checks it."""

    media_type: str
    data: str
    name: str = field(default="", compare=False)
    #: how closely a model should look at it, in the client's word; empty: the model's default.
    detail: str = field(default="", compare=False)

    @property
    def id(self) -> str:
        """Its SHA-256."""
        return hashlib.sha256(self.content).hexdigest()

    @property
    def url(self) -> str:
        return f"data:{self.media_type};base64,{self.data}"

    @property
    def content(self) -> bytes:
        return base64.b64decode(self.data)

    @classmethod
    def of(cls, data: bytes | str, name: str = "") -> Image:
        """Return a picture from a file's bytes, or from base64, perhaps as a ``data:`` address.

        Raises:
            BadRequestError: it is not a picture that models take, or larger than 20 MB.
        """
        if isinstance(data, str):
            data = _decoded(data)
        if len(data) > MOST_BYTES:
            raise BadRequestError(say("A picture is larger than 20 MB."), hint=say("Make it smaller, then try again."))
        webp = data.startswith(b"RIFF") and data[8:12] == b"WEBP"
        media_type = next((kind for mark, kind in _BEGINNINGS if data.startswith(mark)), "image/webp" if webp else "")
        if not media_type:
            raise BadRequestError(say("A picture is neither PNG, JPEG, GIF nor WebP, or is damaged."))
        return cls(media_type, base64.b64encode(data).decode("ascii"), name)


def _decoded(text: str) -> bytes:
    head, comma, rest = text.partition(",")
    if text.startswith("data:"):
        if not (comma and head.endswith(";base64")):
            raise BadRequestError(say("The data: URL of a picture is not valid base64."))
        text = rest
    elif "://" in text[:20]:
        raise BadRequestError(
            say("A picture was given by a web address."),
            hint=say("Nothing is fetched from there: send the picture itself, as a data: URL."),
        )
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadRequestError(say("A picture is not in base64, or was cut off.")) from error
