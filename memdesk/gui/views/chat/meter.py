"""How full the model's context is."""

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QToolTip

from memdesk.domain.chatting.files import files_room
from memdesk.gui.theme import Theme
from memdesk.gui.words import number, percent

#: How long the meter's text stays, in ms.
READ_MS = 10_000


class ContextMeter(QAbstractButton):
    """How full the model's context is, including the draft; pressed, it says so in words."""

    def __init__(self) -> None:
        super().__init__()
        self._share = 0.0
        self._used = self._size = self._model_size = self._typed = self._attached = 0
        #: A description of what did not fit; empty if all did.
        self.left_out = ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Context"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._tell)
        self.hide()

    def begin(self, used: int = 0) -> None:
        """Start with a conversation's tokens in use after its last answer (0: unknown until the next one)."""
        self._used, self._size = used, 0
        self.left_out = ""
        self._fill()

    def _tell(self) -> None:
        place = self.mapToGlobal(QPoint(0, -self.height() * 2))
        QToolTip.showText(place, self.toolTip(), self, QRect(), READ_MS)

    def show_model(self, size: int) -> None:
        """Set the model's context size (0: unknown), used until an answer reports it exactly."""
        self._model_size = size
        self._fill()

    def show_typed(self, tokens: int, attached: int) -> None:
        """Count the draft and its files, of which only what fits is sent."""
        if (tokens, attached) != (self._typed, self._attached):
            self._typed, self._attached = tokens, attached
            self._fill()

    def show_fit(self, used: int, size: int, dropped: int, *, memory_dropped: bool) -> None:
        """Show the tokens used, and what did not fit."""
        words: list[str] = []
        if dropped:
            words.append(self.tr("The %n oldest messages no longer fit and were left out.", "", dropped))
        if memory_dropped:
            words.append(self.tr("There was no room for memory."))
        self._used, self._size, self.left_out = used, size, " ".join(words)
        self._fill()

    def _fill(self) -> None:
        size = self._size or self._model_size
        typed = self._typed + min(self._attached, files_room(size))
        used = self._used + typed
        self.setVisible(bool(size and used))
        if not size:
            return
        self._share = min(1.0, used / size)
        words = self.tr("{used} of {size} tokens of the model's context are in use.").format(
            used=number(used), size=number(size)
        )
        if typed:
            words += " " + self.tr("About %n of them are being written.", "", typed)
        words = f"{words} {self.left_out}".strip()
        self.setToolTip(words)
        self.setAccessibleDescription(words)
        self.update()

    def sizeHint(self) -> QSize:
        px = Theme.current().px
        return QSize(px(20) + QFontMetrics(self._small()).horizontalAdvance(percent(1)) + px(4), px(22))

    def _small(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(Theme.current().text_px("f_s"))
        return font

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = Theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = theme.px(13)
        ring = QRectF(2, (self.height() - side) / 2, side, side)
        pen = QPen(theme.color("track"), theme.px(2.5))
        painter.setPen(pen)
        painter.drawEllipse(ring)
        pen.setColor(theme.color("danger" if self._share > 0.9 else "warning" if self._share > 0.7 else "accent"))
        painter.setPen(pen)
        painter.drawArc(ring, 90 * 16, -int(self._share * 360 * 16))
        painter.setPen(theme.color("muted"))
        painter.setFont(self._small())
        room, words = self.rect().adjusted(side + theme.px(8), 0, 0, 0), percent(self._share)
        if painter.fontMetrics().horizontalAdvance(words) <= room.width():
            painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words)
        if self.hasFocus():
            painter.setPen(theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), theme.px(4), theme.px(4))
