"""Actions on conversations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from memdesk.domain.models import Conversation, MemoryMode
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.operations.files import write_text
from memdesk.gui.operations.forgetting import forget, worded
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.widgets.dialog import ConfirmDialog


def rename(context: PageContext, parent: QObject, *, talk: Conversation, title: str) -> ServiceOp[Conversation]:
    service = context.services.conversations
    return context.bridge.call(parent, service.rename, talk.agent_id, talk.id, title)


def pin(context: PageContext, parent: QObject, *, talk: Conversation, on: bool) -> ServiceOp[Conversation]:
    """Keep a conversation at the top, or no longer."""
    service = context.services.conversations
    return context.bridge.call(parent, service.pin, talk.agent_id, talk.id, on)


def archive(context: PageContext, parent: QObject, *, talk: Conversation, on: bool) -> ServiceOp[Conversation]:
    """Put a conversation out of the way, or take it back."""
    service = context.services.conversations
    op = context.bridge.call(parent, service.archive, talk.agent_id, talk.id, on)
    if on:
        words = tr("The button above the list shows archived conversations; their memory stays in use.")
        op.tell(tr("Archived"), words)
    return op


def set_memory(
    context: PageContext, parent: QObject, *, agent_id: str, conversation_id: str, mode: MemoryMode
) -> ServiceOp[Conversation]:
    """Say whether a conversation uses memory and may be learned from."""
    service = context.services.conversations
    return context.bridge.call(parent, service.set_memory, agent_id, conversation_id, mode)


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
    """Ask with a preview of what was learned from the conversation, delete on yes."""
    from memdesk.services.forgetting import ForgetTarget

    service = context.services.conversations

    def yes(learned: bool) -> None:
        target = ForgetTarget(kind="conversation", ids=(talk.id,), agent_id=talk.agent_id, learned=learned)
        forget(context, parent, target=target).success(done).start()

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
        learned = dialog.option.isChecked()
        dialog.preview(
            context.bridge,
            lambda: worded(service.delete(talk.agent_id, talk.id, learned=learned, dry_run=True)),  # type: ignore[arg-type] # a dry run answers with the preview
        )

    dialog.option.toggled.connect(lambda _on: look())
    look()
    dialog.open()
    return dialog
