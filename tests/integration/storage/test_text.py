"""Full-text search: what it finds, what it must never find, and input that is not a query."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memdesk.domain.models import FactStatus
from memdesk.ports import FactFilter, TextFilter
from memdesk.storage.repositories import embeddings
from memdesk.storage.repositories import text as text_repository
from tests.helpers import rows
from tests.helpers.rows import T0

ANA = TextFilter(agent_id="ana")
TARGETS = ("turn", "episode", "detail", "fact")


@pytest.fixture
def library(store):
    """One row of each kind that says 'heron', for each of two agents."""

    def work(repos):
        for name in ("ana", "ben"):
            turns = [
                rows.turn("We watched a grey heron at the lake", 0, agent_id=name, speaker="Carla"),
                rows.turn("A heron? How lovely", 1, agent_id=name, role="assistant"),
                rows.turn("Let us talk about taxes", 2, agent_id=name),
            ]
            repos.turns.add(turns)
            repos.items.put(
                rows.episode(
                    "They saw a heron",
                    agent_id=name,
                    topics=("birds",),
                    details=(rows.detail("Carla photographed the heron", turn_ids=(turns[0].id,), kind="event"),),
                )
            )
            repos.items.put(
                rows.fact(
                    "Carla loves herons",
                    agent_id=name,
                    kind="preference",
                    tags=("Birds",),
                    sources=(rows.source(turns[0]),),
                )
            )

    store.write(work)
    return store


@pytest.mark.parametrize("target", TARGETS)
def test_each_kind_is_found_for_its_own_agent_only(library, target):
    with library.read() as repos:
        hits = repos.text.search(target, ["heron"], ANA)
        other = repos.text.search(target, ["heron"], TextFilter(agent_id="ben"))
        nobody = repos.text.search(target, ["heron"], TextFilter(agent_id="nobody"))
    assert hits
    assert nobody == []
    assert {h.seq for h in hits}.isdisjoint(h.seq for h in other)
    assert len(hits) == len(other)


def test_words_are_joined_with_or_and_ranked(library):
    with library.read() as repos:
        hits = repos.text.search("turn", ["grey", "heron", "unheard-of"], ANA)
        turns = repos.turns.by_seq([h.seq for h in hits])
    assert [turns[h.seq].content for h in hits] == [
        "We watched a grey heron at the lake",
        "A heron? How lovely",
    ]
    assert hits[0].score > hits[1].score >= 0


@pytest.mark.parametrize("term", ["herons", "HERON", "héron", "grey heron", "May", "carla"])
def test_stems_case_diacritics_phrases_dates_and_speakers_are_found(library, term):
    def date(repos):
        repos.conversations.put(rows.conversation("may"))
        repos.turns.add([rows.turn("nothing else", conversation_id="may", said_at=T0.replace(month=5))])

    library.write(date)
    with library.read() as repos:
        assert repos.text.search("turn", [term], ANA)


@pytest.mark.parametrize(
    ("target", "narrowing"),
    [
        ("turn", {"conversation_id": "c1"}),
        ("turn", {"speaker": "carla"}),
        ("turn", {"until": T0 + timedelta(seconds=30)}),
        ("turn", {"since": T0, "as_of": T0 + timedelta(minutes=5)}),
        ("episode", {"tag": "BIRDS"}),
        ("episode", {"speaker": "Carla", "conversation_id": "c1", "since": T0, "until": T0 + timedelta(days=1)}),
        ("detail", {"kind": "event", "tag": "birds"}),
        ("detail", {"speaker": "Carla", "conversation_id": "c1", "as_of": T0 + timedelta(days=1), "since": T0}),
        ("fact", {"kind": "preference"}),
        ("fact", {"tag": "birds", "conversation_id": "c1", "speaker": "Carla", "as_of": T0}),
        ("fact", {"since": T0, "until": T0 + timedelta(days=1)}),
    ],
)
def test_filters_keep(library, target, narrowing):
    with library.read() as repos:
        assert repos.text.search(target, ["heron"], replace(ANA, **narrowing))


@pytest.mark.parametrize(
    ("target", "narrowing"),
    [
        ("turn", {"conversation_id": "c2"}),
        ("turn", {"speaker": "dora"}),
        ("turn", {"since": T0 + timedelta(hours=1)}),
        ("turn", {"until": T0}),
        ("turn", {"as_of": T0 - timedelta(days=1)}),
        ("episode", {"tag": "taxes"}),
        ("episode", {"speaker": "dora"}),
        ("episode", {"as_of": T0 - timedelta(days=1)}),
        ("detail", {"kind": "identity"}),
        ("detail", {"speaker": "assistant"}),
        ("detail", {"until": T0}),
        ("fact", {"kind": "identity"}),
        ("fact", {"tag": "home"}),
        ("fact", {"speaker": "dora"}),
        ("fact", {"conversation_id": "c2"}),
        ("fact", {"as_of": T0 - timedelta(days=1)}),
    ],
)
def test_filters_leave_out(library, target, narrowing):
    with library.read() as repos:
        assert repos.text.search(target, ["heron"], replace(ANA, **narrowing)) == []


def test_the_role_stands_in_for_a_missing_speaker(library):
    with library.read() as repos:
        hits = repos.text.search("turn", ["heron"], replace(ANA, speaker="Assistant"))
        turns = repos.turns.by_seq([h.seq for h in hits])
    assert [t.role for t in turns.values()] == ["assistant"]


def test_only_live_rows_unless_the_past_is_asked_for(store):
    old = rows.fact(
        "Ana lives in Porto",
        status=FactStatus.SUPERSEDED,
        valid_from=T0 - timedelta(days=90),
        valid_until=T0 - timedelta(days=10),
    )
    hidden = [rows.fact(f"Porto {s}", status=s) for s in ("disabled", "review", "quarantined", "merged", "binned")]
    store.write(lambda repos: repos.items.put_many([old, *hidden]))
    store.write(
        lambda repos: repos.items.put(rows.episode("Porto", status=FactStatus.BINNED, details=(rows.detail("Porto"),)))
    )
    with store.read() as repos:
        for target in ("fact", "episode", "detail"):
            assert repos.text.search(target, ["Porto"], ANA) == []
        then = replace(ANA, as_of=T0 - timedelta(days=30))
        assert [h.seq for h in repos.text.search("fact", ["Porto"], then)] == [repos.items.get(old.id).seq]
        assert repos.text.search("fact", ["Porto"], replace(ANA, as_of=T0)) == []


@pytest.mark.parametrize(
    ("stored", "asked"), [("Wasserstraße", "wasserstrasse"), ("Hauptstrasse", "Hauptstraße"), ("Gießen", "giessen")]
)
def test_a_word_is_found_with_either_spelling_of_its_s(store, stored, asked):
    store.write(lambda repos: repos.items.put(rows.fact(f"Ana lives in {stored}")))
    with store.read() as repos:
        (hit,) = repos.text.search("fact", [asked], ANA)
        assert repos.text.document_frequency("fact", [asked]) == {asked: 1}
        for typed in (asked, asked[:-1], f"ana {asked}"):
            assert [one.seq for one in repos.items.facts(FactFilter(query=typed)).items] == [hit.seq]


@pytest.mark.parametrize("term", ["🎉", "!!!", "→", "会议", "встреча 会"])
def test_what_fts_cannot_index_is_found_with_like(store, term):
    store.write(lambda repos: repos.turns.add([rows.turn(f"so there was{term}indeed"), rows.turn("nothing")]))
    store.write(lambda repos: repos.items.put(rows.fact(f"x{term}x")))
    store.write(lambda repos: repos.items.put(rows.episode(f"x{term}x", details=(rows.detail(f"y{term}y"),))))
    with store.read() as repos:
        for target in ("fact", "episode", "detail"):
            assert len(repos.text.search(target, [term], ANA)) == 1
        (hit,) = repos.text.search("turn", [term], ANA)
        assert hit.score > 0
        assert repos.turns.page(agent_id="ana", query=term).total <= 1


def test_percent_and_underscore_mean_themselves(store):
    store.write(lambda repos: repos.turns.add([rows.turn("100 %"), rows.turn("anything")]))
    with store.read() as repos:
        assert len(repos.text.search("turn", ["%"], ANA)) == 1
        assert repos.text.search("turn", ["_"], ANA) == []


anything = st.text(st.characters(), max_size=60)


@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(terms=st.lists(anything, max_size=8), query=anything)
@example(terms=['"', "NEAR(", "a AND", "*", "col:x", "^", "-", "(", "{a b}", "a\0b", "\ud800"], query='" OR *')
@example(terms=["x" * 10_000, *("word " * 2000).split()], query="(" * 10_000)
@example(terms=["heron' OR 1=1 --", "%", "\\"], query="\\%_")
def test_no_input_is_a_query_or_an_error(library, terms, query):
    with library.read() as repos:
        mine = {t.seq for t in repos.turns.page(agent_id="ana", limit=1000).items}
        for target in TARGETS:
            hits = repos.text.search(target, terms, ANA, limit=5)
            assert len(hits) <= 5
            assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
            if target == "turn":
                assert {h.seq for h in hits} <= mine
            assert set(repos.text.document_frequency(target, terms)) == set(terms)
        repos.turns.page(agent_id="ana", query=query)
        repos.conversations.page(query=query)
        repos.items.episodes(query=query)
        repos.entities.page(query=query)


def test_document_frequency_counts_rows_as_the_index_sees_them(library):
    with library.read() as repos:
        assert repos.text.document_frequency("turn", ["herons", "taxes", "absent", "grey heron", "🎉"]) == {
            "herons": 4,
            "taxes": 2,
            "absent": 0,
            "grey heron": 2,
            "🎉": 0,
        }


def test_document_frequency_and_rows_of_one_agent_know_nothing_of_anothers(library):
    library.write(lambda repos: repos.turns.add([rows.turn("A walrus", n, agent_id="ben") for n in range(3, 9)]))
    with library.read() as repos:
        counts = repos.text.document_frequency("turn", ["herons", "taxes", "walrus"], "ana")
        assert counts == {"herons": 2, "taxes": 1, "walrus": 0}
        assert repos.text.document_frequency("fact", ["herons"], "ana") == {"herons": 3}
        assert (repos.text.rows("turn", "ana"), repos.text.rows("turn", "ben"), repos.text.rows("turn")) == (3, 9, 12)


def test_a_word_that_very_many_rows_contain_is_as_frequent_in_each_agents(library, monkeypatch):
    monkeypatch.setattr(text_repository, "_COUNTED", 3)
    with library.read() as repos:
        assert repos.text.document_frequency("turn", ["herons", "taxes"], "ana") == {"herons": 2, "taxes": 1}


def test_few_of_an_agents_rows_are_found_among_many_of_another(store):
    def work(repos):
        repos.turns.add([rows.turn("heron heron", n, agent_id="ben") for n in range(300)])
        repos.turns.add([rows.turn("a heron was also mentioned here in passing", 0)])

    store.write(work)
    with store.read() as repos:
        assert len(repos.text.search("turn", ["heron"], ANA, limit=5)) == 1


def test_a_large_store_ranks_by_its_rare_words(store, monkeypatch):
    monkeypatch.setattr(text_repository, "MATCH_BUDGET", 20)
    turns = [rows.turn("common words all along", n) for n in range(100)]
    turns[7] = replace(turns[7], content="common words and a heron")
    store.write(lambda repos: repos.turns.add(turns))
    with store.read() as repos:
        (hit,) = repos.text.search("turn", ["common", "heron"], ANA)
        assert repos.turns.by_seq([hit.seq])[hit.seq].id == turns[7].id
        latest = repos.text.search("turn", ["common"], ANA)
        assert len(latest) <= 21
        assert min(h.seq for h in latest) >= 80
        # The second time the counts are remembered.
        assert repos.text.search("turn", ["common", "heron"], ANA) == [hit]


def test_rows_that_hold_a_phrase_letter_by_letter(store):
    fact = rows.fact('said "hi"', tags=("grün",))

    def work(repos):
        repos.items.put(fact)
        repos.history.add([rows.history(fact.id, new={"content": 'said "hi"'})])
        repos.meta.put("note", ["grün"])

    store.write(work)
    with store.read() as repos:
        assert {t for t, _ in repos.text.holding('said "hi"')} == {"items", "history"}
        assert {t for t, _ in repos.text.holding("grün")} == {"items", "meta"}
        assert repos.text.holding("Said") == []
        assert repos.text.holding("") == []


def test_few_items_are_ranked_as_among_all(store, library):
    with store.read() as repos:
        for target in ("episode", "detail"):
            few = repos.embeddings.few(target, "ana")
            found = repos.text.search(target, ["heron"], ANA)
            assert few is not None
            assert found
            assert {hit.seq for hit in found} <= few
            assert repos.text.search(target, ["heron"], ANA, among=few) == found
            assert repos.text.search(target, ["heron"], ANA, among=few - {found[0].seq}) == found[1:]
        assert repos.embeddings.few("fact", "ana") is None
        assert repos.embeddings.few("episode", "nobody") == set()


def test_many_items_are_not_few(store, monkeypatch):
    monkeypatch.setattr(embeddings, "FEW_ITEMS", 2)
    store.write(lambda repos: [repos.items.put(rows.episode(f"Heron {n}", agent_id="ana")) for n in range(3)])
    with store.read() as repos:
        assert repos.embeddings.few("episode", "ana") is None
