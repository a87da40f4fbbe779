"""Actions on folders of notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.text import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from memdesk.gui.pages import PageContext
    from memdesk.services.notes import FolderStatus, Synced


def add_folder(*, context: PageContext, parent: QObject, path: str, agent: str) -> ServiceOp[FolderStatus]:
    """Remember a folder of notes from now on; it is read in the background."""
    notes = context.services.notes
    return ServiceOp(context.bridge, parent, lambda _op: notes.add(path, agent=agent))


def remove_folder(*, context: PageContext, parent: QObject, folder_id: str) -> ServiceOp[int]:
    """Forget a folder of notes; its files stay."""
    notes, notices = context.services.notes, context.notices
    op: ServiceOp[int] = ServiceOp(context.bridge, parent, lambda _op: notes.remove(folder_id), lane="background")
    return op.success(lambda _files: notices.success(tr("The folder is no longer remembered")))


def sync_folder(*, context: PageContext, parent: QObject, folder_id: str) -> ServiceOp[Synced]:
    """Look at a folder of notes now."""
    notes = context.services.notes
    return ServiceOp(context.bridge, parent, lambda _op: notes.sync(folder_id), lane="background")
