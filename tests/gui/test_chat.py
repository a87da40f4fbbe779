from __future__ import annotations

import threading

from PySide6.QtCore import QMimeData, QModelIndex, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit

from memdesk.domain.chatting.drafts import Draft
from memdesk.gui.views.chat.message import AssistantMessage, UserMessage
from memdesk.gui.views.chat.meter import ContextMeter
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.services.events import DistillationFinished


def say(desk, qtbot, text):
    page = desk.page("chat")
    page.composer.editor.setPlainText(text)
    qtbot.keyClick(page.composer.editor, Qt.Key.Key_Return)
    desk.settle()
    return page


def test_an_answer_is_streamed_stored_and_listed(desk, qtbot, model):
    model.queue("Good **morning**.\n\n```python\nprint(1)\n```")
    page = say(desk, qtbot, "Hello there")
    user, reply = page.messages.messages
    assert isinstance(user, UserMessage)
    assert isinstance(reply, AssistantMessage)
    assert reply.text == "Good **morning**.\n\n```python\nprint(1)\n```"
    assert user.turn_id
    assert reply.turn_id
    assert page.composer.editor.toPlainText() == ""
    qtbot.waitUntil(lambda: any(getattr(row, "title", "") == "Hello there" for row in page.list.model.rows))
    turns = desk.real.conversations.turns("default", page.model.conversation_id)
    assert [turn.role for turn in turns] == ["user", "assistant"]


def test_the_chip_counts_memories_and_opens_the_receipt(desk, qtbot, model):
    desk.real.memories.add_fact(agent_id="default", content="The user's favourite tea is Assam.")
    page = say(desk, qtbot, "What is my favourite tea?")
    reply = page.messages.last_assistant()
    assert reply.memories == 1
    qtbot.mouseClick(reply.chip, Qt.MouseButton.LeftButton)
    desk.settle()
    assert page.explaining.receipt.isVisible()
    assert "Assam" in "".join(
        label.text() for label in page.explaining.receipt.findChildren(type(page.explaining.receipt.title))
    )


def test_a_reply_without_memory_says_so(desk, qtbot):
    page = say(desk, qtbot, "Say hello")
    assert page.messages.last_assistant().chip.text().strip() == "no memory used"


def test_stop_keeps_what_was_said(desk, qtbot, model):
    model.hold = threading.Event()
    model.queue("one two three")
    page = desk.page("chat")
    page.composer.editor.setPlainText("Count")
    page.composer.send()
    qtbot.waitUntil(model.holding.is_set)
    page.answers.stop()
    desk.settle()
    assert page.messages.last_assistant().text == "one"
    assert page.composer.button.accessibleName() == "Send (Enter)"


def test_an_answer_that_is_left_is_finished_and_found_again(desk, qtbot, model):
    model.hold = threading.Event()
    model.queue("one two three")
    page = desk.page("chat")
    page.composer.editor.setPlainText("Count")
    page.composer.send()
    qtbot.waitUntil(lambda: page.model.conversation_id is not None and model.holding.is_set())
    left = page.model.conversation_id
    page.new_chat()
    model.hold.set()
    desk.settle()
    assert page.model.conversation_id is None
    page.open_conversation("default", left)
    desk.settle()
    assert page.messages.last_assistant().text == "one two three"


def test_a_conversation_that_is_still_read_does_not_show_in_a_temporary_chat(desk, qtbot):
    page = say(desk, qtbot, "Hello")
    stored = page.model.conversation_id
    page.new_chat()
    desk.settle()
    page.open_conversation("default", stored)
    page.new_chat(temporary=True)
    desk.settle()
    assert page.model.temporary
    assert page.messages.messages == []


def test_regenerate_replaces_the_last_answer(desk, qtbot, model):
    page = say(desk, qtbot, "Hello")
    model.queue("Another answer.")
    page.answers.regenerate()
    desk.settle()
    turns = desk.real.conversations.turns("default", page.model.conversation_id)
    assert [turn.content for turn in turns] == ["Hello", "Another answer."]
    assert page.messages.last_assistant().text == "Another answer."


