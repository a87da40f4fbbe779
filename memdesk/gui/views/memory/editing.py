"""Dialogs that add or correct what is remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QSlider, QWidget

from memdesk.domain.models import FactKind
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.forms import Combo, Field, TextArea
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import row
from memdesk.gui.words import kind_name, share

if TYPE_CHECKING:
    from memdesk.domain.models import Fact


class FactDialog(Dialog):
    """Text, kind, tags and salience of a fact. ``save(values, dialog)`` decides whether to accept."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        save: Callable[[dict[str, Any], FactDialog], None],
        *,
        fact: Fact | None = None,
    ) -> None:
        super().__init__(parent, title)
        self.content = TextArea(fact.content if fact else "", rows=3, name=self.tr("Fact"))
        self.kind = Combo(self.tr("Kind"), [(kind.value, kind_name(kind)) for kind in FactKind])
        self.kind.set_key((fact.kind if fact else FactKind.OTHER).value)
        self.tags = QLineEdit(", ".join(fact.tags) if fact else "")
        self.salience = QSlider(Qt.Orientation.Horizontal)
        self.salience.setRange(0, 100)
        self.salience.setAccessibleName(self.tr("Salience"))
        self.number = Label("", "muted")
        self.salience.valueChanged.connect(lambda value: self.number.setText(share(value / 100)))
        self.salience.setValue(round((fact.salience if fact else 0.6) * 100))
        self._untouched = self.salience.value()
        self._fact = fact
        text = self.tr("One statement that stands on its own: “Ana is allergic to walnuts.”")
        self.body.addWidget(Field(self.tr("Fact"), self.content, text))
        self.body.addWidget(Field(self.tr("Kind"), self.kind))
        self.body.addWidget(Field(self.tr("Tags"), self.tags, self.tr("Separated by commas.")))
        self.body.addWidget(Label(self.tr("Salience"), "strong"))
        self.body.addLayout(row(self.salience, self.number, gap=12))
        self.set_action(self.tr("Save"), lambda: save(self.values(), self))
        self.content.setFocus()

    def values(self) -> dict[str, Any]:
        """Return the fields as the service takes them; salience only when it was moved."""
        tags = tuple(tag.strip().lstrip("#") for tag in self.tags.text().split(",") if tag.strip())
        values: dict[str, Any] = {"content": self.content.toPlainText(), "kind": self.kind.key(), "tags": tags}
        if self._fact is None or self.salience.value() != self._untouched:
            values["salience"] = self.salience.value() / 100
        return values


class LineDialog(Dialog):
    """One text. ``save(text, dialog)`` decides whether to accept."""

    def __init__(
        self,
        parent: QWidget,
        title: str,
        save: Callable[[str, LineDialog], None],
        *,
        text: str = "",
        help_text: str = "",
        rows: int = 3,
    ) -> None:
        super().__init__(parent, title)
        self.text = TextArea(text, rows=rows, name=title)
        self.body.addWidget(Field(self.tr("Text"), self.text, help_text))
        self.set_action(self.tr("Save"), lambda: save(self.text.toPlainText(), self))
        self.text.setFocus()
