"""Icons from ``resources/icons``, tinted at run time and sharp at every scale."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap

from memdesk.gui.theme import Theme
from memdesk.settings.resources import resource_text

if TYPE_CHECKING:
    from PySide6.QtSvg import QSvgRenderer

#: Prepared sizes in device pixels; Qt picks the best and scales down if needed.
_SIDES = (16, 20, 24, 32, 48)


@lru_cache(maxsize=256)
def _svg(name: str) -> str:
    return resource_text("icons", f"{name}.svg")


@lru_cache(maxsize=8)
def _renderer(name: str) -> QSvgRenderer:
    """Return the parsed icon; its sizes are drawn one after another."""
    from PySide6.QtSvg import QSvgRenderer

    return QSvgRenderer(QByteArray(_svg(name).encode()))


@lru_cache(maxsize=512)
def _shape(name: str, side: int) -> QPixmap:
    """Draw an icon's shape, ``side`` device pixels wide; every tint uses the same shape."""
    image = QPixmap(QSize(side, side))
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    _renderer(name).render(painter, QRectF(0, 0, side, side))
    painter.end()
    return image


def pixmap(name: str, color: QColor | str, side: int, ratio: float = 1.0) -> QPixmap:
    """Draw the icon of a file's name in ``resources/icons``, ``side`` logical pixels wide of ``ratio`` pixels each."""
    image = _shape(name, max(1, round(side * ratio))).copy()
    painter = QPainter(image)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(image.rect(), QColor(color))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


def mark(side: int, ratio: float = 1.0) -> QPixmap:
    """Draw the app's own mark: a brain on a rounded square in the accent color, ``side`` logical pixels wide."""
    theme = Theme.current()
    full = max(1, round(side * ratio))
    image = QPixmap(full, full)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("accent"))
    painter.drawRoundedRect(0, 0, full, full, full * 0.24, full * 0.24)
    inner = round(full * 0.68)
    painter.drawPixmap((full - inner) // 2, (full - inner) // 2, pixmap("brain", theme.color("on_accent"), inner))
    painter.end()
    image.setDevicePixelRatio(ratio)
    return image


@lru_cache(maxsize=512)
def _tinted(name: str, normal: str, active: str, disabled: str) -> QIcon:
    icon = QIcon()
    for side in _SIDES:
        icon.addPixmap(pixmap(name, normal, side), QIcon.Mode.Normal, QIcon.State.Off)
        if active != normal:  # without its own, Qt takes the other state's
            icon.addPixmap(pixmap(name, active, side), QIcon.Mode.Normal, QIcon.State.On)
        icon.addPixmap(pixmap(name, disabled, side), QIcon.Mode.Disabled, QIcon.State.Off)
    return icon


def icon(name: str, tint: str = "muted", *, active: str | None = None, disabled: str = "track") -> QIcon:
    """Return an icon tinted with the theme's tokens, ``active`` when checked."""
    theme = Theme.current()
    return _tinted(name, theme.hex(tint), theme.hex(active or tint), theme.hex(disabled))
