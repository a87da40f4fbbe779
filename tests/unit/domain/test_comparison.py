"""Two statements are compared by their fields, whatever words they share."""

from __future__ import annotations

from typing import Any

import pytest

from memdesk.domain.comparing.comparison import compare
from memdesk.domain.comparing.outcomes import REASONS
from memdesk.domain.items.statement import Qualifiers, Statement


def said(subject: str, predicate: str, object_: str = "", **fields: Any) -> Statement:
    narrowed = {name: fields.pop(name) for name in list(fields) if name in Qualifiers.__dataclass_fields__}
    return Statement(subject=subject, predicate=predicate, object=object_, qualifiers=Qualifiers(**narrowed), **fields)


@pytest.mark.parametrize(
    ("new", "known"),
    [
        (said("user", "love", "quokkas"), said("user", "love", "narwhals")),
        (said("user's sister", "be born on", "4 May"), said("user's brother", "be born on", "4 May")),
        (said("user's sister's birthday", "be", "4 May"), said("user's brother's birthday", "be", "4 May")),
        (said("user", "play", "cello", time="on Mondays"), said("user", "play", "piano", time="on Mondays")),
        (said("user", "learn to", "sail", modality="wish"), said("user", "learn to", "weld", modality="wish")),
        (said("user", "go", "swimming", company="Ines"), said("user", "go", "swimming", company="Noor")),
        (said("user", "have", "cats", amount="2"), said("user", "have", "bicycles", amount="3")),
        (said("user's uncle Piet", "live in", "Turin"), said("user's aunt Rosa", "live in", "Turin")),
        (said("user's sister Ada", "live in", "Turin"), said("user's sister Bea", "live in", "Turin")),
        (said("user's sister", "be", "Ada"), said("user's sister", "be", "Bea")),
        (said("user's wife", "be", "notary"), said("user's wife", "be", "left-handed")),
        (said("user", "live in", "Oslo", tense="past"), said("user", "live in", "Prague")),
        (said("user", "run", "marathon", place="Berlin", tense="past"), said("user", "run", "marathon", place="Oslo", tense="past")),
        (said("user's favorite color", "be", "teal"), said("user's favorite composer", "be", "Ravel")),
        (said("\u00a5", "be", "correct"), said("\u00a5", "be in", "Kyoto")),
        (said("user's shoe size", "be", "43"), said("user's hat size", "be", "58")),
        (said("Rui", "be", "Ada's husband"), said("Nils", "be", "Vera's husband")),
        (said("user", "weigh", "72 kg"), said("user", "be", "178 cm tall")),
        (said("user", "eat", "pork", ended=True), said("user", "eat", "beef", ended=True)),
        (said("user", "speak", "Finnish", attribute="language"), said("user", "speak", "Turkish", attribute="language")),
        (said("user", "be allergic to", "latex", attribute="allergy"), said("user", "be allergic to", "nuts", attribute="allergy")),
        (said("user", "say", "I'm after a new kiln now"), said("user", "say", "I've had Pixel since May")),
        (said("user", "say", "Have you heard of Trello's new board"), said("user", "say", "Lisbon, maybe Porto")),
        (said("user", "think", "I'll finish Severance", modality="plan", manner="for now"), said("user", "think", "I'll start with Avenue Q")),
        (said("user", "guess", "I'll take the Fuji camera now", modality="plan"), said("user", "guess", "I'll book the Ibis", modality="plan")),
        (said("user", "hope", "I can see Bergen now"), said("user", "hope", "I'm off to Oslo")),
    ],
)  # fmt: skip
def test_two_of_one_pattern_are_two(new: Statement, known: Statement) -> None:
    assert compare(new, known).outcome == "unrelated"
    assert compare(known, new).outcome == "unrelated"


