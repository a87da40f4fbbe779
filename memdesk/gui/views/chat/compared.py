"""Compares two models: two answers to one message, until one of them is kept."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from memdesk.domain.chatting.drafts import Draft
from memdesk.gui.models.chat import ChatModel
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.views.chat.answer import Answer, AnswerView
from memdesk.gui.views.chat.columns import ComparedMessage
from memdesk.gui.views.chat.message import AssistantMessage, UserMessage
from memdesk.gui.views.chat.thread import ThreadView


class SideView(AnswerView):
    """One of two answers, drawn into its own column."""

    @property
    def user_turn(self) -> str:
        """The id of the message stored with this answer; empty before."""
        turns = self._finished.turns if self._finished is not None else ()
        return next((turn.id for turn in turns if turn.role == "user"), "")

    def show_in(self, user: UserMessage, column: AssistantMessage) -> None:
        """Draw the text so far."""
        self._user, self._message = user, column
        self._draw()

    def _take_back(self, message: AssistantMessage) -> None:
        message.show_waiting(tr("Stopped."))
        self.unsaid_already = True

    def _retry(self) -> None:
        self.wanted_again.emit()


class ComparedView(QObject):
    """Follows two answers to one message, as if one answer that ends with the later of them.

    Its signals and attributes are those of :class:`~memdesk.gui.views.chat.answer.AnswerView`.

    Attributes:
        wanted_again_by: the model to retry: it failed, and the other did not.
    """

    placed = Signal()
    answered = Signal()
    unsaid = Signal(object)
    wanted_again = Signal()
    wanted_stored = Signal()
    wanted_again_by = Signal(str)

    def __init__(
        self,
        context: PageContext,
        model: ChatModel,
        thread: ThreadView,
        answers: tuple[Answer, Answer],
        models: tuple[str, str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._thread, self.models, self._names = thread, models, model.compared_names
        self._user: UserMessage | None = None
        self._message: ComparedMessage | None = None
        self._ended: set[int] = set()
        #: The one to retry once the other has ended.
        self._again: int | None = None
        self.sides = [SideView(context, model, thread, answer, self) for answer in answers]
        first = self.sides[0]
        self.agent_id, self.temporary, self.memory = first.agent_id, first.temporary, first.memory
        self.overrides, self.folder, self.begins = first.overrides, first.folder, first.begins
        self.text, self.pictures, self.title, self.since = first.text, first.pictures, first.title, first.since
        self.says, self.instead_of, self.unsaid_already = True, "", False
        for side, view in enumerate(self.sides):
            view.placed.connect(self.placed)
            view.answered.connect(partial(self._side_ended, side))
            view.wanted_again.connect(partial(self._want_again, side))

    @property
    def conversation_id(self) -> str | None:
        """Where it belongs; None until a new chat has an id."""
        return self.sides[0].conversation_id or self.sides[1].conversation_id

    @property
    def recorded(self) -> bool:
        """Whether one of them is stored."""
        return any(view.recorded for view in self.sides)

    @property
    def draft(self) -> Draft:
        """The message being answered, while it is stored nowhere else."""
        return self.sides[0].draft

    def start(self) -> None:
        for view in self.sides:
            view.start()

    def stop(self) -> None:
        for view in self.sides:
            view.stop()

    def show(self) -> None:
        stored = self._thread.find_turn(next((view.user_turn for view in self.sides if view.user_turn), ""))
        if stored is not None:
            # One answer is already stored with the message: redraw both side by side.
            self._thread.remove_from(stored)
        self._user = self._thread.add_user(self.text, self.pictures)
        self._message = self._thread.add_compared(self._names)
        for side, (view, column) in enumerate(zip(self.sides, self._message.columns, strict=True)):
            column.stopped.connect(view.stop)
            view.show_in(self._user, column)
            if side in self._ended:
                self._message.end(side)

    def hide(self) -> None:
        self._user = self._message = None
        for view in self.sides:
            view.hide()

    def _side_ended(self, side: int) -> None:
        self._ended.add(side)
        if self._message is not None:
            self._message.end(side)
        if len(self._ended) < len(self.sides):
            return
        if all(view.unsaid_already for view in self.sides):
            self.unsaid_already = True
            if self._user is not None:
                self._thread.remove_from(self._user)
            self.unsaid.emit(self.draft)
        self.answered.emit()
        self._ask_again()

    def _want_again(self, side: int) -> None:
        self._again = side
        self._ask_again()

    def _ask_again(self) -> None:
        if self._again is None or len(self._ended) < len(self.sides):
            return
        if self.recorded:
            self.wanted_again_by.emit(self.models[self._again])
            return
        if self._user is not None:
            self._thread.remove_from(self._user)
        self.wanted_again.emit()
