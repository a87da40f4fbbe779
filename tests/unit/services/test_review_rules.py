from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memdesk.domain.models import FactKind
from memdesk.services.distilling.rules import rule_from, suppressed

NOON = datetime(2024, 3, 13, 12, tzinfo=UTC)


@pytest.fixture
def rule():
    return rule_from("r", "ana", FactKind.PREFERENCE, "The user loves green tea with honey.", "The user", NOON)


def test_a_rule_covers_its_kind_and_topic(rule):
    assert suppressed([rule], FactKind.PREFERENCE, "The user loves tea with honey.", "ana") is rule
    assert suppressed([rule], FactKind.PREFERENCE, "The user loves sailing.", "ana") is None
    assert suppressed([rule], FactKind.EVENT, "The user drank green tea with honey.", "ana") is None


def test_a_rule_counts_for_its_agent_only(rule):
    assert suppressed([rule], FactKind.PREFERENCE, "The user loves green tea with honey.", "ben") is None


def test_a_rule_says_what_it_does(rule):
    assert "green tea" in rule.text
    assert "user" not in rule.topic
