"""Turns words into FTS5 queries for exactly those words: quoted, never parsed."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from memdesk.storage.values import clean

#: More terms than this add nothing to a ranking and make the query slow; the longest, usually rare, are kept.
MAX_TERMS = 64
_MAX_TERM = 200
_WORD = re.compile(r"\w+")
# Scripts without spaces: unicode61 makes a whole run one token, so parts of it are never found.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def normalize(terms: Iterable[str]) -> list[str]:
    """Return the distinct non-empty terms, ignoring case, at most :data:`MAX_TERMS`, in order."""
    seen: dict[str, str] = {}
    for term in terms:
        text = clean(term).strip()[:_MAX_TERM]
        if text:
            seen.setdefault(text.casefold(), text)
    distinct = list(seen.values())
    if len(distinct) <= MAX_TERMS:
        return distinct
    kept = set(sorted(distinct, key=len, reverse=True)[:MAX_TERMS])
    return [term for term in distinct if term in kept][:MAX_TERMS]


def indexable(term: str) -> bool:
    """Whether FTS5's ``unicode61`` makes tokens of the term that can be found again."""
    return _WORD.search(term.replace("_", " ")) is not None and _UNSPACED.search(term) is None


def quote(term: str) -> str:
    """Return the term as an FTS5 string: a word or, with several words, a phrase."""
    return '"' + term.replace('"', '""') + '"'


def written(word: str) -> set[str]:
    """Return the spellings of a word with ß and with ss, which the index treats as two words."""
    plain = word.replace("ß", "ss")
    return {word, plain, *(plain[: at.start()] + "ß" + plain[at.end() :] for at in re.finditer("ss", plain))}


def either(word: str, end: str = "") -> str:
    """Return a query for all spellings of a word, each followed by ``end``."""
    forms = [quote(form) + end for form in sorted(written(word))]
    return forms[0] if len(forms) == 1 else f"({' OR '.join(forms)})"


def match_any(terms: Sequence[str]) -> str:
    """Return a query for rows with any of the terms.

    OR, because AND finds next to nothing in conversations; BM25 ranks the rest.
    """
    return " OR ".join(map(either, terms))


def match_typed(text: str) -> str | None:
    """Return a query for what a user types in a search field: all words, the last one as a prefix.

    None if the text has no word that FTS5 would find; use LIKE then.
    """
    words = _WORD.findall(clean(text).replace("_", " "))[:MAX_TERMS]
    if not words or _UNSPACED.search(text):
        return None
    *whole, begun = (word[:_MAX_TERM] for word in words)
    return " AND ".join([*map(either, whole), either(begun, "*")])


def typed(queries: Any, text: str) -> tuple[list[str], dict[str, Any]]:
    """Return ``where_match``, or ``where_like``, for what a user types in a search field, with its value."""
    if not text.strip():
        return [], {}
    match = match_typed(text)
    return [queries.where_like.sql if match is None else queries.where_match.sql], {
        "match": match,
        "pattern": like(text),
    }


def like(text: str) -> str:
    r"""Return a LIKE pattern (``ESCAPE '\'``) for rows that contain the text."""
    escaped = clean(text).strip()[:_MAX_TERM].replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"
