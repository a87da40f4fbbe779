"""Numbered migrations under ``PRAGMA user_version``."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.storage.connection import Connection
from memdesk.storage.errors import translate
from memdesk.storage.moving import Progress, move

FOLDER = Path(__file__).parent / "migrations"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema: from version ``number - 1`` to ``number``."""

    number: int
    name: str
    sql: str


@cache
def migrations() -> tuple[Migration, ...]:
    """Return all steps in order.

    Raises:
        RuntimeError: a number is missing or duplicate, which is our bug.
    """
    steps = []
    for path in sorted(FOLDER.glob("*.sql")):
        match = re.fullmatch(r"(\d{4})_(\w+)", path.stem)
        if match is None:
            raise RuntimeError(f"{path.name} is not named NNNN_words.sql")
        steps.append(Migration(int(match[1]), match[2], path.read_text(encoding="utf-8")))
    if [step.number for step in steps] != list(range(1, len(steps) + 1)):
        raise RuntimeError("the migrations are not numbered without gaps")
    return tuple(steps)


def latest() -> int:
    return len(migrations())


def version(conn: Connection) -> int:
    return int(conn.rows("PRAGMA user_version")[0][0])


def migrate(conn: Connection, *, upto: int | None = None, progress: Progress | None = None) -> list[int]:
    """Bring an open database to version ``upto`` (default: the latest); return the steps done.

    Each step and its version number are one transaction: after a crash the database is at one version or the next,
    never between. Rows that a step leaves to be moved are moved in slices; after a crash the next call resumes them.
    """
    move(conn, progress)
    done = []
    for step in migrations()[version(conn) : upto]:
        try:
            conn.executescript(f"BEGIN IMMEDIATE;\n{step.sql}\nPRAGMA user_version = {step.number};\nCOMMIT;")
        except sqlcipher.Error as error:
            if conn.in_transaction:
                conn.execute("ROLLBACK")
            raise translate(error, conn.path) from error
        done.append(step.number)
        move(conn, progress)
    return done
