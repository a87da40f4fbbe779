"""JSON in models' answers."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.domain.reading.structured import UnusableAnswerError, close_json, find_json

#: Without NUL, which no text holds and the decoder takes out.
TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda x: st.lists(x) | st.dictionaries(TEXTS, x),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(TEXTS, VALUES) | st.lists(VALUES)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '  \n{"a": 1}\n',
        '\ufeff{"a": 1}',
        'Sure! Here you are:\n```json\n{"a": 1}\n```\nAnything else?',
        '```\n{"a": 1}\n```',
        'The answer is {"a": 1}. Hope it helps.',
        '<think>maybe {"b": 2}?</think>{"a": 1}',
        '{"a": 1, "b',
        '{"a": 1, "b": [1, 2, {"c": "unfini',
    ],
)
def test_finds_the_json(text):
    assert find_json(text)["a"] == 1


def test_a_number_that_may_go_on_is_dropped():
    assert find_json('{"a": 1, "b": 12') == {"a": 1}


def test_line_breaks_in_strings_are_forgiven():
    assert find_json('{"a": "one\ntwo"}') == {"a": "one\ntwo"}


@pytest.mark.parametrize("text", ["", "no", "42", '"text"', "null", "} {", "```json\n```"])
def test_says_when_there_is_none(text):
    with pytest.raises(UnusableAnswerError):
        find_json(text)


@given(DOCUMENTS)
def test_any_document_survives_talk_around_it(value):
    assert find_json(f"Here:\n```json\n{json.dumps(value)}\n```\nDone.") == value


@given(st.dictionaries(TEXTS.filter(bool), VALUES, min_size=1), st.data())
def test_a_cut_off_document_still_parses(value, data):
    text = json.dumps(value)
    cut = data.draw(st.integers(1, len(text)))
    assert isinstance(json.loads(close_json(text[:cut])), dict)


@given(TEXTS)
def test_never_anything_but_a_value_or_the_typed_error(text):
    try:
        assert isinstance(find_json(text), (dict, list))
    except UnusableAnswerError:
        return
