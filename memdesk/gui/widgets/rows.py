"""A list edited row by row: each row a text, optionally with a choice, validated before it is signaled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from memdesk.gui.text import tr
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button, IconButton, set_property
from memdesk.gui.widgets.files import ask_folder
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column, row

#: A text and the key of its choice, empty if there is none.
Entry = tuple[str, str]
#: Returns what is wrong with a text, in a sentence; empty if valid.
Check = Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowWords:
    """A list's texts: an entry's name, the empty state, the add button, an example."""

    entry: str
    none: str
    add: str
    example: str = ""
    choice: str = ""
    doubled: str = ""


class RowsEditor(QWidget):
    """Rows with Add and Remove. ``told``: a change left all rows valid.

    Args:
        words: its texts.
        check: validates a text.
        choices: ``(key, label)`` of the choice beside each text; none leaves it out.
        folders: offer to pick a folder beside each text.
    """

    told = Signal()
    resettable = True

    def __init__(
        self, words: RowWords, *, check: Check, choices: Sequence[tuple[str, str]] = (), folders: bool = False
    ) -> None:
        super().__init__()
        self.words, self._check, self._choices, self._folders = words, check, tuple(choices), folders
        self.rows: list[_Row] = []
        self._box = column(gap=6)
        self._none = Label(words.none, "muted", wrap=True)
        self.add_button = Button(words.add, self._add_typed, icon_name="plus")
        self.setLayout(column(self._none, self._box, row(self.add_button, None), gap=6))

    def entries(self) -> list[Entry]:
        """Return the rows with a text.

        Raises:
            ValueError: a text is invalid or a duplicate; the message tells the user so.
        """
        found: list[Entry] = []
        faults = [self._fault(line, found) for line in self.rows]
        if problem := next((fault for fault in faults if fault), ""):
            raise ValueError(problem)
        return found

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Show other rows; unchanged rows stay, and keep the focus."""
        if sorted(line.entry() for line in self.rows if line.text()) == sorted(entries):
            return
        for line in self.rows:
            self._drop(line)
        self.rows.clear()
        for text, key in entries:
            self._append(text, key)
        self._refresh()

    def _fault(self, line: _Row, found: list[Entry]) -> str:
        """Check one row against those before it, mark it, and add it to ``found`` if valid."""
        text = line.text()
        problem = self._check(text) if text else ""
        if text and not problem and text.casefold() in {known.casefold() for known, _key in found}:
            problem = self.words.doubled
        set_property(line.edit, "invalid", bool(problem))
        if text and not problem:
            found.append(line.entry())
        return problem

    def _add_typed(self) -> None:
        """Add an empty row to type into, or go to the existing empty one."""
        line = next((line for line in self.rows if not line.text()), None) or self._append("", "")
        self._refresh()
        line.edit.setFocus()

    def _append(self, text: str, key: str) -> _Row:
        choices = self._choices
        if choices and key and key not in {known for known, _label in choices}:
            choices = (*choices, (key, key))  # Written by hand into the file: shown unchanged, and kept.
        line = _Row(self, text, key, choices, folders=self._folders)
        former = self.rows[-1].out if self.rows else self._stop_before()
        self.rows.append(line)
        self._box.addWidget(line)
        for control in (*line.controls, self.add_button):  # Qt's tab order puts new widgets last.
            if former is not None:
                QWidget.setTabOrder(former, control)
            former = control
        return line

    def _stop_before(self) -> QWidget | None:
        """Return the tab stop before this list; None if there is none."""
        window, widget = self.window(), cast("QWidget", self)
        while widget is not window and widget.focusPolicy() == Qt.FocusPolicy.NoFocus:
            widget = cast("QWidget", widget.previousInFocusChain())
        return None if widget is window else widget

    def remove(self, line: _Row) -> None:
        """Remove a row and focus the next one."""
        place = self.rows.index(line)
        self.rows.remove(line)
        self._drop(line)
        self._refresh()
        following = self.rows[place : place + 1] or self.rows[-1:]
        (following[0].edit if following else self.add_button).setFocus()
        self.told.emit()

    def _drop(self, line: _Row) -> None:
        self._box.removeWidget(line)
        line.hide()
        line.deleteLater()

    def _refresh(self) -> None:
        self._none.setVisible(not self.rows)
        for number, line in enumerate(self.rows, start=1):
            line.set_number(number)


class _Row(QWidget):
    """One entry: its text, its choice, and buttons to pick a folder and to remove it."""

    def __init__(
        self, owner: RowsEditor, text: str, key: str, choices: Sequence[tuple[str, str]], *, folders: bool
    ) -> None:
        super().__init__(owner)
        self._words = owner.words
        self._told = owner.told
        self.edit = QLineEdit(text, placeholderText=owner.words.example)
        self.edit.setMinimumWidth(Theme.current().px(120))
        self.edit.editingFinished.connect(self._edited)
        self._before = text
        self.choice = Combo(owner.words.choice, choices) if choices else None
        self.pick = IconButton("folder-open", tr("Choose a folder"), self._pick) if folders else None
        self.out = IconButton("x", "", lambda: owner.remove(self))
        if self.choice is not None:
            self.choice.set_key(key)
            self.choice.chosen.connect(lambda _key: self._told.emit())
        self.controls = [one for one in (self.edit, self.choice, self.pick, self.out) if one is not None]
        box = row(*self.controls, gap=6)
        box.setStretch(0, 1)
        self.setLayout(box)

    def text(self) -> str:
        """Return what is typed, without spaces around it."""
        return self.edit.text().strip()

    def entry(self) -> Entry:
        return self.text(), self.choice.key() if self.choice is not None else ""

    def set_number(self, number: int) -> None:
        """Name the controls for screen readers by their position in the list."""
        self.edit.setAccessibleName(f"{self._words.entry} {number}")
        self.out.set_name(tr("Remove {name}").format(name=f"{self._words.entry} {number}"))
        if self.choice is not None:
            self.choice.setAccessibleName(f"{self._words.choice} {number}")

    def _edited(self) -> None:
        if self.text() != self._before:
            self._before = self.text()
            self._told.emit()

    def _pick(self) -> None:
        ask_folder(self.window(), tr("Choose a folder"), self._picked, self.text())

    def _picked(self, path: str) -> None:
        self.edit.setText(path)
        self._edited()
