"""PostgreSQL with pgvector: the store that many machines share."""

from __future__ import annotations

import copy
import json
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

from memdesk.domain.items import asking, scoring
from memdesk.domain.items.filters import Filter
from memdesk.domain.items.history import HistoryRecord
from memdesk.domain.items.matching import own_fields
from memdesk.domain.items.plain import from_plain, milliseconds, moment, to_plain
from memdesk.errors import EnvironmentFault
from memdesk.ports.item_store import ItemHit, Listing, Scope, Search
from memdesk.stores import postgres_sql as sql
from memdesk.stores.postgres_filter import path_of

if TYPE_CHECKING:
    from psycopg import Connection
    from psycopg_pool import ConnectionPool

    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports.engines import Vectors
    from memdesk.ports.library import RecordingStore

#: Rows up to which all are compared exhaustively, in some 50 ms: enough for the scope of one user.
EXACT_ROWS: Final = 50_000
#: Minimum and maximum rows to request of pgvector's graph, and per wanted row: it filters its results.
WIDTH, WIDEST, SPARE = 200, 1000, 4
#: Seconds after which word frequencies are read again: ANALYZE runs by itself where rows have changed.
USUAL_SECONDS: Final = 600.0
#: Timeout for a connection, in seconds.
PATIENCE: Final = 10.0
_LOCK: Final = 0x6D64  # "md": names our schema changes among the database's advisory locks

#: A server's role while it works for a tenant: it owns nothing, so that row policies apply to it.
TENANT_ROLE: Final = "memdesk_tenant"

#: "list" is a method's name below.
Records: TypeAlias = list[HistoryRecord]
Words: TypeAlias = list[str]


