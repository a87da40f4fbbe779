"""Resolves "she", "he" and "we" if the speaker's preceding words leave no doubt; in every supported language."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from memdesk.domain.language.analysis import lexicon
from memdesk.domain.language.data import language_data
from memdesk.domain.language.text import LETTERS
from memdesk.domain.reading.kinds import RELATIVES

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
#: "We got a puppy", "a friend of mine": the speaker's without "my".
_GOT: Final = re.compile(
    r"\b(?:got|have|has|had|adopted|bought|rescued) (?:an?|the) (?:\w+ ){0,2}?(?P<pet>dog|cat|pet|puppy|kitten|rabbit|parrot|horse|hamster)\b|"
    r"^\W*an? (?:\w+ )?(?P<who>friend|colleague|coworker|neighbou?r|cousin)\b",
    re.IGNORECASE,
)
#: "Dad", "grandma": without "my".
_BARE: Final = re.compile(
    r"(?:^\W*|(?<!my )(?<!the )(?<!her )(?<!his )(?<!our )\b)(?P<who>Mom|Mum|Dad|Grandma|Grandpa)\b(?! [A-Z])"
)
#: A name that opens a sentence as its subject.
_SUBJECT_NAME: Final = re.compile(
    r"^\W*(?:(?:And|But|So|Und|Aber)\s+)?(?P<name>(?:(?:Herr|Frau|Dr\.|Mr\.?|Mrs\.?|Ms\.?) )?[A-Z\u00c4\u00d6\u00dc][a-z\u00e4\u00f6\u00fc\u00df]+) (?=[a-z])"
)
_SHE_DE: Final = lexicon(
    "schwester mutter mama frau partnerin freundin tochter tante cousine nichte oma gro\u00dfmutter chefin kollegin nachbarin \u00e4rztin lehrerin katze"
)
_HE_DE: Final = lexicon(
    "bruder vater papa mann partner freund sohn onkel cousin neffe opa gro\u00dfvater chef kollege nachbar arzt lehrer hund kater"
)
_MENTION_DE: Final = re.compile(
    rf"\b(?:mein|unser)(?:e[nmrs]?)?\s+(?:(?P<which>\w+e[nr]?) )?(?P<who>{'|'.join(sorted(_SHE_DE | _HE_DE))})\b(?! von\b)(?:,? (?P<name>(?-i:[A-Z\u00c4\u00d6\u00dc])\w+))?",
    re.IGNORECASE,
)
_NEW_DE: Final = re.compile(
    r"\bein(?:en?|e[nmr])? (?P<who>Sohn|Tochter|Bruder|Schwester|Hund|Katze|Kater|Freund|Freundin)\b"
)
_SUBJECT_DE: Final = re.compile(r"^\W*(?:(?:und|aber|auch|dann)\b,?\s+)*(?P<who>er|sie)\b", re.IGNORECASE)
_TOGETHER: Final = re.compile(
    rf"\b(?:(?P<a>my [\w ]{{1,30}}?|{_NAME}) and (?:I|me)\b|(?:me|I) and (?P<b>my \w+(?: {_NAME})?|{_NAME})\b|with (?P<c>my (?:\w+ )?(?:{RELATIVES})(?: {_NAME})?|{_NAME})\b)(?!['\u2019-]|(?-i: [A-Z]\w*['\u2019]))",
    re.IGNORECASE,
)
_WE: Final = re.compile(r"\bwe\b", re.IGNORECASE)
#: "We" that includes the listener.
_YOU_TOO: Final = re.compile(
    r"\byou and (?:I|me)\b|\bwe both\b|\bboth of us\b|\blet's\b|\bwe should (?:meet|catch up|get together|hang out|go|do)\b",
    re.IGNORECASE,
)
#: Words that make no sense for one person alone.
_SEVERALLY: Final = re.compile(
    r"\b(?:together|each other|one another|both|all of us|between us|as a (?:family|team|couple|group))\b|"
    r"\bwe(?:'re| are|'ve been| have been) (?:an? (?:\w+ )?(?:team|couple|family|group|band|household)|two|three|four|five|six|\d+)\b",
    re.IGNORECASE,
)
#: What "we" do with or to one another.
_MUTUAL: Final = re.compile(
    r"\bwe\b.*\b(?:together|each other|one another)\b|\b(?:we|us) both\b|\bwe\b.*\bboth\W*$", re.IGNORECASE
)
_SUBJECT: Final = re.compile(
    r"^\W*(?:(?:and|but|so|no|yes|yeah|actually|well|oh|also)\b,?\s+)*(?P<who>she|he|his|her)\b", re.IGNORECASE
)
#: What a possessive stands for.
_POSSESSIVE: Final = {"his": "he", "her": "she"}


@dataclass(frozen=True, slots=True)
class Mention:
    """Somebody the speaker mentioned.

    Attributes:
        words: how a line names them, after the speaker's name and "'s" if ``owned``: "sister Irene".
        pronouns: which of "she" and "he" may refer to them.
        turn_id: where.
        quote: the sentence.
    """

    words: str
    pronouns: frozenset[str]
    turn_id: str
    quote: str
    owned: bool = True

    def called(self, speaker: str) -> str:
        """Return how a line by ``speaker`` names them."""
        return f"{speaker}'s {self.words}" if self.owned else self.words


class LastNamed:
    """Whom each speaker of a session mentioned last."""

    def __init__(self) -> None:
        self._by_speaker: dict[str, Mention] = {}

    def meant_by(self, quote: str, speaker: str, turn_id: str, code: str) -> Mention | None:
        """Note whom a sentence mentions, and return who its "she" or "he" is; None if unclear.

        Args:
            quote: the sentence.
            speaker: who said it.
            turn_id: where.
            code: its language.
        """
        if code not in {"de", "en"}:
            return self._by_words(quote, speaker, turn_id, code)
        german = code == "de"
        mention = (german_mention_in if german else mention_in)(quote, turn_id)
        pronoun = (german_pronoun_of if german else pronoun_of)(quote)
        known = self._by_speaker.get(speaker)
        if mention is not None:
            self._by_speaker[speaker] = mention
        if known is None or pronoun not in known.pronouns:
            return None
        # "She has a son": the new one is not who "she" is.
        return known if mention is None or german else None

    def _by_words(self, quote: str, speaker: str, turn_id: str, code: str) -> Mention | None:
        """The same for languages whose things have gender: only a person named in the speaker's previous sentence counts."""
        known = self._by_speaker.pop(speaker, None)
        meant = known if known is not None and pronoun_by_words(quote, code) in known.pronouns else None
        latest = mention_by_words(quote, turn_id, code) or meant
        if latest is not None:
            self._by_speaker[speaker] = latest
        return meant


