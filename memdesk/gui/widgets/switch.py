"""A switch and a row of segments: choices that take effect at once."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QSizePolicy, QWidget

from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.layout import FlowLayout, column

#: Maximum lines of segments; beyond that they become a drop-down.
MOST_LINES = 2
#: Their margin, in px at 100 %.
INSET = 2


class Switch(QAbstractButton):
    """On or off."""

    def __init__(self, name: str, *, on: bool = False) -> None:
        super().__init__(checkable=True, checked=on)
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        Theme.current().changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        px = Theme.current().px
        return QSize(px(32), px(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = Theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wide, high = theme.px(32), theme.px(18)
        track = QRectF(self.width() - wide, (self.height() - high) / 2, wide, high)
        on = self.isChecked()
        color = theme.color("accent" if on else "faint")
        if not self.isEnabled():
            color = theme.color("track")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRoundedRect(track, high / 2, high / 2)
        inset = theme.px(3)
        knob = high - 2 * inset
        left = track.right() - inset - knob if on else track.left() + inset
        painter.setBrush(theme.color("on_accent" if on else "surface"))
        painter.drawEllipse(QRectF(left, track.top() + inset, knob, knob))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            # Inside the track, which is aligned with the other controls of the column.
            painter.setPen(QPen(theme.color("text"), 2))
            ring = track.adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)


class _Segment(Button):
    """As wide as its text in bold, as when selected; Qt does not measure a style sheet's states."""

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        words = self.text().replace("&&", "&")
        wider = QFontMetrics(bold).horizontalAdvance(words) - self.fontMetrics().horizontalAdvance(words)
        return QSize(hint.width() + max(0, wider), hint.height())


class Segments(QWidget):
    """A choice of a few, all visible if they fit. ``changed`` has the key chosen by the user."""

    changed = Signal(str)

    def __init__(self, options: Sequence[tuple[str, str]], *, name: str, value: str = "") -> None:
        super().__init__(accessibleName=name)
        policy = QSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._left_out: set[str] = set()
        self._group = QButtonGroup(self)
        self._buttons: dict[str, _Segment] = {}
        self._row = QFrame()
        self._row.setProperty("role", "segments")
        flow = FlowLayout(self._row, gap=0)
        inset = Theme.current().px(INSET)
        flow.setContentsMargins(inset, inset, inset, inset)
        for key, label in options:
            button = _Segment(label, variant="segment", name=f"{name}: {label}")
            button.setCheckable(True)
            button.clicked.connect(lambda _checked=False, key=key: self.changed.emit(key))
            self._group.addButton(button)
            self._buttons[key] = button
            flow.addWidget(button)
        self._list = Combo(name)
        self._list.chosen.connect(self._choose)
        self._list.hide()
        self.setLayout(column(self._row, self._list, gap=0))
        self._offer()
        self.set_value(value or options[0][0])

    def sizeHint(self) -> QSize:
        """Request the size of one line."""
        return QSize(sum(self._widths()) + 2 * Theme.current().px(INSET), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Allow the size of the drop-down."""
        return QSize(self._list.minimumSizeHint().width(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Become a drop-down if the segments do not fit."""
        super().resizeEvent(event)
        self._fit()

    def value(self) -> str:
        return next(key for key, button in self._buttons.items() if button.isChecked())

    def set_value(self, key: str) -> None:
        """Select without signals. Tab stops at the selected one, arrow keys move to the others."""
        self._buttons[key].setChecked(True)
        self._list.set_key(key)
        for known, button in self._buttons.items():
            policy = Qt.FocusPolicy
            button.setFocusPolicy(policy.StrongFocus if known == key else policy.ClickFocus)

    def set_shown(self, key: str, *, on: bool) -> None:
        self._buttons[key].setVisible(on)
        (self._left_out.discard if on else self._left_out.add)(key)
        self._offer()

    def set_label(self, key: str, label: str) -> None:
        """Change a segment's text (for counts)."""
        self._buttons[key].setText(label)
        self._buttons[key].setAccessibleName(f"{self.accessibleName()}: {label}".replace("&&", "&"))
        self._offer()

    def _offered(self) -> dict[str, _Segment]:
        return {key: button for key, button in self._buttons.items() if key not in self._left_out}

    def _widths(self) -> list[int]:
        return [button.sizeHint().width() for button in self._offered().values()]

    def _offer(self) -> None:
        """Copy the segments' texts to the drop-down."""
        self._list.set_options([(key, button.text().replace("&&", "&")) for key, button in self._offered().items()])
        self.updateGeometry()
        self._fit()

    def _choose(self, key: str) -> None:
        self.set_value(key)
        self.changed.emit(key)

    def _fit(self) -> None:
        room, lines, used = self.width() - 2 * Theme.current().px(INSET), 1, 0
        for wide in self._widths():
            lines, used = (lines + 1, wide) if used and used + wide > room else (lines, used + wide)
        folded = lines > MOST_LINES
        if folded == self._row.isHidden():
            return
        focus = self.window().focusWidget()
        self._row.setVisible(not folded)
        self._list.setVisible(folded)
        if focus is not None and self.isAncestorOf(focus):
            (self._list if folded else self._buttons[self.value()]).setFocus()
