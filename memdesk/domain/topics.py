"""What a session is about, in a few words: the nouns and short noun phrases that return in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from memdesk.domain.language import Analysis, Token, lexicon
from memdesk.domain.text import content_words, is_stop_word

_DULL: Final = lexicon(
    """life thing things time lot people way day week weekend month year today tomorrow yesterday kind bit moment luck
    idea stuff one ones everyone everything something someone anything hour minute morning evening night reason part
    difference congratulation help question answer favourite favorite photo picture pic check congrat thank thanks wow hey yeah glad said others going feel felt really great
    love like make made want know much even also just still need good sounds see think since"""
)
#: A phrase of two words counts for more than its parts.
PHRASE_BONUS: Final = 1.6


def topics_of(analyses: Sequence[Analysis], names: frozenset[str], most: int = 8) -> tuple[str, ...]:
    """Return the topics of a session, the most frequent first.

    Args:
        analyses: its turns.
        names: speakers and their short names, lower case; they are no topic.
        most: how many.
    """
    counts: Counter[str] = Counter()
    for analysis in analyses:
        counts.update(set(_phrases(analysis, names) if analysis.parsed else _words(analysis, names)))
    weights = {topic: count * (PHRASE_BONUS if " " in topic else 1.0) for topic, count in counts.items()}
    ranked = sorted(weights, key=lambda topic: (-weights[topic], -len(topic), topic))
    chosen: list[str] = []
    for topic in ranked:
        if len(chosen) == most:
            break
        parts = set(topic.split())
        if not any(parts & set(other.split()) for other in chosen):
            chosen.append(topic)
    return tuple(chosen)


def _phrases(analysis: Analysis, names: frozenset[str]) -> Iterator[str]:
    tokens = analysis.tokens
    for index, token in enumerate(tokens):
        if token.pos != "NOUN" or not _fit(token, names):
            continue
        yield token.lemma.lower()
        before = tokens[index - 1] if index else None
        if before is not None and before.head == index and before.dep in {"compound", "amod"} and _fit(before, names):
            yield f"{before.lower} {token.lower}"


def _fit(token: Token, names: frozenset[str]) -> bool:
    low = token.lower
    return len(low) > 2 and low.isalpha() and low not in names and not {low, token.lemma.lower()} & _DULL


def _words(analysis: Analysis, names: frozenset[str]) -> Iterator[str]:
    for word in content_words(analysis.text):
        if len(word) > 3 and word.isalpha() and word not in names and word not in _DULL and not is_stop_word(word):
            yield word
