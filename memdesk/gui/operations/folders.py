"""Actions on folders of chats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.operations.forgetting import tell_report, worded
from memdesk.gui.text import tr
from memdesk.gui.widgets.dialog import ConfirmDialog

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject
    from PySide6.QtWidgets import QWidget

    from memdesk.domain.chatting.folders import Folder
    from memdesk.domain.models import Conversation
    from memdesk.gui.pages import PageContext
    from memdesk.services.forgetting import ForgetReport


def save(
    *,
    context: PageContext,
    parent: QObject,
    folder: Folder | None,
    name: str,
    instructions: str,
    own_memory_as: str | None = None,
) -> ServiceOp[Folder]:
    """Make a folder, with a memory of its own if it is to be answered in as by an agent, or change one."""
    service = context.services.folders
    if folder is None:
        return ServiceOp(
            context.bridge, parent, lambda _op: service.create(name, instructions, own_memory_as=own_memory_as)
        )
    known = folder.id
    return ServiceOp(context.bridge, parent, lambda _op: service.edit(known, name=name, instructions=instructions))


def edit(*, context: PageContext, parent: QObject, folder: Folder, **fields: Any) -> ServiceOp[Folder]:
    """Fold a folder, or put it elsewhere."""
    service = context.services.folders
    return ServiceOp(context.bridge, parent, lambda _op: service.edit(folder.id, **fields))


def move(
    *, context: PageContext, parent: QObject, agent_id: str, conversation_id: str, folder_id: str | None
) -> ServiceOp[Conversation]:
    """Put a conversation into a folder, or out of its own."""
    service = context.services.conversations
    return ServiceOp(context.bridge, parent, lambda _op: service.move(agent_id, conversation_id, folder_id))


def ask_delete(
    *, context: PageContext, parent: QWidget, folder: Folder, done: Callable[[bool], object]
) -> ConfirmDialog:
    """Ask what becomes of a folder's chats, delete on yes; ``done`` is told whether they went with it."""
    service, chats = context.services.folders, folder.agent_id is not None

    def told(report: ForgetReport) -> None:
        if chats:
            tell_report(context, report)
        done(chats)

    def yes(learned: bool) -> None:
        op: ServiceOp[Any] = ServiceOp(
            context.bridge, parent, lambda _op: service.delete(folder.id, chats=chats, learned=learned)
        )
        op.success(told).start()

    dialog = ConfirmDialog(
        parent.window(),
        title=tr("Delete the folder “{name}”?").format(name=folder.name),
        text=(
            tr(
                "It has a memory of its own: all that was said and learned in it goes with it, and cannot be brought back."
            )
            if chats
            else tr("Its name and its instructions go; that cannot be undone.")
        ),
        action=tr("Delete"),
        confirmed=yes,
        option=tr("Also forget what was learned from them alone"),
        option_on=True,
    )
    dialog.option.hide()

    def choose(key: str) -> None:
        nonlocal chats
        chats = key == "chats"
        dialog.option.setVisible(chats)
        look()

    def look() -> None:
        with_chats, learned = chats, dialog.option.isChecked()
        dialog.preview(
            context.bridge,
            lambda: worded(service.delete(folder.id, chats=with_chats, learned=learned, dry_run=True)),  # type: ignore[arg-type] # a dry run answers with the preview
        )

    dialog.option.toggled.connect(lambda _on: look())
    if chats:
        look()
    else:
        keep = tr("Keep its chats: they go back to the list")
        dialog.offer([("keep", keep), ("chats", tr("Delete its chats, too, archived ones included"))], "keep", choose)
    dialog.open()
    return dialog
