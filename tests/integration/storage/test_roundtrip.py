"""Any valid dataclass comes back from the database unchanged."""

from __future__ import annotations

import hashlib
from dataclasses import fields, replace
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.domain.items.item import Digest, MemoryItem
from memdesk.domain.items.statement import Qualifiers, Statement
from memdesk.domain.models import (
    Agent,
    ApiToken,
    Conversation,
    Entity,
    FactKind,
    FactSource,
    FactStatus,
    HistoryEntry,
    Receipt,
    ReceiptItem,
    Relation,
    Run,
    RunChange,
    Signal,
    SignalStatus,
    Turn,
    new_id,
)
from memdesk.ports import ActivityRow
from memdesk.storage.database import Database
from memdesk.storage.values import from_ms, to_ms
from tests.helpers import rows

# Anything Unicode but what SQLite cannot hold; the database keeps milliseconds.
text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
milliseconds = st.integers(to_ms(datetime(1900, 1, 1, tzinfo=UTC)), to_ms(datetime(2200, 1, 1, tzinfo=UTC)))
times = milliseconds.map(from_ms)
maybe = st.none() | times
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(text, json_values, max_size=3)
words = st.lists(text, max_size=4).map(tuple)
unit = st.floats(0, 1)
counts = st.integers(0, 10**6)
# Fresh ones each time: the examples share a database.
ids = st.builds(new_id)

statements = st.none() | st.builds(
    Statement,
    **dict.fromkeys(("subject", "predicate"), text.filter(bool)),
    **dict.fromkeys(("object", "attribute", "speaker", "quote", "language", "replaces"), text),
    modality=st.sampled_from(["fact", "plan", "wish", "possible", "instruction"]),
    tense=st.sampled_from(["past", "present", "future"]),
    qualifiers=st.builds(Qualifiers, time=text, begins=st.none() | st.dates(), amount=text),
    said_at=maybe,
).filter(lambda s: s == Statement.from_plain(s.plain()))

sources = st.lists(st.builds(FactSource, turn_id=ids, quote=text), max_size=3).map(tuple)
details = st.lists(
    st.builds(
        rows.detail,
        text,
        id=ids,
        kind=st.sampled_from(FactKind),
        turn_ids=st.lists(ids, max_size=3),
        statement=statements,
        salience=unit,
    ),
    max_size=3,
).map(tuple)
items = st.lists(
    st.builds(
        ReceiptItem,
        kind=st.sampled_from(["identity", "fact", "episode", "detail", "turn"]),
        id=ids,
        line=text,
        score=unit,
        tokens=counts,
        date=maybe,
        conversation_id=st.none() | text,
        quote=text,
        left_out=st.sampled_from(["", "budget", "noise"]),
    ),
    max_size=3,
).map(tuple)


def made(kind, /, **given):
    """Build ``kind`` with every field drawn: by name where it is given, else by its type."""
    by_type = {
        "str": text,
        "str | None": st.none() | text,
        "datetime": times,
        "datetime | None": maybe,
        "bool": st.booleans(),
        "int": counts,
        "float": unit,
        "tuple[str, ...]": words,
        "dict[str, Any]": objects,
        "Overrides": objects,
        "dict[str, Any] | None": st.none() | objects,
        "Actor": st.sampled_from(["user", "distiller", "consolidator", "api", "import"]),
        "Statement | None": statements,
        "Tier": st.sampled_from(["always", "pinned", "kept"]),
        "ItemType": st.sampled_from(["factual", "episodic", "procedural", "semantic"]),
        "Privacy": st.sampled_from(["normal", "local_only"]),
        "Provenance": st.sampled_from(["user", "assistant", "document", "tool", "import"]),
        "FactKind": st.sampled_from(FactKind),
        "FactStatus": st.sampled_from(FactStatus),
        "MemoryMode": st.sampled_from(["on", "read_only", "off"]),
    }
    return st.builds(kind, **{f.name: given[f.name] if f.name in given else by_type[f.type] for f in fields(kind)})


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """One database for all examples; each writes rows of its own."""
    store = Database(tmp_path_factory.mktemp("roundtrip") / "memory.db")
    store.open(rows.KEY)

    def begin(repos):
        repos.agents.put(rows.agent("ana"))
        repos.conversations.put(rows.conversation("c1"))

    store.write(begin)
    yield store
    store.close()


