"""What messages hold beyond CommonMark: bare addresses, tasks, formulas, images that are never loaded. Knows no Qt."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.rules_core import StateCore
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

#: An address that stands in the text, without what ends the sentence around it.
_ADDRESS = re.compile(r"(https?://[^\s<>\"'`|]*[^\s<>\"'`|.,:;!?*_)\]}])")
_BOXES = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}
#: TeX between its marks. A dollar is one when no space stands inside of the pair and no digit behind: prices are none.
_FORMULA = re.compile(
    r"\$\$(?P<display>.+?)\$\$|\\\((?P<round>.+?)\\\)|\\\[(?P<square>.+?)\\\]|\$(?P<inline>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?!\d)",
    re.DOTALL,
)


def install(parser: MarkdownIt) -> None:
    """Teach a parser these rules."""
    parser.core.ruler.after("inline", "bare", _find_bare)
    parser.inline.ruler.before("escape", "formula", _take_formula)
    parser.add_render_rule("image", _image_as_link)


def cut_table(table: str, columns: Sequence[int], *, joined: bool) -> str:
    """Return a piece of a long table: as wide as there is room, as its columns share it, without the space around.

    Args:
        table: HTML of one table; what the parser took for none is returned as it is.
        columns: widths in percent.
        joined: the head stands above an earlier piece, and is left out here.
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
    """Keep a formula as it was written, in the face of code: Markdown would take its signs for its own."""
    found = _FORMULA.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        token = state.push("code_inline", "code", 0)
        token.content = " ".join(found[found.lastgroup or 0].split())
    state.pos = found.end()
    return True


def _image_as_link(renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Show what an image says it shows; its address is opened by the user or not at all."""
    image = tokens[at]
    address = str(image.attrGet("src") or "")
    words = renderer.renderInlineAsText(image.children, options, env) or address
    return f'<a href="{html.escape(address)}">{html.escape(words)}</a>'


def _find_bare(state: StateCore) -> None:
    """Make links of addresses that stand in the text, and boxes of "[ ]" and "[x]" at the beginning of list items."""
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
    """Cut a text at the addresses in it."""
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
