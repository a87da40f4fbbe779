"""What one statement does to another, by their fields: the same, an update, a reversal, or nothing.

Likeness of words or vectors decides nothing here; it may only nominate what is compared. Same are two statements of
equal subject, attribute and value; another value is another statement, unless there is one value at a time or the
speaker says that it takes the other's place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from memdesk.domain.comparing.claims import OF_USER, Claim, claim_of, implied_by
from memdesk.domain.comparing.lexicon import lexicon_of, people_of
from memdesk.domain.comparing.values import Value, contains, value_of
from memdesk.domain.items.statement import Statement
from memdesk.domain.language.data import language_data
from memdesk.domain.language.text import stem, words
from memdesk.messages import say

Outcome = Literal["same", "update", "reversal", "unclear", "unrelated"]
#: When one of several is done: "on Fridays".
_RECURRING: Final = re.compile(r"\b(?:\w+days|weekends|mornings|evenings|nights)\b", re.IGNORECASE)
_OWNED: Final = re.compile(r"['\u2019]s ")
#: What a person keeps whatever happens to them.
_LASTING: Final = frozenset({"name", "birthday", "birthplace", "birth year", "life"})


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a new statement does to a known one.

    Attributes:
        outcome: ``same``: it says the known one again. ``update``: it gives another value of what has one at a time.
            ``reversal``: it says that the known one is not so, or no longer. ``unclear``: they speak of the same thing and
            do not go together as they stand; a person must say. ``unrelated``: both hold.
        code: why, for a sentence in the user's language: one of :data:`REASONS`.
        args: what a sentence on it may name: the attribute, the new value, the former one. Never stored.
        open: the statement leaves out what it is about ("doubled my dose"): it says so only of the one thing that it can be of.
    """

    outcome: Outcome
    code: str = "unrelated"
    args: tuple[str, ...] = ()
    open: bool = False

    def in_words(self) -> str:
        """Return the reason in English."""
        return REASONS[self.code]


#: Reasons by code, in English. They are stored with what changed and hold none of its words: what is forgotten of one
#: statement must not be read in the history of another.
REASONS: Final[dict[str, str]] = {
    "unrelated": say("says something else"),
    "said_again": say("said before"),
    "new_value": say("a later statement gives another value"),
    "replaced": say("a later statement names another in its place"),
    "moved": say("it was moved or changed later"),
    "no_longer": say("said to have ended"),
    "not_so": say("said not to be so"),
    "so_again": say("said to be so after all"),
    "came": say("what was planned has happened"),
    "died": say("they have died"),
    "part": say("part of it has changed; both are kept"),
    "opposed": say("looks opposed to another fact, without proof; both are kept"),
    "likely": say("a later statement most likely takes its place"),
    "perhaps": say("a later statement may take its place; does it still hold?"),
    "follows": say("what it rests on has changed; does it still hold?"),
}
_UNRELATED: Final = Comparison("unrelated")


def compare(new: Statement, known: Statement) -> Comparison:
    """Return what ``new`` does to ``known``; which of them was said later is not looked at."""
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
                found = change  # "I'm retired" says no more than "I retired in 2020"
    return Comparison("update", "came") if found.outcome == "same" and _has_come(new, known) else found


def _has_come(new: Statement, known: Statement) -> bool:
    """Whether what was going to be is told as being so: "I live in Halle now" after "I'm moving to Halle in May"."""
    begins, said = known.qualifiers.begins, known.said_at
    to_come = begins is not None and said is not None and begins > said.date() and known.predicate != new.predicate
    return to_come and new.tense == "present" and new.modality == "fact" and new.qualifiers.begins is None


def compare_claims(new: Claim, known: Claim) -> Comparison:
    """Return what one claim does to another; of two things said in one breath, one alone ends nothing."""
    found = _compared(new, known)
    part = (
        known.value is not None and known.value.joined and (new.value is None or new.value.tokens != known.value.tokens)
    )
    if found.outcome in {"update", "reversal"} and part and not new.life:
        return Comparison("unclear", "part")
    return found


