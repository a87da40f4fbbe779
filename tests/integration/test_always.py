"""A fact shown with every reply is stored once, as both a fact and a line about the user."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.domain.items.filters import Where
from memdesk.domain.models import FactStatus
from memdesk.ports import FactFilter, TextFilter
from memdesk.storage.connection import connect
from memdesk.storage.database import Database
from tests.helpers import rows
from tests.helpers.distill_desk import DistillDesk

DATABASES = Path(__file__).parents[1] / "databases"

LINE = "The user is vegetarian."


@pytest.fixture
def desk(tmp_path):
    made = DistillDesk(tmp_path, agents=("ana", "ben"))
    yield made
    made.close()


def test_what_one_says_of_oneself_is_one_item(desk):
    desk.told("c", "I am vegetarian.")
    with desk.store.read() as repos:
        (line,) = repos.items.lines()
        facts = repos.items.facts(FactFilter(agent_id="ana")).items
        found = repos.items.page(Where("tier", "eq", "always")).items
        hits = repos.text.search("fact", ["vegetarian"], TextFilter(agent_id="ana"))
    assert (line.content, line.tier, line.agent_id, line.source_agent_id) == (LINE, "always", "ana", "ana")
    assert [fact.id for fact in facts if fact.content == LINE] == [line.id]
    assert [item.id for item in found] == [line.id]
    assert line.seq in {hit.seq for hit in hits}


def test_it_ends_as_a_fact_and_as_a_line_at_once(desk):
    desk.told("c", "I am vegetarian.")
    with desk.store.read() as repos:
        (line,) = repos.items.lines()
    desk.store.write(lambda repos: repos.items.put(line.with_fields({"status": FactStatus.SUPERSEDED})))
    with desk.store.read() as repos:
        assert repos.items.lines() == []
        assert [one.id for one in repos.items.lines(include_inactive=True)] == [line.id]
        assert repos.items.get(line.id).tier == "always"


def test_another_agent_that_hears_it_keeps_a_fact_of_its_own_and_no_second_line(desk):
    desk.told("c", "I am vegetarian.")
    desk.say("d", "I am vegetarian.", agent_id="ben")
    desk.distill("d", "ben")
    with desk.store.read() as repos:
        assert [line.agent_id for line in repos.items.lines()] == ["ana"]
        (fact,) = repos.items.facts(FactFilter(agent_id="ben")).items
    assert (fact.content, fact.tier) == (LINE, "pinned")


def test_a_line_that_is_less_of_every_reply_is_a_fact_again(desk):
    desk.told("c", "I am vegetarian.")
    with desk.store.read() as repos:
        (line,) = repos.items.lines()
    desk.store.write(lambda repos: repos.items.change(line.with_fields({"tier": "pinned"}), ("tier",)))
    with desk.store.read() as repos:
        assert repos.items.lines() == []
        assert (repos.items.get(line.id).tier, repos.items.get(line.id).source_agent_id) == ("pinned", None)


def test_kept_on_this_machine_it_is_kept_from_every_agents_remote_model(desk):
    desk.told("c", "I am vegetarian.")
    with desk.store.read() as repos:
        (line,) = repos.items.lines()
    desk.store.write(lambda repos: repos.items.change(line.with_fields({"privacy": "local_only"}), ("privacy",)))
    with desk.store.read() as repos:
        assert line.id in repos.items.private("ben")


def test_two_that_were_stored_apart_become_one_with_what_both_stood_on(tmp_path):
    path = tmp_path / "memory.db"
    conn = connect(path, rows.KEY, writable=True)
    conn.executescript((DATABASES / "schema_0009.sql").read_text(encoding="utf-8"))
    columns = "form, tier, kind, type, content, salience, status, origin, created_at, updated_at"
    conn.execute(
        f"INSERT INTO items (id, source_agent_id, {columns}) VALUES ('double', 'ana', 'statement', 'always', 'identity', "
        "'factual', 'ana lives in Oslo', 1.0, 'active', 'distiller', 1, 1)"
    )
    conn.execute(
        "INSERT INTO item_sources SELECT seq, 0, 'another-turn', 'still in Oslo' FROM items WHERE id = 'double'"
    )
    conn.close()
    store = Database(path)
    store.open(rows.KEY)
    assert store.verify() == []
    with store.read() as repos:
        (line,) = [one for one in repos.items.lines() if one.agent_id]
        assert repos.items.get("double") is None
        assert (line.content, line.tier, line.agent_id) == ("Ana lives in Oslo", "always", "ana")
        assert "another-turn" in line.turn_ids
        assert line.id in {fact.id for fact in repos.items.facts(FactFilter(agent_id="ana")).items}
    store.close()
