"""A fact's salience over time, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.theme import Theme
from memdesk.gui.words import share

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


class SalienceCurve(QWidget):
    """What it was (solid), what it will be (dashed), and the floor below which it is evicted."""

    def __init__(self) -> None:
        super().__init__()
        self._points: Sequence[tuple[datetime, float]] = ()
        self._now: datetime | None = None
        self._floor = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        Theme.current().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return a low, wide shape."""
        return QSize(Theme.current().px(240), Theme.current().px(104))

    def show_points(self, points: Sequence[tuple[datetime, float]], now: datetime, floor: float) -> None:
        """Draw ``(moment, salience 0..1)`` points."""
        self._points, self._now, self._floor = points, now, floor
        if points:
            text = self.tr("Salience {first} at first, {last} in three months")
            self.setAccessibleName(text.format(first=share(points[0][1]), last=share(points[-1][1])))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw floor, present, past and forecast."""
        del event
        if len(self._points) < 2 or self._now is None:
            return
        theme = Theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pad = theme.px(6)
        foot = self._caption(painter, theme)
        wide, high = self.width() - 2 * pad, self.height() - 2 * pad - foot
        first, last = self._points[0][0], self._points[-1][0]
        span = max((last - first).total_seconds(), 1.0)

        def place(moment: datetime, value: float) -> QPointF:
            share = (moment - first).total_seconds() / span
            return QPointF(pad + wide * share, pad + high * (1.0 - value))

        painter.setPen(QPen(theme.colour("border_strong"), 1, Qt.PenStyle.DotLine))
        painter.drawLine(place(first, self._floor), place(last, self._floor))
        painter.setPen(QPen(theme.colour("border"), 1))
        painter.drawLine(place(first, 0.0), place(last, 0.0))
        painter.drawLine(place(self._now, 0.0), place(self._now, 1.0))
        past = [place(*point) for point in self._points if point[0] <= self._now]
        ahead = [place(*point) for point in self._points if point[0] >= self._now]
        painter.setPen(QPen(theme.colour("accent"), 2))
        painter.drawPolyline(QPolygonF(past))
        painter.setPen(QPen(theme.colour("accent"), 2, Qt.PenStyle.DashLine))
        painter.drawPolyline(QPolygonF([*past[-1:], *ahead]))
        self._name_lines(painter, place(last, self._floor), place(self._now, 0.0).x(), pad + high)

    def _caption(self, painter: QPainter, theme: Theme) -> int:
        """Choose the face of the captions and return the height of their line below the curve."""
        font = self.font()
        font.setPixelSize(theme.text_px("f_xs"))
        painter.setFont(font)
        return painter.fontMetrics().lineSpacing() + theme.px(2)

    def _name_lines(self, painter: QPainter, floor: QPointF, now: float, bottom: float) -> None:
        """Write what the dotted line and the upright one mean, and where the forecast ends."""
        metrics, pad = painter.fontMetrics(), Theme.current().px(4)
        painter.setPen(Theme.current().colour("muted"))
        words = self.tr("floor")
        painter.drawText(QPointF(floor.x() - metrics.horizontalAdvance(words), floor.y() - pad), words)
        base, end = bottom + metrics.ascent() + pad / 2, self.tr("in three months")
        left = self.width() - Theme.current().px(6) - metrics.horizontalAdvance(end)
        painter.drawText(QPointF(left, base), end)
        today = self.tr("today")
        middle = now - metrics.horizontalAdvance(today) / 2
        if middle > 0 and middle + metrics.horizontalAdvance(today) + pad < left:
            painter.drawText(QPointF(middle, base), today)
