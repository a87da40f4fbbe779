"""The text of attached files and notes: PDF, Word, HTML, Markdown and other plain text."""

import codecs
import locale
import re
import unicodedata
from collections.abc import Callable
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Final

from memdesk.domain.chatting.passages import PAGE
from memdesk.errors import BadRequestError
from memdesk.messages import say

#: Largest file that is read: a book of a thousand pages with pictures is smaller.
MOST_BYTES: Final = 50_000_000
#: Longest text: more is not a message, and slow to search for passages.
MOST_CHARS: Final = 4_000_000
#: Byte order marks; longer ones first, as they share a prefix.
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Share of control characters up to which a file counts as text.
_MOST_CONTROLS: Final = 0.02
_AGAIN: Final = say("Open it in another program and save it again.")
_SPACE: Final = re.compile(r"\s+")
_GAPS: Final = re.compile(r"[ \t\u00a0]+")
_LIGATURE: Final = re.compile(r"[\ufb00-\ufb06]")
_WHITE: Final = frozenset("\t\n\r\f\b\x1b")


def read_document(path: str) -> tuple[str, str]:
    """Return a file's name and its text; pages are separated by :data:`memdesk.domain.chatting.passages.PAGE`.

    Raises:
        BadRequestError: too large, a folder, not readable, empty, damaged, or without text.
    """
    file = Path(path)
    name = file.name
    try:
        if file.is_dir():
            raise BadRequestError(say("{name} is a folder.", name=name), hint=say("Attach the files in it one by one."))
        if file.exists() and not file.is_file():
            raise BadRequestError(say("{name} is not a file.", name=name))
        if file.stat().st_size > MOST_BYTES:
            raise BadRequestError(
                say("{name} is larger than 50 MB.", name=name), hint=say("Cut it to the part that matters.")
            )
        data = file.read_bytes()
    except OSError as error:
        raise BadRequestError(
            say("{name} could not be read: {strerror}.", name=name, strerror=error.strerror),
            hint=say("Check that it still exists and that you may open it."),
        ) from error
    if not data.strip():
        raise BadRequestError(
            say("{name} is empty.", name=name), hint=say("Save it in the program it is open in, then attach it.")
        )
    return name, limited(name, text_of(name, data))


def text_of(name: str, data: bytes) -> str:
    """Return the text of a file's content, its pages separated by :data:`memdesk.domain.chatting.passages.PAGE`.

    Raises:
        BadRequestError: damaged, not text, or empty.
    """
    kind = Path(name).suffix.casefold()
    read = _READERS.get(kind) or (_pdf if data.startswith(b"%PDF-") else _plain)
    text = read(name, data).replace("\r\n", "\n").replace("\0", "")
    if data and not text.strip():
        raise BadRequestError(
            say("{name} holds no text.", name=name), hint=say("Run text recognition (OCR) on the scan first.")
        )
    return text


def limited(name: str, text: str) -> str:
    """Return a text after checking its length.

    Raises:
        BadRequestError: it has more than :data:`MOST_CHARS` characters.
    """
    if len(text) > MOST_CHARS:
        raise BadRequestError(
            say("{name} has more than 4 million characters.", name=name), hint=say("Cut it to the part that matters.")
        )
    return text


def _pdf(name: str, data: bytes) -> str:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise BadRequestError(
                say("{name} is protected by a password.", name=name), hint=say("Save it without one, then attach it.")
            )
        return PAGE.join(map(_as_words, (page.extract_text() for page in reader.pages)))
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        # A damaged file ends in any of these inside the library.
        raise BadRequestError(say("{name} is damaged: its pages cannot be read.", name=name), hint=_AGAIN) from error


def _as_words(page: str) -> str:
    """Return a page's text without typesetting: single spaces, ligatures as letters."""
    letters = _LIGATURE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), page)
    return _GAPS.sub(" ", letters)


def _docx(name: str, data: bytes) -> str:
    from zipfile import BadZipFile

    from docx import Document
    from docx.opc.exceptions import OpcError
    from docx.table import Table

    try:
        parts = list(Document(BytesIO(data)).iter_inner_content())
    except (OpcError, BadZipFile, KeyError, ValueError) as error:
        raise BadRequestError(say("{name} is not a Word document that can be read.", name=name), hint=_AGAIN) from error
    lines: list[str] = []
    for part in parts:
        if isinstance(part, Table):
            lines += [" | ".join(cell.text.strip() for cell in row.cells) for row in part.rows]
        else:
            lines.append(part.text)
    return "\n\n".join(line for line in lines if line.strip())


class _Words(HTMLParser):
    """Collects a page's visible text."""

    _HIDDEN = frozenset({"script", "style", "template", "noscript", "head"})
    _BLOCKS = frozenset(
        {"p", "div", "section", "article", "li", "tr", "table", "ul", "ol", "blockquote", "pre", "hr"}
        | {f"h{level}" for level in range(1, 7)}
    )

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in self._HIDDEN:
            self._hidden += 1
        elif tag == "br":
            self.parts.append("\n")
        elif tag in self._BLOCKS:
            self.parts.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in self._BLOCKS:
            self.parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.parts.append(_SPACE.sub(" ", data))


def _html(name: str, data: bytes) -> str:
    return words_of_page(_plain(name, data))


def words_of_page(html: str) -> str:
    """Return a page's visible text, with a blank line between blocks."""
    words = _Words()
    words.feed(html)
    words.close()
    lines = (" ".join(line.split()) for line in "".join(words.parts).split("\n"))
    text = "\n".join(lines)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip()


def _plain(name: str, data: bytes) -> str:
    text = _decoded(data)
    controls = sum(1 for character in text or "" if character < " " and character not in _WHITE)
    if text is None or controls > _MOST_CONTROLS * len(text):
        raise BadRequestError(
            say("{name} is not text.", name=name),
            hint=say("Pictures, text, Markdown, HTML, PDF and Word (.docx) can be attached."),
        )
    return text


_READERS: Final[dict[str, Callable[[str, bytes], str]]] = {
    ".pdf": _pdf,
    ".docx": _docx,
    ".html": _html,
    ".htm": _html,
    ".xhtml": _html,
}


def _decoded(data: bytes) -> str | None:
    """Decode a text: by its byte order mark, as UTF-8, or in legacy encodings of this system and Windows."""
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    if not marked and b"\0" in data:
        return None
    for encoding in (marked or "utf-8", locale.getpreferredencoding(do_setlocale=False), "cp1252", "latin-1"):
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return None
