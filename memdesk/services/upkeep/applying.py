"""Applies planned changes within one write."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Literal

from memdesk.domain.ageing.changes import diff, matches, written
from memdesk.domain.ageing.consolidation import Group, alone
from memdesk.domain.ageing.merging import merged_episode, merged_fact
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactStatus, HistoryEntry, RunChange, new_id
from memdesk.messages import stored
from memdesk.ports import Repositories, SalienceRow, StatusRow
from memdesk.services import journal

#: How long a run can be undone and its removals stay in the bin.
UNDO_DAYS: Final = 30


_BINNING = frozenset({"status", "reason", "updated_at"})
_AGEING = frozenset({"salience", "decayed_at", "promoted_at"})


class Rows:
    """The rows of a slice, read once and kept in sync with its writes."""

    def __init__(self, repos: Repositories, changes: Sequence[RunChange]) -> None:
        self._repos = repos
        ids = dict.fromkeys(change.ref_id for change in changes)
        self._rows = {row.id: row for row in repos.items.many(list(ids))}

    def of(self, change: RunChange) -> MemoryItem | None:
        return self._rows.get(change.ref_id)

    def change(self, row: MemoryItem, names: Collection[str]) -> None:
        self._repos.items.change(row, names)
        self._rows[row.id] = row


def is_eviction(change: RunChange) -> bool:
    """Return whether a change only moves a fact to the bin."""
    return change.action == "evict" and _BINNING.issuperset(change.before or ())


def is_ageing(change: RunChange) -> bool:
    """Return whether a change only touches salience and its marks."""
    return _AGEING.issuperset(change.before or ())


def way_back(change: RunChange) -> Literal["ageing", "eviction", "row"]:
    """Return how to undo a change: by salience only, by status only, or by the whole row."""
    return "ageing" if is_ageing(change) else "eviction" if is_eviction(change) else "row"


def apply_ageing(repos: Repositories, run_id: str, groups: Sequence[Group], now: datetime) -> list[RunChange]:
    """Set saliences as planned, where unchanged since planning; return what was done."""
    changes = [change for group in groups for change in group]
    done = set_salience(repos, changes, forwards=True)
    repos.runs.add_blocks(run_id, done)
    # Decay is in the run's diff and a fact's curve; a daily row per fact would flood the history.
    lifted = [change for change in done if change.action == "promote"]
    repos.history.add([_entry(change, run_id, now, "salience") for change in lifted])
    return done


def set_salience(repos: Repositories, changes: Sequence[RunChange], *, forwards: bool) -> list[RunChange]:
    """Apply or undo changes of salience, where it is as expected; return the applied ones."""
    rows = [_salience_row(change, forwards=forwards) for change in changes]
    if repos.items.set_salience(rows) == len(rows):
        return list(changes)
    now_there = {item.id: item.salience for item in repos.items.many([row.id for row in rows], details=False)}
    return [change for change, row in zip(changes, rows, strict=True) if now_there.get(row.id) == row.salience]


def _salience_row(change: RunChange, *, forwards: bool) -> SalienceRow:
    before, after = change.before or {}, change.after or {}
    old, new = (before, after) if forwards else (after, before)
    return SalienceRow(
        id=change.ref_id,
        salience=new["salience"],
        decayed_at=_read(new["decayed_at"]),
        expected=old["salience"],
        promoted_at=_read(new.get("promoted_at")),
        keep_promoted="promoted_at" not in new,
    )


def _read(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def apply_evictions(repos: Repositories, run_id: str, groups: Sequence[Group], now: datetime) -> list[RunChange]:
    """Move facts to the bin as planned, where unchanged since planning; return what was done."""
    done = set_status(repos, [change for group in groups for change in group], forwards=True)
    # A fact's old reason may contain text that forgetting must find.
    repos.runs.add_blocks(run_id, [change for change in done if not (change.before or {})["reason"]])
    repos.runs.add_changes(run_id, [change for change in done if (change.before or {})["reason"]])
    repos.runs.bin_add(
        run_id,
        [(change.kind, change.ref_id, change.agent_id, {"reason": stored(change.reason)}) for change in done],
        now + timedelta(days=UNDO_DAYS),
    )
    repos.history.add([status_entry(change, run_id, now) for change in done])
    return done


def set_status(repos: Repositories, changes: Sequence[RunChange], *, forwards: bool) -> list[RunChange]:
    """Apply or undo evictions, where the fact is as expected; return the applied ones."""
    rows = []
    for change in changes:
        before, after = change.before or {}, change.after or {}
        old, new = (before, after) if forwards else (after, before)
        rows.append(
            StatusRow(
                id=change.ref_id,
                status=FactStatus(new["status"]),
                reason=new["reason"],
                updated_at=datetime.fromisoformat(new["updated_at"]),
                expected_status=FactStatus(old["status"]),
                expected_updated_at=datetime.fromisoformat(old["updated_at"]),
            )
        )
    if repos.items.set_status(rows) == len(rows):
        return list(changes)
    there = {fact.id: (fact.status, fact.updated_at) for fact in repos.items.many([row.id for row in rows])}
    return [
        change for change, row in zip(changes, rows, strict=True) if there.get(row.id) == (row.status, row.updated_at)
    ]


def status_entry(change: RunChange, run_id: str, now: datetime) -> HistoryEntry:
    return _entry(change, run_id, now, "status")


def _entry(change: RunChange, run_id: str, now: datetime, field: str) -> HistoryEntry:
    return HistoryEntry(
        id=new_id(),
        agent_id=change.agent_id,
        kind="fact",
        ref_id=change.ref_id,
        action=change.action,
        actor="consolidator",
        actor_detail=run_id,
        old={field: (change.before or {})[field]},
        new={field: (change.after or {})[field]},
        reason=change.reason,
        at=now,
    )


def apply_rows(repos: Repositories, run_id: str, groups: Sequence[Group], now: datetime) -> list[RunChange]:
    """Merge, evict and prune as planned, where rows are unchanged since planning; return what was done."""
    rows = Rows(repos, [change for group in groups for change in group])
    done: list[RunChange] = []
    entries: list[HistoryEntry] = []
    for group in groups:
        if not all(_as_planned(rows.of(change), change) for change in group):
            continue
        for change, old, new in _results(rows, group, now):
            before, after = diff(old, new)
            done.append(replace(change, before=before, after=after))
            entries.append(
                journal.change(
                    old, new, change.action, at=now, actor="consolidator", actor_detail=run_id, reason=change.reason
                )
            )
            rows.change(new, written(new, before))
            if new.status == "binned":
                expires = now + timedelta(days=UNDO_DAYS)
                payload = {"reason": stored(change.reason)}
                repos.runs.bin_add(run_id, [(change.kind, change.ref_id, change.agent_id, payload)], expires)
    repos.runs.add_changes(run_id, done)
    repos.history.add(entries)
    return done


def _as_planned(row: MemoryItem | None, change: RunChange) -> bool:
    if row is None or (row.lasts and change.action != "prune") or row.status is not FactStatus.ACTIVE:
        return False
    # Members added by an earlier group of this run are fine: the merge is recomputed.
    before = {name: value for name, value in (change.before or {}).items() if name not in {"sources", "details"}}
    return matches(row, before)


def _results(rows: Rows, group: Group, now: datetime) -> list[tuple[RunChange, MemoryItem, MemoryItem]]:
    """Return ``(change, old row, new row)`` of a group whose rows exist."""
    found = [(change, row) for change in group if (row := rows.of(change)) is not None]
    first, old = found[0]
    if first.action == "merge":
        merge = merged_fact if old.digest is None else merged_episode
        last, newer = found[1]
        gone = replace(newer, status=FactStatus.MERGED, superseded_by=old.id, updated_at=now)
        if old.digest is None:
            gone = replace(gone, reason=last.reason)
        return [(first, old, merge(old, newer, now)), (last, newer, gone)]
    gone = replace(old, status=FactStatus.BINNED, updated_at=now)
    if old.digest is None:
        gone = replace(gone, reason=first.reason)
    return [(first, old, gone), *((change, line, alone(line, now)) for change, line in found[1:])]