def test_edit_and_resend_replaces_what_followed(desk, qtbot, model):
    page = say(desk, qtbot, "Hello")
    user = page.messages.messages[0]
    user.edit()
    user.wishes.resent.emit(user.turn_id, "Good evening")
    desk.settle()
    turns = desk.real.conversations.turns("default", page.model.conversation_id)
    assert turns[0].content == "Good evening"
    assert len(turns) == 2


def test_a_temporary_chat_leaves_nothing(desk, qtbot, model):
    page = desk.page("chat", new=True, temporary=True)
    page.composer.editor.setPlainText("My secret is quartz")
    page.composer.send()
    desk.settle()
    assert page.messages.last_assistant() is not None
    page.composer.editor.setPlainText("half a thought")
    page.composer.draft_changed.emit(Draft("half a thought"))
    desk.settle()
    assert desk.real.conversations.page().total == 0
    assert desk.real.conversations.draft("default", None).text == ""
    page.new_chat()
    desk.settle()


def test_a_failed_answer_says_why_and_can_be_tried_again(desk, qtbot, model):
    from memdesk.errors import EngineCrashedError

    model.queue(EngineCrashedError("The engine stopped."))
    page = say(desk, qtbot, "Hello")
    reply = page.messages.last_assistant()
    assert reply.status.text() == "The engine stopped. Try again."
    (retry,) = reply._notes
    retry.click()
    desk.settle()
    assert page.messages.last_assistant().text == "All right, noted."
    assert len(page.messages.messages) == 2


def test_what_could_not_be_answered_is_there_when_one_comes_back(desk, qtbot, model):
    from memdesk.errors import EngineCrashedError

    page = say(desk, qtbot, "Hello")
    talk = page.model.conversation_id
    assert desk.real.conversations.draft("default", None).text == ""
    model.queue(EngineCrashedError("The engine stopped."))
    page.composer.editor.setPlainText("My aunt keeps geese.")
    page.composer.send()
    desk.settle()
    page.new_chat()
    desk.settle()
    assert page.composer.editor.toPlainText() == ""
    page.open_conversation("default", talk)
    desk.settle()
    assert page.composer.editor.toPlainText() == "My aunt keeps geese."
    page.composer.send()
    desk.settle()
    assert desk.real.conversations.draft("default", talk).text == ""
    assert [turn.content for turn in desk.real.conversations.turns("default", talk)][2] == "My aunt keeps geese."


def test_drafts_survive(desk, qtbot, model):
    page = say(desk, qtbot, "Hello")
    page.composer.editor.setPlainText("half a thought")
    qtbot.waitUntil(
        lambda: desk.real.conversations.draft("default", page.model.conversation_id).text == "half a thought"
    )
    talk = page.model.conversation_id
    page.new_chat()
    desk.settle()
    assert page.composer.editor.toPlainText() == ""
    page.open_conversation("default", talk)
    desk.settle()
    assert page.composer.editor.toPlainText() == "half a thought"


def dragged(widget, *files, data=None):
    """Drag files, or other data, over a widget and drop them, as the window system would; return whether they were taken."""
    if data is None:
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    how = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window = widget.window()
    place = widget.mapTo(window, widget.rect().center())
    for event in (QDragEnterEvent(place, *how), QDragMoveEvent(place, *how), QDropEvent(QPointF(place), *how)):
        event.setAccepted(isinstance(event, QDragMoveEvent))  # a move goes on as its enter was answered
        QApplication.sendEvent(window.windowHandle(), event)
        if not event.isAccepted():
            return False
    return True


def test_files_can_be_dropped_anywhere_on_the_chat(desk, qtbot, tmp_path):
    page = desk.page("chat")
    notes, more = tmp_path / "notes.txt", tmp_path / "more.md"
    notes.write_text("line one")
    more.write_text("line two")
    assert dragged(page.welcome, notes, more)
    desk.settle()
    message = page.composer.draft().message()
    assert "line one" in message
    assert "line two" in message


def test_a_text_file_is_attached(desk, qtbot, tmp_path):
    page = desk.page("chat")
    notes = tmp_path / "notes.txt"
    notes.write_text("line one\n```\nfenced\n```\n")
    assert dragged(page.composer.editor.viewport(), notes)
    desk.settle()
    message = page.composer.draft().message()
    assert message.startswith("notes.txt (24 characters):\n````file\n")


