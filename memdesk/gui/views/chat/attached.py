"""The files that go with a message that is being written, and long texts that were pasted, as chips."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from memdesk.domain.language.text import estimate_tokens
from memdesk.gui.icons import icon
from memdesk.gui.pages import PageContext
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.layout import FlowLayout, clear
from memdesk.gui.words import number
from memdesk.services.documents import limited, read_document

#: What is longer cannot be written into the message: laying it out would keep the window busy at every key.
MOST_AS_TEXT = 20_000
_REMOVE = {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}


class FileChip(Button):
    """One file: its name and length, with a menu of what can be done with it. Delete takes it away."""

    removed = Signal()
    #: The file's content is wanted in the message itself.
    wanted_as_text = Signal()

    def __init__(self, name: str, content: str, parent: QWidget | None = None) -> None:
        super().__init__("", variant="chip", icon_name="file-text", parent=parent)
        self.setText(self.tr("{name} ({n} characters)").format(name=name, n=number(len(content))))
        menu = QMenu(self)
        if len(content) <= MOST_AS_TEXT:
            menu.addAction(icon("pencil"), self.tr("Put into the message as text"), self.wanted_as_text.emit)
        menu.addAction(icon("x"), self.tr("Remove"), self.removed.emit)
        self.set_menu(menu)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go on Delete."""
        if event.key() in _REMOVE:
            self.removed.emit()
            return
        super().keyPressEvent(event)


class AttachedFiles(QWidget):
    """Shown while there are any. ``changed`` tells that one came or went, ``unfolded`` a text to be written instead."""

    changed = Signal()
    unfolded = Signal(str)

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._files: dict[str, str] = {}
        self._tokens: dict[str, int] = {}
        self._flow = FlowLayout(self)
        self.hide()

    @property
    def files(self) -> dict[str, str]:
        """What is attached: name to content."""
        return dict(self._files)

    @property
    def tokens(self) -> int:
        """Estimated tokens of all of them."""
        return sum(self._tokens.values())

    def show_files(self, files: Mapping[str, str]) -> None:
        """Show other files, without telling."""
        if self._files != files:
            self._files = dict(files)
            self._show()

    def attach(self, paths: list[str]) -> None:
        """Read the text of files and add it; what cannot be read is told, and nothing else of the message is touched."""
        for path in paths:
            self._context.bridge.run(partial(read_document, path), owner=self, success=self._came)

    def attach_text(self, text: str) -> None:
        """Add a text that was pasted."""
        name = self.tr("Pasted text")
        self._context.bridge.run(lambda: (name, limited(name, text)), owner=self, success=self._came)

    def ask(self) -> None:
        """Ask for files."""
        dialog = QFileDialog(self.window(), self.tr("Attach files"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setNameFilters(
            [self.tr("Documents (*.pdf *.docx *.html *.htm *.md *.markdown *.txt)"), self.tr("All files (*)")]
        )
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(self.attach)
        dialog.open()

    def _came(self, found: tuple[str, str]) -> None:
        name, content = found
        name = name_for(name, content, self._files)
        if name not in self._files:
            self._files[name] = content
            self._show()
        self.changed.emit()

    def _show(self) -> None:
        clear(self._flow)
        for name, content in self._files.items():
            chip = FileChip(name, content)
            chip.removed.connect(partial(self._detach, name))
            chip.wanted_as_text.connect(partial(self._unfold, name))
            self._flow.addWidget(chip)
        self._tokens = {
            name: self._tokens.get(name) or estimate_tokens(content) for name, content in self._files.items()
        }
        self.setVisible(bool(self._files))

    def _detach(self, name: str) -> None:
        del self._files[name]
        self._show()
        self.changed.emit()

    def _unfold(self, name: str) -> None:
        text = self._files.pop(name)
        self._show()
        self.unfolded.emit(text)


def name_for(name: str, content: str, files: Mapping[str, str]) -> str:
    """Return the name under which a file is, or goes, beside others: numbered when another one is called so."""
    chosen, number = name, 2
    while files.get(chosen, content) != content:
        chosen, number = f"{name} ({number})", number + 1
    return chosen
