"""Changes one member of a JSON text with comments and trailing commas, leaving everything else unchanged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from json.decoder import JSONDecoder
from typing import Any, Final, NamedTuple

#: Strings first: what looks like a comment inside one is not.
_COMMENTS: Final = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING: Final = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])', re.DOTALL)
_GAP: Final = re.compile(r"[\s,]*")
_read: Final = JSONDecoder().raw_decode


class _Member(NamedTuple):
    name: str
    start: int
    value: int
    end: int


def plain(text: str) -> str:
    """Return a text as plain JSON, comments blanked so that positions stay the same; an empty object if it has none."""
    bare = _blanked(_COMMENTS, text)
    return _blanked(_TRAILING, bare) if bare.strip() else "{}"


def put(text: str, under: str, name: str, value: Any) -> str:
    """Set one member of the object ``under``. Creates both if missing.

    New members come first, where no comma or comment is in the way.
    """
    if not _blanked(_COMMENTS, text).strip():
        text = f"{text}\n{{}}\n".lstrip()
    told = plain(text)
    outer = _find(told, told.index("{"), under)
    if outer is None:
        return _first(text, told.index("{"), 1, under, {name: value})
    known = _find(told, outer.value, name)
    if known is None:
        return _first(text, outer.value, 2, name, value)
    return text[: known.value] + _dumped(value, 2) + text[known.end :]


def remove(text: str, under: str, name: str) -> str:
    """Remove an existing member of the object ``under``, with its comma."""
    told, bare = plain(text), _blanked(_COMMENTS, text)
    outer = _find(told, told.index("{"), under)
    known = outer and _find(told, outer.value, name)
    assert known
    before, after = bare[: known.start].rstrip(), bare[known.end :].lstrip()
    comma = len(bare) - len(after) if after.startswith(",") else len(before) - 1
    letters = list(text)
    letters[known.start : known.end] = [""] * (known.end - known.start)
    if bare[comma] == ",":
        letters[comma] = ""
    return "".join(letters)


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda found: found[0] if found[0][0] == '"' else re.sub(r"\S", " ", found[0]), text)


def _find(told: str, at: int, name: str) -> _Member | None:
    """Return a member of the object that begins at ``at``; of duplicates the last, which is the effective one."""
    return next((each for each in reversed(list(_members(told, at))) if each.name == name), None)


def _members(told: str, at: int) -> Iterator[_Member]:
    while told[start := _past(told, at + 1)] != "}":
        name, end = _read(told, start)
        value = _past(told, told.index(":", end) + 1)
        at = _read(told, value)[1]
        yield _Member(name, start, value, at)
        at -= 1


def _past(told: str, at: int) -> int:
    """Return the position after a gap."""
    found = _GAP.match(told, at)
    assert found
    return found.end()


def _first(text: str, at: int, depth: int, name: str, value: Any) -> str:
    more = "" if plain(text)[at + 1 :].lstrip().startswith("}") else ","
    inset = "\n" + "  " * depth
    return f"{text[: at + 1]}{inset}{json.dumps(name)}: {_dumped(value, depth)}{more}{text[at + 1 :]}"


def _dumped(value: Any, depth: int) -> str:
    return json.dumps(value, indent=2).replace("\n", "\n" + "  " * depth)
