"""Consolidation on a real encrypted store."""

from __future__ import annotations

import math
import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from memdesk.domain.models import FactSource, FactStatus
from memdesk.errors import ConflictError, NotFoundError
from memdesk.ports import TextFilter
from memdesk.services.events import MemoryChanged, RunChanged
from memdesk.services.remembering.history import HistoryService
from tests.helpers import rows
from tests.helpers.memory_rows import NOON, Desk

LONG_AGO = NOON - timedelta(days=90)
SAME = "The user keeps two grey cats and a small garden behind the house in Porto"


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path, agents=("ana", "ben"))
    yield desk
    desk.close()


def strip(rows):
    """Rows without what storing changes: the numbers of re-inserted details."""
    return {
        key: row
        if row.digest is None
        else row.with_fields({"digest.details": tuple(replace(d, seq=0) for d in row.digest.details)})
        for key, row in rows.items()
    }


def everything(desk):
    return {
        (agent, kind): strip(rows)
        for agent in ("ana", "ben")
        for kind, rows in (("fact", desk.facts(agent)), ("episode", desk.episodes(agent)))
    }


def fill(desk):
    """Rows of which each step finds something."""
    turns = desk.thread("first", SAME, "Noted.")
    desk.said(turns[0], SAME, created_at=NOON - timedelta(days=9), tags=("pets",), salience=0.5)
    desk.fact(SAME + ".", created_at=NOON - timedelta(days=3), tags=("home",), salience=0.8, use_count=2)
    desk.fact("A faded remark about the weather", salience=0.21, created_at=LONG_AGO)
    desk.fact("A pinned remark about the weather", salience=0.21, created_at=LONG_AGO, user_pinned=True)
    desk.fact("The user plays the cello", salience=0.5, created_at=NOON - timedelta(days=2))
    for day in (1, 2, 3):
        desk.episode(f"Number {day}.", details=["The user plays the cello well"], created_at=NOON - timedelta(days=day))
    for day in (30, 20):
        desk.episode(
            "They planned the trip to Lisbon and chose the night train over the plane",
            details=["The night train to Lisbon leaves at ten"],
            created_at=NOON - timedelta(days=day),
            decisions=("night train",),
        )
    desk.episode("A very old talk", created_at=NOON - timedelta(days=400))
    desk.fact("Ben's own fact, old and faded", agent_id="ben", salience=0.1, created_at=LONG_AGO)


def test_each_step_does_its_part(desk):
    fill(desk)
    result = desk.consolidation.run(agent_id="ana")
    assert result.run.status == "done"
    assert result.run.counts == {"decay": 8, "merge": 2, "promote": 1, "evict": 1, "prune": 1}
    facts = {fact.content: fact for fact in desk.facts().values()}
    kept, gone = facts[SAME], facts[SAME + "."]
    assert gone.status is FactStatus.MERGED
    assert gone.superseded_by == kept.id
    assert kept.tags == ("pets", "home")
    assert kept.use_count == 2
    assert kept.salience == pytest.approx(0.8 * 2.718281828 ** (-3 / 30), abs=1e-6)
    assert facts["A faded remark about the weather"].status is FactStatus.BINNED
    # Not written twice: what leaves in the same pass is aged when it comes back.
    assert facts["A faded remark about the weather"].salience == 0.21
    assert facts["A pinned remark about the weather"].salience == 0.21
    lifted = facts["The user plays the cello"]
    assert lifted.salience == pytest.approx(0.5 * 2.718281828 ** (-2 / 30) + 0.05, abs=1e-6)
    by_status = sorted(episode.status for episode in desk.episodes().values())
    assert by_status == ["active", "active", "active", "active", "binned", "merged"]
    [joined] = [episode for episode in desk.episodes().values() if episode.source_count == 2]
    assert joined.created_at == NOON - timedelta(days=30)
    assert joined.session.ended_at == NOON - timedelta(days=20)
    assert len(joined.session.details) == 1
    assert desk.memories.episode(next(e.id for e in desk.episodes().values() if e.status == "merged")).id == joined.id
    assert desk.memories.fact(gone.id).id == kept.id


