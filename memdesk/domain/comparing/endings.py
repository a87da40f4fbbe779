"""What ends, moves or replaces something: "I quit", "the wedding is now in May", "sold the Skoda and bought a Kia"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from memdesk.domain.comparing.claims import Claim
from memdesk.domain.comparing.lexicon import lexicon_of, people_of
from memdesk.domain.comparing.outcomes import AGAIN, OPPOSED, UNRELATED, Comparison, said_of
from memdesk.domain.comparing.sameness import names_thing, numbers_of, of_one_kind, owns, same_mode, same_topic
from memdesk.domain.comparing.values import Value, contains
from memdesk.domain.language.data import language_data
from memdesk.domain.language.text import words

_OWNED: Final = re.compile(r"['\u2019]s ")


def compare_replaced(new: Claim, known: Claim) -> Comparison | None:
    """Look for "the Skoda" of "sold the Skoda and bought a Kia" in known claims, in any relation."""
    former = new.replaces
    if former is None or not known.positive or not known.state or not owns(new.topic, known.topic):
        return None
    places = [value for value in (known.value, *known.narrow.values()) if value is not None]
    if not same_topic(new.topic, known.topic):  # moving away from Ghent does not end a son's tournament there
        places = [value for value in places if value is known.value and value.head in former.tokens]
    held = next((v for v in places if contains(v.tokens, former.tokens) or contains(former.tokens, v.tokens)), None)
    if held is None and known.one and known.relation in new.ends:
        held = known.value
    if held is None or (new.value is not None and new.value.like(held) == "same"):
        return None
    return Comparison("update", "replaced", (new.relation, said_of(new), former.said))


def compare_ended(new: Claim, known: Claim) -> Comparison:
    """Compare with "gave up the cello", "quit smoking", "sold the car", in any relation."""
    if not known.positive or not known.state or new.value is None or not owns(new.topic, known.topic):
        return UNRELATED
    if new.value.said.casefold() in language_data("en").words("persons", "self", "group"):
        return UNRELATED  # "my ex is done with me" names nothing that ends
    wished = known.modality == "wish" and known.value is not None and known.value.tokens != new.value.tokens
    if wished and (new.verb is None or new.verb.said not in lexicon_of(new.language).decides):
        return UNRELATED  # whoever quit a job may well look for one
    if new.within and known.relation not in new.within and not known.relation.startswith("stage "):
        return UNRELATED  # a finished book may still be loved
    theirs = known.topic[len(new.topic) :]
    if theirs:
        # "sold my motorbike" ends what is known about "my motorbike"
        ends = contains(new.value.tokens, theirs[0].tokens)
        ends = ends or (known.relation == new.value.head and bool(theirs[0].names) and theirs[0].names <= new.event)
        return Comparison("reversal", "no_longer", (new.value.said,)) if ends else UNRELATED
    own = [known.value, *known.narrow.values()]
    others = _OWNED.search(new.value.said) and new.event.isdisjoint(known.tokens())
    if others or _with_another(new, new.value.tokens, own):
        return UNRELATED  # "Ana's wedding" is not the speaker's
    # "my appointment was cancelled" ends its day
    relation = set(known.relation.split())  # none of "down to 31 milkers"
    about = (known.one or known.named) and bool(relation) and relation <= new.value.tokens
    named = about or any(value is not None and contains(value.tokens, new.value.tokens) for value in own)
    named = named or contains(known.tokens() | numbers_of(known), new.value.tokens)
    done = known.verb is not None and known.value is None and contains(new.value.tokens, known.verb.tokens)
    doing = (
        known.verb is not None and known.value is not None
        and new.value.tokens == known.verb.tokens | known.value.tokens
    )  # fmt: skip
    # "my rowing club subscription", "my job at Philips": the thing with its name.
    wider = known.value is not None and known.value.names and contains(new.value.tokens, known.value.tokens)
    if new.ends:  # "my job at Philips" is neither a home nor a taste that names Philips
        wider = _had_by(new, known)
    if not (named or done or doing or wider):
        # Whoever stopped smoking smokes no pipe; whoever stopped drinking may well drink coffee.
        same = known.verb is not None and new.value.tokens == known.verb.tokens
        meant = lexicon_of(new.language).alone.get(new.value.head, frozenset())
        whole = known.measured or not meant or (known.value is not None and not known.value.tokens.isdisjoint(meant))
        if not (same and whole):
            return OPPOSED if same else UNRELATED
    return Comparison("reversal", "no_longer", (said_of(known) or new.value.said,))


def _had_by(event: Claim, known: Claim) -> bool:
    """Whether a known claim belongs to an event: "going to Peru in July" to "the Peru trip".

    An event that no word distinguishes fits every attribute, and any plan with a day.
    """
    if known.relation not in event.ends:
        return False
    thing = event.value.tokens if event.any_relation and event.value is not None else {*event.relation.split()}
    events = lexicon_of(event.language).holds
    other = known.value is not None and known.value.head in events and known.value.head not in thing
    own = event.event & (known.tokens() | numbers_of(known) | {token for one in known.topic for token in one.tokens})
    # An appointment is not a scan.
    return bool(own) or known.relation == "role" or (not event.event and not other and (known.one or known.dated))


def compare_moved(new: Claim, known: Claim) -> Comparison:
    """Compare with "we postponed the wedding to September": the wedding's day, however it was given."""
    mover, other = (new, known) if new.moved else (known, new)
    of_it = (
        mover.relation == other.relation
        and mover.topic[:-1] == other.topic[:-1]
        and mover.topic
        and other.topic
        and contains(other.topic[-1].tokens, mover.topic[-1].tokens)
    )  # the price of "my gym" and of "my gym membership"
    if (
        not (of_it or owns(mover.topic, other.topic) or same_topic(mover.topic, other.topic))
        or not same_mode(new, known)
        or not (new.positive and known.positive)
    ):
        return UNRELATED
    own = (*other.topic[1:], other.value, *other.narrow.values())
    if not other.state or _with_another(mover, frozenset(mover.relation.split()), own):
        return UNRELATED  # "bought ten cows" does not count the herd
    price = mover.by is not None and other.relation == mover.relation and len(other.topic) > 1
    if price and mover.by is not None and not contains(other.topic[1].tokens, mover.by.tokens):
        return UNRELATED  # only the fee of the choir that raised it
    about = {part.tokens for part in other.topic[1:]} | {frozenset(other.relation.split())}
    about |= {other.value.tokens} if other.value is not None else set()
    thing = frozenset(mover.relation.split())
    whole = any(names_thing(thing, each, mover.language) for each in about) or _had_by(mover, other)
    if not whole and not any(contains(each.tokens, thing) for name, each in other.narrow.items() if name != "time"):
        return UNRELATED
    if mover.value is None:  # "doubled my dose"
        numbers = [value for value in (other.value, *other.narrow.values()) if value is not None and value.numbers]
        counted = [value for value in numbers if value.kind == "number"]
        if mover is known or not whole or not counted:
            return UNRELATED
        return Comparison("update", "moved", (mover.relation, mover.verb.said if mover.verb else "", counted[-1].said))
    given = [mover.value]
    held = [value for value in (other.value, *other.narrow.values()) if value is not None]
    pairs = [(a, b) if mover is new else (b, a) for a in given for b in held if of_one_kind(a, b, mover.relation)]
    found = _moved_to(mover, *pairs[0]) if pairs else UNRELATED
    # "I play the concertina in a session on Wednesdays": the session has moved, the concertina is still played
    numbered = mover.value.kind == "number"
    return found if whole or numbered or found.outcome != "update" else Comparison("unclear", "part")


def _with_another(change: Claim, thing: frozenset[str], held: Iterable[Value | None]) -> bool:
    """Whether a known appointment is with somebody other than the one who canceled: "the dentist canceled my appointment"."""
    people, links = people_of(change.language), lexicon_of(change.language).beside
    for value in held if change.by is not None else ():
        if value is not None and change.by is not None and contains(value.tokens, thing) and value.tokens != thing:
            said = set(words(value.said))
            return value.tokens.isdisjoint(change.by.tokens) and not said.isdisjoint(people | links)
    return False


def _moved_to(new: Claim, value: Value, old: Value) -> Comparison:
    if value.like(old) == "same":
        return AGAIN
    return Comparison("update", "moved", (new.relation, value.said, old.said))
