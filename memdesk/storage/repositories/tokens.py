"""API tokens."""

from typing import Any

from memdesk.domain.models import ApiToken
from memdesk.storage.queries import load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.repositories.columns import FLAG, MOMENT, MOMENT_OR_NONE, TEXT, Columns, Form
from memdesk.storage.values import strings, to_json

_Q: Any = load("tokens")
#: An agent's id is any text on one line.
_BETWEEN = "\n"
_TOKEN = Columns(
    ApiToken,
    "id name secret_hash scopes agents created_at last_used expires_at revoked",
    name=TEXT,
    secret_hash=Form(bytes, bytes),
    scopes=Form(strings, to_json),
    agents=Form(
        lambda text: () if text is None else tuple(text.split(_BETWEEN)),
        lambda agents: _BETWEEN.join(agents) if agents else None,
    ),
    created_at=MOMENT,
    last_used=MOMENT_OR_NONE,
    expires_at=MOMENT_OR_NONE,
    revoked=FLAG,
)


class SqlTokens(Repository):
    """:class:`memdesk.ports.TokensRepo` over SQLCipher."""

    def all(self) -> list[ApiToken]:
        return _TOKEN.all(_Q.all(self._conn))

    def by_hash(self, secret_hash: bytes) -> ApiToken | None:
        row = _Q.by_hash(self._conn, secret_hash=secret_hash)
        return None if row is None else _TOKEN.of(row)

    def put(self, token: ApiToken) -> None:
        _Q.put(self._conn, **_TOKEN.values(token))
