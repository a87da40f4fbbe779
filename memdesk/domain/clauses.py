"""Cuts a sentence that says two things of two subjects into one statement for each.

"My sister Ada lives in Lisbon and I am allergic to peanuts" is two facts: each ages, is corrected and is found by itself.
"""

from __future__ import annotations

from collections.abc import Iterator

from memdesk.domain.language import Analysis, lexicon

#: Dependency labels of a subject, as spaCy's English pipelines name them.
_SUBJECTS = lexicon("nsubj nsubjpass expl csubj")
#: Words that need the clause before.
_POINTING = lexicon("it them this that those these there")
#: Most tokens before "and I" that belong to one subject.
_JOINED_SUBJECT = 4
#: Least tokens of a statement.
_MIN_TOKENS = 3


def clauses(analysis: Analysis, begin: int, end: int) -> list[tuple[int, int]]:
    """Return the ``(first, after last)`` token indexes of the coordinated main clauses of one sentence.

    A clause is cut off where its verb is coordinated with the sentence's main verb and brings its own subject. Commas
    and conjunctions between clauses belong to none. Without a parse, and where nothing is coordinated, it is the whole.
    """
    tokens = analysis.tokens
    found, start = [], begin
    for conjunct in _subjects_of_conjuncts(analysis, begin, end):
        subject = _whole_subject(analysis, start, conjunct)
        if _leans(analysis, subject, end):
            continue
        link = subject - 1
        if tokens[link].lower == "or":
            continue  # an alternative is no second statement
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


def _whole_subject(analysis: Analysis, start: int, subject: int) -> int:
    """Return where "my cousins and I" begins when the parse took "I" alone for the subject."""
    tokens = analysis.tokens
    if subject - 1 <= start or tokens[subject - 1].lower != "and":
        return subject
    first = subject - 1
    while first - 1 > start and tokens[first - 1].text not in {",", ";"} and tokens[first - 1].lower != "and":
        first -= 1
    between = tokens[first : subject - 1]
    joins = tokens[first - 1].lower == "and" and 0 < len(between) <= _JOINED_SUBJECT
    return first if joins and not any(token.pos in {"VERB", "AUX"} for token in between) else subject


def _leans(analysis: Analysis, subject: int, end: int) -> bool:
    """Whether a clause says nothing without the one before it: "I drive a Golf and I will keep it"."""
    body = analysis.tokens[subject:end]
    leans = any(t.lower in _POINTING and t.dep in {"dobj", "pobj", "attr", "dative", "advmod"} for t in body)
    return leans and not any(token.pos == "PROPN" for token in body)


def _under(analysis: Analysis, index: int, top: int) -> bool:
    """Whether a token belongs to the phrase of another."""
    tokens = analysis.tokens
    while index != top and tokens[index].head != index:
        index = tokens[index].head
    return index == top
