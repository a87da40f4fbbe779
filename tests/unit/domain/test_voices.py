from __future__ import annotations

from memdesk.domain.recalling.voices import split_speaker, written_speakers

SAID = [
    "Caroline: I went to the coast.",
    "Melanie: Alone?",
    "**Caroline:** With my sister.",
    "Melanie: How nice: the sea!",
]


def test_names_that_lead_most_turns_are_speakers():
    names = written_speakers(SAID)
    assert names == {"Caroline", "Melanie"}
    assert split_speaker(SAID[2], names) == ("Caroline", "With my sister.")
    assert split_speaker(SAID[3], names) == ("Melanie", "How nice: the sea!")


def test_a_heading_now_and_then_is_no_speaker():
    texts = ["Note: buy milk.", "I bought bread.", "Note: call Ada.", "She was out.", "So was I.", "Fine."]
    assert written_speakers(texts) == frozenset()
    assert split_speaker(texts[0], frozenset()) == ("", texts[0])


def test_a_name_said_once_is_no_speaker():
    assert written_speakers(["Ada: hello", "Bo: hello", "Bo: again"]) == {"Bo"}
