"""Saved prompts: found by typing a slash, filled in, inserted from the palette, edited in their library."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog

from memdesk.gui.shell.palette import Palette
from memdesk.gui.widgets.buttons import IconButton


def dialog(desk):
    desk.settle()
    return [one for one in desk.window.findChildren(QDialog) if one.isVisible()][-1]


def names(page):
    return [page.composer.prompts.item(n).text() for n in range(page.composer.prompts.count())]


@pytest.fixture
def page(desk):
    desk.real.prompts.put("Explain", "Explain {topic} to {reader}.\nUse {topic} only.")
    desk.real.prompts.put("Translate to German", "Translate into German:")
    return desk.page("chat", new=True)


def test_a_prompt_behind_a_slash_asks_for_its_places_and_stands_in_the_message(desk, qtbot, page):
    editor, picker = page.composer.editor, page.composer.prompts
    qtbot.keyClicks(editor, "/")
    assert names(page) == ["Explain", "Translate to German"]
    qtbot.keyClicks(editor, "expl")
    assert names(page) == ["Explain"]
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    asked = dialog(desk)
    assert list(asked.fields) == ["topic", "reader"]
    asked.fields["topic"].setText("tides")
    asked._accept.click()
    desk.settle()
    assert editor.toPlainText() == "Explain tides to {reader}.\nUse tides only."
    assert not picker.isVisible()
    qtbot.keyClicks(editor, "x")
    assert editor.toPlainText().endswith("only.x")


def test_a_slash_that_begins_a_path_is_sent_as_it_is_written(desk, qtbot, page, model):
    editor = page.composer.editor
    qtbot.keyClicks(editor, "/etc/hosts")
    assert not page.composer.prompts.isVisible()
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    desk.settle()
    assert model.requests[-1].messages[-1].content.endswith("/etc/hosts")
    qtbot.keyClicks(editor, "/")
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert (editor.toPlainText(), page.composer.prompts.isVisible()) == ("/", False)


def test_the_button_and_the_palette_insert_at_the_cursor_and_lose_nothing(desk, qtbot, page):
    editor = page.composer.editor
    editor.setPlainText("/tmp is full. ")
    editor.moveCursor(editor.textCursor().MoveOperation.End)
    page.composer.prompts.toggle()
    assert names(page) == ["Explain", "Translate to German", "Edit prompts…"]
    qtbot.keyClick(editor, Qt.Key.Key_Down)
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText() == "/tmp is full. Translate into German:"
    desk.window.commands.run("app.palette")
    palette = desk.window.findChildren(Palette)[-1]
    palette.field.setText("insert translate")
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    desk.settle()
    assert editor.toPlainText().count("Translate into German:") == 2


def test_prompts_are_made_changed_and_deleted_in_their_library(desk, qtbot, page):
    page.composer.editor.setPlainText("Sum up {text} in three lines")
    page.composer.prompts.toggle()
    page.composer.prompts.setCurrentRow(2)
    qtbot.keyClick(page.composer.editor, Qt.Key.Key_Return)
    library = dialog(desk)
    library.edit(None)
    made = dialog(desk)
    assert made.text.toPlainText() == "Sum up {text} in three lines"
    made._accept.click()
    desk.settle()
    assert "name" in made.fault.text()
    made.name.setText("Sum up")
    made._accept.click()
    desk.settle()
    assert [prompt.name for prompt in desk.real.prompts.all()] == ["Explain", "Sum up", "Translate to German"]
    assert [prompt.name for prompt in page.composer.prompts.prompts] == ["Explain", "Sum up", "Translate to German"]
    next(one for one in library.findChildren(IconButton) if one.toolTip() == "Sum up: Delete").click()
    dialog(desk).button.click()
    desk.settle()
    assert [prompt.name for prompt in page.composer.prompts.prompts] == ["Explain", "Translate to German"]
