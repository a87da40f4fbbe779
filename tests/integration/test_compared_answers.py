"""Two models side by side: one message, the same memory, one answer that continues and one kept as its version."""

from __future__ import annotations

import pytest

from memdesk.errors import EngineCrashedError, NotFoundError
from memdesk.services.chatting import Comparison, Finished
from tests.helpers.models import QueueModel
from tests.helpers.parts import make_parts


@pytest.fixture
def models():
    return QueueModel("fake:one"), QueueModel("fake:two", context=1024)


@pytest.fixture
def parts(tmp_path, models):
    made = make_parts(tmp_path, model=models[0], others=models[1:])
    made.services.agents.ensure("default")
    yield made
    made.close()


class Compared:
    """One message that both models answer, each when it is asked to."""

    def __init__(self, parts, text, conversation_id=None, **more):
        self.services = parts.services
        self.comparison = Comparison(("fake:one", "fake:two"))
        self.wanted = {"agent_id": "default", "conversation_id": conversation_id, "text": text, **more}

    def events(self, side):
        model = self.comparison.models[side]
        return list(self.services.chat.send(model=model, beside=self.comparison, **self.wanted))

    def end(self, side):
        return next(event for event in self.events(side) if isinstance(event, Finished))


def words(parts, conversation_id):
    return [turn.content for turn in parts.services.conversations.turns("default", conversation_id)]


def versions(parts, conversation_id):
    return {each.count for each in parts.services.conversations.versions("default", conversation_id).values()}


def test_the_first_that_is_finished_goes_on_and_the_other_can_be_kept_instead(parts, models):
    parts.services.memories.add_fact(agent_id="default", content="I keep my kayak in the shed.")
    one, two = models
    one.queue("In the shed.")
    two.queue("Behind the shed.")
    asked = Compared(parts, "Where is my kayak?")
    second, first = asked.end(1), asked.end(0)
    talk = second.conversation_id
    assert first.conversation_id == talk
    assert words(parts, talk) == ["Where is my kayak?", "Behind the shed."]
    assert versions(parts, talk) == {2}
    assert parts.services.chat.keep_compared("default", talk, second.turns[-1].id) == []
    kept = parts.services.chat.keep_compared("default", talk, first.turns[-1].id)
    assert words(parts, talk) == ["Where is my kayak?", "In the shed."]
    assert (kept[0].model, versions(parts, talk)) == ("fake:one", {2})
    assert parts.services.chat.receipts.get(kept[0].receipt_id).items
    with pytest.raises(NotFoundError):
        parts.services.chat.keep_compared("default", talk, "gone")


def test_both_are_given_the_same_of_memory_and_neither_sees_the_other(parts, models):
    parts.services.memories.add_fact(agent_id="default", content="I keep my kayak in the shed.")
    asked = Compared(parts, "Where is my kayak?")
    receipts = [asked.events(side)[0].receipt for side in (0, 1)]
    assert receipts[0] is receipts[1]
    assert receipts[0].items
    prompts = [model.requests[0].messages for model in models]
    assert prompts[0] == prompts[1]


def test_one_that_fails_leaves_the_other(parts, models):
    models[0].queue(EngineCrashedError("gone"))
    models[1].queue("Behind the shed.")
    asked = Compared(parts, "Where is my kayak?")
    with pytest.raises(EngineCrashedError):
        asked.end(0)
    end = asked.end(1)
    assert words(parts, end.conversation_id) == ["Where is my kayak?", "Behind the shed."]
    assert versions(parts, end.conversation_id) == set()


def test_a_chat_that_is_deleted_meanwhile_does_not_come_back(parts, models):
    asked = Compared(parts, "Where is my kayak?")
    end = asked.end(0)
    parts.services.conversations.delete("default", end.conversation_id)
    late = asked.end(1)
    assert late.turns == ()
    assert words(parts, end.conversation_id) == []


def test_the_chat_goes_on_with_what_it_holds(parts, models):
    asked = Compared(parts, "Where is my kayak?")
    talk = asked.end(0).conversation_id
    asked.end(1)
    models[0].requests.clear()
    Compared(parts, "And the paddle?", talk).end(0)
    told = [message.content for message in models[0].requests[0].messages if message.role == "assistant"]
    assert told == ["All right."]
    assert words(parts, talk)[2] == "And the paddle?"
