"""Takes changes back inside one write, and says what it left alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memdesk.domain.ageing.changes import changed_since, taken_back, written
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import HistoryEntry, RunChange
from memdesk.messages import say
from memdesk.ports import Repositories
from memdesk.services import journal
from memdesk.services.upkeep.applying import Rows, set_salience, set_status, status_entry, way_back

#: Fields that are called otherwise in a sentence.
_SAID = {"started_at": "start", "ended_at": "end"}


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """A change that was not taken back, or not all of it.

    Attributes:
        whole: whether nothing of it was taken back; else some fields.
        gone: whether its row is no more.
    """

    change: RunChange
    why: str
    whole: bool
    gone: bool = False


def undo(repos: Repositories, run_id: str, changes: Sequence[RunChange], now: datetime) -> list[LeftAlone]:
    """Take changes that :func:`way_back` calls the same back, the last one first; return what could not be.

    A field that something else has changed since is left as it is. Doing it twice is doing it once.
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
