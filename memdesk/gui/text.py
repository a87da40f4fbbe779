"""Translation outside of Qt classes, where there is no ``self.tr``; Qt Linguist shows such texts without a context."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from memdesk.gui import sentences


def tr(text: str, disambiguation: str = "", number: int = -1) -> str:
    """Translate ``text``; with ``number`` its plural form is chosen and ``%n`` is filled in."""
    return QCoreApplication.translate("", text, disambiguation or None, number)


def sentence(text: str) -> str:
    """Translate a reason that a service gives, and begin it as a sentence of its own does."""
    words = said(text)
    return words[:1].upper() + words[1:]


def said(text: str) -> str:
    """Translate what a service says: errors, health tiles, reasons. What nobody knows is returned as it is."""
    return sentences.translate(text)