def _diet(new: Claim, known: Claim, language: str) -> Comparison | None:
    """Compare "I eat meat again" with "I'm a vegetarian": by what those who have a value do not take."""
    lexicon = lexicon_of(language)
    kinds = known.value.tokens if known.value is not None else frozenset()
    barred = {token for kind in kinds for token in lexicon.excludes.get(kind, ())}
    takes = new.verb is not None and new.state and new.verb.said in lexicon.takes
    if takes and not new.positive and known.positive and new.value is not None and not new.narrow:
        whole = new.value.tokens <= barred & lexicon.whole and same_topic(new.topic, known.topic)
        return Comparison("same", "said_again") if whole else None  # a vegetarian eats no meat
    if (
        not takes
        or not new.positive
        or not known.positive
        or new.value is None
        or not same_topic(new.topic, known.topic)
    ):
        return None
    return Comparison("reversal", "no_longer", (_said(known),)) if new.value.head in barred else None


def _compared(new: Claim, known: Claim) -> Comparison:
    if new.life and known.life:
        return Comparison("same", "said_again") if same_topic(new.topic, known.topic) else _UNRELATED
    if new.life:
        over = _covers(new.topic, known.topic) or _is_being(new.topic, known)
        over = over and known.state and known.relation not in _LASTING
        return Comparison("reversal", "died") if over else _UNRELATED
    if known.life or (known.any_relation and not new.any_relation):
        return _UNRELATED
    if new.replaces is not None and (found := _replaced(new, known)) is not None:
        return found
    if new.any_relation and known.any_relation:
        again = same_topic(new.topic, known.topic) and new.tokens() == known.tokens()
        return Comparison("same", "said_again") if again else _UNRELATED
    if (found := _left_out(new, known)) is not None:
        return found
    sums = frozenset(lexicon_of(new.language).sums.values())
    if sums & {new.relation, known.relation}:
        return _sum(new, known)
    if new.any_relation:
        return _ended(new, known)
    if new.moved or known.moved:
        return _moved(new, known)
    if same_topic(new.topic, known.topic) and (found := _reached(new, known)) is not None:
        return found
    called_off = {new.modality, known.modality} == {"plan", "wish"} and new.positive != known.positive
    if not same_topic(new.topic, known.topic) or not (called_off or _same_mode(new, known)):
        return _UNRELATED
    if (found := _next_of_kind(new, known)) is not None:
        return found
    if new.relation == known.relation == "prefer" and new.positive and known.positive:
        return _preferred(new, known)
    if new.relation != known.relation:
        return _of_one_slot(new, known) or _in_other_words(new, known)
    return _same_relation(new, known)


def _sum(new: Claim, known: Claim) -> Comparison:
    """Compare "up to 4,600 for the roof" with "raised 3,000 for the village hall roof"; no thing that ends, ends what is laid by for it."""
    if new.relation != known.relation or len(new.topic) != len(known.topic) or not new.topic:
        return _UNRELATED
    mine, theirs = new.topic[-1], known.topic[-1]
    wider = mine.head == theirs.head and (contains(mine.tokens, theirs.tokens) or contains(theirs.tokens, mine.tokens))
    one = same_topic(new.topic, known.topic) or (wider and same_topic(new.topic[:-1], known.topic[:-1]))
    return _same_relation(new, known) if one else _UNRELATED


def _preferred(new: Claim, known: Claim) -> Comparison:
    """Compare "prefers coffee to tea" with "prefers tea to coffee": of two things, one is liked better at a time."""
    if new.value is None or known.value is None or not (new.state and known.state):
        return _UNRELATED
    turned = known.over is not None and new.value.like(known.over) == "same"
    if turned and (new.over is None or new.over.like(known.value) == "same"):
        return _update(new, known)
    again = new.value.like(known.value) == "same" and (
        new.over is None or (known.over is not None and new.over.like(known.over) == "same")
    )
    return Comparison("same", "said_again") if again else _UNRELATED


