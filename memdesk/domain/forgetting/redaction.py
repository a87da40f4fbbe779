"""Finds the lines of an episode that repeat something to be forgotten, and removes them."""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, combinations
from typing import Any, TypeVar

from memdesk.domain.comparing.similarity import jaccard, word_set
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.text import content_words, fold, one_line, sentences, stem, words

T = TypeVar("T")

#: A line this similar to the forgotten one (Jaccard of content words) is a copy; same as the distiller's measure.
COPY_JACCARD = 0.6
#: A line that contains this share of the forgotten one's content words states it, whatever else it says.
COPY_CONTAINMENT = 0.9
#: Texts with fewer content words are too short to be recognized by containment.
_ENOUGH_WORDS = 3
#: Longer texts are searched by one rare word: they have many, and pairs of them would only cost memory.
_PAIRS_UP_TO = 32
#: Replaces a summary of which nothing is left.
EMPTIED = "Part of this conversation was forgotten."

#: Whether a line must go.
Tells = Callable[[str], bool]


def tells_any(texts: Collection[str]) -> Tells:
    """Return a test for lines that state one of ``texts``: equal, nearly equal, or containing nearly all its words.

    Its cost hardly grows with the number of texts: a line states one only if it contains one of the text's rarest
    words, and if they are of similar length only if the rarest words of both have two in common (prefix filtering, see
    :mod:`memdesk.domain.comparing.setjoin`).
    """
    exact = {one_line(text).casefold() for text in texts}
    wanted = {found for text in texts if (found := word_set(text))}
    count = Counter(word for one in wanted for word in one)
    alike: dict[tuple[str, ...], list[frozenset[str]]] = {}
    held: dict[str, list[frozenset[str]]] = {}

    def rarity(word: str) -> tuple[int, str]:
        return count[word], word

    for one in wanted:
        rare = _rarest(one, COPY_JACCARD, rarity, common=2)
        for key in combinations(rare, 2) if 1 < len(one) <= _PAIRS_UP_TO else zip(rare, strict=True):
            alike.setdefault(key, []).append(one)
        for word in _rarest(one, COPY_CONTAINMENT, rarity) if len(one) >= _ENOUGH_WORDS else ():
            held.setdefault(word, []).append(one)

    def tells(line: str) -> bool:
        if one_line(line).casefold() in exact:
            return True
        mine = word_set(line)
        for word in mine & held.keys():
            if any(len(one & mine) >= COPY_CONTAINMENT * len(one) for one in held[word]):
                return True
        rare = [word for word in _rarest(mine, COPY_JACCARD, rarity, common=2) if word in count]
        pairs = combinations(rare, 2) if COPY_JACCARD * len(mine) <= _PAIRS_UP_TO else ()
        keys = chain(pairs, zip(rare, strict=True))
        return any(jaccard(mine, one) >= COPY_JACCARD for key in keys if key in alike for one in alike[key])

    return tells


def _rarest(members: Collection[T], share: float, rarity: Callable[[T], Any], *, common: int = 1) -> list[T]:
    """Return the rarest members; any set with at least ``share`` of all has ``common`` of them."""
    return sorted(members, key=rarity)[: len(members) - math.ceil(share * len(members) - 1e-9) + common]


def topic_words(text: str) -> dict[str, str]:
    """Return the content words of a text by their stems."""
    return {stem(word): word for word in content_words(text)}


def telling_words(texts: Iterable[str], frequency: Mapping[str, int], *, share: float = COPY_JACCARD) -> set[str]:
    """Return words by which a full-text index finds everything that may state one of ``texts``, and little else.

    Args:
        texts: those without a content word are not found.
        frequency: how many rows contain each of their :func:`topic_words`.
        share: the share of a text's words that a copy contains at least.
    """
    by_stem: dict[str, str] = {}
    for text in texts:
        found = topic_words(text)
        order = {each: (frequency[word], each) for each, word in found.items()}
        for each in _rarest(found, share, order.__getitem__):
            by_stem.setdefault(each, found[each])
    return set(by_stem.values())


def names(name: str) -> Tells:
    """Return a test for lines with ``name`` as whole words, ignoring case and accents."""
    folded = r"\s+".join(re.escape(fold(word)) for word in words(name)) or re.escape(fold(name))
    pattern = re.compile(rf"(?<!\w){folded}(?!\w)")
    return lambda line: pattern.search(fold(line)) is not None


def without(episode: MemoryItem, tells: Tells, now: datetime) -> MemoryItem | None:
    """Return an episode without the lines that ``tells`` picks; the same object if none; None if nothing is left."""
    digest = episode.session
    kept_details = tuple(detail for detail in digest.details if not tells(detail.content))
    told = sentences(episode.content)
    left = [sentence for sentence in told if not tells(sentence)]
    decisions, actions = _kept(digest.decisions, tells), _kept(digest.action_items, tells)
    lines = (*(detail.content for detail in digest.details), *told, *digest.decisions, *digest.action_items)
    kept = (*(detail.content for detail in kept_details), *decisions, *actions)
    orphans = _words_of([line for line in lines if tells(line)]) - _words_of(kept)
    # "The user talked about walnuts and bees" mentions the walnuts too: it goes if nothing else has that topic.
    topics = tuple(topic for topic in _kept(episode.tags, tells) if not _is_orphan(topic, orphans))
    gone = [names(topic) for topic in episode.tags if topic not in topics]
    left = [sentence for sentence in left if not any(named(sentence) for named in gone)]
    entities = _kept(digest.entities, tells)
    named_still = _words_of((*kept, *left))
    new = replace(
        episode,
        content=episode.content if len(left) == len(told) else " ".join(left) or EMPTIED,
        tags=topics,
        digest=replace(
            digest,
            details=kept_details,
            entities=tuple(name for name in entities if not _is_orphan(name, orphans - named_still)),
            decisions=decisions,
            action_items=actions,
        ),
    )
    if new == episode:
        return episode
    if new.content == EMPTIED and not kept:
        return None
    return replace(new, updated_at=now)


def _words_of(lines: Collection[str]) -> frozenset[str]:
    return frozenset().union(*(word_set(line) for line in lines))


def _is_orphan(topic: str, orphans: frozenset[str]) -> bool:
    found = word_set(topic)
    return bool(found) and found <= orphans


def _kept(lines: Sequence[str], tells: Tells) -> tuple[str, ...]:
    return tuple(line for line in lines if not tells(line))