class PostgresStore:
    """``ports.library.RecordingStore`` on PostgreSQL 14 or later with pgvector 0.5 or later. Thread-safe, and safe from many machines.

    Args:
        url: ``postgresql://user@host/database``.
        connections: maximum number open at once.
    """

    #: the tenant whose rows are read and written; empty: all that the connection's user may see.
    tenant = ""

    def __init__(self, url: str, *, connections: int = 8) -> None:
        self._url = url
        self._connections = connections
        self._guard = threading.Lock()
        self._made: ConnectionPool | None = None
        self._own = threading.local()
        self._dimensions: dict[str, int] = {}
        #: when they were read, and how many rows contain each frequent word.
        self._usual: dict[str, tuple[float, dict[str, float]]] = {}

    @contextmanager
    def unit(self) -> Iterator[None]:
        """Make everything that this thread does within the block one transaction."""
        if (known := getattr(self._own, "connection", None)) is not None:
            with self._narrowed(known):
                yield
            return
        with self._translated(), self._pool().connection(timeout=PATIENCE) as connection, connection.transaction():
            self._own.connection = connection
            try:
                with self._narrowed(connection):
                    yield
            finally:
                self._own.connection = None

    def of(self, tenant: str) -> Self:
        """Return the store as one tenant sees it; PostgreSQL itself hides the rows of others.

        Requires ``tenancy.prepare``. It shares connections and transactions with this one, which closes them.
        """
        self._pool()
        seen = copy.copy(self)
        seen.tenant = tenant
        return seen

    @contextmanager
    def _narrowed(self, connection: Connection[Any]) -> Iterator[None]:
        """Act as the tenant within the block."""
        from psycopg.pq import TransactionStatus

        before = getattr(self._own, "tenant", "")
        if self.tenant in {"", before}:
            yield
            return
        become = "SELECT set_config('memdesk.tenant', %s, true), set_config('role', %s, true)"
        connection.execute(become, (self.tenant, TENANT_ROLE))
        self._own.tenant = self.tenant
        try:
            yield
        finally:
            self._own.tenant = before
            # A failed transaction resets both by itself.
            if connection.info.transaction_status == TransactionStatus.INTRANS:
                connection.execute(become, ("", "none"))

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Make the block one transaction, under a lock on this name across machines."""
        with self.connection() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"{self.tenant} {name}",))
            yield

    @contextmanager
    def connection(self) -> Iterator[Connection[Any]]:
        """Lend the connection of this thread's transaction, or one for a new transaction."""
        with self.unit():
            yield self._own.connection

    @contextmanager
    def _translated(self) -> Iterator[None]:
        import psycopg
        from psycopg_pool import PoolTimeout

        try:
            yield
        except psycopg.errors.UniqueViolation as error:
            raise asking.taken() from error
        except psycopg.errors.UndefinedTable as error:
            raise EnvironmentFault("A collection was dropped by another program.") from error
        except (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout) as error:
            raise EnvironmentFault(
                "PostgreSQL does not answer.", hint="Check the address in the configuration, then try again."
            ) from error
        except psycopg.DatabaseError as error:
            raise EnvironmentFault(
                f"PostgreSQL refused: {error.diag.message_primary or type(error).__name__}."
            ) from error

    def _pool(self) -> ConnectionPool:
        from psycopg_pool import ConnectionPool

        with self._guard:
            if self._made is None:
                pool = ConnectionPool(
                    self._url,
                    min_size=1,
                    max_size=self._connections,
                    open=False,
                    check=ConnectionPool.check_connection,
                    kwargs={"connect_timeout": int(PATIENCE)},
                    configure=_sends_vectors,
                )
                try:
                    pool.open(wait=True, timeout=PATIENCE)
                    with pool.connection() as connection:
                        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
                        connection.execute(sql.SCHEMA)
                except BaseException:
                    pool.close()
                    raise
                self._made = pool
            return self._made

    def close(self) -> None:
        with self._guard:
            pool, self._made = self._made, None
        if pool is not None:
            pool.close()

    def collections(self) -> list[str]:
        with self.connection() as connection:
            return [name for (name,) in connection.execute("SELECT name FROM memdesk_collections ORDER BY name")]

    def create(self, collection: str, *, dimensions: int) -> None:
        table = _table(collection)
        with self.connection() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            known = self._width(connection, collection)
            if known is None:
                connection.execute(sql.COLLECTION.format(table=table, dimensions=int(dimensions)))
                if dimensions <= sql.HNSW_DIMENSIONS:
                    connection.execute(sql.GRAPH.format(table=table))
                connection.execute("INSERT INTO memdesk_collections VALUES (%s, %s)", (collection, dimensions))
                known = dimensions
        asking.check_width(collection, known, dimensions)

    def drop(self, collection: str) -> None:
        table = _table(collection)
        with self.connection() as connection:
            if self.tenant:
                connection.execute(f"DELETE FROM {table}")
                return
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            connection.execute(f"DROP TABLE IF EXISTS {table}")
            connection.execute("DELETE FROM memdesk_collections WHERE name = %s", (collection,))
        self._dimensions.pop(collection, None)

    def _width(self, connection: Connection[Any], collection: str) -> int | None:
        row = connection.execute("SELECT dimensions FROM memdesk_collections WHERE name = %s", (collection,)).fetchone()
        return None if row is None else int(row[0])

    def _known(self, connection: Connection[Any], collection: str) -> int:
        """Return a collection's width, cached: only a drop changes it."""
        known = self._dimensions.get(collection)
        if known is None:
            known = self._width(connection, asking.check_name(collection))
            if known is None:
                raise asking.unknown(collection)
            self._dimensions[collection] = known
        return known

    def insert(
        self,
        collection: str,
        items: Sequence[MemoryItem],
        vectors: Vectors | None,
        *,
        records: Sequence[HistoryRecord] = (),
    ) -> None:
        asking.check_ids(items)
        with self.connection() as connection:
            asking.check_vectors(vectors, items, self._known(connection, collection))
            rows = [
                (item.id, *_row(item), None if vectors is None else vectors[number])
                for number, item in enumerate(items)
            ]
            with connection.cursor() as cursor:
                cursor.executemany(sql.INSERT.format(table=_table(collection)), rows)
            self.note(collection, records)

    def get(self, collection: str, ids: Sequence[str]) -> list[MemoryItem]:
        with self.connection() as connection:
            self._known(connection, collection)
            query = f"SELECT id, item FROM {_table(collection)} WHERE id = ANY(%s)"
            found = {name: from_plain(item) for name, item in connection.execute(query, (list(ids),))}
        return [found[name] for name in ids if name in found]

    def update(
        self, collection: str, item: MemoryItem, vector: Vectors | None, *, records: Sequence[HistoryRecord] = ()
    ) -> bool:
        with self.connection() as connection:
            asking.check_vector(vector, self._known(connection, collection))
            values = (*_row(item), vector, item.id)
            if not connection.execute(sql.UPDATE.format(table=_table(collection)), values).rowcount:
                return False
            self.note(collection, records)
            return True

    def delete(self, collection: str, ids: Sequence[str], *, records: Sequence[HistoryRecord] = ()) -> int:
        with self.connection() as connection:
            self._known(connection, collection)
            self.note(collection, records)
            return connection.execute(f"DELETE FROM {_table(collection)} WHERE id = ANY(%s)", (list(ids),)).rowcount

    def note(self, collection: str, records: Sequence[HistoryRecord]) -> None:
        rows = [
            (one.id, collection, one.memory_id, one.event, one.old_value, one.new_value, milliseconds(one.at), one.is_deleted)
            for one in records
        ]  # fmt: skip
        if not rows:
            return
        with self.connection() as connection, connection.cursor() as cursor:
            cursor.executemany(sql.NOTE, rows)

    def noted(self, collection: str, memory_id: str | None = None) -> Records:
        query = sql.NOTED.format(which="true" if memory_id is None else "memory_id = %(memory)s")
        with self.connection() as connection:
            rows = connection.execute(query, {"collection": collection, "memory": memory_id}).fetchall()
        return [
            HistoryRecord(
                id=row[0], memory_id=row[1], event=row[2], old_value=row[3], new_value=row[4], at=moment(row[5]),
                is_deleted=row[6],
            )
            for row in rows
        ]  # fmt: skip

    def forget(self, collection: str) -> None:
        with self.connection() as connection:
            connection.execute("DELETE FROM memdesk_history WHERE collection = %s", (collection,))

    def search(self, collection: str, wanted: Search) -> list[ItemHit]:
        condition, values = _condition(wanted.scope, wanted.where, expired=wanted.expired)
        vector, limit = wanted.vector, wanted.limit
        with self.connection() as connection:
            asking.check_vector(vector, self._known(connection, collection))
            table = _table(collection)
            some = f"SELECT count(*) FROM (SELECT 1 FROM {table} WHERE {condition} LIMIT {EXACT_ROWS + 1}) AS passing"
            wide = _one(connection, some, values) > EXACT_ROWS
            values |= {"vector": vector, "limit": limit}
            near = [] if vector is None else _near(connection, table, condition, values, wide=wide)
            lexemes = [word for (word,) in connection.execute(sql.LEXEMES, {"text": wanted.text})]
            values["lexemes"] = self._rare(connection, table, lexemes, vector) if wide else lexemes
            held = sql.HELD_WIDE if wide else sql.HELD_NARROW
            worded = sql.WORDED.format(table=table, where=condition, held=held)
            query = sql.SCORES.format(asked=sql.ASKED, worded=worded, table=table)
            rows = connection.execute(query, values | {"near": near}).fetchall()
        items = [from_plain(item) for item, _, _ in rows]
        cosines = {item.id: near for item, (_, near, _) in zip(items, rows, strict=True) if near is not None}
        words = {item.id: rank for item, (_, _, rank) in zip(items, rows, strict=True) if rank > 0}
        return scoring.ranked({item.id: item for item in items}, cosines, words, limit)

    def _rare(self, connection: Connection[Any], table: str, lexemes: Sequence[str], vector: Vectors | None) -> Words:
        """Return the words with few enough matches in total to rank one by one; without a vector, at least one."""
        read_at, usual = self._usual.get(table, (-USUAL_SECONDS, {}))
        if time.monotonic() - read_at > USUAL_SECONDS:
            # As the owner, to whom row policies do not apply.
            connection.execute("SELECT set_config('role', 'none', true)")
            usual = dict(connection.execute(sql.USUAL.format(table=table)).fetchall())
            if self.tenant:
                connection.execute("SELECT set_config('role', %s, true)", (TENANT_ROLE,))
            self._usual[table] = time.monotonic(), usual
        rarest = sorted(lexemes, key=lambda word: usual.get(word, 0.0))
        sums = accumulate(usual.get(word, 0.0) for word in rarest)
        few = sum(so_far <= EXACT_ROWS for so_far in sums)
        return rarest[: max(few, 1 if vector is None else 0)]

    def list(self, collection: str, wanted: Listing) -> list[MemoryItem]:
        condition, values = _condition(wanted.scope, wanted.where, expired=wanted.expired)
        way = "DESC" if wanted.descending else "ASC"
        query = f"SELECT item FROM {_table(collection)} WHERE {condition} ORDER BY {wanted.order}_at {way}, id {way} LIMIT %(limit)s OFFSET %(offset)s"
        with self.connection() as connection:
            self._known(connection, collection)
            rows = connection.execute(query, values | {"limit": wanted.limit, "offset": wanted.offset}).fetchall()
        return [from_plain(item) for (item,) in rows]

    def count(self, collection: str, *, scope: Scope, where: Filter | None = None) -> int:
        condition, values = _condition(scope, where, expired=False)
        with self.connection() as connection:
            self._known(connection, collection)
            return _one(connection, f"SELECT count(*) FROM {_table(collection)} WHERE {condition}", values)


