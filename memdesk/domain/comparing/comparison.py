"""What one statement does to another, by their fields: repeat, update, reverse, or nothing.

Similarity of words or vectors decides nothing here; it only nominates what is compared. Same are two statements of
equal subject, attribute and value; another value is another statement, unless there is one value at a time or the
speaker says that it takes the other's place.
"""

from __future__ import annotations

import re
from typing import Final

from memdesk.domain.comparing.claims import OF_USER, Claim
from memdesk.domain.comparing.endings import compare_ended, compare_moved, compare_replaced
from memdesk.domain.comparing.lexicon import lexicon_of
from memdesk.domain.comparing.outcomes import AGAIN, OPPOSED, UNRELATED, Comparison, ended, said_of, updated
from memdesk.domain.comparing.relations import claim_of, implied_by
from memdesk.domain.comparing.rewording import reworded
from memdesk.domain.comparing.sameness import (
    compatible,
    covers,
    narrow_alike,
    narrows_alike,
    numbers_of,
    of_one_kind,
    same_mode,
    same_topic,
    values_of,
)
from memdesk.domain.comparing.values import Value, contains, value_of
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.data import language_data
from memdesk.domain.language.text import stem

#: When each of several takes place: "on Fridays".
_RECURRING: Final = re.compile(r"\b(?:\w+days|weekends|mornings|evenings|nights)\b", re.IGNORECASE)
_AS_SAID: Final = stem("say")  # in their speaker's words: none gives a value that another takes the place of
#: Attributes that no event changes.
_LASTING: Final = frozenset({"name", "birthday", "birthplace", "birth year", "life"})


def compare(new: Statement, known: Statement) -> Comparison:
    """Return what ``new`` does to ``known``, regardless of which was said later."""
    if "instruction" in {new.modality, known.modality}:
        return _instructions(new, known)
    mine, theirs = claim_of(new), claim_of(known)
    found = _diet(mine, theirs, new.language) or compare_claims(mine, theirs)
    if found.outcome in {"update", "reversal"}:
        return found
    for more in implied_by(mine, new) or (mine,):
        for other in implied_by(theirs, known) or (theirs,):
            change = compare_claims(more, other) if (more, other) != (mine, theirs) else found
            if change.outcome in {"update", "reversal"}:
                return change
            named = mine.value is not None and theirs.verb is not None and mine.value.tokens == theirs.verb.tokens
            if change.outcome == "same" and more is mine and named and not mine.narrow:
                found = change  # "I'm retired" adds nothing to "I retired in 2020"
    return Comparison("update", "came") if found.outcome == "same" and _has_come(new, known) else found


def _has_come(new: Statement, known: Statement) -> bool:
    """Whether a plan has come true: "I live in Halle now" after "I'm moving to Halle in May"."""
    begins, said = known.qualifiers.begins, known.said_at
    to_come = begins is not None and said is not None and begins > said.date() and known.predicate != new.predicate
    return to_come and new.tense == "present" and new.modality == "fact" and new.qualifiers.begins is None


def compare_claims(new: Claim, known: Claim) -> Comparison:
    """Return what one claim does to another; of two things said together, one alone ends nothing."""
    found = _compared(new, known)
    part = (
        known.value is not None and known.value.joined and (new.value is None or new.value.tokens != known.value.tokens)
    )
    if found.outcome in {"update", "reversal"} and part and not new.life:
        return Comparison("unclear", "part")
    return found


def _diet(new: Claim, known: Claim, language: str) -> Comparison | None:
    """Compare "I eat meat again" with "I'm a vegetarian": by what people of a diet do not eat."""
    lexicon = lexicon_of(language)
    kinds = known.value.tokens if known.value is not None else frozenset()
    barred = {token for kind in kinds for token in lexicon.excludes.get(kind, ())}
    takes = new.verb is not None and new.state and new.verb.said in lexicon.takes
    if takes and not new.positive and known.positive and new.value is not None and not new.narrow:
        whole = new.value.tokens <= barred & lexicon.whole and same_topic(new.topic, known.topic)
        return AGAIN if whole else None  # vegetarians eat no meat
    eaten = takes and new.positive and known.positive and new.value is not None and new.value.head in barred
    return ended(known) if eaten and same_topic(new.topic, known.topic) else None


