"""Undoes a run, last change first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from memdesk.domain.ageing.changes import changed_since, taken_back, written
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import HistoryEntry, Run, RunChange, every
from memdesk.messages import say
from memdesk.ports import Repositories, Store
from memdesk.services import journal
from memdesk.services.slices import Hold, Slices
from memdesk.services.upkeep.applying import Rows, set_salience, set_status, status_entry, way_back

#: Fields with another name in sentences.
_SAID = {"started_at": "start", "ended_at": "end"}


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """A change not, or not fully, undone.

    Attributes:
        whole: whether nothing of it was undone; else some fields.
        gone: whether its row is gone.
    """

    change: RunChange
    why: str
    whole: bool
    gone: bool = False


def undo(repos: Repositories, run_id: str, changes: Sequence[RunChange], now: datetime) -> list[LeftAlone]:
    """Undo changes of one :func:`way_back`, last one first; return what could not be undone.

    Fields changed by something else since are left alone. Idempotent.
    """
    match way_back(changes[0]):
        case "ageing":
            done = set_salience(repos, changes, forwards=False)
        case "eviction":
            done = _undo_evictions(repos, run_id, changes, now)
        case "row":
            return _undo_rows(repos, run_id, changes, now)
    if len(done) == len(changes):
        return []
    taken = {id(change) for change in done}
    left = [change for change in changes if id(change) not in taken]
    rows = Rows(repos, left)
    return [_left(change, rows.of(change)) for change in left]


def _left(change: RunChange, row: MemoryItem | None) -> LeftAlone:
    if row is None:
        return LeftAlone(change, "it is gone", whole=True, gone=True)
    names = changed_since(row, change.after or {})
    return LeftAlone(change, _why(names) if names else "it was changed since", whole=True)


def _why(names: Sequence[str]) -> str:
    words = " and ".join(_SAID.get(name, name.replace("_", " ")) for name in names)
    return f"its {words} {'was' if len(names) == 1 else 'were'} changed since"


def _undo_rows(repos: Repositories, run_id: str, changes: Sequence[RunChange], now: datetime) -> list[LeftAlone]:
    rows = Rows(repos, changes)
    entries: list[HistoryEntry] = []
    binned: list[tuple[str, str]] = []
    left: list[LeftAlone] = []
    for change in changes:
        old = rows.of(change)
        before, after = change.before or {}, change.after or {}
        new = old and taken_back(old, before, after)
        if old is None or new is None or new == old:
            left.append(_left(change, old))
            continue
        if names := changed_since(old, after):
            left.append(LeftAlone(change, _why(names), whole=False))
        rows.change(new, written(new, before))
        if change.action in {"evict", "prune"}:
            binned.append((change.kind, change.ref_id))
        reason = say("{action} taken back", action=change.action)
        entries.append(journal.change(old, new, "undo", at=now, actor="user", actor_detail=run_id, reason=reason))
    repos.runs.bin_delete(binned)
    repos.history.add(entries)
    return left


def _undo_evictions(repos: Repositories, run_id: str, changes: Sequence[RunChange], now: datetime) -> list[RunChange]:
    done = set_status(repos, changes, forwards=False)
    repos.runs.bin_delete([(change.kind, change.ref_id) for change in done])
    back = [
        replace(change, before=change.after, after=change.before, reason=say("evict taken back")) for change in done
    ]
    entries = [status_entry(change, run_id, now) for change in back]
    repos.history.add([replace(entry, action="undo", actor="user") for entry in entries])
    return done


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoResult:
    """The result of an undo.

    Attributes:
        kept: changes left alone because their rows were changed since, or are gone.
        changes: the changes processed.
        left: what was left alone, and why: changes, or fields of changes. After resuming a killed undo, only of the
            rest.
        holds: how long each slice held the writer.
    """

    run: Run
    restored: int
    kept: int
    changes: tuple[RunChange, ...]
    left: tuple[LeftAlone, ...] = ()
    holds: tuple[Hold, ...] = ()


def take_back(store: Store, slices: Slices, run: Run, now: datetime, between: Callable[[int], None]) -> UndoResult:
    """Undo every change of a run, in slices, from last to first.

    Progress is stored with each slice, so that resuming after a kill repeats nothing.
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

    # Similar changes are grouped: the cost of a slice of decay says nothing about merged episodes.
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
    words = say("{n:change} undone.", n=restored)
    if kept > gone:
        words = words + " " + say("{n:change} left alone: something else has come after.", n=kept - gone)
    if gone:
        words = words + " " + say("{n:change} skipped: what it changed is gone.", n=gone)
    return words


def _likeness(change: RunChange) -> tuple[str, str, bool]:
    return way_back(change), change.kind, change.action == "promote"


def all_changes(store: Store, run_id: str) -> list[RunChange]:
    """Return the whole stored diff of a run, in order."""
    with store.read() as repos:
        return list(every(repos.runs.changes, run_id, limit=2000))
