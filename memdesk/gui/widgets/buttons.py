"""Buttons: text, icon, chip. Every one has a name for screen readers and a focus ring."""

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from memdesk.gui.icons import icon
from memdesk.gui.theme import Theme

ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
Variant = Literal["", "primary", "danger", "danger-solid", "ghost", "link", "chip", "segment"]


class Button(QPushButton):
    """A text button; ``name`` is for screen readers if the text alone is not enough. One primary button per view."""

    def __init__(
        self,
        text: str,
        handler: Callable[[], object] | None = None,
        *,
        variant: Variant = "",
        icon_name: str = "",
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self.setText(text)
        self.setProperty("variant", variant)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAutoDefault(False)
        if name:
            self.setAccessibleName(name)
        if handler is not None:
            self.clicked.connect(lambda _checked=False: handler())
        if icon_name:
            Theme.current().changed.connect(self._tint)
            self._tint()

    def setText(self, text: str) -> None:
        """Change the text; Qt leaves little space between icon and text."""
        words = text.strip()
        super().setText(f" {words}" if self._icon_name and words else words)

    def set_icon(self, name: str) -> None:
        if not self._icon_name:
            Theme.current().changed.connect(self._tint)
        self._icon_name = name
        self._tint()

    def set_variant(self, variant: Variant) -> None:
        set_property(self, "variant", variant)
        if self._icon_name:
            self._tint()

    def set_tone(self, tone: str) -> None:
        """Color a chip: ``accent``, ``warning`` or nothing."""
        set_property(self, "tone", tone)
        if self._icon_name:
            self._tint()

    def set_menu(self, menu: QMenu) -> None:
        """Open a menu on click, with space for its arrow."""
        self.setProperty("menued", True)
        self.setMenu(menu)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Also click on Enter, as in other programs; Qt does so only in dialogs."""
        if event.key() in ENTER:
            self.click()
            return
        super().keyPressEvent(event)

    def _tint(self) -> None:
        tone = self.property("tone")
        token = {"primary": "on_accent", "danger": "danger", "danger-solid": "surface", "link": "accent"}.get(
            self.property("variant"), "muted"
        )
        theme = Theme.current()
        active = "accent" if self.isCheckable() else None
        # While disabled, the icon is as faint as the text.
        self.setIcon(icon(self._icon_name, tone or token, active=active, disabled="faint"))
        self.setIconSize(QSize(theme.px(16), theme.px(16)))


class IconButton(QToolButton):
    """A button with only an icon; its name is its tooltip and accessible name."""

    def __init__(
        self,
        icon_name: str,
        name: str,
        handler: Callable[[], object] | None = None,
        *,
        checkable: bool = False,
        side: int = 16,
        tint: str = "muted",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._side = side
        self._token = tint
        self.setCheckable(checkable)
        self.setAutoRaise(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.set_name(name)
        if handler is not None:
            self.clicked.connect(lambda _checked=False: handler())
        Theme.current().changed.connect(self._tint)
        self._tint()

    def set_name(self, name: str) -> None:
        self.setToolTip(name)
        self.setAccessibleName(name)

    def set_icon(self, icon_name: str, tint: str | None = None) -> None:
        self._icon_name = icon_name
        self._token = tint or self._token
        self._tint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.click()
            return
        super().keyPressEvent(event)

    def _tint(self) -> None:
        side = Theme.current().px(self._side)
        self.setIcon(icon(self._icon_name, self._token, active="accent" if self.isCheckable() else None))
        self.setIconSize(QSize(side, side))


def set_property(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet selects by, and restyle the widget."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
