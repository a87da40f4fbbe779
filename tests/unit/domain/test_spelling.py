from __future__ import annotations

from datetime import date

import pytest

from memdesk.domain.recalling.query import read_query
from memdesk.domain.recalling.spelling import is_slip, respelled

SAID = [("tomato", "balcon"), ("tomato", "frost"), ("hors", "plane"), ("rosemari",)]


@pytest.mark.parametrize(
    ("one", "other", "slip"),
    [
        ("tomtao", "tomato", True),
        ("tomao", "tomato", True),
        ("tommato", "tomato", True),
        ("tomatoo", "tomato", True),
        ("omtato", "tomato", False),
        ("house", "horse", False),
        ("tomato", "tomato", False),
        ("tomtoa", "tomato", False),
        ("", "tomato", False),
    ],
)
def test_slips(one, other, slip):
    assert is_slip(one, other) is slip
    assert is_slip(other, one) is slip


def test_words_nobody_used_are_read_as_those_that_were():
    query = read_query("When were the tomatillo and the basil planted near the horses?", date(2024, 6, 12))
    read = respelled(query, ["tomatillo", "basil", "horses"], SAID)
    assert read.terms == ("tomatillo", "basil", "planted", "near", "horses")
    query = read_query("Did the tomtaoes on the balocny freeze?", date(2024, 6, 12))
    read = respelled(query, ["tomtaoes", "balocny"], [*SAID, ("balconi",)])
    assert read.stems == ("tomato", "balconi", "freez")
    assert read.wants_time == query.wants_time
    assert respelled(query, [], SAID) is query
