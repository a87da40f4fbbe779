"""Messages beyond CommonMark: bare URLs, tasks, formulas, footnotes, images that are never loaded.

Knows no Qt.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memdesk.gui import formulas

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

#: A bare URL in text, without the sentence's punctuation.
_ADDRESS = re.compile(r"(https?://[^\s<>\"'`|]*[^\s<>\"'`|.,:;!?*_)\]}])")
_BOXES = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}
#: Most lines of a formula.
FORMULA_LINES = 60
#: TeX between delimiters. Dollars count if there is no space inside the pair and no digit after it: not prices.
_FORMULA = re.compile(
    r"\$\$(?P<display>.+?)\$\$|\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]|\$(?P<inline>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?!\d)",
    re.DOTALL,
)
#: A display formula at the start of a line, possibly of several lines.
FORMULA_BLOCK = re.compile(r"^ {0,3}(\$\$|\\\[)")
_CLOSING = {"$$": "$$", "\\[": "\\]"}
_NOTE = re.compile(r"\[\^([^\]\s]{1,40})\]")
_NOTE_TEXT = re.compile(r"^ {0,3}\[\^([^\]\s]{1,40})\]:[ \t]*")


def install(parser: MarkdownIt) -> None:
    """Add these rules to a parser."""
    parser.core.ruler.after("inline", "bare", _find_bare)
    parser.inline.ruler.before("escape", "formula", _take_formula)
    parser.inline.ruler.before("link", "note", _take_note)
    may_interrupt: RuleOptionsType = {"alt": ["paragraph", "blockquote", "list"]}
    parser.block.ruler.before("fence", "formula_block", _take_formula_block, may_interrupt)
    parser.block.ruler.before("reference", "note_text", _take_note_text, may_interrupt)
    parser.add_render_rule("formula", _draw_formula)
    parser.add_render_rule("image", _image_as_link)


def formula_end(lines: Sequence[str], start: int) -> int:
    """Return the line after a display formula, or 0 if there is none."""
    found = FORMULA_BLOCK.match(lines[start])
    if found is None:
        return 0
    closing = _CLOSING[found[1]]
    if closing in (rest := lines[start][found.end() :]):
        return start + 1 if rest.rstrip().endswith(closing) else 0
    for at in range(start + 1, min(len(lines), start + FORMULA_LINES)):
        if lines[at].rstrip().endswith(closing):
            return at + 1
    return 0


def cut_table(table: str, columns: Sequence[int], *, joined: bool) -> str:
    """Return a part of a long table: full width, with these column widths, without outer margins.

    Args:
        table: HTML of one table; anything else is returned unchanged.
        columns: widths in percent.
        joined: the header is above an earlier part, and omitted here.
    """
    if "<thead>" not in table:
        return table
    if joined:
        table = table[: table.index("<thead>")] + table[table.index("</thead>") + len("</thead>") :]
    widths = iter(columns)
    first, row_end, others = table.partition("</tr>")
    first = re.sub(r"<t([hd])\b", lambda cell: f'<t{cell[1]} width="{next(widths)}%"', first)
    # Qt leaves 2 px above the first row, its border included, and 3 px below the last border.
    top = -2 if joined else 0
    style = f'<table width="100%" style="margin-top: {top}px; margin-bottom: -3px"'
    return first.replace("<table", style, 1) + row_end + others


def _take_formula(state: StateInline, silent: bool) -> bool:
    """Parse a formula before Markdown interprets its characters."""
    found = _FORMULA.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        token = state.push("formula", "img", 0)
        token.content = " ".join(found[found.lastgroup or 0].split())
        token.meta["display"] = found.lastgroup in {"display", "square"}
    state.pos = found.end()
    return True


def _draw_formula(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Reference the picture of a formula; one that cannot be drawn is shown as code."""
    del renderer, options, env
    tex, display = tokens[at].content, bool(tokens[at].meta["display"])
    if formulas.formula(tex, display=display) is None:
        return f"<code>{html.escape(tex)}</code>"
    place = formulas.address(tex, display=display)
    return f'<img src="{place}" alt="{html.escape(tex)}">'


def _take_formula_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse the lines of a display formula: no list, heading or rule begins inside it."""
    if state.is_code_block(start):
        return False
    lines = [state.getLines(at, at + 1, state.blkIndent, False) for at in range(start, min(end, start + FORMULA_LINES))]
    behind = formula_end(lines, 0)
    if not behind:
        return False
    if not silent:
        state.line = start + behind
        _paragraph(state, "\n".join(lines[:behind]).strip(), start, {"align": "center"})
    return True


def _take_note(state: StateInline, silent: bool) -> bool:
    """Render a footnote mark as superscript."""
    found = _NOTE.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("sup_open", "sup", 1)
        state.push("text", "", 0).content = found[1]
        state.push("sup_close", "sup", -1)
    state.pos = found.end()
    return True


def _take_note_text(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a footnote, which includes indented lines; it is shown where it was written."""
    line = state.getLines(start, start + 1, state.blkIndent, False)
    found = None if state.is_code_block(start) else _NOTE_TEXT.match(line)
    if found is None:
        return False
    if silent:
        return True
    parts, at = [line[found.end() :]], start + 1
    while at < end and not state.isEmpty(at) and state.sCount[at] > state.blkIndent + 1:
        parts.append(state.getLines(at, at + 1, state.sCount[at], False).strip())
        at += 1
    state.line = at
    _paragraph(state, f"[^{found[1]}] " + " ".join(parts), start, {"class": "note"})
    return True


def _paragraph(state: StateBlock, text: str, start: int, attributes: dict[str, str]) -> None:
    """Add the lines from ``start`` up to the parser's position as one paragraph."""
    opened = state.push("paragraph_open", "p", 1)
    opened.attrs.update(attributes)
    opened.map = [start, state.line]
    inline = state.push("inline", "", 0)
    inline.content, inline.map, inline.children = text, [start, state.line], []
    state.push("paragraph_close", "p", -1)


def _image_as_link(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Show an image's alternative text as a link; only the user opens its URL."""
    image = tokens[at]
    address = str(image.attrGet("src") or "")
    words = renderer.renderInlineAsText(image.children, options, env) or address
    return f'<a href="{html.escape(address)}">{html.escape(words)}</a>'


def _find_bare(state: StateCore) -> None:
    """Turn bare URLs into links, and "[ ]" and "[x]" at the start of list items into checkboxes."""
    for position, token in enumerate(state.tokens):
        if token.type != "inline":
            continue
        item = position >= 2 and state.tokens[position - 2].type == "list_item_open"
        children, depth = [], 0
        for number, child in enumerate(token.children or ()):
            depth += {"link_open": 1, "link_close": -1}.get(child.type, 0)
            if child.type != "text" or depth:
                children.append(child)
                continue
            if item and number == 0 and child.content[:4] in _BOXES:
                child.content = _BOXES[child.content[:4]] + child.content[4:]
            children += _linked(child)
        token.children = children


def _linked(text: Token) -> list[Token]:
    """Split a text at its URLs."""
    parts = _ADDRESS.split(text.content)
    if len(parts) == 1:
        return [text]
    cut: list[Token] = []
    for number, part in enumerate(parts):
        words = text.copy(content=part)
        if number % 2:
            opened = text.copy(type="link_open", tag="a", nesting=1, attrs={"href": part}, content="")
            cut += [opened, words, text.copy(type="link_close", tag="a", nesting=-1, content="")]
        elif part:
            cut.append(words)
    return cut