def test_a_dry_run_says_exactly_what_a_run_does_and_changes_nothing(desk):
    fill(desk)
    before = everything(desk)
    preview = desk.consolidation.run(dry_run=True)
    assert everything(desk) == before
    assert desk.consolidation.runs().total == 0
    real = desk.consolidation.run()
    assert sorted(map(repr, real.changes)) == sorted(map(repr, preview.changes))
    assert preview.run.counts == real.run.counts
    assert all(change.reason for change in preview.changes)


def test_what_leaves_all_the_same_is_neither_aged_nor_lifted_first(desk):
    faded = desk.fact("The user plays the cello", salience=0.5, created_at=LONG_AGO)
    close = desk.fact("The user keeps the cello in Porto", salience=0.18, created_at=LONG_AGO, decayed_at=NOON)
    for day in (1, 2, 3):
        lines = ["The user plays the cello well", "The user keeps the cello in Porto"]
        desk.episode(f"Number {day}.", details=lines, created_at=NOON - timedelta(days=day))
    made = [(change.action, change.ref_id) for change in desk.consolidation.run().changes if change.kind == "fact"]
    # 0.5 * exp(-3) + 0.05 is below the floor; 0.18 + 0.05 is above it, and stays.
    assert made == [("promote", close.id), ("evict", faded.id)]


def test_imported_talks_of_long_ago_are_kept_from_their_import_on(desk):
    then = NOON - timedelta(days=900)
    old = desk.episode("They spoke of the eclipse", created_at=NOON, started_at=then, ended_at=then)
    assert desk.consolidation.run().changes == ()
    desk.clock.move(days=366)
    assert [change.ref_id for change in desk.consolidation.run().changes if change.action == "prune"] == [old.id]


def test_a_detail_that_was_used_lately_outlives_its_episode(desk):
    then = NOON - timedelta(days=400)
    kept, gone = (rows.detail(text, at=then) for text in ("The key is under the pot", "It rained that day"))
    old = desk.episode("They spoke of keys", created_at=then, details=[kept, gone])
    desk.write(lambda repos: repos.items.touch([kept.id], NOON - timedelta(days=3)))
    before = everything(desk)
    result = desk.consolidation.run()
    assert {change.ref_id for change in result.changes if change.action == "prune"} == {old.id, kept.id}
    assert result.run.counts["prune"] == 1
    with desk.store.read() as repos:
        assert repos.items.get(kept.id).parent_id is None
        assert [hit.seq for hit in repos.text.search("fact", ["pot"], TextFilter(agent_id="ana"), limit=5)]
    desk.consolidation.undo(result.run.id)
    assert everything(desk) == before
    desk.consolidation.run()
    desk.clock.move(days=31)
    desk.consolidation.run()
    with desk.store.read() as repos:
        assert repos.items.episode(old.id) is None
        assert repos.items.get(gone.id) is None
        assert repos.items.get(kept.id).status == "binned"


def test_undo_restores_every_row_exactly(desk):
    fill(desk)
    before = everything(desk)
    run = desk.consolidation.run().run
    assert everything(desk) != before
    result = desk.consolidation.undo(run.id)
    assert everything(desk) == before
    assert result.kept == 0
    assert result.run.status == "undone"
    assert desk.consolidation.bin().total == 0
    with pytest.raises(ConflictError, match="undone already"):
        desk.consolidation.undo(run.id)


def test_two_runs_on_a_day_are_one(desk):
    fill(desk)
    desk.consolidation.run()
    after = everything(desk)
    desk.clock.move(hours=5)
    again = desk.consolidation.run()
    assert again.changes == ()
    assert everything(desk) == after