def _of_one_slot(new: Claim, known: Claim) -> Comparison | None:
    """Compare "notes are in Joplin now" with "I use Bear for my notes", "was moved to year 6" with "teaches year 3"."""
    if not (new.value and known.value and new.positive and known.positive and new.marked and new.state and known.state):
        return None
    mine, theirs = new.relation.split(), known.relation.split()
    if new.instead and _on_a_trip(new) and _on_a_trip(known) and new.value.names and known.value.names:
        return _update(new, known) if new.value.names.isdisjoint(known.value.names) else None
    # Who has a dentist appointment is no dentist.
    kindred = new.relation in {known.value.kind, stem(known.value.kind)} and known.relation != "have"
    if kindred and new.value.like(known.value) == "other":
        return _update(new, known)  # "uses Trello", "switched everything over to Asana"
    served = {*mine} ^ {*theirs} == {"provid"} and lexicon_of(new.language).devices.isdisjoint(mine)
    if served and new.value.like(known.value) == "other" and known.value.kind not in {"number", "day"}:
        return _update(new, known)
    owns = lexicon_of(new.language).owns
    common, former = new.value.tokens - new.value.numbers, known.value.tokens - known.value.numbers
    mine_, theirs_ = _numbers(new), _numbers(known)
    counted = mine_ and theirs_ and mine_ != theirs_
    if counted and common == former and common and {new.relation, known.relation} <= owns:
        return _update(new, known)  # "I'm on the 8.15 train", "I get the 7.45 train these days"
    step = known.value.numbers and known.value.tokens - known.value.numbers == frozenset(mine[1:])
    if mine[0] == "stage" and step and new.value.numbers != known.value.numbers:
        return _update(new, known)
    return None


def _on_a_trip(claim: Claim) -> bool:
    """Whether somebody goes somewhere, plans to, or saves for it: "is going to the Azores", "is saving for a trip to Iceland"."""
    going = lexicon_of(claim.language).holds.get("trip", frozenset())
    return claim.relation in going or (claim.value is not None and claim.value.head == "trip")


def _reached(new: Claim, known: Claim) -> Comparison | None:
    """Compare "bought the moped" with "is saving up for a moped": what was wanted is had."""
    lexicon = lexicon_of(new.language)
    got = new.verb is not None and new.verb.said in lexicon.gains | lexicon.finds and new.modality == "fact"
    wanted = known.relation in lexicon.aims and known.state and known.modality != "instruction"
    wanted = wanted and (known.modality != "fact" or known.relation not in {"bui", "get", "need"})
    if not wanted or not new.positive or not known.positive or known.value is None or new.value is None:
        return None
    elsewhere = bool(known.value.names) and known.value.names.isdisjoint(new.value.names)
    if new.marked and not elsewhere and new.relation in lexicon.holds.get(known.value.head, ()):
        return Comparison("reversal", "no_longer", (_said(known),))  # "got the job at Tesla", "works at Tesla now"
    if not got:
        return None
    had = lexicon.holds.get(known.value.head)  # work and a job are one
    found = value_of(new.value.said.partition(", ")[0], lexicon) or new.value  # "a cello teacher, Mr. Ito"
    kindred = found.head == known.value.head or (had is not None and had == lexicon.holds.get(found.head))
    mine, theirs = found.tokens - {found.head}, known.value.tokens - {known.value.head}
    if found.head in lexicon.dwellings:
        mine, theirs = mine - found.names, theirs - known.value.names  # a flat is found, wherever one was looked for
    same = kindred and (mine <= theirs or theirs <= mine)
    return Comparison("reversal", "no_longer", (_said(known),)) if same else None


def _next_of_kind(new: Claim, known: Claim) -> Comparison | None:
    """Compare "got the Pixel 9" with "my phone is a Pixel 6": another number of what is called so."""
    mine, theirs = new.value, known.value
    if mine is None or theirs is None or new.verb is None or not (new.positive and known.positive and known.state):
        return None
    models = all(
        value.names and value.numbers and value.tokens == value.names | value.numbers for value in (mine, theirs)
    )
    gains = lexicon_of(new.language).gains
    had = known.one or known.relation == "have" or known.relation in gains
    series = mine.names - mine.numbers == theirs.names - theirs.numbers and mine.numbers != theirs.numbers
    return _update(new, known) if models and series and had and new.verb.said in gains else None


