"""A small graph of one entity and its relations, to walk along."""

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.theme import Theme

#: Neighbors drawn; the list below the graph has them all.
MOST = 10
_STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}


@dataclass(frozen=True, slots=True)
class Node:
    """A neighbor: its id, name and relation to the center, and whether the relation points to it."""

    id: str
    name: str
    label: str
    outward: bool = True


class EntityGraph(QWidget):
    """The entity in the center, its neighbors around it.

    ``chosen`` has the id of one clicked or entered; ``back``: Backspace was pressed.
    """

    chosen = Signal(str)
    back = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self._nodes: list[Node] = []
        self._boxes: list[QRectF] = []
        self._focus = 0
        self._more = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        Theme.current().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(Theme.current().px(360), Theme.current().px(260))

    def show_nodes(self, name: str, nodes: list[Node]) -> None:
        self._name, self._nodes, self._focus = name, nodes[:MOST], 0
        self._more = len(nodes) - len(self._nodes)
        words = ", ".join(f"{node.label} {node.name}" for node in self._nodes)
        self.setAccessibleName(self.tr("{name} is connected to: {words}").format(name=name, words=words))
        self._tell_focus()
        self.update()

    def _tell_focus(self) -> None:
        """Let a screen reader announce the position."""
        if self._nodes:
            node = self._nodes[self._focus]
            words = self.tr("{label} {name}, {n} of {all}. Enter goes there, Backspace goes back.")
            self.setAccessibleDescription(
                words.format(label=node.label, name=node.name, n=self._focus + 1, all=len(self._nodes))
            )

    # -- drawing -------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = QPointF(self.width() / 2, self.height() / 2)
        across, down = self.width() * 0.36, self.height() * 0.38
        self._boxes = []
        for number, node in enumerate(self._nodes):
            angle = 2 * math.pi * number / len(self._nodes) - math.pi / 2
            place = QPointF(middle.x() + across * math.cos(angle), middle.y() + down * math.sin(angle))
            self._draw_line(painter, node, middle, place)
            focused = self.hasFocus() and number == self._focus
            self._boxes.append(self._name_box(painter, node.name, place, strong=False, focused=focused))
        self._name_box(painter, self._name, middle, strong=True, focused=False)
        if self._more:
            painter.setPen(Theme.current().color("muted"))
            corner = self.rect().adjusted(0, 0, -Theme.current().px(12), -Theme.current().px(6))
            place_at = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
            painter.drawText(corner, int(place_at), self.tr("%n more below", "", self._more))

    def _draw_line(self, painter: QPainter, node: Node, middle: QPointF, place: QPointF) -> None:
        theme = Theme.current()
        painter.setPen(QPen(theme.color("border_strong"), 1))
        painter.drawLine(middle, place)
        halfway = (middle + place) / 2
        painter.save()
        small = painter.font()
        small.setPixelSize(theme.text_px("f_s"))
        painter.setFont(small)
        metrics = painter.fontMetrics()
        label = metrics.elidedText(node.label, Qt.TextElideMode.ElideRight, theme.px(140))
        wide, high = metrics.horizontalAdvance(label) + theme.px(8), metrics.height()
        room = QRectF(halfway.x() - wide / 2, halfway.y() - high / 2, wide, high)
        # Leave a gap in the line for the label.
        painter.fillRect(room, theme.color("surface"))
        painter.setPen(theme.color("muted"))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), label)
        painter.restore()
        target, other = (node.name, place) if node.outward else (self._name, middle)
        self._draw_arrow(painter, self._room_of(target, other), middle if node.outward else place)

    @staticmethod
    def _draw_arrow(painter: QPainter, target: QRectF, start: QPointF) -> None:
        """Draw a relation's arrowhead at its target."""
        theme = Theme.current()
        line = target.center() - start
        length = math.hypot(line.x(), line.y()) or 1.0
        ahead = QPointF(line.x() / length, line.y() / length)
        aside = QPointF(-ahead.y(), ahead.x())
        # At the edge of the name in this direction.
        reach = min(
            target.width() / 2 / abs(ahead.x()) if ahead.x() else math.inf,
            target.height() / 2 / abs(ahead.y()) if ahead.y() else math.inf,
        )
        tip, long, half = target.center() - ahead * reach, theme.px(8), theme.px(3.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("control"))
        foot = tip - ahead * long
        painter.drawPolygon(QPolygonF([tip, foot + aside * half, foot - aside * half]))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _shown(self, text: str) -> str:
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, Theme.current().px(150))

    def _room_of(self, text: str, place: QPointF) -> QRectF:
        """Return the rectangle of a name, moved inside the edges."""
        theme, metrics = Theme.current(), self.fontMetrics()
        wide, high = metrics.horizontalAdvance(self._shown(text)) + theme.px(20), metrics.height() + theme.px(10)
        left = min(max(place.x() - wide / 2, 1.0), self.width() - wide - 1.0)
        top = min(max(place.y() - high / 2, 1.0), self.height() - high - 1.0)
        return QRectF(left, top, wide, high)

    def _name_box(self, painter: QPainter, text: str, place: QPointF, *, strong: bool, focused: bool) -> QRectF:
        theme = Theme.current()
        box = self._room_of(text, place)
        painter.setBrush(theme.color("accent" if strong else "surface"))
        painter.setPen(QPen(theme.color("accent" if strong or focused else "border_strong"), 2 if focused else 1))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setPen(theme.color("on_accent" if strong else "text"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), self._shown(text))
        return box

    # -- walking -------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = next((n for n, box in enumerate(self._boxes) if box.contains(event.position())), None)
        self.setCursor(Qt.CursorShape.ArrowCursor if over is None else Qt.CursorShape.PointingHandCursor)
        node = None if over is None else self._nodes[over]
        self.setToolTip(f"{node.label}: {node.name}" if node is not None else "")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        for node, box in zip(self._nodes, self._boxes, strict=False):
            if box.contains(event.position()):
                self.chosen.emit(node.id)
                return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk with arrows and Enter, and back with Backspace."""
        key = Qt.Key(event.key())
        if self._nodes and key in _STEPS:
            self._focus = (self._focus + _STEPS[key]) % len(self._nodes)
            self._tell_focus()
            self.update()
        elif self._nodes and key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.chosen.emit(self._nodes[self._focus].id)
        elif key == Qt.Key.Key_Backspace:
            self.back.emit()
        else:
            super().keyPressEvent(event)
