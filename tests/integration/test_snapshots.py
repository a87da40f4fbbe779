"""Daily snapshots: automatic, verified, thinned out, restored, and deleted with what was forgotten."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memdesk.bootstrap.throwaway import throwaway
from memdesk.cli.main import run
from memdesk.services.forgetting.forgetting import ForgetTarget, ForgettingService
from memdesk.services.guarding.snapshots import Snapshot, SnapshotService, surplus
from memdesk.settings.paths import profile_paths

BEGIN = datetime(2026, 1, 1, 12, tzinfo=UTC)
MEGABYTE = 1_000_000


@pytest.fixture
def app(tmp_path):
    with throwaway(tmp_path / "profile", embedder=lambda: None) as made:
        yield made


@pytest.fixture
def snapshots(app, tmp_path):
    """The service over the same folder, with a clock that is set by hand."""
    return SnapshotService(
        backup=app.services.backup,
        folder=profile_paths(home=tmp_path / "profile").snapshots,
        settings=app.services.settings,
        clock=FixedClock(),
    )


class FixedClock:
    def __init__(self):
        self.time = BEGIN

    def now(self):
        return self.time


def test_one_a_day_is_kept_and_verified(app, snapshots):
    app.services.memories.add_fact(agent_id=make_agent(app), content="The user keeps bees.")
    report = snapshots.keep_if_due()
    assert report.verified
    assert report.counts["facts"] == 1
    snapshots._clock.time += timedelta(hours=23)
    assert snapshots.keep_if_due() is None
    snapshots._clock.time += timedelta(hours=2)
    assert snapshots.keep_if_due() is not None
    assert len(snapshots.all()) == 2


def make_agent(app):
    return app.services.agents.ensure("ana").id


def test_a_clock_set_back_does_not_stop_them(snapshots):
    snapshots.keep_if_due()
    snapshots._clock.time -= timedelta(days=400)
    assert snapshots.keep_if_due() is not None


def test_none_is_made_where_none_is_wanted(app, snapshots):
    app.services.settings.update("memory", {"snapshots": False})
    assert snapshots.keep_if_due() is None
    assert snapshots.all() == []


@pytest.mark.expect_log
def test_a_folder_that_refuses_harms_nothing_and_is_tried_again_later(snapshots, tmp_path):
    in_the_way = profile_paths(home=tmp_path / "profile").snapshots
    in_the_way.write_text("a file where the folder should be")
    assert snapshots.keep_if_due() is None
    in_the_way.unlink()
    snapshots._clock.time += timedelta(minutes=5)
    assert snapshots.keep_if_due() is None
    snapshots._clock.time += timedelta(hours=1)
    assert snapshots.keep_if_due() is not None


def test_forgetting_drops_those_made_before(app, snapshots):
    fact = app.services.memories.add_fact(agent_id=make_agent(app), content="The user keeps bees.")
    snapshots.keep_if_due()
    app.services.forgetting.forget(ForgetTarget(kind="fact", ids=(fact.id,), agent_id="ana"))
    assert snapshots.all() == []


class Killed(BaseException):
    """In place of a kill."""


def test_they_are_gone_before_anything_is_erased(app, snapshots, monkeypatch):
    """Killed right after the row is gone, a copy that still held it would bring it back."""
    fact = app.services.memories.add_fact(agent_id=make_agent(app), content="The user keeps bees.")
    snapshots.keep_if_due()

    def killed(*_given):
        raise Killed

    monkeypatch.setattr(ForgettingService, "_at_once", killed)
    with pytest.raises(Killed):
        app.services.forgetting.forget(ForgetTarget(kind="fact", ids=(fact.id,), agent_id="ana"))
    assert snapshots.all() == []


def test_the_command_line_lists_them(app, snapshots, tmp_path, capsys):
    snapshots.keep_if_due()
    assert run(["--home", str(tmp_path / "profile"), "--json", "restore", "--list"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["made_at"] == BEGIN.isoformat()
    assert Path(row["file"]).stat().st_size == row["bytes"]


def daily(days, size=MEGABYTE):
    """Snapshots of so many days, the newest first."""
    return [Snapshot(Path(f"{number}.memdesk-backup"), BEGIN - timedelta(days=number), size) for number in range(days)]


def kept(found, room=10_000 * MEGABYTE):
    gone = {one.path for one in surplus(found, room)}
    return [one for one in found if one.path not in gone]


def test_days_weeks_and_months_are_kept():
    left = kept(daily(800))
    ages = [(BEGIN - one.made_at).days for one in left]
    assert ages[:7] == list(range(7))
    assert len(left) <= 7 + 4 + 12
    assert max(ages) > 300
    assert len({one.made_at.strftime("%Y-%m") for one in left}) == 12


def test_the_oldest_go_where_room_is_short_and_the_newest_never():
    assert len(kept(daily(7), room=3 * MEGABYTE)) == 3
    assert [one.made_at for one in kept(daily(7, size=10 * MEGABYTE), room=MEGABYTE)] == [BEGIN]