def _left_out(new: Claim, known: Claim) -> Comparison | None:
    """Compare with what leaves out its object: "I quit in March", "doubled my dose", "I'm with Voxi now"."""
    lexicon = lexicon_of(new.language)
    if not (known.positive and known.state and new.topic == known.topic) or known.any_relation:
        return None
    if new.quits:
        over = known.relation in lexicon.left
        return Comparison("reversal", "no_longer", (_said(known),), open=True) if over else None
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
    if served and new.value is not None and known.value is not None and new.value.names and known.value.names:
        likeness = new.value.like(known.value)
        return (
            Comparison("update", "new_value", (known.relation, _said(new), _said(known)), open=True)
            if likeness == "other"
            else None
        )
    return None


def _measured(new: Claim, known: Claim) -> Comparison | None:
    """Compare "I'm up to 35 km a week" with what is measured in the same: "runs 20 km a week"."""
    assert new.value is not None
    units, numbers = new.value.tokens - new.value.numbers, _numbers(known)
    held = [value for value in _values(known) if value.kind != "day"]
    theirs = {token for value in held for token in value.tokens}
    theirs |= lexicon_of(new.language).units.get(known.relation, frozenset())
    if not units or not units <= theirs or not numbers or new.value.numbers <= numbers:
        return None
    return Comparison("update", "moved", (known.relation, _said(new), _said(known)), open=True)


def _in_other_words(new: Claim, known: Claim) -> Comparison:
    """Compare "works as a radiographer" with "is a radiographer", "teaches maths" with "is a maths teacher": only as the same."""
    if new.value is None or known.value is None or new.positive != known.positive or new.state != known.state:
        return _UNRELATED
    again = new.value.tokens == known.value.tokens and {new.relation, known.relation} == {"be", "role"}
    # Who says where they do it says more than what they are.
    again = again or _does(new, known) or (_does(known, new) and not new.narrow)
    return Comparison("same", "said_again") if again else _UNRELATED


def _does(doer: Claim, other: Claim) -> bool:
    """Whether one is called after what the other does: "coin collector" after "collects coins"."""
    if doer.relation not in {"be", "role"} or doer.value is None or other.value is None or other.verb is None:
        return False
    verb, rest = other.verb.head, doer.value.tokens - {doer.value.head}
    ending = re.sub("y(?=er$)", "i", doer.value.head).removeprefix(verb.removesuffix("e"))
    return ending in {"", "er", "or", "ist", f"{verb[-1]}er"} and rest == other.value.tokens


def _is_being(dead: tuple[Value, ...], known: Claim) -> bool:
    """Whether a known statement tells of the pet or partner who has died, by its name or by what it is."""
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
    """Return whether a known statement may no longer hold because ``new`` changed something that it rests on.

    A move questions the way to work and the landlord (the language's ``follows``), and what is done or had by the former
    value: a gym in the old town, but neither that one was born there, nor that one loves it, nor a sister who lives there.
    """
    if change.outcome != "update" or len(change.args) != len(("attribute", "value", "former")):
        return False
    claim, lexicon = claim_of(known), lexicon_of(known.language)
    if not claim.state or not claim.positive or not same_topic(claim_of(new).topic[:1], claim.topic[:1]):
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


def quote_carries(quote: str, statement: Statement) -> bool:
    """Return whether the words of a quote hold the object of a statement; of one without an object, its verb."""
    lexicon = lexicon_of(statement.language)
    wanted = value_of(statement.object.removeprefix(OF_USER), lexicon) or value_of(statement.predicate, lexicon)
    said = value_of(quote, lexicon)
    if wanted is None:
        return True
    return said is not None and wanted.tokens <= said.tokens