def _compared(new: Claim, known: Claim) -> Comparison:
    if new.life and known.life:
        return AGAIN if same_topic(new.topic, known.topic) else UNRELATED
    if new.life:
        over = covers(new.topic, known.topic) or _is_being(new.topic, known)
        over = over and known.state and known.relation not in _LASTING
        return Comparison("reversal", "died") if over else UNRELATED
    if known.life or (known.any_relation and not new.any_relation):
        return UNRELATED
    if new.replaces is not None and (found := compare_replaced(new, known)) is not None:
        return found
    if new.any_relation and known.any_relation:
        again = same_topic(new.topic, known.topic) and new.tokens() == known.tokens()
        return AGAIN if again else UNRELATED
    if new.quits and known.quits:  # "was made redundant", "lost my job"
        again = same_topic(new.topic, known.topic) and narrow_alike(new, known) and compatible(new, known)
        return AGAIN if again else UNRELATED
    if (found := _left_out(new, known)) is not None:
        return found
    sums = frozenset(lexicon_of(new.language).sums.values())
    if sums & {new.relation, known.relation}:
        return _sum(new, known)
    if new.any_relation:
        return compare_ended(new, known)
    if new.moved or known.moved:
        return compare_moved(new, known)
    if same_topic(new.topic, known.topic) and (found := _reached(new, known)) is not None:
        return found
    called_off = {new.modality, known.modality} == {"plan", "wish"} and new.positive != known.positive
    if not same_topic(new.topic, known.topic) or not (called_off or same_mode(new, known)):
        return UNRELATED
    if (found := _next_of_kind(new, known)) is not None:
        return found
    if new.relation == known.relation == "prefer" and new.positive and known.positive:
        return _preferred(new, known)
    if new.relation != known.relation:
        return _of_one_slot(new, known) or (AGAIN if reworded(new, known) else UNRELATED)
    return _same_relation(new, known)


def _sum(new: Claim, known: Claim) -> Comparison:
    """Compare "up to 4,600 for the roof" with "raised 3,000 for the village hall roof"; savings do not end with their purpose."""
    if new.relation != known.relation or len(new.topic) != len(known.topic) or not new.topic:
        return UNRELATED
    mine, theirs = new.topic[-1], known.topic[-1]
    wider = mine.head == theirs.head and (contains(mine.tokens, theirs.tokens) or contains(theirs.tokens, mine.tokens))
    one = same_topic(new.topic, known.topic) or (wider and same_topic(new.topic[:-1], known.topic[:-1]))
    return _same_relation(new, known) if one else UNRELATED


def _preferred(new: Claim, known: Claim) -> Comparison:
    """Compare "prefers coffee to tea" with "prefers tea to coffee": only one order of two things holds."""
    if new.value is None or known.value is None or not (new.state and known.state):
        return UNRELATED
    turned = known.over is not None and new.value.like(known.over) == "same"
    if turned and (new.over is None or new.over.like(known.value) == "same"):
        return updated(new, known)
    again = new.value.like(known.value) == "same" and (
        new.over is None or (known.over is not None and new.over.like(known.over) == "same")
    )
    return AGAIN if again else UNRELATED


