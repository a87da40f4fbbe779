"""Actions on identity, episodes, the review inbox and contradictions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.text import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from memdesk.gui.pages import PageContext


def take_back(
    *, context: PageContext, parent: QObject, entry_id: str, together: bool = False, many: bool = False
) -> ServiceOp[int]:
    """Take a change back that the log holds, or all that were made in one go with it; ``many``: behind other work."""
    history, notices = context.services.history, context.notices

    def work(op: ServiceOp[int]) -> int:
        return history.take_back(entry_id, together=together, cancel=op.token, progress=op.report)

    op = ServiceOp(context.bridge, parent, work, lane="background" if many else "interactive")
    return op.success(lambda count: notices.success(tr("%n changes taken back", "", count)))
