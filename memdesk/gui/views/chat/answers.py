"""Answers in progress: at most one per conversation, completed even when another is opened."""

from functools import partial, reduce

from PySide6.QtCore import QObject, Signal

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.models import Conversation
from memdesk.gui.models.chat import ChatModel
from memdesk.gui.pages import PageContext
from memdesk.gui.views.chat.answer import Answer, AnswerView
from memdesk.gui.views.chat.compared import ComparedView
from memdesk.gui.views.chat.drafts import Drafts
from memdesk.gui.views.chat.shown import Small
from memdesk.gui.views.chat.thread import ThreadView
from memdesk.services.chatting import Comparison

#: Maximum concurrent answers; each holds a thread of the lane, and one must be left for everything else.
MOST_ANSWERS = 3
#: Files of this many characters are searched off the main thread.
LONG_CHARS = 20_000


Underway = AnswerView | ComparedView


class Answers(QObject):
    """Requests and stops answers, and shows the one of the open conversation.

    Attributes:
        began: an answer is now drawn into the thread.
        beginning: conversations whose first answer is in progress; they are stored with it.
        settled: the open conversation's answer ended.
        unsaid: a message that was not recorded and returns to the composer.
        wanted_stored: the conversation is to be reloaded.
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
        self._views: list[Underway] = []
        #: The answer in progress in the open conversation.
        self.shown: Underway | None = None
        #: The last failed message of the open conversation: stored only as a draft.
        self._failed = Draft()

    @property
    def waiting(self) -> Draft:
        """The message being answered, stored as the open conversation's draft until it is recorded.

        The draft of an agent's next conversation includes the messages of its other new ones.
        """
        agent_id, talk = self._model.here
        mine = (v for v in self._views if not v.temporary and v.agent_id == agent_id)
        asked = [v.draft for v in mine if (v.begins if talk is None else v.conversation_id == talk)]
        return reduce(Draft.then, asked, Draft())

    @property
    def unrecorded(self) -> Draft:
        """The same, plus the unanswered message, which is also stored as a draft."""
        return self.waiting.then(self._failed)

    def __bool__(self) -> bool:
        """Whether any answer is being made."""
        return bool(self._views)

    # -- asking ------------------------------------------------------------------------

    def send(self, draft: Draft) -> None:
        """Send a message and stream the answer.

        Until the exchange is recorded the message stays in the draft, so that neither a failure nor a crash loses it.
        """
        if not self._model.temporary:
            self._drafts.keep(self._model.here, self.waiting.then(draft))
        place, room = self._model.here, self._model.files_room

        def sent() -> tuple[str, tuple[Small, ...]]:
            return draft.message(room), tuple(map(Small.of, draft.images))

        def ask(found: tuple[str, tuple[Small, ...]]) -> None:
            # If another conversation was opened meanwhile, the message stays in its own as a draft.
            if self._model.here == place:
                self._ask_both(draft, *found)

        if draft.images or sum(map(len, draft.files.values())) >= LONG_CHARS:
            # Passages of long files are chosen, and thumbnails made, on a lane.
            self._context.bridge.run(self, sent, ask)
        else:
            ask(sent())

    def regenerate(self) -> None:
        """Answer the last message again."""
        last = self._thread.last_assistant()
        if self.shown is not None or last is None or self._model.conversation_id is None:
            return
        answer = Answer.again(self._chat, self._model, last.turn_id)
        self._thread.remove_from(last)
        self.ask(answer)

    def resend(self, turn_id: str, text: str) -> None:
        """Replace a user message and answer it."""
        if self.shown is None:
            self.ask(Answer.edited(self._chat, self._model, turn_id, text))
        else:
            self.unsaid.emit(Draft(text))
            self._ask_patience()

    def _ask_both(self, draft: Draft, text: str, pictures: tuple[Small, ...]) -> None:
        """Have a message answered by the chosen model, or by both compared models."""
        models, send = self._model.compared, partial(Answer.send, self._chat, self._model, self._drafts)
        if models is None or self._model.temporary:
            self.ask(send(draft, text, pictures))
            return
        beside = Comparison(models)
        one, other = (send(draft, text, pictures, beside, side) for side in (0, 1))
        if not self._is_full(draft, answers=2):
            view = ComparedView(self._context, self._model, self._thread, (one, other), models, self)
            view.wanted_again_by.connect(self._ask_by)
            self._follow(view)

    def _ask_by(self, model_id: str) -> None:
        """Retry one of two compared models that failed."""
        compared = self._thread.messages[-1] if self._thread.messages else None
        if self.shown is None and compared is not None:
            answer = Answer.again(self._chat, self._model, compared.turn_id, model_id)
            self._thread.remove_from(compared)
            self.ask(answer)

    def _is_full(self, draft: Draft, answers: int = 1) -> bool:
        """Whether this many more answers would exceed the limit; the message then returns to the composer."""
        making = sum(len(view.sides) if isinstance(view, ComparedView) else 1 for view in self._views)
        if making + answers <= MOST_ANSWERS:
            return False
        self.unsaid.emit(draft)
        self._ask_patience()
        return True

    def ask(self, answer: Answer) -> None:
        if not self._is_full(answer.draft):
            self._follow(AnswerView(self._context, self._model, self._thread, answer, self))

    def _follow(self, view: Underway) -> None:
        view.placed.connect(lambda: self._placed(view))
        view.answered.connect(lambda: self._answered(view))
        view.wanted_again.connect(lambda: self._ask_anew(view))
        view.unsaid.connect(self.unsaid)
        view.wanted_stored.connect(self.wanted_stored)
        self._failed = Draft()
        self._views.append(view)
        self.show(view)
        view.start()

    def stop(self) -> None:
        """Stop the answer in progress; the text so far is kept."""
        if self.shown is not None:
            self.shown.stop()

    def stop_all(self) -> None:
        for view in self._views:
            view.stop()

    def _ask_anew(self, view: Underway) -> None:
        """Retry a failed answer, with the models and memory now chosen."""
        if not view.says:
            self.ask(Answer.again(self._chat, self._model, view.instead_of))
        elif view.instead_of:
            self.ask(Answer.edited(self._chat, self._model, view.instead_of, view.text))
        else:
            self._ask_both(view.draft, view.text, view.pictures)

    def _ask_patience(self) -> None:
        self._context.notices.info(
            self.tr("Answers are still being written"), self.tr("Send this when one of them is finished.")
        )

    # -- being shown -------------------------------------------------------------------

    def show(self, view: Underway) -> None:
        """Draw an answer as it arrives."""
        self.began.emit()
        self._model.set_busy(on=True, begins=view.begins)
        self.shown = view
        view.show()

    def leave(self) -> None:
        """Another conversation is shown: the answer is completed in the background, a temporary one ends."""
        view, self.shown = self.shown, None
        self._failed = Draft()
        if view is None:
            return
        if view.temporary:
            view.stop()
        view.hide()
        self._model.set_busy(on=False)

    def here(self) -> Underway | None:
        """Return the answer in progress in the open conversation."""
        mine = (v for v in self._views if not v.temporary and (v.agent_id, v.conversation_id) == self._model.here)
        return next(mine, None)

    # -- what an answer tells ----------------------------------------------------------

    def _placed(self, view: Underway) -> None:
        """A new chat got its id."""
        if self.shown is view:
            self._model.place(view.conversation_id)
        if view.begins and not view.temporary:
            self._list_beginning()

    def _answered(self, view: Underway) -> None:
        """An answer is complete, stopped or failed."""
        self._views.remove(view)
        if view.recorded and (view.begins or view.draft.files) and not view.temporary:
            self._drafts.sent((view.agent_id, None if view.begins else view.conversation_id), view.draft)
        if view.begins and not view.recorded and view.conversation_id and not view.temporary:
            self._drafts.give_back((view.agent_id, view.conversation_id))
            if self.shown is not view and self._model.here == (view.agent_id, None):
                # The user is already writing the next chat, where this message is not shown.
                self.unsaid.emit(view.draft)
        if view.temporary and self.shown is not view and view.conversation_id:
            # It ended after its chat was closed, and may have been added to it.
            self.end_temporary(view.conversation_id)
        if self.shown is view:
            self.shown = None
            if view.begins and not view.recorded:
                self._model.place(None)
            self._failed = Draft() if view.recorded or view.unsaid_already else view.draft
            self._model.set_busy(on=False)
            self.settled.emit(view)
        self._list_beginning()
        if view.recorded:
            if not view.temporary and (view.begins or view.instead_of):
                place = view.agent_id, str(view.conversation_id)
                self._context.bridge.run(self, lambda: self._chat.give_title(*place), lane="background")
            if view.begins and not view.temporary:
                # The choices were made for this conversation, and are kept with it now.
                conversations, agent_id = self._context.services.conversations, view.agent_id
                self._context.bridge.run(self, lambda: conversations.forget_choices(agent_id))
            # If one of two failed, it offers a retry.
            if not isinstance(view, ComparedView) or all(side.recorded for side in view.sides):
                view.deleteLater()

    def end_temporary(self, conversation_id: str) -> None:
        """Drop the contents of a temporary chat."""
        self._context.bridge.run(self, lambda: self._chat.end_temporary(conversation_id))

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
