"""Replacements that no field proves, decided by probability: with the real parser and embedder."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from memdesk.domain.models import FactStatus
from memdesk.services.recalling.index.batches import Batches
from tests.helpers.distill_desk import by_rules
from tests.helpers.parser import parser
from tests.helpers.recall_desk import WordEmbedder

pytestmark = pytest.mark.model


@pytest.fixture
def desk(tmp_path):
    with by_rules(tmp_path, analyzer=parser()) as desk:
        yield desk


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I have a phone contract with O2.", "We've left O2 and I'm with Giffgaff now."),
        ("My gym costs 35 a month.", "The gym is 42 a month now."),
        ("I see Dr Patel about my knee.", "Dr Patel retired."),
        ("I have an iPhone 12.", "I switched phones, now I use a Fairphone."),
        ("I'm training for the Berlin marathon.", "I won't be running the Berlin marathon after all."),
    ],
)
def test_what_is_likely_over_counts_no_more(desk, first, then):
    desk.told("c", first)
    known = set(desk.fact_texts())
    desk.clock.move(days=20)
    desk.told("d", then)
    assert known
    assert not known & set(desk.fact_texts())
    ended = [fact for fact in desk.every_fact() if fact.content in known]
    assert {fact.status for fact in ended} == {FactStatus.SUPERSEDED}
    assert all(fact.reason for fact in ended)


def test_what_is_said_again_is_not_over_by_what_stands_beside_it(desk):
    desk.told("c", "My brother lives in Galway.")
    desk.clock.move(days=20)
    desk.told("d", "My brother still lives in Galway, he just painted his house.")
    assert desk.fact_texts() == ["The user's brother just painted his house.", "The user's brother lives in Galway."]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I love quokkas.", "I love narwhals."),
        ("My sister's birthday is on 4 May.", "My brother's birthday is on 4 May."),
        ("I play the cello on Mondays.", "I play the piano on Mondays."),
        ("My neighbor Hilde feeds our hens when I'm away.", "We have five hens."),
        ("I prefer paperbacks to e-books.", "My daughter reads e-books."),
        # A taste beside where somebody lives or works.
        ("I moved to Japan.", "I love Japan."),
        ("I hate Leeds.", "I moved to Leeds."),
        # Words in common, another deed.
        ("I play chess with Bruno on Fridays.", "Bruno gave me a chess clock for Fridays."),
        ("Ana sells flowers in Lugo.", "Ana gave me flowers from Lugo."),
        ("My sister works at the aquarium.", "My sister took us round the aquarium."),
    ],
)
def test_what_is_only_similar_stays(desk, first, then):
    desk.told("c", first)
    known = desk.fact_texts()
    desk.clock.move(days=20)
    desk.told("d", then)
    assert set(known) < set(desk.fact_texts())


def test_what_is_known_is_compared_by_the_vectors_it_has(tmp_path):
    embedder, embedded = WordEmbedder(), []
    embedder.embed = lambda texts, **more: embedded.extend(texts) or WordEmbedder.embed(embedder, texts, **more)
    with by_rules(tmp_path, analyzer=parser(), embedder=lambda: embedder) as desk:
        desk.told("c", "I have a phone contract with O2.")
        known = desk.fact_texts()
        Batches(desk.store, SimpleNamespace(known=lambda *_: None)).embed(embedder, "item", None)
        embedded.clear()
        desk.clock.move(days=20)
        desk.told("d", "My gym costs 35 a month.")
    assert known
    assert embedded
    assert not set(known) & set(embedded)