def test_memory_mode_of_a_conversation(desk, qtbot, model):
    page = say(desk, qtbot, "Hello")
    page.pickers.choose_memory("off")
    desk.settle()
    assert desk.real.conversations.get("default", page.model.conversation_id).memory == "off"


def test_rename_pin_archive_export_and_delete(desk, qtbot, model, tmp_path):
    from memdesk.gui.operations import conversations as operations

    page = say(desk, qtbot, "Hello")
    talk = desk.real.conversations.get("default", page.model.conversation_id)
    dialog = page.list.ask_title(talk)
    dialog.findChild(QLineEdit).setText("Greetings")
    dialog._accept.click()
    desk.settle()
    assert desk.real.conversations.get("default", talk.id).title == "Greetings"
    context = desk.session.context
    context.bridge.call(page, context.services.conversations.pin, talk.agent_id, talk.id, True).start()
    desk.settle()
    qtbot.waitUntil(lambda: [row.title for row in page.list.model.rows[:1]] == ["Pinned"])
    path = tmp_path / "talk.md"
    operations.export(context, page, talk=talk, format_="md", path=str(path)).start()
    desk.settle()
    assert "Hello" in path.read_text()
    page.list.ask_delete(talk)
    desk.settle()
    (confirm,) = desk.window.findChildren(ConfirmDialog)
    confirm.button.click()
    desk.settle()
    assert desk.real.conversations.page().total == 0
    assert page.model.conversation_id is None


def test_learned_chip_and_undo(desk, qtbot, model):
    page = say(desk, qtbot, "Hello")
    fact = desk.real.memories.add_fact(agent_id="default", content="The user greets politely.")
    event = DistillationFinished("default", page.model.conversation_id, "distilled", None, (fact.id,), ())
    desk.real.events.publish(event)
    desk.settle()
    (chip,) = page.messages.last_assistant()._notes
    chip.button.click()
    desk.settle()
    assert page.explaining.learned.isVisible()
    page.explaining.learned._undo()
    desk.settle()
    from memdesk.ports import FactFilter

    assert desk.real.memories.facts(FactFilter()).total == 0


def test_remember_and_forget_a_selection(desk, qtbot, model):
    from memdesk.gui.views.chat.forget_selection import ForgetSelection
    from memdesk.ports import FactFilter

    page = say(desk, qtbot, "My bicycle is green")
    user = page.messages.messages[0]
    user.wishes.remember.emit(user.turn_id, "My bicycle is green")
    desk.settle()
    assert desk.real.memories.facts(FactFilter()).total == 1
    user.wishes.forget.emit(user.turn_id, "bicycle is green")
    desk.settle()
    (dialog,) = desk.window.findChildren(ForgetSelection)
    assert dialog.button.isEnabled()
    dialog.button.click()
    desk.settle()
    assert desk.real.memories.facts(FactFilter()).total == 0


def test_copy_a_message(desk, qtbot, model):
    page = say(desk, qtbot, "Hello")
    reply = page.messages.last_assistant()
    reply._copy.click()
    assert QGuiApplication.clipboard().text() == reply.text


def test_a_long_conversation_is_made_as_one_scrolls(desk, qtbot):
    from memdesk.services.recording.ingest import IngestTurn

    turns = [IngestTurn(user=f"Question {n}", assistant=f"Answer {n}\n\n" + "word " * 80) for n in range(60)]
    desk.real.ingest.ingest(agent_id="default", conversation_id="long", turns=turns, skip_extraction=True)
    page = desk.page("chat", agent_id="default", conversation_id="long")
    qtbot.waitUntil(lambda: not page.messages._fill_timer.isActive())
    assert 2 <= len(page.messages.messages) < 60
    assert page.messages.messages[-1].text.startswith("Answer 59")
    wanted = desk.real.conversations.turns("default", "long")[0]
    message = page.messages.find_turn(wanted.id)
    assert message.text == "Question 0"


