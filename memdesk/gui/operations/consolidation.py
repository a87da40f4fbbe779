"""Actions of the consolidation page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.text import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from memdesk.gui.pages import PageContext
    from memdesk.services.upkeep import RunResult, UndoResult


def consolidate(
    *,
    context: PageContext,
    parent: QObject,
    dry_run: bool = False,
    only: set[int] | None = None,
    preview: str | None = None,
) -> ServiceOp[RunResult]:
    """Make a pass, preview one, or make the chosen part of a preview."""
    service = context.services.consolidation
    return ServiceOp(
        context.bridge,
        parent,
        lambda op: service.run(dry_run=dry_run, only=only, preview=preview, cancel=op.token, progress=op.report),
        lane="background",
    )


def undo_run(*, context: PageContext, parent: QObject, run_id: str) -> ServiceOp[UndoResult]:
    """Take a run back."""
    service, notices = context.services.consolidation, context.notices

    def told(result: UndoResult) -> None:
        words = tr("%n changes were taken back.", "", result.restored)
        if result.kept:
            words += " " + tr("%n stay: they were changed since.", "", result.kept)
        notices.success(tr("Undone"), words)

    op = ServiceOp(
        context.bridge, parent, lambda op: service.undo(run_id, cancel=op.token, progress=op.report), lane="background"
    )
    return op.success(told)


def restore(*, context: PageContext, parent: QObject, kind: Literal["fact", "episode"], ref_id: str) -> ServiceOp[Any]:
    """Bring one thing back from the bin."""
    service = context.services.consolidation
    op: ServiceOp[Any] = ServiceOp(context.bridge, parent, lambda _op: service.restore(kind, ref_id))
    return op.success(lambda _none: context.notices.success(tr("It is back")))
