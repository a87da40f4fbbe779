"""Folders of chats: order, instructions, what is deleted with them, and what can be restored."""

from __future__ import annotations

import pytest

from memdesk.domain.chatting.folders import FOLDERS
from memdesk.errors import BadRequestError, ConflictError, NotFoundError
from memdesk.ports import ChatMessage
from memdesk.services.chatting import CompletionRequest
from memdesk.services.recording.ingest import IngestTurn
from tests.helpers.exchange import exchange
from tests.helpers.parts import make_parts


@pytest.fixture
def parts(tmp_path):
    made = make_parts(tmp_path)
    yield made
    made.close()


@pytest.fixture
def folders(parts):
    return parts.services.folders


def talk(parts, name, agent="default", folder=None):
    exchange(parts.services.ingest, agent_id=agent, conversation_id=name, user=f"About {name}", assistant="Yes")
    if folder is not None:
        parts.services.conversations.move(agent, name, folder.id)


def inside(parts, folder):
    return {(one.agent_id, one.id) for one in parts.services.conversations.page(folder=folder).items}


def told(parts):
    """Return what the model was told before the user's words, the last time it was asked."""
    first = parts.model.requests[-1].messages[0]
    return first.content if first.role == "system" else ""


def send(parts, text, talk_id=None, **more):
    return list(parts.services.chat.send(agent_id="default", conversation_id=talk_id, text=text, **more))[-1]


def test_folders_stand_in_the_order_that_they_are_put_in(folders):
    third, second, first = (folders.create(name).id for name in ("c", "b", "  a  folder "))
    assert [folder.name for folder in folders.all()] == ["a folder", "b", "c"]
    assert folders.edit(first, position=99).position == 2
    assert folders.edit(third, position=0).position == 0
    assert [(folder.id, folder.position) for folder in folders.all()] == [(third, 0), (second, 1), (first, 2)]
    folders.delete(second)
    assert [(folder.id, folder.position) for folder in folders.all()] == [(third, 0), (first, 1)]


def test_a_folder_is_renamed_and_folded_without_losing_the_rest(folders):
    made = folders.create("Taxes", " Answer with the paragraph. ")
    folders.edit(made.id, collapsed=True)
    changed = folders.edit(made.id, name="Taxes 2026")
    assert (changed.name, changed.collapsed, changed.instructions) == ("Taxes 2026", True, "Answer with the paragraph.")


@pytest.mark.parametrize(
    "wrong", [{"name": " "}, {"name": "x" * 101}, {"position": -1}, {"position": True}, {"collapsed": 1}, {"id": "x"}]
)
def test_invalid_folder_fields_are_refused_and_change_nothing(folders, wrong):
    made = folders.create("Taxes")
    with pytest.raises(BadRequestError):
        folders.edit(made.id, **wrong)
    assert folders.all() == [made]


def test_chats_of_any_agent_are_moved_in_and_out(parts, folders):
    taxes = folders.create("Taxes")
    talk(parts, "one", folder=taxes)
    talk(parts, "two", "ana", folder=taxes)
    talk(parts, "three")
    assert inside(parts, taxes.id) == {("default", "one"), ("ana", "two")}
    assert inside(parts, "") == {("default", "three")}
    assert folders.counts() == {taxes.id: 2}
    before = parts.services.conversations.get("default", "one").updated_at
    assert parts.services.conversations.move("default", "one", None).updated_at == before
    assert inside(parts, "") == {("default", "one"), ("default", "three")}
    with pytest.raises(NotFoundError):
        parts.services.conversations.move("default", "one", "unknown")


def test_a_chat_whose_folder_was_lost_is_listed_again(parts, folders):
    """As in a damaged memory of which the rest was saved."""
    taxes = folders.create("Taxes")
    talk(parts, "one", folder=taxes)
    parts.store.write(lambda repos: repos.meta.put(FOLDERS + taxes.id, None))
    assert inside(parts, "") == {("default", "one")}
    send(parts, "Go on", "one")


def test_deleting_a_folder_gives_its_chats_back(parts, folders):
    taxes = folders.create("Taxes")
    talk(parts, "one", folder=taxes)
    assert folders.preview(taxes.id).counts == {}
    assert folders.get(taxes.id)
    assert folders.delete(taxes.id).verified
    assert inside(parts, "") == {("default", "one")}
    assert parts.services.conversations.get("default", "one").folder_id is None


def test_deleting_a_folder_with_its_chats_takes_what_was_learned_from_them(parts, folders):
    taxes, trips = folders.create("Taxes"), folders.create("Trips")
    talk(parts, "one", folder=taxes)
    talk(parts, "two", "ana", folder=taxes)
    talk(parts, "three", folder=trips)
    parts.services.conversations.archive("default", "one")
    preview = folders.preview(taxes.id, chats=True)
    assert (preview.counts["conversations"], preview.counts["turns"]) == (2, 4)
    report = folders.delete(taxes.id, chats=True)
    assert report.verified
    assert report.counts["conversations"] == 2
    assert [folder.id for folder in folders.all()] == [trips.id]
    assert {one.id for one in parts.services.conversations.page().items} == {"three"}


