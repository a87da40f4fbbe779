"""Python values as stored in the database, and back."""

import json
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def to_ms(when: datetime) -> int:
    """Return milliseconds since the epoch, cut (not rounded) to the millisecond.

    Raises:
        ValueError: ``when`` has no timezone; guessing one would store a wrong moment.
    """
    if when.tzinfo is None:
        raise ValueError("a time without a timezone cannot be stored")
    return (when - EPOCH) // _MILLISECOND


def to_ms_or_none(when: datetime | None) -> int | None:
    """Like :func:`to_ms`, letting None through."""
    return None if when is None else to_ms(when)


def from_ms(milliseconds: int) -> datetime:
    """Return the moment in UTC; exact, no floating point in between."""
    return EPOCH + timedelta(milliseconds=milliseconds)


def from_ms_or_none(milliseconds: int | None) -> datetime | None:
    """Like :func:`from_ms`, letting None through."""
    return None if milliseconds is None else EPOCH + timedelta(milliseconds=milliseconds)


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} cannot be stored as JSON")


#: Created once: ``json.dumps`` with options creates an encoder per call, which costs more than the encoding.
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain)


def to_json(value: Any) -> str:
    """Return compact JSON without escaping letters; times become ISO 8601, tuples lists."""
    return _ENCODER.encode(value)


def from_json(text: str) -> Any:
    """Parse the output of :func:`to_json`."""
    return json.loads(text)


def strings(text: str) -> tuple[str, ...]:
    """Parse a JSON list of strings from :func:`to_json`; usual ones without a parser."""
    if text == "[]":
        return ()
    if "\\" in text:
        return tuple(json.loads(text))
    # Nothing is escaped, so no string contains a quotation mark.
    return tuple(text[2:-2].split('","'))


def ids(values: Iterable[str | int]) -> str:
    """Return a list as the JSON that ``json_each`` reads: any number of ids in one placeholder."""
    return json.dumps(list(values))


def dated(when: datetime) -> str:
    """Return the day in English words, for the full-text mirrors: ``Monday 8 May 2023``."""
    return f"{_DAYS[when.weekday()]} {when.day} {_MONTHS[when.month - 1]} {when.year}"


def fold(text: str) -> str:
    """Return ``text`` without case, diacritics and outer or doubled spaces, for comparing names."""
    decomposed = unicodedata.normalize("NFKD", text)
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    return " ".join(bare.casefold().split())


def clean(text: str) -> str:
    """Return ``text`` without what SQLite cannot hold: NUL ends a string there, lone surrogates are not UTF-8."""
    if "\0" in text:
        text = text.replace("\0", " ")
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
