"""Loads ``queries/*.sql`` through aiosql and runs them on SQLCipher connections."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import aiosql
from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.storage.connection import Connection
from memdesk.storage.errors import translate

FOLDER = Path(__file__).parent / "queries"
Row = tuple[Any, ...]


class SqlCipherAdapter:
    """aiosql's driver adapter for SQLCipher: with lists instead of generators and typed errors.

    Statements are compiled once per connection: SQLCipher's cache keeps the last
    :data:`~memdesk.storage.connection.CACHED_STATEMENTS`, more than the files have.
    """

    is_aio_driver = False

    def process_sql(self, query_name: str, op_type: object, sql: str) -> str:  # noqa: ARG002 - aiosql's signature
        """Return the text without the closing semicolon, so that named queries compose."""
        return sql.strip().rstrip(";")

    def select(
        self, conn: Connection, _name: str, sql: str, parameters: Any, _record_class: object = None
    ) -> list[Row]:
        return conn.rows(sql, parameters)

    def select_one(
        self, conn: Connection, _name: str, sql: str, parameters: Any, _record_class: object = None
    ) -> Row | None:
        """Return the first row or None."""
        return conn.row(sql, parameters)

    def select_value(self, conn: Connection, _name: str, sql: str, parameters: Any) -> Any:
        """Return the first column of the first row, or None."""
        row = conn.row(sql, parameters)
        return None if row is None else row[0]

    def insert_update_delete(self, conn: Connection, _name: str, sql: str, parameters: Any) -> int:
        """Run a change; return the number of rows."""
        return conn.change(sql, parameters)

    def insert_update_delete_many(
        self, conn: Connection, _name: str, sql: str, parameters: Iterable[Mapping[str, Any] | Sequence[Any]]
    ) -> int:
        """Run one statement, compiled once, for many rows."""
        return conn.change_many(sql, parameters)

    def insert_returning(self, conn: Connection, _name: str, sql: str, parameters: Any) -> Any:
        """Run an insert and return the first returned column."""
        row = conn.row(sql, parameters)
        return None if row is None else row[0]

    def execute_script(self, conn: Connection, sql: str) -> str:
        try:
            conn.executescript(sql)
        except sqlcipher.Error as error:
            raise translate(error, conn.path) from error
        return "DONE"


@cache
def load(name: str) -> Any:
    """Return the queries of ``queries/<name>.sql``: one callable per ``-- name:``, its text as ``.sql``."""
    adapter: Any = SqlCipherAdapter
    return aiosql.from_path(FOLDER / f"{name}.sql", adapter, mandatory_parameters=False, encoding="utf-8")