def _same_relation(new: Claim, known: Claim) -> Comparison:
    """Compare two claims on one attribute of one topic."""
    # "I shop at Aldi now" is said of whatever was bought elsewhere.
    elsewhere = new.marked and new.positive and known.positive and "place" in new.narrow and "place" in known.narrow
    if new.adds and known.value is not None and new.value is not None and _is_of_kind(new.value, known.value):
        counts = _numbers(known)  # "a third dog", of "two dogs"
        return _update(new, known) if counts and counts != _numbers(new) else _UNRELATED
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
        return _UNRELATED
    if likeness == "part":
        return _UNRELATED if not new.one else Comparison("unclear", "opposed")
    time = new.narrow.get("time")
    if time is not None and not new.marked and _RECURRING.search(time.said):
        return _UNRELATED  # "on Fridays I work at a flower shop"
    if new.relation == "shift" and not new.marked and "place" in new.narrow and not _narrows_alike(new, known, "place"):
        return _UNRELATED  # "I do mornings at a cafe", beside nights elsewhere
    if new.one and known.one and _of_one_kind(new.value, known.value, new.relation):
        return _update(new, known)
    if known.dated and _on_a_trip(known) and not (new.dated or new.instead):
        return _UNRELATED  # "I go to The Works now", beside a trip in April
    of_kind = new.value.kind and new.value.comparable(known.value) and _narrow_alike(new, known)
    if new.marked and (of_kind or (new.named and known.named)):
        # Any two names are of one kind: "I use Python now" may be said beside Excel.
        beside = new.value.kind == "name" and not new.named and new.relation in lexicon_of(new.language).many
        # "I have a new colleague, Luca"
        beside = beside or (not new.one and new.verb is not None and new.verb.said in lexicon_of(new.language).has)
        common = new.value.tokens - new.value.names
        beside = beside or (bool(common) and common == known.value.tokens - known.value.names)  # two subscriptions
        return Comparison("unclear", "opposed") if beside else _update(new, known)
    return _UNRELATED


def _is_of_kind(one: Value, several: Value) -> bool:
    """Whether there is one more of what was counted: "a third cat", of "two cats, Bilbo and Pippin"."""
    return one.head == several.head or (several.joined and contains(several.tokens, one.tokens))


def _of_one_kind(left: Value, right: Value, relation: str) -> bool:
    """Whether one value may stand in the place of the other: by their kind, or as values of one attribute."""
    return left.comparable(right) or relation in {left.kind, right.kind}


def _by_numbers(new: Claim, known: Claim) -> Comparison | None:
    """Compare two that have all words in common, however they were cut into fields: only numbers can differ.

    Another number of the same is an update of a state ("two cats", "three cats"), and another event of an event.
    """
    mine, theirs = _numbers(new), _numbers(known)
    if mine == theirs and new.state == known.state:
        return Comparison("same", "said_again")
    held = [value for one in (new, known) for value in _values(one)]
    counted = mine and theirs and not any(value.kind == "day" for value in held)
    if not (counted and new.state and known.state and new.positive):
        return None
    if any(value.labels & (mine ^ theirs) for value in held) and not (new.one or new.marked or _tells_state(new)):
        return Comparison("unclear", "opposed")  # "I rent garage 12", "I rent garage 13": two garages, or another one
    return Comparison("update", "new_value", (new.relation, ", ".join(sorted(mine)), ", ".join(sorted(theirs))))


def _tells_state(claim: Claim) -> bool:
    return claim.verb is not None and claim.verb.said in lexicon_of(claim.language).copulas


def _values(claim: Claim) -> list[Value]:
    return [value for value in (claim.value, *claim.narrow.values()) if value is not None]


def _numbers(claim: Claim) -> frozenset[str]:
    return frozenset(number for value in _values(claim) for number in value.numbers)


