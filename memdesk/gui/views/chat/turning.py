"""Continues a conversation from one of its messages: a branch, another version, one of two answers."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from memdesk.domain.chatting.drafts import Draft
from memdesk.errors import BadRequestError
from memdesk.gui.models.chat import ChatModel
from memdesk.gui.pages import PageContext
from memdesk.gui.views.chat.message import UserMessage
from memdesk.gui.views.chat.thread import ThreadView


class Turning(QObject):
    """Changes how the open conversation continues.

    ``branched`` has the agent and id of a branch, and the message to send in it; ``begun`` the replacement of a first
    message, which has nothing before it; ``turned`` the message with which the open conversation continues.
    """

    branched = Signal(str, str, object)
    begun = Signal(object)
    turned = Signal(str)

    def __init__(self, context: PageContext, model: ChatModel, messages: ThreadView, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._model, self._messages = context, model, messages
        self._chat = context.services.chat

    def branch(self, turn_id: str, text: str = "") -> None:
        """Branch from a message into a new chat; ``text`` replaces the message."""
        message = self._messages.find_turn(turn_id)
        pictures = message.pictures if text and isinstance(message, UserMessage) else ()
        self._context.bridge.run(
            self,
            lambda: Draft(text, images=tuple(small.fetch() for small in pictures)),
            lambda draft: self._branch_with(turn_id, draft),
        )

    def _branch_with(self, turn_id: str, draft: Draft) -> None:
        agent_id, talk = self._model.here

        def failed(error: Exception) -> None:
            if isinstance(error, BadRequestError) and draft:
                self.begun.emit(draft)
            else:
                self._context.notices.error(error)

        self._context.bridge.run(
            self,
            lambda: self._chat.branch(agent_id, str(talk), turn_id, before=bool(draft)),
            lambda branch_id: self.branched.emit(agent_id, branch_id, draft),
            failed,
        )

    def turn_to(self, key: str) -> None:
        """Continue with another version of a message."""
        memory, (agent_id, talk) = self._model.memory, map(str, self._model.here)
        self._go_on_with(lambda: self._chat.show_version(agent_id, talk, key, memory=memory)[0].id)

    def keep_compared(self, turn_id: str) -> None:
        """Continue with one of two answers; the other stays available by its arrows."""
        memory, (agent_id, talk) = self._model.memory, map(str, self._model.here)

        def keep() -> str:
            turns = self._chat.keep_compared(agent_id, talk, turn_id, memory=memory)
            return turns[0].id if turns else turn_id

        self._go_on_with(keep)

    def _go_on_with(self, change: Callable[[], str]) -> None:
        here = self._model.here
        self._context.bridge.run(
            self, change, lambda turn_id: self.turned.emit(turn_id) if here == self._model.here else None
        )
