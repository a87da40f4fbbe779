"""Editing a message undoes what was learned from it, and its new text is learned."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdesk.domain.models import FactSource, FactStatus, Receipt, ReceiptItem, SignalStatus
from memdesk.ports import FactFilter
from memdesk.services.agents.agents import AgentsService
from memdesk.services.forgetting import forgetting
from memdesk.services.forgetting.forgetting import ForgetTarget
from memdesk.services.recording.ingest import IngestService
from memdesk.services.recording.turns import IngestTurn, NewTurn
from tests.helpers.distill_desk import DistillDesk


@pytest.fixture
def desk(tmp_path):
    desk = DistillDesk(tmp_path)
    desk.settings.set_memory(extraction_mode="rules")
    shared = {"store": desk.store, "clock": desk.clock, "events": desk.bus}
    desk.ingest = IngestService(
        **shared,
        settings=desk.settings,
        agents=AgentsService(**shared, forgetting=desk.forgetting),
        distillation=desk.distillation,
        forgetting=desk.forgetting,
    )
    yield desk
    desk.close()


def record(desk, *texts, instead_of=()):
    turns = [NewTurn(role="user" if n % 2 == 0 else "assistant", content=text) for n, text in enumerate(texts)]
    made = desk.ingest.record(agent_id="ana", conversation_id="talk", turns=turns, instead_of=instead_of)
    desk.distillation.distill("ana", "talk")
    return made


def told(desk):
    """Everything that was learned, as one text."""
    with desk.store.read() as repos:
        facts = repos.items.facts(FactFilter(agent_id="ana", status=(FactStatus.ACTIVE,)), limit=100).items
        episodes = repos.items.episodes(agent_id="ana", limit=100).items
    lines = [fact.content for fact in facts] + [episode.content for episode in episodes]
    return "\n".join([*lines, *(detail.content for episode in episodes for detail in episode.session.details)])


def test_an_edited_message_is_learned_anew_and_the_former_words_are_gone(desk):
    record(desk, "My sister Dana keeps bees in Porto.", "How nice!")
    former = record(desk, "I am allergic to walnuts, since I was a child.", "I will keep that in mind.")
    assert "walnuts" in told(desk)
    record(desk, "I am allergic to hazelnuts, since I was a child.", "Noted.", instead_of=[turn.id for turn in former])
    assert "walnuts" not in told(desk)
    assert "hazelnuts" in told(desk)
    assert "Dana" in told(desk)
    with desk.store.read() as repos:
        assert repos.text.holding("walnuts") == []
    desk.store.checkpoint()
    assert not desk.store.pages_holding([b"walnuts"])
    with desk.store.read() as repos:
        contents = [turn.content for turn in repos.turns.of_conversation("ana", "talk")]
    assert contents[2:] == ["I am allergic to hazelnuts, since I was a child.", "Noted."]


def test_what_was_stated_elsewhere_too_survives_the_edit(desk):
    first = record(desk, "I am allergic to walnuts, since I was a child.", "Noted.")
    other = desk.thread("other", "I am allergic to walnuts")[0]
    sources = tuple(FactSource(turn_id=turn.id, quote=turn.content) for turn in (first[0], other))
    fact = desk.fact("The user is allergic to walnuts, they say", sources=sources, source_count=2)
    record(desk, "I like plums.", "Fine.", instead_of=[turn.id for turn in first])
    assert desk.facts()[fact.id].sources == sources[1:]
    assert desk.facts()[fact.id].source_count == 1


WALNUTS = "I am allergic to walnuts, since I was a child."
HAZELNUTS = "I am allergic to hazelnuts, since I was a child."


def test_an_edit_while_the_session_is_distilled_counts(desk, monkeypatch):
    first = record(desk, "My sister Dana keeps bees in Porto.", "How nice!")
    turns = [NewTurn(role="user", content=WALNUTS), NewTurn(role="assistant", content="Noted.")]
    former = desk.ingest.record(agent_id="ana", conversation_id="talk", turns=turns)
    reader, edits = desk.distillation._attempts._reader, []
    read = reader.read

    def edited_meanwhile(*asked):
        found = read(*asked)
        if not edits:
            edits.append(True)
            new = [NewTurn(role="user", content=HAZELNUTS), NewTurn(role="assistant", content="Noted.")]
            ids = [turn.id for turn in former]
            desk.ingest.record(agent_id="ana", conversation_id="talk", turns=new, instead_of=ids)
        return found

    monkeypatch.setattr(type(reader), "read", lambda _, *asked: edited_meanwhile(*asked))
    [outcome] = desk.distillation.distill("ana", "talk")
    assert outcome.outcome == "distilled"
    assert edits
    assert "hazelnuts" in told(desk)
    assert "walnuts" not in told(desk).replace("hazelnuts", "")
    assert "Dana" in told(desk)
    with desk.store.read() as repos:
        assert repos.text.holding("walnuts") == []
        assert repos.turns.get(first[0].id) is not None


def test_a_fact_forgotten_while_its_session_is_distilled_is_not_learned_again(desk, monkeypatch):
    record(desk, WALNUTS, "Noted.")
    desk.ingest.record(agent_id="ana", conversation_id="talk", turns=[NewTurn(role="user", content="I like plums.")])
    [fact] = [fact for fact in desk.facts().values() if "walnuts" in fact.content]
    reader = desk.distillation._attempts._reader
    read = reader.read

    def forgotten_meanwhile(*asked):
        found = read(*asked)
        if fact.id in desk.facts():
            desk.forgetting.forget(ForgetTarget(kind="fact", ids=(fact.id,)))
        return found

    monkeypatch.setattr(type(reader), "read", lambda _, *asked: forgotten_meanwhile(*asked))
    desk.distillation.distill("ana", "talk")
    assert "walnuts" not in told(desk)
    assert "plums" in told(desk)


def test_an_edit_of_a_parked_session_is_learned(desk):
    turns = [NewTurn(role="user", content=WALNUTS), NewTurn(role="assistant", content="Noted.")]
    former = desk.ingest.record(agent_id="ana", conversation_id="talk", turns=turns)
    with desk.store.read() as repos:
        waiting = [signal.id for signal in repos.signals.pending("ana", "talk")]
    desk.write(lambda repos: repos.signals.mark(waiting, SignalStatus.PARKED, attempts=5, error="no answer"))
    record(desk, HAZELNUTS, "Noted.", instead_of=[turn.id for turn in former])
    assert "hazelnuts" in told(desk)
    assert "walnuts" not in told(desk).replace("hazelnuts", "")
    with desk.store.read() as repos:
        assert repos.signals.counts()["parked"] == 0


def test_a_receipt_of_what_was_forgotten_meanwhile_says_only_that_there_was_something(desk):
    record(desk, WALNUTS, "Noted.")
    fact = next(iter(desk.facts().values()))
    item = ReceiptItem(kind="fact", id=fact.id, line=fact.content, score=1.0, tokens=9, quote=WALNUTS)
    shown = Receipt(
        id="shown",
        agent_id="ana",
        query="What must I not eat?",
        section="pinned",
        rule="possessive",
        tokens=9,
        budget_tokens=800,
        block=fact.content,
        items=(item,),
        created_at=desk.clock.now(),
    )
    desk.forgetting.forget(ForgetTarget(kind="fact", ids=(fact.id,), include_turns=True))
    answer = [NewTurn(role="user", content="What must I not eat?"), NewTurn(role="assistant", content="I cannot say.")]
    turns = [answer[0], replace(answer[1], receipt=shown)]
    desk.ingest.record(agent_id="ana", conversation_id="later", turns=turns)
    with desk.store.read() as repos:
        stored = repos.receipts.get("shown")
        assert (stored.block, [(one.id, one.line, one.quote) for one in stored.items]) == ("", [(fact.id, "", "")])
        assert repos.text.holding("walnuts") == []


def test_ingesting_again_replaces_also_what_is_too_much_for_one_transaction(desk, monkeypatch):
    monkeypatch.setattr(forgetting, "_SMALL", 0)
    for words in (WALNUTS, HAZELNUTS):
        turns = [IngestTurn(user=words, assistant="Noted."), IngestTurn(user="My sister Dana keeps bees in Porto.")]
        desk.ingest.ingest(agent_id="ana", conversation_id="import", turns=turns)
    assert "hazelnuts" in told(desk)
    assert told(desk).count("Dana") <= 3
    with desk.store.read() as repos:
        assert [turn.content for turn in repos.turns.of_conversation("ana", "import")] == [
            HAZELNUTS,
            "Noted.",
            "My sister Dana keeps bees in Porto.",
        ]
        assert repos.conversations.get("ana", "import").title == HAZELNUTS
        assert repos.text.holding("to walnuts") == []


def test_an_identity_line_said_in_two_conversations_stays_when_one_is_forgotten(desk):
    for thread in ("one", "two"):
        desk.ingest.record(agent_id="ana", conversation_id=thread, turns=[NewTurn(role="user", content=WALNUTS)])
        desk.distillation.distill("ana", thread)
    [line] = desk.memories.identity()
    assert len(line.sources) == 2
    desk.forgetting.forget(ForgetTarget(kind="conversation", ids=("one",), agent_id="ana"))
    [left] = desk.memories.identity()
    assert (left.id, left.content, left.sources) == (line.id, line.content, line.sources[1:])
    desk.forgetting.forget(ForgetTarget(kind="conversation", ids=("two",), agent_id="ana"))
    assert desk.memories.identity() == []
