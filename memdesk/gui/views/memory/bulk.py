"""Bulk actions on facts, and undo."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QSlider, QWidget

from memdesk.domain.models import FactKind
from memdesk.gui.commands import Command
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.forms import Combo, Field
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import flowing, row
from memdesk.gui.widgets.undo_bar import UndoBar
from memdesk.gui.words import kind_name, percent, share
from memdesk.services.remembering import BulkChange


class BulkBar(UndoBar):
    """Tools for the selected facts, and the last action with its undo.

    ``asked`` has the tool: ``edit``, ``pin``, ``unpin``, ``disable``, ``enable`` or ``forget``; ``stopped``: cancel the
    running action.
    """

    asked = Signal(str)
    stopped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.words.setWordWrap(False)
        self.words.setAccessibleName(self.tr("Selection, or last action"))
        self._chosen = 0
        self._share: float | None = None
        self._stops = False
        self._titles = (
            ("edit", self.tr("Edit"), "pencil"),
            ("pin", self.tr("Pin"), "pin"),
            ("unpin", self.tr("Unpin"), "pin-off"),
            ("disable", self.tr("Disable"), "eye-off"),
            ("enable", self.tr("Enable"), "eye"),
            ("forget", self.tr("Forget"), "trash-2"),
        )
        self._tools = flowing(
            *(
                Button(
                    title, partial(self.asked.emit, key), icon_name=icon, variant="danger" if key == "forget" else ""
                )
                for key, title, icon in self._titles
            )
        )
        self.stop = Button(self.tr("Cancel"), self.stopped.emit)
        self.box.setStretch(0, 0)
        self.box.insertWidget(2, self._tools, 1000)
        self.box.insertStretch(3, 1)
        self.box.insertWidget(4, self.stop)
        self._refresh()

    def commands(self) -> list[Command]:
        """Return the tools for a menu."""
        return [
            Command(f"facts.{key}", title, icon, partial(self.asked.emit, key)) for key, title, icon in self._titles
        ]

    def choose(self, count: int) -> None:
        """Offer the tools for this many facts; none below two."""
        self._chosen = count
        self._refresh()

    def show_work(self, share: float | None, *, stops: bool = False) -> None:
        """Show an action's progress, 0..1, and whether it can be stopped; None once it has ended."""
        self._share, self._stops = share, stops
        self._refresh()

    def changed(self, change: BulkChange, words: str) -> None:
        """Say what was done and offer undo, if anything changed."""
        if change.count:
            self.did(words, change.token)
        self._refresh()

    def _refresh(self) -> None:
        works = self._share is not None
        many = self._chosen > 1 and not works
        self._tools.setVisible(many)
        self.stop.setVisible(works and self._stops)
        self.undo.setVisible(bool(self._done) and not many and not works)
        self.shut.setVisible(bool(self._done) and not many and not works)
        if self._share is not None:
            self.words.setText(self.tr("Changing facts… {share}").format(share=percent(self._share)))
        elif many:
            self.words.setText(self.tr("%n facts chosen", "", self._chosen))
        elif self._done:
            self.words.setText(self._done[-1][0])
        self.setVisible(works or many or bool(self._done))


class BulkDialog(Dialog):
    """Changes of many facts; only fields set here are changed. ``save(values)`` gets the fields of the service."""

    def __init__(self, parent: QWidget, count: int, save: Callable[[dict[str, Any]], object]) -> None:
        super().__init__(parent, self.tr("Edit %n facts", "", count))
        kinds = [("", self.tr("Leave as it is")), *((kind.value, kind_name(kind)) for kind in FactKind)]
        self.kind = Combo(self.tr("Kind"), kinds)
        self.added, self.removed = QLineEdit(), QLineEdit()
        self.weigh = QCheckBox(self.tr("Set the salience"))
        self.salience = QSlider(Qt.Orientation.Horizontal)
        self.salience.setRange(0, 100)
        self.salience.setAccessibleName(self.tr("Salience"))
        number = Label("", "muted")
        self.salience.valueChanged.connect(lambda value: number.setText(share(value / 100)))
        self.salience.setValue(60)
        self.salience.setEnabled(False)
        self.weigh.toggled.connect(self.salience.setEnabled)
        self._save = save
        self.body.addWidget(Field(self.tr("Kind"), self.kind))
        self.body.addWidget(Field(self.tr("Add tags"), self.added, self.tr("Separated by commas.")))
        self.body.addWidget(Field(self.tr("Remove tags"), self.removed))
        self.body.addWidget(self.weigh)
        self.body.addLayout(row(self.salience, number, gap=12))
        self.set_action(self.tr("Change %n facts", "", count), self._accepted)
        for signal in (self.kind.chosen, self.added.textChanged, self.removed.textChanged, self.weigh.toggled):
            signal.connect(lambda *_: self._refresh())
        self._refresh()

    def values(self) -> dict[str, Any]:
        """Return the fields set, as the service takes them."""
        values: dict[str, Any] = {}
        if self.kind.key():
            values["kind"] = self.kind.key()
        for name, edit in (("add_tags", self.added), ("remove_tags", self.removed)):
            if tags := tags_of(edit.text()):
                values[name] = tags
        if self.weigh.isChecked():
            values["salience"] = self.salience.value() / 100
        return values

    def _refresh(self) -> None:
        self._accept.setEnabled(bool(self.values()))

    def _accepted(self) -> None:
        self.accept()
        self._save(self.values())


def tags_of(text: str) -> tuple[str, ...]:
    """Return the comma-separated tags of a line."""
    return tuple(tag for part in text.split(",") if (tag := part.strip().lstrip("#")))
