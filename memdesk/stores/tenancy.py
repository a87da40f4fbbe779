"""What several servers on one PostgreSQL share besides memories: tenants, tokens, and idempotent requests.

A request is a row from its acceptance on: queued ones are taken by any free server, and a request whose key comes twice
is executed once. Its row and its changes are one transaction, so that a killed server leaves either all of it or
nothing, and another one continues.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from memdesk.domain.items import asking
from memdesk.domain.models import ApiToken
from memdesk.errors import BadRequestError, MemdeskError
from memdesk.ports.library import RequestStatus
from memdesk.stores.postgres import TENANT_ROLE

if TYPE_CHECKING:
    from memdesk.ports.library import Requests
    from memdesk.stores.postgres import PostgresStore

#: Attempts before a failing request is given up.
TRIES: Final = 5
_LOCK: Final = 0x6D65
_TOKENS: Final = """
CREATE TABLE IF NOT EXISTS memdesk_tokens (
  secret_hash bytea PRIMARY KEY, tenant text NOT NULL CHECK (tenant <> ''), name text NOT NULL, scopes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now())
"""
#: A token's id: the first digits of its hash.
_NAMED: Final = "left(encode(secret_hash, 'hex'), 12)"
_SCHEMA: Final = f"""
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{TENANT_ROLE}') THEN CREATE ROLE {TENANT_ROLE} NOLOGIN; END IF;
END $$;
DO $$ BEGIN EXECUTE format('GRANT {TENANT_ROLE} TO %I', current_user); END $$;
CREATE TABLE IF NOT EXISTS memdesk_requests (
  tenant text NOT NULL, key text NOT NULL, body jsonb, answer jsonb, problem text NOT NULL DEFAULT '',
  tries integer NOT NULL DEFAULT 0, at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (tenant, key));
ALTER TABLE memdesk_requests ADD COLUMN IF NOT EXISTS digest text;
CREATE INDEX IF NOT EXISTS memdesk_requests_waiting ON memdesk_requests (at) WHERE answer IS NULL;
GRANT SELECT ON memdesk_collections TO {TENANT_ROLE};
GRANT USAGE ON SEQUENCE memdesk_history_seq_seq TO {TENANT_ROLE};
"""
_OWNED: Final = f"""
ALTER TABLE {{table}} ADD COLUMN IF NOT EXISTS tenant text NOT NULL
  DEFAULT coalesce(current_setting('memdesk.tenant', true), '');
