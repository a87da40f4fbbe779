"""Pending signals."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memdesk.domain.models import Page, Signal, SignalStatus
from memdesk.messages import recalled, stored
from memdesk.storage.paging import Listing, fetch
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import FEW, Repository, insert_few
from memdesk.storage.values import clean, from_ms, from_ms_or_none, ids, to_ms, to_ms_or_none

_Q: Any = load("signals")
_NEWEST = Listing(columns="s.*", source="signals s", key="s.seq", tie="s.seq")


def _signal(row: Row) -> Signal:
    (_seq, id_, turn_id, agent_id, conversation_id, status, attempts, error, next_try, created, *_) = row
    return Signal(
        id=id_,
        turn_id=turn_id,
        agent_id=agent_id,
        conversation_id=conversation_id,
        status=SignalStatus(status),
        attempts=attempts,
        last_error=recalled(error),
        next_try_at=from_ms_or_none(next_try),
        created_at=from_ms(created),
    )


def _values(signal: Signal) -> tuple[Any, ...]:
    """Return the columns in the order of the query."""
    return (
        signal.id,
        signal.turn_id,
        signal.agent_id,
        signal.conversation_id,
        signal.status,
        signal.attempts,
        clean(stored(signal.last_error)),
        to_ms_or_none(signal.next_try_at),
        to_ms(signal.created_at),
    )


class SqlSignals(Repository):
    """:class:`memdesk.ports.SignalsRepo` over SQLCipher."""

    def add(self, signals: Sequence[Signal]) -> None:
        for start in range(0, len(signals), FEW):
            insert_few(self._conn, _Q.add_few.sql, [_values(signal) for signal in signals[start : start + FEW]])

    def of_turns(self, turn_ids: Sequence[str]) -> set[str]:
        return {row[0] for row in _Q.of_turns(self._conn, ids=ids(turn_ids))}

    def pending(self, agent_id: str, conversation_id: str) -> list[Signal]:
        rows = _Q.pending(self._conn, agent_id=agent_id, conversation_id=conversation_id)
        return [_signal(row) for row in rows]

    def sessions(self, status: SignalStatus) -> list[tuple[str, str, int]]:
        return list(_Q.sessions(self._conn, status=status))

    def page(self, *, status: SignalStatus | None = None, limit: int = 50, cursor: str | None = None) -> Page[Signal]:
        return fetch(
            self._conn,
            _NEWEST,
            where=[] if status is None else [_Q.where_status.sql],
            parameters={} if status is None else {"status": status},
            limit=limit,
            cursor=cursor,
            build=lambda rows: [_signal(row) for row in rows],
        )

    def mark(
        self,
        signal_ids: Sequence[str],
        status: SignalStatus,
        *,
        attempts: int | None = None,
        error: str = "",
        next_try_at: datetime | None = None,
    ) -> None:
        _Q.mark(
            self._conn,
            ids=ids(signal_ids),
            status=status,
            attempts=attempts,
            last_error=clean(stored(error)),
            next_try_at=to_ms_or_none(next_try_at),
        )

    def counts(self) -> dict[str, int]:
        return {status.value: 0 for status in SignalStatus} | dict(_Q.counts(self._conn))