def _opposite(new: Claim, known: Claim, likeness: str) -> Comparison:
    """One is said to be so, the other not."""
    said = _said(new) or _said(known)
    if new.value is None and new.ended and known.one:
        return Comparison("reversal", "no_longer", (_said(known),))  # "we are no longer married"
    same = likeness == "same" or (
        likeness == "part" and new.value is not None and known.value is not None
        and contains(known.value.tokens if not new.positive else new.value.tokens,
                     new.value.tokens if not new.positive else known.value.tokens)
    )  # fmt: skip
    if not same or not _compatible(new, known):
        # "loves tea", "does not love green tea": they may go together
        return Comparison("unclear", "opposed") if likeness == "part" and new.one == known.one else _UNRELATED
    if not new.ended and not new.positive and new.narrow.keys() - known.narrow.keys() - {"time"}:
        return Comparison("unclear", "opposed")  # "no coffee in the evening" says little of coffee
    if new.positive:
        return Comparison("reversal", "so_again", (said,))
    if not known.state and not new.ended:
        return Comparison("unclear", "opposed")
    return Comparison("reversal", "no_longer" if new.ended else "not_so", (said,))


def _same_value(new: Claim, known: Claim) -> Comparison:
    """Same attribute, same value: the same, unless what narrows them differs."""
    differing = [name for name in {*new.narrow, *known.narrow} if not _narrows_alike(new, known, name)]
    if new.one and known.one and known.value is not None and known.value.kind == new.relation:
        differing = [name for name in differing if name != "time"]  # "moved to Basel in 2014", "in Basel since 2014"
    if not differing:
        return Comparison("same", "said_again") if new.state == known.state else _UNRELATED
    both = [name for name in differing if name in new.narrow and name in known.narrow]
    if not both:
        # The one that says less says nothing new.
        if not any(name in new.narrow for name in differing) and new.state == known.state:
            return Comparison("same", "said_again")
        return _UNRELATED
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
    return _UNRELATED


def _replaced(new: Claim, known: Claim) -> Comparison | None:
    """Look for "the Skoda" of "sold the Skoda and bought a Kia" in what is known, in whatever relation."""
    former = new.replaces
    if former is None or not known.positive or not known.state or not _owns(new.topic, known.topic):
        return None
    places = [value for value in (known.value, *known.narrow.values()) if value is not None]
    if not same_topic(new.topic, known.topic):  # who moves away from Ghent ends no tournament of their son's there
        places = [value for value in places if value is known.value and value.head in former.tokens]
    held = next((v for v in places if contains(v.tokens, former.tokens) or contains(former.tokens, v.tokens)), None)
    if held is None and known.one and known.relation in new.ends:
        held = known.value
    if held is None or (new.value is not None and new.value.like(held) == "same"):
        return None
    return Comparison("update", "replaced", (new.relation, _said(new), former.said))


