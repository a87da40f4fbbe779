"""Small values by key, and the activity of the local server."""

from collections.abc import Sequence
from typing import Any

from memdesk.ports import ActivityRow, Asked
from memdesk.storage.queries import load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.repositories.columns import MOMENT, Columns
from memdesk.storage.values import clean, from_json, from_ms, to_json

_Q: Any = load("meta")
_ACTIVITY_KEPT = 10_000
_ACTIVITY = Columns(ActivityRow, "at token_name method route agent_id status ms", at=MOMENT)


class SqlMeta(Repository):
    """:class:`memdesk.ports.MetaRepo` over SQLCipher."""

    def get(self, key: str) -> Any:
        text = _Q.get(self._conn, key=key)
        return None if text is None else from_json(text)

    def put(self, key: str, value: Any) -> None:
        if value is None:
            _Q.delete(self._conn, key=key)
        else:
            _Q.put(self._conn, key=key, value=clean(to_json(value)))

    def prefix(self, prefix: str) -> dict[str, Any]:
        return {key: from_json(text) for key, text in _Q.prefix(self._conn, prefix=prefix)}

    def drop(self, prefix: str, bound: int) -> int:
        return int(_Q.drop(self._conn, prefix=prefix, bound=bound))

    def add_activity(self, rows: Sequence[ActivityRow]) -> None:
        _Q.add_activity(self._conn, [_ACTIVITY.values(row) for row in rows])
        _Q.trim_activity(self._conn, keep=_ACTIVITY_KEPT)

    def asked(self) -> list[Asked]:
        return [
            Asked(by=by, method=method, route=route, times=times, last=from_ms(at))
            for by, method, route, times, at in _Q.asked(self._conn)
        ]

    def activity(self, *, limit: int = 100) -> list[ActivityRow]:
        return _ACTIVITY.all(_Q.activity(self._conn, limit=limit))
