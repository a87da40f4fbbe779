"""A fact's salience over time, drawn."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.theme import Theme
from memdesk.gui.words import day, share

#: The values with a grid line.
SCALE = (0.0, 0.5, 1.0)


class SalienceCurve(QWidget):
    """Past (solid), forecast (dashed), and the floor below which it is evicted."""

    def __init__(self) -> None:
        super().__init__()
        self._points: Sequence[tuple[datetime, float]] = ()
        self._now: datetime | None = None
        self._floor = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        Theme.current().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(Theme.current().px(240), Theme.current().px(132))

    def show_points(self, points: Sequence[tuple[datetime, float]], now: datetime, floor: float) -> None:
        """Draw ``(moment, salience 0..1)`` points."""
        self._points, self._now, self._floor = points, now, floor
        if points:
            text = self.tr("Salience {first} at first, {last} in three months")
            self.setAccessibleName(text.format(first=share(points[0][1]), last=share(points[-1][1])))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if len(self._points) < 2 or self._now is None:
            return
        theme = Theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPixelSize(theme.text_px("f_xs"))
        painter.setFont(font)
        plot = self._plot(painter)
        first, last = self._points[0][0], self._points[-1][0]
        span = max((last - first).total_seconds(), 1.0)

        def place(moment: datetime, value: float) -> QPointF:
            along = (moment - first).total_seconds() / span
            return QPointF(plot.left() + plot.width() * along, plot.bottom() - plot.height() * value)

        self._draw_scale(painter, plot)
        past = [place(*point) for point in self._points if point[0] <= self._now]
        ahead = [*past[-1:], *(place(*point) for point in self._points if point[0] >= self._now)]
        self._draw_past(painter, past, plot)
        painter.setPen(QPen(theme.color("accent"), 2, Qt.PenStyle.DashLine))
        painter.drawPolyline(QPolygonF(ahead))
        fades = next((point for point in self._points if point[0] > self._now and point[1] < self._floor), None)
        self._draw_floor(painter, place(last, self._floor), plot)
        if fades is not None:
            self._draw_point(painter, place(fades[0], self._floor), filled=False)
        if past:
            self._draw_point(painter, past[-1], filled=True)
        self._name_moments(painter, plot, place(self._now, 0.0).x())

    def _plot(self, painter: QPainter) -> QRectF:
        """Return the rectangle of the curve: beside the scale, above the time labels."""
        px, metrics = Theme.current().px, painter.fontMetrics()
        left = max(metrics.horizontalAdvance(share(value)) for value in SCALE) + px(8)
        foot = metrics.lineSpacing() + px(4)
        return QRectF(self.rect()).adjusted(left, px(8), -px(4), -foot)

    def _draw_scale(self, painter: QPainter, plot: QRectF) -> None:
        """Draw lines at none, half and all, each with its number."""
        theme, metrics = Theme.current(), painter.fontMetrics()
        for value in SCALE:
            y = round(plot.bottom() - plot.height() * value) + 0.5
            painter.setPen(QPen(theme.color("border"), 1))
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
            painter.setPen(theme.color("muted"))
            words = share(value)
            left = plot.left() - theme.px(6) - metrics.horizontalAdvance(words)
            painter.drawText(QPointF(left, y + metrics.ascent() / 2 - 1), words)

    def _draw_past(self, painter: QPainter, past: list[QPointF], plot: QRectF) -> None:
        """Draw the past, over a filled area."""
        if not past:
            return
        color = Theme.current().color("accent")
        soft = Theme.current().color("accent")
        soft.setAlphaF(0.10)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(soft)
        field = [QPointF(past[0].x(), plot.bottom()), *past, QPointF(past[-1].x(), plot.bottom())]
        painter.drawPolygon(QPolygonF(field))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color, 2))
        painter.drawPolyline(QPolygonF(past))

    def _draw_floor(self, painter: QPainter, end: QPointF, plot: QRectF) -> None:
        """Draw the value below which it is evicted, with its name."""
        theme = Theme.current()
        painter.setPen(QPen(theme.color("faint"), 1, Qt.PenStyle.DotLine))
        y = round(end.y()) + 0.5
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
        words = self.tr("faded")
        painter.setPen(theme.color("muted"))
        wide = painter.fontMetrics().horizontalAdvance(words)
        painter.drawText(QPointF(plot.right() - wide, y - theme.px(4)), words)

    def _draw_point(self, painter: QPainter, place: QPointF, *, filled: bool) -> None:
        theme = Theme.current()
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.setBrush(theme.color("accent" if filled else "surface"))
        painter.drawEllipse(place, theme.px(3), theme.px(3))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _name_moments(self, painter: QPainter, plot: QRectF, now: float) -> None:
        """Label the start, the present and the end of the forecast, as space permits."""
        theme, metrics = Theme.current(), painter.fontMetrics()
        painter.setPen(theme.color("muted"))
        gap, base = theme.px(8), self.height() - metrics.descent() - 1
        begin, today, end = day(self._points[0][0]), self.tr("today"), self.tr("in three months")
        left_of_end = plot.right() - metrics.horizontalAdvance(end)
        painter.drawText(QPointF(left_of_end, base), end)
        wide = metrics.horizontalAdvance(today)
        middle = max(now - wide / 2, plot.left())
        if middle + wide + gap > left_of_end:
            return
        painter.drawText(QPointF(middle, base), today)
        if plot.left() + metrics.horizontalAdvance(begin) + gap < middle:
            painter.drawText(QPointF(plot.left(), base), begin)
