"""What the user chose and wrote survives failures, switches and new chats; notices do not get in the way."""

from __future__ import annotations

import re
import threading

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QFrame

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.chatting.files import WHOLE
from memdesk.errors import EngineCrashedError, EngineError
from memdesk.gui.views.chat.message import UserMessage
from memdesk.gui.views.chat.page import ChatPage
from memdesk.ports import GenerationChunk
from memdesk.services.events import Notice
from memdesk.services.forgetting import ForgetTarget
from tests.helpers.person import Person


@pytest.fixture
def held(model):
    """A model that says one word and waits until it is let go."""
    model.hold = threading.Event()
    yield model
    model.hold.set()


class Breaking(list):
    """An answer that fails once it is let go."""

    def __init__(self, held):
        super().__init__()
        self._held = held

    def __iter__(self):
        yield GenerationChunk(text="Well")
        self._held.holding.set()
        assert self._held.hold.wait(60)
        raise EngineCrashedError("The engine stopped.")


def send(page, text):
    page.composer.editor.setPlainText(text)
    page.composer.send()


def write(desk, qtbot, page, text):
    """Write words that are kept while an answer is on its way."""
    page.composer.editor.setPlainText(text)
    qtbot.waitUntil(lambda: text in desk.real.conversations.draft(*page.model.here).text)


def begin(desk, qtbot, held, text, answer):
    """A chat whose first answer is on its way."""
    held.queue(answer)
    page = desk.page("chat")
    send(page, text)
    qtbot.waitUntil(lambda: page.model.conversation_id is not None and held.holding.is_set())
    return page


@pytest.mark.parametrize("mode", ["off", "read_only"])
def test_a_memory_mode_survives_a_failed_reply_a_new_chat_and_another_page(desk, qtbot, model, mode):
    model.queue(EngineCrashedError("The engine stopped."))
    page = desk.page("chat")
    page.pickers.choose_memory(mode)
    send(page, "My doctor is called Meyer.")
    desk.settle()
    page.new_chat()
    desk.settle()
    assert page.model.memory == mode
    desk.window.host.drop()
    page = desk.page("chat")
    assert isinstance(page, ChatPage)
    assert page.model.memory == mode
    send(page, "My doctor is called Meyer.")
    desk.settle()
    assert desk.real.conversations.get("default", page.model.conversation_id).memory == mode
    page.new_chat()
    desk.settle()
    assert page.model.memory == "on"


def test_words_written_while_the_first_reply_comes_survive_a_switch(desk, qtbot, held):
    page = begin(desk, qtbot, held, "Tell a story", "a long story")
    talk = page.model.conversation_id
    write(desk, qtbot, page, "and then?")
    page.new_chat()
    held.hold.set()
    desk.settle()
    page.open_conversation("default", talk)
    desk.settle()
    assert page.composer.editor.toPlainText() == "and then?"
    page.new_chat()
    desk.settle()
    assert page.composer.empty


def test_words_written_while_a_reply_fails_unseen_wait_behind_its_message(desk, qtbot, held):
    held.queue("Hello.")
    page = desk.page("chat")
    held.hold.set()
    send(page, "Hi")
    desk.settle()
    talk = page.model.conversation_id
    held.hold.clear()
    held.holding.clear()
    held.queue(Breaking(held))
    page.composer.editor.setPlainText("Is it raining?")
    page.composer.send()
    qtbot.waitUntil(held.holding.is_set)
    write(desk, qtbot, page, "Never mind")
    page.new_chat()
    held.hold.set()
    desk.settle()
    assert desk.real.conversations.draft("default", talk) == Draft("Is it raining?\n\nNever mind")


def test_typing_goes_on_in_the_editor_after_a_memory_mode_was_chosen(desk, qtbot, model):
    page = desk.page("chat")
    menu = page.composer.choices.memory.menu()
    page.composer.choices.memory.setFocus()
    next(action for action in menu.actions() if action.data() == "off").trigger()
    desk.settle()
    qtbot.keyClicks(desk.window.focusWidget(), "Hello")
    assert page.composer.editor.toPlainText() == "Hello"


def test_an_empty_chat_never_says_that_it_remembers_while_memory_is_off(desk, qtbot, model):
    page = desk.page("chat")
    assert "is remembered once" in page.welcome.findChildren(type(page.composer.dropped))[-1].text()
    page.pickers.choose_memory("off")
    words = " ".join(label.text() for label in page.welcome.findChildren(type(page.composer.dropped)))
    assert "nothing you say is remembered" in words
    page.pickers.choose_memory("on")
    desk.real.settings.update("memory", {"enabled": False})
    desk.settle()
    words = " ".join(label.text() for label in page.welcome.findChildren(type(page.composer.dropped)))
    assert "nothing you say is remembered" in words


