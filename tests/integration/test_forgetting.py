"""Forgetting on a real encrypted store: what goes, what stays, and that nothing is left."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.models import Entity, FactKind, FactSource, FactStatus, Receipt, ReceiptItem, Relation, new_id
from memdesk.errors import BadRequestError, NotFoundError
from memdesk.ports import TextFilter
from memdesk.services.distilling.marks import without_forgotten
from memdesk.services.forgetting.forgetting import ForgetTarget
from memdesk.services.recording import drafts
from tests.helpers import rows
from tests.helpers.memory_rows import NOON, Desk

SECRET = "The user hides the spare key under the blue flowerpot"
TOLD = "I hide the spare key under the blue flowerpot"


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path, agents=("ana", "ben"))
    yield desk
    desk.close()


def found_anywhere(desk, phrase: str) -> bool:
    desk.store.checkpoint()
    if desk.store.pages_holding([phrase.encode()]):
        return True
    with desk.store.read() as repos:
        return any(
            repos.text.search(target, [phrase], TextFilter(agent_id="ana"))
            for target in ("turn", "fact", "episode", "detail")
        )


def receipt(desk, items, conversation_id="other") -> Receipt:
    made = Receipt(
        id=new_id(),
        agent_id="ana",
        query="where is it",
        section="pinned",
        rule="possessive",
        tokens=9,
        budget_tokens=800,
        block="\n".join(item.line for item in items),
        items=tuple(items),
        conversation_id=conversation_id,
        created_at=NOON,
    )
    desk.write(lambda repos: repos.receipts.put(made))
    return made


def test_a_fact_goes_with_every_copy_of_it(desk):
    turn = desk.thread("keys", TOLD, "Noted.")[0]
    fact = desk.said(turn, SECRET)
    episode = desk.episode(
        f"{SECRET}. They also spoke of the weather.",
        conversation_id="keys",
        details=[SECRET, "The weather was fine all week"],
        decisions=("spare key stays under the blue flowerpot",),
    )
    copy = desk.fact(SECRET.lower(), status=FactStatus.DISABLED)
    merged = desk.fact(SECRET + ", as always", status=FactStatus.MERGED, superseded_by=fact.id)
    desk.memories.edit_fact(fact.id, content=SECRET + " now", actor="api", actor_detail="a token")
    desk.write(lambda repos: repos.runs.bin_add("run", [("fact", fact.id, "ana", {"text": SECRET})], NOON))
    shown = receipt(
        desk, [ReceiptItem(kind="fact", id=fact.id, line=f"- {SECRET}", score=1.0, tokens=9, quote=turn.content)]
    )
    # What goes with every reply is shown as a line about the user.
    always = receipt(desk, [ReceiptItem(kind="identity", id=fact.id, line=f"- {SECRET} now", score=1.0, tokens=9)])
    target = ForgetTarget(kind="fact", ids=(fact.id,), include_turns=True)
    preview = desk.forgetting.preview(target)
    assert preview.counts == {"facts": 3, "episodes_changed": 1, "turns": 1}
    report = desk.forgetting.forget(target)
    assert report.counts == preview.counts
    assert report.verified, report.left
    assert report.phrases_checked > 3
    for phrase in ("blue flowerpot", "the spare key under", "flowerpot"):
        assert not found_anywhere(desk, phrase), phrase
    assert desk.facts() == {}
    left = desk.episodes()[episode.id]
    assert left.content == "They also spoke of the weather."
    assert [detail.content for detail in left.session.details] == ["The weather was fine all week"]
    assert left.session.decisions == ()
    with desk.store.read() as repos:
        emptied = repos.receipts.get(shown.id)
        assert repos.receipts.get(always.id).items[0].line == repos.receipts.get(always.id).block == ""
        assert repos.runs.bin_list().total == 0
    assert emptied.block == ""
    assert emptied.items[0].line == emptied.items[0].quote == ""
    entries = desk.history.of("fact", fact.id)
    assert [(entry.action, entry.old, entry.new) for entry in entries] == [("forget", None, None), ("edit", None, None)]
    assert [entry.action for entry in desk.history.of("fact", copy.id)] == ["forget"]
    assert [entry.action for entry in desk.history.of("fact", merged.id)] == ["forget"]


@pytest.mark.parametrize("kind", ["turn", "fact"])
def test_the_title_the_draft_and_the_question_of_a_forgotten_message_go_too(desk, kind):
    turns = desk.thread("keys", TOLD, "Noted.", "And I like plums", title=TOLD)
    fact = desk.said(turns[0], SECRET)
    asked = receipt(desk, [])
    other = receipt(desk, [])

    def work(repos):
        repos.receipts.put(replace(asked, query=TOLD, block=""))
        repos.receipts.put(replace(other, query="Do I like plums?"))
        thread = repos.conversations.get("ana", "keys")
        repos.conversations.put(replace(thread, draft=f"{TOLD}, do I?"))
        drafts.write(repos, "ana", None, Draft("", {"notes.md": f"# Notes\n\n{TOLD}."}))
        drafts.write(repos, "ben", None, Draft("", {"notes.md": "Ben keeps bees."}))

    desk.write(work)
    target = {
        "turn": ForgetTarget(kind="turn", ids=(turns[0].id,), agent_id="ana"),
        "fact": ForgetTarget(kind="fact", ids=(fact.id,), include_turns=True),
    }[kind]
    report = desk.forgetting.forget(target)
    assert report.verified, report.left
    assert not found_anywhere(desk, "flowerpot")
    with desk.store.read() as repos:
        thread = repos.conversations.get("ana", "keys")
        assert (thread.title, thread.draft) == ("And I like plums", "")
        assert drafts.read(repos, "ana", None) == Draft()
        assert drafts.read(repos, "ben", None) == Draft("", {"notes.md": "Ben keeps bees."})
        assert repos.receipts.get(asked.id).query == ""
        assert repos.receipts.get(other.id).query == "Do I like plums?"


def test_the_messages_of_a_fact_stay_unless_asked_for(desk):
    turn = desk.thread("keys", TOLD)[0]
    fact = desk.said(turn, SECRET)
    target = ForgetTarget(kind="fact", ids=(fact.id,))
    assert desk.forgetting.preview(target).notes[0].startswith("It is still in 1 message of the transcript")
    report = desk.forgetting.forget(target)
    assert report.verified
    assert report.kept_elsewhere > 0
    assert report.phrases_checked > 0
    with desk.store.read() as repos:
        assert repos.turns.get(turn.id).content == TOLD


def test_what_was_forgotten_is_not_learned_again_from_the_same_message(desk):
    turns = desk.thread("keys", f"Hello there. {TOLD}. I also like plums.", "Noted.")
    fact = desk.fact(
        SECRET,
        sources=(FactSource(turn_id=turns[0].id, quote=TOLD + "."),),
        run_id="keys",
        origin="distiller",
    )
    desk.forgetting.forget(ForgetTarget(kind="fact", ids=(fact.id,)))
    with desk.store.read() as repos:
        read = without_forgotten(repos, "ana", repos.turns.of_conversation("ana", "keys"))
        marks = repos.meta.prefix("forgotten:")
    assert [turn.content for turn in read] == ["Hello there. I also like plums.", "Noted."]
    assert "flowerpot" not in repr(marks)
    desk.thread("other", TOLD)
    with desk.store.read() as repos:
        anew = without_forgotten(repos, "ana", repos.turns.of_conversation("ana", "other"))
    assert [turn.content for turn in anew] == [TOLD]
    desk.forgetting.forget(ForgetTarget(kind="conversation", ids=("keys",), agent_id="ana"))
    with desk.store.read() as repos:
        assert repos.meta.prefix("forgotten:") == {}


def test_a_conversation_takes_what_was_learned_from_it_alone(desk):
    mine = desk.thread("keys", TOLD, "Noted.", title="Spare key talk")
    other = desk.thread("later", "The key is where I said")
    only_here = desk.said(mine[0], SECRET)
    shared = desk.fact(
        "The user has a spare key",
        sources=(FactSource(turn_id=mine[0].id, quote=TOLD), FactSource(turn_id=other[0].id, quote="The key")),
        source_count=2,
        run_id="keys",
    )
    gone = desk.episode("The user hides a spare key.", conversation_id="keys", details=[SECRET])
    kept = desk.episode("They spoke again.", conversation_id="later")
    lines = [
        rows.line(
            f"{name} line about the flowerpot",
            id=name,
            origin=origin,
            run_id="keys",
            sources=sources,
            created_at=NOON,
            updated_at=NOON,
        )
        for name, origin, sources in (
            ("learned", "distiller", (FactSource(turn_id=mine[0].id, quote=TOLD),)),
            ("written", "user", ()),
        )
    ]
    entities = [
        Entity(id=id_, agent_id="ana", name=name, created_at=NOON, updated_at=NOON)
        for id_, name in (("e1", "Flowerpot"), ("e2", "Key"))
    ]

    def link(repos):
        for line in lines:
            repos.items.put(line)
        for entity in entities:
            repos.entities.put(entity)
        repos.entities.link("e1", "fact", only_here.id)
        repos.entities.link("e1", "episode", gone.id)
        repos.entities.link("e2", "fact", only_here.id)
        repos.entities.link("e2", "episode", kept.id)
        repos.entities.relate(
            Relation(
                id="under",
                agent_id="ana",
                subject_id="e2",
                predicate="is under",
                object_id="e1",
                fact_id=only_here.id,
                created_at=NOON,
            )
        )

    desk.write(link)
    target = ForgetTarget(kind="conversation", ids=("keys",), agent_id="ana")
    preview = desk.forgetting.preview(target)
    report = desk.forgetting.forget(target)
    assert preview.counts == report.counts
    assert report.counts == {
        "facts": 1,
        "facts_changed": 1,
        "episodes": 1,
        "identity": 1,
        "turns": 2,
        "conversations": 1,
        "entities": 1,
    }
    assert report.verified, report.left
    [left] = desk.facts().values()
    assert left.id == shared.id
    assert left.sources == (FactSource(turn_id=other[0].id, quote="The key"),)
    assert left.source_count == 1
    assert left.run_id == "later"
    assert list(desk.episodes()) == [kept.id]
    assert [line.id for line in desk.memories.identity()] == ["written"]
    with desk.store.read() as repos:
        assert repos.entities.get("e1") is None
        assert repos.entities.relations("e2") == []
        assert repos.conversations.get("ana", "keys") is None
    assert not found_anywhere(desk, TOLD)
    assert not found_anywhere(desk, "Spare key talk")


def test_a_conversation_without_what_was_learned(desk):
    turns = desk.thread("keys", TOLD)
    fact = desk.said(turns[0], "The user has a hiding place")
    target = ForgetTarget(kind="conversation", ids=("keys",), agent_id="ana", learned=False)
    assert desk.forgetting.preview(target).notes == ("Left without quotes: 1 fact learned from it.",)
    report = desk.forgetting.forget(target)
    assert report.verified, report.left
    assert desk.facts()[fact.id].sources == ()
    assert not found_anywhere(desk, "blue flowerpot")


def test_what_a_forgotten_conversation_had_ended_counts_again(desk):
    turn = desk.thread("move", "I moved to Oslo last week")[0]
    now = desk.said(turn, "The user lives in Oslo")
    old = desk.fact("The user lives in Porto", status=FactStatus.SUPERSEDED, superseded_by=now.id, valid_until=NOON)
    desk.forgetting.forget(ForgetTarget(kind="conversation", ids=("move",), agent_id="ana"))
    back = desk.facts()[old.id]
    assert (back.status, back.superseded_by, back.valid_until) == (FactStatus.ACTIVE, None, None)


def test_forgetting_one_fact_does_not_revive_what_it_replaced(desk):
    now = desk.fact("The user lives in Oslo")
    old = desk.fact("The user lives in Porto", status=FactStatus.SUPERSEDED, superseded_by=now.id, reason="Oslo")
    desk.forgetting.forget(ForgetTarget(kind="fact", ids=(now.id,)))
    left = desk.facts()[old.id]
    assert (left.status, left.superseded_by) == (FactStatus.SUPERSEDED, None)
    assert "Oslo" not in left.reason


def test_a_merged_episode_of_another_conversation_stands_alone_again(desk):
    desk.thread("one", "We planned Lisbon")
    second = desk.thread("two", "We planned Lisbon and the night train")[0]
    older = desk.episode("They planned Lisbon", conversation_id="one", created_at=NOON - timedelta(days=2))
    newer = desk.episode(
        "They planned Lisbon",
        conversation_id="two",
        details=[rows.detail("A night train at ten", id="d", turn_ids=(second.id,))],
        decisions=("night train",),
        created_at=NOON - timedelta(days=1),
    )
    desk.write(lambda repos: repos.items.put(rows.changed(newer, details=())))
    desk.consolidation.run()
    desk.write(lambda repos: repos.items.put(rows.changed(newer, status=FactStatus.MERGED, merged_into=older.id)))
    desk.forgetting.forget(ForgetTarget(kind="conversation", ids=("one",), agent_id="ana"))
    [left] = desk.episodes().values()
    assert (left.id, left.status, left.superseded_by) == (newer.id, "active", None)


def test_what_an_episode_took_in_goes_with_the_conversation_it_came_from(desk):
    desk.thread("one", "We planned Lisbon")
    second = desk.thread("two", "The night train at ten")[0]
    desk.episode("They planned the trip to Lisbon by rail", conversation_id="one", created_at=NOON - timedelta(days=2))
    desk.episode(
        "They planned the trip to Lisbon by rail",
        conversation_id="two",
        details=[rows.detail("by rail", id="d", turn_ids=(second.id,))],
        decisions=("the night train at ten",),
        created_at=NOON - timedelta(days=1),
    )
    assert desk.consolidation.run().run.counts["merge"] == 1
    [keeper] = [episode for episode in desk.episodes().values() if episode.status == "active"]
    assert keeper.session.decisions == ("the night train at ten",)
    report = desk.forgetting.forget(ForgetTarget(kind="conversation", ids=("two",), agent_id="ana"))
    assert report.verified, report.left
    [left] = desk.episodes().values()
    assert (left.id, left.session.details, left.session.decisions, left.source_count) == (keeper.id, (), (), 1)
    assert not found_anywhere(desk, "night train at ten")


def test_somebody_whom_only_the_forgotten_message_named_goes_too(desk):
    turn, _answer, other = desk.thread("people", "My sister Zuzanna paints boats", "Nice.", "I live in Graz")
    about = desk.said(turn, "The user's sister Zuzanna paints boats", kind=FactKind.RELATIONSHIP)
    home = desk.said(other, "The user lives in Graz")
    episode = desk.episode(
        "The user's sister Zuzanna paints boats. The user lives in Graz.",
        conversation_id="people",
        entities=("Zuzanna", "Graz"),
    )

    def link(repos):
        for key, name, fact in (("z", "Zuzanna", about), ("g", "Graz", home)):
            repos.entities.put(Entity(id=key, agent_id="ana", name=name, created_at=NOON, updated_at=NOON))
            repos.entities.link(key, "fact", fact.id)
            repos.entities.link(key, "episode", episode.id)

    desk.write(link)
    report = desk.forgetting.forget(ForgetTarget(kind="fact", ids=(about.id,), include_turns=True))
    assert report.verified, report.left
    with desk.store.read() as repos:
        assert [entity.name for entity in repos.entities.page(agent_id="ana").items] == ["Graz"]
    assert not found_anywhere(desk, "Zuzanna")


def test_everything_about_an_entity(desk):
    turn = desk.thread("people", "My sister Zuzanna paints boats")[0]
    about = desk.said(turn, "The user's sister Zuzanna paints boats", kind=FactKind.RELATIONSHIP)
    other = desk.fact("The user paints the fence")
    episode = desk.episode("They spoke of Zuzanna. The fence needs paint.", entities=("Zuzanna", "fence"))
    only = desk.episode("All about zuzanna and her boats.")
    entity = Entity(id="z", agent_id="ana", name="Zuzanna", type="person", created_at=NOON, updated_at=NOON)

    def link(repos):
        repos.entities.put(entity)
        repos.entities.link("z", "fact", about.id)
        repos.entities.link("z", "episode", episode.id)

    desk.write(link)
    target = ForgetTarget(kind="entity", ids=("z",), include_turns=True)
    report = desk.forgetting.forget(target)
    assert report.counts == {"facts": 1, "episodes": 1, "episodes_changed": 1, "turns": 1, "entities": 1}
    assert report.verified, report.left
    assert list(desk.facts()) == [other.id]
    assert only.id not in desk.episodes()
    left = desk.episodes()[episode.id]
    assert (left.content, left.session.entities) == ("The fence needs paint.", ("fence",))
    assert not found_anywhere(desk, "Zuzanna")
    assert not found_anywhere(desk, "zuzanna")


def test_an_agent_loses_its_memory_and_keeps_its_settings(desk):
    for agent in ("ana", "ben"):
        turn = desk.thread("keys", TOLD + agent, agent_id=agent)[0]
        desk.said(turn, SECRET + agent, agent_id=agent)
        desk.episode(SECRET + agent, agent_id=agent)
        desk.write(lambda repos, agent=agent: repos.meta.put(f"draft:{agent}", SECRET))
    desk.consolidation.run()
    report = desk.forgetting.forget(ForgetTarget(kind="agent", ids=("ana",)))
    assert report.verified, report.left
    assert desk.facts("ana") == desk.episodes("ana") == {}
    assert len(desk.facts("ben")) == len(desk.episodes("ben")) == 1
    with desk.store.read() as repos:
        assert repos.agents.get("ana").name == "ana"
        assert repos.meta.get("draft:ana") is None
        assert repos.meta.get("draft:ben") == SECRET
    assert not found_anywhere(desk, SECRET + "ana")


def test_a_person_goes_from_the_lines_about_the_user_too(desk):
    entity = Entity(id="z", agent_id="ana", name="Zuzanna", type="person", created_at=NOON, updated_at=NOON)
    heard = rows.line("The user is married to Zuzanna", id="heard", origin="distiller", source_agent_id="ana")
    elsewhere = rows.line("Zuzanna is of another agent", id="elsewhere", origin="distiller", source_agent_id="ben")
    written = rows.line("My wife is Zuzanna", id="written")

    def work(repos):
        repos.entities.put(entity)
        for line in (heard, elsewhere, written):
            repos.items.put(line)

    desk.write(work)
    desk.forgetting.forget(ForgetTarget(kind="entity", ids=("z",)))
    assert [line.id for line in desk.memories.identity()] == ["elsewhere"]


def test_what_a_forgotten_line_was_learned_from_is_not_learned_again(desk):
    told = desk.thread("keys", TOLD + ". I also like plums.", "Noted.")
    line = rows.line(
        SECRET, id="l", origin="distiller", source_agent_id="ana", sources=(FactSource(turn_id=told[0].id, quote=TOLD),)
    )
    desk.write(lambda repos: repos.items.put(line))
    desk.forgetting.forget(ForgetTarget(kind="identity", ids=("l",)))
    with desk.store.read() as repos:
        read = without_forgotten(repos, "ana", repos.turns.of_conversation("ana", "keys"))
    assert [turn.content for turn in read] == ["I also like plums.", "Noted."]


def test_everything(desk):
    for agent in ("ana", "ben"):
        desk.said(desk.thread("keys", TOLD, agent_id=agent)[0], SECRET, agent_id=agent)
        desk.write(lambda repos, agent=agent: repos.meta.put(f"draft:{agent}", SECRET))
    desk.memories.add_identity("The user is careful with flowerpots")
    report = desk.forgetting.forget(ForgetTarget(kind="everything"))
    assert report.verified, report.left
    assert desk.every_fact() == []
    assert desk.memories.identity() == []
    assert not found_anywhere(desk, "flowerpot")


def test_a_single_message(desk):
    turns = desk.thread("keys", TOLD, "Noted.", "And I like plums")
    desk.said(turns[0], SECRET)
    plums = desk.said(turns[2], "The user likes plums")
    episode = desk.episode(f"{SECRET}. The user likes plums.", conversation_id="keys")
    report = desk.forgetting.forget(ForgetTarget(kind="turn", ids=(turns[0].id,), agent_id="ana"))
    assert report.verified, report.left
    assert list(desk.facts()) == [plums.id]
    assert desk.episodes()[episode.id].content == "The user likes plums."
    assert not found_anywhere(desk, "blue flowerpot")


def test_what_does_not_exist_is_told_and_nothing_changes(desk):
    fact = desk.fact(SECRET)
    for target in (
        ForgetTarget(kind="facts", ids=(fact.id, "nothing")),
        ForgetTarget(kind="episode", ids=("nothing",)),
        ForgetTarget(kind="identity", ids=("nothing",)),
        ForgetTarget(kind="conversation", ids=("nothing",), agent_id="ana"),
        ForgetTarget(kind="entity", ids=("nothing",)),
        ForgetTarget(kind="turn", ids=("nothing",), agent_id="ana"),
        ForgetTarget(kind="agent", ids=("nobody",)),
    ):
        with pytest.raises(NotFoundError):
            desk.forgetting.forget(target)
    with pytest.raises(BadRequestError):
        desk.forgetting.preview(ForgetTarget(kind="conversation", ids=("keys",)))
    assert list(desk.facts()) == [fact.id]


def test_indexes_are_told(desk):
    turn = desk.thread("keys", TOLD)[0]
    fact = desk.said(turn, SECRET)
    desk.forgetting.forget(ForgetTarget(kind="conversation", ids=("keys",), agent_id="ana"))
    assert ("ana", "item", (fact.seq,)) in desk.indexing.forgotten
    assert ("ana", "turn", (turn.seq,)) in desk.indexing.forgotten


def test_a_run_can_still_be_undone_after_one_of_its_facts_was_forgotten(desk):
    gone = desk.fact("An old remark about rain", salience=0.1, created_at=NOON - timedelta(days=90))
    kept = desk.fact("The user plays the cello", salience=0.5, created_at=NOON - timedelta(days=9))
    run = desk.consolidation.run().run
    desk.forgetting.forget(ForgetTarget(kind="fact", ids=(gone.id,)))
    assert desk.consolidation.bin().total == 0
    desk.consolidation.undo(run.id)
    assert desk.facts() == {kept.id: kept}