@pytest.mark.parametrize(
    ("new", "known"),
    [
        (said("user", "live in", "Utrecht"), said("user", "reside in", "Utrecht", attribute="home")),
        (said("user", "love", "hedgehogs"), said("user", "enjoy", "hedgehog")),
        (said("user", "hate", "cilantro"), said("user", "stand", "cilantro", holds=False)),
        (said("user", "have", "two cats"), said("user", "have", "2 cats")),
        (said("user's dog", "be called", "Waffle"), said("user's dog's name", "be", "Waffle")),
        (said("user's boss", "be", "Helena"), said("user's manager", "be", "Helena")),
        (said("user's mom", "work as", "librarian"), said("user's mother", "be", "librarian")),
        (said("user", "be allergic to", "peanuts"), said("user", "have", "peanut allergy")),
        (said("user", "be", "34 years old"), said("user", "be", "34")),
        (said("user's doctor", "be", "Dr. Okafor"), said("user's doctor", "be", "Okafor")),
        (said("user", "go", "climbing", company="Ines", time="on Tuesdays"), said("user", "go", "climbing", company="Ines", time="Tuesdays")),
        (said("user", "wohnen in", "Graz", language="de"), said("user", "leben in", "Graz", language="de")),
        (said("user's phone number", "be", "+44 20 7946 0958", amount="20"), said("user's phone number", "be", "+442079460958")),
        (said("user's Nummer", "sein", "030/901820-17", language="de"), said("user's Telefonnummer", "sein", "030 90182017", language="de")),
        (said("user's number", "be", "0171", time="555, -018", quote="my number is 0171-555-018"), said("user's number", "be", "0171 555 018")),
        (said("user's website", "be", "https://www.dora.net/"), said("user's website", "be", "dora.net")),
        (said("user's train", "leave at", "6.45 pm"), said("user's train", "leave at", "18:45")),
    ],
)  # fmt: skip
def test_the_same_in_other_words_is_the_same(new: Statement, known: Statement) -> None:
    assert compare(new, known).outcome == "same"
    assert compare(known, new).outcome == "same"


@pytest.mark.parametrize(
    ("new", "known"),
    [
        (said("user", "move to", "Leipzig", tense="past"), said("user", "live in", "Utrecht")),
        (said("user", "join", "Okta", tense="past"), said("user", "work at", "Philips")),
        (said("user's phone number", "end in", "9028"), said("user's phone number", "end in", "4471")),
        (said("user", "buy", "Kia", tense="past", replaces="Skoda"), said("user", "drive", "Skoda")),
        (said("user", "switch to", "Linux", tense="past", replaces="Windows"), said("user's laptop", "run", "Windows")),
        (said("user", "postpone to", "wedding", time="September", tense="past"), said("user's wedding", "be in", "June")),
        (said("user's appointment", "move to", "10 March", tense="past"), said("user", "have", "dentist appointment", time="on 3 March")),
        (said("user's rent", "go up to", "980 euros", tense="past"), said("user's rent", "be", "900 euros")),
        (said("user", "have", "new landlord, Mrs Sato"), said("user's landlord", "be", "Mr Petrov")),
        (said("user", "be", "vegan"), said("user", "be", "vegetarian")),
        (said("user", "turn", "35", tense="past"), said("user", "be", "34")),
        (said("user", "have", "cats", amount="3"), said("user", "have", "cats", amount="2")),
        (said("user's band", "rehearse", time="now on Sundays"), said("user's band", "rehearse", time="on Fridays")),
        (said("user's hair", "be", "red"), said("user's hair", "be", "brown")),
        (said("user's brother", "become", "bus driver", tense="past"), said("user's brother", "work as", "baker")),
        (said("user's Chefin", "sein", "Frau Lang", language="de"), said("user's Chefin", "sein", "Frau Huber", language="de")),
        # What is one thing by all of its characters: the words and digits in both are the same.
        (said("user's email", "be", "kim@new.org"), said("user's email", "be", "kim@old.org", amount="kim@old.org")),
        (said("user's blog", "be at", "https://fig.net/kim"), said("user's blog", "be at", "https://fig.net/kim/posts")),
        (said("user's phone number", "be", "555 010 2233 44"), said("user's phone number", "be", "555 44 010 2233")),
        (said("user's alarm", "be at", "7:10"), said("user's alarm", "be at", "10:07")),
        (said("user's Python", "be", "3.12"), said("user's Python", "be", "3.1.2")),
        (said("user's dose", "be", "1.5 mg"), said("user's dose", "be", "5.1 mg")),
    ],
)  # fmt: skip
def test_another_value_of_what_has_one_at_a_time_is_an_update(new: Statement, known: Statement) -> None:
    assert compare(new, known).outcome == "update"


