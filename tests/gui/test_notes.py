"""Folders of notes in the settings."""

from PySide6.QtWidgets import QFileDialog

from memdesk.gui.views.settings.notes import NotesList
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.gui.widgets.labels import Label


def words(part):
    return " ".join(label.text() for label in part.findChildren(Label) if label.isVisibleTo(part))


def test_a_folder_is_picked_read_shown_and_removed(desk, tmp_path):
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "house.md").write_text("The boiler is serviced in October.")
    (folder / "broken.md").write_bytes(b"\x00")
    page = desk.page("settings", section="memory")
    part = page.findChild(NotesList)
    assert "None yet." in words(part)
    part.add.click()
    picker = part.window().findChild(QFileDialog)
    picker.fileSelected.emit(str(folder))
    picker.close()
    desk.settle()
    assert [each.path for each in desk.real.notes.folders()] == [str(folder)]
    button = next(each for each in part.findChildren(Button) if each.accessibleName() == f"Read again: {folder}")
    button.click()
    desk.settle()
    assert "1 file · 1 passage" in words(part)
    assert "1 file could not be read" in words(part)
    assert desk.real.notes.folders()[0].files == 1
    next(each for each in part.findChildren(Button) if each.accessibleName() == f"Remove: {folder}").click()
    part.window().findChild(ConfirmDialog).button.click()
    desk.settle()
    assert desk.real.notes.folders() == []
    assert "None yet." in words(part)
    assert (folder / "house.md").exists()
