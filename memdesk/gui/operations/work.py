"""Actions on the app as a whole: look, background work, distillation."""

from typing import Any

from PySide6.QtCore import QObject

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.pages import PageContext
from memdesk.gui.text import said, tr


def distill_now(context: PageContext, parent: QObject) -> ServiceOp[list[Any]]:
    """Distill what is pending, without waiting for the debounce, and report the result."""
    service, notices = context.services.distillation, context.notices

    def told(outcomes: list[Any]) -> None:
        done = [item for item in outcomes if item.outcome == "distilled"]
        facts = sum(len(item.facts) for item in done)
        if not outcomes:
            notices.info(tr("Nothing was waiting"))
        elif done:
            notices.success(tr("Distilled %n conversations", "", len(done)), tr("%n facts were kept.", "", facts))
        else:
            notices.warning(tr("Nothing could be distilled"), said(outcomes[0].message) or outcomes[0].outcome)

    op = ServiceOp(context.bridge, parent, lambda op: service.distill(cancel=op.token), lane="background")
    return op.success(told)


def pause_work(context: PageContext, parent: QObject, *, on: bool) -> ServiceOp[None]:
    notices, controls = context.notices, context.controls
    words = tr("Background work is paused") if on else tr("Background work resumed")
    op = context.bridge.call(parent, controls.set_paused, on)
    return op.success(lambda _none: notices.info(words))
