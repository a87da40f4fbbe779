"""Splits a message into segments that are drawn one by one, none of which takes long. Knows no Qt.

Drawing time grows with the length of a segment, and the last one is redrawn with every word that arrives. So a long
paragraph, quote, list or table is split inside as well, into segments drawn close together.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from memdesk.gui.markdown import formula_end

#: Prose longer than this is split at the next blank line, or before the next outermost item of a list.
PROSE_CHARS = 1200
#: Prose longer than this is split inside a paragraph or quote. At twice the length, even inside bold, code or a
#: link.
MOST_CHARS = 2400
#: Rows of a table in one segment; a row takes as long as some 100 characters of prose.
TABLE_ROWS = 20
#: Maximum width of a column, in characters, when widths are distributed.
COLUMN_CHARS = 40
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$")
_ITEM = re.compile(r"^([-*+]|\d+[.)])\s")
_QUOTE = re.compile(r"^>[ ]?")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-+)\s*$")
_TABLE_MARKS = re.compile(r"^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
#: Even without a following space: the ideographic full stop, and the wide exclamation and question mark.
_SENTENCE_END = re.compile(r"[.!?\u2026][\"'\u201d\u2019)\]*_]*\s+|[\u3002\uff01\uff1f]")


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a message.

    Attributes:
        kind: what ``text`` is: Markdown (prose) or source (code).
        text: the text; each part of a split table has the table's header.
        language: the language after the code fence.
        closed: False while code has no closing fence yet.
        joined: whether it continues the previous segment, and is drawn close to it.
        columns: column widths of a split table, in percent; else empty.
    """

    kind: Literal["prose", "code"]
    text: str
    language: str = ""
    closed: bool = True
    joined: bool = False
    columns: tuple[int, ...] = ()


def split(text: str) -> list[Segment]:
    """Split Markdown into prose and fenced code; stable for a growing text except the last segments."""
    return _Cutter(text).cut()


