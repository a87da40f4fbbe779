"""The composer: its row of controls, the agent's limits, and the context gauge."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication

from memdesk.domain.chatting.drafts import Draft
from memdesk.errors import BadRequestError
from memdesk.gui.views.chat import attached
from memdesk.gui.views.chat.attached import FileChip, name_for
from memdesk.services.chatting.messages import ContextFit
from memdesk.services.documents import read_document
from tests.helpers.person import Person


@pytest.mark.parametrize("width", [900, 1040, 1240, 1600])
@pytest.mark.parametrize("temporary", [False, True])
def test_the_choices_stand_in_one_line_at_every_width(desk, qtbot, width, temporary):
    page = desk.page("chat", new=True, temporary=temporary)
    desk.window.resize(width, 700)
    page.explaining.receipt.begin("Why this reply")
    page.model.fill(1500, ContextFit(prompt_tokens=1500, context_tokens=2048))
    desk.settle()
    composer = page.composer
    third = composer.choices.temporary if temporary else composer.choices.memory
    shown = [composer.choices.agents, composer.choices.models, third, composer.meter, composer.button]
    if not composer.isVisible():
        assert width == 900
        return
    middles = {widget.mapTo(composer, widget.rect().center()).y() // 4 for widget in shown}
    assert len(middles) <= 2
    rights = [widget.mapTo(composer, widget.rect().topRight()).x() for widget in shown]
    lefts = [widget.mapTo(composer, widget.rect().topLeft()).x() for widget in shown]
    assert all(right < left for right, left in zip(rights, lefts[1:], strict=False))
    assert rights[-1] <= composer.width()


def test_memory_keeps_its_name_for_readers_when_it_is_an_icon(desk, qtbot):
    page = desk.page("chat")
    composer = page.composer
    composer.resize(260, composer.height())
    composer.choices.resize(120, 30)
    assert composer.choices.memory.text() == ""
    assert composer.choices.memory.accessibleName() == composer.choices.memory.toolTip() == "Memory on"
    composer.choices.resize(900, 30)
    assert composer.choices.memory.text().strip() == "Memory on"


def test_a_conversation_offers_no_more_memory_than_its_agent_has(desk, qtbot, model):
    page = desk.page("chat")
    page.composer.editor.setPlainText("Hello")
    page.composer.send()
    desk.settle()
    talk = page.model.conversation_id
    desk.real.agents.edit("default", memory="read_only")
    desk.settle()
    page.new_chat()
    page.open_conversation("default", talk)
    desk.settle()
    qtbot.waitUntil(lambda: page.model.memory == "read_only")
    allowed = {action.data(): action.isEnabled() for action in page.composer.choices.memory.menu().actions()}
    assert allowed == {"on": False, "read_only": True, "off": True}


def test_what_no_longer_fits_is_said_in_words(desk, qtbot, model):
    page = desk.page("chat")
    fit = ContextFit(prompt_tokens=1900, context_tokens=2048, dropped_messages=12)
    page.model.fill(1950, fit)
    assert page.composer.dropped.isVisible()
    assert "12 oldest messages" in page.composer.dropped.text()
    page.new_chat()
    desk.settle()
    assert not page.composer.dropped.isVisible()


def test_an_opened_conversation_says_how_full_the_context_is(desk, qtbot, model):
    page = desk.page("chat")
    page.composer.editor.setPlainText("Hello")
    page.composer.send()
    desk.settle()
    talk, used = page.model.conversation_id, page.composer.meter._used
    page.new_chat()
    desk.settle()
    assert not page.composer.meter.isVisible()
    page.open_conversation("default", talk)
    desk.settle()
    assert page.composer.meter._used == used > 0
    assert page.composer.meter.isVisible()


def test_how_an_answer_ended_is_still_said_when_the_conversation_is_opened_again(desk, qtbot, model):
    import threading

    model.hold = threading.Event()
    page = desk.page("chat")
    page.pickers.choose_memory("off")
    page.composer.editor.setPlainText("Count")
    page.composer.send()
    qtbot.waitUntil(model.holding.is_set)
    page.answers.stop()
    model.hold.set()
    desk.settle()
    talk = page.model.conversation_id
    page.new_chat()
    page.open_conversation("default", talk)
    desk.settle()
    reply = page.messages.last_assistant()
    assert reply._figures.text().startswith("stopped")
    assert reply.chip.text().strip() == "memory off"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Grüße aus Graz 🙂".encode(), "Grüße aus Graz 🙂"),
        ("Grüße".encode("utf-8-sig"), "Grüße"),
        ("Grüße\r\nzwei".encode("utf-16"), "Grüße\nzwei"),
        ("Grüße — „Graz“".encode("cp1252"), "Grüße — „Graz“"),
    ],
)
def test_text_is_read_however_it_was_written(tmp_path, data, text):
    file = tmp_path / "notes.txt"
    file.write_bytes(data)
    assert read_document(str(file)) == ("notes.txt", text)


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("cat.png", b"\x89PNG\0\0\0", "not text"),
        ("late.bin", b"text " * 2000 + b"\0\1\2", "not text"),
        ("packed", bytes(range(1, 32)) * 40, "not text"),
        ("book.txt", b"x" * 50_000_001, "larger than 50 MB"),
        ("torn.pdf", b"%PDF-1.7\n1 0 obj", "damaged"),
        ("old.docx", b"PK\3\4", "not a Word document"),
        ("none.txt", b"", "empty"),
        ("blank.pdf", b" \r\n", "empty"),
    ],
)
def test_what_is_no_text_or_too_much_is_refused_by_name(tmp_path, name, data, words):
    file = tmp_path / name
    file.write_bytes(data)
    with pytest.raises(BadRequestError, match=f"{name} is {words}") as refused:
        read_document(str(file))
    assert refused.value.hint, "what to do now"


def test_a_file_that_is_gone_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(BadRequestError, match=r"gone\.md could not be read: No such file or directory\.") as refused:
        read_document(str(tmp_path / "gone.md"))
    assert refused.value.hint == "Check that it still exists and that you may open it."


def test_a_folder_is_refused_by_name(tmp_path):
    with pytest.raises(BadRequestError, match="is a folder"):
        read_document(str(tmp_path))


def test_a_file_that_is_there_under_a_number_is_found_again():
    there = {"notes.txt": "from b", "notes.txt (2)": "from a"}
    assert name_for("notes.txt", "from a", there) == "notes.txt (2)"
    assert name_for("notes.txt", "from c", there) == "notes.txt (3)"


def test_two_files_of_one_name_are_both_attached(desk, qtbot, tmp_path):
    page = desk.page("chat")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "notes.txt").write_text(f"from {folder}")
    page.composer.attached.attach([str(tmp_path / folder / "notes.txt") for folder in ("a", "b", "a")])
    desk.settle()
    assert sorted(page.composer.attached.files.values()) == ["from a", "from b"]


def test_attached_files_stand_in_the_order_in_which_they_were_added(desk, qtbot, tmp_path, monkeypatch):
    names = ["slow.txt", "quick.txt", "next.txt"]
    for name in names:
        (tmp_path / name).write_text(f"from {name}", encoding="utf-8")
    others = threading.Event()

    def read(path):
        assert not path.endswith("slow.txt") or others.wait(20)
        return read_document(path)

    monkeypatch.setattr(attached, "read_document", read)
    page = desk.page("chat")
    page.composer.attached.attach([str(tmp_path / name) for name in names[:2]])
    page.composer.attached.attach([str(tmp_path / names[2])])
    qtbot.waitUntil(lambda: len(page.composer.attached.files) == 2)
    others.set()
    desk.settle()
    assert list(page.composer.attached.files) == names


def paste(page, text):
    QGuiApplication.clipboard().setText(text)
    page.composer.editor.paste()


def test_a_file_that_comes_late_takes_no_keys_from_elsewhere(desk, qtbot, tmp_path):
    (tmp_path / "notes.txt").write_text("The key is under the mat.", encoding="utf-8")
    page = desk.page("chat")
    page.composer.attached.attach([str(tmp_path / "notes.txt")])
    page.list.search.setFocus()
    desk.settle()
    assert list(page.composer.attached.files) == ["notes.txt"]
    assert desk.window.focusWidget() is page.list.search
    page.composer.attached.findChild(FileChip).setFocus()
    page.composer.attached.findChild(FileChip).removed.emit()
    desk.settle()
    assert desk.window.focusWidget() is page.composer.editor


def test_a_short_paste_is_written_and_a_long_one_attached(desk, qtbot, model):
    page = desk.page("chat")
    long = "It rained all day.\n" * 400
    paste(page, "Look: ")
    paste(page, long)
    desk.settle()
    assert page.composer.draft() == Draft("Look: ", {"Pasted text": long})
    paste(page, "something else " * 400)
    paste(page, long)
    desk.settle()
    assert list(page.composer.attached.files) == ["Pasted text", "Pasted text (2)"]
    page.composer.send()
    desk.settle()
    sent = page.messages.messages[0].text
    assert sent.startswith("Look:\n\nPasted text (7600 characters; 4 of 10 passages")
    assert "\n[Pasted text, passage 1]\nIt rained all day.\n" in sent
    assert "\n[Pasted text (2), passage 1]\nsomething else" in sent


def test_what_was_attached_can_be_put_back_as_text_or_taken_away(desk, qtbot, model):
    page = desk.page("chat")
    for text in ("one word " * 700, "another word " * 700, "far too many words " * 2000):
        paste(page, text)
    desk.settle()
    chips = page.composer.attached.findChildren(FileChip)
    offered = [[action.text() for action in chip.menu().actions()] for chip in chips]
    assert offered == [["Put into the message as text", "Remove"]] * 2 + [["Remove"]]
    chips[0].menu().actions()[0].trigger()
    assert page.composer.editor.toPlainText() == "one word " * 700
    qtbot.keyClick(chips[1], Qt.Key.Key_Delete)
    assert list(page.composer.attached.files) == ["Pasted text (3)"]


def test_a_paste_that_is_no_message_any_more_is_refused(desk, qtbot, model):
    page = desk.page("chat")
    paste(page, "ü" * 4_000_001)
    desk.settle()
    assert page.composer.empty
    assert "more than 4 million characters" in desk.window.notices.recent[-1].message


def test_pasted_files_are_attached(desk, qtbot, model, tmp_path):
    notes = tmp_path / "notes.md"
    notes.write_text("# Geese")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(notes))])
    page = desk.page("chat")
    QGuiApplication.clipboard().setMimeData(data)
    page.composer.editor.paste()
    desk.settle()
    assert page.composer.draft() == Draft("", {"notes.md": "# Geese"})


@pytest.mark.parametrize("text", ["a line of a log\n" * 25_000, "many words " * 36_000], ids=["lines", "one line"])
def test_a_huge_paste_never_stalls_the_window(desk, qtbot, model, watched, text):
    page = desk.page("chat")
    QGuiApplication.clipboard().setText(text)
    watched.reset()
    qtbot.keyClick(page.composer.editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    desk.settle()
    qtbot.keyClicks(page.composer.editor, "What is in it?")
    qtbot.keyClick(page.composer.editor, Qt.Key.Key_Return)
    desk.settle()
    assert watched.slow == []
    assert page.messages.messages[0].text.startswith("What is in it?")


def test_a_file_that_was_sent_is_a_chip_that_shows_what_was_read(desk, qtbot, model):
    person, page = Person(desk), desk.page("chat")
    page.composer.attached.show_files({"lease.txt": "All rooms are heated. " * 500 + "The deposit is 300 euros."})
    person.write("Message Assistant", "How much is the deposit?")
    person.key("Return")
    person.await_text("All right, noted.")
    (talk,) = desk.real.conversations.page().items
    desk.page("memory")
    page = desk.page("chat", agent_id="default", conversation_id=talk.id)
    assert "All rooms are heated" not in person.text()
    person.press("lease.txt · 11,025 characters · * passages read")
    assert "The deposit is 300 euros." in person.text()
    person.press("Close")
    person.press("Edit and send again")
    assert person.read("Edit message") == "How much is the deposit?"
    person.write("Edit message", "Is it due at once?")
    person.press("Send again")
    person.await_text("Is it due at once?")
    asked = desk.real.conversations.turns("default", talk.id)[0].content
    assert asked.startswith("Is it due at once?\n\nlease.txt (11025 characters")
    assert "The deposit is 300 euros." in asked
