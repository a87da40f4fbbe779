"""The outcome of two chats is derived from the state of their facts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memdesk.bench.updates import Right, load_pairs, outcome_of, table
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import Statement
from memdesk.domain.models import FactStatus

NOON = datetime(2025, 5, 5, 12, tzinfo=UTC)
ENDED = Statement(subject="user", predicate="give up", object="cello", ended=True)
HATES = Statement(subject="user", predicate="hate", object="olives")
LIKES = Statement(subject="user", predicate="like", object="olives", quote="I like olives now")
HOME = Statement(subject="user", predicate="live in", object="Ghent", attribute="home")
MOVED = Statement(subject="user", predicate="move to", object="Bruges", attribute="home", tense="past")
PAINTS = Statement(subject="user", predicate="paint", object="shed")
NOW = Statement(subject="user", predicate="read", object="Proust", quote="I read Proust now")


def fact(chat, **fields):
    return MemoryItem(id=f"{chat}-{len(fields)}", run_id=chat, content="x", created_at=NOON, updated_at=NOON, **fields)


def over(statement):
    """Return a fact of the first chat that the first one of the second ended."""
    return fact("a", status=FactStatus.SUPERSEDED, statement=statement, superseded_by="b-1")


@pytest.mark.parametrize(
    ("facts", "outcome"),
    [
        ([fact("a"), fact("b")], "keep"),
        ([fact("a", confirmed_at=NOON)], "same"),
        ([over(HATES), fact("b", statement=ENDED)], "reversal"),
        ([over(HATES), fact("b", statement=LIKES), fact("b", statement=PAINTS)], "reversal"),  # by fields
        ([over(HOME), fact("b", statement=ENDED), fact("b", statement=MOVED)], "update"),
        ([over(HOME), fact("b", statement=PAINTS), fact("b", statement=NOW)], "update"),  # said to be so now
        ([over(HATES), fact("b", statement=PAINTS)], "update"),  # by odds
        ([over(HATES), fact("b", statement=PAINTS), fact("b", statement=LIKES)], "reversal"),
        ([fact("a")], ""),
    ],
)
def test_the_outcome_of_a_pair(facts, outcome):
    assert outcome_of(facts, ("a", "b")) == outcome


def test_shares_are_printed_by_class_and_chains_are_passed_over(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text('{"class": "keep", "said": []}\n{"class": "chain", "said": []}\n', encoding="utf-8")
    right = Right()
    for row, outcome in zip(load_pairs(path) * 2, ("keep", "same"), strict=True):
        right.add(row["class"], outcome)
    assert right.report() == {"keep": 0.5, "all": 0.5, "pairs": 2}
    assert "0.500" in table({"set": right.report()})
    took = {"seconds_per_session": 2.5, "calls_per_session": 1.0, "tokens_per_session": 431.0}
    assert table({"set": right.report() | took}).splitlines()[1].split()[-3:] == ["2.50", "1.00", "431"]
    assert table({}) == ""
