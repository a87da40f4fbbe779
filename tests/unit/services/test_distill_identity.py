from __future__ import annotations

from dataclasses import replace

import pytest

from memdesk.domain.reading.digest import StatedCandidate
from memdesk.services.distilling.lines import LineReader
from memdesk.services.distilling.stated import Hearing
from memdesk.services.distilling.writing import apart
from tests.helpers.parser import parser
from tests.unit.domain.test_extractor import said


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("The user is a nurse.", ["The user is a nurse."]),
        ("The user is vegetarian and allergic to peanuts.", ["The user is vegetarian.", "The user is allergic to peanuts."]),
        ("The user is married and has two kids.", ["The user is married.", "The user has two kids."]),
        ("The user's name is Dana and the user is a nurse.", ["The user's name is Dana.", "The user is a nurse."]),
        ("The user is allergic to nuts and latex.", ["The user is allergic to nuts and latex."]),
        ("The user is allergic to nuts and to latex.", ["The user is allergic to nuts and to latex."]),
        ("Ada and the user live in Vienna.", ["Ada and the user live in Vienna."]),
        ("The user's wife Ida and the user live in Ulm.", ["The user's wife Ida and the user live in Ulm."]),
        ("Der Nutzer hat gesagt: \u201eIch wohne in Graz und bin Raucher.\u201c", ["Der Nutzer hat gesagt: \u201eIch wohne in Graz.\u201c", "Der Nutzer hat gesagt: \u201e[Ich] bin Raucher.\u201c"]),
        ("Der Nutzer hat gesagt: \u201eIch mag Tee und Kaffee.\u201c", ["Der Nutzer hat gesagt: \u201eIch mag Tee und Kaffee.\u201c"]),
        ("The user is Dana, the user is an engineer in Porto.", ["The user is Dana.", "The user is an engineer in Porto."]),
    ],
)  # fmt: skip
def test_identity_lines_say_one_thing_each(text, lines):
    assert apart(text) == lines


@pytest.mark.model
def test_what_a_model_finds_in_a_text_that_was_announced_is_no_statement_of_the_user():
    texts = ("I will paste an article next.", "I live in Bergen.", "I live in Graz.")
    hearing = Hearing([replace(turn, own=True) for turn in said(*texts)], LineReader(parser()))
    found = [
        hearing.stated(StatedCandidate(content=f"The user lives in {place}.", turns=(number,)))
        for number, place in ((2, "Bergen"), (3, "Graz"))
    ]
    assert [line.text if line else None for line in found] == [None, "The user lives in Graz."]


@pytest.mark.model
def test_what_nothing_parses_is_of_the_user_where_they_said_so():
    text = "Ich habe meiner Schwester das Rad geschenkt."
    hearing = Hearing([replace(turn, own=True) for turn in said(text)], LineReader(parser()))

    def kept(line):
        return hearing.stated(StatedCandidate(content=line, turns=(1,))) is not None

    assert kept("Der Nutzer hat der Schwester das Rad geschenkt.")
    assert not kept("Die Schwester hat dem Nutzer das Rad geschenkt.")


def test_without_a_parser_no_statement_of_a_model_is_confirmed():
    hearing = Hearing([replace(turn, own=True) for turn in said("I live in Graz.")], LineReader(None))
    assert hearing.stated(StatedCandidate(content="The user lives in Graz.", turns=(1,))) is None