def _ended(new: Claim, known: Claim) -> Comparison:
    """Compare with "gave up the cello", "quit smoking", "sold the car": whatever the thing named was to them."""
    if not known.positive or not known.state or new.value is None or not _owns(new.topic, known.topic):
        return _UNRELATED
    if known.modality == "wish" and known.value is not None and known.value.tokens != new.value.tokens:
        return _UNRELATED  # who quit a job looks for jobs all the more
    if new.within and known.relation not in new.within and not known.relation.startswith("stage "):
        return _UNRELATED  # who finished a book may love it as before
    theirs = known.topic[len(new.topic) :]
    if theirs:
        # "sold my motorbike" ends what is said of "my motorbike"
        ends = contains(new.value.tokens, theirs[0].tokens)
        ends = ends or (known.relation == new.value.head and bool(theirs[0].names) and theirs[0].names <= new.event)
        return Comparison("reversal", "no_longer", (new.value.said,)) if ends else _UNRELATED
    own = [known.value, *known.narrow.values()]
    others = _OWNED.search(new.value.said) and new.event.isdisjoint(known.tokens())
    if others or _with_another(new, new.value.tokens, own):
        return _UNRELATED  # "Ana's wedding" is not the speaker's own
    # "my appointment was cancelled" ends the day of it
    relation = set(known.relation.split())  # none of "down to 31 milkers"
    about = (known.one or known.named) and bool(relation) and relation <= new.value.tokens
    named = about or any(value is not None and contains(value.tokens, new.value.tokens) for value in own)
    named = named or contains(known.tokens() | _numbers(known), new.value.tokens)
    done = known.verb is not None and known.value is None and contains(new.value.tokens, known.verb.tokens)
    doing = (
        known.verb is not None and known.value is not None
        and new.value.tokens == known.verb.tokens | known.value.tokens
    )  # fmt: skip
    # "my rowing club subscription", "my job at Philips": the thing and its name together.
    wider = known.value is not None and known.value.names and contains(new.value.tokens, known.value.tokens)
    if new.ends:  # "my job at Philips" is neither a home nor a taste that names Philips
        wider = _had_by(new, known)
    if not (named or done or doing or wider):
        # Who stopped smoking smokes no pipe; who stopped drinking may well drink coffee.
        same = known.verb is not None and new.value.tokens == known.verb.tokens
        meant = lexicon_of(new.language).alone.get(new.value.head, frozenset())
        whole = known.measured or not meant or (known.value is not None and not known.value.tokens.isdisjoint(meant))
        if not (same and whole):
            return Comparison("unclear", "opposed") if same else _UNRELATED
    return Comparison("reversal", "no_longer", (_said(known) or new.value.said,))


def _had_by(event: Claim, known: Claim) -> bool:
    """Whether a known claim is what somebody has by an event: "going to Peru in July" by "the Peru trip".

    An event that is not told apart by a word of its own is of every attribute, and of what is planned for some day.
    """
    if known.relation not in event.ends:
        return False
    thing = event.value.tokens if event.any_relation and event.value is not None else {*event.relation.split()}
    events = lexicon_of(event.language).holds
    other = known.value is not None and known.value.head in events and known.value.head not in thing
    own = event.event & (known.tokens() | _numbers(known) | {token for one in known.topic for token in one.tokens})
    # An appointment is no scan.
    return bool(own) or known.relation == "role" or (not event.event and not other and (known.one or known.dated))


def _moved(new: Claim, known: Claim) -> Comparison:
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
        not (of_it or _owns(mover.topic, other.topic) or same_topic(mover.topic, other.topic))
        or not _same_mode(new, known)
        or not (new.positive and known.positive)
    ):
        return _UNRELATED
    own = (*other.topic[1:], other.value, *other.narrow.values())
    if not other.state or _with_another(mover, frozenset(mover.relation.split()), own):
        return _UNRELATED  # "bought ten cows" is no count of them
    price = mover.by is not None and other.relation == mover.relation and len(other.topic) > 1
    if price and mover.by is not None and not contains(other.topic[1].tokens, mover.by.tokens):
        return _UNRELATED  # the fee of the choir that raised it, and of no other
    about = {part.tokens for part in other.topic[1:]} | {frozenset(other.relation.split())}
    about |= {other.value.tokens} if other.value is not None else set()
    thing = frozenset(mover.relation.split())
    whole = any(_names_thing(thing, each, mover.language) for each in about) or _had_by(mover, other)
    if not whole and not any(contains(each.tokens, thing) for name, each in other.narrow.items() if name != "time"):
        return _UNRELATED
    if mover.value is None:  # "doubled my dose"
        numbers = [value for value in (other.value, *other.narrow.values()) if value is not None and value.numbers]
        counted = [value for value in numbers if value.kind == "number"]
        if mover is known or not whole or not counted:
            return _UNRELATED
        return Comparison("update", "moved", (mover.relation, mover.verb.said if mover.verb else "", counted[-1].said))
    given = [mover.value]
    held = [value for value in (other.value, *other.narrow.values()) if value is not None]
    pairs = [(a, b) if mover is new else (b, a) for a in given for b in held if _of_one_kind(a, b, mover.relation)]
    found = _moved_to(mover, *pairs[0]) if pairs else _UNRELATED
    # "I play the concertina in a session on Wednesdays": the session has moved, the concertina is played as before
    numbered = mover.value.kind == "number"
    return found if whole or numbered or found.outcome != "update" else Comparison("unclear", "part")