@pytest.mark.parametrize(
    ("new", "known"),
    [
        (said("user", "smoke", ended=True), said("user", "smoke")),
        (said("user", "quit", "smoking", ended=True), said("user", "smoke")),
        (said("user", "give up", "cello", ended=True), said("user", "play", "cello")),
        (said("user", "be", "nurse", ended=True), said("user", "be", "pediatric nurse")),
        (said("user", "live in", "Utrecht", ended=True), said("user", "live in", "Utrecht")),
        (said("user", "hate", "olives"), said("user", "like", "olives")),
        (said("user", "swim"), said("user", "swim", holds=False)),
        (said("user", "sell", "motorbike", ended=True, tense="past"), said("user", "own", "motorbike")),
        (said("Alice", "leave", "Google", ended=True, tense="past"), said("Alice", "work at", "Google")),
        (said("user's grandmother Ilse", "pass away", tense="past"), said("user's grandmother Ilse", "live in", "Kiel")),
        (said("user", "be allergic to", "nuts", holds=False), said("user", "be allergic to", "nuts")),
    ],
)  # fmt: skip
def test_what_is_not_so_or_has_stopped_reverses_what_was_known(new: Statement, known: Statement) -> None:
    assert compare(new, known).outcome == "reversal"


def test_an_ending_without_what_ends_ends_nothing() -> None:
    """ "My ex is done with me": "us" and "use" have one stem."""
    assert compare(said("user", "be done with", "me"), said("user", "use", "wheelchair")).outcome == "unrelated"
    assert compare(said("user", "be done with", "chess"), said("user", "play", "chess")).outcome == "reversal"


def test_an_ending_ends_nothing_of_somebody_else() -> None:
    assert compare(said("user's brother", "quit", "smoking", ended=True), said("user", "smoke")).outcome == "unrelated"
    assert (
        compare(said("Tom", "leave", "Google", ended=True), said("Alice", "work at", "Google")).outcome == "unrelated"
    )


def test_a_reason_names_both_values_and_what_is_stored_of_it_neither():
    found = compare(said("user", "live in", "Porto"), said("user", "live in", "Oslo"))
    assert found.args == ("home", "Porto", "Oslo")
    assert found.in_words() == REASONS["new_value"]
    assert not {"Porto", "Oslo"} & set(found.in_words().split())


@pytest.mark.parametrize(
    ("new", "known"),
    [
        (
            said("user", "raise", "sertraline", place="to 100mg", time="yesterday", tense="past"),
            said("user", "be on", "50mg of sertraline", attribute="medication", amount="50mg"),
        ),
        (
            said("user", "be down to", "10 mg of lisinopril", amount="10 mg", quote="I'm down to 10 mg now"),
            said("user", "take", "20 mg of lisinopril", amount="20 mg", manner="every morning"),
        ),
        (
            said("choir practice", "be on", "Tuesdays", quote="choir practice is on Tuesdays now"),
            said("user", "have", "choir practice", time="on Mondays"),
        ),
    ],
)
def test_a_dose_and_a_day_are_moved_however_they_were_told(new: Statement, known: Statement) -> None:
    assert compare(new, known).outcome == "update"


def test_what_is_done_at_an_event_that_moves_is_done_as_before() -> None:
    known = said("user", "play", "concertina", time="every Wednesday", place="in a session, at the Crane")
    moved = said("session", "move at", "Crane Bar", time="to Thursdays", quote="the session has moved now")
    assert compare(moved, known).code == "part"
    wedding = said("wedding", "be moved to", "September", tense="past")
    assert compare(wedding, known).outcome == "unrelated"
    assert compare(said("user", "be down to", "80 kg"), said("user", "weigh", "85 kg")).outcome == "update"
