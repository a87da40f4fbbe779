"""Times, ages and names of things in the user's words."""

from __future__ import annotations

from datetime import datetime, timedelta

from PySide6.QtCore import QDate, QLocale, QTime

from memdesk.domain.models import FactKind, FactStatus
from memdesk.gui.text import tr


def ago(when: datetime, now: datetime) -> str:
    """Return an age such as ``3 days ago``."""
    span = now - when
    if span < timedelta(minutes=1):
        return tr("just now")
    if span < timedelta(hours=1):
        return tr("%n minutes ago", "", int(span.total_seconds() // 60))
    if span < timedelta(days=1):
        return tr("%n hours ago", "", int(span.total_seconds() // 3600))
    if span < timedelta(days=60):
        return tr("%n days ago", "", span.days)
    if span < timedelta(days=730):
        return tr("%n months ago", "", span.days // 30)
    return tr("%n years ago", "", span.days // 365)


def day(when: datetime) -> str:
    """Return a date in the user's short form."""
    return QLocale().toString(QDate(when.year, when.month, when.day), QLocale.FormatType.ShortFormat)


def moment(when: datetime) -> str:
    """Return date and time in the user's short form."""
    return f"{day(when)}, {clock(when)}"


def clock(when: datetime) -> str:
    """Return a time of day in the user's short form."""
    return QLocale().toString(QTime(when.hour, when.minute), QLocale.FormatType.ShortFormat)


def size(count: int) -> str:
    """Return bytes in the user's form."""
    return QLocale().formattedDataSize(count, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def kind_name(kind: str) -> str:
    """Return what a kind of fact, or of a receipt's line, is called."""
    names = {
        FactKind.IDENTITY: tr("About you"),
        FactKind.PREFERENCE: tr("Preference"),
        FactKind.DECISION: tr("Decision"),
        FactKind.COMMITMENT: tr("Commitment"),
        FactKind.RELATIONSHIP: tr("Relationship"),
        FactKind.EVENT: tr("Event"),
        FactKind.SKILL: tr("Skill"),
        FactKind.CORRECTION: tr("Correction"),
        FactKind.OTHER: tr("Other"),
        "fact": tr("Fact"),
        "episode": tr("Episode"),
        "detail": tr("Detail"),
        "turn": tr("Message"),
    }
    return names.get(kind, kind)


def status_name(status: str) -> str:
    """Return what a fact's state is called."""
    names = {
        FactStatus.ACTIVE: tr("Active"),
        FactStatus.DISABLED: tr("Disabled"),
        FactStatus.REVIEW: tr("Waits for review"),
        FactStatus.QUARANTINED: tr("Quarantined"),
        FactStatus.SUPERSEDED: tr("Superseded"),
        FactStatus.MERGED: tr("Merged"),
        FactStatus.BINNED: tr("In the bin"),
    }
    return names.get(status, status)  # type: ignore[call-overload, no-any-return] # a status is its text
