"""One answer in progress: requested on a lane, drawn while its conversation is open, always completed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, Signal

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.chatting.titles import title_of
from memdesk.domain.models import MemoryMode
from memdesk.errors import CancelledError, EngineError, ModelMissingError
from memdesk.gui.bridge import StreamOp
from memdesk.gui.models.chat import ChatModel
from memdesk.gui.notices import describe, fault_words
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.views.chat.drafts import Drafts
from memdesk.gui.views.chat.message import AssistantMessage, UserMessage
from memdesk.gui.views.chat.receipt import way_to_all
from memdesk.gui.views.chat.shown import Small
from memdesk.gui.views.chat.thinking import Thoughts
from memdesk.gui.views.chat.thread import ThreadView
from memdesk.gui.widgets.announcing import announce
from memdesk.gui.widgets.buttons import Button
from memdesk.messages import say
from memdesk.services.chatting import (
    ChatEvent,
    ChatService,
    Comparison,
    Delta,
    Finished,
    MemorySearched,
    ReceiptReady,
    Thinking,
    ToolAsked,
    ToolUsed,
)
from memdesk.services.recalling import asks_for_all


class NoAnswerError(EngineError):
    """The model ended without text."""

    code = "no_answer"
    title = say("There is no answer")


Ask = Callable[["threading.Event"], Iterator[ChatEvent]]


@dataclass(frozen=True, slots=True)
class Answer:
    """A request to the chat service; created on the main thread, called on a lane."""

    ask: Ask
    #: the user's message that is not stored yet; empty when a stored one is answered again.
    draft: Draft = field(default_factory=Draft)
    #: what is sent of the draft: only passages of long files.
    text: str = ""
    #: the first stored turn to be replaced; empty when appending.
    instead_of: str = ""
    #: whether the user's message is new; False when a stored one is answered again.
    says: bool = True
    #: thumbnails of the draft's pictures.
    pictures: tuple[Small, ...] = ()

    @classmethod
    def send(
        cls,
        chat: ChatService,
        model: ChatModel,
        drafts: Drafts,
        draft: Draft,
        text: str,
        pictures: tuple[Small, ...],
        beside: Comparison | None = None,
        side: int = 0,
    ) -> Answer:
        """Ask for the answer to a message; ``text`` and ``pictures`` are what is sent of its draft.

        ``beside`` is the number of a compared model.
        """
        agent_id, talk_id, temporary = model.agent_id, model.conversation_id, model.temporary
        overrides, folder_id = model.overrides, model.folder.id if model.folder else None
        memory, room = None if temporary else model.memory, model.files_room

        def ask(cancel: threading.Event) -> Iterator[ChatEvent]:
            drafts.write((agent_id, talk_id))
            return chat.send(
                agent_id=agent_id,
                conversation_id=talk_id,
                text=text,
                images=draft.images,
                files=draft.files,
                files_room=room,
                temporary=temporary,
                memory=memory,
                overrides=overrides,
                folder_id=folder_id,
                model=beside.models[side] if beside is not None else None,
                beside=beside,
                cancel=cancel,
            )

        return cls(ask, draft, text, pictures=pictures)

    @classmethod
    def again(cls, chat: ChatService, model: ChatModel, turn_id: str, by: str | None = None) -> Answer:
        """Ask for another answer to the last message, optionally by another model; ``turn_id``: the present one's."""
        agent_id, talk_id, overrides = model.agent_id, str(model.conversation_id), model.overrides
        memory = None if model.temporary else model.memory
        return cls(
            lambda cancel: chat.regenerate(
                agent_id, talk_id, model=by, memory=memory, overrides=overrides, cancel=cancel
            ),
            instead_of=turn_id,
            says=False,
        )

    @classmethod
    def edited(cls, chat: ChatService, model: ChatModel, turn_id: str, text: str) -> Answer:
        """Ask for the answer to an edited message."""
        agent_id, talk_id, memory, overrides = model.agent_id, str(model.conversation_id), model.memory, model.overrides
        room = model.files_room
        return cls(
            lambda cancel: chat.edit_and_resend(
                agent_id, talk_id, turn_id, text, files_room=room, memory=memory, overrides=overrides, cancel=cancel
            ),
            Draft(text),
            text,
            turn_id,
        )


