"""Translations through Qt Linguist: ``resources/translations/memdesk_<language>.{ts,qm}``.

English needs its file as well: it has the plurals ("1 fact", "2 facts").
"""

from functools import cache
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, Qt, QTranslator
from PySide6.QtWidgets import QApplication

from memdesk.settings.resources import resources_root

LANGUAGES = ("en", "de")


def chosen_language(choice: str) -> str:
    """Return the language to show: the chosen one, or the system's if translated, else English."""
    if choice in LANGUAGES:
        return choice
    system = QLocale.system().name().partition("_")[0]
    return system if system in LANGUAGES else "en"


def install(app: QApplication, choice: str) -> str:
    """Load the translations for ``choice`` (``system``, ``en``, ``de``) and return the language shown.

    Replaces those loaded before: new widgets use the new language, existing ones do not.
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
    """Return a file's data, never freed: Qt keeps reading it.

    By default Qt maps the file, and a window whose file is rewritten, for instance by an update, breaks in the middle
    of a sentence.
    """
    return file.read_bytes() if file.exists() else b""
