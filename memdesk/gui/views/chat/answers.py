"""The answers on their way: at most one of each conversation, made to their end also when another one is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.models import Conversation
from memdesk.gui.views.chat.answer import Answer, AnswerView
from memdesk.gui.views.chat.shown import Small

if TYPE_CHECKING:
    from memdesk.gui.models.chat import ChatModel
    from memdesk.gui.pages import PageContext
    from memdesk.gui.views.chat.drafts import Drafts
    from memdesk.gui.views.chat.thread import ThreadView

#: Answers made at once; each holds one of the lane's threads, and one must be left for everything else.
MOST_ANSWERS = 3
#: The part of a model's context that attached files may take; the answer, the chat and the memory need the rest.
FILES_SHARE = 0.5
#: Files of so many characters are looked through off the main thread.
LONG_CHARS = 20_000


class Answers(QObject):
    """Asks, stops, and shows the answer of the conversation that is open.

    Attributes:
        began: an answer is drawn into the thread now.
        beginning: tells the conversations whose first answer is on its way; they are stored with it.
        settled: tells the answer of the open conversation that has ended.
        unsaid: tells a message that was not recorded and goes back to where it was written.
        wanted_stored: the conversation is to be shown as it is stored.
    """

    began = Signal()
    beginning = Signal(list)
    settled = Signal(object)
    unsaid = Signal(object)
    wanted_stored = Signal()

    def __init__(
        self, context: PageContext, model: ChatModel, drafts: Drafts, thread: ThreadView, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._context, self._model, self._drafts, self._thread = context, model, drafts, thread
        self._chat = context.services.chat
        self._views: list[AnswerView] = []
        #: The one that is shown.
        self._shown: AnswerView | None = None
        #: The message that failed last in the conversation that is open: it is stored nowhere but as a draft.
        self._failed = Draft()

    @property
    def shown(self) -> AnswerView | None:
        """The answer that is being made in the conversation that is open."""
        return self._shown

    @property
    def unrecorded(self) -> Draft:
        """The message of the open conversation that is being answered, or was not, and is stored as a draft alone."""
        return self._shown.draft if self._shown is not None else self._failed

    def __bool__(self) -> bool:
        """Whether any answer is being made."""
        return bool(self._views)

    # -- asking ------------------------------------------------------------------------

    def send(self, draft: Draft) -> None:
        """Send a message and stream the answer.

        Until the exchange is recorded the message stays the draft, so that neither a failure nor the end of the
        process loses it.
        """
        if not self._model.temporary:
            self._drafts.keep(self._model.here, draft)
        place, room = self._model.here, int(self._model.context_tokens * FILES_SHARE)

        def sent() -> tuple[str, tuple[Small, ...]]:
            return draft.fitted(room).message(), tuple(map(Small.of, draft.images))

        def ask(found: tuple[str, tuple[Small, ...]]) -> None:
            # Turned to another conversation meanwhile, the message waits where it was written, as its draft.
            if self._model.here == place:
                self.ask(Answer.send(self._chat, self._model, self._drafts, draft, *found))

        if draft.images or sum(map(len, draft.files.values())) >= LONG_CHARS:
            # The passages of a book are chosen on a lane, and pictures made small.
            self._context.bridge.run(sent, owner=self, success=ask)
        else:
            ask(sent())

    def regenerate(self) -> None:
        """Answer the last message again."""
        last = self._thread.last_assistant()
        if self._shown is not None or last is None or self._model.conversation_id is None:
            return
        answer = Answer.again(self._chat, self._model, last.turn_id)
        self._thread.remove_from(last)
        self.ask(answer)

    def resend(self, turn_id: str, text: str) -> None:
        """Replace a message of the user and answer it."""
        if self._shown is None:
            self.ask(Answer.edited(self._chat, self._model, turn_id, text))
        else:
            self.unsaid.emit(Draft(text))
            self._ask_patience()

    def ask(self, answer: Answer) -> None:
        """Have an answer made and show how it comes."""
        if len(self._views) >= MOST_ANSWERS:
            self.unsaid.emit(answer.draft)
            self._ask_patience()
            return
        view = AnswerView(self._context, self._model, self._thread, answer, self)
        view.placed.connect(lambda: self._placed(view))
        view.answered.connect(lambda: self._answered(view))
        view.wanted_again.connect(lambda: self.ask(self._anew(view)))
        view.unsaid.connect(self.unsaid)
        view.wanted_stored.connect(self.wanted_stored)
        self._failed = Draft()
        self._views.append(view)
        self.show(view)
        view.start()

    def stop(self) -> None:
        """Stop the answer that is being made; what was said is kept."""
        if self._shown is not None:
            self._shown.stop()

    def stop_all(self) -> None:
        """Stop every answer."""
        for view in self._views:
            view.stop()

    def _anew(self, view: AnswerView) -> Answer:
        """Return a failed answer once more, with the model and the memory that are chosen now."""
        if not view.says:
            return Answer.again(self._chat, self._model, view.instead_of)
        if view.instead_of:
            return Answer.edited(self._chat, self._model, view.instead_of, view.text)
        return Answer.send(self._chat, self._model, self._drafts, view.draft, view.text, view.pictures)

    def _ask_patience(self) -> None:
        self._context.notices.info(
            self.tr("Answers are still being made"), self.tr("Send this when one of them is finished.")
        )

    # -- being shown -------------------------------------------------------------------

    def show(self, view: AnswerView) -> None:
        """Draw an answer as it comes."""
        self.began.emit()
        self._model.set_busy(on=True, begins=view.begins)
        self._shown = view
        view.show()

    def leave(self) -> None:
        """Another conversation is shown: the answer is made to its end unseen, a temporary one ends."""
        view, self._shown = self._shown, None
        self._failed = Draft()
        if view is None:
            return
        if view.temporary:
            view.stop()
        view.hide()
        self._model.set_busy(on=False)

    def here(self) -> AnswerView | None:
        """Return the answer that is made in the conversation that is open."""
        mine = (v for v in self._views if not v.temporary and (v.agent_id, v.conversation_id) == self._model.here)
        return next(mine, None)

    # -- what an answer tells ----------------------------------------------------------

    def _placed(self, view: AnswerView) -> None:
        """A chat that begins was given its id."""
        if self._shown is view:
            self._model.place(view.conversation_id)
        if view.begins and not view.temporary:
            self._list_beginning()

    def _answered(self, view: AnswerView) -> None:
        """An answer is complete, stopped or failed."""
        self._views.remove(view)
        if view.recorded and view.draft.files and not view.temporary:
            self._drafts.sent((view.agent_id, None if view.begins else view.conversation_id), view.draft)
        if view.begins and not view.recorded and view.conversation_id and not view.temporary:
            self._drafts.give_back((view.agent_id, view.conversation_id))
        if view.temporary and self._shown is not view and view.conversation_id:
            # It ended after its chat did, and may have been added to it.
            self.end_temporary(view.conversation_id)
        if self._shown is view:
            self._shown = None
            if view.begins and not view.recorded:
                self._model.place(None)
            self._failed = Draft() if view.recorded or view.unsaid_already else view.draft
            self._model.set_busy(on=False)
            self.settled.emit(view)
        self._list_beginning()
        if view.recorded:
            if not view.temporary and (view.begins or view.instead_of):
                place = view.agent_id, str(view.conversation_id)
                self._context.bridge.run(lambda: self._chat.give_title(*place), owner=self, lane="background")
            if view.begins and not view.temporary:
                # The choices were made for this conversation, and are kept with it now.
                conversations, agent_id = self._context.services.conversations, view.agent_id
                self._context.bridge.run(lambda: conversations.forget_choices(agent_id), owner=self)
            view.deleteLater()

    def end_temporary(self, conversation_id: str) -> None:
        """Let go what was said in a temporary chat."""
        self._context.bridge.run(lambda: self._chat.end_temporary(conversation_id), owner=self)

    def _list_beginning(self) -> None:
        self.beginning.emit(
            [
                Conversation(
                    agent_id=view.agent_id, id=view.conversation_id, title=view.title, memory=view.memory,
                    folder_id=view.folder.id if view.folder else None,
                    created_at=view.since, updated_at=view.since,
                )
                for view in self._views
                if view.begins and view.conversation_id and not view.temporary
            ]
        )  # fmt: skip
