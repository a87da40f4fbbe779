"""Leaves out what a sentence says nothing with, at both ends: openers ("Wow, "), greetings, forms of address, emoji."""

import unicodedata
from collections.abc import Sequence
from typing import Final

from memdesk.domain.language.analysis import Token, lexicon

_SUBJECT: Final = frozenset({"nsubj", "nsubjpass"})
#: Empty words at the beginning of a sentence.
_OPENERS: Final = lexicon("""wow yeah yes yep yup no nope nah oh ah aw aww hey hi hiya hello haha lol hmm well so and but anyway totally definitely
    absolutely sure ok okay thanks thank cool awesome great nice amazing sweet right exactly true indeed agreed
    haha hahaha lol lmao idk anyways uh um
    congrats congratulations btw plus also speaking alright ooh whoa yay actually honestly glad gosh man dude
    luckily unfortunately basically btw, also""")
_LAUGHS: Final = lexicon("lol haha hahaha lmao rofl xd tho")
#: Unicode categories of emoji, and of what joins and colors them.
_SIGNS: Final = frozenset({"So", "Sk", "Mn", "Cf"})
#: Most tokens of a greeting with its comma, and words that may be more than a greeting.
_CALL: Final = 4
_SAYING: Final = frozenset({"VERB", "AUX", "ADP", "SCONJ", "NUM", "PRON"})
#: Greetings that mean nothing else whatever follows.
_ALWAYS_OPENERS: Final = lexicon(
    "and but so well yeah plus also wow actually btw haha lol hahaha lmao idk anyway anyways uh um"
)
#: Introductory phrases; "remind me that I fly on Monday" says that I fly on Monday.
_LEADS: Final = tuple(
    tuple(lead.split())
    for lead in (
        "by the way",
        "please remember :",
        "remember :",
        "please note :",
        "note :",
        "fyi :",
        "fyi",
        "yeah right",
        "scratch that",
        "actually no",
        "never mind",
        "oh and",
        "please remind me that",
        "remind me that",
        "please remember that",
        "remember that",
        "please note that",
        "note that",
        "please keep in mind that",
        "keep in mind that",
        "just so you know",
        "fun fact",
        "as you know",
        "to be honest",
        "for context",
    )
)
ASIDE: Final = ("by", "the", "way")
_COUNTED: Final = frozenset({"CD", "NN", "NNS"})
_PUNCT: Final = frozenset(",.!?-\u2013\u2014:;\u2026") | {"...", "--"}


def trim(tokens: Sequence[Token], begin: int, end: int, names: frozenset[str]) -> tuple[int, int]:
    """Remove openers ("Wow, "), forms of address ("..., Ana!") and punctuation at both ends.

    ``names``: those by which the speaker and the listener address each other, in lower case.
    """
    before = -1
    while before < begin < end:
        before = begin
        while begin < end and (tokens[begin].text in _PUNCT or _is_sign(tokens[begin].text)):
            begin += 1
        if greeted := _greeting(tokens, begin, end):
            begin = greeted
        elif begin < end and _is_opener(tokens, begin, end, names):
            begin += 1
        begin += len(next((phrase for phrase in _LEADS if has(tokens, begin, end, phrase)), ()))
    while begin < end:
        if _says_nothing_last(tokens, begin, end, names) or tokens[end - 1].lower == "btw":
            end -= 1
        elif has(tokens, max(begin, end - 3), end, ASIDE):
            end -= 3
        else:
            break
    return begin, end


def _greeting(tokens: Sequence[Token], begin: int, end: int) -> int:
    """Return the end of a greeting or address at the beginning: "Hi there, I ...", "No Petra, ..."; 0 if none."""
    comma = next((i for i in range(begin + 2, min(begin + _CALL, end)) if tokens[i].text == ","), 0)
    if not comma:
        return 0
    said, first = tokens[begin:comma], tokens[begin]
    if any((token.pos in _SAYING and token.lower != "all") or token.dep in _SUBJECT for token in said):
        return 0
    if first.lower in _OPENERS and first.pos in {"INTJ", "DET"} and said[-1].pos == "PROPN":
        return comma + 1
    tells = any(token.dep in _SUBJECT for token in tokens[comma + 1 : min(comma + 1 + _CALL, end)])
    wished = first.lower == "good" and said[1].dep == "npadvmod"  # "Good evening"
    called = first.pos == "INTJ" and all(token.pos != "NOUN" or token.head == begin for token in said)  # "Alright mate"
    return comma + 1 if tells and (wished or called) else 0


def _says_nothing_last(tokens: Sequence[Token], begin: int, end: int, names: frozenset[str]) -> bool:
    last = tokens[end - 1]
    if last.text in _PUNCT or _is_sign(last.text) or _is_address(tokens, begin, end, names):
        return True
    return end - 1 > begin and last.lower in _LAUGHS


def has(tokens: Sequence[Token], begin: int, end: int, phrase: Sequence[str]) -> bool:
    """Whether tokens ``begin`` to ``end`` open with a phrase."""
    return end - begin >= len(phrase) and all(tokens[begin + i].lower == word for i, word in enumerate(phrase))


def _is_sign(text: str) -> bool:
    """Whether a token is white space, a bullet or an emoji."""
    return all(char.isspace() or char == "\u2022" or unicodedata.category(char) in _SIGNS for char in text)


def opens_phrase(tokens: Sequence[Token], plus: int) -> bool:
    """Whether "plus" belongs to the noun after it: "Plus one is Beth", "plus sizes"."""
    return tokens[plus].lower == "plus" and any(token.tag in _COUNTED for token in tokens[plus + 1 : plus + 2])


def _is_opener(tokens: Sequence[Token], begin: int, end: int, names: frozenset[str]) -> bool:
    token = tokens[begin]
    follows = tokens[begin + 1].lower if begin + 1 < end else ""
    stops = follows in _PUNCT or not follows
    if token.lower in names:
        return stops
    if token.lower not in _OPENERS and token.pos != "INTJ":
        return False
    if opens_phrase(tokens, begin):
        return False
    if stops or follows in names or token.lower in _ALWAYS_OPENERS:
        return True
    return token.pos == "INTJ" and not (token.lower == "no" or follows in {"to", "for", "that"})


def _is_address(tokens: Sequence[Token], begin: int, end: int, names: frozenset[str]) -> bool:
    last = tokens[end - 1]
    return last.lower in names and end - 2 > begin and (tokens[end - 2].text in {",", "-"})
