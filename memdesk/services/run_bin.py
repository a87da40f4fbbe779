"""The bin: what runs took out of use waits there for 30 days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from memdesk.domain.changes import diff
from memdesk.domain.models import Episode, Fact, FactStatus, Page, RunChange
from memdesk.errors import NotFoundError
from memdesk.services import journal
from memdesk.services.run_apply import UNDO_DAYS

if TYPE_CHECKING:
    from memdesk.ports import Repositories, Store
    from memdesk.services.run_slices import Slices


@dataclass(frozen=True, slots=True, kw_only=True)
class BinItem:
    """One thing in the bin."""

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
    facts = {f.id: f.content for f in repos.facts.many([e["ref_id"] for e in page.items if e["kind"] == "fact"])}
    found = repos.episodes.many([e["ref_id"] for e in page.items if e["kind"] == "episode"])
    texts = facts | {episode.id: episode.summary for episode in found}
    items = [
        BinItem(
            kind=entry["kind"],
            id=entry["ref_id"],
            agent_id=entry["agent_id"],
            run_id=entry["run_id"],
            text=texts.get(entry["ref_id"], ""),
            reason=entry["payload"].get("reason", ""),
            expires_at=entry["expires_at"],
        )
        for entry in page.items
    ]
    return Page(items=items, total=page.total, next=page.next)


def restore_from_bin(repos: Repositories, kind: Literal["fact", "episode"], ref_id: str, now: datetime) -> RunChange:
    """Make one binned row live again; it ages from now on.

    Raises:
        NotFoundError: it is not in the bin.
    """
    old = repos.facts.get(ref_id) if kind == "fact" else repos.episodes.get(ref_id)
    if old is None or old.status != "binned":
        raise NotFoundError("It is not in the bin any more.")
    new: Fact | Episode
    if isinstance(old, Fact):
        new = replace(old, status=FactStatus.ACTIVE, reason="", decayed_at=now, updated_at=now)
        repos.facts.put(new)
    else:
        new = replace(old, status="active", decayed_at=now, updated_at=now)
        repos.episodes.put(new)
    repos.runs.bin_delete([(kind, ref_id)])
    repos.history.add([journal.change(old, new, "restore", at=now, actor="user", reason="taken out of the bin")])
    before, after = diff(old, new)
    return RunChange(
        action="evict" if kind == "fact" else "prune",
        kind=kind,
        ref_id=ref_id,
        agent_id=old.agent_id,
        before=before,
        after=after,
        reason="taken out of the bin",
    )


def empty_expired(store: Store, slices: Slices, now: datetime, between: Callable[[int], None]) -> int:
    """Delete for good what waited its time, and the diffs of runs that can no longer be undone.

    Returns:
        How many rows went.
    """
    from datetime import timedelta

    expired = _expired(store, now)

    def work(repos: Repositories, part: Sequence[dict[str, Any]]) -> None:
        for kind in ("fact", "episode"):
            refs = [entry["ref_id"] for entry in part if entry["kind"] == kind]
            # A row that came back to life by other ways is not the bin's to delete.
            if kind == "fact":
                refs = [fact.id for fact in repos.facts.many(refs) if fact.status is FactStatus.BINNED]
                repos.facts.delete(refs)
            else:
                refs = [episode.id for episode in repos.episodes.many(refs) if episode.status == "binned"]
                repos.episodes.delete(refs)
            repos.history.scrub(kind, refs)
        repos.runs.bin_delete([(entry["kind"], entry["ref_id"]) for entry in part])

    for _ in slices.over(expired, work, between=between):
        pass
    store.write(lambda repos: repos.runs.purge_changes(now - timedelta(days=UNDO_DAYS)))
    return len(expired)


def _expired(store: Store, now: datetime) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    with store.read() as repos:
        while True:
            page = repos.runs.bin_list(limit=500, cursor=cursor)
            found += [entry for entry in page.items if entry["expires_at"] <= now]
            cursor = page.next
            if cursor is None:
                return found
