"""What repeats the forgotten in other words, or in rows about something else, is deleted; what the user keeps may still say it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memdesk.domain.models import Entity, FactKind, FactSource, FactStatus, Receipt, ReceiptItem, RunChange, new_id
from memdesk.services import journal
from memdesk.services.distilling.marks import without_forgotten
from memdesk.services.distilling.rules import load_rules, rule_from, save_rule
from memdesk.services.forgetting.forgetting import ForgetTarget
from tests.helpers import rows
from tests.helpers.memory_rows import NOON, Desk

SECRET = "The user hides the spare key under the blue flowerpot"
PARAPHRASE = "The spare key is hidden under the blue flowerpot by the user, as ever"
TOLD = "I hide the spare key under the blue flowerpot"


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path, agents=("ana", "ben"))
    yield desk
    desk.close()


def receipt(desk, *items, left_out=(), query="Where is it?", agent_id="ana") -> str:
    made = Receipt(
        id=new_id(),
        agent_id=agent_id,
        query=query,
        section="pinned",
        rule="possessive",
        tokens=9,
        budget_tokens=800,
        block="\n".join(item.line for item in items),
        items=items,
        left_out=left_out,
        created_at=NOON,
    )
    desk.write(lambda repos: repos.receipts.put(made))
    return made.id


def shown(ref, line, quote="", kind="fact"):
    return ReceiptItem(kind=kind, id=ref, line=line, score=1.0, tokens=9, quote=quote)


def stored(desk, receipt_id):
    with desk.store.read() as repos:
        return repos.receipts.get(receipt_id)


def test_a_receipt_that_says_it_in_other_words_keeps_only_that_there_was_a_line(desk):
    fact, plums = desk.fact(SECRET), desk.fact("The user likes plums")
    other = desk.fact("The user has keys", sources=(FactSource(turn_id="gone", quote=TOLD),))
    told = receipt(
        desk,
        shown(other.id, f"3 May 2024: {PARAPHRASE}"),
        shown(plums.id, "3 May 2024: The user likes plums", "I like plums"),
        left_out=(shown(new_id(), SECRET, kind="detail"), shown(plums.id, "The user likes plums")),
        query="Is the spare key still under the blue flowerpot that the user hides it under?",
    )
    untouched = receipt(desk, shown(plums.id, "The user likes plums"), query="What do I like?")
    elsewhere = receipt(desk, shown(desk.fact(SECRET, agent_id="ben").id, SECRET), agent_id="ben")
    before = {key: stored(desk, key) for key in (untouched, elsewhere)}
    report = desk.forgetting.forget(ForgetTarget(kind="fact", ids=(fact.id,)))
    left = stored(desk, told)
    assert [(item.id, item.line, item.quote) for item in left.items] == [
        (other.id, "", ""),
        (plums.id, "3 May 2024: The user likes plums", "I like plums"),
    ]
    assert [item.line for item in left.left_out] == ["", "The user likes plums"]
    assert (left.query, left.block) == ("", "")
    assert {key: stored(desk, key) for key in before} == before
    assert report.verified, report.left
    assert report.kept_elsewhere > 0, "the other agent remembers it too"


def test_every_other_place_that_repeats_it_is_emptied(desk):
    fact = desk.fact(SECRET, kind=FactKind.OTHER)
    plums = desk.fact("The user likes plums")
    ended = desk.fact("The key is on a hook", status=FactStatus.SUPERSEDED, valid_until=NOON, reason=PARAPHRASE)
    run = rows.run()
    bland = {"content": "The user likes plums"}

    def work(repos):
        repos.runs.put(run)
        change = RunChange(action="merge", kind="fact", ref_id=plums.id, agent_id="ana", before={"content": PARAPHRASE})
        repos.runs.add_changes(run.id, [change, replace(change, before=bland)])
        repos.runs.bin_add(run.id, [("fact", "binned", "ana", {"content": PARAPHRASE})], NOON + timedelta(days=30))
        repos.history.add(
            [
                journal.change(replace(plums, content=PARAPHRASE), plums, "edit", at=NOON, actor="user"),
                journal.created(plums, actor="distiller", reason=f"unlike “{SECRET}”"),
                journal.change(replace(plums, content="Plums"), plums, "edit", at=NOON, actor="user", reason="better"),
            ]
        )
        save_rule(repos, rule_from("r1", "ana", FactKind.OTHER, SECRET, "", NOON))
        save_rule(repos, rule_from("r2", "ana", FactKind.OTHER, "The user likes plums", "", NOON))
        card = {"id": "c", "agent_id": "ana", "old": plums.id, "new": ended.id, "reason": PARAPHRASE}
        repos.meta.put("contradiction:c", {**card, "created_at": NOON.isoformat()})
        repos.meta.put("draft:ana", f"{TOLD}. And then")

    desk.write(work)
    report = desk.forgetting.forget(ForgetTarget(kind="fact", ids=(fact.id,)))
    assert report.verified, report.left
    assert "every text in" in report.proof
    with desk.store.read() as repos:
        assert repos.text.holding("flowerpot") == []
        assert [change.before for change in repos.runs.changes(run.id).items] == [bland]
        assert repos.items.get(ended.id).reason == ""
        assert [rule.id for rule in load_rules(repos)] == ["r2"]
        assert repos.meta.prefix("contradiction:") == repos.meta.prefix("draft:") == {}
    texts = [(entry.action, entry.old, entry.reason) for entry in desk.history.of("fact", plums.id)]
    assert texts == [("edit", {"content": "Plums"}, "better"), ("add", None, ""), ("edit", None, "")]


def test_the_same_words_said_in_two_conversations_are_forgotten_with_one_of_them_only(desk):
    for agent in ("ana", "ben"):
        for thread in ("one", "two"):
            desk.thread(thread, TOLD, "Noted.", agent_id=agent, title=TOLD)
    turns = {}
    with desk.store.read() as repos:
        for agent in ("ana", "ben"):
            turns |= {(agent, thread): repos.turns.of_conversation(agent, thread)[0] for thread in ("one", "two")}
    both = tuple(FactSource(turn_id=turns["ana", thread].id, quote=TOLD) for thread in ("one", "two"))
    fact = desk.fact(SECRET, sources=both, source_count=2, salience=0.6, run_id="one", origin="distiller")
    desk.memories.edit_fact(fact.id, tags=("keys",))
    told = receipt(desk, shown(fact.id, f"3 May 2024: {SECRET}", TOLD))
    before, log = stored(desk, told), desk.history.of("fact", fact.id)
    report = desk.forgetting.forget(ForgetTarget(kind="conversation", ids=("one",), agent_id="ana"))
    assert report.verified, report.left
    assert report.kept_elsewhere > 0
    left = desk.facts()[fact.id]
    assert (left.source_count, left.salience, left.sources, left.run_id) == (1, 0.55, both[1:], "two")
    assert stored(desk, told) == before
    assert desk.history.of("fact", fact.id) == log
    with desk.store.read() as repos:
        assert repos.conversations.get("ana", "two").title == TOLD
        assert len(repos.turns.of_conversation("ana", "two")) == 2
        assert repos.conversations.get("ben", "one").title == TOLD


def test_a_person_who_speaks_is_not_learned_of_again(desk):
    desk.thread("talk", "I moved to Porto", "And I stayed", title="Moving")
    with desk.store.read() as repos:
        turns = repos.turns.of_conversation("ana", "talk")

    def named(repos):
        rows.forget_turns(repos, [turn.id for turn in turns])
        repos.turns.add(
            [replace(turn, id=new_id(), speaker=name) for turn, name in zip(turns, ("Ida", "Bo"), strict=True)]
        )
        repos.entities.put(Entity(id="i", agent_id="ana", name="Ida", created_at=NOON, updated_at=NOON))

    desk.write(named)
    target = ForgetTarget(kind="entity", ids=("i",))
    [note] = desk.forgetting.preview(target).notes
    assert "Left in the transcript: 1 message with the name “Ida”, in “Moving”" in note
    desk.forgetting.forget(target)
    with desk.store.read() as repos:
        read = without_forgotten(repos, "ana", repos.turns.of_conversation("ana", "talk"))
    assert [turn.content for turn in read] == ["…", "And I stayed"]


def test_every_text_column_is_looked_through_also_of_tables_that_come_later(desk):
    def later(repos):
        repos._conn.change("CREATE TABLE afterthoughts (id TEXT PRIMARY KEY, words TEXT NOT NULL) STRICT")
        repos._conn.change("INSERT INTO afterthoughts VALUES ('a', 'a wandering albatross')")

    desk.write(later)
    with desk.store.read() as repos:
        assert repos.text.holding("albatross") == [("afterthoughts", "a")]
