"""Former versions of messages: kept whole, shown again, followed by memory, and deleted when forgotten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdesk.errors import EngineCrashedError, NotFoundError
from memdesk.ports import GenerationChunk
from memdesk.services.forgetting import ForgetTarget
from tests.helpers.parts import make_parts


@pytest.fixture
def parts(tmp_path):
    made = make_parts(tmp_path)
    yield made
    made.close()


class Talk:
    """One conversation of the default agent."""

    def __init__(self, parts):
        self.model, self.services = parts.model, parts.services
        self.id = None

    @property
    def chat(self):
        return self.services.chat

    def say(self, text, answer, **more):
        self.model.queue(answer)
        end = list(self.chat.send(agent_id="default", conversation_id=self.id, text=text, **more))[-1]
        self.id = end.conversation_id
        return end

    def again(self, answer):
        self.model.queue(answer)
        return list(self.chat.regenerate("default", self.id))[-1]

    def edit(self, at, text, answer):
        self.model.queue(answer)
        return list(self.chat.edit_and_resend("default", self.id, self.turns()[at].id, text))[-1]

    def turns(self):
        return self.services.conversations.turns("default", self.id)

    def words(self):
        return [turn.content for turn in self.turns()]

    def places(self):
        """Return ``number / count`` of each message, "" where there is one version only."""
        found = self.services.conversations.versions("default", self.id)
        return [f"{found[t.id].number}/{found[t.id].count}" if t.id in found else "" for t in self.turns()]

    def turn(self, at, step):
        found = self.services.conversations.versions("default", self.id)
        return self.chat.show_version("default", self.id, found[self.turns()[at].id].neighbor(step))


@pytest.fixture
def talk(parts):
    return Talk(parts)


def test_another_answer_keeps_the_former_one_with_its_receipt_and_its_place(talk):
    talk.say("Where is my kayak?", "In the shed.")
    first = talk.turns()[-1]
    receipt = talk.chat.receipts.get(first.receipt_id)
    talk.again("In the garage.")
    talk.again("In the cellar.")
    assert (talk.words(), talk.places()) == (["Where is my kayak?", "In the cellar."], ["", "3/3"])
    talk.turn(1, -1)
    assert (talk.words()[1], talk.places()[1]) == ("In the garage.", "2/3")
    talk.turn(1, -1)
    back = talk.turns()[1]
    assert (back.content, back.said_at, back.model) == (first.content, first.said_at, first.model)
    shown = talk.chat.receipts.get(back.receipt_id)
    assert (shown.query, shown.items, shown.turn_id) == (receipt.query, receipt.items, back.id)
    talk.turn(1, 2)
    assert (talk.words()[1], talk.places()[1]) == ("In the cellar.", "3/3")


def test_an_edit_keeps_all_that_followed_and_versions_inside_of_versions(talk):
    talk.say("Hello", "Hi.")
    talk.say("Paint it red?", "Red it is.")
    talk.again("Yes, red.")
    talk.say("Thanks", "Welcome.")
    talk.edit(2, "Paint it blue?", "Blue it is.")
    assert talk.words() == ["Hello", "Hi.", "Paint it blue?", "Blue it is."]
    assert talk.places() == ["", "", "2/2", ""]
    talk.turn(2, -1)
    assert talk.words() == ["Hello", "Hi.", "Paint it red?", "Yes, red.", "Thanks", "Welcome."]
    assert talk.places() == ["", "", "1/2", "2/2", "", ""]
    talk.turn(3, -1)
    assert talk.words() == ["Hello", "Hi.", "Paint it red?", "Red it is."]
    talk.edit(0, "Good evening", "Evening.")
    assert (talk.words(), talk.places()) == (["Good evening", "Evening."], ["2/2", ""])
    talk.turn(0, -1)
    talk.turn(2, 1)
    assert talk.words() == ["Hello", "Hi.", "Paint it blue?", "Blue it is."]


def test_what_the_model_thought_is_kept_with_each_version_and_is_no_part_of_the_transcript(talk):
    talk.say(
        "Where?", [GenerationChunk(thinking="Perhaps the shed."), GenerationChunk(text="Shed.", finish_reason="stop")]
    )
    thoughts = talk.services.conversations.thoughts
    assert thoughts("default", talk.id)[talk.turns()[1].id].text == "Perhaps the shed."
    talk.again("Garage.")
    assert thoughts("default", talk.id) == {}
    talk.turn(1, -1)
    assert [each.text for each in thoughts("default", talk.id).values()] == ["Perhaps the shed."]
    assert talk.words() == ["Where?", "Shed."]
    branch = talk.chat.branch("default", talk.id, talk.turns()[1].id)
    assert [each.text for each in thoughts("default", branch).values()] == ["Perhaps the shed."]


def pending(parts, talk):
    with parts.services.forgetting._store.read() as repos:
        waits = {signal.turn_id for signal in repos.signals.pending("default", talk.id)}
    return [turn.content for turn in talk.turns() if turn.id in waits]


def test_memory_follows_what_is_shown_and_learns_nothing_that_was_said_while_it_was_off(parts, talk):
    talk.say("I live in Porto", "Nice.")
    talk.edit(0, "I live in Lisbon", "Lovely.")
    assert pending(parts, talk) == ["I live in Lisbon", "Lovely."]
    talk.turn(0, -1)
    assert pending(parts, talk) == ["I live in Porto", "Nice."]
    quiet = Talk(parts)
    quiet.say("I have the flu", "Rest.", memory="off")
    quiet.edit(0, "I am well", "Good.")
    parts.services.conversations.set_memory("default", quiet.id, "on")
    quiet.turn(0, -1)
    assert (quiet.words(), pending(parts, quiet)) == (["I have the flu", "Rest."], [])


def held(parts):
    with parts.services.forgetting._store.read() as repos:
        return repos.meta.prefix("version:") | repos.meta.prefix("thinking:")


def test_forgetting_reaches_former_versions_and_thoughts(parts, talk):
    thinking = [
        GenerationChunk(thinking="Her clinic is in Coimbra."),
        GenerationChunk(text="Yes.", finish_reason="stop"),
    ]
    talk.say("My doctor Meyer works in Coimbra now.", "Noted.")
    talk.edit(0, "Never mind", thinking)
    other = Talk(parts)
    other.say("A joke, please", "Knock knock.")
    other.again("Who is there?")
    fact = parts.services.memories.add_fact(agent_id="default", content="My doctor Meyer works in Coimbra now.")
    report = parts.services.forgetting.forget(ForgetTarget(kind="fact", ids=(fact.id,), agent_id="default"))
    assert report.left == ()
    assert talk.places() == ["", ""]
    assert other.places() == ["", "2/2"]
    parts.services.conversations.delete("default", other.id)
    parts.services.conversations.delete("default", talk.id)
    assert held(parts) == {}


def test_a_version_that_is_gone_says_so(talk):
    talk.say("Hello", "Hi.")
    with pytest.raises(NotFoundError):
        talk.chat.show_version("default", talk.id, "version:default\x1fgone")
    assert talk.words() == ["Hello", "Hi."]


@pytest.fixture
def naming(parts):
    """A model that is not the bundled one."""
    parts.model._info = replace(parts.model.info, source="remote")
    return parts.model


def title(talk):
    return talk.services.conversations.get("default", talk.id).title


def test_a_model_names_a_chat_after_its_first_answer_and_never_what_somebody_named(talk, naming):
    talk.say("I cannot find my kayak any more, where may it be?", "In the shed.")
    naming.queue('## "The lost kayak."\nOr something else')
    assert talk.chat.give_title("default", talk.id) == title(talk) == "The lost kayak"
    assert naming.requests[-1].priority == "background"
    assert talk.chat.give_title("default", talk.id) == ""
    talk.again("In the garage.")
    assert title(talk) == "The lost kayak"
    talk.edit(0, "Where is my bicycle?", "There.")
    assert title(talk) == "Where is my bicycle?"
    talk.services.conversations.rename("default", talk.id, "Mine")
    assert (talk.chat.give_title("default", talk.id), title(talk)) == ("", "Mine")


@pytest.mark.parametrize("answer", ["word " * 40, "...", EngineCrashedError("The engine stopped.")])
def test_a_chat_keeps_its_first_words_where_no_name_comes(talk, naming, answer):
    talk.say("Where is my kayak?", "In the shed.")
    naming.queue(answer)
    assert (talk.chat.give_title("default", talk.id), title(talk)) == ("", "Where is my kayak?")


def test_neither_the_bundled_model_nor_any_is_asked_for_names_when_that_is_off(parts, talk):
    talk.say("Where is my kayak?", "In the shed.")
    assert talk.chat.give_title("default", talk.id) == ""
    parts.model._info = replace(parts.model.info, source="remote")
    parts.services.settings.update("engine", {"nameChats": False})
    assert talk.chat.give_title("default", talk.id) == ""
    assert len(parts.model.requests) == 1


def test_a_name_goes_with_the_message_it_was_made_of(parts, talk, naming):
    talk.say("My sister has the flu since Monday", "I am sorry.")
    naming.queue("Illness in the family")
    talk.chat.give_title("default", talk.id)
    talk.say("Tell me a joke", "Knock knock.")
    target = ForgetTarget(kind="turn", ids=(talk.turns()[0].id,), agent_id="default")
    parts.services.forgetting.forget(target)
    assert title(talk) == "Tell me a joke"
