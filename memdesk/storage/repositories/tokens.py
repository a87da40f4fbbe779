"""API tokens."""

from __future__ import annotations

from typing import Any

from memdesk.domain.models import ApiToken
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.values import clean, from_ms, from_ms_or_none, strings, to_json, to_ms, to_ms_or_none

_Q: Any = load("tokens")


#: An agent's id is any text on one line.
_BETWEEN = "\n"


def _token(row: Row) -> ApiToken:
    (id_, name, secret_hash, scopes, agent_id, created, last_used, expires, revoked, *_) = row
    return ApiToken(
        id=id_,
        name=name,
        secret_hash=bytes(secret_hash),
        scopes=strings(scopes),
        agents=() if agent_id is None else tuple(agent_id.split(_BETWEEN)),
        created_at=from_ms(created),
        last_used=from_ms_or_none(last_used),
        expires_at=from_ms_or_none(expires),
        revoked=bool(revoked),
    )


class SqlTokens(Repository):
    """:class:`memdesk.ports.TokensRepo` over SQLCipher."""

    def all(self) -> list[ApiToken]:
        return [_token(row) for row in _Q.all(self._conn)]

    def by_hash(self, secret_hash: bytes) -> ApiToken | None:
        row = _Q.by_hash(self._conn, secret_hash=secret_hash)
        return None if row is None else _token(row)

    def put(self, token: ApiToken) -> None:
        _Q.put(
            self._conn,
            id=token.id,
            name=clean(token.name),
            secret_hash=token.secret_hash,
            scopes=to_json(token.scopes),
            agent_id=_BETWEEN.join(token.agents) if token.agents else None,
            created_at=to_ms(token.created_at),
            last_used=to_ms_or_none(token.last_used),
            expires_at=to_ms_or_none(token.expires_at),
            revoked=token.revoked,
        )

    def delete(self, token_id: str) -> None:
        _Q.delete(self._conn, token_id=token_id)
