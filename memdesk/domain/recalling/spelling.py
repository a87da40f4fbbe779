"""Reads words that nobody used as typos of words that somebody did."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from memdesk.domain.language.text import stem
from memdesk.domain.recalling.query import Query

#: Shorter words have too many neighbors that are words of their own.
LEAST: Final = 5


def respelled(query: Query, strange: Collection[str], said: Iterable[Iterable[str]]) -> Query:
    """Return ``query`` with each strange term read as the most used stem that is one typo away from it.

    Args:
        query: the question's reading.
        strange: its terms that no row contains.
        said: the stems of each available text.
    """
    roots = {term: stem(term) for term in strange if len(stem(term)) >= LEAST}
    if not roots:
        return query
    first = {root[0] for root in roots.values()}
    used = Counter(word for text in said for word in text if word[0] in first)
    found: dict[str, str] = {}
    for term, root in roots.items():
        near = [word for word in used if is_slip(root, word)]
        if near:
            found[term] = min(near, key=lambda word: (-used[word], word))
    if not found:
        return query
    terms = tuple(dict.fromkeys(found.get(term, term) for term in query.terms))
    return replace(query, terms=terms, stems=tuple(dict.fromkeys(stem(term) for term in terms)))


def is_slip(one: str, other: str) -> bool:
    """Whether two different words with the same first letter differ by two swapped letters, or by a missing one.

    Substituted letters would match too many real words with each other ("house", "horse").
    """
    if one == other or one[:1] != other[:1] or abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, rest_of_other = one[start:], other[start:]
    if len(one) == len(other):
        return rest[1::-1] + rest[2:] == rest_of_other
    long, short = sorted((rest, rest_of_other), key=len, reverse=True)
    return long[1:] == short
