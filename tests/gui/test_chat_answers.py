"""Answers that are left, stopped, refused and regenerated, and the unsent draft."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit

from memdesk.domain.chatting.drafts import Draft
from memdesk.errors import CancelledError, EngineCrashedError
from memdesk.ports import GenerationChunk, Usage
from memdesk.services.recording.conversations import ConversationsService


@pytest.fixture
def held(model):
    """A model that says one word and waits until it is let go."""
    model.hold = threading.Event()
    yield model
    model.hold.set()


class Silent(list):
    """An answer whose first word does not come before it is stopped."""

    def __init__(self, cancel):
        super().__init__()
        self._cancel = cancel

    def __iter__(self):
        assert self._cancel.wait(60)
        raise CancelledError("stopped")
        yield


def type_in(qtbot, page, text):
    page.composer.editor.setFocus()
    qtbot.keyClicks(page.composer.editor, text)


def send(page, text):
    page.composer.editor.setPlainText(text)
    page.composer.send()


def said(desk, talk):
    return [turn.content for turn in desk.real.conversations.turns("default", talk)]


def titles(page):
    return [row.title for row in page.list.model.talks]


def test_words_typed_just_before_another_conversation_is_opened_stay_where_they_were_typed(desk, qtbot, model):
    page = desk.page("chat")
    send(page, "Hello")
    desk.settle()
    first = page.model.conversation_id
    page.new_chat()
    desk.settle()
    type_in(qtbot, page, "for the next one")
    page.open_conversation("default", first)
    type_in(qtbot, page, "")
    desk.rest()
    assert desk.real.conversations.draft("default", None).text == "for the next one"
    assert desk.real.conversations.draft("default", first).text == ""
    type_in(qtbot, page, "for the first one")
    page.new_chat()
    desk.settle()
    assert page.composer.editor.toPlainText() == "for the next one"
    assert desk.real.conversations.draft("default", first).text == "for the first one"


def test_words_typed_in_a_temporary_chat_never_become_a_draft(desk, qtbot, model):
    page = desk.page("chat", new=True, temporary=True)
    type_in(qtbot, page, "a secret")
    page.new_chat()
    desk.rest()
    assert page.composer.editor.toPlainText() == ""
    assert desk.real.conversations.draft("default", None).text == ""


def test_words_are_kept_when_the_page_is_left(desk, qtbot, model):
    page = desk.page("chat")
    type_in(qtbot, page, "half")
    desk.page("agents")
    assert desk.real.conversations.draft("default", None).text == "half"


def test_files_stay_with_the_draft_they_were_attached_to(desk, qtbot, model, tmp_path):
    page = desk.page("chat")
    send(page, "Hello")
    desk.settle()
    first = page.model.conversation_id
    notes = tmp_path / "notes.md"
    notes.write_text("private notes")
    type_in(qtbot, page, "Look at these")
    page.composer.attached.attach([str(notes)])
    desk.rest()
    kept = Draft("Look at these", {"notes.md": "private notes"})
    assert desk.real.conversations.draft("default", first) == kept
    page.new_chat()
    desk.settle()
    assert page.composer.empty
    page.composer.attached.attach([str(notes)])
    desk.settle()
    page.open_conversation("default", first)
    desk.settle()
    assert page.composer.draft() == kept
    send(page, "Look at these")
    desk.settle()
    assert "private notes" in page.messages.messages[-2].text
    assert desk.real.conversations.draft("default", first) == Draft()
    page.new_chat()
    desk.settle()
    assert page.composer.draft() == Draft("", {"notes.md": "private notes"})


def test_a_message_is_kept_before_it_is_sent_and_is_no_draft_afterwards(desk, qtbot, model, monkeypatch):
    page = desk.page("chat")
    send(page, "Hello")
    desk.settle()
    keep, go_on = ConversationsService.save_draft, threading.Event()
    monkeypatch.setattr(ConversationsService, "save_draft", lambda *draft: go_on.wait(60) and keep(*draft))
    send(page, "And then?")
    qtbot.wait(200)
    assert len(model.requests) == 1
    go_on.set()
    desk.settle()
    assert said(desk, page.model.conversation_id)[2:] == ["And then?", "All right, noted."]
    assert desk.real.conversations.draft("default", page.model.conversation_id) == Draft()


def test_files_of_a_message_that_failed_wait_with_it(desk, qtbot, model, tmp_path):
    asked = threading.Event()
    model.queue(Silent(asked))
    notes = tmp_path / "notes.md"
    notes.write_text("private notes")
    page = desk.page("chat")
    page.composer.attached.attach([str(notes)])
    desk.settle()
    send(page, "Look at these")
    qtbot.waitUntil(lambda: bool(model.requests))
    page.answers.stop()
    asked.set()
    desk.settle()
    assert page.composer.draft() == Draft("Look at these", {"notes.md": "private notes"})


def test_stopping_before_the_first_word_gives_the_message_back(desk, qtbot, model):
    asked = threading.Event()
    model.queue(Silent(asked))
    page = desk.page("chat")
    send(page, "My aunt keeps geese.")
    qtbot.waitUntil(lambda: bool(model.requests))
    page.answers.stop()
    asked.set()
    desk.settle()
    assert page.messages.messages == []
    assert page.composer.editor.toPlainText() == "My aunt keeps geese."
    assert page.model.conversation_id is None
    assert desk.real.conversations.draft("default", None).text == "My aunt keeps geese."


def test_another_answer_that_is_stopped_at_once_brings_the_former_back(desk, qtbot, model):
    model.queue("The first answer.")
    page = desk.page("chat")
    send(page, "Hello")
    desk.settle()
    asked = threading.Event()
    model.queue(Silent(asked))
    page.answers.regenerate()
    qtbot.waitUntil(lambda: len(model.requests) == 2)
    page.answers.stop()
    asked.set()
    desk.settle()
    assert page.messages.last_assistant().text == "The first answer."


def test_a_model_that_says_nothing_is_a_failure_and_the_message_stays(desk, qtbot, model):
    model.queue([])
    page = desk.page("chat")
    send(page, "Hello")
    desk.settle()
    assert "gave no answer" in page.messages.last_assistant().status.text()
    assert desk.real.conversations.draft("default", None).text == "Hello"
    page.messages.last_assistant()._notes[0].click()
    desk.settle()
    assert said(desk, page.model.conversation_id) == ["Hello", "All right, noted."]


def test_a_failed_edit_is_tried_again_as_an_edit(desk, qtbot, model):
    page = desk.page("chat")
    send(page, "Hello")
    desk.settle()
    model.queue(EngineCrashedError("The engine stopped."), "Better.")
    user = page.messages.messages[0]
    page.answers.resend(user.turn_id, "Good evening")
    desk.settle()
    assert said(desk, page.model.conversation_id) == ["Hello", "All right, noted."]
    again, _back = page.messages.last_assistant()._notes
    again.click()
    desk.settle()
    assert said(desk, page.model.conversation_id) == ["Good evening", "Better."]
    assert [message.text for message in page.messages.messages] == ["Good evening", "Better."]


def test_after_a_failed_edit_the_former_answer_can_be_shown_again(desk, qtbot, model):
    page = desk.page("chat")
    send(page, "Hello")
    desk.settle()
    model.queue(EngineCrashedError("The engine stopped."))
    page.answers.resend(page.messages.messages[0].turn_id, "Good evening")
    desk.settle()
    _again, back = page.messages.last_assistant()._notes
    back.click()
    desk.settle()
    qtbot.waitUntil(lambda: [m.text for m in page.messages.messages] == ["Hello", "All right, noted."])


def test_an_edit_that_is_stopped_at_once_is_given_back(desk, qtbot, model):
    page = desk.page("chat")
    send(page, "Hello")
    desk.settle()
    asked = threading.Event()
    model.queue(Silent(asked))
    page.answers.resend(page.messages.messages[0].turn_id, "Good evening")
    qtbot.waitUntil(lambda: len(model.requests) == 2)
    page.answers.stop()
    asked.set()
    desk.settle()
    assert [message.text for message in page.messages.messages] == ["Hello", "All right, noted."]
    assert page.composer.editor.toPlainText() == "Good evening"


def test_words_being_written_stay_when_a_program_adds_to_the_conversation(desk, qtbot, model):
    page = desk.page("chat")
    send(page, "Hello")
    desk.settle()
    page.composer.editor.setPlainText("half a sentence")
    list(desk.real.chat.send(agent_id="default", conversation_id=page.model.conversation_id, text="From elsewhere"))
    desk.settle()
    qtbot.waitUntil(lambda: "From elsewhere" in [message.text for message in page.messages.messages])
    assert page.composer.editor.toPlainText() == "half a sentence"


def test_nothing_is_edited_while_an_answer_is_made(desk, qtbot, held):
    page = desk.page("chat")
    send(page, "Hello")
    held.hold.set()
    desk.settle()
    held.hold = threading.Event()
    user = page.messages.messages[0]
    assert user._edit.isVisible()
    send(page, "And more")
    assert not user._edit.isVisible()
    page.answers.resend(user.turn_id, "Edited too late")
    assert page.composer.editor.toPlainText() == "Edited too late"
    held.hold.set()
    desk.settle()
    assert user._edit.isVisible()


def test_a_chat_that_is_left_while_it_is_answered_is_listed_and_goes_on_when_it_is_opened(desk, qtbot, held):
    held.queue("one two three")
    page = desk.page("chat")
    send(page, "Count for me")
    qtbot.waitUntil(lambda: page.model.conversation_id is not None and held.holding.is_set())
    left = page.model.conversation_id
    page.new_chat()
    assert page.composer.button.accessibleName() == "Send (Enter)"
    qtbot.waitUntil(lambda: titles(page) == ["Count for me"])
    page.open_conversation("default", left)
    qtbot.waitUntil(lambda: [m.text for m in page.messages.messages] == ["Count for me", "one"])
    assert page.composer.button.accessibleName() == "Stop (Esc)"
    assert page.composer.editor.toPlainText() == ""
    held.hold.set()
    desk.settle()
    assert page.messages.last_assistant().text == "one two three"
    assert page.messages.messages[0].turn_id
    assert said(desk, left) == ["Count for me", "one two three"]
    assert titles(page) == ["Count for me"]


def test_two_conversations_are_answered_at_once_and_each_keeps_its_own(desk, qtbot, held):
    page = desk.page("chat")
    send(page, "Hello")
    held.hold.set()
    desk.settle()
    first = page.model.conversation_id
    held.hold = threading.Event()
    held.queue("a long story", "a short poem")
    send(page, "Tell a story")
    qtbot.waitUntil(lambda: len(held.requests) == 2)
    page.new_chat()
    send(page, "Write a poem")
    qtbot.waitUntil(lambda: len(held.requests) == 3 and page.model.conversation_id is not None)
    second = page.model.conversation_id
    page.open_conversation("default", first)
    qtbot.waitUntil(lambda: [m.text for m in page.messages.messages][-2:] == ["Tell a story", "a"])
    held.hold.set()
    desk.settle()
    assert said(desk, first)[2:] == ["Tell a story", "a long story"]
    assert said(desk, second) == ["Write a poem", "a short poem"]
    assert desk.real.conversations.draft("default", first).text == ""


def test_an_answer_that_fails_unseen_is_told_and_its_message_waits(desk, qtbot, held):
    held.queue([EngineCrashedError("The engine stopped.")])
    page = desk.page("chat")
    send(page, "Are you there?")
    page.open_conversation("default", "elsewhere")
    desk.settle()
    assert any("The engine stopped." in notice.message for notice in desk.window.notices.recent)
    page.new_chat()
    desk.settle()
    assert page.composer.editor.toPlainText() == "Are you there?"


def test_only_so_many_answers_are_made_at_once(desk, qtbot, held):
    page = desk.page("chat")
    for number in range(3):
        send(page, f"Question {number}")
        qtbot.waitUntil(lambda: page.model.conversation_id is not None)
        page.new_chat()
    send(page, "One too many")
    assert page.composer.editor.toPlainText() == "One too many"
    held.hold.set()
    desk.settle()
    page.composer.send()
    desk.settle()
    assert desk.real.conversations.page().total == 4


def test_a_new_chat_begins_empty_while_others_are_answered(desk, qtbot, held):
    page = desk.page("chat")
    for words in ("the first", "the second"):
        assert page.composer.empty
        send(page, words)
        qtbot.waitUntil(lambda: page.model.conversation_id is not None)
        page.new_chat()
        qtbot.wait(100)
    type_in(qtbot, page, "not sent yet")
    qtbot.waitUntil(
        lambda: desk.real.conversations.draft("default", None).text == "the first\n\nthe second\n\nnot sent yet"
    )
    held.hold.set()
    desk.rest()
    assert page.composer.editor.toPlainText() == "not sent yet"
    assert desk.real.conversations.draft("default", None).text == "not sent yet"
    assert sorted(said(desk, talk.id)[0] for talk in desk.real.conversations.page().items) == [
        "the first",
        "the second",
    ]


def test_a_temporary_chat_can_be_answered_again(desk, qtbot, model):
    model.queue("First.", "Second.")
    page = desk.page("chat", new=True, temporary=True)
    send(page, "A riddle, please")
    desk.settle()
    page.answers.regenerate()
    desk.settle()
    assert [message.text for message in page.messages.messages] == ["A riddle, please", "Second."]
    kept = desk.real.chat.temporary_messages(page.model.conversation_id)
    assert [message.content for message in kept] == ["A riddle, please", "Second."]


def test_a_temporary_chat_that_is_left_mid_answer_is_gone(desk, qtbot, held):
    page = desk.page("chat", new=True, temporary=True)
    send(page, "A riddle, please")
    qtbot.waitUntil(lambda: page.model.conversation_id is not None and held.holding.is_set())
    left = page.model.conversation_id
    page.new_chat()
    held.hold.set()
    desk.settle()
    assert desk.real.chat.temporary_messages(left) == []


def test_another_agent_takes_what_is_written_along(desk, qtbot, model):
    desk.real.agents.create(name="Writer", agent_id="writer")
    page = desk.page("chat")
    send(page, "Hello")
    desk.settle()
    talk = page.model.conversation_id
    type_in(qtbot, page, "a letter")
    page.pickers.choose_agent("writer")
    desk.settle()
    assert (page.model.agent_id, page.model.conversation_id) == ("writer", None)
    assert page.composer.editor.toPlainText() == "a letter"
    assert desk.real.conversations.draft("writer", None).text == "a letter"
    assert desk.real.conversations.draft("default", talk).text == ""


def test_the_page_says_at_once_that_memory_is_off(desk, qtbot, model):
    desk.real.settings.update("memory", {"enabled": False})
    page = desk.page("chat")
    assert page.banner.isVisible()


def test_escape_leaves_an_edit(desk, qtbot, model):
    page = desk.page("chat")
    send(page, "Hello")
    desk.settle()
    user = page.messages.messages[0]
    user.edit()
    area = user.findChild(QPlainTextEdit)
    qtbot.waitUntil(area.isVisible)
    qtbot.keyClick(area, Qt.Key.Key_Escape)
    assert user.view.isVisible()


def test_words_written_while_the_first_answer_comes_are_kept_with_the_new_conversation(desk, qtbot, held):
    page = desk.page("chat")
    send(page, "Hello")
    qtbot.waitUntil(held.holding.is_set)
    type_in(qtbot, page, "and then")
    qtbot.waitUntil(lambda: not page.composer._resting.isActive())
    held.hold.set()
    desk.settle()
    assert desk.real.conversations.draft("default", page.model.conversation_id).text == "and then"


def test_a_broken_answer_offers_only_to_try_again(desk, qtbot, model):
    model.queue([GenerationChunk(text="Once upon"), EngineCrashedError("The engine stopped.")])
    page = desk.page("chat")
    send(page, "A story")
    desk.settle()
    reply = page.messages.last_assistant()
    assert reply.text == "Once upon"
    assert not reply._again.isVisible()
    assert reply._copy.isVisible()
    assert len(reply._notes) == 1


def test_nothing_of_a_temporary_chat_reaches_the_disk(desk, qtbot, held, home, tmp_path):
    page = desk.page("chat", new=True, temporary=True)
    desk.settle()
    before = {file: file.read_bytes() for file in home.rglob("memory.db*")}
    assert before
    send(page, "My secret word is xyzzyquartz")
    qtbot.waitUntil(held.holding.is_set)
    type_in(qtbot, page, "plughfluor")
    notes = tmp_path / "notes.md"
    notes.write_text("blorbspar")
    page.composer.attached.attach([str(notes)])
    held.hold.set()
    desk.settle()
    page.answers.regenerate()
    desk.rest()
    desk.page("agents")
    desk.window.save_state()
    after = {file: file.read_bytes() for file in home.rglob("memory.db*")}
    # The readers' marks in the shared memory file are no words.
    assert {f.name for f in before if before[f] != after[f]} <= {"memory.db-shm"}
    for file in home.rglob("*"):
        if file.is_file():
            assert b"xyzzyquartz" not in file.read_bytes()
            assert b"plughfluor" not in file.read_bytes()
            assert b"blorbspar" not in file.read_bytes()


def test_a_reply_says_that_it_takes_turns_with_another(desk, qtbot, model):
    page = desk.page("chat")
    go = threading.Event()

    class Late(list):
        def __iter__(self):
            assert go.wait(60)
            yield GenerationChunk(text="Four.", finish_reason="stop", usage=Usage())

    model.queue("One two three", Late())
    model.hold, model.hold_after = threading.Event(), 1
    send(page, "First")
    qtbot.waitUntil(model.holding.is_set)
    page.new_chat()
    send(page, "Second")
    qtbot.waitUntil(
        lambda: page.messages.last_assistant().status.text().startswith("The model is making another reply")
    )
    go.set()
    model.hold.set()
    desk.settle()
    assert page.messages.last_assistant().text == "Four."


def test_a_reply_says_that_it_was_ended_for_repeating_itself_also_when_it_is_opened_again(desk, model):
    page = desk.page("chat")
    model.queue([GenerationChunk(text="La la la."), GenerationChunk(finish_reason="repeating", usage=Usage())])
    send(page, "Sing")
    desk.settle()
    here = page.model.here
    assert page.messages.last_assistant()._figures.text() == "ended because it kept repeating itself"
    page.new_chat()
    desk.settle()
    page.open_conversation(*here)
    desk.settle()
    assert page.messages.last_assistant()._figures.text() == "ended because it kept repeating itself"
