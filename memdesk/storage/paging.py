"""Pages of lists: found by the last row's sort key, or at a position by counting rows off from the nearer end.

To count many rows off, only the sort's index is walked, never the table: which rows count is known before, from one
look at those that match, or at those that don't where they are fewer. Else a page in the middle of 100,000 rows costs
50,000 rows read, in the order of a sort that has nothing to do with where they lie.
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
#: Up to so many matches are collected and sorted; for more, the sort's index is walked until the page is full.
SORTED_AT_ONCE = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The parts of a list query.

    Attributes:
        key: sort expression, never NULL.
        tie: unique column that settles equal keys.
        descending: direction of both.
    """

    columns: str
    source: str
    key: str
    tie: str
    descending: bool = True


def given(queries: Any, **values: Any) -> tuple[list[str], dict[str, Any]]:
    """Return the conditions ``where_<name>`` of the values that are not None, and these values by name."""
    kept = {name: value for name, value in values.items() if value is not None}
    return [getattr(queries, f"where_{name}").sql for name in kept], kept


def encode(listing: Listing, key: Any, tie: Any) -> str:
    text = json.dumps([_signature(listing), key, tie], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode(listing: Listing, cursor: str) -> tuple[Any, Any]:
    """Return what :func:`encode` was given.

    Raises:
        InvalidCursorError: the cursor is not of this list.
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
    """Return the position that :func:`memdesk.domain.models.cursor_at` was given; None for any other cursor.

    Raises:
        InvalidCursorError: there is no such position.
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

    ``where`` are conditions that must all hold, with values in ``parameters``; ``limit`` is kept between 0 and
    :data:`MAX_LIMIT`. ``walk``: the same conditions in words that keep SQLite from looking for rows by them, where that
    matters: a frequent state is better tested while the sort's index is walked.

    Raises:
        InvalidCursorError: the cursor is not of this list.
    """
    limit = max(0, min(limit, MAX_LIMIT))
    filters = " AND ".join(f"({w})" for w in where) or "1"
    (total,) = conn.rows(f"SELECT count(*) FROM {listing.source} WHERE {filters}", parameters)[0]
    values = dict(parameters)
    key, tie = listing.key, listing.tie
    if walk is not None and total > SORTED_AT_ONCE:
        filters = " AND ".join(f"({w})" for w in walk) or "1"
    elif walk is not None:
        # The plus sign, which changes no value, hides the column from the choice of an index.
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
    """Return the conditions in words that are tested on the sort's index alone, without a look at the row."""
    if not where:
        return "1"
    ((every,),) = conn.rows(f"SELECT count(*) FROM {listing.source}")
    rows, filters = f"SELECT {listing.tie} FROM {listing.source}", " AND ".join(f"({w})" for w in where)
    if 2 * total < every:
        return f"+{listing.tie} IN ({rows} WHERE {filters})"
    return f"+{listing.tie} NOT IN ({rows} WHERE ({filters}) IS NOT TRUE)"
