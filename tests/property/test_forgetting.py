"""For any memory, however processed: what is forgotten leaves no trace."""

from __future__ import annotations

import tempfile
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memdesk.domain.models import FactSource
from memdesk.ports import TextFilter
from memdesk.services.forgetting.forgetting import ForgetTarget
from tests.helpers import rows
from tests.helpers.memory_rows import NOON, Desk

#: Words that stand nowhere else, each long enough not to be met by chance.
MARKS = ("quetzalcoatl", "zwischenzeit", "perambulate", "huckleberry")
works = st.lists(st.sampled_from(("edit", "consolidate", "undo", "disable", "twice")), max_size=5)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@example(marks=list(MARKS), work=["consolidate", "undo"], merges=True)
@given(st.permutations(MARKS), works, st.booleans())
def test_a_forgotten_conversation_leaves_no_trace(marks, work, merges):
    secret, other = f"my {marks[0]} is hidden", f"my {marks[1]} is blue"
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder))
        try:
            gone, kept = desk.thread("gone", secret, title=marks[0]), desk.thread("kept", other)
            made = NOON - timedelta(days=70)
            fact = desk.said(gone[0], f"The user hid the {marks[0]}", salience=0.3, created_at=made, tags=(marks[0],))
            left = desk.said(kept[0], f"The user has a blue {marks[1]}", created_at=made)
            shared = desk.fact(
                "The user has things",
                sources=(FactSource(turn_id=gone[0].id, quote=secret), FactSource(turn_id=kept[0].id, quote=other)),
                created_at=made,
            )
            for number, (turn, thread) in enumerate(((kept[0], "kept"), (gone[0], "gone"))):
                desk.episode(
                    "They spoke of things that the user owns" if merges else f"They spoke of {marks[1 - number]}",
                    conversation_id=thread,
                    details=[rows.detail("things", id=f"d{number}", turn_ids=(turn.id,))],
                    decisions=(f"keep the {marks[1 - number]}",),
                    created_at=made + timedelta(days=number),
                )
            for step in work:
                _do(desk, step, fact.id)
            report = desk.forgetting.forget(ForgetTarget(kind="conversation", ids=("gone",), agent_id="ana"))
            assert report.verified, report.left
            desk.store.checkpoint()
            assert not desk.store.pages_holding([marks[0].encode()])
            with desk.store.read() as repos:
                assert repos.text.holding(marks[0]) == []
                assert not any(
                    repos.text.search(target, [marks[0]], TextFilter(agent_id="ana"))
                    for target in ("turn", "fact", "episode", "detail")
                )
            assert {left.id, shared.id} <= set(desk.facts())
            assert desk.store.pages_holding([marks[1].encode()])
        finally:
            desk.close()


def _do(desk: Desk, step: str, fact_id: str) -> None:
    desk.clock.move(days=1)
    if step == "edit":
        fact = desk.memories.fact(fact_id)
        desk.memories.edit_fact(fact_id, content=fact.content + " again")
    elif step == "disable":
        desk.memories.set_status([fact_id], "disabled")
    elif step == "undo":
        newest = next((run for run in desk.consolidation.runs().items if desk.consolidation.can_undo(run)), None)
        if newest is not None:
            desk.consolidation.undo(newest.id)
    else:
        for _ in range(2 if step == "twice" else 1):
            desk.consolidation.run()
