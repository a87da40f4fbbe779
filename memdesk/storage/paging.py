"""Pages of lists: found by the last row's sort key, or by position, counting rows from the nearer end.

Counting rows walks only the sort's index, never the table: matching rows (or non-matching ones, if fewer) are collected
first. Otherwise a page in the middle of 100,000 rows would read 50,000 rows, in a sort order that has nothing to do
with where they are stored.
"""

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from memdesk.domain import decoding
from memdesk.domain.models import Page
from memdesk.messages import say
from memdesk.storage.connection import Connection
from memdesk.storage.errors import InvalidCursorError

T = TypeVar("T")
MAX_LIMIT = 10_000
#: Up to this many matches are collected and sorted; for more, the sort's index is walked until the page is full.
SORTED_AT_ONCE = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The parts of a list query.

    Attributes:
        key: sort expression, never NULL.
        tie: unique column that breaks ties.
        descending: direction of both.
    """

    columns: str
    source: str
    key: str
    tie: str
    descending: bool = True


def given(queries: Any, **values: Any) -> tuple[list[str], dict[str, Any]]:
    """Return the conditions ``where_<name>`` for values that are not None, and these values by name."""
    kept = {name: value for name, value in values.items() if value is not None}
    return [getattr(queries, f"where_{name}").sql for name in kept], kept


def encode(listing: Listing, key: Any, tie: Any) -> str:
    text = json.dumps([_signature(listing), key, tie], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode(listing: Listing, cursor: str) -> tuple[Any, Any]:
    """Return the input of :func:`encode`.

    Raises:
        InvalidCursorError: the cursor belongs to another list.
    """
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        signature, key, tie = decoding.decode(base64.urlsafe_b64decode(padded.encode("ascii")))
    except (ValueError, TypeError, binascii.Error) as error:
        raise InvalidCursorError(say("The cursor is not one that memdesk gave out.")) from error
    scalar = (str, int, float)
    if signature != _signature(listing) or not isinstance(key, scalar) or not isinstance(tie, scalar):
        raise InvalidCursorError(say("The cursor belongs to a list with another order."))
    return key, tie


def position_of(cursor: str | None) -> int | None:
    """Return the input of :func:`memdesk.domain.models.cursor_at`; None for any other cursor.

    Raises:
        InvalidCursorError: no such position exists.
    """
    if not cursor or not cursor.startswith("@"):
        return None
    if not re.fullmatch(r"@\d{1,12}", cursor, re.ASCII):
        raise InvalidCursorError(say("The cursor is not one that memdesk gave out."))
    return int(cursor[1:])


def _signature(listing: Listing) -> str:
    return f"{listing.key}{'-' if listing.descending else '+'}"


def fetch(
    conn: Connection,
    listing: Listing,
    *,
    where: Sequence[str],
    parameters: Mapping[str, Any],
    limit: int,
    cursor: str | None,
    walk: Sequence[str] | None = None,
    build: Callable[[list[tuple[Any, ...]]], list[T]],
) -> Page[T]:
    """Return one page and the total.

    ``where`` are conditions that must all hold, with values in ``parameters``; ``limit`` is clamped to 0 to
    :data:`MAX_LIMIT`. ``walk``: the same conditions, written so that SQLite does not look rows up by them, where that
    matters: a frequent status is better tested while walking the sort's index.

    Raises:
        InvalidCursorError: the cursor belongs to another list.
    """
    limit = max(0, min(limit, MAX_LIMIT))
    filters = " AND ".join(f"({w})" for w in where) or "1"
    (total,) = conn.rows(f"SELECT count(*) FROM {listing.source} WHERE {filters}", parameters)[0]
    values = dict(parameters)
    key, tie = listing.key, listing.tie
    if walk is not None and total > SORTED_AT_ONCE:
        filters = " AND ".join(f"({w})" for w in walk) or "1"
    elif walk is not None:
        # The unary plus keeps SQLite from choosing an index on the column.
        key, tie = f"+{key}", f"+{tie}"
    position = position_of(cursor)
    skipped, turned = 0, False
    if position is not None:
        limit = max(0, min(limit, total - position))
        turned = position > (total - limit) // 2
        skipped = total - position - limit if turned else position
    elif cursor:
        values["page_key"], values["page_tie"] = decode(listing, cursor)
        filters += f" AND ({key}, {tie}) {'<' if listing.descending else '>'} (:page_key, :page_tie)"
    order = "DESC" if listing.descending is not turned else "ASC"
    cut = "LIMIT :page_limit OFFSET :page_skipped"
    if skipped > SORTED_AT_ONCE:
        picked = _picked(conn, listing, where, total)
        filters = f"{listing.tie} IN (SELECT {listing.tie} FROM {listing.source} WHERE {picked} "
        filters += f"ORDER BY {listing.key} {order}, {listing.tie} {order} {cut})"
        key, tie, cut = f"+{listing.key}", f"+{listing.tie}", ""
    rows = conn.rows(
        f"SELECT {key}, {tie}, {listing.columns} FROM {listing.source} WHERE {filters} "
        f"ORDER BY {key} {order}, {tie} {order} {cut}",
        dict(values, page_limit=limit + (not turned), page_skipped=skipped),
    )
    if turned:
        rows.reverse()
    more = skipped > 0 if turned else len(rows) > limit
    rows = rows[:limit]
    following = encode(listing, rows[-1][0], rows[-1][1]) if more and rows else None
    return Page(items=build([row[2:] for row in rows]), total=total, next=following)


def _picked(conn: Connection, listing: Listing, where: Sequence[str], total: int) -> str:
    """Return the conditions as tests on the sort's index alone, without reading the row."""
    if not where:
        return "1"
    ((every,),) = conn.rows(f"SELECT count(*) FROM {listing.source}")
    rows, filters = f"SELECT {listing.tie} FROM {listing.source}", " AND ".join(f"({w})" for w in where)
    if 2 * total < every:
        return f"+{listing.tie} IN ({rows} WHERE {filters})"
    return f"+{listing.tie} NOT IN ({rows} WHERE ({filters}) IS NOT TRUE)"
