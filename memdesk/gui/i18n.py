"""Translations through Qt Linguist: ``resources/translations/memdesk_<language>.{ts,qm}``.

English needs its file as well: it holds the plurals ("1 fact", "2 facts").
"""

from __future__ import annotations

from PySide6.QtCore import QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from memdesk.settings.resources import resources_root

LANGUAGES = ("en", "de")


def chosen_language(choice: str) -> str:
    """Return the language to show: the chosen one, or the system's where it is translated, else English."""
    if choice in LANGUAGES:
        return choice
    system = QLocale.system().name().partition("_")[0]
    return system if system in LANGUAGES else "en"


def install(app: QApplication, choice: str) -> str:
    """Load the translations for ``choice`` (``system``, ``en``, ``de``) and return the language shown.

    Those loaded before are taken out: what is made from now on is in the new language, what stands already is not.
    """
    language = chosen_language(choice)
    for former in app.findChildren(QTranslator, options=Qt.FindChildOption.FindDirectChildrenOnly):
        app.removeTranslator(former)
        former.deleteLater()
    system = QLocale.system()
    same = system.name().partition("_")[0] == language
    QLocale.setDefault(system if same else QLocale(language))
    own = QTranslator(app)
    if own.load(f"memdesk_{language}", str(resources_root() / "translations")):
        app.installTranslator(own)
    if language != "en":
        standard = QTranslator(app)
        if standard.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
            app.installTranslator(standard)
    return language
