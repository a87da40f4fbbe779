"""Failing to read one turn does not affect the other turns of its session."""

from __future__ import annotations

from datetime import date

import pytest

from memdesk.domain.reading.candidates import SourceTurn
from memdesk.domain.reading.extractor import ASSISTANT, extract
from memdesk.errors import EngineFaultError
from memdesk.services.reading import read

TURNS = [
    SourceTurn(id=str(n), speaker="the user", listener=ASSISTANT, text=text, day=date(2026, 3, 1), own=True)
    for n, text in enumerate(["Ich wohne in Graz.", "Ich habe zwei Katzen.", "Ich hasse Rosinen.", "Ich spiele Cello."])
]


class Stumbling:
    """Reads by closed classes, and falls over the text of one turn.

    Attributes:
        read: the ids of the turns of each answer.
    """

    def __init__(self, stone):
        self.stone, self.read = stone, []

    def extract(self, turns, *, known=(), spoken="en", cancel=None):
        if any(turn.text == self.stone for turn in turns):
            raise EngineFaultError("IndexError")
        self.read.append([turn.id for turn in turns])
        return extract(turns, known=known, spoken=spoken)


@pytest.mark.expect_log
@pytest.mark.parametrize("stumbles", range(len(TURNS)))
def test_a_fault_at_one_turn_leaves_the_others_to_the_analyzer(stumbles):
    analyzer = Stumbling(TURNS[stumbles].text)
    found = read(analyzer, TURNS, spoken="de")
    assert sorted(one for ids in analyzer.read for one in ids) == [
        turn.id for turn in TURNS if turn is not TURNS[stumbles]
    ]
    whole = extract(TURNS, spoken="de")
    assert [(one.text, one.spans, one.turn_ids) for one in found.candidates] == [
        (one.text, one.spans, one.turn_ids) for one in whole.candidates
    ]
    assert len(found.candidates) == len(TURNS)
