"""Reads untrusted JSON: from a remote model, a hub, an archive, a client, a file that anyone may have changed.

Its size, depth, types, end and encoding are not trusted. :func:`decode` returns a plain value or raises
one error, whatever it is given; :func:`text_in`, :func:`number_in`, :func:`object_in` and :func:`list_in` read
fields of it.
"""

import json
import math
import re
from typing import Any, Final, NoReturn

from memdesk.messages import say

#: Levels of lists and objects. Ordinary JSON has about ten; the interpreter itself fails
#: at about a thousand, in the middle of whatever walks the value.
MAX_DEPTH: Final = 100
#: Characters or bytes.
MAX_SIZE: Final = 64 * 2**20
#: What JSON can express and no text contains: NUL, and half of a surrogate pair.
_ESCAPED: Final = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
_HALVES: Final = re.compile("[\ud800-\udfff]")


class UndecodableError(ValueError):
    """It is not JSON, or exceeds the limits on size or depth."""


class TooDeepError(UndecodableError):
    """Lists and objects are nested too deeply."""


def decode(
    data: str | bytes, *, most: int = MAX_SIZE, depth: int = MAX_DEPTH, strict: bool = True, unique: bool = False
) -> Any:
    """Return the value of a JSON text, with its strings cleaned by :func:`clean`.

    Args:
        data: the text, or its bytes in UTF-8, UTF-16 or UTF-32.
        most: the largest size in characters or bytes.
        depth: the most levels of lists and objects.
        strict: refuse control characters inside texts.
        unique: refuse an object with two values of one name, of which readers believe one or the other.

    Raises:
        UndecodableError: it is not JSON, is too large, or contains an invalid number.
        TooDeepError: it is nested too deeply.
    """
    if len(data) > most:
        raise UndecodableError(say("it is larger than {most} bytes", most=most))
    try:
        text = data if isinstance(data, str) else data.decode(json.detect_encoding(data), "replace")
        once = _once if unique else None
        value = json.loads(text.removeprefix("\ufeff"), parse_constant=_refuse, strict=strict, object_pairs_hook=once)
    except RecursionError as error:
        raise TooDeepError(say("it is nested too deeply")) from error
    except ValueError as error:
        raise UndecodableError(say("it is not JSON")) from error
    _check(value, depth)
    return cleaned(value) if _ESCAPED.search(text) or _HALVES.search(text) else value


def clean(text: str) -> str:
    """Return a text without invalid characters; programs that cut texts by length leave half characters."""
    return _HALVES.sub("\ufffd", text.replace("\0", " "))


def cleaned(value: Any) -> Any:
    """Return JSON data with every text in it cleaned; it must not be nested deeply."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [cleaned(each) for each in value]
    if isinstance(value, dict):
        return {cleaned(key): cleaned(each) for key, each in value.items()}
    return value


def text_in(value: Any, name: str, most: int = MAX_SIZE) -> str:
    """Return a text field of an object, cut to ``most`` characters; "" if there is none."""
    found = value.get(name) if isinstance(value, dict) else None
    return clean(found[:most]) if isinstance(found, str) else ""


def number_in(value: Any, name: str) -> int:
    """Return a count in an object; 0 if there is none."""
    found = value.get(name) if isinstance(value, dict) else None
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        return 0
    return min(max(int(found), 0), 2**53)


def object_in(value: Any, name: str) -> dict[str, Any]:
    """Return an object in an object; an empty one if there is none."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def list_in(value: Any, name: str) -> list[Any]:
    """Return a list in an object; an empty one if there is none."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def _check(value: Any, depth: int) -> None:
    """Walk a value level by level, without recursion."""
    level = [value]
    for _ in range(depth + 1):
        inner: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                inner.extend(each.values())
            elif isinstance(each, list):
                inner.extend(each)
            elif isinstance(each, float) and not math.isfinite(each):
                raise UndecodableError(say("it holds a number that never ends"))
        if not inner:
            return
        level = inner
    raise TooDeepError(say("it is nested too deeply"))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(found := dict(pairs)) < len(pairs):
        raise ValueError("a name occurs twice")
    return found


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)
