"""One answer on its way: asked on a lane, drawn as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memdesk.errors import CancelledError
from memdesk.gui.bridge import StreamOp
from memdesk.gui.notices import describe
from memdesk.gui.text import tr
from memdesk.gui.views.chat.message import AssistantMessage, UserMessage
from memdesk.gui.widgets.buttons import Button
from memdesk.services.chat_events import ChatEvent, Delta, Finished, MemorySearched, ReceiptReady

if TYPE_CHECKING:
    import threading

    from memdesk.gui.views.chat.page import ChatPage

Ask = Callable[["threading.Event"], Iterator[ChatEvent]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What is asked of the chat service; built on the main thread, called on a lane."""

    ask: Ask

    @classmethod
    def send(cls, page: ChatPage, text: str) -> Answer:
        """Ask for the answer to a message."""
        chat = page.context.services.chat
        agent_id, talk_id, temporary = page.agent_id, page.conversation_id, page.temporary
        model = page.composer.models.key() or None
        memory = None if temporary else page.composer.memory_mode
        return cls(
            lambda cancel: chat.send(
                agent_id=agent_id,
                conversation_id=talk_id,
                text=text,
                model=model,
                temporary=temporary,
                memory=memory,
                cancel=cancel,
            )
        )

    @classmethod
    def again(cls, page: ChatPage) -> Answer:
        """Ask for another answer to the last message."""
        chat, agent_id, talk_id = page.context.services.chat, page.agent_id, str(page.conversation_id)
        model, memory = page.composer.models.key() or None, page.composer.memory_mode
        return cls(lambda cancel: chat.regenerate(agent_id, talk_id, model=model, memory=memory, cancel=cancel))

    @classmethod
    def edited(cls, page: ChatPage, turn_id: str, text: str) -> Answer:
        """Ask for the answer to a message that was changed."""
        chat, agent_id, talk_id = page.context.services.chat, page.agent_id, str(page.conversation_id)
        model, memory = page.composer.models.key() or None, page.composer.memory_mode
        return cls(
            lambda cancel: chat.edit_and_resend(
                agent_id, talk_id, turn_id, text, model=model, memory=memory, cancel=cancel
            )
        )


class AnswerView:
    """Draws an answer into the thread and tells the page when it is over."""

    def __init__(self, page: ChatPage, answer: Answer, user: UserMessage | None, text: str) -> None:
        self._page = page
        self._user = user
        self._sent = text
        self._drafted = (page.agent_id, page.conversation_id)
        self._text: list[str] = []
        self._message: AssistantMessage = page.messages.add_assistant()
        self._message.show_waiting(tr("Looking in memory …"))
        self._op: StreamOp[ChatEvent] = StreamOp(
            page.context.bridge, page, answer.ask, items=self._items, done=self._done, failure=self._failed
        )

    def start(self) -> None:
        """Ask."""
        self._op.start()

    def stop(self) -> None:
        """Ask it to end; what was said is kept."""
        self._op.cancel()

    def _items(self, events: list[ChatEvent]) -> None:
        if not self._page.is_current(self):
            return
        grown = False
        for event in events:
            if isinstance(event, Delta):
                self._text.append(event.text)
                grown = True
            elif isinstance(event, ReceiptReady):
                self._ready(event)
            elif isinstance(event, MemorySearched):
                words = tr("Searched memory for “{query}”").format(query=event.query)
                self._message.show_waiting(words)
            elif isinstance(event, Finished):
                self._finished(event)
        if grown:
            self._message.set_text("".join(self._text))

    def _ready(self, event: ReceiptReady) -> None:
        page = self._page
        page.conversation_id = event.conversation_id
        page.composer.meter.show_fit(
            event.fit.prompt_tokens,
            event.fit.context_tokens,
            event.fit.dropped_messages,
            memory_dropped=event.fit.memory_dropped,
        )
        self._message.show_waiting(tr("Thinking …"))
        receipt = event.receipt
        if receipt is not None:
            if page.temporary:
                page.temporary_receipts[receipt.id] = receipt
            # A receipt is stored with its answer: it can be opened when that is there.
            self._message.show_receipt(receipt.id if page.temporary else "", len(receipt.items))
        else:
            self._message.show_receipt("", 0, asked=False)

    def _finished(self, event: Finished) -> None:
        page = self._page
        page.conversation_id = event.conversation_id
        message = self._message
        message.set_text(event.text)
        self._text = [event.text]
        if event.receipt_id:
            message.show_receipt(event.receipt_id, message.memories)
        message.show_figures(event.usage, model=event.model, finish=event.finish_reason)
        for turn in event.turns:
            if turn.role == "assistant":
                message.turn_id = turn.id
            elif self._user is not None:
                self._user.bind(turn.id)
        page.composer.meter.show_fit(
            event.fit.prompt_tokens + event.usage.completion_tokens,
            event.fit.context_tokens,
            event.fit.dropped_messages,
            memory_dropped=event.fit.memory_dropped,
        )
        if event.conversation_id and not page.temporary:
            page.list.select(page.agent_id, event.conversation_id)

    def _done(self) -> None:
        self._drop_draft()
        if not self._page.is_current(self):
            return
        self._message.show_waiting("")
        self._page.answered(self)

    def _failed(self, error: Exception) -> None:
        page = self._page
        if not page.is_current(self):
            return
        if isinstance(error, CancelledError) and not self._text:
            page.messages.remove_from(self._user or self._message)
            page.answered(self)
            if self._sent and not page.composer.editor.toPlainText():
                page.composer.set_text(self._sent)
            return
        words = describe(error)
        self._message.show_waiting(
            " ".join(part for part in (words["title"] + ".", words["message"], words["hint"]) if part)
        )
        self._message.status.set_role("danger")
        self._message.show_receipt("", 0, asked=False)
        self._message.chip.hide()
        if self._sent:
            retry = Button(tr("Try again"), self._retry, variant="chip", icon_name="refresh-cw")
            self._message.add_note(retry)
        page.answered(self)

    def _drop_draft(self) -> None:
        """The message is recorded: it is no draft any more, unless another one was written meanwhile."""
        page, service, sent = self._page, self._page.context.services.conversations, self._sent
        if not sent or page.temporary:
            return

        def drop() -> None:
            if service.draft(*self._drafted) == sent:
                service.save_draft(*self._drafted, "")

        page.context.bridge.run(drop, owner=page)

    def _retry(self) -> None:
        page = self._page
        if self._user is not None:
            page.messages.remove_from(self._user)
        page.send(self._sent)
