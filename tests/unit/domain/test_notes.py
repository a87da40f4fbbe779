"""Notes split into passages, and their front matter, tags and links."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memdesk.domain.language.text import estimate_tokens
from memdesk.domain.notes.chunks import OVERLAP, TOKENS, chunks, parts
from memdesk.domain.notes.marks import marks_of

SENTENCES = [f"Sentence {number} is about pipe number {number} in the cellar." for number in range(200)]
LINES = st.lists(
    st.one_of(
        st.sampled_from(["", "# One", "## Two", "### Three", "```", "- a point", "\f"]),
        st.text(alphabet="ab. \n", max_size=60),
        st.integers(1, 60).map(lambda n: " ".join(SENTENCES[:n])),
    ),
    max_size=40,
)


@given(LINES)
def test_no_word_is_lost_and_no_passage_is_too_long(lines):
    text = "\n".join(lines)
    found = chunks(text)
    kept = " ".join(chunk.text for chunk in found).split()
    assert set(text.split()) <= set(kept)
    assert all(estimate_tokens(chunk.text) <= TOKENS for chunk in found)


@given(LINES)
def test_a_place_names_the_lines_that_the_words_stand_in(lines):
    text = "\n".join(line for line in lines if line != "\f")
    numbered = text.split("\n")
    for chunk in chunks(text):
        stood = " ".join(" ".join(numbered[chunk.start - 1 : chunk.end]).split())
        assert all(word in stood for word in chunk.text.split())
        assert numbered[chunk.start - 1].strip()
        assert numbered[chunk.end - 1].strip()


@given(LINES)
def test_parts_are_the_text_again(lines):
    text = "\n".join(lines)
    assert "".join(parts(text)) == text
    assert all(estimate_tokens(part) <= TOKENS for part in parts(text))


def test_a_long_section_is_cut_with_an_overlap_and_names_its_headings():
    found = chunks("# House\n\n## Cellar\n" + "\n".join(SENTENCES))
    assert [chunk.heading for chunk in found[1:]] == ["House > Cellar"] * (len(found) - 1)
    for before, after in pairwise(found):
        shared = [line for line in after.text.split("\n") if line in before.text.split("\n")]
        assert 0 < estimate_tokens("\n".join(shared)) <= OVERLAP
        assert before.start < after.start <= before.end


def test_a_section_of_some_length_ends_at_the_next_heading_and_small_ones_stay_together():
    long = "\n".join(SENTENCES[:12])
    first, second = chunks(f"# One\n{long}\n# Two\nShort.\n# Three\nShort too.")
    assert (first.heading, first.text.split("\n")[-1]) == ("One", SENTENCES[11])
    assert second.text == "# Two\nShort.\n# Three\nShort too."


def test_a_hash_in_code_is_no_heading():
    (only,) = chunks("# Real\n```sh\n# comment\nls\n```\nAfter.")
    assert only.heading == "Real"


def test_pages_are_counted_and_lines_go_on():
    assert [(each.page, each.start, each.text) for each in chunks("one\ntwo\fthree")] == [
        (1, 1, "one\ntwo"),
        (2, 3, "three"),
    ]


def test_front_matter_tags_and_links_are_read_and_code_is_not():
    text = (
        "---\ntags: [garden, '#home/cellar']\ntitle: Boiler\nopened: 2026-01-31\nnested: {a: 1}\n---\n"
        "Ask [[Ada Lovelace|her]] or [[Plumber#Phone]], ![[plan.pdf]]. #todo (#later) a#b #1 `#code`\n"
        "```\n#include [[nothing]]\n```\n"
    )
    marks = marks_of(text)
    assert marks.lines == 6
    assert marks.front == {"title": "Boiler", "opened": "2026-01-31"}
    assert marks.tags == ("garden", "home/cellar", "todo", "later")
    assert marks.links == ("Ada Lovelace", "Plumber", "plan.pdf")


def test_what_only_looks_like_front_matter_stays_text():
    for text in (
        "---\nno end",
        "---\n- a\n- b\n---\n",
        "---\nat: 2026-02-31\n---\n",
        "---\n{: [\n---\n",
        " ---\na: 1\n---\n",
    ):
        assert (marks_of(text).lines, marks_of(text).front) == (0, {})


def test_a_bomb_of_aliases_stays_small():
    bomb = "a: &a [x, x]\n" + "\n".join(f"{n}: &{n} [*{p}, *{p}]" for p, n in zip("abcdefgh", "bcdefghi", strict=True))
    assert marks_of(f"---\n{bomb}\n---\n").front == {"a": ["x", "x"]}
