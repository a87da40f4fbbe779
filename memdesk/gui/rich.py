"""Markdown to pieces that the chat draws: prose as HTML, code as its own blocks. Knows no Qt; runs on any thread.

Raw HTML and images in a message are shown as text: what a model or a file wrote can neither load nor run anything.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

#: Prose longer than this is cut at the next blank line, so that a long answer redraws only its end.
PROSE_CHARS = 1200
#: Code longer than this is shown without colours.
HIGHLIGHT_CHARS = 40_000
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$")


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a message: ``text`` is Markdown (prose) or source (code)."""

    kind: Literal["prose", "code"]
    text: str
    language: str = ""
    #: False while a code block has no closing fence yet.
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Drawn:
    """A segment with its HTML."""

    segment: Segment
    html: str


def split(text: str) -> list[Segment]:
    """Cut Markdown into prose and fenced code; stable for a growing text save its last pieces."""
    segments: list[Segment] = []
    prose: list[str] = []
    size = 0
    lines = text.split("\n")
    position = 0
    while position < len(lines):
        fence = _FENCE.match(lines[position])
        if fence is None:
            prose.append(lines[position])
            size += len(lines[position]) + 1
            if size > PROSE_CHARS and not lines[position].strip() and _may_cut(lines, position):
                _flush(segments, prose)
                size = 0
            position += 1
            continue
        _flush(segments, prose)
        size = 0
        position = _take_code(segments, lines, position, fence)
    _flush(segments, prose)
    return segments


def _take_code(segments: list[Segment], lines: list[str], start: int, fence: re.Match[str]) -> int:
    marks = fence.group(1)
    closing = re.compile(rf"^ {{0,3}}{re.escape(marks[0])}{{{len(marks)},}}\s*$")
    end = start + 1
    while end < len(lines) and not closing.match(lines[end]):
        end += 1
    closed = end < len(lines)
    segments.append(Segment("code", "\n".join(lines[start + 1 : end]), fence.group(2), closed))
    return end + 1


def _flush(segments: list[Segment], prose: list[str]) -> None:
    text = "\n".join(prose).strip("\n")
    if text.strip():
        segments.append(Segment("prose", text))
    prose.clear()


def _may_cut(lines: list[str], position: int) -> bool:
    """Whether what follows a blank line stands for itself (no item or continuation of a list)."""
    following = next((line for line in lines[position + 1 :] if line.strip()), "")
    return bool(following) and not re.match(r"^(\s|[-*+]\s|\d+[.)]\s)", following)


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True})
    return parser.enable(["table", "strikethrough"]).disable(["image"])


def prose_html(text: str) -> str:
    """Return a piece of prose as HTML that Qt's rich text understands."""
    found = str(_markdown().render(text))
    # Qt draws table borders from attributes only, and knows no <s>.
    found = found.replace("<table>", '<table class="grid" cellspacing="0" cellpadding="6" border="1">')
    return found.replace("<s>", "<del>").replace("</s>", "</del>")


def code_html(source: str, language: str, colours: dict[str, str]) -> str:
    """Return source as coloured HTML lines.

    Args:
        source: the code.
        language: the fence's word; unknown ones are not coloured.
        colours: ``keyword``, ``string``, ``comment``, ``number``, ``name`` to ``#rrggbb``.
    """
    if not language or len(source) > HIGHLIGHT_CHARS:
        return f"<pre>{html.escape(source)}</pre>"
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return f"<pre>{html.escape(source)}</pre>"
    parts = []
    for token, value in lexer.get_tokens(source):
        kind = _kind(str(token))
        text = html.escape(value)
        parts.append(f'<span style="color:{colours[kind]}">{text}</span>' if kind in colours else text)
    return f"<pre>{''.join(parts)}</pre>"


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


def draw(segment: Segment, colours: dict[str, str]) -> Drawn:
    """Return a segment with its HTML."""
    if segment.kind == "code":
        return Drawn(segment, code_html(segment.text, segment.language, colours))
    return Drawn(segment, prose_html(segment.text))


def draw_all(text: str, colours: dict[str, str]) -> list[Drawn]:
    """Cut and draw a whole message."""
    return [draw(segment, colours) for segment in split(text)]


def warm_up() -> None:
    """Import the parsers, so that the first message does not wait for them; on a lane."""
    draw_all("warm\n\n```python\nup\n```", {})
