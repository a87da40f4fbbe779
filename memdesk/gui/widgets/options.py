"""Options: editors made from the fields of a pydantic model, with title, help and reset to the default."""

from __future__ import annotations

import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, cast

from PySide6.QtCore import QSignalBlocker, Qt, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLayout, QLineEdit, QWidget

from memdesk.gui.text import tr
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import IconButton, set_property
from memdesk.gui.widgets.forms import Combo, DoubleSpin, Spin
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import clear, column, flowing, row
from memdesk.gui.widgets.switch import Switch

if typing.TYPE_CHECKING:
    from pydantic import BaseModel


#: Width of choices and texts on a page of options, in px at 100 %; numbers are half as wide.
CONTROL_WIDTH = 240
#: Width below which a line's controls are below its text, in px at 100 %.
NARROW_LINE = 400

#: The control an option gets; ``rows`` are lists and mappings, whose editor the page provides.
Kind = Literal["bool", "int", "float", "choice", "text", "rows"]


class ValueEditor(Protocol):
    """The editor of an option of kind ``rows``: a widget that also has these."""

    told: SignalInstance
    #: Whether it can be reset to its default.
    resettable: bool

    def set_value(self, value: Any) -> None:
        """Show a value without signals."""

    def value(self) -> Any:
        """Return its value.

        Raises:
            ValueError: it is invalid; the message tells the user why.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """What an editor needs to know about an option."""

    name: str
    title: str
    help: str = ""
    kind: Kind = "text"
    default: Any = None
    minimum: float | None = None
    maximum: float | None = None
    options: tuple[str, ...] = ()
    restart: bool = False
    labels: dict[str, str] = field(default_factory=dict)
    #: returns what is wrong with a text, empty if nothing; called while typing
    check: Callable[[str], str] | None = None


def specs_of(model: type[BaseModel]) -> list[FieldSpec]:
    """Return the fields of a pydantic model in order, with bounds, choices and defaults."""
    found = []
    for name, info in model.model_fields.items():
        kind, options = _kind(info.annotation)
        bounds = {key: getattr(mark, key) for mark in info.metadata for key in ("ge", "le") if hasattr(mark, key)}
        extra = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
        found.append(
            FieldSpec(
                name=name,
                title=info.title or name,
                help=info.description or "",
                kind=kind,
                default=info.get_default(call_default_factory=True),
                minimum=bounds.get("ge"),
                maximum=bounds.get("le"),
                options=options,
                restart=bool(extra.get("restart")),
            )
        )
    return found


def _kind(annotation: Any) -> tuple[Kind, tuple[str, ...]]:
    if typing.get_origin(annotation) is Literal:
        return "choice", tuple(str(option) for option in typing.get_args(annotation))
    if annotation is bool:
        return "bool", ()
    if annotation is int:
        return "int", ()
    if annotation is float:
        return "float", ()
    if annotation is str:
        return "text", ()
    return "rows", ()


class FieldEditor(QWidget):
    """One option: title, help, editor, reset. ``edited`` has the new value once committed (not on every key).

    ``rows`` creates the editor of an option of kind ``rows``, a :class:`ValueEditor`.
    """

    edited = Signal(str, object)

    def __init__(self, spec: FieldSpec, value: Any, *, rows: Callable[[FieldSpec], Any] | None = None) -> None:
        super().__init__()
        self.spec = spec
        self._rows = rows
        self._set: Callable[[Any], None]
        self._get: Callable[[], Any]
        self.editor = self._make()
        self.editor.setAccessibleName(spec.title)
        self.editor.setAccessibleDescription(spec.help)
        with QSignalBlocker(self.editor):
            self._set(value)
        self.reset = IconButton("rotate-ccw", self.tr("Reset to default"), self._reset)
        self.fault = Label("", "danger", wrap=True)
        self.fault.hide()
        name = Label(spec.title, "strong", wrap=not spec.restart)
        title = flowing(name, Chip(self.tr("after restart"))) if spec.restart else name
        words = column(title, Label(spec.help, "muted", wrap=True), gap=2)
        head = row((words, 1))
        head.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignVCenter)
        if spec.kind == "rows":
            self.setLayout(column(head, self.editor, self.fault, gap=6))
        else:
            words.addWidget(self.fault)
            self._line = row((head, 1))
            self._line.addWidget(self.editor, 0, Qt.AlignmentFlag.AlignVCenter)
            self.setLayout(self._line)
        self._refresh_reset()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put controls wider than a switch below the text if they do not fit beside it."""
        super().resizeEvent(event)
        if self.spec.kind not in {"rows", "bool"}:
            stack_where_narrow(self._line, self.width(), self.editor)

    def value(self) -> Any:
        """Return the editor's value.

        Raises:
            ValueError: it is invalid; the message says why.
        """
        return self._get()

    def set_value(self, value: Any) -> None:
        """Show a value without signals."""
        with QSignalBlocker(self.editor):
            self._set(value)
        self.show_fault("")
        self._refresh_reset()

    def show_fault(self, text: str) -> None:
        """Show below the help why a value was refused; an empty text removes it."""
        self.fault.setText(text)
        self.fault.setVisible(bool(text))
        set_property(self.editor, "invalid", bool(text))

    def _tell(self) -> None:
        try:
            value = self._get()
        except ValueError as wrong:
            self.show_fault(str(wrong))
            return
        self.show_fault("")
        self._refresh_reset()
        self.edited.emit(self.spec.name, value)

    def _reset(self) -> None:
        self.set_value(self.spec.default)
        self._tell()

    def _refresh_reset(self) -> None:
        try:
            changed = self._get() != self.spec.default
        except ValueError:
            changed = True
        policy = self.reset.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset.setSizePolicy(policy)
        self.reset.setVisible(changed and getattr(self.editor, "resettable", True))

    def _make(self) -> QWidget:
        makers: dict[str, Callable[[], QWidget]] = {
            "bool": self._make_bool,
            "int": self._make_int,
            "float": self._make_float,
            "choice": self._make_choice,
            "text": self._make_text,
            "rows": self._make_rows,
        }
        return makers[self.spec.kind]()

    def _make_bool(self) -> QWidget:
        switch = Switch(self.spec.title)
        switch.clicked.connect(lambda _checked=False: self._tell())
        self._set, self._get = switch.setChecked, switch.isChecked
        return switch

    def _make_int(self) -> QWidget:
        spin = Spin()
        spin.setRange(_bound(self.spec.minimum, -(2**31)), _bound(self.spec.maximum, 2**31 - 1))
        # A port is not a quantity: no thousands separator.
        spin.setGroupSeparatorShown(self.spec.name != "port")
        spin.setMinimumWidth(Theme.current().px(CONTROL_WIDTH // 2))
        spin.setKeyboardTracking(False)
        spin.valueChanged.connect(lambda _value: self._tell())
        self._set, self._get = spin.setValue, spin.value
        return spin

    def _make_float(self) -> QWidget:
        spin = DoubleSpin()
        spin.setRange(
            self.spec.minimum if self.spec.minimum is not None else -1e9,
            self.spec.maximum if self.spec.maximum is not None else 1e9,
        )
        spin.setSingleStep(0.05)
        spin.setDecimals(2)
        spin.setMinimumWidth(Theme.current().px(CONTROL_WIDTH // 2))
        spin.setKeyboardTracking(False)
        spin.valueChanged.connect(lambda _value: self._tell())
        self._set, self._get = spin.setValue, lambda: round(spin.value(), 4)
        return spin

    def _make_choice(self) -> QWidget:
        combo = Combo(self.spec.title, [(key, self.spec.labels.get(key, key)) for key in self.spec.options])
        combo.setMinimumWidth(Theme.current().px(CONTROL_WIDTH))
        combo.chosen.connect(lambda _key: self._tell())
        self._set, self._get = combo.set_key, combo.key
        return combo

    def _make_text(self) -> QWidget:
        edit = QLineEdit()
        edit.setMinimumWidth(Theme.current().px(CONTROL_WIDTH))
        edit.textEdited.connect(lambda text: self.show_fault(self.spec.check(text) if self.spec.check else ""))
        edit.editingFinished.connect(self._tell)
        self._set, self._get = edit.setText, lambda: self._checked(edit.text())
        return edit

    def _checked(self, text: str) -> str:
        fault = self.spec.check(text) if self.spec.check else ""
        if fault:
            raise ValueError(fault)
        return text

    def _make_rows(self) -> QWidget:
        assert self._rows is not None, f"{self.spec.name} needs an editor of its own"
        editor = self._rows(self.spec)
        editor.told.connect(self._tell)
        self._set, self._get = editor.set_value, editor.value
        return cast("QWidget", editor)


class ShownList(QWidget):
    """A list instead of an editor, whose entries are added and removed immediately by their own actions."""

    told = Signal()
    resettable = False

    def __init__(self, gap: int) -> None:
        super().__init__()
        self._value: list[Any] = []
        self.rows = column(gap=gap)

    def set_value(self, value: Sequence[Any]) -> None:
        """Take the value from the settings."""
        self._value = list(value)

    def value(self) -> Any:
        return self._value

    def fill(self, lines: Sequence[QWidget | QLayout]) -> None:
        """Show these lines, or a text for none."""
        clear(self.rows)
        for part in lines or [Label(tr("None yet."), "muted")]:
            if isinstance(part, QWidget):
                self.rows.addWidget(part)
            else:
                self.rows.addLayout(part)


class WordsLine(QWidget):
    """A text with controls beside it, or below if narrow."""

    def __init__(self, words: QLayout, *controls: QWidget, gap: int = 12) -> None:
        super().__init__()
        self._controls = controls
        self._box = row((words, 1), *controls, gap=gap)
        self.setLayout(self._box)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        stack_where_narrow(self._box, self.width(), *self._controls)


def stack_where_narrow(line: QBoxLayout, width: int, *controls: QWidget) -> None:
    """Lay out a text and controls, side by side or, if too narrow, stacked."""
    narrow = width < Theme.current().px(NARROW_LINE)
    line.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
    for control in controls:
        line.setAlignment(control, Qt.AlignmentFlag.AlignLeft if narrow else Qt.AlignmentFlag.AlignVCenter)


def _bound(value: float | None, fallback: int) -> int:
    return fallback if value is None else int(value)
