"""Translation outside of Qt classes, which have ``self.tr``, and of services' messages.

Qt Linguist shows such texts without a context. A service's message is a code with values, which are formatted for the
user.
"""

import re
from typing import Any, Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QLocale

from memdesk.messages import Message, placed, places

CONTEXT = "services"
#: A placeholder. All are filled in one pass: a value may contain what looks like another.
_PLACE: Final = re.compile(r"\{(\w+)\}")
#: Words that fill placeholders: what a claim is about, what was changed.
WORDS = (
    QT_TRANSLATE_NOOP("services", "home"),
    QT_TRANSLATE_NOOP("services", "employer"),
    QT_TRANSLATE_NOOP("services", "job"),
    QT_TRANSLATE_NOOP("services", "name"),
    QT_TRANSLATE_NOOP("services", "birthday"),
    QT_TRANSLATE_NOOP("services", "partner"),
    QT_TRANSLATE_NOOP("services", "decay"),
    QT_TRANSLATE_NOOP("services", "merge"),
    QT_TRANSLATE_NOOP("services", "promote"),
    QT_TRANSLATE_NOOP("services", "evict"),
    QT_TRANSLATE_NOOP("services", "prune"),
    QT_TRANSLATE_NOOP("services", "identity"),
    QT_TRANSLATE_NOOP("services", "preference"),
    QT_TRANSLATE_NOOP("services", "decision"),
    QT_TRANSLATE_NOOP("services", "commitment"),
    QT_TRANSLATE_NOOP("services", "relationship"),
    QT_TRANSLATE_NOOP("services", "event"),
    QT_TRANSLATE_NOOP("services", "skill"),
    QT_TRANSLATE_NOOP("services", "correction"),
    QT_TRANSLATE_NOOP("services", "other"),
)


def tr(text: str, disambiguation: str = "", number: int = -1) -> str:
    """Translate ``text``; with ``number`` its plural form is chosen and ``%n`` is filled in."""
    return QCoreApplication.translate("", text, disambiguation or None, number)


def sentence(text: str) -> str:
    """Translate a service's reason and capitalize it as a sentence, except the app's name."""
    words = said(text)
    return words if words.startswith("memdesk") else words[:1].upper() + words[1:]


def said(text: str) -> str:
    """Translate a service's message: errors, health tiles, reasons. Unknown text is returned unchanged."""
    if not isinstance(text, Message) or not text.values:
        return QCoreApplication.translate(CONTEXT, text) if text else ""
    source = placed(text.code)
    if QCoreApplication.translate(CONTEXT, source) == source:
        # English has its own plurals; a sentence in it may still be known.
        return str(Message(text.code, **{n: said(v) if isinstance(v, Message) else v for n, v in text.values.items()}))
    translated = QCoreApplication.translate(CONTEXT, source, None, text.values.get("n", -1))
    own = {name: _own(text.values[name], form) for name, form in places(text.code)}
    return _PLACE.sub(lambda place: own.get(place[1], place[0]), translated)


def _own(value: Any, form: str) -> str:
    """Format a value for the user, and translate a nested sentence."""
    if isinstance(value, str):
        return said(value)
    if form.endswith("%"):
        return QCoreApplication.translate("", "{n}%", "a percentage").format(n=f"{value:{form}}"[:-1])
    if isinstance(value, float) and form.endswith("f"):
        return QLocale().toString(value, "f", int(form[:-1].rpartition(".")[2] or 6))
    return QLocale().toString(value) if form == "," else f"{value:{form}}"
