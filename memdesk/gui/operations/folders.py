"""Actions on folders of chats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

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
    from memdesk.services.recording import Learned, Rehoused


def save(
    context: PageContext,
    parent: QObject,
    *,
    folder: Folder | None,
    name: str,
    instructions: str,
    own_memory_as: str | None = None,
) -> ServiceOp[Folder]:
    """Create a folder, with its own memory if an agent is given, or change one."""
    service = context.services.folders
    if folder is None:
        return context.bridge.call(parent, service.create, name, instructions, own_memory_as=own_memory_as)
    known = folder.id
    return context.bridge.call(parent, service.edit, known, name=name, instructions=instructions)


def ask_rehouse(
    context: PageContext, parent: QWidget, *, talk: Conversation, folder: Folder, done: Callable[[Rehoused], object]
) -> ConfirmDialog:
    """Ask what goes along into a folder with its own memory, then move the conversation."""
    ingest, chosen = context.services.ingest, "moves"

    def choose(key: str) -> None:
        nonlocal chosen
        chosen = key

    def yes(_option: bool) -> None:
        learned, to = cast("Learned", chosen), str(folder.agent_id)
        context.bridge.call(parent, ingest.rehouse, talk.agent_id, talk.id, to, learned=learned).success(done).start()

    dialog = ConfirmDialog(
        parent.window(),
        title=tr("Move to “{name}”?").format(name=folder.name),
        text=tr(
            "This folder has a memory of its own. The chat moves to it, and no other chat recalls it. What becomes of "
            "what was learned from this chat alone?"
        ),
        action=tr("Move"),
        confirmed=yes,
        danger=False,
    )
    dialog.offer(
        [
            ("moves", tr("It moves too, and is recalled in the folder only")),
            ("stays", tr("It stays, and other chats recall it as before")),
            ("forgotten", tr("It is forgotten")),
        ],
        chosen,
        choose,
    )
    dialog.open()
    return dialog


def ask_delete(
    context: PageContext, parent: QWidget, *, folder: Folder, done: Callable[[bool], object]
) -> ConfirmDialog:
    """Ask what happens to a folder's chats, then delete it; ``done`` gets whether they were deleted too."""
    service, chats = context.services.folders, folder.agent_id is not None

    def told(report: ForgetReport) -> None:
        if chats:
            tell_report(context, report)
        done(chats)

    def yes(learned: bool) -> None:
        op: ServiceOp[Any] = context.bridge.call(parent, service.delete, folder.id, chats=chats, learned=learned)
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
            lambda cancel: worded(service.preview(folder.id, chats=with_chats, learned=learned, cancel=cancel)),
        )

    dialog.option.toggled.connect(lambda _on: look())
    if chats:
        look()
    else:
        keep = tr("Keep its chats: they go back to the list")
        dialog.offer([("keep", keep), ("chats", tr("Delete its chats, too, archived ones included"))], "keep", choose)
    dialog.open()
    return dialog
