"""The bench of forgetting verifies what it forgets and prints JSON."""

from __future__ import annotations

import json

from memdesk.bench import forget


def test_the_bench_forgets_a_conversation_a_person_and_everything(capsys):
    assert forget.main(["200", "--named", "80", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["conversation"]["counts"] == {"facts": 10, "turns": 200, "conversations": 1}
    assert answer["person"]["counts"] == {"facts": 80, "turns": 80, "entities": 1}
    for one in answer.values():
        assert one["verified"]
        assert 0 < one["holds"]["p50"] <= one["holds"]["max"]
        assert one["waits"]["max"] > 0