def _with_another(change: Claim, thing: frozenset[str], held: Iterable[Value | None]) -> bool:
    """Whether a known appointment is with somebody else than who called it off: "the dentist canceled my appointment"."""
    people, links = people_of(change.language), lexicon_of(change.language).beside
    for value in held if change.by is not None else ():
        if value is not None and change.by is not None and contains(value.tokens, thing) and value.tokens != thing:
            said = set(words(value.said))
            return value.tokens.isdisjoint(change.by.tokens) and not said.isdisjoint(people | links)
    return False


def _moved_to(new: Claim, value: Value, old: Value) -> Comparison:
    if value.like(old) == "same":
        return Comparison("same", "said_again")
    return Comparison("update", "moved", (new.relation, value.said, old.said))


def _instructions(new: Statement, known: Statement) -> Comparison:
    """How the assistant is to answer: the same only in the same words of content; opposed only when one is negated."""
    if new.modality != known.modality:
        return _UNRELATED
    mine, theirs = claim_of(new), claim_of(known)
    if mine.relation != theirs.relation:
        return _UNRELATED
    likeness = "same" if mine.value is None and theirs.value is None else "other"
    if mine.value is not None and theirs.value is not None:
        likeness = mine.value.like(theirs.value)
    if likeness != "same" or any(not _narrows_alike(mine, theirs, name) for name in {*mine.narrow, *theirs.narrow}):
        return _UNRELATED
    return (
        Comparison("same", "said_again")
        if mine.positive == theirs.positive
        else Comparison("reversal", "not_so", (new.object,))
    )


def _update(new: Claim, known: Claim) -> Comparison:
    return Comparison("update", "new_value", (new.relation, _said(new), _said(known)))


def same_topic(left: tuple[Value, ...], right: tuple[Value, ...]) -> bool:
    """Whether two topics are one: owner by owner; "sister Ada" is "sister" and "Ada", but no "sister Bea"."""
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


def _owns(owner: tuple[Value, ...], topic: tuple[Value, ...]) -> bool:
    """Whether a topic is the owner, or something of theirs."""
    return bool(owner) and len(topic) >= len(owner) and all(map(_one_person, owner, topic))


def _covers(owner: tuple[Value, ...], topic: tuple[Value, ...]) -> bool:
    """Whether a topic is somebody, or something of theirs."""
    if len(topic) < len(owner):
        # "Ilse" of "my grandmother Ilse".
        return len(topic) == 1 and bool(topic[0].names) and topic[0].names <= owner[-1].names
    return all(map(_one_person, owner, topic))


def _same_mode(new: Claim, known: Claim) -> bool:
    return new.modality == known.modality or {new.modality, known.modality} == {"fact", "plan"}


def _compatible(new: Claim, known: Claim) -> bool:
    """Whether nothing that both are narrowed by differs."""
    return all(new.narrow[name].like(known.narrow[name]) != "other" for name in {*new.narrow} & {*known.narrow})


def _narrow_alike(new: Claim, known: Claim) -> bool:
    return all(_narrows_alike(new, known, name) for name in new.narrow.keys() - {"time"})


def _narrows_alike(new: Claim, known: Claim, name: str) -> bool:
    mine, theirs = new.narrow.get(name), known.narrow.get(name)
    return mine is not None and theirs is not None and mine.like(theirs) == "same"


def _names_thing(mover: frozenset[str], other: frozenset[str], language: str) -> bool:
    """Whether "the appointment" is "my dentist appointment"."""
    served = mover ^ other == {"provid"} and not lexicon_of(language).devices.isdisjoint(
        mover
    )  # a phone is not its plan
    return bool(mover & other) and (mover <= other or other <= mover) and not served


def _said(claim: Claim) -> str:
    return claim.value.said if claim.value is not None else claim.relation
