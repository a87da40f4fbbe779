"""Actions on the lines of a receipt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memdesk.errors import BadRequestError
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.text import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from memdesk.domain.models import Receipt, ReceiptItem
    from memdesk.gui.pages import PageContext
    from memdesk.services.forgetting import ForgetTarget


def text_of(context: PageContext, parent: QObject, *, item: ReceiptItem) -> ServiceOp[str]:
    """Fetch the text of a line's item, without the line's date and marks."""
    memories = context.services.memories

    def work() -> str:
        if item.kind == "fact":
            return memories.fact(item.id).content
        if item.kind == "episode":
            return memories.episode(item.id).content
        return next((line.content for line in memories.identity() if line.id == item.id), item.line)

    return context.bridge.call(parent, work)


def fix(context: PageContext, parent: QObject, *, item: ReceiptItem, text: str) -> ServiceOp[Any]:
    memories = context.services.memories

    def work() -> object:
        if not text:
            raise BadRequestError(tr("The text is empty."), hint=tr("To delete it for good, use Forget."))
        if item.kind == "fact":
            return memories.edit_fact(item.id, content=text)
        if item.kind == "episode":
            return memories.edit_episode(item.id, summary=text)
        return memories.edit_identity(item.id, content=text)

    return context.bridge.call(parent, work)


def mute(
    context: PageContext, parent: QObject, *, receipt: Receipt, item: ReceiptItem, on: bool = True
) -> ServiceOp[None]:
    """Mute a line in this conversation, or use it again; it is still used elsewhere."""
    recall, talk = context.services.recall, str(receipt.conversation_id)
    op = context.bridge.call(
        parent, recall.mute, agent_id=receipt.agent_id, conversation_id=talk, kind=item.kind, ref_id=item.id, on=on
    )
    words = (
        (tr("No longer used here"), tr("Replies of this conversation go without it from now on."))
        if on
        else (tr("Used here again"), "")
    )
    return op.tell(*words)


def target_of(item: ReceiptItem, agent_id: str) -> ForgetTarget:
    """Return what forgetting a line would forget."""
    from memdesk.services.forgetting import ForgetTarget

    assert item.kind != "detail"
    return ForgetTarget(kind=item.kind, ids=(item.id,), agent_id=agent_id)
