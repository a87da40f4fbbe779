"""The look: design tokens, palette and style sheet, light and dark, at any text size.

Tokens are the colors of ``resources/styles/{light,dark}.json``; lengths scale with the text size, so that everything
grows together and no text is cut. A :class:`Theme` belongs to the application object like its palette; widgets that
paint themselves read ``Theme.current()`` and repaint on ``changed``.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from string import Template
from typing import Literal

from PySide6.QtCore import QDir, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from memdesk.settings.resources import resource_text, resources_root

Mode = Literal["light", "dark"]
#: The bundled typeface, for desktops that set none (bare X11, Wayland without a desktop).
OWN_FAMILY = "Inter"
GENERIC_FAMILIES = {"", "sans", "sans serif", "sans-serif", "dejavu sans"}
MONO_FAMILIES = '"SF Mono", "Cascadia Mono", "JetBrains Mono", "Ubuntu Mono", "DejaVu Sans Mono", monospace'
#: Text sizes in px at 100 %, relative to the base size.
_TEXT = {"f_xs": -2, "f_s": -1, "f_m": 0, "f_l": 2, "f_xl": 5, "f_xxl": 10}
_SPACES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 23, 24, 28, 32, 180)
_DEFAULT_BASE = 13


@cache
def tokens(mode: Mode) -> dict[str, str]:
    """Return the colors of a mode by name, as ``#RRGGBB`` or ``#AARRGGBB``."""
    colors: dict[str, str] = json.loads(resource_text("styles", f"{mode}.json"))
    return colors


class Theme(QObject):
    """Applies the look to the application and signals changes."""

    changed = Signal()
    _current: Theme | None = None

    def __init__(self, app: QApplication, *, choice: str = "system", scale: int = 100) -> None:
        super().__init__(app)
        self._app = app
        self._choice = choice
        #: Text size in percent of the system's.
        self.scale = scale
        self._base = _base_pixels()
        Theme._current = self
        QDir.setSearchPaths("glyph", [str(resources_root() / "styles" / "glyphs")])
        app.setStyle(QStyleFactory.create("Fusion"))
        app.styleHints().colorSchemeChanged.connect(self._system_changed)
        self.apply()

    @staticmethod
    def current() -> Theme:
        """Return the application's theme.

        Raises:
            RuntimeError: none was created yet.
        """
        if Theme._current is None:
            raise RuntimeError("no theme: make one for the application first")
        return Theme._current

    @property
    def mode(self) -> Mode:
        """Light or dark, as shown now."""
        if self._choice in {"light", "dark"}:
            return "dark" if self._choice == "dark" else "light"
        return "dark" if self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"

    def color(self, name: str) -> QColor:
        return QColor(tokens(self.mode)[name])

    def hex(self, name: str) -> str:
        """Return a token's color as text, for rich text."""
        return tokens(self.mode)[name]

    def px(self, length: float) -> int:
        """Return a length at 100 % in pixels at the present text size."""
        return max(1, round(length * self._base / _DEFAULT_BASE * self.scale / 100))

    def text_px(self, name: str = "f_m") -> int:
        """Return the pixel size of a text step (``f_xs`` .. ``f_xxl``)."""
        return max(9, round((self._base + _TEXT[name]) * self.scale / 100))

    def mono(self, name: str = "f_s") -> QFont:
        """Return the fixed-width font at a text step."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(self.text_px(name))
        return font

    def set_choice(self, choice: str, scale: int) -> None:
        """Switch theme (``system``, ``light``, ``dark``) and text size, live."""
        if (choice, scale) == (self._choice, self.scale):
            return
        self._choice, self.scale = choice, scale
        self.apply()

    def apply(self) -> None:
        """Apply font, palette and style sheet to the application."""
        font = QFont(self._app.font())
        family = _family(font)
        if family:
            font.setFamily(family)
        font.setPixelSize(self.text_px())
        with _no_collection():
            self._app.setFont(font)
            self._app.setPalette(self._palette())
            self._app.setStyleSheet(self.style_sheet())
        self.changed.emit()

    def style_sheet(self) -> str:
        """Return the style sheet made from the tokens and the text size."""
        values: dict[str, object] = dict(tokens(self.mode))
        values.update({f"s{n}": self.px(n) for n in _SPACES})
        values.update({name: self.text_px(name) for name in _TEXT})
        values.update(mode=self.mode, mono=MONO_FAMILIES)
        return Template(resource_text("styles", "base.qss")).substitute(values)

    def _palette(self) -> QPalette:
        role = QPalette.ColorRole
        palette = QPalette()
        names = {
            role.Window: "window",
            role.WindowText: "text",
            role.Base: "surface",
            role.AlternateBase: "window",
            role.Text: "text",
            role.Button: "surface",
            role.ButtonText: "text",
            role.ToolTipBase: "raised",
            role.ToolTipText: "text",
            role.Highlight: "selection",
            role.HighlightedText: "text",
            role.PlaceholderText: "faint",
            role.Link: "accent",
            role.LinkVisited: "accent",
            role.Mid: "border",
            role.Accent: "accent",
        }
        for key, name in names.items():
            palette.setColor(key, self.color(name))
        for key in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, key, self.color("faint"))
        return palette

    def _system_changed(self) -> None:
        if self._choice == "system":
            self.apply()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Suspend the garbage collector while Qt goes through all widgets.

    Qt lists them and notifies each of its new style. Python code that handles this may trigger the collector, and a
    dialog without a parent that it deletes is still on that list: the process crashes.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _base_pixels() -> int:
    """The system's own text size, kept within what a dense window can use."""
    own = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    return min(17, max(_DEFAULT_BASE, QFontInfo(own).pixelSize()))


def _family(font: QFont) -> str:
    """The app's own font for desktops that name only a generic one; empty keeps the system's."""
    if sys.platform in {"darwin", "win32"} or font.family().lower() not in GENERIC_FAMILIES:
        return ""
    if OWN_FAMILY not in QFontDatabase.families():
        for path in sorted((resources_root() / "fonts").glob("*.otf")):
            QFontDatabase.addApplicationFont(str(path))
    return OWN_FAMILY
