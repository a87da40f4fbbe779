from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memdesk.domain.reading.digest import (
    MAX_STATEMENTS,
    Digest,
    StatedCandidate,
    choice_schema,
    free_schema,
    merged,
    read_choice,
    read_digest,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def test_a_choice_keeps_what_exists():
    choice = read_choice({"summary": [2, 9, 2, "1"], "pinned": [1, 2, 3, 4]}, 4)
    assert choice.summary == (1,)
    assert choice.pinned == (0, 1)


def test_a_choice_has_only_values_that_are_there():
    schema = choice_schema(3, [2])
    assert schema["properties"]["summary"]["items"] == {"enum": [1, 2, 3]}
    assert schema["properties"]["pinned"]["items"] == {"enum": [2]}
    assert "pinned" not in choice_schema(3, [])["properties"]


def test_a_digest_is_read_leniently():
    found = read_digest(
        {
            "episode": {"summary": " They\nmet. ", "topics": "tea, cake", "salience": "0.9", "decisions": None},
            "entities": [{"name": "Irene", "type": "person"}, {"type": "place"}, "x"],
            "statements": [
                {"content": "The user drinks tea.", "salience": 7, "turns": [2, "3", True]},
                {"content": "x"},
            ],
        }
    )
    assert found.summary == "They met."
    assert found.topics == ("tea", "cake")
    assert found.salience == 0.9
    assert found.entities == (("Irene", "person"),)
    assert found.statements == (StatedCandidate(content="The user drinks tea.", salience=1.0, turns=(2,)),)


@given(st.dictionaries(st.sampled_from([*free_schema()["properties"], "summary", "pinned"]), JSON, max_size=5))
def test_no_answer_breaks_the_readers(data):
    digest = read_digest(data)
    assert 0.0 <= digest.salience <= 1.0
    assert len(digest.statements) <= MAX_STATEMENTS
    assert all(0 <= number < 5 for number in read_choice(data, 5).summary)


def test_windows_are_merged_in_order_without_repeats():
    one = Digest(summary="A.", topics=("x",), salience=0.2, statements=(StatedCandidate(content="first"),))
    two = Digest(summary="B.", topics=("x", "y"), salience=0.7, statements=(StatedCandidate(content="second"),))
    both = merged([one, two])
    assert both.summary == "A. B."
    assert both.topics == ("x", "y")
    assert both.salience == 0.7
    assert [stated.content for stated in both.statements] == ["first", "second"]
    assert merged([one]) is one