def _of_one_slot(new: Claim, known: Claim) -> Comparison | None:
    """Compare "notes are in Joplin now" with "I use Bear for my notes", "was moved to year 6" with "teaches year 3"."""
    if not (new.value and known.value and new.positive and known.positive and new.marked and new.state and known.state):
        return None
    mine, theirs = new.relation.split(), known.relation.split()
    if new.instead and _on_a_trip(new) and _on_a_trip(known) and new.value.names and known.value.names:
        return updated(new, known) if new.value.names.isdisjoint(known.value.names) else None
    # Whoever has a dentist appointment is not a dentist.
    kindred = new.relation in {known.value.kind, stem(known.value.kind)} and known.relation != "have"
    if kindred and new.value.like(known.value) == "other":
        return updated(new, known)  # "uses Trello", "switched everything over to Asana"
    served = {*mine} ^ {*theirs} == {"provid"} and lexicon_of(new.language).devices.isdisjoint(mine)
    if served and new.value.like(known.value) == "other" and known.value.kind not in {"number", "day"}:
        return updated(new, known)
    owns = lexicon_of(new.language).owns
    common, former = new.value.tokens - new.value.numbers, known.value.tokens - known.value.numbers
    mine_, theirs_ = numbers_of(new), numbers_of(known)
    counted = mine_ and theirs_ and mine_ != theirs_
    if counted and common == former and common and {new.relation, known.relation} <= owns:
        return updated(new, known)  # "I'm on the 8.15 train", "I get the 7.45 train these days"
    step = known.value.numbers and known.value.tokens - known.value.numbers == frozenset(mine[1:])
    if mine[0] == "stage" and step and new.value.numbers != known.value.numbers:
        return updated(new, known)
    return None


def _on_a_trip(claim: Claim) -> bool:
    """Whether somebody goes somewhere, plans to, or saves for it: "is going to the Azores", "is saving for a trip to Iceland"."""
    going = lexicon_of(claim.language).holds.get("trip", frozenset())
    return claim.relation in going or (claim.value is not None and claim.value.head == "trip")


def _reached(new: Claim, known: Claim) -> Comparison | None:
    """Compare "bought the moped" with "is saving up for a moped": the wish was fulfilled."""
    lexicon = lexicon_of(new.language)
    got = new.verb is not None and new.verb.said in lexicon.gains | lexicon.finds and new.modality == "fact"
    wanted = known.relation in lexicon.aims and known.state and known.modality != "instruction"
    wanted = wanted and (known.modality != "fact" or known.relation not in {"bui", "get", "need"})
    if not wanted or not new.positive or not known.positive or known.value is None or new.value is None:
        return None
    elsewhere = bool(known.value.names) and known.value.names.isdisjoint(new.value.names)
    if new.marked and not elsewhere and new.relation in lexicon.holds.get(known.value.head, ()):
        return ended(known)  # "got the job at Tesla", "works at Tesla now"
    if not got:
        return None
    had = lexicon.holds.get(known.value.head)  # work and a job are the same
    found = value_of(new.value.said.partition(", ")[0], lexicon) or new.value  # "a cello teacher, Mr. Ito"
    kindred = found.head == known.value.head or (had is not None and had == lexicon.holds.get(found.head))
    mine, theirs = found.tokens - {found.head}, known.value.tokens - {known.value.head}
    if found.head in lexicon.dwellings:
        mine, theirs = mine - found.names, theirs - known.value.names  # a flat was found, wherever the search was
    same = kindred and (mine <= theirs or theirs <= mine)
    return ended(known) if same else None


def _next_of_kind(new: Claim, known: Claim) -> Comparison | None:
    """Compare "got the Pixel 9" with "my phone is a Pixel 6": the same name with another number."""
    mine, theirs = new.value, known.value
    if mine is None or theirs is None or new.verb is None or not (new.positive and known.positive and known.state):
        return None
    models = all(
        value.names and value.numbers and value.tokens == value.names | value.numbers for value in (mine, theirs)
    )
    gains = lexicon_of(new.language).gains
    had = known.one or known.relation == "have" or known.relation in gains
    series = mine.names - mine.numbers == theirs.names - theirs.numbers and mine.numbers != theirs.numbers
    return updated(new, known) if models and series and had and new.verb.said in gains else None


