"""Takes a run back, the last change first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from memdesk.domain.models import Run, RunChange
from memdesk.services.run_apply import undo, way_back

if TYPE_CHECKING:
    from memdesk.ports import Repositories, Store
    from memdesk.services.run_slices import Hold, Slices


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoResult:
    """What an undo did.

    Attributes:
        run: as it is now.
        restored: changes that were taken back.
        kept: changes whose rows were changed by others since, or are gone, and were left as they are.
        changes: the changes that were gone through.
    """

    run: Run
    restored: int
    kept: int
    changes: tuple[RunChange, ...]
    #: how long each slice held the writer.
    holds: tuple[Hold, ...] = ()


def take_back(store: Store, slices: Slices, run: Run, now: datetime, between: Callable[[int], None]) -> UndoResult:
    """Take every change of a run back, in slices, from the last to the first.

    How far it has come is stored with each slice, so that going on after a kill repeats nothing.
    """
    key = f"undo:{run.id}"
    changes = list(reversed(all_changes(store, run.id)))
    with store.read() as repos:
        progress = repos.meta.get(key) or {"done": 0, "restored": 0}
    done, restored = int(progress["done"]), int(progress["restored"])

    def work(repos: Repositories, part: Sequence[RunChange]) -> None:
        nonlocal done, restored
        restored += undo(repos, run.id, part, now)
        done += len(part)
        repos.meta.put(key, {"done": done, "restored": restored})

    # Changes alike are taken back together: what a slice of decay costs says nothing about one of merged episodes.
    for _, alike in groupby(changes[done:], key=_likeness):
        for _ in slices.over(list(alike), work, between=lambda _number: between(done)):
            pass
    kept = len(changes) - restored
    words = f"{restored} changes were taken back."
    if kept:
        words += f" {kept} were left as they are: something else has changed them since."
    undone = replace(run, status="undone", undone_at=now, message=words)

    def finish(repos: Repositories) -> None:
        repos.runs.put(undone)
        repos.meta.put(key, None)

    store.write(finish)
    return UndoResult(run=undone, restored=restored, kept=kept, changes=tuple(changes), holds=tuple(slices.holds))


def _likeness(change: RunChange) -> tuple[str, str, bool]:
    return way_back(change), change.kind, change.action == "promote"


def all_changes(store: Store, run_id: str) -> list[RunChange]:
    """Return the whole stored diff of a run, in the order it was made."""
    found: list[RunChange] = []
    cursor: str | None = None
    with store.read() as repos:
        while True:
            page = repos.runs.changes(run_id, limit=2000, cursor=cursor)
            found += page.items
            cursor = page.next
            if cursor is None:
                return found
