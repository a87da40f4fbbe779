"""Cuts a long text into passages at headings and sentences, each with its place.

Sizes as in OpenClaw's index of notes: 400 tokens, overlapping by 80.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memdesk.domain.chatting.passages import PAGE
from memdesk.domain.language.text import CHARS_PER_TOKEN, estimate_tokens, sentences, width

#: Tokens of a passage, and of its overlap with the previous one.
TOKENS: Final = 400
OVERLAP: Final = 80
#: A heading ends a passage of at least this many tokens; smaller sections stay together.
SMALL: Final = TOKENS // 4
#: Increase when texts are cut differently: every file is then cut again.
VERSION: Final = 1
_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One passage of a text.

    Attributes:
        page: counted from 1 in a text with pages; else 0.
        heading: the headings above it: "Trips > Porto".
    """

    start: int
    end: int
    page: int = 0
    heading: str = ""
    text: str


@dataclass(frozen=True, slots=True)
class _Piece:
    line: int
    text: str
    #: the headings above it, including itself if it is one.
    path: tuple[str, ...]
    is_heading: bool = False


def chunks(text: str, *, skipped: int = 0) -> list[Chunk]:
    """Cut a text into passages.

    Pages are separated by :data:`PAGE`; the first ``skipped`` lines are left out, but counted.
    """
    pages = text.split(PAGE)
    found: list[Chunk] = []
    line = 1
    for number, page in enumerate(pages, start=1):
        lines = page.split("\n")
        left_out = min(skipped, len(lines)) if number == 1 else 0
        pieces = _pieces(lines[left_out:], line + left_out)
        found += [_chunk(group, number if len(pages) > 1 else 0) for group in _groups(pieces)]
        line += len(lines)
    return found


def parts(text: str) -> list[str]:
    """Cut a text into passages without overlap, which joined give the exact text again."""
    found: list[str] = []
    held, size = "", 0
    for line in text.splitlines(keepends=True):
        for part in _lossless(line):
            cost = estimate_tokens(part)
            ends = size >= SMALL and _HEADING.fullmatch(line.rstrip("\r\n")) is not None
            if held and (ends or size + cost > TOKENS):
                found.append(held)
                held, size = "", 0
            held, size = held + part, size + cost
    return [*found, held] if held or not found else found


def _lossless(line: str) -> Iterator[str]:
    most = TOKENS * CHARS_PER_TOKEN
    while width(line) > most:
        at = _end(line, most)
        yield line[:at]
        line = line[at:]
    yield line


def _end(line: str, most: int) -> int:
    """Return where to cut a line, at a space if possible: the part before takes at most ``most`` quarter tokens."""
    at = len(line)
    while at > 1 and (size := width(line[:at])) > most:
        at = max(1, at * most // size)
    return line.rfind(" ", at // 2, at) + 1 or at


def _groups(pieces: Iterator[_Piece]) -> Iterator[list[_Piece]]:
    """Yield the pieces of each passage; a passage that is only overlap is dropped."""
    held: list[_Piece] = []
    size = repeated = 0
    for piece in pieces:
        cost = _cost(piece)
        ends = piece.is_heading and size >= SMALL
        if held and (ends or size + cost > TOKENS):
            if len(held) > repeated:
                yield held
            held = [] if piece.is_heading else _tail(held, min(OVERLAP, TOKENS - cost))
            repeated, size = len(held), sum(map(_cost, held))
        held.append(piece)
        size += cost
    if len(held) > repeated:
        yield held


def _tail(held: list[_Piece], room: int) -> list[_Piece]:
    """Return the last pieces that together take at most ``room`` tokens."""
    kept: list[_Piece] = []
    for piece in reversed(held):
        room -= _cost(piece)
        if room < 0 or piece.is_heading:
            break
        kept.insert(0, piece)
    return kept


def _cost(piece: _Piece) -> int:
    return estimate_tokens(piece.text) + 1


def _pieces(lines: list[str], first: int) -> Iterator[_Piece]:
    """Yield the non-empty lines, long ones cut at their sentences."""
    path: tuple[tuple[int, str], ...] = ()
    fence = ""
    for number, line in enumerate(lines, start=first):
        mark = _FENCE.match(line)
        if mark is not None and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        heading = None if fence or mark else _HEADING.fullmatch(line)
        if heading is not None:
            level = len(heading[1])
            path = (*(above for above in path if above[0] < level), (level, (heading[2] or "").strip()))
        if line.strip():
            names = tuple(name for _, name in path if name)
            for part in _parts(line.rstrip()):
                yield _Piece(number, part, names, heading is not None)


def _parts(line: str) -> Iterator[str]:
    if estimate_tokens(line) < TOKENS:
        yield line
        return
    held = ""
    for sentence in sentences(line):
        if held and estimate_tokens(held) + estimate_tokens(sentence) >= TOKENS:
            yield held
            held = ""
        held = f"{held} {sentence}".strip()
        # A table or a log may have no sentence that ends.
        while estimate_tokens(held) >= TOKENS:
            at = _end(held, (TOKENS - 2) * CHARS_PER_TOKEN)
            yield held[:at].rstrip()
            held = held[at:]
    if held:
        yield held


def _chunk(group: list[_Piece], page: int) -> Chunk:
    lines: dict[int, str] = {}
    for piece in group:
        lines[piece.line] = f"{lines[piece.line]} {piece.text}" if piece.line in lines else piece.text
    first, last = group[0].line, group[-1].line
    return Chunk(
        start=first,
        end=last,
        page=page,
        heading=" > ".join(group[0].path if not group[0].is_heading or len(group) == 1 else group[1].path),
        text="\n".join(lines.get(number, "") for number in range(first, last + 1)),
    )