def _left_out(new: Claim, known: Claim) -> Comparison | None:
    """Compare with a claim without its object: "I quit in March", "doubled my dose", "I'm with Voxi now"."""
    lexicon = lexicon_of(new.language)
    if not (known.positive and known.state and new.topic == known.topic) or known.any_relation:
        return None
    if new.quits:
        over = known.relation in lexicon.left
        return Comparison("reversal", "no_longer", (said_of(known),), open=True) if over else None
    if new.moved and not new.relation:
        return _measured(new, known)
    counted = [value for value in known.narrow.values() if value.tokens & lexicon.doses]
    if new.moved and lexicon.taken >= {new.relation} and known.relation == "take" and counted:
        value = new.value
        if value is not None and (value.kind != "number" or value.numbers == counted[0].numbers):
            return None
        said = value.said if value is not None else new.verb.said if new.verb is not None else ""
        return Comparison("update", "moved", (new.relation, said, counted[0].said), open=True)
    served = new.relation == "be with" and new.marked and known.relation.split()[-1:] == ["provid"]
    if not served or new.value is None or known.value is None or not (new.value.names and known.value.names):
        return None
    change = Comparison("update", "new_value", (known.relation, said_of(new), said_of(known)), open=True)
    return change if new.value.like(known.value) == "other" else None


def _measured(new: Claim, known: Claim) -> Comparison | None:
    """Compare "I'm up to 35 km a week" with another claim in the same unit: "runs 20 km a week"."""
    assert new.value is not None
    units, numbers = new.value.tokens - new.value.numbers, numbers_of(known)
    held = [value for value in values_of(known) if value.kind != "day"]
    theirs = {token for value in held for token in value.tokens}
    theirs |= lexicon_of(new.language).units.get(known.relation, frozenset())
    if not units or not units <= theirs or not numbers or new.value.numbers <= numbers:
        return None
    return Comparison("update", "moved", (known.relation, said_of(new), said_of(known)), open=True)


def _is_being(dead: tuple[Value, ...], known: Claim) -> bool:
    """Whether a known statement is about the pet or partner who has died, by name or kind."""
    pets = frozenset(map(stem, language_data("en").words("people", "animals")))
    kept = known.relation in {"have", "partner"} or not pets.isdisjoint(known.relation.split())
    if not kept or known.value is None or not dead:
        return False
    who = dead[-1]
    if who.names:
        return who.names <= known.value.names and (len(dead) == 1 or same_topic(dead[:-1], known.topic))
    amount = known.narrow.get("amount")
    if amount is not None and amount.numbers - {"1"} and "year" not in known.value.tokens:
        return False  # one of several
    thing = known.value.tokens if known.relation == "have" else frozenset(known.relation.split())
    if known.relation == "have" and "year" in thing and known.value.head == who.head:
        thing = who.tokens  # "a 10 year old Labrador"
    return same_topic(dead[:-1], known.topic) and thing == who.tokens and not pets.isdisjoint(thing)


def follows_from(known: Statement, new: Statement, change: Comparison) -> bool:
    """Return whether a known statement may no longer hold because ``new`` changed something it depends on.

    A move questions the commute and the landlord (the language's ``follows``), and what is done or owned at the former
    value: a gym in the old town, but not a birth there, a love for it, or a sister who lives there. Where a sister
    moves, the user's own landlord stays.
    """
    if change.outcome != "update" or len(change.args) != len(("attribute", "value", "former")):
        return False
    claim, lexicon, whose = claim_of(known), lexicon_of(known.language), claim_of(new).topic
    if not claim.state or not claim.positive or not same_topic(whose, claim.topic[: len(whose)]):
        return False
    said = {
        token for value in (*claim.topic[1:], claim.value, *claim.narrow.values()) if value for token in value.tokens
    }
    said |= set(claim.relation.split()) | (set(claim.verb.tokens) if claim.verb is not None else set())
    former = value_of(change.args[2], lexicon)
    itself = claim.value is not None and former is not None and claim.value.like(former) == "same"
    named = former is not None and bool(former.names) and former.names <= said and not itself
    resting = (value_of(noun, lexicon) for noun in lexicon.follows.get(change.args[0], ()))
    return named or any(value is not None and contains(said, value.tokens) for value in resting)


