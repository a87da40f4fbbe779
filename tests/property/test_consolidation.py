"""For any memory: undo restores exactly, plans can be done in halves, other agents' memory is unchanged."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.domain.ageing.consolidation import Memory, Rules, plan
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactSource
from tests.helpers import rows as made_rows
from tests.helpers.memory_rows import NOON, Desk
from tests.helpers.rows import detail as kept_detail

WORDS = ("the user", "keeps", "bees", "in", "porto", "and", "oslo", "not", "two", "grey cats", "since may", "a garden")
texts = st.lists(st.sampled_from(WORDS), min_size=3, max_size=9).map(" ".join)
ages = st.floats(0, 420).map(lambda days: NOON - timedelta(days=int(days), minutes=int(days * 1440) % 1440))
saliences = st.floats(0, 1)


@st.composite
def facts(draw, agent_id="ana"):
    number = draw(st.integers(0, 10**9))
    made = draw(ages)
    sources = tuple(FactSource(turn_id=f"t{n}", quote="q") for n in draw(st.sets(st.integers(0, 9), max_size=3)))
    return MemoryItem(
        id=f"{agent_id}-fact-{number}",
        agent_id=agent_id,
        content=draw(texts),
        tags=tuple(draw(st.sets(st.sampled_from(("a", "b", "c")), max_size=2))),
        salience=draw(saliences),
        user_pinned=draw(st.booleans()) and draw(st.booleans()),
        origin=draw(st.sampled_from(["distiller", "import", "api", "user"])),
        use_count=draw(st.integers(0, 3)),
        sources=sources,
        source_count=max(1, len(sources)),
        created_at=made,
        updated_at=made,
    )


@st.composite
def episodes(draw, agent_id="ana"):
    number = draw(st.integers(0, 10**9))
    made = draw(ages)
    lines = draw(st.lists(texts, max_size=3))
    return made_rows.episode(
        draw(texts),
        agent_id,
        f"c{number}",
        id=f"{agent_id}-episode-{number}",
        details=tuple(kept_detail(line, id=f"{number}-{n}") for n, line in enumerate(lines)),
        decisions=tuple(draw(st.lists(st.sampled_from(WORDS), max_size=2, unique=True))),
        salience=draw(saliences),
        started_at=made,
        ended_at=made,
        created_at=made,
        updated_at=made,
    )


def distinct(rows):
    return list({row.id: row for row in rows}.values())


memories = st.tuples(
    st.lists(facts(), max_size=12).map(distinct),
    st.lists(episodes(), max_size=8).map(distinct),
    st.lists(facts("ben"), max_size=4).map(distinct),
)


def unnumbered(details):
    return tuple(replace(d, seq=0) for d in details)


def rows(desk, agent):
    found = {**desk.facts(agent), **desk.episodes(agent)}
    return {
        key: row if row.digest is None else row.with_fields({"digest.details": unnumbered(row.digest.details)})
        for key, row in found.items()
    }


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(memories)
def test_undo_restores_exactly_and_nobody_else_moves(memory):
    mine, talks, others = memory
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder), agents=("ana", "ben"))
        try:
            desk.write(lambda repos: repos.items.put_many([*mine, *others]))
            for talk in talks:
                desk.write(lambda repos, talk=talk: repos.items.put(talk))
            before, theirs = rows(desk, "ana"), rows(desk, "ben")
            preview = desk.consolidation.run(dry_run=True, agent_id="ana")
            result = desk.consolidation.run(agent_id="ana")
            assert len(result.changes) == len(preview.changes)
            assert rows(desk, "ben") == theirs
            after = rows(desk, "ana")
            assert desk.consolidation.run(agent_id="ana").changes == ()
            assert rows(desk, "ana") == after
            assert desk.consolidation.undo(result.run.id).kept == 0
            assert rows(desk, "ana") == before
            assert rows(desk, "ben") == theirs
        finally:
            desk.close()


@given(memories)
def test_planning_again_on_the_result_gives_nothing(memory):
    mine, talks, _ = memory
    rules = Rules(now=NOON, day_start=NOON.replace(hour=0))
    sources = {fact.id: fact.sources for fact in mine}
    state = Memory(list(mine), list(talks))
    plan(state, rules, lambda ids: {key: sources[key] for key in ids})
    again = plan(state, rules, lambda ids: {key: sources[key] for key in ids})
    # A promotion may be due only once; a merge, an eviction or a decay never twice.
    assert all(not groups for groups in again.values())


@given(memories)
def test_pinned_facts_are_never_touched(memory):
    mine, talks, _ = memory
    rules = Rules(now=NOON, day_start=NOON.replace(hour=0))
    sources = {fact.id: fact.sources for fact in mine}
    pinned = {fact.id for fact in mine if fact.user_pinned}
    planned = plan(Memory(list(mine), list(talks)), rules, lambda ids: {key: sources[key] for key in ids})
    touched = {change.ref_id for groups in planned.values() for group in groups for change in group}
    assert not pinned & touched
