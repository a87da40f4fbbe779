"""When two facts say the same, and when an episode speaks of a fact."""

from __future__ import annotations

from datetime import datetime

from memdesk.domain.merging import is_taken_in
from memdesk.domain.models import Episode, Fact, FactKind
from memdesk.domain.similarity import word_set
from memdesk.domain.text import content_words, sentences, words

#: Function words that turn a sentence's meaning; two facts that differ in one of them are two facts.
_TURNING_WORDS = """
no not never none nothing nobody neither nor without cannot can't don't doesn't didn't isn't aren't wasn't weren't
won't wouldn't shouldn't couldn't haven't hasn't hadn't ain't before after until since from to over under more most
less least few only all both any he she they him her them his hers their my your our i you we will was were had did
would may might must should
"""
_TURNING = frozenset(_TURNING_WORDS.split())


def fact_set(content: str, *, content_only: bool = False) -> frozenset[str]:
    """Return the words that a fact is compared by.

    Args:
        content: the fact.
        content_only: stems of content words alone (for overlaps); else every word as it stands (for merges).
    """
    return word_set(content) if content_only else frozenset(words(content))


def same_statement(left: Fact, right: Fact) -> bool:
    """Return whether two facts with nearly the same words may be one.

    Likeness of words is no proof: "lives in Porto" and "lives in Oslo" differ in one. So both must have the same
    words of content in the same order, and may differ only in function words that do not turn the meaning: never
    in a name, a number, a tense or a negation. Two events must be of the same day: who ran two marathons ran two.
    """
    if left.valid_until != right.valid_until:
        return False
    if FactKind.EVENT in {left.kind, right.kind} and not _same_day(left.valid_from, right.valid_from):
        return False
    mine, theirs = words(left.content), words(right.content)
    if mine == theirs:
        return True
    if set(mine) == set(theirs) or content_words(left.content) != content_words(right.content):
        return False
    return _TURNING.isdisjoint(set(mine) ^ set(theirs))


def _same_day(left: datetime | None, right: datetime | None) -> bool:
    return left == right or (left is not None and right is not None and left.date() == right.date())


def episode_set(episode: Episode) -> frozenset[str]:
    """Return the words that an episode is compared by for merging: its summary's and its details'.

    With the details, two weekly meetings whose summaries read alike stay two. Details that it took in from others
    do not count, so that what an episode is like does not depend on what it was merged with before.
    """
    texts = [episode.summary, *(detail.content for detail in episode.details if not is_taken_in(detail))]
    return frozenset(word for text in texts for word in words(text))


def episode_lines(episode: Episode) -> list[frozenset[str]]:
    """Return the lines of an episode, as content words, that a fact may overlap."""
    texts = [
        episode.summary,
        *sentences(episode.summary),
        *episode.decisions,
        *episode.action_items,
        *(detail.content for detail in episode.details),
    ]
    found = dict.fromkeys(word_set(text) for text in texts if content_words(text))
    return list(found)
