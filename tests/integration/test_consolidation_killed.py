"""Killed in the middle of any step, consolidation ends where an undisturbed run ends."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memdesk.services.upkeep.consolidation import _SAYS
from tests.helpers.memory_rows import Desk
from tests.integration.test_consolidation import everything, fill

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A folder with a filled store, and what an undisturbed run makes of it."""
    folder = tmp_path_factory.mktemp("filled")
    desk = Desk(folder, agents=("ana", "ben"))
    fill(desk)
    before = everything(desk)
    desk.close()
    other = tmp_path_factory.mktemp("undisturbed")
    shutil.copy(folder / "memory.db", other / "memory.db")
    desk = Desk(other, agents=())
    run = desk.consolidation.run().run
    after, counts = everything(desk), run.counts
    desk.close()
    return folder, before, after, counts


def kill(folder: Path, *arguments: str) -> None:
    program = [sys.executable, "-m", "tests.helpers.killed_run", str(folder), *arguments]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr


def copy_of(filled, tmp_path) -> Path:
    shutil.copy(filled[0] / "memory.db", tmp_path / "memory.db")
    return tmp_path


@pytest.mark.parametrize(("step", "nth"), [("decay", 3), ("merge", 2), ("promote", 1), ("evict", 1), ("prune", 1)])
def test_a_run_killed_in_a_step_is_taken_up(filled, tmp_path, step, nth):
    _, before, after, counts = filled
    folder = copy_of(filled, tmp_path)
    kill(folder, "run", _SAYS[step], str(nth))
    desk = Desk(folder, agents=())
    try:
        [broken] = desk.consolidation.runs().items
        assert broken.status == "running"
        if step != "decay":
            assert everything(desk) != before
        assert desk.consolidation.schedule().overdue
        result = desk.consolidation.run()
        assert result.run.id == broken.id
        assert result.run.status == "done"
        assert result.run.counts == counts
        assert everything(desk) == after
        assert desk.consolidation.undo(result.run.id).kept == 0
        assert everything(desk) == before
    finally:
        desk.close()


@pytest.mark.parametrize("nth", [0, 4, 9])
def test_an_undo_that_was_killed_goes_on_where_it_was(filled, tmp_path, nth):
    _, before, after, _ = filled
    folder = copy_of(filled, tmp_path)
    desk = Desk(folder, agents=())
    run = desk.consolidation.run().run
    desk.close()
    kill(folder, "undo", "", str(nth))
    desk = Desk(folder, agents=())
    try:
        assert (everything(desk) == after) is (nth == 0)
        assert desk.consolidation.undo(run.id).kept == 0
        assert everything(desk) == before
    finally:
        desk.close()
