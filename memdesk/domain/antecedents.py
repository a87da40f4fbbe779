"""Who "she", "he" and "we" are, where the speaker's own words just before leave no doubt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memdesk.domain.kinds import RELATIVES
from memdesk.domain.language import lexicon

_SHE: Final = lexicon(
    "sister mother mom mum wife girlfriend aunt niece grandmother grandma daughter granddaughter fiancee fiancée"
)
_HE: Final = lexicon("brother father dad husband boyfriend uncle nephew grandfather grandpa son grandson fiancé")
_SEVERAL: Final = lexicon("kids children grandparents grandchildren")
_NAME: Final = r"(?-i:[A-Z][a-z]+)"
#: "my older sister", "my sister Irene"; not "my sister's dog".
_MENTION: Final = re.compile(
    rf"\b(?P<whose>my|our) (?:(?P<which>older|younger|little|big|best|new|twin|late|ex) )?(?P<who>{RELATIVES})\b(?!['\u2019-])(?:,? (?P<name>{_NAME})\b(?!['\u2019]))?",
    re.IGNORECASE,
)
_TOGETHER: Final = re.compile(
    rf"\b(?:(?P<a>my [\w ]{{1,30}}?|{_NAME}) and (?:I|me)\b|(?:me|I) and (?P<b>my \w+(?: {_NAME})?|{_NAME})\b|with (?P<c>my (?:\w+ )?(?:{RELATIVES})(?: {_NAME})?|{_NAME})\b)",
    re.IGNORECASE,
)
#: "We" that means the one spoken to as well.
_YOU_TOO: Final = re.compile(
    r"\byou and (?:I|me)\b|\bwe both\b|\bboth of us\b|\blet's\b|\bwe should (?:meet|catch up|get together|hang out|go|do)\b",
    re.IGNORECASE,
)
#: Words that make no sense of one alone.
_SEVERALLY: Final = re.compile(
    r"\b(?:together|each other|one another|both|all of us|between us|as a (?:family|team|couple|group))\b",
    re.IGNORECASE,
)
_SUBJECT: Final = re.compile(
    r"^\W*(?:(?:and|but|so|no|yes|yeah|actually|well|oh|also)\b,?\s+)*(?P<who>she|he)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Mention:
    """Somebody the speaker spoke of.

    Attributes:
        words: how a line names them after the speaker's name and "'s": "sister Irene".
        pronouns: which of "she" and "he" may stand for them.
        turn_id: where.
        quote: the sentence.
    """

    words: str
    pronouns: frozenset[str]
    turn_id: str
    quote: str


def mention_in(quote: str, turn_id: str) -> Mention | None:
    """Return the one relative or friend that a sentence speaks of; None for none, several or a group."""
    found = list(_MENTION.finditer(quote))
    if len({match["who"].lower() for match in found}) != 1:
        return None
    match = max(found, key=lambda m: len(m[0]))
    who = match["who"].lower()
    if who in _SEVERAL:
        return None
    pronouns = frozenset({"she"} if who in _SHE else {"he"} if who in _HE else {"she", "he"})
    parts = [part for part in (match["which"], match["who"].lower(), match["name"]) if part]
    return Mention(" ".join(parts), pronouns, turn_id, quote)


def pronoun_of(quote: str) -> str:
    """Return the "she" or "he" that is a sentence's subject, in lower case; empty when there is none."""
    match = _SUBJECT.match(quote)
    return match["who"].lower() if match else ""


def companions(quote: str, before: str, listener: str, *, person: bool) -> str:
    """Return whom "we" joins to the speaker, as a line names them; empty when it can be read as the speaker alone.

    Args:
        quote: the sentence.
        before: what the speaker said just before it in the same turn.
        listener: the one spoken to.
        person: whether that is a person of the conversation, not an assistant.
    """
    if person and _YOU_TOO.search(quote):
        return listener
    for text in (quote, before):
        matches = list(_TOGETHER.finditer(text))
        if matches:
            said = next(part for part in matches[-1].group("a", "b", "c") if part)
            return re.sub(r"^my\b", "their", said, flags=re.IGNORECASE)
    return "others" if _SEVERALLY.search(quote) else ""
