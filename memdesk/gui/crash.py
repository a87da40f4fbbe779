"""Our own bugs, caught: shown to the user, logged, and offered as a redacted report.

An exception in the event loop, or at a thread's end, does not end the app; the dialog says so. Engines crash in their
own processes, outside of this; a crash of the window itself is reported at the next start.
"""

import logging
import sys
import threading
import traceback
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.copying import copying
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.labels import Label

log = logging.getLogger(__name__)


def trace_of(error: BaseException) -> str:
    """Return an exception's traceback without its text, which may quote the user."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [f"{type(error).__module__}.{type(error).__qualname__}"]
    lines += [f"  {_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]
    return "\n".join(lines)


def _short(path: str) -> str:
    parts = path.replace("\\", "/").split("/")
    known = next((n for n, part in enumerate(parts) if part in {"memdesk", "site-packages"}), max(0, len(parts) - 1))
    return "/".join(parts[known:])


def last_title() -> str:
    """Return the title for a crash of the last run."""
    return tr("memdesk ended unexpectedly last time")


class CrashGuard(QObject):
    """Handles uncaught exceptions while installed. One dialog at a time."""

    _caught = Signal(object)

    def __init__(self, window: QWidget, report: Callable[[], PageContext | None]) -> None:
        super().__init__(window)
        self._window = window
        self._context = report
        self._dialog: CrashDialog | None = None
        self._telling = False
        self._hook = sys.excepthook
        self._thread_hook = threading.excepthook
        self._caught.connect(self._show)

    def install(self) -> None:
        sys.excepthook = self._take
        threading.excepthook = lambda args: self._take(args.exc_type, args.exc_value, args.exc_traceback)

    def remove(self) -> None:
        """Restore the hooks. Idempotent."""
        sys.excepthook = self._hook
        threading.excepthook = self._thread_hook

    def _take(self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None or isinstance(error, (KeyboardInterrupt, SystemExit)):
            self._hook(kind, error or kind(), trace)
            return
        log.error("an unexpected %s reached the event loop\n%s", kind.__name__, trace_of(error))
        if self._telling:
            return  # the crash dialog itself failed; showing it again would loop
        self._telling = True
        try:
            self._caught.emit(error)
        finally:
            self._telling = False

    def tell_of_last(self, trace: str) -> None:
        """Report a crash that ended the previous run; a hidden window puts it in its notices."""
        log.error("the last run ended in a crash\n%s", trace)
        if self._window.isVisible():
            self._open(trace, last=True)
        elif (context := self._context()) is not None:
            context.notices.warning(last_title(), tr("A report for us is under Diagnostics."))

    def _show(self, error: BaseException) -> None:
        self._open(trace_of(error), last=False)

    def _open(self, trace: str, *, last: bool) -> None:
        if self._dialog is not None:
            return
        dialog = CrashDialog(self._window, trace, self._context(), last=last)
        dialog.finished.connect(self._closed)
        self._dialog = dialog
        dialog.open()

    def _closed(self, _code: int) -> None:
        self._dialog = None


class CrashDialog(Dialog):
    """Says that something failed and what it means, and offers a report to copy."""

    def __init__(self, parent: QWidget, trace: str, context: PageContext | None, *, last: bool = False) -> None:
        super().__init__(parent, last_title() if last else tr("Something went wrong in memdesk"), width=560)
        words = (
            self.tr("An error stopped it. Your memory is safe: nothing stored was lost.")
            if last
            else self.tr(
                "An action stopped unexpectedly. Your memory is safe: nothing stored was lost. You can continue; if "
                "memdesk behaves oddly, quit and start it again."
            )
        )
        self.body.addWidget(Label(words, wrap=True))
        self.body.addWidget(
            Label(self.tr("This report helps us fix it. It contains nothing you wrote."), "muted", wrap=True)
        )
        self.report = QPlainTextEdit(trace, readOnly=True)
        self.report.setAccessibleName(self.tr("Report"))
        self.report.setFont(Theme.current().mono())
        self.report.setObjectName("report")  # The style sheet sets the minimum height of this field by name.
        self.body.addWidget(self.report)
        self.set_cancel(self.tr("Continue")).setFocus()
        self.copy = copying(Button(self.tr("Copy report"), icon_name="copy"), self.report.toPlainText)
        self.foot.insertWidget(0, self.copy)
        if context is not None:
            status = context.services.status
            context.bridge.run(
                self, status.report, lambda text: self.report.setPlainText(f"{trace}\n\n{text}"), lambda _error: None
            )
