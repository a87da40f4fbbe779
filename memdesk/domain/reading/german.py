"""Cuts a German main clause into subject, verb and object: the verb stands second, what completes it last.

There is no parser for German here. A clause that does not stand in this order, or goes on in another, is left whole.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Final

from memdesk.domain.comparing.lexicon import lexicon_of, verb_key
from memdesk.domain.items.statement import USER, Qualifiers, Statement
from memdesk.domain.language.data import language_data

_WORD: Final = re.compile(r"[\w.'@-]*\w")
_AMOUNT: Final = re.compile(r"(?P<amount>\d[\d.,]*(?: ?[a-z\u00b5]+)?)\s+(?=[A-Z\u00c4\u00d6\u00dc])")
#: Somebody and the speaker, and what they do.
_BOTH: Final = re.compile(r"(?P<who>[A-Z\u00c4\u00d6\u00dc][\w-]+) und ich (?P<said>[a-z].*)")
#: Most words of a clause that is cut.
MAX_WORDS: Final = 16


def cut(statement: Statement) -> Statement:
    """Return a statement with the fields of its quote, or as it is where its order is another."""
    quote = re.sub(r"[.!]+$", "", statement.quote.strip())
    both = _BOTH.match(quote)
    if both is not None and "," not in quote:  # "Jan und ich haben uns getrennt"
        said = _clause(["wir", *_WORD.findall(both["said"])], statement)
        if said is None or (said.object and not said.object.islower()):
            return statement
        away = "von" if said.ended and not said.object else "mit"
        return replace(said, predicate=f"{said.object} {said.predicate} {away}".strip(), object=both["who"])
    parts = re.split(r"\s+und\s+", quote)
    words = [_WORD.findall(part) for part in parts]
    if not words[0] or len(parts) > 2 or "," in statement.quote or sum(map(len, words)) > MAX_WORDS:
        return statement
    first = _clause(words[0], statement)
    if first is None or len(parts) == 1:
        return first or statement
    # "Ich habe den Golf verkauft und einen Kia gekauft": the second leaves out what both have.
    again = _clause([*words[0][:2], *words[1]], statement)
    if again is None or first.predicate not in _list("ended") or not first.object:
        return statement
    return replace(again, replaces=first.object, ended=False, holds=True)


def _clause(words: list[str], statement: Statement) -> Statement | None:
    """Read one clause."""
    subject, before, rest = _subject(words)
    if not subject or not rest:
        return None
    verb, rest = _lemma(rest[0]), rest[1:]
    if rest and verb in {"haben", "sein", "werden"} and _lemma(rest[-1], last=True):
        verb, rest = _lemma(rest[-1], last=True), rest[:-1]
    if not verb:
        return None
    low = [word.casefold() for word in rest]
    over = "mehr" in low or "länger" in low
    denied = any(word == "nicht" or word.startswith("kein") for word in low)
    ended = (over and denied) or verb in _list("ended")
    kept = [word for word in rest if word.casefold() not in _list("empty")]
    object_, phrases = _phrases(kept)
    predicate = verb
    telling = next((n for n, (_, words_) in enumerate(phrases) if not _is_time(words_)), -1)
    if not object_ and telling >= 0:
        preposition, object_ = phrases.pop(telling)
        predicate = f"{verb} {preposition}"
    if not denied and verb_key(verb) in lexicon_of("de").changes and not _list("owners").isdisjoint(low):
        subject = USER  # "Der Arzt hat mein Ramipril auf 10 mg erhöht"
    times = [*before, *(f"{p} {o}" for p, o in phrases if _is_time(o))]
    manner = ", ".join(f"{p} {o}" for p, o in phrases if not _is_time(o))
    counted = _AMOUNT.match(object_)  # "5 mg Ramipril"
    amount = counted["amount"] if counted else ""
    return replace(
        statement, subject=subject, predicate=predicate, object=object_[counted.end() if counted else 0 :], holds=not denied, ended=ended,
        qualifiers=Qualifiers(time=", ".join(times), manner=manner, amount=amount),
    )  # fmt: skip


def _subject(words: list[str]) -> tuple[str, list[str], list[str]]:
    """Return the subject, what stands before the verb beside it, and the words from the verb on."""
    low = [word.casefold() for word in words]
    if low[0] in {"ich", "wir"}:
        return USER, [], words[1:]
    if len(low) > 2 and low[2] in {"ich", "wir"} and _lemma(words[1]):
        return USER, [words[0]], [words[1], *words[3:]]
    self_ = next((n for n, word in enumerate(low) if word in {"ich", "wir"}), 0)
    if self_ > 2 and low[0] in _bases() and _lemma(words[self_ - 1]):  # "Mit dem Rauchen habe ich aufgehört"
        return USER, [], [words[self_ - 1], *words[: self_ - 1], *words[self_ + 1 :]]
    end = next(
        (
            n
            for n, word in enumerate(words)
            if n and word[0].islower() and word.casefold() not in _list("empty") | _list("owners") and _lemma(word)
        ),
        0,
    )
    if not end:
        return "", [], []
    owned = low[0] in _list("owners")
    nouns = [
        word for word in words[1:end] if word.casefold() not in _list("owners") | _list("articles") | _list("empty")
    ]
    if owned and nouns:
        return f"{USER}'s {' '.join(nouns)}", [], words[end:]
    if low[0] in _list("articles") and nouns:
        # "der Name meiner Schwester"
        owner = len(nouns) == 2 and set(low[1:end]) & _list("owners")
        name = f"{nouns[1]}'s {nouns[0]}" if owner else " ".join(nouns)
        return f"{USER}'s {name}", [], words[end:]
    return "", [], []


def _phrases(words: list[str]) -> tuple[str, list[tuple[str, str]]]:
    """Return the object, and the phrases with a preposition."""
    whole, found = [], list[tuple[str, list[str]]]()
    for word in words:
        low = word.casefold()
        preposition = _bases().get(low, "")
        if preposition:
            found.append((preposition, []))
        elif low in _list("articles") or low.startswith("kein"):
            continue
        elif found:
            found[-1][1].append(word)
        else:
            whole.append(word)
    return " ".join(whole), [(preposition, " ".join(rest)) for preposition, rest in found if rest]


@cache
def _bases() -> dict[str, str]:
    """Return prepositions by each of their forms: "im" is "in"."""
    data = language_data("de")
    names = (
        "in",
        "bei",
        "nach",
        "zu",
        "als",
        "mit",
        "auf",
        "an",
        "für",
        "von",
        "aus",
        "über",
        "durch",
        "gegen",
        "seit",
        "um",
    )
    return {form: name for name in names for form in data.words("prepositions", name)}


@cache
def _forms() -> dict[str, str]:
    data = language_data("de")
    return {form: lemma for lemma in data.words("lemmas", "all") for form in data.words("lemmas", lemma)}


def _lemma(word: str, *, last: bool = False) -> str:
    """Return the infinitive of a form of the first or third person, or of a participle; empty where it is none."""
    low = word.casefold()
    known = _forms().get(low, "")
    if known:
        return known
    if last:
        weak = re.fullmatch(r"(?:ge)?((?:ver|be|ent|er|zer)?\w{2,})t", low)
        return (
            f"{weak[1]}en"
            if weak and (low.startswith(("ge", "ver", "be", "ent", "er", "zer"))) and word[0].islower()
            else ""
        )
    if not word[0].islower() or len(low) < 4:
        return ""
    if low.endswith(("ln", "rn", "en")):
        return low
    regular = re.fullmatch(r"(\w{2,}?)(?:e|t|et)", low)
    return f"{regular[1]}en" if regular else ""


def _is_time(words: str) -> bool:
    return any(word.casefold() in _list("times") for word in words.split())


def _list(name: str) -> frozenset[str]:
    return language_data("de").words("cut", name)