@pytest.mark.parametrize("why", ["temporary", "off", "disabled", ""])
def test_an_answer_looks_in_memory_only_where_it_may(desk, model, why):
    page = desk.page("chat", new=True, temporary=why == "temporary")
    if why == "off":
        page.pickers.choose_memory("off")
    desk.real.settings.update("memory", {"enabled": why != "disabled"})
    desk.settle()
    page.composer.editor.setPlainText("Hello")
    page.composer.send()
    assert ("memory" in page.messages.messages[-1].status.text()) == (not why)
    desk.settle()


@pytest.mark.parametrize("size", [(800, 600), (1240, 800)])
def test_a_notice_never_covers_what_is_written_or_send(desk, qtbot, model, size):
    desk.window.resize(*size)
    page = desk.page("chat")
    page.composer.editor.setPlainText("line\n" * 12)
    for number in range(4):
        desk.window.notices.show(Notice("error", f"Fault {number}", "Something failed. " * 4, "Try again."))
    qtbot.wait(20)
    faces = desk.window.faces
    composer = QRect(page.composer.mapTo(faces, page.composer.rect().topLeft()), page.composer.size())
    shown = [toast.geometry() for toast in desk.window.toasts.toasts]
    assert len(shown) == 4
    assert not any(toast.intersects(composer) for toast in shown)
    assert isinstance(page.composer, QFrame)
    qtbot.mouseClick(page.composer.button, Qt.MouseButton.LeftButton)
    desk.settle()
    assert page.composer.empty


def test_a_notice_of_another_page_leaves_the_composer_free_when_the_chat_is_shown_again(desk, qtbot, model):
    page = desk.page("chat")
    desk.page("memory")
    desk.window.notices.show(Notice("error", "A fault", "Something failed.", "Try again."))
    (toast,) = desk.window.toasts.toasts
    low = toast.geometry().bottom()
    desk.page("chat")
    faces = desk.window.faces
    top = page.composer.mapTo(faces, page.composer.rect().topLeft()).y()
    assert toast.geometry().bottom() < top < low
    desk.page("memory")
    assert toast.geometry().bottom() == low


def test_a_notice_from_before_the_chat_is_there_leaves_its_composer_free(desk, qtbot, model):
    desk.window.host.drop()
    desk.window.notices.show(Notice("error", "A fault", "Something failed.", "Try again."))
    page = desk.page("chat")
    qtbot.wait(20)
    (toast,) = desk.window.toasts.toasts
    top = page.composer.mapTo(desk.window.faces, page.composer.rect().topLeft()).y()
    assert toast.geometry().bottom() < top


def test_a_server_that_fails_is_told_once_with_one_thing_to_do():
    from memdesk.engines.remote_errors import from_status

    busy = from_status(503, b'{"error": {"message": "model overloaded, try later"}}', "Strong")
    assert (busy.title, busy.message) == ("The model server is busy", "Strong says: model overloaded, try later.")
    assert busy.hint == "Wait a little, then try again."
    broken = from_status(500, b"out of cheese", "Strong")
    assert isinstance(broken, EngineError)
    assert "restarts by itself" not in broken.hint
    assert broken.message.endswith("out of cheese.")


def test_a_long_file_goes_as_passages_and_is_no_draft_afterwards(desk, qtbot, model, tmp_path):
    file = tmp_path / "lease.md"
    filler = "The committee met again and talked about the weather and the chairs of the hall. " * 10
    deposit = "The deposit is paid back within six weeks."
    file.write_text("\n\n".join([filler] * 30 + [deposit] + [filler] * 30))
    page = desk.page("chat")
    page.composer.attached.attach([str(file), str(tmp_path / "gone.pdf")])
    desk.settle()
    assert "could not be read" in desk.window.notices.recent[-1].message
    assert list(page.composer.attached.files) == ["lease.md"]
    page.composer.editor.setPlainText("When is the deposit paid back?")
    page.composer.send()
    desk.settle()
    (turn, _reply) = desk.real.conversations.turns("default", page.model.conversation_id)
    assert deposit in turn.content
    assert "[lease.md, passage " in turn.content
    assert len(turn.content) < 8000
    page.new_chat()
    desk.settle()
    assert page.composer.empty


