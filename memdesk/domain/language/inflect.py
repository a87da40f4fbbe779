"""English verb forms and informal spellings needed for rewriting to third person."""

import re
from types import MappingProxyType
from typing import Final

from memdesk.domain.language.analysis import lexicon

#: Present forms that change with the person; keys in lower case, as tokenized.
_IRREGULAR: Final = MappingProxyType(
    {"be": "is", "am": "is", "'m": "is", "are": "is", "'re": "is", "have": "has", "'ve": "has", "do": "does", "go": "goes"}
)  # fmt: skip
#: Forms hidden in a contraction.
FULL_FORMS: Final = MappingProxyType({"'ll": "will", "'ve": "have", "'re": "are", "'m": "am"})
#: Informal spellings and what they stand for.
INFORMAL: Final = MappingProxyType(
    {
        "gonna": "going to", "wanna": "want to", "gotta": "have to", "kinda": "kind of", "sorta": "sort of",
        "thinkin": "thinking", "thinkin'": "thinking", "fave": "favorite", "faves": "favorites", "fam": "family",
        "pic": "photo", "pics": "photos", "edu": "education", "cuz": "because", "'cause": "because", "bday": "birthday",
        "ur": "your", "u": "you", "tho": "though", "convo": "conversation", "vacay": "vacation", "hubby": "husband",
        "prob": "probably", "def": "definitely", "y'": "you", "b/c": "because", "w/": "with", "lil": "little",
    }
)  # fmt: skip
#: Contractions typed without apostrophe, if no other word is spelled so; "its" only where nothing but "is" can stand.
_HASTE: Final = re.compile(
    r"\b(?:(i|you|we|they)(m|ve)|(you|they)(re|ll)|(he|she|that|there|what|who)(s)|(it)(s)(?= (?:an?|the|not|been|so|very|too)\b)|"
    r"(ca|wo|do|does|did|is|was|are|were|have|has|had|could|would|should)(nt))\b(?!')",
    re.IGNORECASE,
)
#: Verbs whose bare form is common right after "I" in chats; used if no analyzer gives the tense.
COMMON_PRESENT: Final = lexicon("""like love hate want need work live prefer use think enjoy plan study speak play know believe hope feel own run
    teach eat drink drive collect practise practice paint write read cook watch take make keep try start dislike
    remember wish care miss help learn attend volunteer manage lead build visit mean find get come see have do go""")


def with_apostrophes(text: str) -> str:
    """Return an English text with the missing apostrophes of "im", "cant" and "hes"."""
    return _HASTE.sub(_apostrophe, text)


def _apostrophe(found: re.Match[str]) -> str:
    word, rest = (part for part in found.groups() if part)
    return f"{word}{rest[0]}'{rest[1]}" if rest.lower() == "nt" else f"{word}'{rest}"


def article(word: str) -> str:
    """Return "a" or "an" for a word, by its first letter."""
    return "an" if word[:1] in "aeioAEIO" else "a"


def third_person(verb: str) -> str:
    """Return the third person singular of a present form (``go`` -> ``goes``, ``'m`` -> ``is``)."""
    low = verb.lower().replace("\u2019", "'")
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    if low.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if re.search(r"[^aeiou]y$", low):
        return verb[:-1] + "ies"
    return verb + "s"
