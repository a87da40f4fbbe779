"""Markdown to segments for the chat: prose as HTML, code as colored lines. Knows no Qt; runs on any thread.

Raw HTML in a message is shown as text, an image as a link: text of a model or file can neither load nor run anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from memdesk.domain.caches import remembered
from memdesk.gui import markdown
from memdesk.gui.segments import Segment, split

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from pygments.lexer import Lexer

#: Code longer than this is shown without colors.
HIGHLIGHT_CHARS = 200_000
#: Lines of code per block; of growing code, the last block is redrawn.
CODE_LINES = 24


#: A span of a line in one color: start, length (in UTF-16 units, as Qt counts), ``#rrggbb``.
Span = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class CodeLines:
    """Some lines of code, and the colored spans of each."""

    lines: tuple[str, ...]
    spans: tuple[tuple[Span, ...], ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A segment ready to show: prose as HTML, code as blocks of lines."""

    segment: Segment
    html: str = ""
    code: Iterable[CodeLines] = ()


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True})
    markdown.install(parser)
    return parser.enable(["table", "strikethrough"])


def prose_html(text: str) -> str:
    """Return a piece of prose as HTML that Qt's rich text understands."""
    found = str(_markdown().render(text))
    # Qt draws table borders from attributes only, and knows no <s>.
    found = found.replace("<table>", '<table class="grid" cellspacing="0" cellpadding="6" border="1">')
    return found.replace("<s>", "<del>").replace("</s>", "</del>")


def code_lines(source: str, language: str, colors: Mapping[str, str]) -> Iterator[CodeLines]:
    """Yield source in colored blocks of some lines each; stable for a growing source except the last.

    Args:
        source: the code.
        language: the fence's word; unknown ones are not colored.
        colors: ``keyword``, ``string``, ``comment``, ``number``, ``name`` to ``#rrggbb``.
    """
    known = language if len(source) <= HIGHLIGHT_CHARS and _lexer(language) is not None else ""
    palette = tuple(sorted(colors.items()))
    lines = source.split("\n")
    position, wanted = 0, CODE_LINES
    while len(lines) - position > wanted:
        block, ends = _colored("\n".join(lines[position : position + wanted]), known, palette)
        if ends:
            yield CodeLines(block.lines[: ends[-1]], block.spans[: ends[-1]])
            position, wanted = position + ends[-1], CODE_LINES
        else:
            # No line ends outside a string or comment: read on.
            wanted *= 2
    yield _colored("\n".join(lines[position:]), known, palette)[0]


@remembered(64)
def _lexer(language: str) -> Lexer | None:
    if not language:
        return None
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@remembered(512)
def _colored(source: str, language: str, palette: tuple[tuple[str, str], ...]) -> tuple[CodeLines, list[int]]:
    """Return the lines, and after how many of them (in the later half) the code may be cut.

    A cut inside a multi-line string or comment would miscolor what follows.
    """
    lexer, colors = _lexer(language), dict(palette)
    tokens = (
        [("", source)] if lexer is None else [(_kind(str(token)), text) for token, text in lexer.get_tokens(source)]
    )
    lines: list[str] = [""]
    spans: list[list[Span]] = [[]]
    ends, at = [], 0
    for kind, text in tokens:
        for number, part in enumerate(text.split("\n")):
            if number:
                if kind not in {"string", "comment"}:
                    ends.append(len(lines))
                lines.append("")
                spans.append([])
                at = 0
            units = _units(part)
            if kind in colors and part:
                _extend(spans[-1], at, units, colors[kind])
            lines[-1] += part
            at += units
    return CodeLines(tuple(lines), tuple(map(tuple, spans))), [end for end in ends if end >= CODE_LINES // 2]


def _extend(spans: list[Span], at: int, units: int, color: str) -> None:
    """Add a span, or extend the previous one: a string is many tokens of one color."""
    if spans and (spans[-1][0] + spans[-1][1], spans[-1][2]) == (at, color):
        at, units = spans[-1][0], spans.pop()[1] + units
    spans.append((at, units, color))


def _units(text: str) -> int:
    """Return the length in UTF-16 units: characters beyond the basic plane, such as emoji, take two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _kind(token: str) -> str:
    if token.startswith("Token.Comment"):
        return "comment"
    if token.startswith("Token.Keyword") or token == "Token.Operator.Word":  # noqa: S105 - a lexer's token
        return "keyword"
    if token.startswith("Token.Literal.String"):
        return "string"
    if token.startswith("Token.Literal.Number"):
        return "number"
    if token.startswith(("Token.Name.Function", "Token.Name.Class", "Token.Name.Builtin", "Token.Name.Tag")):
        return "name"
    return ""


def draw(segment: Segment, colors: Mapping[str, str]) -> Drawn:
    """Return a segment ready to show; lines of code are generated lazily."""
    if segment.kind == "code":
        return Drawn(segment, code=code_lines(segment.text, segment.language, colors))
    html = prose_html(segment.text)
    return Drawn(segment, markdown.cut_table(html, segment.columns, joined=segment.joined) if segment.columns else html)


def draw_all(text: str, colors: Mapping[str, str]) -> list[Drawn]:
    drawn = (draw(segment, colors) for segment in split(text))
    return [Drawn(piece.segment, piece.html, tuple(piece.code)) for piece in drawn]


def warm_up() -> None:
    """Import the parsers, so that the first message does not wait for them; on a lane."""
    draw_all("warm\n\n```python\nup\n```", {})
