"""Actions of the diagnostics page."""

from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.pages import PageContext
from memdesk.gui.text import said, tr
from memdesk.gui.words import number


def backfill(context: PageContext, parent: QObject) -> ServiceOp[list[Any]]:
    """Distill every conversation that was never distilled, and report the result."""
    service, notices = context.services.distillation, context.notices

    def work(op: ServiceOp[list[Any]]) -> list[Any]:
        def told(done: int, of: int) -> None:
            words = tr("{done} of {of} conversations").format(done=number(done), of=number(of))
            op.report(done / max(of, 1), words)

        return service.backfill(cancel=op.token, progress=told)

    def ended(outcomes: list[Any]) -> None:
        left = [outcome for outcome in outcomes if outcome.outcome.startswith(("skipped", "parked", "error"))]
        if op.token.is_set():
            notices.info(tr("Learning from older chats was stopped"), tr("What was distilled by then is kept."))
        elif left:
            title = tr("%n conversations could not be distilled", "", len(left))
            notices.warning(title, said(left[0].message), tr("See the reason under Diagnostics, then retry."))
        else:
            notices.success(tr("Every conversation is distilled"))

    op: ServiceOp[list[Any]] = ServiceOp(context.bridge, parent, work, lane="background")
    return op.success(ended)


def copy_report(context: PageContext, parent: QObject) -> ServiceOp[str]:
    """Copy a bug report to the clipboard: states and counts, nothing of the user's."""
    status, notices = context.services.status, context.notices
    op = context.bridge.call(parent, status.report)

    def copied(text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        notices.success(tr("The report is on the clipboard"), tr("It contains nothing you wrote."))

    return op.success(copied)