def examples(strategy):
    """Run a test with many values of one strategy."""

    def decorate(test):
        limits = settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
        return limits(given(value=strategy)(test))

    return decorate


def unnumbered(value, **changes):
    return replace(value, seq=0, **changes)


@examples(made(Agent, id=ids))
def test_agents(kept, value):
    kept.write(lambda repos: repos.agents.put(value))
    with kept.read() as repos:
        assert repos.agents.get(value.id) == value
    kept.write(lambda repos: repos.agents.delete(value.id))


@examples(made(Conversation, id=ids, agent_id=st.just("ana"), turn_count=st.just(0)))
def test_conversations(kept, value):
    kept.write(lambda repos: repos.conversations.put(value))
    with kept.read() as repos:
        assert repos.conversations.get("ana", value.id) == value


turns = made(
    Turn,
    id=ids,
    agent_id=st.just("ana"),
    conversation_id=st.just("c1"),
    role=st.sampled_from(["user", "assistant"]),
    seq=st.just(0),
)


@examples(st.lists(turns, min_size=1, max_size=5))
def test_turns(kept, value):
    seqs = kept.write(lambda repos: repos.turns.add(value))
    with kept.read() as repos:
        stored = repos.turns.many([t.id for t in value])
        assert [t.seq for t in stored] == seqs
        assert [unnumbered(t) for t in stored] == value
        assert repos.turns.by_seq(seqs) == dict(zip(seqs, stored, strict=True))


@examples(
    made(Signal, id=ids, agent_id=st.just("ana"), conversation_id=st.just("c1"), status=st.sampled_from(SignalStatus))
)
def test_signals(kept, value):
    turn = rows.turn("x")
    value = replace(value, turn_id=turn.id)

    def work(repos):
        repos.turns.add([turn])
        repos.signals.add([value])
        return [s for s in repos.signals.page(limit=1).items if s.id == value.id]

    assert kept.write(work) == [value]


facts = made(
    MemoryItem,
    id=ids,
    agent_id=st.just("ana"),
    form=st.just("statement"),
    key=ids,
    sources=sources,
    digest=st.none(),
    seq=st.just(0),
).map(lambda fact: replace(fact, source_agent_id="ana") if fact.tier == "always" else fact)


@examples(st.tuples(facts, facts))
def test_facts(kept, value):
    first, second = value
    second = replace(second, id=first.id, sources=second.sources or first.sources)
    for version in (first, second):
        seq = kept.write(lambda repos, version=version: repos.items.put(version))
        with kept.read() as repos:
            assert repos.items.get(first.id) == replace(version, seq=seq)
            assert repos.items.by_seq([seq]) == {seq: replace(version, seq=seq)}


episodes = made(
    MemoryItem,
    id=ids,
    agent_id=st.just("ana"),
    form=st.just("episode"),
    tier=st.just("kept"),
    key=ids,
    sources=st.just(()),
    digest=made(Digest, details=details),
    seq=st.just(0),
)


@examples(st.tuples(episodes, episodes))
def test_episodes(kept, value):
    first, second = value
    longer = rows.changed(second, id=first.id, details=second.session.details + first.session.details[:1])
    for version in (first, longer):
        kept.write(lambda repos, version=version: repos.items.put(version))
        with kept.read() as repos:
            stored = repos.items.episode(first.id)
            found = tuple(unnumbered(d, run_id=None) for d in stored.session.details)
            placed = tuple(replace(d, agent_id="ana", parent_id=version.id) for d in version.session.details)
            assert rows.changed(unnumbered(stored), details=found) == rows.changed(version, details=placed)
            assert repos.items.by_seq([d.seq for d in stored.session.details]) == {
                d.seq: d for d in stored.session.details
            }
            assert repos.items.many([first.id], details=False) == [rows.changed(stored, details=())]


@examples(st.tuples(made(Entity, id=ids, agent_id=st.just("ana")), made(Relation, id=ids, agent_id=st.just("ana"))))
def test_entities_and_relations(kept, value):
    entity, relation = value
    relation = replace(relation, subject_id=entity.id, object_id=entity.id, fact_id=None)

    def work(repos):
        repos.entities.put(entity)
        repos.entities.relate(relation)

    kept.write(work)
    with kept.read() as repos:
        assert repos.entities.get(entity.id) == entity
        assert repos.entities.relations(entity.id) == [relation]


