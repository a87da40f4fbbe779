"""Whether two claims are about the same thing and the same kind of value."""

from __future__ import annotations

from memdesk.domain.comparing.claims import Claim
from memdesk.domain.comparing.lexicon import lexicon_of
from memdesk.domain.comparing.values import Value, contains


def of_one_kind(left: Value, right: Value, relation: str) -> bool:
    """Whether one value may replace the other: by their kind, or as values of one attribute."""
    return left.comparable(right) or relation in {left.kind, right.kind}


def values_of(claim: Claim) -> list[Value]:
    """Return the value of a claim and those that narrow it."""
    return [value for value in (claim.value, *claim.narrow.values()) if value is not None]


def numbers_of(claim: Claim) -> frozenset[str]:
    """Return the numbers in them."""
    return frozenset(number for value in values_of(claim) for number in value.numbers)


def same_topic(left: tuple[Value, ...], right: tuple[Value, ...]) -> bool:
    """Whether two topics are the same, owner by owner; "sister Ada" matches "sister" and "Ada", but not "sister Bea"."""
    if len(left) != len(right):
        # "Kim" and "my partner Kim"
        short, long = sorted((left, right), key=len)
        alone = len(short) == 1 and len(long) == 2 and short[0].names == short[0].tokens
        return alone and short[0].tokens in {long[-1].names, long[-1].tokens}
    return bool(left) and all(map(_one_person, left, right))


def _one_person(left: Value, right: Value) -> bool:
    if left.tokens == right.tokens:
        return True
    if left.names and right.names and not (left.names <= right.names or right.names <= left.names):
        return False
    roles = left.tokens - left.names, right.tokens - right.names
    return (
        contains(left.tokens, right.tokens) or contains(right.tokens, left.tokens)
        if not all(roles) or roles[0] == roles[1]
        else False
    )


def owns(owner: tuple[Value, ...], topic: tuple[Value, ...]) -> bool:
    """Whether a topic is the owner or belongs to them."""
    return bool(owner) and len(topic) >= len(owner) and all(map(_one_person, owner, topic))


def covers(owner: tuple[Value, ...], topic: tuple[Value, ...]) -> bool:
    """Whether a topic is somebody or belongs to them."""
    if len(topic) < len(owner):
        # "Ilse" of "my grandmother Ilse".
        return len(topic) == 1 and bool(topic[0].names) and topic[0].names <= owner[-1].names
    if len(owner) == 1 and owner[0].names == owner[0].tokens:  # "the Corsa", of "my old Corsa"
        return any(owner[0].names <= one.names for one in topic)
    return all(map(_one_person, owner, topic))


def same_mode(new: Claim, known: Claim) -> bool:
    """Whether both are facts or plans, or of one modality."""
    return new.modality == known.modality or {new.modality, known.modality} == {"fact", "plan"}


def compatible(new: Claim, known: Claim) -> bool:
    """Whether nothing that narrows both differs."""
    return all(new.narrow[name].like(known.narrow[name]) != "other" for name in {*new.narrow} & {*known.narrow})


def narrow_alike(new: Claim, known: Claim) -> bool:
    """Whether all that narrows the new one, except its time, narrows the known one too."""
    return all(narrows_alike(new, known, name) for name in new.narrow.keys() - {"time"})


def narrows_alike(new: Claim, known: Claim, name: str) -> bool:
    """Whether both are narrowed by the same value of this name."""
    mine, theirs = new.narrow.get(name), known.narrow.get(name)
    return mine is not None and theirs is not None and mine.like(theirs) == "same"


def names_thing(mover: frozenset[str], other: frozenset[str], language: str) -> bool:
    """Whether "the appointment" is "my dentist appointment"."""
    served = mover ^ other == {"provid"} and not lexicon_of(language).devices.isdisjoint(
        mover
    )  # a phone is not its plan
    return bool(mover & other) and (mover <= other or other <= mover) and not served