class _Cutter:
    """Splits one text line by line."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._segments: list[Segment] = []
        self._prose: list[str] = []
        self._size = 0
        self._joined = False
        #: The kind of the lines since the last blank one.
        self._block = ""

    def cut(self) -> list[Segment]:
        at = 0
        while at < len(self._lines):
            if fence := _FENCE.match(self._lines[at]):
                at = self._take_code(at, fence)
            elif end := self._table_end(at):
                self._take_table(self._lines[at:end])
                at = end
            elif end := formula_end(self._lines, at):
                self._take_whole(self._lines[at:end], "plain")
                at = end
            else:
                self._take_line(at)
                at += 1
        self._flush()
        return self._segments

    # -- code --------------------------------------------------------------------------

    def _take_code(self, start: int, fence: re.Match[str]) -> int:
        self._flush()
        lines, marks = self._lines, fence.group(1)
        closing = re.compile(rf"^ {{0,3}}{re.escape(marks[0])}{{{len(marks)},}}\s*$")
        end = start + 1
        while end < len(lines) and not closing.match(lines[end]):
            end += 1
        closed = end < len(lines)
        self._segments.append(Segment("code", "\n".join(lines[start + 1 : end]), fence.group(2), closed))
        return end + 1

    # -- tables ------------------------------------------------------------------------

    def _table_end(self, at: int) -> int:
        """Return the line after the table that begins here, or 0."""
        lines = self._lines
        if at + 1 == len(lines) or "|" not in lines[at] or not _TABLE_MARKS.match(lines[at + 1]):
            return 0
        if _kind(lines[at]) != "plain" or len(_cells(lines[at])) != len(_cells(lines[at + 1])):
            return 0
        end = at + 2
        while end < len(lines) and "|" in lines[end]:
            end += 1
        return end

    def _take_table(self, lines: list[str]) -> None:
        head, rows = lines[:2], lines[2:]
        parts = list(_shared_out(rows))
        if len(parts) == 1:
            self._take_whole(lines, "table")
            return
        self._flush()
        columns = _columns([head[0], *parts[0]])
        for number, part in enumerate(parts):
            text = "\n".join([*head, *part])
            self._segments.append(Segment("prose", text, joined=number > 0, columns=columns))

    # -- prose -------------------------------------------------------------------------

    def _take_whole(self, lines: list[str], block: str) -> None:
        """Take lines that are not split inside."""
        self._prose += lines
        self._size += sum(map(len, lines)) + len(lines)
        self._block = block

    def _take_line(self, at: int) -> None:
        line = self._lines[at]
        kind = _kind(line)
        if self._size > PROSE_CHARS and self._may_break(line, kind):
            self._flush()
            self._joined = bool(self._lines[at - 1].strip())
        if not self._block or kind in {"", "item"}:
            self._block = kind
        *parts, line = _sentences(line) if self._block in {"plain", "quote"} else (line,)
        for part in parts:
            self._prose.append(part)
            self._flush()
            self._joined = True
        self._prose.append(line)
        self._size += len(line) + 1
        if self._size > PROSE_CHARS and not kind and self._may_end(at):
            self._flush()

    def _may_break(self, line: str, kind: str) -> bool:
        """Whether long prose may be split before a line without a blank line in between."""
        if kind == "item":
            return True
        if self._size <= MOST_CHARS or kind != self._block or kind not in {"plain", "quote"} or _UNDERLINE.match(line):
            return False
        return self._size > 2 * MOST_CHARS or _balanced("\n".join(self._prose))

    def _may_end(self, at: int) -> bool:
        """Whether what follows a blank line is independent (not an item or continuation of a list)."""
        following = next((line for line in self._lines[at + 1 :] if line.strip()), "")
        return _kind(following) in {"plain", "quote"}

    def _flush(self) -> None:
        text = "\n".join(self._prose).strip("\n")
        if text.strip():
            self._segments.append(Segment("prose", text, joined=self._joined))
        self._prose.clear()
        self._size, self._joined, self._block = 0, False, ""


def _kind(line: str) -> str:
    """Return the kind of a line by its start; empty for a blank one."""
    if not line.strip():
        return ""
    if _ITEM.match(line):
        return "item"
    if _QUOTE.match(line):
        return "quote"
    return "indented" if line[0].isspace() else "plain"


def _sentences(line: str) -> Iterator[str]:
    """Split a very long line after sentences; a quote's parts each get its mark."""
    mark = found[0] if (found := _QUOTE.match(line)) else ""
    rest = line
    while len(rest) > MOST_CHARS:
        end = _sentence_end(rest)
        if not end:
            break
        yield rest[:end].rstrip()
        rest = mark + rest[end:].lstrip()
    yield rest


def _sentence_end(line: str) -> int:
    """Return the end of a sentence after :data:`MOST_CHARS`, else of a word, or 0."""
    for found in _SENTENCE_END.finditer(line, MOST_CHARS, 2 * MOST_CHARS):
        if found.end() < len(line) and _balanced(line[: found.end()]):
            return found.end()
    if len(line) <= 2 * MOST_CHARS:
        return 0
    return line.rfind(" ", MOST_CHARS, 2 * MOST_CHARS) + 1 or 2 * MOST_CHARS


def _balanced(text: str) -> bool:
    """Whether no bold, code, formula or link is left open."""
    return not any(text.count(mark) % 2 for mark in ("*", "`", "$$", "~~")) and text.count("[") == text.count("]")


def _cells(row: str) -> list[str]:
    return re.split(r"(?<!\\)\|", row.strip().removeprefix("|").removesuffix("|"))


def _shared_out(rows: list[str]) -> Iterator[list[str]]:
    """Split rows into parts of at most :data:`TABLE_ROWS` and about :data:`MOST_CHARS`; yields one part at least."""
    part: list[str] = []
    size = 0
    for row in rows:
        if len(part) == TABLE_ROWS or size > MOST_CHARS:
            yield part
            part, size = [], 0
        part.append(row)
        size += len(row)
    yield part


def _columns(rows: Sequence[str]) -> tuple[int, ...]:
    """Distribute the width by the columns' contents, in percent."""
    count = len(_cells(rows[0]))
    widths = [0] * count
    for row in rows:
        for number, cell in enumerate(_cells(row)[:count]):
            widths[number] = max(widths[number], min(len(cell.strip()), COLUMN_CHARS))
    ends, whole = [0], sum(widths) + 2 * count
    for width in widths:
        ends.append(ends[-1] + width + 2)
    return tuple(100 * end // whole - 100 * start // whole for start, end in pairwise(ends))
