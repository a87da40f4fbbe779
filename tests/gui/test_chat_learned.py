"""What was learned from a conversation, seen when it is opened again."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memdesk.domain.models import Episode, Fact, FactStatus, new_id


@pytest.fixture
def learned(desk, model):
    """A conversation that was distilled: one fact kept, one that waits, one that the user wrote himself."""
    list(desk.real.chat.send(agent_id="default", conversation_id="talk", text="My bicycle is green."))
    now = desk.real.clock.now()

    def write(repos):
        for number, summary in enumerate(("An older digest.", "Ada told of her bicycle.")):
            episode = Episode(
                id=new_id(),
                agent_id="default",
                conversation_id="talk",
                summary=summary,
                started_at=now,
                ended_at=now,
                created_at=now + timedelta(seconds=number),
                updated_at=now,
            )
            repos.episodes.put(episode)
        for content, status in (("Ada's bicycle is green.", "active"), ("Ada races.", "review")):
            repos.facts.put(
                Fact(
                    id=new_id(),
                    agent_id="default",
                    content=content,
                    status=FactStatus(status),
                    origin="distiller",
                    conversation_id="talk",
                    episode_id=episode.id,
                    created_at=now,
                    updated_at=now,
                )
            )

    desk.real.memories._store.write(write)
    desk.real.memories.add_fact(agent_id="default", content="Ada likes tea.")


def test_the_chip_is_there_when_the_conversation_is_opened_later(desk, qtbot, learned):
    page = desk.page("chat", agent_id="default", conversation_id="talk")
    (chip,) = page.messages.last_assistant()._notes
    assert chip.button.text().strip() == "Learned 1 fact · 1 waits for review"
    chip.button.click()
    desk.settle()
    assert page.explaining.learned.isVisible()
    page.explaining.learned._undo()
    desk.settle()
    page.new_chat()
    page.open_conversation("default", "talk")
    desk.settle()
    (chip,) = page.messages.last_assistant()._notes
    assert chip.button.text().strip() == "Summed up, no new facts"


def test_a_conversation_that_was_never_distilled_says_nothing(desk, qtbot, model):
    list(desk.real.chat.send(agent_id="default", conversation_id="talk", text="Hello"))
    page = desk.page("chat", agent_id="default", conversation_id="talk")
    assert page.messages.last_assistant()._notes == []