@examples(
    made(
        HistoryEntry,
        id=ids,
        kind=st.sampled_from(["fact", "episode", "identity", "entity", "conversation", "agent"]),
        seq=st.just(0),
    )
)
def test_history(kept, value):
    kept.write(lambda repos: repos.history.add([value]))
    with kept.read() as repos:
        assert unnumbered(repos.history.page(limit=1).items[0]) == value


sections = st.sampled_from(["identity", "pinned", "episode", "transcript", "none"])


@examples(
    made(
        Receipt,
        id=ids,
        agent_id=st.just("ana"),
        section=sections,
        filled_from=st.none() | sections,
        items=items,
        left_out=items,
    )
)
def test_receipts(kept, value):
    kept.write(lambda repos: repos.receipts.put(value))
    with kept.read() as repos:
        assert repos.receipts.get(value.id) == value


@examples(
    made(
        ApiToken,
        id=ids,
        secret_hash=st.just(b""),
        agents=st.lists(st.just("") | ids, max_size=3).map(tuple),
    )
)
def test_tokens(kept, value):
    value = replace(value, secret_hash=hashlib.sha256(value.id.encode()).digest())  # no two have one
    kept.write(lambda repos: repos.tokens.put(value))
    with kept.read() as repos:
        assert repos.tokens.by_hash(value.secret_hash) == value


runs = made(
    Run,
    id=ids,
    kind=st.sampled_from(["consolidation", "distillation", "import", "reembed"]),
    trigger=st.sampled_from(["schedule", "user", "api", "catch_up"]),
    status=st.sampled_from(["running", "done", "cancelled", "failed", "undone"]),
    counts=st.dictionaries(text, counts, max_size=3),
)
changes = made(
    RunChange,
    action=st.sampled_from(["decay", "merge", "promote", "evict", "prune"]),
    kind=st.sampled_from(["fact", "episode", "conversation"]),
)


@examples(st.tuples(runs, st.lists(changes, max_size=3), objects, times))
def test_runs_and_the_bin(kept, value):
    run, diff, payload, expiry = value

    def work(repos):
        repos.runs.put(run)
        repos.runs.add_changes(run.id, diff)
        repos.runs.bin_add(run.id, [("fact", run.id, "ana", payload)], expiry)

    kept.write(work)
    with kept.read() as repos:
        assert repos.runs.get(run.id) == run
        assert repos.runs.changes(run.id).items == diff
        (binned,) = repos.runs.bin_list(limit=1).items
        assert binned == {
            "kind": "fact",
            "ref_id": run.id,
            "run_id": run.id,
            "agent_id": "ana",
            "payload": payload,
            "expires_at": expiry,
        }


@examples(st.tuples(text, json_values.filter(lambda v: v is not None)))
def test_small_values(kept, value):
    key, content = value
    kept.write(lambda repos: repos.meta.put(key, content))
    with kept.read() as repos:
        assert repos.meta.get(key) == content
        assert repos.meta.prefix(key)[key] == content
    kept.write(lambda repos: repos.meta.put(key, None))
    with kept.read() as repos:
        assert repos.meta.get(key) is None


@examples(made(ActivityRow))
def test_activity(kept, value):
    kept.write(lambda repos: repos.meta.add_activity([value]))
    with kept.read() as repos:
        assert repos.meta.activity(limit=1) == [value]


def test_a_time_without_a_zone_is_refused(kept):
    with pytest.raises(ValueError, match="timezone"):
        kept.write(lambda repos: repos.turns.add([rows.turn("x", said_at=datetime(2026, 1, 1))]))  # noqa: DTZ001 - the point


@pytest.mark.parametrize("hostile", ["a\0b", "\ud800", "x" * 1_000_000])
def test_text_that_sqlite_cannot_hold_is_mended_not_refused(kept, hostile):
    turn = rows.turn(hostile)
    kept.write(lambda repos: repos.turns.add([turn]))
    with kept.read() as repos:
        stored = repos.turns.get(turn.id).content
    assert len(stored) == len(hostile)
    assert "\0" not in stored