def test_a_memory_can_be_kept_out_of_one_conversation(desk, qtbot, model):
    desk.real.memories.add_fact(agent_id="default", content="The user's favourite tea is Assam.")
    page = say(desk, qtbot, "What is my favourite tea?")
    page.explaining.show_receipt(page.messages.last_assistant().receipt_id)
    desk.settle()
    (item,) = page.explaining.receipt._receipt.items
    page.explaining.receipt._mute(item)
    desk.settle()
    page.composer.editor.setPlainText("Which is my favourite tea again?")
    page.composer.send()
    desk.settle()
    receipt = desk.real.chat.receipts.get(page.messages.last_assistant().receipt_id)
    assert item.id not in {kept.id for kept in receipt.items}
    assert [out.left_out for out in receipt.left_out if out.id == item.id] == ["muted"]
    elsewhere = desk.real.recall.context(agent_id="default", query="What is my favourite tea?", conversation_id="other")
    assert item.id in {kept.id for kept in elsewhere.items}
    page.explaining.receipt._mute(item, on=False)
    desk.settle()
    again = desk.real.recall.context(
        agent_id="default", query="What is my favourite tea?", conversation_id=page.model.conversation_id
    )
    assert item.id in {kept.id for kept in again.items}


def test_an_old_pinned_conversation_stands_first_and_once(desk, qtbot):
    from memdesk.services.recording.ingest import IngestTurn

    for number in range(230):
        turn = IngestTurn(user=f"Talk {number}", assistant="Yes.")
        desk.real.ingest.ingest(agent_id="default", conversation_id=f"c{number}", turns=[turn], skip_extraction=True)
    desk.real.conversations.pin("default", "c0")
    page = desk.page("chat")
    page.list.reload()
    desk.settle()
    model = page.list.model
    qtbot.waitUntil(lambda: [getattr(row, "id", "") for row in model.rows[1:2]] == ["c0"])

    def all_there():
        model.fetchMore(QModelIndex())
        return len(model.talks) == 230

    qtbot.waitUntil(all_there)
    assert [talk.id for talk in model.talks].count("c0") == 1


def test_the_context_meter_counts_what_is_being_written(desk, qtbot, model):
    page = desk.page("chat")
    meter = page.composer.meter
    assert not meter.isVisible()
    page.composer.editor.setPlainText("word " * 800)
    assert meter.isVisible()
    assert "1,000 of" in meter.toolTip() or "1000 of" in meter.toolTip()
    page.composer.editor.setPlainText("Hello")
    page.composer.send()
    desk.settle()
    answered = meter._used
    assert answered
    page.composer.editor.setPlainText("word " * 800)
    assert meter._share == (answered + 1000) / meter._size
    page.new_chat()
    desk.settle()
    assert not meter.isVisible()


def test_conversations_are_found_by_what_was_said_in_them(desk, qtbot, model):
    for number, text in enumerate(("The cellar is damp.", "Petrels nest on the cliff.", "Tea at four.")):
        model.queue("Noted.")
        list(desk.real.chat.send(agent_id="default", conversation_id=f"talk-{number}", text=text))
    page = desk.page("chat")
    page.list.search.setText("cliff")
    qtbot.waitUntil(lambda: [talk.id for talk in page.list.model.talks] == ["talk-1"])
    page.list.search.setText("nothing like it")
    qtbot.waitUntil(lambda: page.list.model.talks == [])
    page.list.search.clear()
    qtbot.waitUntil(lambda: len(page.list.model.talks) == 3)


def test_the_context_meter_shows_its_figure_whole_or_not_at_all(qtbot, theme):
    meter = ContextMeter()
    qtbot.addWidget(meter)
    meter.show_model(1000)
    meter.show_typed(500, 0)
    figures = set()
    for width in range(theme.px(16), meter.sizeHint().width() + 1):
        meter.setFixedWidth(width)
        picture = meter.grab().toImage()
        inked = [
            {picture.pixel(x, y) for y in range(picture.height())} != {picture.pixel(width - 1, 0)}
            for x in range(theme.px(16), width)
        ]
        assert not inked or not inked[-1], f"cut at {width}"
        figures.add(any(inked))
    assert figures == {True, False}
