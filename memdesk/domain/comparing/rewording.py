"""Whether two claims of different verbs say the same: "works as a potter" and "is a potter", "plays the cello" and "is a cellist"."""

from __future__ import annotations

import re

from memdesk.domain.comparing.claims import Claim
from memdesk.domain.comparing.lexicon import lexicon_of, people_of
from memdesk.domain.comparing.sameness import numbers_of


def reworded(new: Claim, known: Claim) -> bool:
    """Whether a new claim says the same of a topic as a known one, in another relation."""
    if new.value is None or known.value is None or new.positive != known.positive or new.state != known.state:
        return False
    if new.value.tokens == known.value.tokens and {new.relation, known.relation} == {"be", "role"}:
        return True
    # Naming the workplace says more than naming the profession.
    does = _does(new, known) or (_does(known, new) and not new.narrow)
    return does or _is_had(new, known) or _is_had(known, new)


def _does(doer: Claim, other: Claim) -> bool:
    """Whether one names the doer of what the other says: "coin collector", "law student", "cellist"."""
    if doer.relation not in {"be", "role"} or doer.value is None or other.value is None or other.verb is None:
        return False
    verb, rest, done = other.verb.head, doer.value.tokens - {doer.value.head}, other.value.tokens
    place = other.narrow.get("place")
    ending = re.sub("y(?=er$)", "i", doer.value.head).removeprefix(verb.rstrip("ei"))
    acts = ending in {"", "er", "or", "ist", "ent", f"{verb[-1]}er"} and done <= rest
    plays = other.relation == "plai" and not rest and doer.value.head == f"{other.value.head.rstrip('aeo')}ist"
    return plays or (acts and rest - done <= (place.tokens if place is not None else frozenset()))


def _is_had(holder: Claim, named: Claim) -> bool:
    """Whether one says "have" of what the other names by its noun: "have a Pixel 7" after "my phone is a Pixel 7"."""
    noun, lexicon = {*named.relation.split()}, lexicon_of(named.language)
    if holder.value is None or named.value is None or named.narrow or holder.narrow.keys() - {"amount"}:
        return False
    if holder.relation not in lexicon.owns or not named.named or not people_of(named.language).isdisjoint(noun):
        return False
    has = holder.tokens() | numbers_of(holder)
    return has == named.value.tokens | noun or (bool(holder.value.names) and has == named.value.tokens)
