"""Dialogs that add or correct what is remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, get_args

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QSlider, QWidget

from memdesk.domain.items.item import ItemType, MemoryItem
from memdesk.domain.language.zones import in_zone
from memdesk.domain.models import Agent, FactKind
from memdesk.errors import BadRequestError
from memdesk.gui.views.memory.bulk import tags_of
from memdesk.gui.views.memory.days import DayEdit, start_of
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.forms import Combo, Field, TextArea
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import boxed, row
from memdesk.gui.words import kind_name, share, type_name
from memdesk.services.remembering import check_changes


class FactDialog(Dialog):
    """Text, kind, type, key, tags, period, expiry and salience of a fact; for a new one also its agent, if several.

    ``save(values, dialog)`` decides whether to accept.
    """

    def __init__(
        self,
        parent: QWidget,
        title: str,
        save: Callable[[dict[str, Any], FactDialog], None],
        *,
        fact: MemoryItem | None = None,
        agents: Sequence[Agent] = (),
        agent_id: str = "",
    ) -> None:
        super().__init__(parent, title)
        self.content = TextArea(fact.content if fact else "", rows=3, name=self.tr("Fact"), statement=True)
        self.kind = Combo(self.tr("Kind"), [(kind.value, kind_name(kind)) for kind in FactKind])
        self.kind.set_key((fact.kind if fact else FactKind.OTHER).value)
        types = [(type_, type_name(type_)) for type_ in get_args(ItemType)]
        self.type = Combo(self.tr("Type"), types if fact else [("", self.tr("As it reads")), *types])
        self.type.set_key(fact.type if fact else "")
        self.key = QLineEdit(fact.key if fact else "", placeholderText=self.tr("none"))
        self.tags = QLineEdit(", ".join(fact.tags) if fact else "")
        self.salience = QSlider(Qt.Orientation.Horizontal)
        self.salience.setRange(0, 100)
        self.salience.setAccessibleName(self.tr("Salience"))
        self.number = Label("", "muted")
        self.salience.valueChanged.connect(lambda value: self.number.setText(share(value / 100)))
        self.salience.setValue(round((fact.salience if fact else 0.6) * 100))
        self._untouched = self.salience.value()
        self._fact = fact
        local = self._local
        self.first = DayEdit(self.tr("True from"), local(fact.valid_from) if fact else None)
        self.last = DayEdit(self.tr("True until"), local(fact.valid_until) if fact else None)
        self.expires = DayEdit(self.tr("Expires on"), local(fact.expires_at) if fact else None)
        self._days = {name: edit.text() for name, edit in self._dated().items()}
        self.agent = Combo(self.tr("Agent"), [(agent.id, agent.name) for agent in agents])
        self.agent.set_key(agent_id)
        self.tags.setPlaceholderText(self.tr("separated by commas"))
        text = self.tr("One statement that stands on its own: “Ana is allergic to walnuts.”")
        worth = boxed(row(self.salience, self.number, gap=12))
        self.body.addWidget(Field(self.tr("Fact"), self.content, text))
        self._pair(Field(self.tr("Kind"), self.kind), Field(self.tr("Type"), self.type))
        self.body.addWidget(Field(self.tr("Tags"), self.tags))
        self._pair(Field(self.tr("True from"), self.first), Field(self.tr("True until"), self.last))
        self._pair(
            Field(self.tr("Expires on"), self.expires, self.tr("No model gets it after that.")),
            Field(self.tr("Key"), self.key, self.tr("The key by which programs change it.")),
        )
        whose = [Field(self.tr("Agent"), self.agent)] if len(agents) > 1 else []
        self._pair(Field(self.tr("Salience"), worth), *whose)
        self.set_action(self.tr("Save"), lambda: self._accepted(save))
        self.content.setFocus()

    def _pair(self, *fields: QWidget) -> None:
        box = row(*fields, gap=12)
        for place, field in enumerate(fields):
            box.setStretch(place, 1)
            # Help of several lines must not move the field beside it.
            box.setAlignment(field, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(box)

    def _dated(self) -> dict[str, DayEdit]:
        return {"valid_from": self.first, "valid_until": self.last, "expires_at": self.expires}

    @staticmethod
    def _local(when: datetime | None) -> datetime | None:
        return in_zone(when) if when else None

    def _accepted(self, save: Callable[[dict[str, Any], FactDialog], None]) -> None:
        try:
            values = self.values()
            check_changes({name: value for name, value in values.items() if name != "agent_id"})
        except BadRequestError as wrong:
            self.show_fault(wrong)
        except ValueError as wrong:
            self.show_fault(BadRequestError(str(wrong)))
        else:
            save(values, self)

    def values(self) -> dict[str, Any]:
        """Return the fields as the service takes them; type, key, salience and days only if changed.

        Raises:
            ValueError: a day cannot be read.
        """
        tags = tags_of(self.tags.text())
        values: dict[str, Any] = {"content": self.content.toPlainText(), "kind": self.kind.key(), "tags": tags}
        said = {"type": self.type.key(), "key": self.key.text().strip()}
        values |= {
            name: text for name, text in said.items() if text != (getattr(self._fact, name) if self._fact else "")
        }
        for name, edit in self._dated().items():
            value = edit.value()
            if edit.text() != self._days[name]:
                values[name] = start_of(value) if value else None
        if self._fact is None:
            values["agent_id"] = self.agent.key()
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
        self.text = TextArea(text, rows=rows, name=title, statement=True)
        self.body.addWidget(Field(self.tr("Text"), self.text, help_text))
        self.set_action(self.tr("Save"), lambda: save(self.text.toPlainText(), self))
        self.text.setFocus()
