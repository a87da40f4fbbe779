from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.gui import formulas
from memdesk.gui.rich import CodeLines, code_lines, draw_all, prose_html
from memdesk.gui.segments import split

COLORS = {"keyword": "#000001", "string": "#000002", "comment": "#000003", "number": "#000004", "name": "#000005"}
TEXT = "Before.\n\n```python\nprint('x')\n```\n\nAfter."


def test_code_stands_alone():
    assert [(s.kind, s.language, s.closed) for s in split(TEXT)] == [
        ("prose", "", True),
        ("code", "python", True),
        ("prose", "", True),
    ]


def test_an_open_fence_is_code_that_still_grows():
    (only,) = split("```sh\nls\n")
    assert (only.kind, only.text, only.closed) == ("code", "ls\n", False)


def test_a_longer_fence_may_hold_a_shorter_one():
    (only,) = split("````md\n```\nx\n```\n````")
    assert only.text == "```\nx\n```"


def test_a_growing_text_redraws_only_its_end():
    parts = [f"Paragraph {n}. " + "words " * 60 for n in range(12)]
    whole = split("\n\n".join(parts))
    longer = split("\n\n".join([*parts, "and one more"]))
    assert len(whole) > 2
    assert longer[: len(whole) - 1] == whole[:-1]


def test_a_list_is_not_cut_at_blank_lines_inside_of_its_items():
    (only,) = split("\n\n".join(["1. " + "word " * 200, "   " + "more " * 200, "   " + "and " * 100]))
    assert only.text.startswith("1. word")


def test_a_long_paragraph_is_cut_behind_a_sentence_where_nothing_is_open():
    text = "He said. **Bold. Words.** And `co. de` too. " * 200
    parts = split(text)
    assert len(parts) > 3
    assert [part.joined for part in parts] == [False] + [True] * (len(parts) - 1)
    assert " ".join(part.text for part in parts).split() == text.split()
    assert all(part.text.endswith((".", ".**")) for part in parts[:-1])
    assert all(part.text.count("**") % 2 == 0 == part.text.count("`") % 2 for part in parts)
    assert split(text + "More to come. ")[: len(parts) - 1] == parts[:-1]


def test_text_without_sentences_or_spaces_is_cut_all_the_same():
    assert max(len(part.text) for part in split("word " * 4000)) <= 4800
    whole = "x" * 20_000
    parts = split(whole)
    assert max(len(part.text) for part in parts) <= 4800
    assert "".join(part.text for part in parts) == whole


def test_each_part_of_a_long_quote_is_a_quote():
    for text in ("> " + "A quoted sentence. " * 400, "> A quoted line.\n" * 400):
        parts = split(text)
        assert len(parts) > 2
        assert all(part.text.startswith("> ") for part in parts)
        assert sum(part.text.count("quoted") for part in parts) == 400


def test_no_line_is_taken_from_above_its_underline():
    text = "\n".join(["a line of words"] * 170 + ["Title", "=====", "after"])
    assert "<h1>" in "".join(prose_html(part.text) for part in split(text))


def test_a_long_table_goes_on_below_itself_with_the_same_columns():
    head, row = "| n | name |\n|--:|---|", "| 1 | a much longer cell |"
    short = split("\n".join([head] + [row] * 20))
    assert [part.columns for part in short] == [()]
    first, second, third = draw_all("Before\n" + "\n".join([head] + [row] * 25) + "\n\nAfter", {})[1:]
    assert first.segment.columns == second.segment.columns
    assert sum(first.segment.columns) == 100
    assert first.segment.columns[0] < first.segment.columns[1]
    assert (first.segment.joined, second.segment.joined, third.segment.text) == (False, True, "After")
    assert first.html.count("<tr>") == 21
    assert second.html.count("<tr>") == 5
    assert "<th" in first.html
    assert "<th" not in second.html
    for drawn in (first, second):
        assert [f'width="{width}%"' in drawn.html for width in drawn.segment.columns] == [True, True]


def test_lines_with_bars_that_are_no_table_are_shown():
    text = "\n".join(["a | b | c", "---|---", *["c | d"] * 30])
    assert "".join(drawn.html for drawn in draw_all(text, {})).count("c | d") == 30


def test_html_of_a_message_stays_text():
    shown = prose_html('<script>alert(1)</script> <img src="x">\n\n![cat](file:///etc/passwd)')
    assert "<script" not in shown
    assert "<img" not in shown


def test_an_image_is_a_link_to_it_and_is_not_loaded():
    assert prose_html("![a *cat*](https://evil.example/c.png)").strip() == (
        '<p><a href="https://evil.example/c.png">a cat</a></p>'
    )
    assert ">https://evil.example/c.png</a>" in prose_html("![](https://evil.example/c.png)")
    assert "<a" not in prose_html("![x](javascript:alert(1))")


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        (r"so $a_1 * b_2 * c$ is", ("a_1 * b_2 * c", False)),
        (r"so \(\frac{a}{b}\) is", (r"\frac{a}{b}", False)),
        ("so\n\\[\n\\sum_{n} n_1 < \\infty\n\\]\nis", (r"\sum_{n} n_1 < \infty", True)),
        ("$$\n\\int_0^1 x\\,dx\n= 3\n- 1\n$$", (r"\int_0^1 x\,dx = 3 - 1", True)),
        ("- one\n\n  $$y$$", ("y", True)),
        ("> so $$y$$", ("y", True)),
    ],
)
def test_a_formula_becomes_a_picture_that_is_known_by_its_words(text, formula):
    html = prose_html(text)
    assert [formulas.named(place) for place in re.findall('src="([^"]+)"', html)] == [formula]
    assert "<h1" not in html
    assert html.count("<ul>") == text.count("- one")


