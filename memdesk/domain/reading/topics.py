"""Topics of a session: the nouns and short noun phrases that recur in it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from memdesk.domain.language.analysis import Analysis, Token, lexicon
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import content_words, is_stop_word, stem

_DULL: Final = lexicon(
    """life thing things time lot people way day week weekend month year today tomorrow yesterday kind bit moment luck
    idea stuff one ones everyone everything something someone anything hour minute morning evening night reason part
    btw wait self sec lol haha
    difference congratulation help question answer favourite favorite photo picture pic check congrat thank thanks wow hey yeah glad said others going feel felt really great
    love like make made want know much even also just still need good sounds see think since"""
)
#: Adjectives that do not make a noun a topic: "old beagle", "left shoe".
_PLAIN: Final = lexicon(
    """old new left right small big large little long short good bad great nice next last first second whole same other own
    few many several different certain free full late early"""
)
#: A phrase of two words counts more than its parts.
PHRASE_BONUS: Final = 1.6


def topics_of(analyses: Sequence[Analysis], names: frozenset[str], most: int = 8) -> tuple[str, ...]:
    """Return the topics of a session, the most frequent first.

    Args:
        analyses: its turns.
        names: speakers and their short names, lower case; they are not topics.
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
        parts = {stem(part) for part in topic.split()}
        if not any(parts & {stem(part) for part in other.split()} for other in chosen):
            chosen.append(topic)
    return tuple(chosen)


def _phrases(analysis: Analysis, names: frozenset[str]) -> Iterator[str]:
    tokens = analysis.tokens
    for index, token in enumerate(tokens):
        if token.pos != "NOUN" or not _fit(token, names):
            continue
        yield token.lemma.lower()
        before = tokens[index - 1] if index else None
        joined = before is not None and before.head == index and before.dep in {"compound", "amod"}
        if before is not None and joined and _fit(before, names) and before.lower not in _PLAIN:
            yield f"{before.lower} {token.lower}"


def _fit(token: Token, names: frozenset[str]) -> bool:
    low = token.lower
    return len(low) > 2 and low.isalpha() and low not in names and not {low, token.lemma.lower()} & _DULL


def _words(analysis: Analysis, names: frozenset[str]) -> Iterator[str]:
    """Yield the content words of a text without a parse; in German its nouns, in other languages nothing."""
    language = language_of(analysis.text)
    if language == "de":
        yield from (t.text for t in analysis.tokens if _german_noun(t, names))
    if language != "en":
        return
    for word in content_words(analysis.text):
        if len(word) > 3 and word.isalpha() and word not in names and word not in _DULL and not is_stop_word(word):
            yield word


def _german_noun(token: Token, names: frozenset[str]) -> bool:
    """Whether a word is capitalized like a noun; the first word of a sentence always is."""
    low = token.lower
    written = token.text[:1].isupper() and token.text[1:].islower() and not token.first
    return written and len(low) > 3 and low.isalpha() and low not in names and not is_stop_word(low)
