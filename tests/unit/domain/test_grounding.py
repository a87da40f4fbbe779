from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from memdesk.domain.reading.grounding import check, lemma, sources_of, vocabulary

DAY = date(2024, 3, 13)
TURN = "I went to a pottery class with my sister last Friday and made 3 bowls."


def known(*texts):
    return vocabulary(texts, names=["Dana", "the assistant"], day=DAY)


def test_retold_lines_are_grounded():
    for line in (
        "Dana went to a pottery class with their sister on 8 March 2024.",
        "Dana goes to pottery classes.",
        "Dana said that Dana made three bowls.",
    ):
        assert check(line, known(TURN)).ok, line


def test_inventions_are_named():
    found = check("Dana bought a kiln in Paris.", known(TURN))
    assert not found.ok
    assert set(found.missing) == {"bought", "kiln", "paris"}
    assert found.share < 0.5


def test_a_negation_must_have_been_said():
    assert not check("Dana does not like tea.", known("I like tea.")).ok
    assert check("Dana doesn't like tea.", known("I don't like tea.")).ok


def test_never_is_what_is_left_of_not_ever():
    assert check("Dana never shows them spiders.", known("Please don't ever show spiders")).ok
    assert not check("Dana never shows them spiders.", known("Please don't show spiders")).ok
    assert not check("Dana never shows them spiders.", known("Did she ever show spiders?")).ok


def test_a_denial_written_in_haste_counts_as_one():
    turn = "ok. and i cant take ibuprofen, it wasnt good for me"
    assert check("The user can't take ibuprofen.", known(turn)).ok
    assert check("The user takes ibuprofen.", known("ibuprofen is what i take, its cant is fine")).ok


def test_an_empty_line_claims_nothing():
    assert check("", known(TURN)).ok


def test_irregular_forms_meet():
    assert lemma("went") == lemma("goes") == lemma("go")
    assert lemma("children") == lemma("child")


def test_sources_of_a_line_without_citation():
    turns = [("a", "I bake bread."), ("b", "My sister Irene is a nurse."), ("c", "I like tea.")]
    assert sources_of("Dana's sister Irene works as a nurse and bakes bread.", turns)[0] == "b"
    assert sources_of("Quantum chromodynamics.", turns) == []


@given(st.text(max_size=300))
def test_every_text_is_grounded_in_itself(text):
    assert check(text, vocabulary([text])).ok
