"""Takes a run back, the last change first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from memdesk.domain.models import Run, RunChange, every
from memdesk.messages import say
from memdesk.ports import Repositories, Store
from memdesk.services.slices import Hold, Slices
from memdesk.services.upkeep.applying import way_back
from memdesk.services.upkeep.reverting import LeftAlone, undo


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoResult:
    """What an undo did.

    Attributes:
        kept: changes whose rows were changed by others since, or are gone, and were left as they are.
        changes: the changes that were gone through.
        left: what was left as it is, and why: changes, or fields of changes. Of an undo that was killed on the way
            and goes on, what the rest of it left.
        holds: how long each slice held the writer.
    """

    run: Run
    restored: int
    kept: int
    changes: tuple[RunChange, ...]
    left: tuple[LeftAlone, ...] = ()
    holds: tuple[Hold, ...] = ()


def take_back(store: Store, slices: Slices, run: Run, now: datetime, between: Callable[[int], None]) -> UndoResult:
    """Take every change of a run back, in slices, from the last to the first.

    How far it has come is stored with each slice, so that going on after a kill repeats nothing.
    """
    key = f"undo:{run.id}"
    changes = list(reversed(all_changes(store, run.id)))
    with store.read() as repos:
        progress = {"done": 0, "restored": 0, "gone": 0} | (repos.meta.get(key) or {})
    left: list[LeftAlone] = []

    def work(repos: Repositories, part: Sequence[RunChange]) -> None:
        alone = undo(repos, run.id, part, now)
        progress["done"] += len(part)
        progress["restored"] += len(part) - sum(one.whole for one in alone)
        progress["gone"] += sum(one.gone for one in alone)
        repos.meta.put(key, progress)
        left.extend(alone)

    # Changes alike are taken back together: what a slice of decay costs says nothing about one of merged episodes.
    for _, alike in groupby(changes[progress["done"] :], key=_likeness):
        for _ in slices.over(list(alike), work, between=lambda _number: between(progress["done"])):
            pass
    restored = progress["restored"]
    kept = len(changes) - restored
    words = _told(restored, kept, progress["gone"])
    undone = replace(run, status="undone", undone_at=now, message=words)

    def finish(repos: Repositories) -> None:
        repos.runs.put(undone)
        repos.meta.put(key, None)

    store.write(finish)
    return UndoResult(
        run=undone, restored=restored, kept=kept, changes=tuple(changes), left=tuple(left), holds=tuple(slices.holds)
    )


def _told(restored: int, kept: int, gone: int) -> str:
    words = say("{n:change} taken back.", n=restored)
    if kept > gone:
        words = words + " " + say("{n:change} left alone: something else has come after.", n=kept - gone)
    if gone:
        words = words + " " + say("{n:change} skipped: what it changed is gone.", n=gone)
    return words


def _likeness(change: RunChange) -> tuple[str, str, bool]:
    return way_back(change), change.kind, change.action == "promote"


def all_changes(store: Store, run_id: str) -> list[RunChange]:
    """Return the whole stored diff of a run, in the order it was made."""
    with store.read() as repos:
        return list(every(repos.runs.changes, run_id, limit=2000))
