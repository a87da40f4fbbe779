"""A share between 0 and 1 as a short bar, such as a memory's salience or score."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.theme import Theme


def draw_share(painter: QPainter, track: QRectF, share: float) -> None:
    """Draw a bar filled to a share, clamped to 0 to 1."""
    theme, round_ = Theme.current(), track.height() / 2
    filled = QRectF(track)
    filled.setWidth(max(track.height(), track.width() * min(1.0, max(0.0, share))))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for area, color in ((track, "border"), (filled, "accent")):
        painter.setBrush(theme.color(color))
        painter.drawRoundedRect(area, round_, round_)


class ShareBar(QWidget):
    """The bar beside its number. The number says the same, so the bar is hidden from screen readers."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self._share = share
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        px = Theme.current().px
        return QSize(px(36), px(16))

    def paintEvent(self, _event: QPaintEvent) -> None:
        high = Theme.current().px(4)
        draw_share(QPainter(self), QRectF(0, (self.height() - high) / 2, self.width(), high), self._share)