CREATE INDEX IF NOT EXISTS {{table}}_tenant ON {{table}} (tenant);
ALTER TABLE {{table}} ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS memdesk_own ON {{table}};
CREATE POLICY memdesk_own ON {{table}} USING (tenant = current_setting('memdesk.tenant', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON {{table}} TO {TENANT_ROLE};
"""
_TAKE: Final = """
SELECT tenant, key, body FROM memdesk_requests WHERE answer IS NULL AND tries < %s
ORDER BY tries, at LIMIT 1 FOR UPDATE SKIP LOCKED
"""
_ACCEPTED: Final = """
INSERT INTO memdesk_requests (tenant, key, body, digest) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING
"""
_REUSED: Final = "SELECT FROM memdesk_requests WHERE tenant = %s AND key = %s AND digest <> %s"
_ANSWERED: Final = "UPDATE memdesk_requests SET answer = %s, body = NULL WHERE tenant = %s AND key = %s"
_FAILED: Final = "UPDATE memdesk_requests SET tries = tries + 1, problem = %s WHERE tenant = %s AND key = %s"
_OLD: Final = "DELETE FROM memdesk_requests WHERE answer IS NOT NULL AND at < now() - interval '1 day'"


class ReusedKeyError(BadRequestError):
    """A key was used before with another body."""

    code = "invalid_request"
    status = 422


class Tenancy:
    """Tenants, tokens and requests of one PostgreSQL. Thread-safe.

    Args:
        store: as seen by its owner; the user must be allowed to create roles (``CREATEROLE``).
    """

    def __init__(self, store: PostgresStore) -> None:
        self._store = store

    def prepare(self, collection: str, dimensions: int) -> None:
        """Create tables, role and row policies unless they exist; any number of servers may do so at once."""
        self._store.create(collection, dimensions=dimensions)
        with self._store.connection() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            connection.execute(_TOKENS)
            connection.execute(_SCHEMA)
            for table in (f"memdesk_items_{asking.check_name(collection)}", "memdesk_history"):
                connection.execute(_OWNED.format(table=table))

    def prepare_tokens(self) -> None:
        with self._store.connection() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            connection.execute(_TOKENS)

    def admit(self, secret_hash: bytes, tenant: str, name: str, scopes: tuple[str, ...]) -> None:
        with self._store.connection() as connection:
            connection.execute(
                "INSERT INTO memdesk_tokens (secret_hash, tenant, name, scopes) VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING",
                (secret_hash, tenant, name, list(scopes)),
            )

    def token(self, secret_hash: bytes) -> ApiToken | None:
        """Return a token; its id is its tenant."""
        query = "SELECT tenant, name, scopes, created_at FROM memdesk_tokens WHERE secret_hash = %s"
        with self._store.connection() as connection:
            row = connection.execute(query, (secret_hash,)).fetchone()
        if row is None:
            return None
        return ApiToken(
            id=row[0], name=row[1], secret_hash=secret_hash, scopes=tuple(row[2]), created_at=row[3].astimezone(UTC)
        )

    def tokens(self) -> list[dict[str, Any]]:
        """Return ``id, tenant, name, scopes, created_at`` of every token, oldest first."""
        query = f"SELECT {_NAMED}, tenant, name, scopes, created_at FROM memdesk_tokens ORDER BY created_at, 1"
        with self._store.connection() as connection:
            rows = connection.execute(query).fetchall()
        return [
            {"id": row[0], "tenant": row[1], "name": row[2], "scopes": row[3], "created_at": row[4].isoformat()}
            for row in rows
        ]

    def revoke(self, name: str) -> bool:
        """Revoke a token by its id, at every server; return whether it existed."""
        with self._store.connection() as connection:
            return connection.execute(f"DELETE FROM memdesk_tokens WHERE {_NAMED} = %s", (name,)).rowcount > 0

    def once(self, tenant: str, key: str, body: Mapping[str, Any], work: Callable[[], Any]) -> Any:
        with self._store.alone(f"request {tenant} {key}"), self._store.connection() as connection:
            self._accept(tenant, key, body, None)
            query = "SELECT answer FROM memdesk_requests WHERE tenant = %s AND key = %s AND answer IS NOT NULL"
            row = connection.execute(query, (tenant, key)).fetchone()
            if row is not None:
                return row[0]
            answer = work()
            connection.execute(_ANSWERED, (json.dumps(answer), tenant, key))
            return answer

    def queue(self, tenant: str, key: str, body: Mapping[str, Any]) -> None:
        self._accept(tenant, key, body, json.dumps(body))

    def _accept(self, tenant: str, key: str, body: Mapping[str, Any], kept: str | None) -> None:
        """Create the row of a request unless it exists, with what is ``kept`` for the server that executes it.

        Raises:
            ReusedKeyError: it exists with another body.
        """
        digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        with self._store.connection() as connection:
            connection.execute(_ACCEPTED, (tenant, key, kept, digest))
            if connection.execute(_REUSED, (tenant, key, digest)).fetchone() is not None:
                raise ReusedKeyError(
                    "This Idempotency-Key came with another request before.", hint="Give each request a key of its own."
                )

    def status(self, tenant: str, key: str) -> RequestStatus | None:
        query = "SELECT answer, tries, problem FROM memdesk_requests WHERE tenant = %s AND key = %s"
        with self._store.connection() as connection:
            row = connection.execute(query, (tenant, key)).fetchone()
        return None if row is None else RequestStatus(row[0], row[2], given_up=row[1] >= TRIES)

    def take(self, work: Callable[[str, Any], Any]) -> bool:
        """Execute one queued request that no other server has taken, in one transaction; return whether there was one.

        A failing one is given up after ``TRIES`` attempts.
        """
        taken: tuple[str, str] | None = None
        try:
            with self._store.connection() as connection:
                row = connection.execute(_TAKE, (TRIES,)).fetchone()
                if row is None:
                    connection.execute(_OLD)
                    return False
                taken = row[0], row[1]
                connection.execute(_ANSWERED, (json.dumps(work(row[0], row[2])), *taken))
        except MemdeskError as error:
            if taken is None:
                raise
            with self._store.connection() as connection:
                connection.execute(_FAILED, (error.message, *taken))
        return True


if TYPE_CHECKING:
    _CONFORMS: type[Requests] = Tenancy
