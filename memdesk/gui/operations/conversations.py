"""Actions on conversations."""

from collections.abc import Callable
from typing import Any, Literal

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from memdesk.domain.models import Conversation
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.operations.files import write_text
from memdesk.gui.operations.forgetting import forget, worded
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.widgets.dialog import ConfirmDialog


def archive(context: PageContext, parent: QObject, *, talk: Conversation, on: bool) -> ServiceOp[Conversation]:
    """Archive a conversation, or restore it."""
    op = context.bridge.call(parent, context.services.conversations.archive, talk.agent_id, talk.id, on)
    if on:
        words = tr("The button above the list shows archived conversations; their memory stays in use.")
        op.tell(tr("Archived"), words)
    return op


def export(
    context: PageContext, parent: QObject, *, talk: Conversation, format_: Literal["md", "json"], path: str
) -> ServiceOp[None]:
    """Write a conversation to a file."""
    service = context.services.conversations

    def work() -> None:
        write_text(path, service.export(talk.agent_id, talk.id, format_))

    return context.bridge.call(parent, work).tell(tr("Exported"), path)


def ask_delete(
    context: PageContext, parent: QWidget, *, talk: Conversation, done: Callable[[Any], object]
) -> ConfirmDialog:
    """Confirm with a preview of what was learned from the conversation, then delete."""
    from memdesk.services.forgetting import ForgetTarget

    service = context.services.forgetting

    def target(learned: bool) -> ForgetTarget:
        return ForgetTarget(kind="conversation", ids=(talk.id,), agent_id=talk.agent_id, learned=learned)

    def yes(learned: bool) -> None:
        forget(context, parent, target=target(learned)).success(done).start()

    dialog = ConfirmDialog(
        parent.window(),
        title=tr("Delete this conversation?"),
        text=tr("“{title}” cannot be brought back.").format(title=talk.title or tr("Conversation")),
        action=tr("Delete"),
        confirmed=yes,
        option=tr("Also forget what was learned from it alone"),
        option_on=True,
    )

    def look() -> None:
        chosen = target(dialog.option.isChecked())
        dialog.preview(context.bridge, lambda cancel: worded(service.preview(chosen, cancel=cancel)))

    dialog.option.toggled.connect(lambda _on: look())
    look()
    dialog.open()
    return dialog