def test_a_folders_instructions_are_told_behind_those_of_agent_and_chat(parts, folders):
    parts.services.agents.edit("default", system_prompt="Be brief.")
    taxes = folders.create("Taxes", "Name the paragraph.")
    done = send(parts, "What can I deduct?", folder_id=taxes.id)
    assert told(parts) == "Be brief.\n\nName the paragraph."
    assert inside(parts, taxes.id) == {("default", done.conversation_id)}
    send(parts, "And rent?", done.conversation_id, overrides={"system_prompt": "Be long."})
    assert told(parts) == "Be long.\n\nName the paragraph."
    folders.edit(taxes.id, instructions="Name the year.")
    list(parts.services.chat.regenerate("default", done.conversation_id))
    assert told(parts) == "Be brief.\n\nName the year."
    parts.services.conversations.move("default", done.conversation_id, None)
    send(parts, "And fuel?", done.conversation_id)
    assert told(parts) == "Be brief."


def test_a_program_that_goes_on_with_a_chat_of_a_folder_gets_its_instructions(parts, folders):
    parts.services.agents.edit("default", system_prompt="")
    taxes = folders.create("Taxes", "Name the paragraph.")
    talk(parts, "one", folder=taxes)

    def ask(*messages):
        request = CompletionRequest(messages=messages, agent_id="default", conversation_id="one", model="")
        list(parts.services.chat.clients.complete(request))
        return told(parts)

    asked = ChatMessage(role="user", content="What can I deduct?")
    assert ask(asked) == "Name the paragraph."
    assert ask(ChatMessage(role="system", content="You are Jan."), asked) == "You are Jan.\n\nName the paragraph."


def test_a_branch_and_a_session_that_is_sent_again_stay_in_the_folder(parts, folders):
    taxes = folders.create("Taxes")
    talk(parts, "one", folder=taxes)
    first = parts.services.conversations.turns("default", "one")[0]
    branch = parts.services.chat.branch("default", "one", first.id)
    parts.services.ingest.ingest(
        agent_id="default", conversation_id="one", turns=[IngestTurn(user="Otherwise", assistant="So")]
    )
    assert inside(parts, taxes.id) == {("default", "one"), ("default", branch)}


@pytest.fixture
def closed(parts, folders):
    """A folder with a memory of its own, and a chat in it."""
    parts.services.agents.edit("default", system_prompt="Be brief.")
    made = folders.create("Therapy", "Be kind.", own_memory_as="default")
    talk(parts, "inside", made.agent_id)
    talk(parts, "outside")
    return made


def test_chats_of_the_agent_that_is_a_folders_memory_are_in_it_and_no_others(parts, folders, closed):
    assert inside(parts, closed.id) == {(closed.agent_id, "inside")}
    made = parts.services.conversations.create(closed.agent_id)
    assert made.folder_id == closed.id
    done = list(parts.services.chat.send(agent_id=closed.agent_id, conversation_id=None, text="Hello"))[-1]
    assert told(parts) == "Be brief.\n\nBe kind."
    assert inside(parts, closed.id) == {(closed.agent_id, one) for one in ("inside", made.id, done.conversation_id)}
    agent = parts.services.agents.get(closed.agent_id)
    assert (agent.name, agent.shares_identity) == ("Therapy", False)
    folders.edit(closed.id, name="Diary")
    assert parts.services.agents.get(closed.agent_id).name == "Diary"


def test_no_chat_crosses_the_wall_of_a_folder(parts, folders, closed):
    other = folders.create("Taxes")
    for agent, chat, folder in (
        ("default", "outside", closed.id),
        (closed.agent_id, "inside", None),
        (closed.agent_id, "inside", other.id),
    ):
        with pytest.raises(ConflictError):
            parts.services.conversations.move(agent, chat, folder)
    with pytest.raises(ConflictError):
        send(parts, "Hello", folder_id=closed.id)
    with pytest.raises(BadRequestError):
        folders.edit(closed.id, agent_id=None)
    assert inside(parts, closed.id) == {(closed.agent_id, "inside")}
    assert inside(parts, "") == {("default", "outside")}


def test_a_folder_with_a_memory_of_its_own_goes_with_all_of_it(parts, folders, closed):
    parts.services.memories.add_fact(agent_id=closed.agent_id, content="The user fears the blue flowerpot.")
    with pytest.raises(ConflictError):
        folders.delete(closed.id)
    with pytest.raises(ConflictError):
        parts.services.agents.delete(closed.agent_id)
    preview = folders.preview(closed.id, chats=True)
    assert (preview.counts["facts"], preview.counts["conversations"]) == (1, 1)
    assert folders.delete(closed.id, chats=True).verified
    assert folders.all() == []
    assert parts.services.agents.find(closed.agent_id) is None
    assert inside(parts, "") == {("default", "outside")}
    parts.store.checkpoint()
    assert not parts.store.pages_holding([b"blue flowerpot"])
