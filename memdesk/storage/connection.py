"""One SQLCipher connection: how it is opened, and typed errors from every call."""

import ctypes
import sys
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.domain.forgetting.hiding import NOTHING, Hidden
from memdesk.storage.errors import translate

#: Compiled statements cached per connection; more than the query files have, composed lists included.
CACHED_STATEMENTS = 512
PAGE_SIZE = 4096
_CACHE_KIB = {"writer": 64 * 1024, "reader": 96 * 1024}
BUSY_MS = 10_000

Parameters = Mapping[str, Any] | Sequence[Any]


class Connection(sqlcipher.Connection):  # type: ignore[misc]  # the driver has no type information
    """A connection that knows its file and raises typed errors.

    Attributes:
        writable: False on pooled readers.
        veiled: what its queries cannot see (see ``veil.py``).
        executions: statements run; ``distinct``: how many different ones.
    """

    path: Path
    writable = True
    veiled: Hidden = NOTHING
    executions = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.distinct: set[str] = set()
        self._kept: OrderedDict[Any, Any] = OrderedDict()
        self._version: tuple[Any, Hidden] = None, NOTHING

    def kept(self) -> OrderedDict[Any, Any]:
        """Return what was worked out from what a reading connection sees, empty once that has changed; inside a transaction."""
        version = self.rows("PRAGMA data_version")[0][0], self.veiled
        if version != self._version:
            self._kept.clear()
            self._version = version
        return self._kept

    def rows(self, sql: str, parameters: Parameters = ()) -> list[tuple[Any, ...]]:
        self._count(sql)
        try:
            found: list[tuple[Any, ...]] = self.execute(sql, parameters).fetchall()
        except sqlcipher.Error as error:
            raise translate(error, self.path) from error
        return found

    def row(self, sql: str, parameters: Parameters = ()) -> tuple[Any, ...] | None:
        """Return the first row of a query, or None; the statement is finished either way."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def change(self, sql: str, parameters: Parameters = ()) -> int:
        """Run a change; return the number of rows it touched.

        Raises:
            RuntimeError: on a read connection, which is a bug of the caller.
        """
        self._guard()
        self._count(sql)
        try:
            return int(self.execute(sql, parameters).rowcount)
        except sqlcipher.Error as error:
            raise translate(error, self.path) from error

    def change_many(self, sql: str, parameters: Iterable[Parameters]) -> int:
        """Run one statement, compiled once, for many rows."""
        self._guard()
        self._count(sql)
        try:
            return int(self.executemany(sql, parameters).rowcount)
        except sqlcipher.Error as error:
            raise translate(error, self.path) from error

    def _count(self, sql: str) -> None:
        self.executions += 1
        self.distinct.add(sql)

    def _guard(self) -> None:
        if not self.writable:
            raise RuntimeError("this connection only reads; changes go through Store.write")


def connect(path: Path, key: bytes, *, writable: bool, alone: bool = False) -> Connection:
    """Open ``path`` with the raw ``key``.

    ``alone``: only this process has the file open, so that the WAL index can be in memory instead of a file (on POSIX
    systems; all connections of the process must agree).

    A raw key skips PBKDF2 (256,000 rounds, some 200 ms, which adds nothing to 256 random bits). ``synchronous=FULL``
    makes a commit durable before it returns. ``secure_delete`` overwrites deleted data, ``temp_store=MEMORY`` keeps
    sorts off the disk. ``mmap`` stays off: SQLCipher decrypts pages as it reads them and cannot map them.
    ``cipher_memory_security`` stays off: it locks and wipes every allocation of the library, which makes page reads
    several times slower, while the decrypted text is out of its reach in Python strings anyway.

    Raises:
        EnvironmentFault: the file cannot be opened with this key.
    """
    try:
        connection = sqlcipher.connect(
            f"{path.absolute().as_uri()}?vfs=unix-excl" if alone else str(path),
            uri=alone,
            timeout=BUSY_MS / 1000,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=CACHED_STATEMENTS,
            factory=Connection,
        )
    except sqlcipher.Error as error:
        raise translate(error, path) from error
    assert isinstance(connection, Connection)
    connection.path = path
    connection.writable = writable
    try:
        _configure(connection, key)
    except sqlcipher.Error as error:
        connection.close()
        raise translate(error, path) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _lowered(text: object) -> str | None:
    """SQLite's own ``lower`` handles only ASCII."""
    return text.lower() if isinstance(text, str) else None


def tell_key(connection: Any, key: bytes) -> None:
    """Give the library its key, and overwrite the buffer it was in, which would otherwise stay in memory after a lock.

    It runs as a script, whose statement is finalized at once: a cached statement would hold the key while the
    connection is open, and be freed without being wiped.
    """
    written = key.hex()
    told = f"PRAGMA key = \"x'{written}'\""
    try:
        connection.executescript(told)
    finally:
        for text in (written, told):
            ctypes.memset(id(text) + sys.getsizeof(text) - len(text) - 1, 0x20, len(text))


def _configure(connection: Connection, key: bytes) -> None:
    role = "writer" if connection.writable else "reader"
    # The library would otherwise write its own lines to standard error.
    connection.execute("PRAGMA cipher_log_level = NONE").fetchall()
    tell_key(connection, key)
    pragmas = (
        f"cipher_page_size = {PAGE_SIZE}",
        "temp_store = MEMORY",
        "mmap_size = 0",
        f"cache_size = -{_CACHE_KIB[role]}",
        f"busy_timeout = {BUSY_MS}",
        "foreign_keys = ON",
        "secure_delete = ON",
        "trusted_schema = ON",
        "recursive_triggers = OFF",
    )
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}").fetchall()
    connection.create_function("lowered", 1, _lowered, deterministic=True)
    # The first read shows whether the key is right.
    connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    if connection.writable:
        if not connection.path.stat().st_size:
            # Lets free pages be returned to the disk; it must be set before the first page is written. Setting it again
            # would rewrite that page, which a full disk refuses.
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL").fetchall()
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        connection.execute("PRAGMA synchronous = FULL").fetchall()
        # Checkpoints run when the writer is idle; this is the limit during long imports (16 MiB of WAL).
        connection.execute("PRAGMA wal_autocheckpoint = 4000").fetchall()
    else:
        connection.execute("PRAGMA query_only = ON").fetchall()
