"""Any external input gives a plain value or an error, within limits."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memdesk
from memdesk.domain.decoding import (
    TooDeepError,
    UndecodableError,
    decode,
    list_in,
    number_in,
    object_in,
    text_in,
)

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(values)
def test_what_json_says_is_read_and_can_be_written_again(value):
    read = decode(json.dumps(value))
    json.dumps(read, allow_nan=False).encode("utf-8")
    if "\\u0000" not in json.dumps(value):
        assert read == value


@given(st.binary() | st.text(st.sampled_from('[]{}",:\\ud8ab0123eE.- ')))
def test_anything_else_is_one_kind_of_error(data):
    try:
        read = decode(data)
    except UndecodableError:
        return
    json.dumps(read, allow_nan=False).encode("utf-8")


@pytest.mark.parametrize("depth", [101, 500, 900, 5_000, 100_000])
@pytest.mark.parametrize(("opens", "closes"), [("[", "]"), ('{"a":', "}")])
def test_what_is_nested_too_deeply_is_refused(depth, opens, closes):
    with pytest.raises(TooDeepError):
        decode(opens * depth + "1" + closes * depth)


def test_what_never_closes_is_refused():
    with pytest.raises(UndecodableError):
        decode("[" * 100_000)


@pytest.mark.parametrize("text", ["NaN", "-Infinity", "1e999", "[1, 1e999]", "", "{", b"\xff\xfe", "9" * 5000])
def test_what_is_no_value_is_refused(text):
    with pytest.raises(UndecodableError):
        decode(text)


def test_what_is_too_large_is_refused():
    with pytest.raises(UndecodableError, match="larger"):
        decode("[1,2,3]", most=6)


def test_half_letters_and_nul_do_not_come_through():
    assert decode('{"a\\ud800": ["x\\udfff\\u0000y"]}') == {"a\ufffd": ["x\ufffd y"]}
    assert decode('"\\ud83d\\ude00"') == "😀"


@given(values)
def test_fields_are_taken_by_type(value):
    for holder in (value, {"x": value}):
        assert isinstance(text_in(holder, "x", 5), str)
        assert len(text_in(holder, "x", 5)) <= 5
        assert number_in(holder, "x") >= 0
        assert isinstance(object_in(holder, "x"), dict)
        assert isinstance(list_in(holder, "x"), list)


#: Modules that read JSON of our own making: what ships, an engine process of ours, rows that we wrote, and the settings, whose
#: errors name the line.
OWN_JSON = {
    "engines/hnsw_snapshot.py",
    "engines/minilm_session.py",
    "engines/nlp.py",
    "engines/nlp_worker.py",
    "gui/theme.py",
    "messages.py",
    "runtime/frames.py",
    "services/library/ordering.py",
    "services/recalling/bearing.py",
    "services/recalling/gate.py",
    "services/recalling/search.py",
    "services/recalling/statements.py",
    "settings/store.py",
    "storage/values.py",
    "stores/faiss.py",
    "stores/sealed.py",
    "stores/tagged.py",
}


def test_what_others_wrote_is_read_by_this_alone():
    package = Path(memdesk.__file__).parent
    reading = {
        str(file.relative_to(package).as_posix())
        for file in package.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in {"json.loads", "json.load", "json.JSONDecoder"}
    }
    # A client reads what our own server streams; what ``connect`` is given was decoded before; archives are read in pieces.
    apart = {"domain/decoding.py", "cli/client.py", "services/guarding/connecting.py"}
    apart |= {"services/importing/archives/pieces.py"}
    assert {name for name in reading if not name.startswith("bench/")} == OWN_JSON | apart
