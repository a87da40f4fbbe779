"""Pending signals."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memdesk.domain.models import Page, Signal, SignalStatus, Unread
from memdesk.messages import recalled, stored
from memdesk.storage.paging import Listing, given
from memdesk.storage.queries import load
from memdesk.storage.repositories.base import FEW, Repository, insert_few
from memdesk.storage.repositories.columns import MESSAGE, MOMENT, MOMENT_OR_NONE, Columns, Form
from memdesk.storage.values import clean, from_ms, ids, to_ms_or_none

_Q: Any = load("signals")
_NEWEST = Listing(columns="s.*", source="signals s", key="s.seq", tie="s.seq")
#: In the order of ``add_few``, after the number.
_SIGNAL = Columns(
    Signal,
    "- id turn_id agent_id conversation_id status attempts last_error next_try_at created_at",
    status=Form(SignalStatus, str),
    last_error=MESSAGE,
    next_try_at=MOMENT_OR_NONE,
    created_at=MOMENT,
)


class SqlSignals(Repository):
    """:class:`memdesk.ports.SignalsRepo` over SQLCipher."""

    def add(self, signals: Sequence[Signal]) -> None:
        for start in range(0, len(signals), FEW):
            rows = [tuple(_SIGNAL.values(signal).values()) for signal in signals[start : start + FEW]]
            insert_few(self._conn, _Q.add_few.sql, rows)

    def of_turns(self, turn_ids: Sequence[str]) -> set[str]:
        return {row[0] for row in _Q.of_turns(self._conn, ids=ids(turn_ids))}

    def pending(self, agent_id: str, conversation_id: str) -> list[Signal]:
        return _SIGNAL.all(_Q.pending(self._conn, agent_id=agent_id, conversation_id=conversation_id))

    def sessions(self, status: SignalStatus) -> list[tuple[str, str, int]]:
        return list(_Q.sessions(self._conn, status=status))

    def page(self, *, status: SignalStatus | None = None, limit: int = 50, cursor: str | None = None) -> Page[Signal]:
        return self._page(_NEWEST, given(_Q, status=status), _SIGNAL.all, limit, cursor)

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

    def unread(self, status: SignalStatus) -> Unread | None:
        ((count, since, why),) = _Q.unread(self._conn, status=status)
        return Unread(count, from_ms(since), recalled(why)) if count else None

    def counts(self) -> dict[str, int]:
        return {status.value: 0 for status in SignalStatus} | dict(_Q.counts(self._conn))
