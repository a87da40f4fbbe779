from __future__ import annotations

import pytest

from memdesk.domain.reading.corrections import Correction, corrected, correction_in, mended, retraction_in


@pytest.mark.parametrize(
    ("sentence", "right", "wrong"),
    [
        ("Sorry, I meant Thursday.", "Thursday", ""),
        ("No, I meant 5.", "5", ""),
        ("And it's Dr. Okafor, not Dr. Obi.", "Dr. Okafor", "Dr. Obi"),
        ("Entschuldigung, ich meinte am 15. April.", "am 15. April", ""),
    ],
)
def test_a_sentence_may_correct_an_earlier_one(sentence, right, wrong):
    assert correction_in(sentence) == Correction(right, wrong)


@pytest.mark.parametrize("sentence", ["I meant the other function.", "I mean it.", "I met Tom on Thursday."])
def test_what_names_no_value_corrects_none(sentence):
    assert correction_in(sentence) is None


@pytest.mark.parametrize(
    ("line", "correction", "expected"),
    [
        ("It is on Wednesday (11 March 2026) at 9:30.", Correction("Thursday"), "It is on Thursday at 9:30."),
        ("The flight leaves on 14. April.", Correction("am 15. April"), "The flight leaves on 15. April."),
        ("The user saw Dr. Obi.", Correction("Dr. Okafor", "Dr. Obi"), "The user saw Dr. Okafor."),
        ("The user has 2 dogs and 3 cats.", Correction("4"), ""),
        ("The user likes tea.", Correction("Thursday"), ""),
    ],
)
def test_a_value_takes_the_place_of_one_of_its_sort(line, correction, expected):
    assert corrected(line, correction) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I live in Leeds, no wait, I mean Bradford.", [("Leeds, no wait, I mean Bradford", "Bradford")]),
        ("My sister Jo is 31, no sorry, 32.", [("31, no sorry, 32", "32")]),
        ("I went to Paris, no Rome trip this time.", []),
        ("I like tea, sorry, I am late.", []),
    ],
)
def test_a_sentence_may_correct_itself(text, words):
    assert [(text[start:end], meant) for start, end, meant in mended(text)] == words


def test_a_statement_may_be_taken_back():
    assert retraction_in("Actually no, scratch that, we're keeping the old one.")
    assert retraction_in("Forget it.")
    assert not retraction_in("Never mind the weather, I love Leeds.")
    assert not retraction_in("I forget names.")
