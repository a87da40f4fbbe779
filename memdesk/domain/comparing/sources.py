"""What a claim is read from, and what its readers share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from memdesk.domain.comparing.claims import Claim, Fields, verbs_of
from memdesk.domain.comparing.lexicon import Lexicon
from memdesk.domain.comparing.values import Value, value_of
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.data import language_data
from memdesk.domain.language.text import words

#: Classes of values that are attributes too, so that a value alone shows its attribute.
KINDS: Final = frozenset({"major", "diet", "shift"})
_NO_KIN: Final = frozenset({"landlord", "landlady"})


@dataclass(frozen=True, slots=True)
class Source:
    """A statement, its normalized fields, and the words of its language."""

    statement: Statement
    fields: Fields
    lexicon: Lexicon

    def among(self, verbs: Iterable[str]) -> str:
        """Return the statement's verb as the list has it (active or passive, with or without its preposition), else ""."""
        verb = self.fields.verb
        active = verb.removeprefix("be ").removeprefix("get ")
        if active != verb:  # "was sold", "got brought forward"
            participle, space, rest = active.partition(" ")
            active = f"{self.lexicon.participles.get(participle, participle)}{space}{rest}"
        first, _, last = active.rpartition(" ")
        led = last in self.lexicon.towards or self.day_given() is not None
        ways = (verb, active, f"be {active}", active.removesuffix(" over"), first if led else "")
        known = set(verbs)
        return next((way for way in ways if way and way in known), "")

    def day_given(self) -> Value | None:
        """Return the day of "moved to Thursdays, at the Crane Bar"."""
        time = self.fields.narrow.get("time")
        return time if time is not None and time.said.split(" ")[0].casefold() in self.lexicon.towards else None

    def leads_to(self) -> bool:
        """Return whether the verb's preposition leads to a value."""
        return self.fields.verb.rpartition(" ")[2] in self.lexicon.towards

    def is_becoming(self) -> bool:
        """Return whether the verb says what somebody becomes."""
        return self.statement.predicate.split(" ")[0] in self.lexicon.becoming

    def by_verb(self, base: Claim) -> tuple[str, str, Value | None]:
        """Return the attribute of a state or of its start, by the verb, and its value."""
        states, enters, verb = self.lexicon.states, self.lexicon.enters, self.fields.verb
        if verb in states or verb in enters:
            day = base.narrow.get("time") if states.get(verb) in self.lexicon.dated else None
            value = base.value or base.narrow.get("company") or base.narrow.get("manner") or day
            return states.get(verb, ""), enters.get(verb, ""), value
        called = base.value.said.casefold().split(" ")[-1] if base.value is not None else ""
        through = self.lexicon.through.get(verb, "")
        if through and self.lexicon.attribute_nouns.get(called) == through:  # "goes to Hill Road School"
            return through, "", base.value
        long = verbs_of(self.fields)[-1]
        if long in states or long in enters:  # "started a new job at ASML"
            return states.get(long, ""), enters.get(long, ""), base.narrow.get("place")
        if base.value is None and not base.positive:
            # "we are no longer married"
            found = next((name for each, name in states.items() if each.startswith(f"{verb} ") and " " in verb), "")
            return found, "", None
        return "", "", base.value

    def counted(self, name: str, value: Value, amount: Value | None) -> Value | None:
        """Return an attribute's value as a number; None if it has another unit."""
        counted = value if value.numbers or amount is None else amount
        if not counted.numbers or (value.tokens | counted.tokens) - counted.numbers - self.lexicon.units[name]:
            return None
        return replace(counted, tokens=counted.numbers, kind="number")

    def of_noun(self, base: Claim, noun: Value, owners: tuple[Value, ...]) -> Claim:
        """Return the claim that the owners' thing has the value of ``base``."""
        bare = self.lexicon.links.isdisjoint(words(noun.said))  # "my appointment with the physio" is one of them
        several = noun.said.casefold() in self.lexicon.several or (bare and noun.head in _heads(self.lexicon))
        name = attribute_named(noun, self.lexicon)
        # Each of several has one name: a sister with another name is another sister, unless she was named before.
        # "choir practice is on Tuesdays now"
        moved = base.moved or (base.marked and base.value is not None and base.value.kind == "day")
        return replace(base, topic=owners, relation=name, one=not several, named=True, moved=moved)


def key(value: Value) -> str:
    """Return a value's words as one text, regardless of order."""
    return " ".join(sorted(value.tokens))


def as_number(value: Value) -> Value:
    """Return the numbers of a value without their unit."""
    return replace(value, tokens=value.numbers, kind="number")


def now(base: Claim, relation: str, value: Value | None) -> Claim:
    """Return the claim that a relation has a new value now, whatever narrows ``base``."""
    return replace(base, relation=relation, value=value, narrow={}, marked=True, one=True, state=True)


def over(base: Claim) -> Claim:
    """Return the claim that ``base`` no longer holds."""
    return replace(base, positive=False, ended=True, state=True)


def is_kin(value: Value) -> bool:
    """Return whether a value names a relative, partner or the like."""
    return not (language_data("en").words("people", "she", "he") - _NO_KIN).isdisjoint(words(value.said))


def attribute_named(noun: Value, lexicon: Lexicon) -> str:
    """Return the attribute that a noun names: one with a single value at a time, else the noun itself."""
    said, nouns = plain(noun, lexicon), lexicon.attribute_nouns
    return nouns.get(said) or nouns.get(said.removesuffix("s")) or key(noun)


def plain(noun: Value, lexicon: Lexicon) -> str:
    """Return a noun as said, without "new" and other meaningless words around it."""
    said = noun.said.casefold().split()
    told = [place for place, word in enumerate(said) if word not in lexicon.weak] or [0]
    return " ".join(said[told[0] : told[-1] + 1])


@cache
def _heads(lexicon: Lexicon) -> frozenset[str]:
    """Return the stems of nouns that allow several values."""
    return frozenset(value.head for word in lexicon.several if (value := value_of(word, lexicon)) is not None)
