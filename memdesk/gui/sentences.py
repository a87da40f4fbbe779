"""Says what a service said in the user's language: by its code, with its values in the user's form."""

from __future__ import annotations

import re
from typing import Any, Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QLocale

from memdesk.messages import Message, placed, places

CONTEXT = "services"
#: A place of a translated sentence. All are filled in one pass: a value may hold what looks like another place.
_PLACE: Final = re.compile(r"\{(\w+)\}")
#: Words that stand in the places of sentences: what a claim is about, what was changed.
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


def translate(text: str) -> str:
    """Return what a service said in the user's language; what has no translation as it was said."""
    if not isinstance(text, Message) or not text.values:
        return QCoreApplication.translate(CONTEXT, text) if text else ""
    source = placed(text.code)
    known = QCoreApplication.translate(CONTEXT, source) != source
    if not known and not any(isinstance(value, Message) for value in text.values.values()):
        return str(text)
    translated = QCoreApplication.translate(CONTEXT, source, None, text.values.get("n", -1))
    own = {name: _own(text.values[name], form) for name, form in places(text.code)}
    return _PLACE.sub(lambda place: own.get(place[1], place[0]), translated)


def _own(value: Any, form: str) -> str:
    """Put a value into the user's form, and a sentence in a sentence into the user's language."""
    if isinstance(value, str):
        return translate(value)
    if form.endswith("%"):
        return QCoreApplication.translate("", "{n}%", "a percentage").format(n=f"{value:{form}}"[:-1])
    if isinstance(value, float) and form.endswith("f"):
        return QLocale().toString(value, "f", int(form[:-1].rpartition(".")[2] or 6))
    return QLocale().toString(value) if form == "," else f"{value:{form}}"
