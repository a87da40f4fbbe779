"""When two facts say the same, and when an episode is about a fact."""

import uuid
from datetime import datetime

from memdesk.domain.comparing.comparison import compare
from memdesk.domain.comparing.relations import claim_of
from memdesk.domain.comparing.similarity import word_set
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.registry import KINDS
from memdesk.domain.language.text import content_words, sentences, words


def fact_set(content: str) -> frozenset[str]:
    """Return the stems of a fact's content words, by which it overlaps with lines of episodes."""
    return word_set(content)


def statement_set(fact: MemoryItem) -> frozenset[str]:
    """Return the words by which facts are nominated for a merge: those of its fields, else all."""
    if fact.statement is None:
        return frozenset(words(fact.content))
    claim = claim_of(fact.statement)
    numbers = {number for value in (claim.value, *claim.narrow.values()) if value for number in value.numbers}
    return claim.tokens() | numbers | {claim.relation} | {token for part in claim.topic for token in part.tokens}


def same_statement(older: MemoryItem, newer: MemoryItem) -> bool:
    """Return whether the newer of two facts says nothing but what the older one says.

    Similarity proves nothing: the fields must be equal, or, if the facts could not be parsed, the words. Two events
    must be on the same day: whoever ran two marathons ran two.
    """
    if older.valid_until != newer.valid_until:
        return False
    if (KINDS[older.kind].dated or KINDS[newer.kind].dated) and not _same_day(older.valid_from, newer.valid_from):
        return False
    if older.statement is None or newer.statement is None:
        return words(older.content) == words(newer.content)
    return compare(newer.statement, older.statement).outcome == "same"


def _same_day(left: datetime | None, right: datetime | None) -> bool:
    return left == right or (left is not None and right is not None and left.date() == right.date())


def episode_set(episode: MemoryItem) -> frozenset[str]:
    """Return the words of an episode's summary and details, by which episodes are compared for merging.

    The details keep two weekly meetings with similar summaries apart. Details from merged episodes do not count, so
    that similarity does not depend on earlier merges.
    """
    texts = [episode.content, *(detail.content for detail in episode.session.details if not is_taken_in(detail))]
    return frozenset(word for text in texts for word in words(text))


def is_taken_in(detail: MemoryItem) -> bool:
    """Return whether a detail came from a merged episode: only such ids are version 5 UUIDs."""
    try:
        return uuid.UUID(detail.id).version == 5
    except ValueError:
        return False


def episode_lines(episode: MemoryItem) -> list[frozenset[str]]:
    """Return an episode's lines, as content words, with which a fact may overlap."""
    texts = [
        episode.content,
        *sentences(episode.content),
        *episode.session.decisions,
        *episode.session.action_items,
        *(detail.content for detail in episode.session.details),
    ]
    found = dict.fromkeys(word_set(text) for text in texts if content_words(text))
    return list(found)
