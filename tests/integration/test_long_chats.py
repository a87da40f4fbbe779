"""Long chats about one thing each, in which nothing is taken back: what is told early still stands at the end."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from itertools import groupby
from pathlib import Path

import pytest

from memdesk.domain.models import FactStatus
from tests.helpers.distill_desk import by_rules
from tests.helpers.parser import parser

SESSIONS = Path(__file__).parents[1] / "data" / "comparing" / "subjects.jsonl"

pytestmark = pytest.mark.model


def test_what_is_never_taken_back_stays(tmp_path):
    rows = [json.loads(line) for line in SESSIONS.read_text(encoding="utf-8").splitlines()]
    chats = {f"chat-{chat}": list(its) for chat, its in groupby(rows, key=lambda row: row["chat"])}
    with by_rules(tmp_path, analyzer=parser(), agents=list(chats)) as desk:
        for agent, sessions in chats.items():
            for row in sessions:
                turns = [text for said in row["said"] for text in (said, "I see.")]
                when = datetime.fromisoformat(row["on"]).replace(hour=12, tzinfo=desk.clock.now().tzinfo)
                desk.told(f"{agent}-{row['on']}", *turns, when=when, agent_id=agent)
        known = Counter(fact.status for agent in chats for fact in desk.every_fact(agent))
    gone = known[FactStatus.SUPERSEDED] + known[FactStatus.MERGED]
    assert gone <= 0.03 * known.total()
