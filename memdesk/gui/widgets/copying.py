"""Buttons that copy text, and briefly confirm it."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication

from memdesk.gui.widgets.buttons import Button, IconButton

#: How long a button confirms, in ms.
SHOWN_MS = 1500
Copier = TypeVar("Copier", Button, IconButton)


def copying(button: Copier, words: Callable[[], str]) -> Copier:
    """Let a button copy ``words()`` to the clipboard, with a check mark as its icon for a moment."""

    def show(icon_name: str, tint: str) -> None:
        if isinstance(button, IconButton):
            button.set_icon(icon_name, tint)
        else:
            button.set_icon(icon_name)

    def copy() -> None:
        QGuiApplication.clipboard().setText(words())
        show("check", "success")
        QTimer.singleShot(SHOWN_MS, button, lambda: show("copy", "muted"))

    button.clicked.connect(copy)
    return button