def mention_in(quote: str, turn_id: str) -> Mention | None:
    """Return the one relative or friend that a sentence mentions; None for none, several or a group."""
    found = list(_MENTION.finditer(quote))
    if not found:
        return _other_mention(quote, turn_id)
    if len({match["who"].lower() for match in found}) != 1:
        return None
    match = max(found, key=lambda m: len(m[0]))
    who = match["who"].lower()
    if who in _SEVERAL:
        return None
    pronouns = frozenset({"she"} if who in _SHE else {"he"} if who in _HE else {"she", "he"})
    parts = [part for part in (match["which"], match["who"].lower(), match["name"]) if part]
    return Mention(" ".join(parts), pronouns, turn_id, quote)


def _other_mention(quote: str, turn_id: str) -> Mention | None:
    bare = _BARE.search(quote)
    if bare:
        who = bare["who"].lower()
        return Mention(who, frozenset({"she"} if who in _SHE else {"he"}), turn_id, quote)
    got = _GOT.search(quote)
    return Mention((got["pet"] or got["who"]).lower(), frozenset({"she", "he"}), turn_id, quote) if got else None


def subject_name(quote: str) -> str:
    """Return the name that opens a sentence as its subject; empty if none does."""
    match = _SUBJECT_NAME.match(quote)
    return match["name"] if match else ""


def german_mention_in(quote: str, turn_id: str) -> Mention | None:
    """The same as :func:`mention_in` for German; the words are a subject's: "Meine Schwester Greta", "Der Sohn"."""
    new = _NEW_DE.search(quote)
    found = list(_MENTION_DE.finditer(quote))
    if len({match["who"].lower() for match in found}) + (new is not None) > 1 and new is None:
        return None
    if new is not None:
        who = new["who"]
        she = who.lower() in _SHE_DE
        return Mention(
            f"{'Die' if she else 'Der'} {who}", frozenset({"sie" if she else "er"}), turn_id, quote, owned=False
        )
    if found:
        match = found[0]
        she = match["who"].lower() in _SHE_DE
        parts = ["Meine" if she else "Mein", match["who"].capitalize(), match["name"]]
        return Mention(
            " ".join(p for p in parts if p), frozenset({"sie" if she else "er"}), turn_id, quote, owned=False
        )
    name = subject_name(quote)
    if name and name.lower() not in {"ich", "er", "sie", "es", "wir", "das", "der", "die", "ihr", "du"}:
        return Mention(name, frozenset({"sie", "er"}), turn_id, quote, owned=False)
    return None


