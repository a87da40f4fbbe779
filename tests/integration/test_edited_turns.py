"""A message that the user edits in a chat takes back what was learned from it, and its new words are learned."""

from __future__ import annotations

import pytest

from memdesk.domain.models import FactSource, FactStatus
from memdesk.ports import FactFilter
from memdesk.services.agents import AgentsService
from memdesk.services.ingest import IngestService
from memdesk.services.ingest_turns import NewTurn
from tests.helpers.distil_desk import DistilDesk


@pytest.fixture
def desk(tmp_path):
    desk = DistilDesk(tmp_path)
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
        facts = repos.facts.page(FactFilter(agent_id="ana", status=(FactStatus.ACTIVE,)), limit=100).items
        episodes = repos.episodes.page(agent_id="ana", limit=100).items
    lines = [fact.content for fact in facts] + [episode.summary for episode in episodes]
    return "\n".join([*lines, *(detail.content for episode in episodes for detail in episode.details)])


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
    assert not desk.store.page_contains(b"walnuts")
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
