"""Sums a session up from its lines: a short text, its topics, the names worth an entity, how much it matters."""

import re
from collections.abc import Sequence
from typing import Final

from memdesk.domain.comparing.similarity import word_set
from memdesk.domain.language.text import stems
from memdesk.domain.reading.candidates import Candidate
from memdesk.services.distilling.session import USER, Reading, in_order

SUMMARY_CHARS: Final = 280
#: Up to this many lines, two summarize a session.
SHORT: Final = 3


def summarize(picked: Sequence[Candidate], ranked: Sequence[Candidate], reading: Reading) -> str:
    """Return 2 or 3 sentences: who talked about what, and two lines, the picked ones or else the best.

    Two lines and a lead keep the summary from duplicating one of the details.
    """
    chosen: list[Candidate] = []
    singles = [line for line in reading.extraction.candidates if len(line.spans) == 1]
    # The user's statements about themselves come before pasted text.
    for whole in (*picked, *sorted(ranked, key=lambda c: (c.provenance != "user", -c.score))):
        # Using only the best statement of a compound line leaves space for another.
        line = max((one for one in singles if one.spans[0] in whole.spans), key=lambda c: c.score, default=whole)
        size = sum(len(one.text) for one in chosen) + len(line.text)
        if len(chosen) < 2 and line not in chosen and size <= SUMMARY_CHARS:
            chosen.append(line)
    topics = _topics_beside(reading.extraction.topics, chosen, ranked)
    people = list(dict.fromkeys(s.speaker for s in reading.sources if s.provenance == "user"))
    # Two lines cover a short session, and a single topic word adds nothing.
    telling = len(ranked) > SHORT and len(topics) > 1
    lead = f"{_listed(people)} talked about {_listed(topics)}." if people and telling else ""
    body = [line.text for line in in_order(chosen, reading.sources)]
    return " ".join(part for part in (lead[:1].upper() + lead[1:], *body) if part)


def topics_of(line: Candidate, topics: Sequence[str]) -> tuple[str, ...]:
    """Return those of a session's topics that the line itself is about."""
    said = stems(line.text)
    return tuple(topic for topic in topics if (asked := stems(topic)) and asked <= said)


def _topics_beside(topics: Sequence[str], chosen: Sequence[Candidate], kept: Sequence[Candidate]) -> Sequence[str]:
    """Return up to three topics, preferably of kept lines not in the summary."""
    told = word_set(" ".join(line.text for line in chosen))
    held = word_set(" ".join(line.text for line in kept))
    beside = [topic for topic in topics if (words := word_set(topic)) and words <= held and not words & told]
    return beside[:3] if len(beside) > 1 else topics[:3]


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def named(reading: Reading, lines: Sequence[Candidate]) -> list[tuple[str, str]]:
    """Return the names worth an entity: those in kept lines, and the people who speak."""
    speakers = [s.speaker for s in reading.sources if s.provenance == "user" and s.speaker != USER]
    found: dict[str, tuple[str, str]] = {name.casefold(): (name, "person") for name in speakers}
    aliases = {name[:size] for name in found for size in (3, 4)}
    text = " ".join(line.text for line in lines)
    for name, kind, _ in reading.extraction.entities:
        key = name.casefold()
        if key in found or key in aliases or len(name) < 3 or not name[0].isupper():
            continue
        if re.search(rf"\b{re.escape(name)}\b", text):
            found[key] = (name, kind)
    return list(found.values())


def salience_of(lines: Sequence[Candidate]) -> float:
    best = sorted((line.salience for line in lines), reverse=True)[:3]
    return round(min(0.9, sum(best) / len(best)), 2) if best else 0.3
