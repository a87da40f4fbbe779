"""Actions of the diagnostics page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QGuiApplication

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.text import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from memdesk.gui.pages import PageContext


def retry_parked(*, context: PageContext, parent: QObject, agent_id: str, conversation_id: str) -> ServiceOp[Any]:
    """Put the parked turns of a conversation back in the queue."""
    service = context.services.distillation
    return ServiceOp(
        context.bridge, parent, lambda _op: service.retry_parked(agent_id, conversation_id), lane="background"
    )


def backfill(*, context: PageContext, parent: QObject) -> ServiceOp[Any]:
    """Distil every conversation that never was; what is done already is left alone."""
    service, notices = context.services.distillation, context.notices
    op: ServiceOp[Any] = ServiceOp(
        context.bridge,
        parent,
        lambda op: service.backfill(cancel=op.token, progress=lambda done, of: op.report(done / max(of, 1))),
        lane="background",
    )
    return op.success(lambda _done: notices.success(tr("Every conversation is distilled")))


def copy_report(*, context: PageContext, parent: QObject) -> ServiceOp[str]:
    """Put a report for a bug on the clipboard: states and counts, no words of the user."""
    status, notices = context.services.status, context.notices
    op = ServiceOp(context.bridge, parent, lambda _op: status.report())

    def copied(text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        notices.success(tr("The report is on the clipboard"), tr("It holds no words of yours."))

    return op.success(copied)