class AnswerView(QObject):
    """Follows one answer and draws it into the thread while its conversation is open.

    ``agent_id`` and ``conversation_id`` (None until a new chat has one) say where it belongs; ``draft``, ``says`` and
    ``instead_of`` are from its :class:`Answer`.

    Attributes:
        placed: a new chat got its id.
        answered: the answer is complete, stopped or failed.
        unsaid: a message stopped before the first word: nothing of it was stored.
        wanted_again: the user wants to retry a failed answer.
        wanted_stored: the conversation is to be reloaded.
    """

    placed = Signal()
    answered = Signal()
    unsaid = Signal(object)
    wanted_again = Signal()
    wanted_stored = Signal()

    def __init__(
        self, context: PageContext, model: ChatModel, thread: ThreadView, answer: Answer, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context, self._model, self._thread = context, model, thread
        self.agent_id, self.conversation_id = model.here
        self.temporary = model.temporary
        self.memory: MemoryMode = model.memory
        self.overrides = model.overrides
        self.folder = model.folder
        self.draft, self.says, self.instead_of = answer.draft, answer.says, answer.instead_of
        self.text, self.pictures = answer.text, answer.pictures
        #: whether the conversation is first stored with this answer.
        self.begins = model.conversation_id is None
        #: whether it is kept: stored, or in the temporary chat.
        self.recorded = False
        #: whether its message was returned to the composer.
        self.unsaid_already = False
        self.since = context.services.clock.now()
        self._text: list[str] = []
        self._thoughts = Thoughts()
        #: Calls of other programs' tools, by id.
        self._calls: dict[str, ToolAsked | ToolUsed] = {}
        #: When text that may turn out to be thinking began.
        self._speaking_since = 0.0
        self._ready: ReceiptReady | None = None
        self._finished: Finished | None = None
        self._fault: Exception | None = None
        remembers = self.memory != "off" and not self.temporary and context.services.settings.current.memory.enabled
        self._waiting = tr("Looking in memory…") if remembers else tr("The model is reading…")
        self._user: UserMessage | None = None
        self._message: AssistantMessage | None = None
        self._op: StreamOp[ChatEvent] = StreamOp(
            context.bridge, self, answer.ask, items=self._items, done=self._done, failure=self._failed
        )

    @property
    def title(self) -> str:
        """The initial title of a conversation that starts with it."""
        return title_of(self.text) or next((image.name for image in self.draft.images), "")

    def start(self) -> None:
        self._op.start()

    def stop(self) -> None:
        """Stop it; the text so far is kept."""
        self._op.cancel()

    # -- being shown -------------------------------------------------------------------

    def show(self) -> None:
        """Draw the text so far below the stored messages, in place of those it replaces."""
        thread = self._thread
        replaced = thread.find_turn(self.instead_of) if self.instead_of else None
        if isinstance(replaced, UserMessage):
            self.pictures = replaced.pictures
        if replaced is not None:
            thread.remove_from(replaced)
        if self.says:
            self._user = thread.add_user(self.text, self.pictures)
        self._message = thread.add_assistant()
        self._draw()

    def _draw(self) -> None:
        assert self._message is not None
        self._message.show_waiting(self._waiting)
        if self._ready is not None:
            self._show_ready(self._ready)
        if self._thoughts.words:
            self._message.show_thinking(self._thoughts)
        for call in self._calls.values():
            self._message.show_tool(call)
        if self._text:
            self._message.set_text("".join(self._text))
        if self._fault is not None:
            self._show_fault(self._fault, self._message)
        elif self.recorded and self._finished is not None:
            self._show_finished(self._finished)

    def hide(self) -> None:
        self._user = self._message = None

    # -- coming ------------------------------------------------------------------------

    def _items(self, events: list[ChatEvent]) -> None:
        grown = thought = False
        for event in events:
            if isinstance(event, Delta):
                if not self._text or self._thoughts.running:
                    self._speaking_since = time.monotonic()
                self._thoughts.rest()
                self._text.append(event.text)
                grown = True
            elif isinstance(event, Thinking):
                self._think(event)
                thought = True
            elif isinstance(event, ReceiptReady):
                self._ready = event
                self.conversation_id = event.conversation_id
                self.placed.emit()
                self._wait(
                    tr("The model is making %n other replies; this one takes turns with them…", "", event.others)
                    if event.others
                    else tr("The model is reading…")
                )
                self._show_ready(event)
            elif isinstance(event, MemorySearched):
                self._thoughts.rest()
                self._wait(tr("Searched memory for “{query}”").format(query=event.query))
            elif isinstance(event, ToolAsked | ToolUsed):
                self._show_tool(event)
            elif isinstance(event, Finished):
                self._finished = event
        if self._message is None:
            return
        if thought or (grown and self._message.thinking is not None):
            self._message.show_thinking(self._thoughts)
        if grown or (thought and self._message.text):
            self._message.set_text("".join(self._text))

    def _show_tool(self, event: ToolAsked | ToolUsed) -> None:
        self._thoughts.rest()
        self._calls[event.id] = event
        asks = isinstance(event, ToolAsked)
        self._wait(tr("The answer is waiting for you.") if asks else tr("The model is reading…"))
        if self._message is not None:
            self._message.show_tool(event)
        if asks:
            words = tr("The model asks to use “{tool}” of {server}").format(tool=event.tool, server=event.server)
            if self._message is not None:
                announce(self._message, words)
            else:
                self._context.notices.info(words, tr("The answer is waiting for you."))

    def _think(self, event: Thinking) -> None:
        self._wait("")
        if event.taken_back:
            self._text = ["".join(self._text).removesuffix(event.text)]
            self._thoughts.add(event.text, self._speaking_since)
        else:
            self._thoughts.add(event.text)

    def _wait(self, words: str) -> None:
        self._waiting = words
        if self._message is not None:
            self._message.show_waiting(words)

    def _show_ready(self, event: ReceiptReady) -> None:
        if self._message is None:
            return
        fit, receipt = event.fit, event.receipt
        if self._user is not None:
            self._user.show_files(event.said)
        self._model.fill(fit.prompt_tokens, fit)
        if receipt is None:
            self._message.show_receipt("", 0, asked=False)
            return
        if self.temporary:
            self._model.receipts[receipt.id] = receipt
        # A receipt is stored with its answer and can be opened then.
        self._message.show_receipt(receipt.id if self.temporary else "", len(receipt.items))

    # -- the end -----------------------------------------------------------------------

    def _done(self) -> None:
        event = self._finished
        self._thoughts.rest()
        if event is None or not event.text.strip():
            stopped = event is not None and event.finish_reason == "stopped"
            self._failed(CancelledError(say("The answer was stopped.")) if stopped else self._silence(event))
            return
        self.recorded = True
        if self._message is not None:
            self._show_finished(event)
            announce(self._message, tr("The answer is complete."))
        self.answered.emit()

    def _show_finished(self, event: Finished) -> None:
        message = self._message
        assert message is not None
        message.show_waiting("")
        if message.thinking is not None:
            message.thinking.refresh()
        message.set_text(event.text)
        if event.receipt_id:
            message.show_receipt(event.receipt_id, message.memories)
        if self._ready is not None and self._ready.receipt is not None and asks_for_all(self._ready.receipt.rule):
            message.add_note(way_to_all(self._context, self.agent_id))
        message.show_figures(event.usage, model=event.model, finish=event.finish_reason)
        for turn in event.turns:
            if turn.role == "assistant":
                message.turn_id = turn.id
                message.offer_branch()
            elif self._user is not None:
                self._user.bind(turn.id, self._context.services.clock.local(turn.said_at))
        self._model.fill(event.fit.prompt_tokens + event.usage.completion_tokens, event.fit)

    def _failed(self, error: Exception) -> None:
        message = self._message
        cancelled = isinstance(error, CancelledError)
        self._thoughts.rest()
        self._fault = error
        if message is None:
            # Its text stays as the draft of its conversation.
            if not cancelled:
                self._context.notices.error(error)
        elif cancelled and not self._text:
            self._take_back(message)
        else:
            self._show_fault(error, message)
        self.answered.emit()

    def _take_back(self, message: AssistantMessage) -> None:
        """Stopped before the first word: nothing was stored, so restore the previous state."""
        self._thread.remove_from(self._user or message)
        if self.instead_of:
            self.wanted_stored.emit()
        self.unsaid_already = True
        self.unsaid.emit(self.draft)

    def _show_fault(self, error: Exception, message: AssistantMessage) -> None:
        message.failed = True
        if message.thinking is not None:
            message.thinking.refresh()
        announce(message, tr("The answer failed."))
        # The button says what to do about a missing model.
        missing = isinstance(error, ModelMissingError)
        message.show_waiting(describe(error)["message"] if missing else fault_words(error))
        message.status.set_role("danger")
        message.show_receipt("", 0, asked=False)
        message.chip.hide()
        message.add_note(Button(tr("Try again"), self._retry, variant="chip", icon_name="refresh-cw"))
        if missing:
            models = Button(tr("Choose a model"), lambda: self._context.navigate("models"), variant="chip")
            message.add_note(models)
        if self.instead_of:
            back = Button(tr("Back to the former answer"), self.wanted_stored.emit, variant="chip", icon_name="undo-2")
            message.add_note(back)

    def _retry(self) -> None:
        shown = self._user or self._message
        if shown is not None:
            self._thread.remove_from(shown)
        self.wanted_again.emit()

    def _silence(self, event: Finished | None) -> NoAnswerError:
        """Return why there is no answer even though nothing failed."""
        if self._thoughts.words and event is not None and event.finish_reason == "length":
            return NoAnswerError(
                tr("The model used all of the answer's length to think."),
                hint=tr("Allow longer answers in the agent's settings, or choose a model with more context."),
            )
        said = tr("The model thought, but gave no answer.") if self._thoughts.words else tr("The model gave no answer.")
        return NoAnswerError(said, hint=tr("Try again, or choose another model."))
