"""Messages keep their code and values everywhere, and any text comes back from the database unchanged."""

from __future__ import annotations

import ast
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memdesk.messages import Message, placed, places, recalled, say, stored

NESTED = say("{name} was kept: {why}", name="{n} of Ada", why=say("{n:message} left", n=2))


@given(st.text())
@example("\x1f")
@example('\x1f["{n} of it", {"n": 1}]')
def test_a_plain_text_comes_back_as_it_was(text):
    found = recalled(stored(text))
    assert found == text
    assert not isinstance(found, Message)


@pytest.mark.parametrize("way", [lambda said: recalled(stored(said)), lambda said: pickle.loads(pickle.dumps(said))])
def test_a_message_keeps_its_code_and_values(way):
    found = way(NESTED)
    assert found == "{n} of Ada was kept: 2 messages left"
    assert (found.code, found.values["name"], found.values["why"].values) == (NESTED.code, "{n} of Ada", {"n": 2})


def test_a_sentence_without_values_is_taken_as_it_stands():
    assert say("Write {name} in braces.") == "Write {name} in braces."
    assert recalled(stored(say("Write {name} in braces."))) == "Write {name} in braces."


def test_a_place_without_a_value_is_an_error():
    with pytest.raises(KeyError):
        say("{name} of {place}", name="Ada")


def test_messages_are_joined_as_one():
    joined = say("{n:fact}.", n=1) + " Then rest."
    assert joined == "1 fact. Then rest."
    assert ("So: " + joined).values["then"] is joined


def test_what_translators_see():
    assert placed("{n:message} of {name}") == "%n messages of {name}"
    assert list(places("{n:message} of {name} on {day:%d}")) == [("name", ""), ("day", "%d")]


def bare_words(tree):
    """Yield English that is filled into sentences, at once or by a name, and is no sentence itself."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        parts = list(ast.walk(function))
        named = {
            part.targets[0].id: part.value
            for part in parts
            if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name)
        }
        said = [
            part
            for part in parts
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "say"
        ]
        for filled in (keyword.value for call in said for keyword in call.keywords):
            value = named.get(filled.id, filled) if isinstance(filled, ast.Name) else filled
            if isinstance(value, ast.JoinedStr | ast.IfExp | ast.BoolOp):
                inner = {
                    id(part)
                    for call in ast.walk(value)
                    if isinstance(call, ast.Call | ast.Compare)
                    for part in ast.walk(call)
                }
                words = (part for part in ast.walk(value) if isinstance(part, ast.Constant) and id(part) not in inner)
                yield from (part.value for part in words if re.search(r"[a-z]{3}.* | .*[a-z]{3}", str(part.value)))


def test_what_is_filled_into_a_sentence_can_be_said_in_another_language_too():
    sources = sorted((Path(__file__).parents[2] / "memdesk").rglob("*.py"))
    assert len(sources) > 500
    assert {path.name: found for path in sources if (found := list(bare_words(ast.parse(path.read_text()))))} == {}