@pytest.mark.parametrize("tex", [r"\unheardof{x}", r"\frac{1}{", "x" * 3000])
def test_a_formula_that_cannot_be_drawn_stays_as_it_was_written(tex):
    assert f"<code>{tex}</code>" in prose_html(f"so ${tex}$ is")


def test_a_formula_of_several_lines_is_in_one_piece():
    long = "Some words. " * 150
    text = f"{long}\n\n\\[\na\n\n- b\n\\]\n\n{long}"
    assert [part.text.count("\\[") == part.text.count("\\]") for part in split(text)].count(False) == 0


@given(st.text(alphabet="\\{}^_$&ab12 \n[]()"))
def test_whatever_a_model_writes_as_a_formula_is_shown(text):
    assert prose_html(f"$${text}$$") is not None


def test_footnotes_stand_where_they_were_written_and_are_marked_in_the_words():
    html = prose_html("So it is.[^1] Also[^b], not [1].\n\n[^1]: In a *letter*\n  of 1740.\n[^b]: Elsewhere.\n\nEnd.")
    assert "So it is.<sup>1</sup> Also<sup>b</sup>, not [1]." in html
    assert (
        '<p class="note"><sup>1</sup> In a <em>letter</em> of 1740.</p>\n<p class="note"><sup>b</sup> Elsewhere.</p>'
        in html
    )
    assert html.endswith("<p>End.</p>\n")


@pytest.mark.parametrize("text", ["It costs $5, or $10.", "from $5 to $10 each", "a $ b", r"\$x\$", "$HOME and $ PATH"])
def test_dollars_are_no_formula(text):
    assert "<code>" not in prose_html(text)
    assert "<img" not in prose_html(text)


def test_bare_addresses_are_links_and_nothing_else_is():
    shown = prose_html(
        "See https://example.org/a_b?c=1 (or http://two.example/x). `https://code.example` [t](https://t.example)"
    )
    assert '<a href="https://example.org/a_b?c=1">https://example.org/a_b?c=1</a> (or ' in shown
    assert '<a href="http://two.example/x">http://two.example/x</a>).' in shown
    assert "<code>https://code.example</code>" in shown
    assert shown.count("<a ") == 3
    assert "<a" not in prose_html("javascript:alert(1) ftp://x file:///etc/passwd")


def test_tasks_show_boxes():
    shown = prose_html("- [ ] open\n- [x] done\n- [y] other\n\n[ ] no item")
    assert "<li>☐ open</li>" in shown
    assert "<li>☑ done</li>" in shown
    assert "[y] other" in shown
    assert "[ ] no item" in shown


def test_code_is_colored_in_units_of_qt():
    (shown,) = code_lines("🙂 = 1\nif a < b: return '<b>'", "python", {"keyword": "#123456", "number": "#654321"})
    assert shown.lines == ("🙂 = 1", "if a < b: return '<b>'")
    assert shown.spans == (((5, 1, "#654321"),), ((0, 2, "#123456"), (10, 6, "#123456")))
    assert list(code_lines("<x>", "no-such-language", {})) == [CodeLines(("<x>",), ((),))]


def text_of(blocks):
    return "\n".join(line for block in blocks for line in block.lines)


def test_long_code_comes_in_blocks_that_stay_while_it_grows():
    source = "\n".join(f"value_{n} = {n}  # number {n}" for n in range(300))
    blocks, longer = (
        list(code_lines(source, "python", COLORS)),
        list(code_lines(source + "\nlast = 1", "python", COLORS)),
    )
    assert len(blocks) > 3
    assert longer[: len(blocks) - 1] == blocks[:-1]
    assert text_of(longer) == source + "\nlast = 1"


def test_code_is_never_cut_inside_of_a_string():
    lines = (
        [f"value = {n}" for n in range(45)] + ['text = """'] + ["if for while"] * 90 + ['"""', "if done:", "    pass"]
    )
    blocks = list(code_lines("\n".join(lines), "python", COLORS))
    assert text_of(blocks) == "\n".join(lines)
    colored = [span for block in blocks for spans in block.spans for span in spans]
    assert [span for span in colored if span[2] == COLORS["keyword"]] == [(0, 2, "#000001"), (4, 4, "#000001")]


def test_a_very_long_list_is_cut_before_an_outermost_item():
    text = "\n".join(f"{n}. word " + "word " * 40 + "\n   - inner" for n in range(1, 90))
    parts = split(text)
    assert len(parts) > 2
    assert all(part.text[0].isdigit() for part in parts)
    assert "\n".join(part.text for part in parts) == text


@given(
    st.text(alphabet="ab `~\n#-1.|*>[", max_size=300),
    st.lists(st.sampled_from(["a | b |\n", "| --- | -- |\n", "> a. b* ", "- a\n", "a `b. ", "\n"]), max_size=9),
)
def test_nothing_is_lost_and_nothing_raises(short, lines):
    text = short + "".join(lines * 60)
    # Each piece of a cut table has the table's head.
    kept = "".join(part.text.split("\n", 2)[2] if part.columns and part.joined else part.text for part in split(text))
    assert text.count("a") == kept.count("a") or "```" in text or "~~~" in text
    draw_all(text, {})
