"""Entities and relations of a statement come from its fields; nothing is guessed."""

from __future__ import annotations

import pytest

from memdesk.domain.comparing.ties import bears_out, named_in, names_of, ties_of
from memdesk.domain.items.statement import Qualifiers, Statement


def said(subject, predicate, object_="", **fields):
    return Statement(subject=subject, predicate=predicate, object=object_, **fields)


@pytest.mark.parametrize(
    ("statement", "ties"),
    [
        (said("Alice", "work at", "Google"), {"Alice works_at Google"}),
        (said("Alice", "teach at", "Lund University"), {"Alice works_at Lund University"}),
        (said("Rui", "be", "Ada's husband"), {"Rui married_to Ada"}),
        (said("Ada's husband", "be called", "Rui"), {"Rui married_to Ada"}),
        (said("Paul", "be", "father of Emmy"), {"Paul parent_of Emmy"}),
        (said("Selma", "have", "two kids, Sami and Lina"), {"Selma parent_of Sami", "Selma parent_of Lina"}),
        (said("user's sister Bea", "live in", "Porto"), {"Bea sibling_of user", "Bea lives_in Porto"}),
        (
            said("user's daughter Fay", "go to", "Oak Lane School"),
            {"user parent_of Fay", "Fay studies_at Oak Lane School"},
        ),
        (said("user", "work at", "Google"), {"user works_at Google"}),
        (said("user's wife", "be called", "Ines"), {"Ines married_to user"}),
        (said("user's ex-wife Dana", "live in", "Cork"), {"Dana ex-wife_of user", "Dana lives_in Cork"}),
        (said("user", "be engaged to", "Tess"), {"user engaged_to Tess"}),
        (said("user", "date", "Malik"), {"user partner_of Malik"}),
        (said("Nora", "get married", tense="past", qualifiers=Qualifiers(company="Ivo")), {"Nora married_to Ivo"}),
        (said("user's colleague Omar", "be from", "Oran"), {"Omar colleague_of user", "Omar comes_from Oran"}),
        (said("Helix", "be founded by", "Rui", tense="past"), {"Rui founded Helix"}),
        (said("Nadia", "start", "company, Fernleaf", tense="past"), {"Nadia founded Fernleaf"}),
        (said("Rui", "be", "owner of Harbor Books"), {"Rui owns Harbor Books"}),
        (said("user", "run", "Café Luna"), {"user leads Café Luna"}),
        (said("Omar", "manage", "sales team at Bosch"), {"Omar works_at Bosch"}),
    ],
)
def test_those_who_are_named_are_joined(statement, ties):
    assert {f"{tie.subject.name} {tie.predicate} {tie.object.name}" for tie in ties_of(statement)} == ties


@pytest.mark.parametrize(
    "statement",
    [
        said("Alice", "work at", "Google", ended=True, holds=False),
        said("Alice", "work at", "Google", modality="wish"),
        said("user", "join", "Greenpeace"),
        said("user's sister", "work at", "Google"),
        said("Nimbus", "be", "great"),
        said("user", "love", "Porto"),
        said("Ada", "own", "Helix", tense="past"),
        said("Ada", "own", "Kia", quote="Ada owns a Kia"),
        said("Ada", "run", "Linux"),
        said("Ada", "start", "Duolingo", tense="past"),
        said("Ada", "be", "president of France"),
    ],
)
def test_nothing_is_joined_where_it_is_not_said(statement):
    assert ties_of(statement) == ()


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        (said("user's boss Helena", "like", "tea"), {("Helena", "person")}),
        (said("user's dog", "be called", "Waffle"), {("Waffle", "pet")}),
        (said("user", "work at", "Acme Corp"), {("Acme Corp", "organisation")}),
        (said("user", "like", "Waffle"), set()),
        (said("user", "work with", "Karim"), set()),
        (said("Tom", "work at", "Acme in Hamburg"), {("Tom", "person"), ("Acme", "organisation")}),
        (
            said("Ruth", "work as", "nurse at the Royal Infirmary"),
            {("Ruth", "person"), ("Royal Infirmary", "organisation")},
        ),
    ],
)
def test_names_are_of_the_sort_that_the_fields_tell(statement, named):
    assert {(one.name, one.sort) for one in named_in(statement)} == named


def test_a_recognizers_guess_counts_where_the_name_stands_as_one_of_its_sort_would():
    climbs = said("user", "go", "climbing", qualifiers=Qualifiers(company="Klara", place="Aurora"))
    assert names_of(climbs) == {"Klara", "Aurora"}
    assert bears_out("Klara", "person", climbs)
    assert bears_out("Aurora", "place", climbs)
    assert not bears_out("Klara", "place", climbs)
    assert not bears_out("Aurora", "person", climbs)
    assert not bears_out("Earl Grey", "person", said("user", "drink", "Earl Grey"))
    assert bears_out("Oslo", "place", said("user", "fly to", "Oslo"))


@pytest.mark.parametrize(
    ("subject", "object_", "quote", "language", "names"),
    [
        ("user's Schwägerin", "Henrike", "Henrike ist meine Schwägerin", "de", {"Henrike"}),
        ("user's Schwägerin", "Lehrerin", "Meine Schwägerin ist Lehrerin", "de", set()),
        ("user's Kollege Bartosz", "Anhänger", "Mein Kollege Bartosz hat einen Anhänger", "de", {"Bartosz"}),
        ("user's cousine", "Élodie", "Élodie est ma cousine", "fr", {"Élodie"}),
    ],
)
def test_whom_a_sentence_says_to_be_the_users_is_named(subject, object_, quote, language, names):
    assert names_of(said(subject, "be", object_, quote=quote, language=language)) == names
