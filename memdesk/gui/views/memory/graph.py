"""A small graph of one entity and what it is joined to, to walk along."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.theme import Theme

#: Neighbours drawn; the list below the graph has them all.
MOST = 10


@dataclass(frozen=True, slots=True)
class Node:
    """A neighbour: its id, its name, and what joins it to the middle."""

    id: str
    name: str
    label: str


class EntityGraph(QWidget):
    """The entity in the middle, its neighbours around it. ``chosen`` tells the id of one clicked or entered."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self._nodes: list[Node] = []
        self._boxes: list[QRectF] = []
        self._focus = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        Theme.current().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return the room a ring of names needs."""
        return QSize(Theme.current().px(360), Theme.current().px(260))

    def show_nodes(self, name: str, nodes: list[Node]) -> None:
        """Draw another entity."""
        self._name, self._nodes, self._focus = name, nodes[:MOST], 0
        words = ", ".join(f"{node.label} {node.name}" for node in self._nodes)
        self.setAccessibleName(self.tr("{name} is joined to: {words}").format(name=name, words=words))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw lines, labels and names."""
        del event
        theme = Theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QPointF(self.width() / 2, self.height() / 2)
        across, down = self.width() * 0.36, self.height() * 0.38
        self._boxes = []
        small = painter.font()
        small.setPixelSize(theme.text_px("f_s"))
        for number, node in enumerate(self._nodes):
            angle = 2 * math.pi * number / len(self._nodes) - math.pi / 2
            place = QPointF(middle.x() + across * math.cos(angle), middle.y() + down * math.sin(angle))
            painter.setPen(QPen(theme.colour("border_strong"), 1))
            painter.drawLine(middle, place)
            painter.save()
            painter.setFont(small)
            painter.setPen(theme.colour("muted"))
            halfway = (middle + place) / 2
            room = QRectF(halfway.x() - theme.px(60), halfway.y() - theme.px(9), theme.px(120), theme.px(18))
            words = painter.fontMetrics().horizontalAdvance(node.label) + theme.px(8)
            # The line stops for the word.
            painter.fillRect(QRectF(halfway.x() - words / 2, room.top(), words, room.height()), theme.colour("surface"))
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), node.label)
            painter.restore()
            focused = self.hasFocus() and number == self._focus
            self._boxes.append(self._name_box(painter, node.name, place, strong=False, focused=focused))
        self._name_box(painter, self._name, middle, strong=True, focused=False)

    def _name_box(self, painter: QPainter, text: str, place: QPointF, *, strong: bool, focused: bool) -> QRectF:
        theme = Theme.current()
        metrics = QFontMetrics(painter.font())
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, theme.px(150))
        wide, high = metrics.horizontalAdvance(shown) + theme.px(20), metrics.height() + theme.px(10)
        left = min(max(place.x() - wide / 2, 1.0), self.width() - wide - 1.0)
        top = min(max(place.y() - high / 2, 1.0), self.height() - high - 1.0)
        box = QRectF(left, top, wide, high)
        painter.setBrush(theme.colour("accent" if strong else "surface"))
        painter.setPen(QPen(theme.colour("accent" if strong or focused else "border_strong"), 2 if focused else 1))
        painter.drawRoundedRect(box, high / 2, high / 2)
        painter.setPen(theme.colour("on_accent" if strong else "text"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), shown)
        return box

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show a hand over what can be walked to."""
        over = any(box.contains(event.position()) for box in self._boxes)
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Walk to the name clicked."""
        for node, box in zip(self._nodes, self._boxes, strict=False):
            if box.contains(event.position()):
                self.chosen.emit(node.id)
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk with arrows and Enter."""
        if self._nodes and event.key() in {Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up}:
            step = 1 if event.key() in {Qt.Key.Key_Right, Qt.Key.Key_Down} else -1
            self._focus = (self._focus + step) % len(self._nodes)
            self.update()
        elif self._nodes and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.chosen.emit(self._nodes[self._focus].id)
        else:
            super().keyPressEvent(event)