def _sends_vectors(connection: Connection[Any]) -> None:
    """Send vectors in pgvector's binary format: text is five times as long, and must be formatted and parsed."""
    from psycopg.adapt import Dumper
    from psycopg.pq import Format

    class AsKept(Dumper):
        format = Format.BINARY

        def dump(self, obj: Vectors) -> bytes:
            return struct.pack(">hh", len(obj), 0) + obj.astype(">f4").tobytes()

    connection.adapters.register_dumper("numpy.ndarray", AsKept)


def _table(collection: str) -> str:
    """Return the table of a collection; the name was validated, so that quotation marks suffice."""
    return f"memdesk_items_{asking.check_name(collection)}"


def _condition(scope: Scope, where: Filter | None, *, expired: bool) -> tuple[str, dict[str, Any]]:
    """Return a call's filter as SQL and its values: the scope by columns, the rest by the document."""
    given = {name: value for name in ("user_id", "agent_id", "run_id") if (value := getattr(scope, name)) is not None}
    columns = [f"{name} = %({name})s" for name in given]
    path = path_of(asking.asked(Scope(), where, expired=expired))
    return " AND ".join([*columns, "fields @@ %(path)s::jsonpath"]), {**given, "path": path}


def _near(connection: Connection[Any], table: str, condition: str, values: dict[str, Any], *, wide: bool) -> list[str]:
    """Return the ids of the nearest rows that pass: by the graph if there are many and it finds enough."""
    limit = values["limit"]
    if wide and limit <= WIDEST:
        connection.execute(sql.WIDE, (str(min(max(WIDTH, SPARE * limit), WIDEST)),))
        connection.execute(sql.FURTHER)
        found = connection.execute(sql.NEAR_GRAPH.format(table=table, where=condition), values).fetchall()
        if len(found) == limit:
            return [name for (name,) in found]
    exact = sql.NEAR_EXACT.format(table=table, where=condition)
    return [name for (name,) in connection.execute(exact, values)]


def _row(item: MemoryItem) -> tuple[Any, ...]:
    fields = json.dumps({**own_fields(item), "metadata": item.metadata})
    moments = (milliseconds(item.created_at), milliseconds(item.updated_at))
    return (
        item.user_id,
        item.agent_id or None,
        item.run_id,
        *moments,
        item.content,
        fields,
        json.dumps(to_plain(item)),
    )


def _one(connection: Connection[Any], query: str, values: dict[str, Any]) -> int:
    row = connection.execute(query, values).fetchone()
    assert row is not None
    return int(row[0])


if TYPE_CHECKING:
    _CONFORMS: type[RecordingStore] = PostgresStore
