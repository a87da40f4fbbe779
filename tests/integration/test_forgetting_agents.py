"""A whole agent is forgotten in slices: hidden at once, gone in the end, even if the process is killed meanwhile."""

from __future__ import annotations

import pytest

from memdesk.domain.forgetting.hiding import Hidden
from memdesk.domain.models import Receipt, ReceiptItem, new_id
from memdesk.ports import FactFilter, TextFilter
from memdesk.services import slices as run_slices
from memdesk.services.forgetting.forgetting import ForgetTarget
from tests.helpers.killed_forgetting import killed
from tests.helpers.memory_rows import NOON, Desk
from tests.helpers.rows import put_snapshot

SECRET = "the walrus keeps its violin in the attic"
MODEL = "mini"


def remember(desk, agent_id):
    """Store the secret of an agent wherever a memory holds words."""
    for number in range(4):
        thread = f"{agent_id}-{number}"
        turns = desk.thread(thread, *[f"{SECRET} {n}" for n in range(8)], agent_id=agent_id, title=SECRET)
        fact = desk.said(turns[0], f"{SECRET}, say {number}", agent_id=agent_id)
        desk.episode(f"{SECRET} {number}", details=[f"{SECRET} again"], agent_id=agent_id, conversation_id=thread)
        desk.memories.edit_fact(fact.id, content=f"{SECRET}, said {number}")
        item = ReceiptItem(kind="fact", id=fact.id, line=SECRET, score=1.0, tokens=9)
        receipt = Receipt(
            id=new_id(),
            agent_id=agent_id,
            query=SECRET,
            section="pinned",
            rule="always",
            tokens=9,
            budget_tokens=100,
            block=SECRET,
            items=(item,),
            conversation_id=thread,
            created_at=NOON,
        )

        def work(repos, turns=turns, fact=fact, receipt=receipt, thread=thread):
            repos.receipts.put(receipt)
            repos.embeddings.put(agent_id, "turn", MODEL, [(t.seq, t.id, b"\1\2") for t in turns])
            put_snapshot(repos, agent_id, "turn", MODEL, b"snapshot")
            repos.meta.put(f"draft:{agent_id}\x1f{thread}", SECRET)

        desk.write(work)


def seen(desk, agent_id):
    """What reads return of an agent's memory, by where it was found."""
    flt = TextFilter(agent_id=agent_id)
    with desk.store.read() as repos:
        found = {
            target: len(repos.text.search(target, ["walrus"], flt)) for target in ("turn", "episode", "detail", "fact")
        }
        found["facts"] = repos.items.facts(FactFilter(agent_id=agent_id)).total
        found["any facts"] = len(
            [f for f in repos.items.facts(FactFilter(), limit=100).items if f.agent_id == agent_id]
        )
        found["episodes"] = repos.items.episodes(agent_id=agent_id).total
        found["threads"] = repos.conversations.page(agent_id=agent_id).total
        found["turns"] = len(repos.turns.of_conversation(agent_id, f"{agent_id}-0"))
        found["receipts"] = repos.receipts.page(agent_id=agent_id).total
        words = [entry for entry in repos.history.page(agent_id=agent_id).items if entry.old or entry.new]
        found["history"] = len(words)
        found["drafts"] = len(repos.meta.prefix(f"draft:{agent_id}"))
        found["vectors"] = sum(1 for _ in repos.embeddings.load(agent_id, "turn", MODEL)[0])
    return found


@pytest.fixture
def filled(tmp_path):
    desk = Desk(tmp_path, agents=("ana", "ben"))
    remember(desk, "ana")
    remember(desk, "ben")
    yield desk
    desk.close()


def test_an_agent_goes_in_slices_and_leaves_nothing(filled, monkeypatch):
    monkeypatch.setattr(run_slices, "_FIRST", 3)
    monkeypatch.setattr(run_slices, "_LARGEST", 3)
    others = seen(filled, "ben")
    assert all(seen(filled, "ana").values())
    before = filled.store.stats()["writer"]["transactions"]
    preview = filled.forgetting.preview(ForgetTarget(kind="agent", ids=("ana",)))
    report = filled.forgetting.forget(ForgetTarget(kind="agent", ids=("ana",)))
    assert report.counts == preview.counts
    assert report.left == ()
    assert filled.store.stats()["writer"]["transactions"] - before > 20
    assert not any(seen(filled, "ana").values())
    assert seen(filled, "ben") == others
    filled.forgetting.forget(ForgetTarget(kind="agent", ids=("ben",)))
    assert not filled.store.pages_holding([b"walrus"])
    assert not filled.store.pages_holding([b"violin"])
    assert filled.store.verify() == []
    with filled.store.read() as repos:
        assert {agent.id for agent in repos.agents.all()} == {"ana", "ben"}
        assert repos.meta.prefix("being_forgotten:") == {}


def test_nothing_is_read_of_an_agent_that_is_being_forgotten(filled):
    others = seen(filled, "ben")
    filled.store.hide("a name", Hidden(frozenset(("ana",))))
    assert not any(value for key, value in seen(filled, "ana").items() if key != "drafts")
    assert seen(filled, "ben") == others
    with filled.store.read() as repos:
        assert repos.agents.get("ana") is not None
    filled.store.hide("a name", None)
    assert all(seen(filled, "ana").values())


@pytest.mark.parametrize("nth", [0, 1, 4, 9, 15, 22])
def test_killed_meanwhile_it_is_hidden_and_the_next_start_goes_on(filled, tmp_path, nth):
    others = seen(filled, "ben")
    filled.close()
    killed(tmp_path, ForgetTarget(kind="agent", ids=("ana",)), nth)
    desk = Desk(tmp_path, agents=())
    try:
        # Killed before the mark was durable, nothing has happened; from then on nothing is seen.
        assert any(seen(desk, "ana").values()) is (nth == 0)
        assert seen(desk, "ben") == others
        desk.forgetting.resume()
        assert all(seen(desk, "ana").values()) is (nth == 0)
        assert seen(desk, "ben") == others
        assert desk.store.verify() == []
        assert desk.forgetting.forget(ForgetTarget(kind="agent", ids=("ben",))).left == ()
        assert bool(desk.store.pages_holding([b"walrus"])) is (nth == 0)
    finally:
        desk.close()