def quote_carries(quote: str, statement: Statement | None) -> bool:
    """Return whether a quote contains the object of a statement, or its verb if it has no object: only then can it be its source."""
    if statement is None:
        return True
    lexicon = lexicon_of(statement.language)
    wanted = value_of(statement.object.removeprefix(OF_USER), lexicon) or value_of(statement.predicate, lexicon)
    said = value_of(quote, lexicon)
    if wanted is None:
        return True
    return said is not None and wanted.tokens <= said.tokens


def _same_relation(new: Claim, known: Claim) -> Comparison:
    """Compare two claims about one attribute of one topic."""
    # "I shop at Aldi now" applies to whatever was bought elsewhere.
    elsewhere = new.marked and new.positive and known.positive and "place" in new.narrow and "place" in known.narrow
    if new.adds and known.value is not None and new.value is not None and _is_of_kind(new.value, known.value):
        counts = numbers_of(known)  # "a third dog", of "two dogs"
        return updated(new, known) if counts and counts != numbers_of(new) else UNRELATED
    likeness = "same" if new.value is None and (known.value is None or elsewhere) else "other"
    if new.value is not None and known.value is not None:
        likeness = new.value.like(known.value)
    if new.positive != known.positive:
        return _opposite(new, known, likeness)
    if new.tokens() == known.tokens() and (found := _by_numbers(new, known)) is not None:
        return found
    if likeness == "same":
        return _same_value(new, known)
    if not new.positive or new.value is None or known.value is None or not (new.state and known.state):
        return UNRELATED
    if likeness == "part" or new.relation == _AS_SAID:
        return UNRELATED if not new.one else OPPOSED
    time = new.narrow.get("time")
    if time is not None and not new.marked and _RECURRING.search(time.said):
        return UNRELATED  # "on Fridays I work at a flower shop"
    if new.relation == "shift" and not new.marked and "place" in new.narrow and not narrows_alike(new, known, "place"):
        return UNRELATED  # "I do mornings at a cafe", beside nights elsewhere
    if new.one and known.one and of_one_kind(new.value, known.value, new.relation):
        return updated(new, known)
    if known.dated and _on_a_trip(known) and not (new.dated or new.instead):
        return UNRELATED  # "I go to The Works now", beside a trip in April
    of_kind = new.value.kind and new.value.comparable(known.value) and narrow_alike(new, known)
    if new.marked and (of_kind or (new.named and known.named)):
        # Any two names are of one kind: "I use Python now" does not rule out Excel.
        beside = new.value.kind == "name" and not new.named and new.relation in lexicon_of(new.language).many
        # "I have a new colleague, Luca"
        beside = beside or (not new.one and new.verb is not None and new.verb.said in lexicon_of(new.language).has)
        common = new.value.tokens - new.value.names
        beside = beside or (bool(common) and common == known.value.tokens - known.value.names)  # two subscriptions
        return OPPOSED if beside else updated(new, known)
    return UNRELATED


def _is_of_kind(one: Value, several: Value) -> bool:
    """Whether the count has gone up by one: "a third cat" after "two cats, Bilbo and Pippin"."""
    return one.head == several.head or (several.joined and contains(several.tokens, one.tokens))


