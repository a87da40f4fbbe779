"""Actions on chats of other apps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.gui.bridge import ServiceOp

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from memdesk.gui.pages import PageContext
    from memdesk.services.distilling import Forecast
    from memdesk.services.importing import ImportReport


def preview(context: PageContext, parent: QObject, *, path: str, agent_id: str) -> ServiceOp[ImportReport]:
    """Read an archive and say what importing it would do."""
    importing = context.services.importing
    return ServiceOp(
        context.bridge, parent, lambda op: importing.preview(path, agent_id, cancel=op.token), lane="background"
    )


def forecast(context: PageContext, parent: QObject, *, report: ImportReport) -> ServiceOp[Forecast]:
    """Say how long learning from what a preview found will take."""
    services = context.services

    def work(op: ServiceOp[Forecast]) -> Forecast:
        # Imported late: it loads distillation, which the first window does not need.
        from memdesk.services.distilling import forecast

        return forecast(
            report.new + report.changed,
            report.characters,
            agent=services.agents.find(report.agent_id),
            settings=services.settings,
            models=services.models,
            distillation=services.distillation,
            cancel=op.token,
        )

    return ServiceOp(context.bridge, parent, work, lane="background")


def import_archive(
    context: PageContext, *, path: str, agent_id: str, total: int, learn: bool
) -> ServiceOp[ImportReport]:
    """Import an archive. The window owns it: it goes on when its dialog is closed."""
    importing = context.services.importing

    def work(op: ServiceOp[ImportReport]) -> ImportReport:
        return importing.import_archive(
            path,
            agent_id,
            progress=lambda told: op.report(told.done / total if total else -1.0, told.title),
            cancel=op.token,
            total=total,
            skip_extraction=not learn,
        )

    return ServiceOp(context.bridge, context.bridge, work, lane="background")
