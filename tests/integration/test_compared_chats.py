"""Pairs and chains told to the service in separate chats: what is current then, what is over.

See ``weekly*.jsonl``, ``plain*.jsonl``, ``chains*.jsonl`` and ``usual*.jsonl`` in ``tests/data/comparing``: the chains of the last three have a value
for each chat.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest

from memdesk.domain.comparing.relations import claim_of
from memdesk.domain.models import FactStatus
from tests.helpers.distill_desk import by_rules
from tests.helpers.parser import parser

SETS = Path(__file__).parents[1] / "data" / "comparing"
#: In which five chats are told: out of order by date.
ORDER = (2, 0, 4, 1, 3)

pytestmark = pytest.mark.model


def tell(desk, row):
    """Tell a row's chats, each as one of an agent of its own; a chain's assistant repeats the oldest value."""
    chain = row["class"] == "chain"
    replies = [f"I noted: {row['said'][0]['text']}"] if chain else []
    for place in ORDER if chain else range(2):
        said = row["said"][place]
        when = datetime.fromisoformat(said["on"]).replace(hour=12, tzinfo=desk.clock.now().tzinfo)
        desk.told(f"{row['id']}-{place}", said["text"], *replies, when=when, agent_id=row["id"])


def is_right(facts, row):
    """Whether what is current stands, what is over does not, and nothing is kept twice; of a chain's values, the share."""
    active = [fact for fact in facts if fact.status is FactStatus.ACTIVE and fact.provenance == "user"]
    first, then = ([fact for fact in active if fact.run_id == f"{row['id']}-{place}"] for place in range(2))
    positive = [fact for fact in active if fact.statement is None or claim_of(fact.statement).positive]
    ended = any(fact.status is FactStatus.SUPERSEDED for fact in facts)
    match row["class"]:
        case "chain" if "values" in row:
            places = {f"{row['id']}-{place}": value for place, value in enumerate(row["values"])}
            *stale, newest = (_gives([f for f in positive if f.run_id == run], value) for run, value in places.items())
            return (stale.count(False) + newest) / len(places)
        case "chain":
            return bool(positive) and all(row["current"] in fact.content for fact in positive)
        case "keep":
            return not ended and all(_holds(active, words) for words in row["current"])
        case "same":
            (words,) = row["current"]
            return not ended and _holds(first, words) and not _holds(then, words)
        case _:
            over = ended and not _holds(first, *row["gone"])
            return over and all(_holds(positive, words) for words in row["current"])


def _holds(facts, words):
    return any(re.search(words, fact.content, re.IGNORECASE) for fact in facts)


def _gives(facts, value):
    """Whether a fact has a value as a word of its own, an ordinal with or without its ending: "the 7th"."""
    words = re.escape(re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", value))
    return any(re.search(rf"(?<!\w){words}(?!\d)", fact.content, re.IGNORECASE) for fact in facts)


@pytest.mark.parametrize(
    ("name", "floors"),
    [
        ("weekly", {"update": 0.9, "reversal": 0.9, "keep": 0.9, "same": 0.8, "chain": 0.8}),
        ("weekly_blind", {"update": 0.75, "reversal": 0.65, "keep": 0.7, "same": 0.75, "chain": 0.8}),
        ("plain", {"update": 0.6, "reversal": 0.85, "keep": 0.75, "same": 0.65, "chain": 0.89}),
        ("plain_blind", {"update": 0.7, "reversal": 0.9, "keep": 0.8, "same": 0.55, "chain": 0.9}),
        ("chains_blind", {"chain": 0.6}),
        ("usual_blind", {"update": 0.55, "reversal": 0.8, "keep": 0.7, "same": 0.4, "chain": 0.88}),
    ],
)
def test_chats_of_ordinary_people_leave_what_is_current(tmp_path, name, floors):
    rows = [json.loads(line) for line in (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    with by_rules(tmp_path, analyzer=parser(), agents=[row["id"] for row in rows]) as desk:
        pairs, right = Counter(), Counter()
        for row in rows:
            tell(desk, row)
            pairs[row["class"]] += 1
            right[row["class"]] += is_right(desk.every_fact(row["id"]), row)
    low = {label: right[label] / pairs[label] for label, floor in floors.items() if right[label] < floor * pairs[label]}
    assert low == {}
