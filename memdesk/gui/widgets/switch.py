"""A switch and a row of segments: choices that take effect at once."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QSizePolicy, QWidget

from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.layout import FlowLayout


class Switch(QAbstractButton):
    """On or off."""

    def __init__(self, name: str, *, on: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setChecked(on)
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        Theme.current().changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """Return a size that follows the text size."""
        px = Theme.current().px
        return QSize(px(32), px(24))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw track, knob and focus ring."""
        del event
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
            # Inside the track, which ends where the other controls of the column end.
            painter.setPen(QPen(theme.color("text"), 2))
            ring = track.adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)


class _Segment(Button):
    """As wide as its words in bold, which they are while it is chosen; a style sheet's states are not measured."""

    def sizeHint(self) -> QSize:
        """Return the size for the bold words."""
        hint = super().sizeHint()
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        words = self.text().replace("&&", "&")
        wider = QFontMetrics(bold).horizontalAdvance(words) - self.fontMetrics().horizontalAdvance(words)
        return QSize(hint.width() + max(0, wider), hint.height())


class Segments(QFrame):
    """One of a few, all in sight. ``changed`` tells the key chosen by the user."""

    changed = Signal(str)

    def __init__(
        self, options: Sequence[tuple[str, str]], *, name: str, value: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "segments")
        self.setAccessibleName(name)
        policy = QSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, _Segment] = {}
        for key, label in options:
            button = _Segment(label, variant="segment", name=f"{name}: {label}")
            button.setCheckable(True)
            button.clicked.connect(lambda _checked=False, key=key: self.changed.emit(key))
            self._group.addButton(button)
            self._buttons[key] = button
        flow = FlowLayout(self, gap=0)
        inset = Theme.current().px(2)
        flow.setContentsMargins(inset, inset, inset, inset)
        for button in self._buttons.values():
            flow.addWidget(button)
        self.set_value(value or options[0][0])

    def value(self) -> str:
        """Return the chosen key."""
        return next(key for key, button in self._buttons.items() if button.isChecked())

    def set_value(self, key: str) -> None:
        """Choose without telling. Tab comes to the one chosen, arrows go on to the others."""
        self._buttons[key].setChecked(True)
        for known, button in self._buttons.items():
            policy = Qt.FocusPolicy
            button.setFocusPolicy(policy.StrongFocus if known == key else policy.ClickFocus)

    def set_shown(self, key: str, *, on: bool) -> None:
        """Offer a segment, or leave it out."""
        self._buttons[key].setVisible(on)

    def set_label(self, key: str, label: str) -> None:
        """Change what a segment says (for counts)."""
        self._buttons[key].setText(label)
        self._buttons[key].setAccessibleName(f"{self.accessibleName()}: {label}")