def _by_numbers(new: Claim, known: Claim) -> Comparison | None:
    """Compare two that share all words, however they were split into fields: only numbers can differ.

    Another number updates a state ("two cats", "three cats"), but makes another event.
    """
    mine, theirs = numbers_of(new), numbers_of(known)
    if mine == theirs and new.state == known.state:
        return AGAIN
    held = [value for one in (new, known) for value in values_of(one)]
    counted = mine and theirs and not any(value.kind == "day" for value in held)
    if not (counted and new.state and known.state and new.positive):
        return None
    if any(value.labels & (mine ^ theirs) for value in held) and not (new.one or new.marked or _tells_state(new)):
        return OPPOSED  # "I rent garage 12", "I rent garage 13": two garages, or a new one
    return Comparison("update", "new_value", (new.relation, ", ".join(sorted(mine)), ", ".join(sorted(theirs))))


def _tells_state(claim: Claim) -> bool:
    return claim.verb is not None and claim.verb.said in lexicon_of(claim.language).copulas


def _opposite(new: Claim, known: Claim, likeness: str) -> Comparison:
    """Compare an affirmed claim with a denied one."""
    said = said_of(new) or said_of(known)
    if new.value is None and new.ended and (known.one or (new.named and not new.narrow)):
        return ended(known)  # "we are no longer married"
    whole, part = (new.value, known.value) if new.positive else (known.value, new.value)
    held = likeness == "part" and whole is not None and part is not None and contains(whole.tokens, part.tokens)
    if not (likeness == "same" or held) or not compatible(new, known):
        # "loves tea", "does not love green tea": both may hold
        return OPPOSED if likeness == "part" and new.one == known.one else UNRELATED
    if not new.ended and not new.positive and new.narrow.keys() - known.narrow.keys() - {"time"}:
        return OPPOSED  # "no coffee in the evening" says little about coffee
    if new.positive:
        return Comparison("reversal", "so_again", (said,))
    if not known.state and not new.ended:
        return OPPOSED
    return Comparison("reversal", "no_longer" if new.ended else "not_so", (said,))


def _same_value(new: Claim, known: Claim) -> Comparison:
    """Compare equal attributes and values: the same, unless they are narrowed differently."""
    differing = [name for name in {*new.narrow, *known.narrow} if not narrows_alike(new, known, name)]
    if new.one and known.one and known.value is not None and known.value.kind == new.relation:
        differing = [name for name in differing if name != "time"]  # "moved to Basel in 2014", "in Basel since 2014"
    if not differing:
        return AGAIN if new.state == known.state else UNRELATED
    both = [name for name in differing if name in new.narrow and name in known.narrow]
    if not both:
        # The less specific one says nothing new.
        if not any(name in new.narrow for name in differing) and new.state == known.state:
            return AGAIN
        return UNRELATED
    less = [name for name in differing if name not in new.narrow]  # "we meet at the Swan now", whenever it was
    if (
        len(both) == 1 == len(differing) - (len(less) if new.marked else 0)
        and new.state
        and known.state
        and new.positive
    ):
        name = both[0]
        counted = name == "amount" and new.narrow[name].comparable(known.narrow[name])
        if counted or (new.marked and new.narrow[name].like(known.narrow[name]) == "other"):
            args = (new.relation, new.narrow[name].said, known.narrow[name].said)
            return Comparison("update", "new_value", args)
    return UNRELATED


def _instructions(new: Statement, known: Statement) -> Comparison:
    """Compare instructions: the same only with the same content words, opposed only if one is negated."""
    mine, theirs = claim_of(new), claim_of(known)
    if new.modality != known.modality or mine.relation != theirs.relation:
        return UNRELATED
    likeness = "same" if mine.value is None and theirs.value is None else "other"
    if mine.value is not None and theirs.value is not None:
        likeness = mine.value.like(theirs.value)
    if likeness != "same" or any(not narrows_alike(mine, theirs, name) for name in {*mine.narrow, *theirs.narrow}):
        return UNRELATED
    return AGAIN if mine.positive == theirs.positive else Comparison("reversal", "not_so", (new.object,))
