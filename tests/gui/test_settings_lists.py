"""List options are edited row by row, without JSON."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit, QWidget

from memdesk.gui.views.settings.editors import list_editor
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column
from memdesk.gui.widgets.options import FieldEditor, specs_of
from memdesk.gui.widgets.rows import RowsEditor, RowWords
from memdesk.settings.fields import SECTIONS, section_model
from memdesk.settings.prompts import distill_prompt


def editor_of(page, name):
    return next(e for e in page.findChildren(FieldEditor) if e.spec.name == name and e.isVisible())


def type_row(desk, rows, text):
    """Add a row with the keyboard alone, and leave it."""
    rows.add_button.setFocus()
    desk.qtbot.keyClick(rows.add_button, Qt.Key.Key_Return)
    line = rows.rows[-1]
    desk.qtbot.keyClicks(line.edit, text)
    desk.qtbot.keyClick(line.edit, Qt.Key.Key_Return)
    desk.settle()
    return line


def test_every_list_of_the_schema_has_an_editor_and_none_shows_json(desk):
    lists = [spec for section in SECTIONS for spec in specs_of(section_model(section)) if spec.kind == "rows"]
    assert {spec.name for spec in lists} >= {"gate_phrases", "remote_servers", "model_folders", "allowed_origins"}
    page = desk.page("settings", section="memory")
    for spec in lists:
        assert list_editor(page.context, spec).value is not None
    for section in SECTIONS:
        page = desk.page("settings", section=section)
        assert [area.accessibleName() for area in page.findChildren(QPlainTextEdit)] in ([], ["Prompt"])


def test_what_a_model_is_told_is_shown_edited_and_put_back(desk, qtbot):
    editor = editor_of(desk.page("settings", section="memory"), "distill_prompt")
    prompt, saved = editor.editor, desk.real.settings
    assert prompt.area.toPlainText() == distill_prompt().shipped
    prompt.area.setPlainText("Note what {user} says of bees.")
    qtbot.keyClick(prompt.area, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    desk.settle()
    assert saved.current.memory.distill_prompt == "Note what {user} says of bees."
    editor.reset.click()
    desk.settle()
    assert saved.current.memory.distill_prompt == ""
    assert prompt.area.toPlainText() == distill_prompt().shipped


def test_a_phrase_is_added_led_elsewhere_and_removed_by_keyboard(desk):
    page = desk.page("settings", section="memory")
    editor = editor_of(page, "gate_phrases")
    rows = editor.editor
    line = type_row(desk, rows, "my diary")
    saved = desk.real.settings
    assert saved.current.memory.gate_phrases == {"identity": ["my diary"]}
    line.choice.setFocus()
    line.choice.setCurrentIndex(line.choice.findData("transcript"))
    line.choice.chosen.emit("transcript")
    desk.settle()
    assert saved.current.memory.gate_phrases == {"transcript": ["my diary"]}
    assert rows.rows == [line], "what was saved by this row must not build it anew under the hands"
    found = desk.real.lanes.submit(
        "interactive", lambda: desk.real.recall.context(agent_id="default", query="Look into my diary about the roof")
    ).result(60)
    assert (found.section, found.rule) == ("transcript", "phrase")
    assert line.out.accessibleName().endswith("1")
    line.out.setFocus()
    desk.qtbot.keyClick(line.out, Qt.Key.Key_Return)
    desk.settle()
    assert saved.current.memory.gate_phrases == {}
    assert desk.window.focusWidget() is rows.add_button


def test_tab_goes_through_the_rows_in_their_order_and_then_to_the_button(theme, qtbot):
    words = RowWords(entry="Place", none="None", add="Add a place", choice="Leads to")
    window, before = QWidget(), Button("Before")
    rows, after = RowsEditor(words, check=lambda _text: "", choices=[("a", "A")], folders=True), Button("After")
    window.setLayout(column(before, rows, after))
    window.show()
    rows.set_entries([("Graz", "a")])
    rows.add_button.click()
    qtbot.waitUntil(rows.rows[-1].out.isVisible)
    before.setFocus()
    walked = []
    while not walked or walked[-1] is not after:
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        walked.append(window.focusWidget())
    first, second = ([line.edit, line.choice, line.pick, line.out] for line in rows.rows)
    assert walked == [*first, *second, rows.add_button, after]
    window.close()


def test_a_phrase_that_is_there_twice_is_told_and_not_saved(desk):
    page = desk.page("settings", section="memory")
    editor = editor_of(page, "gate_phrases")
    type_row(desk, editor.editor, "my diary")
    line = type_row(desk, editor.editor, "My Diary")
    assert editor.fault.text() == "This phrase is there already."
    assert line.edit.property("invalid")
    assert desk.real.settings.current.memory.gate_phrases == {"identity": ["my diary"]}
    line.edit.clear()
    desk.qtbot.keyClicks(line.edit, "my log")
    desk.qtbot.keyClick(line.edit, Qt.Key.Key_Return)
    desk.settle()
    assert editor.fault.isHidden()
    assert desk.real.settings.current.memory.gate_phrases == {"identity": ["my diary", "my log"]}
    editor.reset.click()
    desk.settle()
    assert desk.real.settings.current.memory.gate_phrases == {}
    assert editor.editor.rows == []


WRONG = (
    ("server", "allowed_origins", "localhost:3000", "http://localhost:3000"),
    ("server", "allowed_origins", "https://a.example/page", "https://a.example"),
    ("engine", "model_folders", "models", "/srv/models"),
    ("memory", "gate_phrases", "?!", "diary"),
)


def test_a_wrong_entry_says_what_is_wrong_until_it_is_right(desk):
    for section, name, wrong, right in WRONG:
        page = desk.page("settings", section=section)
        editor = editor_of(page, name)
        line = type_row(desk, editor.editor, wrong)
        assert editor.fault.isVisible(), wrong
        assert editor.fault.text().endswith(".")
        assert wrong not in str(getattr(getattr(desk.real.settings.current, section), name))
        line.edit.setText(right)
        desk.qtbot.keyClick(line.edit, Qt.Key.Key_Return)
        desk.settle()
        assert editor.fault.isHidden(), right
        assert right in str(getattr(getattr(desk.real.settings.current, section), name))


def test_a_folder_can_be_picked(desk, tmp_path):
    page = desk.page("settings", section="engine")
    rows = editor_of(page, "model_folders").editor
    rows.add_button.click()
    rows.rows[0].pick.click()
    dialog = rows.window().findChild(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path))
    dialog.close()
    desk.settle()
    assert desk.real.settings.current.engine.model_folders == [str(tmp_path)]


def test_a_section_written_by_hand_is_kept(desk):
    desk.real.settings.update("memory", {"gate_phrases": {"attic": ["old things"]}})
    page = desk.page("settings", section="memory")
    editor = editor_of(page, "gate_phrases")
    type_row(desk, editor.editor, "my diary")
    assert desk.real.settings.current.memory.gate_phrases == {"attic": ["old things"], "identity": ["my diary"]}


def test_remote_servers_are_read_here_and_managed_under_models(desk):
    server = {"name": "Attic", "base_url": "http://192.168.0.9:8080/v1"}
    desk.real.settings.update("engine", {"remote_servers": [server]})
    page = desk.page("settings", section="engine")
    editor = editor_of(page, "remote_servers")
    texts = [label.text() for label in editor.editor.findChildren(Label) if label.isVisible()]
    assert "Attic" in texts
    assert editor.reset.isHidden()
    editor.editor.findChild(Button).click()
    desk.settle()
    assert desk.window.host.currentWidget() is desk.window.host.page("models")


def test_a_server_that_was_not_asked_yet_is_named_all_the_same(desk, qtbot):
    """Its models are listed once it was asked; its state is its own affair."""
    server = {"name": "Attic", "base_url": "http://192.168.0.9:8080/v1"}
    desk.real.settings.update("engine", {"remote_servers": [server], "chat_model": "remote:Attic/owl-7b"})
    page = desk.page("chat")
    desk.settle()
    assert page.composer.choices.models.currentText() == "owl-7b"
    qtbot.waitUntil(lambda: desk.window.status.engine.text() == "owl-7b (Attic) · remote")
