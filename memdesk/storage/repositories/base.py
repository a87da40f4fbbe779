"""What every repository shares: one connection, lent for one transaction."""

from __future__ import annotations

from typing import Any

from memdesk.ports import SalienceRow
from memdesk.storage.connection import Connection
from memdesk.storage.shared import Shared
from memdesk.storage.values import to_ms_or_none


class Repository:
    """A group of tables over one connection. Valid inside the ``read`` or ``write`` that lent it."""

    def __init__(self, conn: Connection, shared: Shared) -> None:
        self._conn = conn
        self._shared = shared


def salience_values(row: SalienceRow) -> dict[str, Any]:
    """Return the placeholders of ``set_salience``."""
    return {
        "id": row.id,
        "salience": row.salience,
        "decayed_at": to_ms_or_none(row.decayed_at),
        "expected": row.expected,
        "promoted_at": to_ms_or_none(row.promoted_at),
        "keep_promoted": row.keep_promoted,
    }
