"""Reads what is attached to a message, whatever it was written with; on a lane. Knows no Qt."""

from __future__ import annotations

import codecs
import locale
from collections.abc import Mapping
from pathlib import Path

from memdesk.errors import BadRequestError

#: A file larger than this is no message.
MOST_BYTES = 400_000
#: What a file begins with that says how it is written; the longer ones first, as they begin alike.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: The part of control characters up to which something is text.
_MOST_CONTROLS = 0.02
_WHITE = frozenset("\t\n\r\f\b\x1b")


def read_text_file(path: str) -> tuple[str, str]:
    """Return a text file's name and content.

    Raises:
        BadRequestError: too large, a folder, not readable, or no text.
    """
    file = Path(path)
    try:
        if file.is_dir():
            raise BadRequestError(f"{file.name} is a folder.", hint="Attach the files in it one by one.")
        if file.stat().st_size > MOST_BYTES:
            raise _too_large(file.name)
        data = file.read_bytes()
    except OSError as error:
        raise BadRequestError(f"{file.name} could not be read: {error.strerror}.") from error
    text = _decoded(data)
    controls = sum(1 for character in text or "" if character < " " and character not in _WHITE)
    if text is None or controls > _MOST_CONTROLS * len(text):
        raise BadRequestError(f"{file.name} is no text file.", hint="Only text can be attached.")
    return file.name, text.replace("\r\n", "\n")


def limited(name: str, text: str) -> str:
    """Return a text that was pasted, when it is not too long.

    Raises:
        BadRequestError: it is larger than a file may be.
    """
    if len(text.encode()) > MOST_BYTES:
        raise _too_large(name)
    return text


def name_for(name: str, content: str, files: Mapping[str, str]) -> str:
    """Return the name under which a file is, or goes, beside others: numbered when another one is called so."""
    chosen, number = name, 2
    while files.get(chosen, content) != content:
        chosen, number = f"{name} ({number})", number + 1
    return chosen


def _too_large(name: str) -> BadRequestError:
    return BadRequestError(f"{name} is larger than 400 kB.", hint="Cut it to the part that matters.")


def _decoded(data: bytes) -> str | None:
    """Return the text: by its mark, as UTF-8, or as older programs of this system and of Windows write it."""
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    if not marked and b"\0" in data:
        return None
    for encoding in (marked or "utf-8", locale.getpreferredencoding(do_setlocale=False), "cp1252", "latin-1"):
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return None
