"""Notices for the user: kept in a list, and signaled to whoever draws them."""

import logging
from collections import deque
from dataclasses import dataclass, replace
from datetime import datetime

from PySide6.QtCore import QObject, Signal

from memdesk.errors import MemdeskError
from memdesk.gui.text import said, tr
from memdesk.services.events import Notice

log = logging.getLogger(__name__)
#: Notices kept for rereading.
KEEP = 50


def describe(error: BaseException) -> dict[str, str]:
    """Return an error's ``title``, ``message``, ``hint`` and ``code``.

    A foreign exception is our own bug: it is described in general terms, and its text (which may quote what the user
    wrote) stays out of the window; the log has it, redacted.
    """
    if isinstance(error, MemdeskError):
        # Hints that name a route are for programs.
        hint = "" if error.hint.startswith("GET /") else said(error.hint)
        return {"title": said(error.title), "message": said(error.message), "hint": hint, "code": error.code}
    return {
        "title": tr("Something went wrong in memdesk"),
        "message": tr("An unexpected {kind} stopped this action. Nothing else is affected.").format(
            kind=type(error).__name__
        ),
        "hint": tr("Copy a report under Diagnostics and send it to us."),
        "code": "internal_error",
    }


def fault_words(error: BaseException) -> str:
    """Return an error's message and hint, where a title is already shown."""
    words = describe(error)
    return " ".join(part for part in (words["message"], words["hint"]) if part)


@dataclass(frozen=True, slots=True)
class Kept:
    """A notice with its time in the user's timezone."""

    notice: Notice
    at: datetime


class Notices(QObject):
    """Collects notices; ``shown`` is emitted for each, ``counted`` with the number of unread ones. Main thread only."""

    shown = Signal(object)
    counted = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.kept: deque[Kept] = deque(maxlen=KEEP)
        self.unseen = 0

    @property
    def recent(self) -> list[Notice]:
        """The kept notices, oldest first."""
        return [kept.notice for kept in self.kept]

    def show(self, notice: Notice) -> None:
        """Show a notice and keep it for the list."""
        self.kept.append(Kept(notice, datetime.now().astimezone()))
        self.shown.emit(notice)
        self._count(min(self.unseen + 1, KEEP))

    def see(self) -> None:
        """Mark the kept notices as read."""
        self._count(0)

    def forget(self) -> None:
        """Delete the kept notices: they may quote titles and names."""
        self.kept.clear()
        self._count(0)

    def _count(self, unseen: int) -> None:
        self.unseen = unseen
        self.counted.emit(unseen)

    def heard(self, notice: Notice) -> None:
        """Show a service's message in the user's language."""
        self.show(replace(notice, title=said(notice.title), message=said(notice.message), hint=said(notice.hint)))

    def info(self, title: str, message: str = "") -> None:
        """Show information that needs no action."""
        self.show(Notice("info", title, message))

    def success(self, title: str, message: str = "") -> None:
        self.show(Notice("success", title, message))

    def warning(self, title: str, message: str = "", hint: str = "") -> None:
        self.show(Notice("warning", title, message, hint))

    def error(self, error: BaseException) -> None:
        words = describe(error)
        if not isinstance(error, MemdeskError):
            log.error("an action failed unexpectedly", exc_info=error)
        self.show(Notice("error", words["title"], words["message"], words["hint"], words["code"]))
