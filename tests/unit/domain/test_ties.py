"""Who and what a statement names, and what joins them, comes from its fields; nothing is guessed."""

from __future__ import annotations

import pytest

from memdesk.domain.comparing.ties import named_in, tie_of
from memdesk.domain.items.statement import Statement


def said(subject, predicate, object_="", **fields):
    return Statement(subject=subject, predicate=predicate, object=object_, **fields)


@pytest.mark.parametrize(
    ("statement", "tie"),
    [
        (said("Alice", "work at", "Google"), (("Alice", "person"), "works_at", ("Google", "organisation"))),
        (said("Rui", "be", "Ada's husband"), (("Rui", "person"), "husband_of", ("Ada", "person"))),
        (said("user's sister Bea", "live in", "Porto"), (("Bea", "person"), "lives_in", ("Porto", "place"))),
    ],
)
def test_two_named_ones_are_joined(statement, tie):
    found = tie_of(statement)
    assert found is not None
    assert ((found.subject.name, found.subject.sort), found.predicate, (found.object.name, found.object.sort)) == tie


@pytest.mark.parametrize(
    "statement",
    [
        said("user", "work at", "Google"),
        said("Alice", "work at", "Google", ended=True, holds=False),
        said("Alice", "work at", "Google", modality="wish"),
        said("Nimbus", "be", "great"),
        said("user", "love", "Porto"),
    ],
)
def test_nothing_is_joined_where_it_is_not_said(statement):
    assert tie_of(statement) is None


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        (said("user's boss Helena", "like", "tea"), {("Helena", "person")}),
        (said("user's dog", "be called", "Waffle"), {("Waffle", "pet")}),
        (said("user", "work at", "Acme Corp"), {("Acme Corp", "organisation")}),
        (said("user", "like", "Waffle"), set()),
    ],
)
def test_names_are_of_the_sort_that_the_fields_tell(statement, named):
    assert {(one.name, one.sort) for one in named_in(statement)} == named
