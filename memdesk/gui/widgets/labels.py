"""Texts: roles of the type scale, elided lines, chips."""

from typing import Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from memdesk.gui.icons import mark, pixmap
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import set_property

Role = Literal[
    "",
    "display",
    "title",
    "heading",
    "strong",
    "section",
    "muted",
    "small",
    "danger",
    "warning",
    "success",
    "mono",
    "code",
    "quote",
    "step",
]
Tone = Literal["", "accent", "success", "warning", "danger"]


class Label(QLabel):
    """A text of one role. Plain text by default: user text is never taken for markup."""

    def __init__(self, text: str = "", role: Role = "", *, wrap: bool = False, selectable: bool = False) -> None:
        super().__init__(text, textFormat=Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setWordWrap(wrap)
        if wrap:
            policy = self.sizePolicy()
            policy.setHeightForWidth(True)
            policy.setVerticalPolicy(QSizePolicy.Policy.Minimum)
            self.setSizePolicy(policy)
        if selectable:
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )

    def set_role(self, role: Role) -> None:
        set_property(self, "role", role)


class ElidedLabel(QLabel):
    """One line, elided with … if needed; the full text is its tooltip."""

    def __init__(self, text: str = "", role: Role = "") -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def setText(self, text: str) -> None:
        line = " ".join(text.split())
        super().setText(line)
        self.setToolTip(line)

    def minimumSizeHint(self) -> QSize:
        """Leave space for at least an ellipsis."""
        return QSize(self.fontMetrics().horizontalAdvance("…") * 2, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        line = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(self.alignment() | Qt.AlignmentFlag.AlignVCenter), line)


class Brand(QWidget):
    """The app's mark and name side by side."""

    def __init__(self) -> None:
        super().__init__()
        self._mark = QLabel()
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(Theme.current().px(8))
        box.addWidget(self._mark)
        box.addWidget(Label("memdesk", "heading"), 1)
        Theme.current().changed.connect(self._tint)
        self._tint()

    def _tint(self) -> None:
        side = Theme.current().px(20)
        self._mark.setPixmap(mark(side, max(self.devicePixelRatioF(), 2.0)))
        self._mark.setFixedSize(side, side)


class Emblem(QLabel):
    """A large icon in a round background, for empty states."""

    def __init__(self, icon_name: str, tone: Tone = "accent") -> None:
        super().__init__()
        self._icon_name, self._tone = icon_name, tone
        self.setProperty("role", "emblem")
        self.setProperty("tone", tone)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        Theme.current().changed.connect(self._tint)
        self._tint()

    def set_icon(self, icon_name: str) -> None:
        self._icon_name = icon_name
        self._tint()

    def _tint(self) -> None:
        theme = Theme.current()
        self.setPixmap(
            pixmap(self._icon_name, theme.color(self._tone), theme.px(26), max(self.devicePixelRatioF(), 2.0))
        )
        self.setFixedSize(theme.px(56), theme.px(56))


class Chip(QLabel):
    """A small rounded word, such as a kind, a tag or a state."""

    def __init__(self, text: str, tone: Tone = "") -> None:
        super().__init__(text, textFormat=Qt.TextFormat.PlainText)
        self.setProperty("role", "chip")
        self.setProperty("tone", tone)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_tone(self, tone: Tone) -> None:
        set_property(self, "tone", tone)


class IconLabel(QLabel):
    """A picture beside a text that says the same; hidden from screen readers by having no name."""

    def __init__(self, icon_name: str, tint: str = "muted", side: int = 16, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name, self._token, self._side = icon_name, tint, side
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        Theme.current().changed.connect(self._tint)
        self._tint()

    def set_icon(self, icon_name: str, tint: str) -> None:
        self._icon_name, self._token = icon_name, tint
        self._tint()

    def _tint(self) -> None:
        theme = Theme.current()
        side = theme.px(self._side)
        self.setPixmap(pixmap(self._icon_name, theme.color(self._token), side, max(self.devicePixelRatioF(), 2.0)))
        self.setFixedSize(side, side)
