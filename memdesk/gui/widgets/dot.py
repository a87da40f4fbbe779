"""A colored dot."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.theme import Theme


class Dot(QWidget):
    """Beside a text that says the same: in a color of its own, or one of the theme's. ``side`` is in px at 100 %."""

    def __init__(self, tint: str = "track", color: str = "", *, side: int = 8) -> None:
        super().__init__()
        self._token, self._color, self._side = tint, color, side
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        Theme.current().changed.connect(self._size)
        self._size()

    def _size(self) -> None:
        side = Theme.current().px(self._side)
        self.setFixedSize(side, side)

    def set_token(self, token: str) -> None:
        self._token = token
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._color or Theme.current().hex(self._token)))
        painter.drawEllipse(self.rect())