@pytest.mark.parametrize("temporary", [False, True])
def test_a_message_that_goes_on_about_a_long_file_gets_its_passages(desk, qtbot, model, temporary):
    filler = "The committee met again and talked about the weather and the chairs of the hall. " * 10
    deposit, pets = "The deposit is paid back within six weeks.", "Pets live in the garden flat only."
    lease = "\n\n".join([*[filler] * 20, deposit, *[filler] * 40, pets, *[filler] * 20])
    page, person = desk.page("chat"), Person(desk)
    page.new_chat(temporary=temporary)
    page.composer.attached.show_files({"lease.md": lease})
    page.composer.editor.setPlainText("Well")
    used, size = re.findall(r"[\d,]+", page.composer.meter.accessibleDescription())[:2]
    assert 0.4 < int(used.replace(",", "")) / int(size.replace(",", "")) < 0.6
    asked = ["When is the deposit paid back?", "Where do pets live?", "Thank you!"]
    for words in asked:
        person.write("Message Assistant", words)
        person.key("Return")
        desk.settle()
    first, second, third = (request.messages[-1].content for request in model.requests[-3:])
    assert deposit in first
    assert pets not in first
    assert pets in second
    assert deposit not in second.replace(first, "")
    assert third == "Thank you!"
    shown = [message for message in page.messages.messages if isinstance(message, UserMessage)]
    assert [message.words for message in shown] == asked
    assert [len(message.files) for message in shown] == [1, 1, 0]
    assert page.composer.empty


def test_the_text_of_a_long_file_goes_with_its_chat_and_stays_with_a_branch(desk, qtbot, model):
    lease = "\n\n".join(f"Paragraph {n} is about chairs of the hall and nothing else at all. " * 10 for n in range(60))
    page = desk.page("chat")
    page.composer.attached.show_files({"lease.md": lease})
    send(page, "What is in paragraph 40?")
    desk.settle()
    trunk = page.model.conversation_id
    branch = desk.real.chat.branch("default", trunk, page.messages.messages[0].turn_id)
    for talk in (trunk, branch):
        target = ForgetTarget(kind="conversation", ids=(talk,), agent_id="default")
        assert "The full text of 1 attached file goes too." in desk.real.forgetting.preview(target).notes
    desk.real.conversations.delete("default", trunk)
    with desk.app._wiring.store.read() as repos:
        (kept,) = repos.meta.prefix(WHOLE)
    assert branch in kept
    desk.real.conversations.delete("default", branch)
    with desk.app._wiring.store.read() as repos:
        assert not repos.meta.prefix(WHOLE)


def test_a_chat_branches_from_a_message_and_both_go_on(desk, qtbot, model):
    model.queue("First.", "Second.", "Otherwise.")
    page = desk.page("chat")
    send(page, "One")
    desk.settle()
    send(page, "Two")
    desk.settle()
    trunk = page.model.conversation_id
    first = page.messages.messages[1]
    first._branch.click()
    desk.settle()
    branch = page.model.conversation_id
    assert branch != trunk
    assert [m.text for m in page.messages.messages] == ["One", "First."]
    assert [row["signals"] for row in desk.real.distillation.status()["pending"]] == [4]
    send(page, "Three")
    desk.settle()
    told = [[turn.content for turn in desk.real.conversations.turns("default", talk)] for talk in (trunk, branch)]
    assert told == [["One", "First.", "Two", "Second."], ["One", "First.", "Three", "Otherwise."]]


def test_a_message_is_edited_in_a_new_chat_and_the_former_one_stays(desk, qtbot, model):
    model.queue("First.", "Second.", "Other second.", "Other first.")
    page = desk.page("chat")
    send(page, "One")
    desk.settle()
    send(page, "Two")
    desk.settle()
    trunk = page.model.conversation_id
    page.messages.messages[2].wishes.resent_apart.emit(page.messages.messages[2].turn_id, "Two, but kinder")
    desk.settle()
    assert [m.text for m in page.messages.messages] == ["One", "First.", "Two, but kinder", "Other second."]
    page.open_conversation("default", trunk)
    desk.rest()
    assert [m.text for m in page.messages.messages] == ["One", "First.", "Two", "Second."]
    page.messages.messages[0].wishes.resent_apart.emit(page.messages.messages[0].turn_id, "Uno")
    desk.settle()
    assert [m.text for m in page.messages.messages] == ["Uno", "Other first."]
