"""Translations through Qt Linguist: ``resources/translations/memdesk_<language>.{ts,qm}``.

English needs its file as well: it holds the plurals ("1 fact", "2 facts").
"""

from functools import cache
from pathlib import Path

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
    files = [resources_root() / "translations" / f"memdesk_{language}.qm"]
    if language != "en":
        files.append(Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath), f"qtbase_{language}.qm"))
    for file in files:
        translator = QTranslator(app)
        if translator.load(_texts(file)):
            app.installTranslator(translator)
    return language


@cache
def _texts(file: Path) -> bytes:
    """Return the texts of a file, kept for good: Qt goes on reading in them.

    Qt by itself maps the file, and a window whose file is written anew, by an update for instance, ends in the middle
    of a sentence.
    """
    return file.read_bytes() if file.exists() else b""
