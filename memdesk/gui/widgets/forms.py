"""Editors for values: made from the fields of a pydantic model, or by hand in dialogs."""

from __future__ import annotations

import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, cast

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QHelpEvent, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import IconButton, set_property
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import column, row
from memdesk.gui.widgets.switch import Switch

if typing.TYPE_CHECKING:
    from pydantic import BaseModel


#: The choices and texts of a page of options, in px at 100 %: one column, numbers half as wide.
CONTROL_WIDTH = 240

#: The control an option gets; ``rows`` are lists and mappings, whose editor whoever makes the page brings along.
Kind = Literal["bool", "int", "float", "choice", "text", "rows"]


class ValueEditor(Protocol):
    """What an option of kind ``rows`` is edited with: a widget that also has these."""

    told: SignalInstance
    #: Whether a button may put it back to its default.
    resettable: bool

    def set_value(self, value: Any) -> None:
        """Show a value without telling."""

    def value(self) -> Any:
        """Return what it holds.

        Raises:
            ValueError: it is not right yet; the message says why, to the user.
        """


class Combo(QComboBox):
    """A choice of ``(key, label)`` pairs that a scrolling wheel does not change by accident.

    With ``snug`` it is as wide as what is chosen, not as its widest choice.
    """

    chosen = Signal(str)

    def __init__(
        self, name: str, options: Sequence[tuple[str, str]] = (), *, snug: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._snug = snug
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # The delegate that comes with it knows nothing of style sheets.
        self.setItemDelegate(QStyledItemDelegate(self))
        if snug:
            self.currentTextChanged.connect(lambda _text: self.updateGeometry())
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.set_options(options, options[0][0] if options else None)
        self.activated.connect(lambda _index: self.chosen.emit(self.key()))

    def set_options(self, options: Sequence[tuple[str, str]], key: str | None = None) -> None:
        """Offer other choices, keeping the chosen one where it still exists."""
        keep = self.key() if key is None else key
        with QSignalBlocker(self):
            self.clear()
            for value, label in options:
                self.addItem(label, value)
            self.set_key(keep)
        self.updateGeometry()

    def key(self) -> str:
        """Return the chosen key."""
        return str(self.currentData() or "")

    def set_key(self, key: str) -> None:
        """Choose without telling; an unknown key leaves the first."""
        position = self.findData(key)
        self.setCurrentIndex(max(position, 0))

    def sizeHint(self) -> QSize:
        """Return the size for the widest choice, or for what is chosen."""
        hint = super().sizeHint()
        # Qt leaves no pixel to spare, and the style's rounding can take one.
        hint.setWidth(hint.width() + Theme.current().px(3))
        if self._snug:
            widest = max(
                (self.fontMetrics().horizontalAdvance(self.itemText(n)) for n in range(self.count())), default=0
            )
            hint.setWidth(
                hint.width() - widest + Theme.current().px(2) + self.fontMetrics().horizontalAdvance(self.currentText())
            )
        return hint

    def showPopup(self) -> None:
        """Open the list, wide enough for every choice."""
        self.view().setMinimumWidth(super().sizeHint().width())
        super().showPopup()

    def minimumSizeHint(self) -> QSize:
        """Shrink to a few letters; the rest is elided."""
        return QSize(min(self.sizeHint().width(), Theme.current().px(112)), super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the choice, elided where there is no room."""
        del event
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self.shown_text()
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def shown_text(self) -> str:
        """Return the choice as there is room for it."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)

    def event(self, event: QEvent) -> bool:
        """Tell the whole choice in a tooltip where it is elided."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self.toolTip():
            whole = self.currentText()
            QToolTip.showText(event.globalPos(), whole if self.shown_text() != whole else "", self)
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the page, not the choice."""
        event.ignore()


class Spin(QSpinBox):
    """A whole number that a scrolling wheel does not change by accident."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _indent(self.lineEdit())

    def sizeHint(self) -> QSize:
        """Be as high as the other controls."""
        return QSize(super().sizeHint().width(), _control_height())

    def minimumSizeHint(self) -> QSize:
        """Be no higher than that."""
        return QSize(super().minimumSizeHint().width(), _control_height())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the page, not the number."""
        event.ignore()


class DoubleSpin(QDoubleSpinBox):
    """A number that a scrolling wheel does not change by accident."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        _indent(self.lineEdit())

    def sizeHint(self) -> QSize:
        """Be as high as the other controls."""
        return QSize(super().sizeHint().width(), _control_height())

    def minimumSizeHint(self) -> QSize:
        """Be no higher than that."""
        return QSize(super().minimumSizeHint().width(), _control_height())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the page, not the number."""
        event.ignore()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """What an editor needs to know of one option, whatever it was declared in."""

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
    #: says what is wrong with a text, empty when nothing is; asked while it is typed
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
    """One option: title, help, editor, reset. ``edited`` tells the new value once it is meant (not on every key).

    Args:
        spec: the option.
        value: its present value.
        rows: makes the editor of an option of kind ``rows``, a :class:`ValueEditor`.
    """

    edited = Signal(str, object)

    def __init__(
        self,
        spec: FieldSpec,
        value: Any,
        *,
        rows: Callable[[FieldSpec], Any] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
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
        title = row(Label(spec.title, "strong"), gap=8)
        if spec.restart:
            title.addWidget(Chip(self.tr("after restart")))
        title.addStretch(1)
        words = column(title, Label(spec.help, "muted", wrap=True), gap=2)
        line = row(gap=8)
        line.addLayout(words, 1)
        line.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignVCenter)
        if spec.kind == "rows":
            self.setLayout(column(line, self.editor, self.fault, gap=6))
        else:
            words.addWidget(self.fault)
            line.addWidget(self.editor, 0, Qt.AlignmentFlag.AlignVCenter)
            self.setLayout(line)
        self._refresh_reset()

    def value(self) -> Any:
        """Return what the editor holds.

        Raises:
            ValueError: it is not right yet; the message says why.
        """
        return self._get()

    def set_value(self, value: Any) -> None:
        """Show a value without telling."""
        with QSignalBlocker(self.editor):
            self._set(value)
        self.show_fault("")
        self._refresh_reset()

    def show_fault(self, text: str) -> None:
        """Say below the help why a value was refused; an empty text takes it back."""
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
        spin.setGroupSeparatorShown(True)
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


class TextArea(QPlainTextEdit):
    """A few lines of text; ``finished`` tells when the focus leaves it. Tab moves on."""

    finished = Signal()

    def __init__(self, text: str = "", *, rows: int = 4, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self._before = text
        self.setFixedHeight(self.fontMetrics().lineSpacing() * rows + Theme.current().px(18))

    def focusInEvent(self, event: Any) -> None:
        """Remember what was there."""
        self._before = self.toPlainText()
        super().focusInEvent(event)

    def focusOutEvent(self, event: Any) -> None:
        """Tell when it changed."""
        super().focusOutEvent(event)
        if self.toPlainText() != self._before:
            self.finished.emit()


class Field(QWidget):
    """A labelled editor of a dialog: label above, help below."""

    def __init__(self, label: str, editor: QWidget, help_text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editor = editor
        caption = Label(label, "strong")
        caption.setBuddy(editor)
        if not editor.accessibleName():
            editor.setAccessibleName(label)
        box: QVBoxLayout = column(caption, editor, gap=4)
        if help_text:
            box.addWidget(Label(help_text, "small", wrap=True))
        self.setLayout(box)


def _indent(edit: QLineEdit) -> None:
    # A style sheet's padding does not reach the text of a spin box.
    edit.setTextMargins(Theme.current().px(6), 0, 0, 0)


def _control_height() -> int:
    """What the style sheet gives a field: a line, its padding and its edges."""
    px = Theme.current().px
    return px(20) + 2 * px(4) + 2


def _bound(value: float | None, fallback: int) -> int:
    return fallback if value is None else int(value)
