"""Which lines of an episode repeat something that is to be forgotten, and what is left without them."""

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime

from memdesk.domain.comparing.similarity import containment, jaccard, word_set
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.text import fold, one_line, sentences, words

#: A line this like the forgotten one (Jaccard of content words) is a copy of it; the distiller's own measure.
COPY_JACCARD = 0.6
#: A line that holds this share of the forgotten one's content words tells it, whatever else it says.
COPY_CONTAINMENT = 0.9
#: Fewer content words than this say too little to be recognized by containment.
_ENOUGH_WORDS = 3
#: Stands where nothing of a summary is left.
EMPTIED = "Part of this conversation was forgotten."

#: Whether a line is to go.
Tells = Callable[[str], bool]


def tells_any(texts: Collection[str]) -> Tells:
    """Return a test for lines that tell one of ``texts``: equal, nearly equal, or holding nearly all its words.

    Its cost hardly grows with the number of texts: a line tells one only if it holds at least :data:`COPY_JACCARD`
    of its words, so that one of its rarest words, by which it is found, must be among them (prefix filtering, see
    :mod:`memdesk.domain.comparing.setjoin`).
    """
    exact = {one_line(text).casefold() for text in texts}
    wanted = {found for text in texts if (found := word_set(text))}
    count = Counter(word for one in wanted for word in one)
    by_rare: dict[str, list[frozenset[str]]] = {}
    for one in wanted:
        rarest = sorted(one, key=lambda word: (count[word], word))
        for word in rarest[: len(one) - math.ceil(COPY_JACCARD * len(one) - 1e-9) + 1]:
            by_rare.setdefault(word, []).append(one)

    def tells(line: str) -> bool:
        if one_line(line).casefold() in exact:
            return True
        mine = word_set(line)
        return any(
            jaccard(mine, one) >= COPY_JACCARD
            or (len(one) >= _ENOUGH_WORDS and containment(one, mine) >= COPY_CONTAINMENT)
            for word in mine & by_rare.keys()
            for one in by_rare[word]
        )

    return tells


def names(name: str) -> Tells:
    """Return a test for lines that name ``name`` as whole words, case and accents folded."""
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
    # "The user talked about walnuts and bees" tells of the walnuts too: it goes with the topic that nothing else holds.
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
