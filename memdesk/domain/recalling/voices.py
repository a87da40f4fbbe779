"""Recognizes speakers whose name is written before the words: "Caroline: I went ..."."""

import re
from collections import Counter
from collections.abc import Sequence

#: A name of one to three capitalized words, in bold or not, and a colon.
_LEAD = re.compile(
    r"\s*(?:\*\*)?([^\W\d_a-z][\w.'\u2019-]*(?: [^\W\d_a-z][\w.'\u2019-]*){0,2})(?:\*\*)?:(?:\*\*)?\s+(?=\S)"
)
#: How many turns a name, and what share of turns all names, must lead to count as speakers, unlike "Note: ...".
_LEAST_TURNS = 2
_LEAST_SHARE = 0.5


def written_speakers(texts: Sequence[str]) -> frozenset[str]:
    """Return the names that lead turns of a conversation as speakers; empty if most turns are led by none."""
    led = Counter(match[1] for match in map(_LEAD.match, texts) if match is not None)
    names = {name for name, count in led.items() if count >= _LEAST_TURNS}
    if sum(led[name] for name in names) < _LEAST_SHARE * len(texts):
        return frozenset()
    return frozenset(names)


def split_speaker(text: str, names: frozenset[str]) -> tuple[str, str]:
    """Return the speaker written before ``text`` and what is said; an empty name if it is none of ``names``."""
    match = _LEAD.match(text) if names else None
    if match is None or match[1] not in names:
        return "", text
    return match[1], text[match.end() :]
