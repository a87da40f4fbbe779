"""Large conversations and people named everywhere are forgotten like whole agents: hidden at once, in slices, despite kills."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from memdesk.domain.models import Conversation, Entity, FactSource, Receipt, ReceiptItem, Signal, Turn, new_id
from memdesk.ports import BEING_FORGOTTEN, FactFilter, TextFilter
from memdesk.services import slices as run_slices
from memdesk.services.forgetting import forgetting
from memdesk.services.forgetting.forgetting import ForgetTarget
from tests.helpers import rows
from tests.helpers.killed_forgetting import killed
from tests.helpers.memory_rows import NOON, Desk

CONVERSATION = ForgetTarget(kind="conversation", ids=("talk-0",), agent_id="ana")
PERSON = ForgetTarget(kind="entity", ids=("z",), include_turns=True)
TARGETS = pytest.mark.parametrize("target", [CONVERSATION, PERSON], ids=["conversation", "person"])
#: What only the target's rows say, for each.
ONLY = {"conversation": "xylophone", "entity": "Zuzanna"}


def remember(desk):
    """Two conversations that both name a person; the first alone tells of xylophones."""
    entity = Entity(id="z", agent_id="ana", name="Zuzanna", type="person", created_at=NOON, updated_at=NOON)
    desk.write(lambda repos: repos.entities.put(entity))
    for thread, word in (("talk-0", "xylophone"), ("talk-1", "harmonica")):
        texts = [f"{'Zuzanna' if n % 2 else 'Somebody'} brought a {word} number {n} home" for n in range(12)]
        turns = desk.thread(thread, *texts, title=f"About a {word}")
        for turn in turns[:6]:
            fact = desk.said(turn, f"{turn.content}, the user said")
            desk.memories.edit_fact(fact.id, tags=(word,))
            if "Zuzanna" in fact.content:
                desk.write(lambda repos, fact=fact: repos.entities.link("z", "fact", fact.id))
            item = ReceiptItem(kind="fact", id=fact.id, line=f"- {fact.content}", score=1.0, tokens=9)
            receipt = Receipt(
                id=new_id(),
                agent_id="ana",
                query="Who brought what?",
                section="pinned",
                rule="always",
                tokens=9,
                budget_tokens=100,
                block=fact.content,
                items=(item,),
                conversation_id="elsewhere",
                created_at=NOON,
            )
            desk.write(lambda repos, receipt=receipt: repos.receipts.put(receipt))
        details = [rows.detail(t.content, id=f"{thread}-{t.id}", turn_ids=(t.id,)) for t in turns[:3]]
        desk.episode(f"They spoke of a {word}", conversation_id=thread, details=details)
        desk.write(lambda repos, turns=turns: repos.signals.add([signal(turn) for turn in turns]))
    both = [source_of(desk, "talk-0"), source_of(desk, "talk-1")]
    desk.fact("The user likes music", id="shared", sources=tuple(both), source_count=2, salience=0.6)


def signal(turn):
    return Signal(id=new_id(), turn_id=turn.id, agent_id="ana", conversation_id=turn.conversation_id, created_at=NOON)


def source_of(desk, thread):
    with desk.store.read() as repos:
        turn = repos.turns.of_conversation("ana", thread)[0]
    return FactSource(turn_id=turn.id, quote=turn.content)


def seen(desk, word):
    """Everything that reads return and that holds a word."""
    flt = TextFilter(agent_id="ana")
    with desk.store.read() as repos:
        found = [hit.seq for t in ("turn", "episode", "detail", "fact") for hit in repos.text.search(t, [word], flt)]
        rows = [*repos.items.facts(FactFilter(agent_id="ana"), limit=100).items]
        rows += repos.items.episodes(agent_id="ana", limit=100).items
        rows += [turn for n in (0, 1) for turn in repos.turns.of_conversation("ana", f"talk-{n}")]
        rows += repos.conversations.page(agent_id="ana").items
        rows += repos.receipts.page(agent_id="ana", limit=100).items
        rows += repos.history.page(agent_id="ana", limit=500).items
        rows += [*repos.entities.names("ana")]
    return found + [row for row in rows if word in repr(row)]


def unshared(rows):
    return [row for row in rows if not isinstance(row, int) and getattr(row, "id", "") != "shared"]


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.setattr(forgetting, "_SMALL", 0)
    monkeypatch.setattr(run_slices, "_FIRST", 3)
    monkeypatch.setattr(run_slices, "_LARGEST", 3)
    desk = Desk(tmp_path, agents=("ana",))
    remember(desk)
    yield desk
    desk.close()


@TARGETS
def test_it_goes_in_slices_and_leaves_nothing(desk, target):
    word = ONLY[target.kind]
    assert seen(desk, word)
    others = seen(desk, "harmonica")
    before = desk.store.stats()["writer"]["transactions"]
    preview = desk.forgetting.preview(target)
    report = desk.forgetting.forget(target)
    assert report.counts == preview.counts
    assert report.verified, report.left
    assert desk.store.stats()["writer"]["transactions"] - before > 10
    assert seen(desk, word) == []
    assert not desk.store.pages_holding([word.encode()])
    assert desk.store.verify() == []
    if target is CONVERSATION:
        assert unshared(seen(desk, "harmonica")) == unshared(others)
    with desk.store.read() as repos:
        assert repos.meta.prefix(BEING_FORGOTTEN) == {}


@TARGETS
@pytest.mark.parametrize("nth", [0, 1, 3, 8, 12, 15])
def test_killed_meanwhile_it_is_hidden_and_the_next_start_goes_on(desk, tmp_path, target, nth):
    word, shared = ONLY[target.kind], desk.facts()["shared"]
    desk.close()
    killed(tmp_path, target, nth)
    desk = Desk(tmp_path, agents=())
    try:
        assert bool(seen(desk, word)) is (nth == 0)
        desk.forgetting.resume()
        assert bool(seen(desk, word)) is (nth == 0)
        assert bool(desk.store.pages_holding([word.encode()])) is (nth == 0)
        assert desk.store.verify() == []
        left = desk.facts()["shared"]
        # Its source count goes down once, however often it was gone about.
        assert left.source_count == (1 if nth and target is CONVERSATION else 2)
        assert left.content == shared.content
        assert seen(desk, "harmonica")
    finally:
        desk.close()


def test_what_is_said_in_a_conversation_while_it_is_forgotten_stays(desk, monkeypatch):
    slices = forgetting.SlicedForgetting
    told = threading.Event()

    class Interrupted(slices):
        def change(self, scope, copies):
            assert seen(desk, "xylophone") == []
            with desk.store.read() as repos:
                assert repos.conversations.get("ana", "talk-0") is None
                assert repos.signals.pending("ana", "talk-0") == []
            desk.write(say_something_new)
            with desk.store.read() as repos:
                assert repos.conversations.get("ana", "talk-0").title == "Anew"
                assert [turn.content for turn in repos.turns.of_conversation("ana", "talk-0")] == ["A new beginning"]
            told.set()
            return super().change(scope, copies)

    monkeypatch.setattr(forgetting, "SlicedForgetting", Interrupted)
    report = desk.forgetting.forget(CONVERSATION)
    assert told.is_set()
    assert report.verified, report.left
    with desk.store.read() as repos:
        assert repos.conversations.get("ana", "talk-0").title == "Anew"
        assert [turn.content for turn in repos.turns.of_conversation("ana", "talk-0")] == ["A new beginning"]
    assert not desk.store.pages_holding([b"xylophone"])


def say_something_new(repos):
    known = repos.conversations.get("ana", "talk-0")
    assert (known.title, known.draft) == ("", "")
    repos.conversations.put(replace(known, title="Anew"))
    made = {"id": new_id(), "agent_id": "ana", "conversation_id": "talk-0", "role": "user"}
    position = repos.turns.next_position("ana", "talk-0")
    repos.turns.add([Turn(**made, position=position, content="A new beginning", said_at=NOON, created_at=NOON)])


def test_what_takes_its_place_is_there_from_the_moment_it_is_gone(desk, tmp_path):
    def then(repos):
        repos.conversations.put(
            Conversation(agent_id="ana", id="talk-0", title="Anew", created_at=NOON, updated_at=NOON)
        )
        say = {"id": new_id(), "agent_id": "ana", "conversation_id": "talk-0", "role": "user"}
        position = repos.turns.next_position("ana", "talk-0")
        repos.turns.add([Turn(**say, position=position, content="Other words", said_at=NOON, created_at=NOON)])

    report = desk.forgetting.forget(CONVERSATION, then=then)
    assert report.verified, report.left
    with desk.store.read() as repos:
        assert [turn.content for turn in repos.turns.of_conversation("ana", "talk-0")] == ["Other words"]
        assert repos.conversations.get("ana", "talk-0").title == "Anew"
