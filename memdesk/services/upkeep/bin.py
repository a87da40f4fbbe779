"""The bin: rows removed by runs stay there for 30 days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal

from memdesk.domain.ageing.changes import diff
from memdesk.domain.ageing.consolidation import aged_until
from memdesk.domain.ageing.salience import decay, elapsed_days
from memdesk.domain.items.registry import called
from memdesk.domain.models import Entity, FactStatus, Page, RunChange
from memdesk.errors import NotFoundError
from memdesk.messages import recalled, say
from memdesk.services import journal
from memdesk.services.upkeep.applying import UNDO_DAYS

if TYPE_CHECKING:
    from memdesk.ports import Repositories, Store
    from memdesk.services.slices import Slices

#: Rows of old diffs deleted per transaction; a row has up to a few thousand changes.
_PURGED_AT_ONCE: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class BinItem:
    kind: Literal["fact", "episode"]
    id: str
    agent_id: str
    run_id: str
    text: str
    reason: str
    expires_at: datetime


def list_bin(repos: Repositories, agent_id: str | None, limit: int, cursor: str | None) -> Page[BinItem]:
    """List the bin, newest first, with the texts of the rows."""
    page = repos.runs.bin_list(agent_id=agent_id, limit=limit, cursor=cursor)
    texts = {item.id: item.content for item in repos.items.many([entry["ref_id"] for entry in page.items])}
    items = [
        BinItem(
            kind=entry["kind"],
            id=entry["ref_id"],
            agent_id=entry["agent_id"],
            run_id=entry["run_id"],
            text=texts.get(entry["ref_id"], ""),
            reason=recalled(entry["payload"].get("reason", "")),
            expires_at=entry["expires_at"],
        )
        for entry in page.items
    ]
    return Page(items=items, total=page.total, next=page.next)


def restore_from_bin(repos: Repositories, kind: Literal["fact", "episode"], ref_id: str, now: datetime) -> RunChange:
    """Restore one binned row with its former salience; it ages from now on.

    Raises:
        NotFoundError: it is not in the bin.
    """
    old = repos.items.get(ref_id)
    if old is None or called(old) != kind or old.status is not FactStatus.BINNED:
        raise NotFoundError(say("It is not in the bin any more."))
    salience = decay(old.salience, elapsed_days(aged_until(old), old.updated_at))
    new = replace(old, status=FactStatus.ACTIVE, reason="", salience=salience, decayed_at=now, updated_at=now)
    repos.items.put(new)
    repos.runs.bin_delete([(kind, ref_id)])
    repos.history.add([journal.change(old, new, "restore", at=now, actor="user", reason=say("taken out of the bin"))])
    before, after = diff(old, new)
    return RunChange(
        action="evict" if kind == "fact" else "prune",
        kind=kind,
        ref_id=ref_id,
        agent_id=old.agent_id,
        before=before,
        after=after,
        reason=say("taken out of the bin"),
    )


def empty_expired(store: Store, slices: Slices, now: datetime, between: Callable[[int], None]) -> int:
    """Delete expired entries, and diffs that can no longer be undone; return the number of rows.

    Also deletes duplicates merged into a row, and people and things named only there.
    """
    with store.read() as repos:
        expired = repos.runs.bin_expired(now)
    _empty(slices, expired, between)
    before = now - timedelta(days=UNDO_DAYS)
    while store.write(lambda repos: repos.runs.purge_changes(before, limit=_PURGED_AT_ONCE), priority="background"):
        between(len(expired))
    return len(expired)


def empty_now(store: Store, slices: Slices, now: datetime) -> int:
    """Delete everything in the bin, and its traces in the diffs of runs; return the number of rows."""
    with store.read() as repos:
        waiting = repos.runs.bin_expired(now + timedelta(days=UNDO_DAYS + 1))
    _empty(slices, waiting, lambda _done: None)
    return len(waiting)


def _empty(slices: Slices, rows: Sequence[tuple[str, str]], between: Callable[[int], None]) -> None:
    def work(repos: Repositories, part: Sequence[tuple[str, str]]) -> None:
        # A row restored in another way must not be deleted.
        found = repos.items.many([ref for _, ref in part], details=False)
        for kind in ("fact", "episode"):
            gone = [i.id for i in found if i.status is FactStatus.BINNED and called(i) == kind]
            _delete(repos, kind, gone)
            repos.runs.forget(kind, gone)
        repos.runs.bin_delete(part)

    for _ in slices.over(rows, work, between=between):
        pass


def _delete(repos: Repositories, kind: Literal["fact", "episode"], ids: list[str]) -> None:
    """Delete rows with absorbed duplicates, their traces, and entities named only there."""
    while absorbed := [row.id for row in repos.items.absorbed(ids) if row.status == "merged" and row.id not in ids]:
        ids = ids + absorbed
    named = repos.entities.named_by(kind, ids)
    repos.items.delete(ids)
    repos.history.scrub(kind, ids)
    _delete_unnamed(repos, named)


def _delete_unnamed(repos: Repositories, entities: Sequence[Entity]) -> None:
    """Delete entities no longer named, with their relations."""
    repos.entities.delete([entity.id for entity in entities if not repos.entities.links(entity.id)])
