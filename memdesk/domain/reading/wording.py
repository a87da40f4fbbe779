"""Words a line: names of its persons, quoted words, dates."""

import re
from datetime import date
from typing import Final

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import language_data
from memdesk.domain.language.dates import find_dates
from memdesk.domain.language.tell import votes as votes_of
from memdesk.domain.language.text import capitalized
from memdesk.domain.reading import antecedents, corrections
from memdesk.domain.reading.candidates import SourceTurn
from memdesk.domain.reading.thirdperson import Cast, Replacements

#: How many more function words of another language a turn must have to count as foreign; such turns are quoted.
FOREIGN_MARGIN: Final = 2
_NAMED: Final = frozenset({"person", "place", "organisation", "product", "work", "event", "group", "language"})
_GREETING: Final = re.compile(
    r"^\W*(?:(?:hallo|hi|hey|servus|moin|gr\u00fc\u00df dich|guten (?:morgen|tag|abend)|bonjour|salut|hola|ok|ach so|super|danke|merci|gracias)\b[,.! ]+)+",
    re.IGNORECASE,
)


def cast_of(turn: SourceTurn) -> Cast:
    """Return who speaks to whom in a turn, with the short forms of their names."""
    names: set[str] = set()
    for person in (turn.speaker, turn.listener):
        name = person.split()[0].lower() if not person.startswith("the ") else ""
        if name:
            names |= {name, *(name[:size] for size in (3, 4) if len(name) > size)}
    return Cast(turn.speaker, turn.listener, names=frozenset(names))


def attributed(line: str, turn: SourceTurn, *, proper: bool) -> str:
    """Attribute a line that does not name its speaker: "Dana said that the kids loved it."."""
    first, _, rest = line.partition(" ")
    proper = (
        proper
        or first.startswith((turn.listener.split()[0], turn.speaker.split()[0]))
        or first[1:] != first[1:].lower()
    )
    if not proper:
        first = first[0].lower() + first[1:]
    return f"{turn.speaker[0].upper()}{turn.speaker[1:]} said that {first} {rest}".rstrip()


def is_foreign(text: str) -> bool:
    """Return whether a turn is clearly not English, by its function words."""
    votes = votes_of(text)
    return max(votes.values()) >= votes["en"] + FOREIGN_MARGIN


def quoted(quote: str, speaker: str, language: str, mention: antecedents.Mention | None = None) -> str:
    """Return a sentence in its speaker's own words and language, without a greeting before them."""
    words = antecedents.in_place_of(quote, mention, language) if mention is not None else _GREETING.sub("", quote)
    return language_data(language).own_words(speaker, capitalized(words))


def names_in(analysis: Analysis, begin: int, end: int) -> list[tuple[str, str]]:
    """Return ``(name, type)`` of the names in a span of tokens, in order."""
    found, run, tokens = list[tuple[str, str]](), list[int](), analysis.tokens
    for index in range(begin, end + 1):
        kind = tokens[index].entity if index < end else ""
        # "to" of "from Ghent to Riga" belongs to the verb, "of" of "Bank of America" to the name.
        leads = bool(kind) and tokens[index].pos == "ADP" and tokens[index].head not in run
        if run and (kind != tokens[run[0]].entity or leads):
            words = [tokens[i].text for i in run]
            found += [(" ".join(words), tokens[run[0]].entity)] if any(word[:1].isupper() for word in words) else []
            run = []
        run += [index] if kind in _NAMED and not leads else []
    return found


def replacements(analysis: Analysis, begin: int, end: int, day: date) -> Replacements:
    """Map dated spans and self-corrections of a sentence to token spans."""
    offset = analysis.tokens[begin].start
    found: Replacements = {}
    for span in find_dates(analysis.piece(begin, end), day):
        inside = [i for i in range(begin, end) if span.start <= analysis.tokens[i].start - offset < span.end]
        if inside:
            found |= _dated(analysis, inside[0], inside[-1] + 1, span.words)
    for start, stop, words in corrections.mended(analysis.piece(begin, end)):
        inside = [i for i in range(begin, end) if start <= analysis.tokens[i].start - offset < stop]
        if inside:
            found[inside[0]] = (inside[-1] + 1, words)
    return found


def _dated(analysis: Analysis, first: int, after: int, words: str) -> Replacements:
    """Return a date in place of its words: "this year's (2025) trip", and none beside one."""
    follows = analysis.tokens[after] if after < len(analysis.tokens) else None
    if follows is None or follows.lower not in {"(", "'s"}:
        return {first: (after, words)}
    if follows.lower == "(":
        return {}
    said, _, resolved = words.partition(" (")
    return {first: (after + 1, f"{said}'s ({resolved}" if follows.tag == "POS" else f"{words} is")}