def test_decay_over_many_runs_is_that_of_one(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, many = Desk(tmp_path / "a"), Desk(tmp_path / "b")
    try:
        for desk in (one, many):
            desk.fact("The user sings in a choir", id="fact", salience=0.9)
        for _ in range(5):
            many.clock.move(days=1, hours=7)
            many.consolidation.run()
        one.clock.move(days=5, hours=35)
        one.consolidation.run()
        assert many.facts()["fact"].salience == pytest.approx(one.facts()["fact"].salience, rel=1e-12)
    finally:
        one.close()
        many.close()


def test_undo_leaves_what_the_user_changed_since(desk):
    fill(desk)
    run = desk.consolidation.run().run
    lifted = next(fact for fact in desk.facts().values() if "cello" in fact.content)
    desk.clock.move(hours=1)
    desk.memories.edit_fact(lifted.id, salience=0.99)
    result = desk.consolidation.undo(run.id)
    assert desk.facts()[lifted.id].salience == 0.99
    assert result.kept == 2
    assert "2 changes left alone" in result.run.message
    assert {(one.change.ref_id, one.why) for one in result.left} == {(lifted.id, "its salience was changed since")}


def test_undo_says_what_is_gone_and_which_field_stays(desk):
    fill(desk)
    run = desk.consolidation.run(agent_id="ana").run
    joined = next(episode for episode in desk.episodes().values() if episode.source_count == 2)
    faded = next(fact for fact in desk.facts().values() if fact.status is FactStatus.BINNED)
    desk.write(lambda repos: repos.items.delete([faded.id]))
    later = rows.changed(joined, ended_at=joined.session.ended_at + timedelta(days=1))
    desk.write(lambda repos: repos.items.change(later, ["digest.ended_at"]))
    result = desk.consolidation.undo(run.id)
    told = {(one.change.action, one.change.ref_id, one.why, one.whole) for one in result.left}
    assert told == {
        ("evict", faded.id, "it is gone", True),
        ("merge", joined.id, "its end was changed since", False),
    }
    assert result.kept == 1
    assert result.run.message.endswith("1 change skipped: what it changed is gone.")
    back = desk.episodes()[joined.id]
    assert (back.source_count, back.session.ended_at) == (1, later.session.ended_at)


def test_a_chosen_part_of_a_preview_is_made_and_no_more(desk):
    fill(desk)
    preview = desk.consolidation.run(dry_run=True, agent_id="ana")
    wanted = {n for n, change in enumerate(preview.changes) if change.action in {"evict", "prune"}}
    result = desk.consolidation.run(only=wanted)
    assert {change.action for change in result.changes} == {"prune"} | {"evict"}
    assert len(result.changes) == 2


def test_all_of_a_preview_is_what_a_run_would_make(desk):
    fill(desk)
    preview = desk.consolidation.run(dry_run=True)
    result = desk.consolidation.run(only=set(range(len(preview.changes))))
    assert sorted(map(repr, result.changes)) == sorted(map(repr, preview.changes))
    assert result.run.message == ""
    # Nothing is left for a run of the whole.
    assert desk.consolidation.run().changes == ()


def test_a_chosen_change_that_builds_on_one_left_out_is_told(desk):
    fill(desk)
    preview = desk.consolidation.run(dry_run=True, agent_id="ana")
    [lifted] = [n for n, change in enumerate(preview.changes) if change.action == "promote"]
    result = desk.consolidation.run(only={lifted})
    assert result.changes == ()
    assert "1 chosen change not made" in result.run.message


def test_half_of_a_merge_is_not_made(desk):
    desk.fact(SAME, created_at=NOON - timedelta(hours=2))
    desk.fact(SAME + "!", created_at=NOON - timedelta(hours=1))
    preview = desk.consolidation.run(dry_run=True)
    assert len(preview.changes) == 2
    assert desk.consolidation.run(only={0}).changes == ()
    assert len(desk.consolidation.run(only={0, 1}, preview=preview.run.id).changes) == 2


def test_nothing_of_another_agent_changes(desk):
    fill(desk)
    desk.fact(SAME, agent_id="ben", created_at=NOON - timedelta(days=9))
    before = {key: rows for key, rows in everything(desk).items() if key[0] == "ben"}
    desk.consolidation.run(agent_id="ana")
    assert {key: rows for key, rows in everything(desk).items() if key[0] == "ben"} == before


def test_equal_facts_of_two_agents_stay_two(desk):
    desk.fact(SAME, agent_id="ana")
    desk.fact(SAME, agent_id="ben")
    assert desk.consolidation.run().changes == ()


def test_a_cancelled_run_keeps_what_is_done_and_can_be_undone(desk):
    fill(desk)
    before = everything(desk)
    stop = threading.Event()

    def progress(share, words):
        if words == "Merging duplicates":
            stop.set()

    result = desk.consolidation.run(cancel=stop, progress=progress)
    assert result.run.status == "cancelled"
    assert {change.action for change in result.changes} == {"decay"}
    desk.consolidation.undo(result.run.id)
    assert everything(desk) == before


def test_what_a_stopped_step_had_done_is_told(desk, monkeypatch):
    monkeypatch.setattr("memdesk.services.slices._FIRST", 2)
    monkeypatch.setattr("memdesk.services.slices._LARGEST", 2)
    fill(desk)
    stop = threading.Event()
    seen = []

    def progress(share, words):
        seen.append(words)
        if seen.count("Letting old memories fade") == 3:
            stop.set()

    result = desk.consolidation.run(agent_id="ana", cancel=stop, progress=progress)
    assert result.run.counts == {"decay": 4}
    assert desk.consolidation.changes(result.run.id).total == 4
    assert any(isinstance(event, MemoryChanged) for event in desk.events)


def test_events_and_indexes_are_told(desk):
    fill(desk)
    desk.events.clear()
    run = desk.consolidation.run(agent_id="ana").run
    seen = [event for event in desk.events if isinstance(event, RunChanged)]
    assert seen[0].status == "running"
    assert seen[-1].status == "done"
    assert [event.progress for event in seen] == sorted(event.progress for event in seen)
    assert {event.agent_id for event in desk.events if isinstance(event, MemoryChanged)} == {"ana"}
    gone = {kind: seqs for _, kind, seqs in desk.indexing.forgotten}
    assert len(gone["item"]) >= 2
    desk.indexing.noted.clear()
    desk.consolidation.undo(run.id)
    noted = {kind: seqs for _, kind, seqs in desk.indexing.noted}
    assert set(gone["item"]) <= set(noted["item"])


def test_the_bin_lists_restores_and_empties(desk):
    fill(desk)
    desk.consolidation.run()
    page = desk.consolidation.bin("ana")
    assert {item.text for item in page.items} == {"A faded remark about the weather", "A very old talk"}
    fact = next(item for item in page.items if item.kind == "fact")
    desk.clock.move(days=3)
    desk.consolidation.restore("fact", fact.id)
    back = desk.facts()[fact.id]
    assert back.status is FactStatus.ACTIVE
    # As it was when it left; its three days in the bin do not count.
    assert back.salience == pytest.approx(0.21 * math.exp(-(NOON - LONG_AGO).days / 30))
    assert back.decayed_at == desk.clock.now()
    with pytest.raises(NotFoundError):
        desk.consolidation.restore("fact", fact.id)
    old = next(item for item in page.items if item.kind == "episode")
    desk.clock.move(days=28)
    desk.consolidation.run()
    assert old.id not in desk.episodes()
    assert all(entry.old is None for entry in desk.history.of("episode", old.id) if entry.action == "prune")


def test_with_what_expires_go_its_duplicates_and_who_is_named_nowhere_else(desk):
    told = "They planned the trip to Lisbon and chose the night train over the plane"
    keeper = desk.episode(told, created_at=NOON - timedelta(days=300))
    twin = desk.episode(told + ".", created_at=NOON - timedelta(days=299))
    faded = desk.fact(SAME, created_at=LONG_AGO, salience=0.21)
    again = desk.fact(SAME + ".", created_at=LONG_AGO, salience=0.2)
    stays = desk.fact("The user sails with Rui", salience=1.0, user_pinned=True)

    def name(repos):
        for ref, kind, names in (
            (twin, "episode", ("Lisbon", "Rui")),
            (again, "fact", ("Porto",)),
            (stays, "fact", ("Rui",)),
        ):
            for each in names:
                entity = repos.entities.find("ana", each) or rows.entity(each)
                repos.entities.put(entity)
                repos.entities.link(entity.id, kind, ref.id)

    desk.write(name)
    desk.consolidation.run()
    assert desk.episodes()[twin.id].superseded_by == keeper.id
    desk.clock.move(days=100)
    desk.consolidation.run()
    assert keeper.id in desk.episodes()
    desk.clock.move(days=31)
    desk.consolidation.run()
    assert not desk.episodes()
    assert list(desk.facts()) == [stays.id]
    with desk.store.read() as repos:
        assert [entity.name for entity in repos.entities.page(agent_id="ana").items] == ["Rui"]
    desk.store.checkpoint()
    assert not desk.store.pages_holding([b"night train"])
    assert faded.id not in desk.facts()


def test_a_run_is_too_old_to_undo_after_thirty_days(desk):
    fill(desk)
    run = desk.consolidation.run().run
    desk.clock.move(days=31)
    with pytest.raises(ConflictError, match="30 days"):
        desk.consolidation.undo(run.id)
    desk.consolidation.run()
    assert desk.consolidation.changes(run.id).total == 0


def test_history_says_who_and_why(desk):
    fill(desk)
    run = desk.consolidation.run().run
    gone = next(fact for fact in desk.facts().values() if fact.status is FactStatus.MERGED)
    [entry] = desk.history.of("fact", gone.id)
    assert (entry.action, entry.actor, entry.actor_detail) == ("merge", "consolidator", run.id)
    assert entry.new["status"] == "merged"
    assert "of the words shared" in entry.reason


def test_sources_are_joined_and_taken_apart(desk):
    first, second = desk.thread("one", SAME)[0], desk.thread("two", SAME)[0]
    older = desk.said(first, SAME, created_at=NOON - timedelta(days=2))
    desk.said(second, SAME, created_at=NOON - timedelta(days=1))
    run = desk.consolidation.run().run
    kept = desk.facts()[older.id]
    assert kept.sources == (FactSource(turn_id=first.id, quote=SAME), FactSource(turn_id=second.id, quote=SAME))
    assert kept.source_count == 2
    desk.consolidation.undo(run.id)
    assert desk.facts()[older.id] == older


def test_the_schedule(desk):
    service = desk.consolidation
    fill(desk)
    desk.settings.set_memory(consolidation_interval_hours=24)
    assert service.run_if_due() is None
    assert service.schedule().at == NOON + timedelta(hours=24)
    desk.clock.move(hours=24, minutes=5)
    first = service.run_if_due()
    assert first.run.trigger == "schedule"
    desk.clock.move(hours=60)
    late = service.run_if_due()
    assert late.run.trigger == "catch_up"
    assert service.run_if_due() is None
    desk.settings.set_memory(enabled=False)
    desk.clock.move(hours=30)
    assert service.run_if_due() is None
    assert service.next_run()["waiting"] == "Memory is off."


def test_an_unknown_agent_or_run_is_told(desk):
    with pytest.raises(NotFoundError):
        desk.consolidation.run(agent_id="nobody")
    with pytest.raises(NotFoundError):
        desk.consolidation.undo("nothing")
    with pytest.raises(ConflictError, match="preview"):
        desk.consolidation.run(only={1})


def test_what_the_user_wrote_neither_fades_nor_merges_nor_leaves(desk):
    long_ago = desk.clock.now() - timedelta(days=400)
    fields = {"origin": "user", "salience": 0.05, "created_at": long_ago}
    own = desk.fact("The spare key is under the mat.", **fields)
    twin = desk.fact("The spare key is under the mat.", **fields)
    desk.fact("The spare key is under the mat.", **fields | {"origin": "distiller"})
    desk.consolidation.run()
    after = desk.facts()
    for fact in (own, twin):
        assert (after[fact.id].status, after[fact.id].salience) == (FactStatus.ACTIVE, 0.05)


def test_a_fact_that_the_user_corrects_by_hand_is_the_users_own(desk):
    fact = desk.fact("The sister is called Anna.")
    history = HistoryService(store=desk.store, clock=desk.clock, events=desk.bus)
    edited = desk.memories.edit_fact(fact.id, content="The sister is called Hanna.")
    assert (edited.origin, edited.lasts) == ("user", True)
    (entry, *_) = history.page(ref_id=fact.id).items
    history.take_back(entry.id)
    assert desk.memories.fact(fact.id).origin == "distiller"