def german_pronoun_of(quote: str) -> str:
    """Return the "er" or "sie" that opens a German sentence as its subject, in lower case."""
    match = _SUBJECT_DE.match(quote)
    return match["who"].lower() if match else ""


def in_place_of(quote: str, mention: Mention, code: str) -> str:
    """Return a sentence with its opening pronoun replaced by who is meant, in square brackets."""
    match = _SUBJECT_DE.match(quote) if code == "de" else _opening_pronoun(quote, code)
    return f"[{mention.words}]{quote[match.end('who') :]}" if match else quote


def mention_by_words(quote: str, turn_id: str, code: str) -> Mention | None:
    """The same as :func:`mention_in` for languages without case endings: "ma belle-sœur Inès", "mijn zoon"."""
    data = language_data(code)
    women, men = data.words("plain", "women"), data.words("plain", "men")
    words = LETTERS.findall(quote)
    found = dict[str, Mention]()
    for owner, noun, name in zip(words, words[1:], [*words[2:], ""], strict=False):
        low = noun.lower()
        if owner.lower() not in data.words("plain", "owners") or low not in women | men:
            continue
        called = f"{owner[:1].upper()}{owner[1:]} {noun}{f' {name}' if name.istitle() else ''}"
        found[low] = Mention(called, frozenset({"she" if low in women else "he"}), turn_id, quote, owned=False)
    return next(iter(found.values())) if len(found) == 1 else None


def pronoun_by_words(quote: str, code: str) -> str:
    """Return "she" or "he" if such a pronoun opens a sentence in a language other than English and German."""
    match = _opening_pronoun(quote, code)
    if match is None:
        return ""
    return "she" if match["who"].lower() in language_data(code).words("plain", "she") else "he"


def _opening_pronoun(quote: str, code: str) -> re.Match[str] | None:
    opening = _opening(code)
    return opening.match(quote) if opening is not None else None


@cache
def _opening(code: str) -> re.Pattern[str] | None:
    data = language_data(code)
    pronouns = "|".join(sorted(data.words("plain", "she", "he")))
    skipped = "|".join(re.escape(word) for word in sorted(data.words("plain", "skip")))
    barred = "|".join(sorted(data.words("plain", "impersonal"))) or "$"
    if not pronouns:
        return None
    return re.compile(rf"\W*(?:(?:{skipped})\b,?\s+)*(?P<who>{pronouns})\b(?! (?:{barred})\b)", re.IGNORECASE)


def pronoun_of(quote: str) -> str:
    """Return the "she" or "he" that is a sentence's subject or its possessor ("his name"), in lower case; else empty."""
    match = _SUBJECT.match(quote)
    who = match["who"].lower() if match else ""
    return _POSSESSIVE.get(who, who)


def is_mutual(quote: str) -> bool:
    """Return whether a sentence cannot be told of one person: "We were just living together"."""
    return _MUTUAL.search(quote) is not None


def companions(quote: str, before: str, listener: str, *, person: bool) -> str:
    """Return whom "we" adds to the speaker, as a line names them; empty if it may mean the speaker alone.

    Args:
        quote: the sentence.
        before: what the speaker said just before it in the same turn.
        listener: the one spoken to.
        person: whether the listener is a person of the conversation, not an assistant.
    """
    if person and _YOU_TOO.search(quote):
        return listener
    for text in (quote, before):
        matches = list(_TOGETHER.finditer(text))
        if text == quote:  # "we've gone with Octopus": beside them, or not a companion at all
            matches = [one for one in matches if not (one["c"] and _WE.search(text, 0, one.start()))]
        if matches:
            said = next(part for part in matches[-1].group("a", "b", "c") if part)
            return re.sub(r"^my\b", "their", said, flags=re.IGNORECASE)
    return "others" if person and _SEVERALLY.search(quote) else ""
