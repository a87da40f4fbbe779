from __future__ import annotations

import pytest

from memdesk.domain.models import FactKind
from memdesk.domain.reading.kinds import kind_of


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("My name is Dana.", FactKind.IDENTITY),
        ("I live in Porto.", FactKind.IDENTITY),
        ("I'm a nurse at the harbour clinic.", FactKind.IDENTITY),
        ("I'm allergic to peanuts.", FactKind.IDENTITY),
        ("I love hiking in the Alps.", FactKind.PREFERENCE),
        ("My favourite color is green.", FactKind.PREFERENCE),
        ("We decided to go with the blue tiles.", FactKind.DECISION),
        ("I'll send the report by Friday.", FactKind.COMMITMENT),
        ("I plan to learn the cello.", FactKind.COMMITMENT),
        ("My sister Irene lives in Rome.", FactKind.RELATIONSHIP),
        ("I speak Portuguese.", FactKind.SKILL),
        ("I'm no longer vegetarian.", FactKind.CORRECTION),
        ("Actually, it's on the third floor.", FactKind.CORRECTION),
        ("I went to a concert.", FactKind.EVENT),
        ("The weather is mild.", FactKind.OTHER),
    ],
)
def test_kinds(sentence, kind):
    assert kind_of(sentence) is kind
