"""Background runs, their diffs and the bin."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memdesk.domain.models import Page, Run, RunChange
from memdesk.storage.paging import MAX_LIMIT, Listing, decode, encode, given
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories import change_blocks
from memdesk.storage.repositories.base import Repository
from memdesk.storage.repositories.columns import FLAG, JSON, JSON_OR_NONE, MESSAGE, MOMENT, MOMENT_OR_NONE, Columns
from memdesk.storage.values import clean, ids, to_json, to_ms

_Q: Any = load("runs")
_NEWEST = Listing(columns="r.*", source="runs r", key="r.started_at", tie="r.seq")
#: A page of a diff begins at a row and, in a block, at one of its changes.
_IN_ORDER = Listing(columns="c.*", source="run_changes c", key="c.seq", tie="change", descending=False)
_ROWS_AT_ONCE = 16
_BIN = Listing(columns="b.*", source="bin b", key="b.seq", tie="b.seq")
_RUN = Columns(
    Run,
    "- id kind trigger status dry_run counts message started_at finished_at undone_at",
    dry_run=FLAG,
    counts=JSON,
    message=MESSAGE,
    started_at=MOMENT,
    finished_at=MOMENT_OR_NONE,
    undone_at=MOMENT_OR_NONE,
)
_CHANGE = Columns(
    RunChange,
    "- - action kind ref_id agent_id before after reason",
    before=JSON_OR_NONE,
    after=JSON_OR_NONE,
    reason=MESSAGE,
)
_BINNED = Columns(dict[str, Any], "- kind ref_id run_id agent_id payload expires_at", payload=JSON, expires_at=MOMENT)


def _changes(row: Row) -> list[RunChange]:
    (_seq, _run_id, action, kind, _ref_id, agent_id, _before, _after, _reason, _held, block, *_) = row
    if block is not None:
        return change_blocks.unpack(block, action, kind, agent_id)
    return [_CHANGE.of(row)]


class SqlRuns(Repository):
    """:class:`memdesk.ports.RunsRepo` over SQLCipher."""

    def get(self, run_id: str) -> Run | None:
        row = _Q.get(self._conn, run_id=run_id)
        return None if row is None else _RUN.of(row)

    def put(self, run: Run) -> None:
        _Q.put(self._conn, **_RUN.values(run))

    def page(self, *, kind: str | None = None, limit: int = 50, cursor: str | None = None) -> Page[Run]:
        return self._page(_NEWEST, given(_Q, kind=kind), _RUN.all, limit, cursor)

    def add_changes(self, run_id: str, changes: Sequence[RunChange]) -> None:
        _Q.add_changes(self._conn, [{"run_id": run_id, **_CHANGE.values(change)} for change in changes])

    def add_blocks(self, run_id: str, changes: Sequence[RunChange]) -> None:
        """Append changes with only numbers, dates and statuses, packed; order and content are kept.

        Forgetting a row leaves its changes in blocks: they reveal nothing of its text.
        """
        _Q.add_blocks(
            self._conn,
            [
                {
                    "run_id": run_id,
                    "action": part[0].action,
                    "kind": part[0].kind,
                    "agent_id": part[0].agent_id,
                    "held": len(part),
                    "block": change_blocks.pack(part),
                }
                for part in change_blocks.alike(changes)
            ],
        )

    def changes(self, run_id: str, *, limit: int = 500, cursor: str | None = None) -> Page[RunChange]:
        limit = max(0, min(limit, MAX_LIMIT))
        seq, skip = decode(_IN_ORDER, cursor) if cursor else (0, 0)
        found: list[RunChange] = []
        while True:
            rows = _Q.changes_from(self._conn, run_id=run_id, seq=seq, limit=_ROWS_AT_ONCE)
            for row in rows:
                held = _changes(row)[skip:]
                room = limit - len(found)
                found += held[:room]
                if len(held) > room:
                    following = encode(_IN_ORDER, row[0], skip + room) if limit else None
                    return Page(items=found, total=self._changes_held(run_id), next=following)
                seq, skip = row[0] + 1, 0
            if len(rows) < _ROWS_AT_ONCE:
                return Page(items=found, total=self._changes_held(run_id), next=None)

    def _changes_held(self, run_id: str) -> int:
        return int(_Q.changes_held(self._conn, run_id=run_id))

    def bin_add(self, run_id: str, rows: Sequence[tuple[str, str, str, dict[str, Any]]], expires_at: datetime) -> None:
        expires = to_ms(expires_at)
        _Q.bin_add(
            self._conn,
            [
                {
                    "kind": kind,
                    "ref_id": ref_id,
                    "run_id": run_id,
                    "agent_id": agent_id,
                    "payload": clean(to_json(payload)),
                    "expires_at": expires,
                }
                for kind, ref_id, agent_id, payload in rows
            ],
        )

    def bin_list(
        self, *, agent_id: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[dict[str, Any]]:
        return self._page(_BIN, given(_Q, agent_id=agent_id), _BINNED.all, limit, cursor)

    def bin_delete(self, refs: Sequence[tuple[str, str]]) -> None:
        _Q.bin_delete(self._conn, [{"kind": kind, "ref_id": ref_id} for kind, ref_id in refs])

    def bin_expired(self, before: datetime) -> list[tuple[str, str]]:
        return list(_Q.bin_expired(self._conn, before=to_ms(before)))

    def purge_changes(self, before: datetime, *, limit: int) -> int:
        return int(_Q.purge_changes(self._conn, before=to_ms(before), limit=limit))

    def forget(self, kind: str, ref_ids: Sequence[str]) -> None:
        wanted = ids(ref_ids)
        _Q.forget_changes(self._conn, kind=kind, ids=wanted)
        _Q.forget_bin(self._conn, kind=kind, ids=wanted)
