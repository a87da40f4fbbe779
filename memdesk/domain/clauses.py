"""Cuts a sentence that says two things of two subjects into one statement for each.

"My sister Ada lives in Lisbon and I am allergic to peanuts" is two facts: each ages, is corrected and is found by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from memdesk.domain.language import Analysis, lexicon

#: Dependency labels of a subject, as spaCy's English pipelines name them.
_SUBJECTS = lexicon("nsubj nsubjpass expl csubj")
#: Least tokens of a statement.
_MIN_TOKENS = 3


def clauses(analysis: Analysis, begin: int, end: int) -> list[tuple[int, int]]:
    """Return the ``(first, after last)`` token indexes of the coordinated main clauses of one sentence.

    A clause is cut off where its verb is coordinated with the sentence's main verb and brings its own subject. Commas
    and conjunctions between clauses belong to none. Without a parse, and where nothing is coordinated, it is the whole.
    """
    tokens = analysis.tokens
    found, start = [], begin
    for subject in _subjects_of_conjuncts(analysis, begin, end):
        link = subject - 1
        while link > start and (tokens[link].dep == "cc" or tokens[link].text in {",", ";"}):
            link -= 1
        if link + 1 == subject or link + 1 - start < _MIN_TOKENS or end - subject < _MIN_TOKENS:
            continue
        found.append((start, link + 1))
        start = subject
    return [*found, (start, end)]


def _subjects_of_conjuncts(analysis: Analysis, begin: int, end: int) -> Iterator[int]:
    """Yield where the subjects of verbs coordinated with the main verb begin."""
    tokens = analysis.tokens
    chain = {i for i in range(begin, end) if tokens[i].head == i and tokens[i].pos in {"VERB", "AUX"}}
    for index in range(begin, end):
        token = tokens[index]
        if token.dep != "conj" or token.head not in chain or token.pos not in {"VERB", "AUX"}:
            continue
        subjects = [i for i in range(token.head + 1, index) if tokens[i].head == index and tokens[i].dep in _SUBJECTS]
        if subjects:
            chain.add(index)
            yield min(i for i in range(token.head + 1, index) if _under(analysis, i, subjects[0]))


def _under(analysis: Analysis, index: int, top: int) -> bool:
    """Whether a token belongs to the phrase of another."""
    tokens = analysis.tokens
    while index != top and tokens[index].head != index:
        index = tokens[index].head
    return index == top
