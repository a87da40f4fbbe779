"""Identity lines, shared by all agents."""

from __future__ import annotations

from typing import Any

from memdesk.domain.models import FactSource, IdentityLine
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.values import clean, from_json, from_ms, to_json, to_ms

_Q: Any = load("identity")


def _line(row: Row) -> IdentityLine:
    (_seq, id_, content, origin, status, agent_id, conversation_id, sources, superseded_by, created, updated, *_) = row
    return IdentityLine(
        id=id_,
        content=content,
        origin=origin,
        status=status,
        agent_id=agent_id,
        conversation_id=conversation_id,
        sources=tuple(FactSource(turn_id=turn_id, quote=quote) for turn_id, quote in from_json(sources)),
        superseded_by=superseded_by,
        created_at=from_ms(created),
        updated_at=from_ms(updated),
    )


class SqlIdentity(Repository):
    """:class:`memdesk.ports.IdentityRepo` over SQLCipher."""

    def get(self, line_id: str) -> IdentityLine | None:
        """Return one line."""
        row = _Q.get(self._conn, line_id=line_id)
        return None if row is None else _line(row)

    def all(self, *, include_inactive: bool = False) -> list[IdentityLine]:
        """Return the lines, what the user wrote first."""
        rows = _Q.all(self._conn) if include_inactive else _Q.active(self._conn)
        return [_line(row) for row in rows]

    def put(self, line: IdentityLine) -> None:
        """Insert or update."""
        _Q.put(
            self._conn,
            id=line.id,
            content=clean(line.content),
            origin=line.origin,
            status=line.status,
            agent_id=line.agent_id,
            conversation_id=line.conversation_id,
            sources=clean(to_json([(s.turn_id, s.quote) for s in line.sources])),
            superseded_by=line.superseded_by,
            created_at=to_ms(line.created_at),
            updated_at=to_ms(line.updated_at),
        )
