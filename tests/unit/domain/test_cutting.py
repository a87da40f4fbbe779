"""Pairs in languages without a parser: split by function words, compared by fields."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from memdesk.domain.comparing.comparison import compare
from memdesk.domain.comparing.lexicon import lexicon_of, verb_key
from memdesk.domain.language.data import language_data
from memdesk.domain.reading.candidates import SourceTurn
from memdesk.domain.reading.extractor import ASSISTANT, extract
from memdesk.domain.reading.plainly import PlainReader

SETS = Path(__file__).parents[2] / "data" / "comparing"
PAIRS = [
    line.split(" | ")
    for name in ("languages", "languages_chats")
    for line in (SETS / f"{name}.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
CHANGES = {"update", "reversal"}


def outcome(language, first, second):
    """Return what the statements of one chat do to those of an earlier one."""
    old, new = (
        [c.statement for c in extract([said_on(date(2026, 3, day), text)], spoken=language).candidates if c.lasts]
        for day, text in ((1, first), (2, second))
    )
    found = {compare(later, earlier).outcome for later in new for earlier in old}
    return next((one for one in ("update", "reversal", "same") if one in found), "unrelated")


def said_on(day, text):
    return SourceTurn(id="1", speaker="the user", listener=ASSISTANT, text=text, day=day, provenance="user", own=True)


def right(language, wanted, first, second):
    found = outcome(language, first, second)
    return (
        found in CHANGES
        if wanted in CHANGES
        else found == "same"
        if wanted == "same"
        else found not in {*CHANGES, "same"}
    )


@pytest.mark.parametrize("language", ["de", "fr", "es", "it", "nl"])
def test_pairs_are_compared_by_what_they_say(language):
    """Of pairs written before the code: no two different facts are taken for one, and at least nine of ten are right."""
    own = [pair for pair in PAIRS if pair[0] == language]
    wrong = [pair for pair in own if not right(*pair)]
    assert len(wrong) <= len(own) / 10, wrong
    assert not [pair for pair in wrong if pair[1] == "keep"]


@pytest.mark.parametrize(
    ("language", "said", "fields"),
    [
        ("fr", "J'ai déménagé à Lille.", ("user", "déménager à", "Lille")),
        ("fr", "Je ne mange pas de viande.", ("user", "manger", "viande")),
        ("es", "Mi hermana se ha mudado a Vigo.", ("user's hermana", "mudar a", "Vigo")),
        ("it", "Ho smesso di fumare.", ("user", "smettere di", "fumare")),
        ("nl", "Ik ben gestopt met roken.", ("user", "stoppen met", "roken")),
        ("de", "Mit dem Rauchen habe ich aufgehört.", ("user", "aufhören mit", "Rauchen")),
        ("de", "Ich bin mit Anna verheiratet.", ("user", "verheiratet sein mit", "Anna")),
        ("de", "Ich habe den Vertrag gekündigt.", ("user", "kündigen", "Vertrag")),
        ("de", "Ich habe in Ulm studiert.", ("user", "studieren in", "Ulm")),
        ("de", "Ich habe aufgehört, Bratsche zu spielen.", ("user", "aufhören", "Bratsche")),
        (
            "de",
            "Ich habe versprochen, Bratsche zu spielen.",
            ("user", "say", "Ich habe versprochen, Bratsche zu spielen"),
        ),
        ("nl", "Ik ben gestopt met altviool spelen.", ("user", "stoppen met", "altviool spelen")),
        ("nl", "Ik heb een baan in Zwolle gevonden.", ("user", "vinden", "baan")),
        ("nl", "Mijn blog is https://moss.example/a.b.", ("user's blog", "zijn", "https://moss.example/a.b")),
        ("es", "Tengo una nueva jefa, Marta.", ("user", "tener", "nueva jefa, Marta")),
        # a clause that goes on in another is left whole, and so is what names nobody
        ("es", "Tengo una nueva jefa, pero no la veo.", ("user", "say", "Tengo una nueva jefa, pero no la veo")),
        ("fr", "J'ai un nouveau chien, Rex, et un chat.", ("user", "say", "J'ai un nouveau chien, Rex, et un chat")),
        ("fr", "J'habite à Lille, où il pleut.", ("user", "say", "J'habite à Lille, où il pleut")),
    ],
)
def test_a_clause_is_cut_into_its_fields(language, said, fields):
    made, _ = PlainReader(language).statement(said, date(2026, 3, 1))
    assert (made.subject, made.predicate, made.object) == fields


@pytest.mark.parametrize("language", ["fr", "es", "it", "nl"])
def test_verbs_that_are_compared_are_read(language):
    """Each verb that ends, finds or looks for something has forms by which it is known; those of German follow rules."""
    lexicon = lexicon_of(language)
    read = {verb_key(verb) for verb in language_data(language).names("lemmas")}
    verbs = lexicon.endings | lexicon.aims | lexicon.gains | lexicon.finds | lexicon.changes | lexicon.has
    assert {verb for verb in verbs if verb.split(" ")[0] not in read} == set()


@pytest.mark.parametrize("language", ["de", "fr", "es", "it", "nl"])
def test_forms_of_the_past_are_forms_of_known_verbs(language):
    data = language_data(language)
    assert data.words("cut", "past") <= data.forms("lemmas").keys()
