"""The consolidation page: preview by kind and by group, long diffs, other runs, and what it is waiting for."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt

from memdesk.domain.models import FactStatus, Run, new_id
from memdesk.errors import CancelledError, NotFoundError
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.services.events import RunChanged
from memdesk.services.forgetting.forgetting import ForgetTarget
from tests.helpers.person import Person


@pytest.fixture
def page(desk):
    desk.page("consolidation")
    desk.rest()
    return desk.window.host.page("consolidation")


def aged(desk, content, *, salience=0.6, days=10):
    """A fact that was learned and last touched so long ago; its words may be those of another one."""
    memories = desk.real.memories
    fact = memories.add_fact(agent_id="default", content=f"Line {new_id()}", actor="distiller")
    then = desk.real.clock.now() - timedelta(days=days)
    old = replace(
        memories.fact(fact.id),
        content=content,
        statement=None,
        salience=salience,
        decayed_at=then,
        updated_at=then,
        created_at=then,
    )
    memories._store.write(lambda repos: repos.items.put(old))
    return old


def words(page):
    return [label.text() for label in page.findChildren(Label) if label.isVisibleTo(page)]


def words_of_chips(page):
    return [chip.text() for chip in page.findChildren(Chip) if chip.isVisibleTo(page)]


def shown(model):
    return [[model.index(row, column).data() for column in range(4)] for row in range(model.rowCount())]


def test_a_joining_is_checked_as_a_whole_and_kinds_are_shown_apart(desk, page):
    for _ in range(2):
        aged(desk, "The greenhouse has nine panes of old glass.", days=0)
    aged(desk, "The boat is called Petrel.")
    page.preview()
    desk.rest()
    model = page.diff.model
    kinds = [row[1] for row in shown(model)]
    assert kinds.count("merged") == 2
    assert kinds.count("faded") >= 1
    merged = kinds.index("merged")
    everything = model.count_checked()
    model.setData(model.index(merged, 0), Qt.CheckState.Unchecked.value, Qt.ItemDataRole.CheckStateRole)
    assert model.count_checked() == everything - 2
    page.diff.kind.set_key("merge")
    page.diff.kind.chosen.emit("merge")
    assert [row[1] for row in shown(model)] == ["merged", "merged"]
    assert page.diff.all.text() == "Check all"
    page.diff._toggle_all()
    assert model.count_checked() == everything
    page.diff._toggle_all()
    assert model.count_checked() == everything - 2
    # In words, not as the database says it.
    assert {cell for row in shown(model) for cell in row[2:]} <= {
        "Active",
        "Merged",
        "1 sources",
        "2 sources",
        "1 source",
    }
    page.diff.apply.click()
    desk.rest()
    assert desk.real.consolidation.runs(1).items[0].counts.get("merge", 0) == 0
    assert any("faded" in text for text in words(page))


def test_a_long_diff_is_read_to_its_end(desk, page):
    memories = desk.real.memories
    made = [aged(desk, "The boat is called Petrel.")]
    facts = [
        replace(made[0], id=new_id(), content=f"Boat number {n} has a name of its own: {new_id()}.") for n in range(700)
    ]
    memories._store.write(lambda repos: repos.items.put_many(facts))
    page.run_now()
    desk.rest()
    run = desk.real.consolidation.runs(1).items[0]
    assert run.counts["decay"] == 701
    page._open(run)
    desk.rest()
    model = page.diff.model
    assert model.rowCount() == 500
    assert "…" not in [row[0] for row in shown(model)]
    model.fetchMore(model.index(-1, -1))
    desk.rest()
    assert model.rowCount() == 701
    assert not model.canFetchMore(model.index(-1, -1))
    assert len({row[0] for row in shown(model)}) == 701


def test_a_preview_says_what_rows_in_sight_are(desk, page):
    memories = desk.real.memories
    one = aged(desk, "The boat is called Petrel.")
    facts = [
        replace(one, id=new_id(), content=f"Boat number {n} has a name of its own: {new_id()}.") for n in range(700)
    ]
    memories._store.write(lambda repos: repos.items.put_many(facts))
    page.preview()
    desk.rest()
    model = page.diff.model
    desk.real.forgetting.forget(ForgetTarget(kind="fact", ids=(model._changes[650].ref_id,)))
    assert model.index(600, 0).data() == "…"
    assert model.index(650, 0).data() == "…"
    desk.settle()
    assert model.index(600, 0).data().startswith("Boat number")
    assert model.index(650, 0).data() == "Forgotten since"


class Held:
    """Holds whatever consolidation does at the moment it tells of ``words``, until ``go`` is set."""

    def __init__(self, desk, words):
        self.go = threading.Event()
        self.there = threading.Event()
        self._words = words
        desk.real.events.subscribe(RunChanged, self._hold)

    def _hold(self, event):
        if event.status == "running" and event.message == self._words:
            self.there.set()
            assert self.go.wait(60)


@pytest.mark.parametrize(
    ("begun", "words"),
    [
        ({"trigger": "schedule"}, "Letting old memories fade"),
        ({"trigger": "api", "dry_run": True}, "Looking at what would change"),
    ],
    ids=["by the schedule", "a preview of a program"],
)
def test_work_that_others_began_is_shown_and_stopped_from_the_page(desk, page, begun, words):
    for number in range(4):
        aged(desk, f"Boat number {number} has a name of its own.")
    held = Held(desk, words)
    work = desk.real.lanes.submit("background", lambda: desk.real.consolidation.run(**begun))
    desk.qtbot.waitUntil(lambda: page.doing.text() == words)
    assert not page.progress.isHidden()
    assert not page.now.isEnabled()
    page.cancel.click()
    assert page.doing.text() == "Stopping…"
    assert not page.cancel.isEnabled()
    desk.qtbot.waitUntil(desk.real.consolidation._current.stop.is_set)
    held.go.set()
    desk.qtbot.waitUntil(work.done)
    desk.rest()
    assert page.progress.isHidden()
    assert page.now.isEnabled()
    if work.exception() is not None:
        assert isinstance(work.exception(), CancelledError)
        assert desk.real.consolidation.runs().items == []
    else:
        assert work.result().run.status == "cancelled"
        assert "stopped" in words_of_chips(page)
    # It can be run again, and stopped again.
    page.run_now()
    assert page.cancel.isEnabled()
    desk.rest()
    assert desk.real.consolidation.runs().items[0].status == "done"


def test_a_page_opened_while_a_pass_goes_on_shows_it(desk):
    aged(desk, "The boat is called Petrel.")
    held = Held(desk, "Letting old memories fade")
    work = desk.real.lanes.submit("background", lambda: desk.real.consolidation.run(trigger="schedule"))
    desk.qtbot.waitUntil(held.there.is_set)
    desk.page("consolidation")
    page = desk.window.host.page("consolidation")
    desk.qtbot.waitUntil(lambda: page.progress.isVisible() and page.cancel.isVisible())
    assert page.doing.text() == "Letting old memories fade"
    assert page.bar.value() == 40
    # It is no past run yet.
    desk.rest()
    assert any(text.startswith("None yet.") for text in words(page))
    held.go.set()
    desk.qtbot.waitUntil(work.done)
    desk.qtbot.waitUntil(page.progress.isHidden)


def test_a_run_that_a_kill_interrupted_says_so(desk, page):
    run = Run(id=new_id(), trigger="schedule", status="running", started_at=desk.real.clock.now())
    desk.real.memories._store.write(lambda repos: repos.runs.put(run))
    page.reload()
    desk.rest()
    assert words_of_chips(page) == ["interrupted"]
    assert "The next run goes on with it." in words(page)


def test_an_undo_keeps_other_runs_waiting_and_the_page_follows(desk, page):
    fact = aged(desk, "The boat is called Petrel.", salience=0.25, days=200)
    page.run_now()
    desk.rest()
    assert desk.real.memories.fact(fact.id).status is FactStatus.BINNED
    assert "The boat is called Petrel." in words(page)
    page._undo(desk.real.consolidation.runs(1).items[0])
    assert not page.progress.isHidden()
    assert not page.now.isEnabled()
    desk.rest()
    assert page.progress.isHidden()
    assert desk.real.memories.fact(fact.id).status is FactStatus.ACTIVE
    assert "undone" in " ".join(desk.window.notices.recent[-1].title.lower().split())


def test_many_runs_are_shown_bit_by_bit_and_the_schedule_in_words(desk, page):
    now = desk.real.clock.now()
    runs = [
        Run(id=new_id(), trigger="schedule", status="done", started_at=now - timedelta(hours=n + 1)) for n in range(30)
    ]
    desk.real.memories._store.write(lambda repos: [repos.runs.put(run) for run in runs])
    page.enter()
    desk.rest()
    changes = [b for b in page.findChildren(Button) if b.text() == "Changes" and b.isVisibleTo(page)]
    assert len(changes) == 20
    assert any("automatic" in text for text in words(page))
    next(b for b in page.findChildren(Button) if b.text() == "Show 10 more").click()
    desk.rest()
    assert len([b for b in page.findChildren(Button) if b.text() == "Changes" and b.isVisibleTo(page)]) == 30
    assert "24" in page.why.text()
    kept = next(b for b in page.findChildren(Button) if b.text() == "Changes" and b.isVisibleTo(page))
    page.reload()
    desk.rest()
    assert kept in page.findChildren(Button)
    desk.real.settings.update("memory", {"enabled": False})
    desk.real.settings.update("memory", {"consolidation_interval_hours": 1})
    late = replace(runs[0], id=new_id(), started_at=now - timedelta(hours=5))
    desk.real.memories._store.write(
        lambda repos: [repos.runs.put(replace(run, started_at=now - timedelta(days=9))) for run in (*runs, late)]
    )
    page.reload()
    desk.rest()
    assert page.next.text().startswith("Was due")
    assert page.why.text().startswith("Waiting:")


def test_the_bin_is_emptied_and_no_undoing_brings_back_what_was_in_it(desk, page):
    old = aged(desk, "The boat is called Petrel.", salience=0.1, days=60)
    result = desk.real.consolidation.run()
    person = Person(desk)
    page.reload()
    person.await_text("The boat is called Petrel.")
    person.press("Empty the bin")
    person.press("Empty the bin")
    person.await_text("The bin is empty")
    assert "Empty." in person.text()
    assert "Petrel" not in person.text()
    with pytest.raises(NotFoundError):
        desk.real.memories.fact(old.id)
    assert desk.real.consolidation.undo(result.run.id).restored == 0
    with pytest.raises(NotFoundError):
        desk.real.memories.fact(old.id)


def test_a_run_is_told_whole_in_large_text(desk):
    aged(desk, "The boat is called Petrel.", salience=0.1, days=60)
    desk.real.settings.update("appearance", {"font_scale": 200})
    desk.window.resize(1000, 760)
    desk.real.consolidation.run()
    page = desk.page("consolidation")
    desk.settle()
    told = [label for label in page.findChildren(Label) if "started by you" in label.text()]
    assert told
    for label in told:
        needed = label.heightForWidth(label.width()) if label.wordWrap() else label.sizeHint().height()
        assert label.height() >= needed
        assert label.wordWrap() or label.width() >= label.sizeHint().width()
