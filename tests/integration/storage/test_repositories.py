"""Lists, filters, counters, and what goes when something is deleted."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from memdesk.domain.models import FactStatus, SignalStatus, cursor_at
from memdesk.ports import FactFilter, SalienceRow, TextFilter
from memdesk.storage import paging
from memdesk.storage.errors import ConstraintError, InvalidCursorError
from memdesk.storage.values import dated
from tests.helpers import rows
from tests.helpers.rows import T0


def walk(page, limit):
    """Follow a list to its end; return the items and the totals that its pages told."""
    items, totals, cursor = [], [], None
    while True:
        found = page(limit=limit, cursor=cursor)
        items += found.items
        totals.append(found.total)
        assert len(found.items) <= limit
        cursor = found.next
        if cursor is None:
            return items, totals


# --------------------------------------------------------------------------- pages


@pytest.mark.parametrize("sort", ["updated", "created", "salience", "last_used", "content"])
@pytest.mark.parametrize("descending", [True, False])
def test_pages_of_facts_join_without_gap_or_repeat(store, sort, descending):
    facts = [
        rows.fact(
            f"fact {n % 7}",
            salience=(n % 5) / 5,
            updated_at=T0 + timedelta(minutes=n % 6),
            created_at=T0 + timedelta(minutes=n % 4),
            last_used=None if n % 3 else T0 + timedelta(hours=n % 4),
        )
        for n in range(53)
    ]
    store.write(lambda repos: repos.items.put_many(facts))
    flt = FactFilter(agent_id="ana", sort=sort, descending=descending)
    with store.read() as repos:
        items, totals = walk(lambda **page: repos.items.facts(flt, **page), 10)
        whole = repos.items.facts(flt, limit=1000).items
    assert set(totals) == {53}
    assert [f.id for f in items] == [f.id for f in whole]
    assert {f.id for f in items} == {f.id for f in facts}
    key = {
        "updated": lambda f: f.updated_at,
        "created": lambda f: f.created_at,
        "salience": lambda f: f.salience,
        "last_used": lambda f: f.last_used or T0 - timedelta(days=99999),
        "content": lambda f: f.content,
    }[sort]
    assert [key(f) for f in items] == sorted((key(f) for f in items), reverse=descending)
    with store.read() as repos:
        for position in (0, 1, 20, 26, 43, 48, 52, 53, 60):
            page = repos.items.facts(flt, limit=10, cursor=cursor_at(position))
            assert [f.id for f in page.items] == [f.id for f in whole[position : position + 10]]
            after = repos.items.facts(flt, limit=10, cursor=page.next).items if page.next else []
            assert [f.id for f in after] == [f.id for f in whole[position + 10 : position + 20]]


@pytest.mark.parametrize(
    "narrowed",
    [
        {"status": (FactStatus.ACTIVE,)},
        {"agent_id": "ana", "status": (FactStatus.ACTIVE,), "min_salience": 0.3},
        {"kind": "preference"},
        {"as_of": T0 + timedelta(minutes=30)},
    ],
    ids=["most", "several conditions", "few", "dates that may be missing"],
)
@pytest.mark.parametrize("sort", ["updated", "content"])
def test_a_page_far_down_is_found_without_a_look_at_the_rows_before_it(store, monkeypatch, narrowed, sort):
    monkeypatch.setattr(paging, "SORTED_AT_ONCE", 3)
    facts = [
        rows.fact(
            f"Tale {n * 7 % 53}",
            status="disabled" if n % 9 == 0 else "active",
            kind="preference" if n % 4 == 0 else "other",
            salience=(n % 5) / 5,
            valid_until=None if n % 3 else T0 + timedelta(minutes=n),
            updated_at=T0 + timedelta(minutes=n % 6),
        )
        for n in range(53)
    ]
    store.write(lambda repos: repos.items.put_many(facts))
    flt = FactFilter(sort=sort, **narrowed)
    with store.read() as repos:
        whole = [f.id for f in repos.items.facts(flt, limit=1000).items]
        assert 10 < len(whole) < len(facts)
        for position in range(len(whole)):
            page = repos.items.facts(flt, limit=4, cursor=cursor_at(position))
            assert [f.id for f in page.items] == whole[position : position + 4]
            assert page.total == len(whole)
        conn = repos.items._conn
        far = [sql for sql in conn.distinct if "i.seq IN (SELECT i.seq" in sql]
        values = dict.fromkeys(re.findall(r":(\w+)", " ".join(far)), 1)
        assert far
        for sql in far:
            plan = [row[3] for row in conn.rows(f"EXPLAIN QUERY PLAN {sql}", values)]
            assert f"SCAN items USING COVERING INDEX pinned_by_{sort.removesuffix('d')}" in plan, plan


def test_a_page_stays_put_when_rows_are_added_before_it(store):
    store.write(lambda repos: repos.turns.add([rows.turn(f"t{n}", position=n) for n in range(10)]))
    with store.read() as repos:
        first = repos.turns.page(agent_id="ana", limit=4)
    store.write(lambda repos: repos.turns.add([rows.turn("newest", position=99)]))
    with store.read() as repos:
        second = repos.turns.page(agent_id="ana", limit=4, cursor=first.next)
    assert [t.content for t in first.items + second.items] == [f"t{n}" for n in range(9, 1, -1)]


@pytest.mark.parametrize(
    "cursor", ["!!", "e30", "W10", "bnVsbA", "WyJ4IiwxLDJd", "ÿ", "a" * 5000, "@", "@-1", "@1x", "@²", "@" + "9" * 30]
)
def test_cursors_that_were_not_given_out_are_refused(store, cursor):
    with store.read() as repos, pytest.raises(InvalidCursorError):
        repos.turns.page(agent_id="ana", cursor=cursor)


def test_a_cursor_of_another_order_is_refused(store):
    store.write(lambda repos: repos.items.put_many([rows.fact(f"f{n}") for n in range(3)]))
    with store.read() as repos:
        page = repos.items.facts(FactFilter(sort="content"), limit=1)
        with pytest.raises(InvalidCursorError):
            repos.items.facts(FactFilter(sort="updated"), limit=1, cursor=page.next)


def test_a_limit_of_nothing_counts(store):
    store.write(lambda repos: repos.turns.add([rows.turn("x")]))
    with store.read() as repos:
        page = repos.turns.page(agent_id="ana", limit=0)
    assert (page.items, page.total, page.next) == ([], 1, None)


# --------------------------------------------------------------------------- conversations and turns


def test_conversations_newest_first_with_their_turns_counted(store):
    def work(repos):
        for n in range(3):
            repos.conversations.put(
                rows.conversation(f"n{n}", title=f"Trip {n}", updated_at=T0 + timedelta(days=n), archived=n == 1)
            )
        repos.turns.add([rows.turn("we saw a heron", conversation_id="n0")])

    store.write(work)
    with store.read() as repos:
        page = repos.conversations.page(agent_id="ana")
        assert [c.id for c in page.items][:2] == ["n2", "n1"]
        assert {c.id: c.turn_count for c in page.items}["n0"] == 1
        assert [c.id for c in repos.conversations.page(agent_id="ana", archived=True).items] == ["n1"]
        assert [c.id for c in repos.conversations.page(query="heron").items] == ["n0"]
        assert [c.id for c in repos.conversations.page(query="her").items] == ["n0"]
        assert [c.id for c in repos.conversations.page(query="trip 2").items] == ["n2"]
        assert repos.conversations.page(agent_id="ben", query="heron").items == []
        assert repos.conversations.page(query="%").items == []


def test_the_same_conversation_id_of_two_agents_is_two_conversations(store):
    def work(repos):
        repos.turns.add([rows.turn("ana's", agent_id="ana"), rows.turn("ben's", agent_id="ben")])
        rows.forget_thread(repos, "ana", "c1")

    store.write(work)
    with store.read() as repos:
        assert repos.conversations.get("ana", "c1") is None
        assert [t.content for t in repos.turns.of_conversation("ben", "c1")] == ["ben's"]


def test_turns_in_order_and_the_next_position(store):
    store.write(lambda repos: repos.turns.add([rows.turn("b", 1), rows.turn("a", 0), rows.turn("c", 2)]))
    with store.read() as repos:
        assert [t.content for t in repos.turns.of_conversation("ana", "c1")] == ["a", "b", "c"]
        assert repos.turns.next_position("ana", "c1") == 3
        assert repos.turns.next_position("ana", "nowhere") == 0
        assert repos.turns.count() == repos.turns.count("ana") == 3
        assert repos.turns.count("ben") == 0
        assert [t.content for t in repos.turns.page(agent_id="ana", conversation_id="c1").items] == ["a", "b", "c"]


def test_numbers_of_deleted_turns_are_not_given_again(store):
    turn = rows.turn("x")
    (seq,) = store.write(lambda repos: repos.turns.add([turn]))
    store.write(lambda repos: rows.forget_turns(repos, [turn.id]))
    assert store.write(lambda repos: repos.turns.add([rows.turn("y")])) == [seq + 1]


# --------------------------------------------------------------------------- signals


def test_signals_by_session_and_status(store):
    turns = [rows.turn(f"t{n}", n, agent_id="ben" if n == 0 else "ana") for n in range(4)]
    signals = [rows.signal(t) for t in turns]

    def work(repos):
        repos.turns.add(turns)
        repos.signals.add(signals)

    store.write(work)
    with store.read() as repos:
        assert repos.signals.sessions(SignalStatus.PENDING) == [("ben", "c1", 1), ("ana", "c1", 3)]
        assert [s.id for s in repos.signals.pending("ana", "c1")] == [s.id for s in signals[1:]]
        assert repos.signals.counts() == {"pending": 4, "done": 0, "parked": 0}

    def mark(repos):
        repos.signals.mark([signals[1].id], SignalStatus.DONE)
        repos.signals.mark([signals[2].id], SignalStatus.PARKED, attempts=5, error="no answer", next_try_at=T0)

    store.write(mark)
    with store.read() as repos:
        assert repos.signals.counts() == {"pending": 2, "done": 1, "parked": 1}
        (parked,) = repos.signals.page(status=SignalStatus.PARKED).items
        assert (parked.attempts, parked.last_error, parked.next_try_at) == (5, "no answer", T0)
        assert repos.signals.page(limit=2).total == 4


def test_a_signal_goes_with_its_turn(store):
    turn = rows.turn("x")

    def work(repos):
        repos.turns.add([turn])
        repos.signals.add([rows.signal(turn)])
        rows.forget_turns(repos, [turn.id])

    store.write(work)
    with store.read() as repos:
        assert repos.signals.counts()["pending"] == 0


# --------------------------------------------------------------------------- facts


def test_every_filter_narrows_facts(store):
    turn = rows.turn("I moved to Oslo", agent_id="ana")
    entity = rows.entity("Oslo")
    wanted = rows.fact(
        "Ana lives in Oslo",
        kind="identity",
        tags=("Home", "Café"),
        salience=0.9,
        user_pinned=True,
        created_at=T0,
        valid_from=T0 - timedelta(days=9),
        valid_until=T0 + timedelta(days=9),
        sources=(rows.source(turn),),
    )
    other = rows.fact("Ana likes tea", salience=0.1, created_at=T0 + timedelta(days=30), status=FactStatus.DISABLED)

    def work(repos):
        repos.turns.add([turn])
        repos.entities.put(entity)
        repos.items.put_many([wanted, other, rows.fact("Ben lives in Oslo", agent_id="ben")])
        repos.entities.link(entity.id, "fact", wanted.id)

    store.write(work)
    for narrowing in (
        {"query": "oslo"},
        {"query": "os"},
        {"query": "home"},
        {"status": ("active",)},
        {"status": ("active", "review")},
        {"kind": "identity"},
        {"tag": "home"},
        {"tag": "CAFE"},
        {"user_pinned": True},
        {"min_salience": 0.5},
        {"until": T0 + timedelta(days=1)},
        {"as_of": T0, "until": T0 + timedelta(days=20)},
        {"entity_id": entity.id},
        {"conversation_id": "c1"},
    ):
        with store.read() as repos:
            found = repos.items.facts(FactFilter(agent_id="ana", **narrowing))
        assert [f.id for f in found.items] == [wanted.id], narrowing
        assert found.total == 1
    with store.read() as repos:
        assert repos.items.facts(FactFilter()).total == 3
        assert repos.items.facts(FactFilter(agent_id="ana", as_of=T0 + timedelta(days=10))).total == 0
        assert repos.items.facts(FactFilter(agent_id="ana", since=T0 + timedelta(days=2))).items[0].id == other.id
        assert [f.id for f in repos.items.of_conversation("ana", "c1")] == [wanted.id]
        assert [f.id for f in repos.items.active("ana")] == [wanted.id]
        assert repos.agents.fact_counts() == {"ana": 1, "ben": 1}


def test_putting_back_a_fact_without_sources_keeps_them_and_changes_the_rest(store):
    turn = rows.turn("said")
    fact = rows.fact("old", tags=("a", "b"), sources=(rows.source(turn, "quote"),))

    def work(repos):
        repos.turns.add([turn])
        first = repos.items.put(fact)
        (bare,) = repos.items.active("ana")
        assert bare.sources == ()
        assert repos.items.put(replace(bare, content="new", tags=("b",))) == first

    store.write(work)
    with store.read() as repos:
        stored = repos.items.get(fact.id)
        assert (stored.content, stored.tags, stored.sources) == ("new", ("b",), fact.sources)
        assert repos.items.facts(FactFilter(tag="a")).total == 0
        assert repos.items.facts(FactFilter(query="old")).total == 0
        assert repos.items.many([fact.id, "gone"]) == [stored]
    store.write(lambda repos: repos.items.change(replace(stored, sources=()), ["sources"]))
    with store.read() as repos:
        assert repos.items.get(fact.id).sources == ()


def test_use_and_ageing_touch_nothing_else(store):
    fact, other = rows.fact("used", salience=0.8), rows.fact("unused")
    store.write(lambda repos: repos.items.put_many([fact, other]))

    def work(repos):
        repos.items.touch([fact.id], T0 + timedelta(days=1))
        written = repos.items.set_salience(
            [
                SalienceRow(fact.id, 0.4, T0, expected=0.8),
                SalienceRow(other.id, 0.1, T0, expected=0.123),
                SalienceRow("gone", 0.1, T0),
            ]
        )
        assert written == 1

    store.write(work)
    with store.read() as repos:
        assert replace(repos.items.get(fact.id), seq=0) == replace(
            fact, use_count=1, last_used=T0 + timedelta(days=1), salience=0.4, decayed_at=T0
        )
        assert replace(repos.items.get(other.id), seq=0) == other
    store.write(
        lambda repos: repos.items.set_salience([SalienceRow(fact.id, 0.5, T0, promoted_at=T0, keep_promoted=False)])
    )
    with store.read() as repos:
        assert repos.items.get(fact.id).promoted_at == T0


def test_what_was_merged_into_a_fact_or_an_episode_is_found(store):
    kept, gone = rows.fact("kept"), rows.fact("gone", status=FactStatus.MERGED)
    kept_episode, gone_episode = rows.episode("kept"), rows.episode("gone", status=FactStatus.MERGED)

    def work(repos):
        repos.items.put_many([kept, replace(gone, superseded_by=kept.id)])
        repos.items.put(kept_episode)
        repos.items.put(rows.changed(gone_episode, merged_into=kept_episode.id))

    store.write(work)
    with store.read() as repos:
        assert [f.id for f in repos.items.absorbed([kept.id])] == [gone.id]
        assert [e.id for e in repos.items.absorbed([kept_episode.id])] == [gone_episode.id]


# --------------------------------------------------------------------------- episodes


def test_episodes_by_status_date_and_words(store):
    early = rows.episode("We planned a garden", details=(rows.detail("Tulips along the fence"),))
    late = rows.episode(
        "Budget talk", topics=("money",), started_at=T0 + timedelta(days=5), ended_at=T0 + timedelta(days=6)
    )
    off = rows.episode("Disabled", status=FactStatus.DISABLED)

    def work(repos):
        for episode in (early, late, off):
            repos.items.put(episode)

    store.write(work)
    with store.read() as repos:
        page = repos.items.episodes
        assert [e.id for e in page(agent_id="ana").items] == [late.id, early.id]
        assert page(agent_id="ana", status=None).total == 3
        assert [e.id for e in page(query="tulip").items] == [early.id]
        assert [e.id for e in page(query="money").items] == [late.id]
        assert [e.id for e in page(since=T0 + timedelta(days=2)).items] == [late.id]
        assert [e.id for e in page(until=T0 + timedelta(days=2)).items] == [early.id]
        assert [e.id for e in repos.items.active_episodes("ana")] == [early.id, late.id]
        assert repos.items.active_episodes("ana")[0].session.details[0].content == "Tulips along the fence"
        assert {e.id for e in repos.items.episodes_of("ana", "c1")} == {early.id, late.id, off.id}
        assert [e.id for e in repos.items.many([late.id, early.id])] == [late.id, early.id]


def test_details_that_are_no_longer_there_go(store):
    first, second = rows.detail("about tulips"), rows.detail("about roses")
    episode = rows.episode("Garden", details=(first, second))
    store.write(lambda repos: repos.items.put(episode))
    store.write(lambda repos: repos.items.put(rows.changed(episode, details=(second,))))
    with store.read() as repos:
        assert [d.content for d in repos.items.episode(episode.id).session.details] == ["about roses"]
        assert repos.items.episodes(query="tulips").total == 0


# --------------------------------------------------------------------------- the rest


def test_entities_are_found_without_case_and_diacritics(store):
    entity = rows.entity("José  Müller", mention_count=3)
    store.write(lambda repos: [repos.entities.put(e) for e in (entity, rows.entity("Ana"), rows.entity("x", "ben"))])
    with store.read() as repos:
        assert repos.entities.find("ana", "jose muller").id == entity.id
        assert repos.entities.find("ben", "jose muller") is None
        assert repos.entities.names("ana") == [
            (entity.id, entity.name),
            (repos.entities.find("ana", "ANA").id, "Ana"),
        ]
        assert [e.name for e in repos.entities.page(agent_id="ana").items] == ["José  Müller", "Ana"]
        assert repos.entities.page(query="mull").total == 1
        assert repos.entities.page(type_="person").total == 0


def test_links_and_relations_go_with_what_they_join(store):
    ana, oslo = rows.entity("Ana"), rows.entity("Oslo")
    fact, episode, turn = rows.fact("Ana lives in Oslo"), rows.episode("Moving"), rows.turn("I moved")

    def work(repos):
        repos.turns.add([turn])
        repos.items.put(fact)
        repos.items.put(episode)
        for entity in (ana, oslo):
            repos.entities.put(entity)
        for kind, ref in (("fact", fact), ("episode", episode), ("turn", turn), ("turn", turn)):
            repos.entities.link(ana.id, kind, ref.id)
        repos.entities.relate(rows.relation(ana, "lives in", oslo, fact_id=fact.id))

    store.write(work)
    with store.read() as repos:
        assert len(repos.entities.links(ana.id)) == 3
        assert [e.id for e in repos.entities.of("fact", fact.id)] == [ana.id]
        assert repos.entities.relations(oslo.id) == repos.entities.relations(ana.id) != []

    def delete(repos):
        repos.items.delete([fact.id])
        repos.items.delete([episode.id])
        rows.forget_turns(repos, [turn.id])

    store.write(delete)
    with store.read() as repos:
        assert repos.entities.links(ana.id) == []
        assert repos.entities.relations(ana.id) == []
        assert repos.entities.links(oslo.id) == []


def test_history_is_append_only_but_its_texts_can_be_forgotten(store):
    entries = [rows.history("f1", old={"content": "secret"}, new={"content": "s2"}, reason="why"), rows.history("f2")]
    store.write(lambda repos: repos.history.add(entries))
    with pytest.raises(ConstraintError, match="append-only"):
        store.write(lambda repos: repos.history._conn.change("UPDATE history SET actor = 'nobody'"))
    store.write(lambda repos: repos.history.scrub("fact", ["f1"]))
    with store.read() as repos:
        page = repos.history.page(kind="fact", ref_id="f1")
        assert page.total == 1
        (entry,) = page.items
        assert (entry.old, entry.new, entry.reason, entry.action) == (None, None, "", "edited")
        assert [e.ref_id for e in repos.history.page(agent_id="ana").items] == ["f2", "f1"]
        assert repos.history.page(agent_id="ben").total == 0


def test_receipts_forget_the_lines_they_showed(store):
    shown = rows.receipt(rows.receipt_item("f1", "line one", quote="q1"), rows.receipt_item("f2", "line two"))
    left = rows.receipt(left_out=(rows.receipt_item("f1", "line one", left_out="budget"),), conversation_id="c1")
    other = rows.receipt(rows.receipt_item("f3", "line three"))

    def work(repos):
        for receipt in (shown, left, other):
            repos.receipts.put(receipt)
        repos.receipts.scrub("fact", ["f1"])

    store.write(work)
    with store.read() as repos:
        stored = repos.receipts.get(shown.id)
        assert [i.line for i in stored.items] == ["", "line two"]
        assert (stored.block, stored.items[0].quote) == ("", "")
        assert repos.receipts.get(left.id).left_out[0].line == ""
        assert repos.receipts.get(other.id) == other
        assert [r.id for r in repos.receipts.page(agent_id="ana", conversation_id="c1").items] == [left.id]
        assert repos.receipts.page().total == 3


def test_the_bin_and_old_diffs_are_purged(store):
    old = rows.run(finished_at=T0)
    new = rows.run(started_at=T0 + timedelta(days=39), finished_at=T0 + timedelta(days=40))

    def work(repos):
        for run in (old, new):
            repos.runs.put(run)
            repos.runs.add_changes(run.id, [rows.change("f1"), rows.change("f2")])
        repos.runs.bin_add(old.id, [("fact", "f1", "ana", {"a": 1})], T0)
        repos.runs.bin_add(new.id, [("fact", "f2", "ana", {"a": 2})], T0 + timedelta(days=9))
        assert repos.runs.bin_expired(T0 - timedelta(days=1)) == []
        assert repos.runs.bin_expired(T0 + timedelta(days=1)) == [("fact", "f1")]
        assert [repos.runs.purge_changes(T0 + timedelta(days=30), limit=1) for _ in range(3)] == [1, 1, 0]
        repos.runs.bin_delete([("fact", "f1")])
        repos.runs.forget("fact", ["f2"])

    store.write(work)
    with store.read() as repos:
        assert repos.runs.bin_list().total == 0
        assert repos.runs.changes(old.id).total == 0
        assert [c.ref_id for c in repos.runs.changes(new.id).items] == ["f1"]
        assert [r.id for r in repos.runs.page(kind="consolidation").items] == [new.id, old.id]
        assert repos.runs.page(kind="import").total == 0


def test_changes_in_blocks_are_read_and_paged_like_single_ones(store):
    run, other = rows.run(), rows.run()
    aged = [
        rows.change(
            f"f{n}", agent_id=agent, before={"salience": n / 7, "when": None}, after={"salience": n / 9, "when": "x"}
        )
        for agent in ("ana", "ben")
        for n in range(50)
    ]
    shorter = [rows.change("f1", before={"salience": 0.1}, after={"salience": 0.2}, reason="lifted")]
    single = [rows.change("f2", before={"reason": "words"}, after={"reason": ""})]

    def work(repos):
        for each in (run, other):
            repos.runs.put(each)
        repos.runs.add_blocks(run.id, aged + shorter)
        repos.runs.add_changes(run.id, single)
        repos.runs.add_blocks(run.id, [])
        repos.runs.add_blocks(other.id, shorter)

    store.write(work)
    with store.read() as repos:
        assert repos.runs.changes(run.id).items == aged + shorter + single
        for limit in (1, 7, 50, 102):
            found, cursor = [], None
            while True:
                page = repos.runs.changes(run.id, limit=limit, cursor=cursor)
                assert page.total == 102
                found += page.items
                cursor = page.next
                if cursor is None:
                    break
                assert len(page.items) == limit
            assert found == aged + shorter + single
    store.write(lambda repos: repos.erasing.drain("ana", "changes", 1000))
    with store.read() as repos:
        assert repos.runs.changes(run.id).items == aged[50:]


def test_changing_some_fields_leaves_the_others(store):
    fact = rows.fact("kept", tags=("a",), salience=0.5)
    episode = rows.episode("kept", details=(rows.detail("first"),))
    store.write(lambda repos: (repos.items.put(fact), repos.items.put(episode)))

    def work(repos):
        stored = repos.items.get(fact.id)
        repos.items.change(replace(stored, content="new", tags=("b",), salience=0.9), ["salience", "tags"])
        talk = repos.items.episode(episode.id)
        later = rows.changed(talk, summary="new", ended_at=talk.session.ended_at + timedelta(days=3))
        added = (*talk.session.details, rows.detail("second"))
        repos.items.change(later, ["digest.ended_at"])
        repos.items.change(rows.changed(later, details=added), ["digest.details"])
        repos.items.change(stored, [])

    store.write(work)
    with store.read() as repos:
        stored, talk = repos.items.get(fact.id), repos.items.episode(episode.id)
        assert (stored.content, stored.tags, stored.salience) == ("kept", ("b",), 0.9)
        assert repos.items.facts(FactFilter(tag="a")).total == 0
        assert talk.content == "kept"
        assert talk.session.ended_at == episode.session.ended_at + timedelta(days=3)
        assert [detail.content for detail in talk.session.details] == ["first", "second"]
        days = repos.items._conn.rows("SELECT content, dated FROM episode_details ORDER BY position")
    # What was there was said when it was said.
    assert days == [("first", dated(episode.session.ended_at)), ("second", dated(talk.session.ended_at))]


def test_the_bin_is_emptied_by_name_and_by_agent(store):
    run = rows.run()

    def work(repos):
        repos.runs.put(run)
        for n in range(3):
            repos.runs.bin_add(run.id, [("fact", f"f{n}", "ana", {})], T0)
        repos.runs.add_changes(run.id, [rows.change("f1")])
        repos.runs.bin_delete([("fact", "f0"), ("fact", "nothing")])
        assert repos.runs.bin_list(agent_id="ana").total == 2
        assert repos.erasing.drain("ana", "bin", 1000) == 2
        assert repos.erasing.drain("ana", "changes", 1000)
        assert repos.runs.bin_list().total == 0
        assert repos.runs.changes(run.id).total == 0

    store.write(work)


def test_identity_lists_what_the_user_wrote_first(store):
    lines = [
        rows.line(str(n), id=str(n), origin=origin, status=FactStatus(status))
        for n, (origin, status) in enumerate([("distiller", "active"), ("user", "active"), ("user", "disabled")])
    ]
    store.write(lambda repos: [repos.items.put(line) for line in lines])
    with store.read() as repos:
        assert [line.id for line in repos.items.lines()] == ["1", "0"]
        assert len(repos.items.lines(include_inactive=True)) == 3
    store.write(lambda repos: repos.erasing.rows("identity", repos.erasing.seqs("identity", ["1"]), marks=False))
    with store.read() as repos:
        assert repos.items.get("1") is None


def test_facts_of_an_agent_that_is_not_there_are_refused(store):
    with pytest.raises(ConstraintError):
        store.write(lambda repos: repos.items.put(rows.fact("x", agent_id="nobody")))


def test_activity_is_bounded(store, monkeypatch):
    from memdesk.ports import ActivityRow
    from memdesk.storage.repositories import meta

    monkeypatch.setattr(meta, "_ACTIVITY_KEPT", 5)
    requests = [
        ActivityRow(at=T0, token_name="t", method="GET", route=f"/{n}", agent_id="", status=200, ms=1.0)
        for n in range(12)
    ]
    store.write(lambda repos: repos.meta.add_activity(requests))
    with store.read() as repos:
        assert [r.route for r in repos.meta.activity()] == ["/11", "/10", "/9", "/8", "/7"]


def test_a_fact_is_a_line_of_the_episode_that_stated_it_and_outlives_it(store):
    episode = rows.episode("Moving", details=(rows.detail("The flat has a balcony"),))
    fact = rows.fact("Ana lives in Oslo", parent_id=episode.id)
    ended = rows.fact("Ana lives in Rome", parent_id=episode.id, status=FactStatus.SUPERSEDED)
    waiting = rows.fact("Ana may move", parent_id=episode.id, status=FactStatus.REVIEW)

    def work(repos):
        repos.items.put(episode)
        repos.items.put_many([fact, ended, waiting])

    store.write(work)
    with store.read() as repos:
        stored = repos.items.episode(episode.id)
        assert {d.content for d in stored.session.details} == {
            "The flat has a balcony",
            "Ana lives in Oslo",
            "Ana lives in Rome",
        }
        assert repos.embeddings.among("detail", [d.seq for d in stored.session.details]) == {
            stored.session.details[0].seq
        }
    # Another episode takes it in, with its facts; then both go.
    other = rows.episode("Moving on", details=stored.session.details)
    store.write(lambda repos: repos.items.put(other))
    with store.read() as repos:
        assert repos.items.get(fact.id).content == "Ana lives in Oslo"
        assert repos.items.get(fact.id).parent_id == other.id
    store.write(lambda repos: repos.items.delete([episode.id, other.id]))
    with store.read() as repos:
        assert repos.items.get(fact.id) is not None
        assert repos.text.search("detail", ["balcony"], TextFilter(agent_id="ana")) == []
