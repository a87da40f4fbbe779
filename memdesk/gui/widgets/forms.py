"""Editors for values in dialogs and tool bars; those of options are in ``options``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
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
from memdesk.gui.widgets.buttons import ENTER, IconButton
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column


class SecretEdit(QLineEdit):
    """A secret, hidden while typed unless its eye is pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Not a field action: Qt draws those at a fixed size, whatever the text size.
        self._eye = IconButton("eye", "", lambda: self.set_hidden(hidden=not self.hides), parent=self)
        self._eye.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        Theme.current().changed.connect(self._place)
        self.set_hidden(hidden=True)

    @property
    def hides(self) -> bool:
        return self.echoMode() == QLineEdit.EchoMode.Password

    def set_hidden(self, *, hidden: bool) -> None:
        self.setEchoMode(QLineEdit.EchoMode.Password if hidden else QLineEdit.EchoMode.Normal)
        self._eye.set_icon("eye" if hidden else "eye-off")
        self._eye.set_name(self.tr("Show what is typed") if hidden else self.tr("Hide what is typed"))
        self._place()

    def offer_eye(self, *, on: bool) -> None:
        """Show the eye only if something is hidden."""
        self._eye.setVisible(on)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        side = max(Theme.current().px(24), self._eye.minimumSizeHint().width())
        self._eye.setGeometry(self.width() - side - Theme.current().px(3), (self.height() - side) // 2, side, side)
        self.setTextMargins(0, 0, 0 if self._eye.isHidden() else side, 0)


class Combo(QComboBox):
    """A choice of ``(key, label)`` pairs that ignores the mouse wheel.

    With ``snug`` it is as wide as the selection, not as its widest choice.
    """

    chosen = Signal(str)

    def __init__(self, name: str, options: Sequence[tuple[str, str]] = (), *, snug: bool = False) -> None:
        super().__init__()
        self._snug = snug
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        # The default delegate ignores style sheets.
        self.setItemDelegate(QStyledItemDelegate(self))
        if snug:
            self.currentTextChanged.connect(lambda _text: self.updateGeometry())
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.set_options(options, options[0][0] if options else None)
        self.activated.connect(lambda _index: self.chosen.emit(self.key()))

    def set_options(self, options: Sequence[tuple[str, str]], key: str | None = None) -> None:
        """Offer other choices, keeping the selected one if it still exists."""
        keep = self.key() if key is None else key
        with QSignalBlocker(self):
            self.clear()
            for value, label in options:
                self.addItem(label, value)
            self.set_key(keep)
        self.updateGeometry()

    def key(self) -> str:
        return str(self.currentData() or "")

    def set_key(self, key: str) -> None:
        """Select without signals; an unknown key selects the first."""
        position = self.findData(key)
        self.setCurrentIndex(max(position, 0))

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        # Qt leaves no spare pixel, and the style's rounding may need one.
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
        """Shrink to a few letters, eliding the rest."""
        return QSize(min(self.sizeHint().width(), Theme.current().px(112)), super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        option.currentText = self.shown_text()
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def shown_text(self) -> str:
        """Return the choice, elided to the width."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)

    def event(self, event: QEvent) -> bool:
        """Show an elided choice in a tooltip."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self.toolTip():
            whole = self.currentText()
            QToolTip.showText(event.globalPos(), whole if self.shown_text() != whole else "", self)
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the page, not the choice."""
        event.ignore()


if TYPE_CHECKING:
    _SpinBox = QAbstractSpinBox
else:
    _SpinBox = object


class _Steady(_SpinBox):
    """Shared by both number fields: the height of other controls, and ignoring the mouse wheel."""

    def __init__(self) -> None:
        super().__init__()
        # A style sheet's padding does not affect a spin box's text.
        self.lineEdit().setTextMargins(Theme.current().px(6), 0, 0, 0)

    def sizeHint(self) -> QSize:
        """Be as high as other controls: a line, padding and borders."""
        px = Theme.current().px
        return QSize(super().sizeHint().width(), px(20) + 2 * px(4) + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.sizeHint().height())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the page, not the number."""
        event.ignore()


class Spin(_Steady, QSpinBox):
    """A whole number that ignores the mouse wheel."""


class DoubleSpin(_Steady, QDoubleSpinBox):
    """A number that ignores the mouse wheel."""


class TextArea(QPlainTextEdit):
    """A few lines of text; ``finished``: the focus left it. Tab moves on.

    In a ``statement``, which has no line breaks, Enter goes to the dialog, which saves.
    """

    finished = Signal()

    def __init__(self, text: str = "", *, rows: int = 4, name: str = "", statement: bool = False) -> None:
        super().__init__(text)
        self._statement = statement
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self._before = text
        self.setFixedHeight(self.fontMetrics().lineSpacing() * rows + Theme.current().px(18))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave Enter to the dialog if it inserts no line break."""
        if self._statement and event.key() in ENTER:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: Any) -> None:
        self._before = self.toPlainText()
        super().focusInEvent(event)

    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        if self.toPlainText() != self._before:
            self.finished.emit()


class Field(QWidget):
    """A labeled editor of a dialog: label above, help below."""

    def __init__(self, label: str, editor: QWidget, help_text: str = "") -> None:
        super().__init__()
        self.editor = editor
        caption = Label(label, "strong")
        caption.setBuddy(editor)
        if not editor.accessibleName():
            editor.setAccessibleName(label)
        box: QVBoxLayout = column(caption, editor, gap=4)
        if help_text:
            box.addWidget(Label(help_text, "small", wrap=True))
        self.setLayout(box)
