"""The answers on their way: at most one of each conversation, made to their end also when another one is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.domain.drafts import Draft
from memdesk.domain.models import Conversation
from memdesk.gui.text import tr
from memdesk.gui.views.chat.answer import Answer, AnswerView
from memdesk.services.ingest_turns import title_of

if TYPE_CHECKING:
    from memdesk.gui.views.chat.page import ChatPage

#: Answers made at once; each holds one of the lane's threads, and one must be left for everything else.
MOST_ANSWERS = 3


class Answers:
    """Asks, stops, and shows the answer of the conversation that is open."""

    def __init__(self, page: ChatPage) -> None:
        self._page = page
        self._views: list[AnswerView] = []
        #: The one that is shown.
        self._shown: AnswerView | None = None

    @property
    def shown(self) -> AnswerView | None:
        """The answer that is being made in the conversation that is open."""
        return self._shown

    def __bool__(self) -> bool:
        """Whether any answer is being made."""
        return bool(self._views)

    # -- asking ------------------------------------------------------------------------

    def send(self, draft: Draft) -> None:
        """Send a message and stream the answer.

        Until the exchange is recorded the message stays the draft, so that neither a failure nor the end of the
        process loses it.
        """
        self._page.keep_draft(draft)
        self.ask(Answer.send(self._page, draft))

    def regenerate(self) -> None:
        """Answer the last message again."""
        page = self._page
        last = page.messages.last_assistant()
        if self._shown is not None or last is None or page.conversation_id is None:
            return
        answer = Answer.again(page, last.turn_id)
        page.messages.remove_from(last)
        self.ask(answer)

    def resend(self, turn_id: str, text: str) -> None:
        """Replace a message of the user and answer it."""
        if self._shown is None:
            self.ask(Answer.edited(self._page, turn_id, text))
        else:
            self.take_back(Draft(text))
            self._ask_patience()

    def ask(self, answer: Answer) -> None:
        """Have an answer made and show how it comes."""
        if len(self._views) >= MOST_ANSWERS:
            self.take_back(answer.draft)
            self._ask_patience()
            return
        view = AnswerView(self._page, answer)
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

    def take_back(self, draft: Draft) -> None:
        """Put a message that was not recorded back where it was written, unless another one is there."""
        if draft and self._page.composer.empty:
            self._page.composer.set_draft(draft)

    def _ask_patience(self) -> None:
        self._page.context.notices.info(
            tr("Answers are still being made"), tr("Send this when one of them is finished.")
        )

    # -- being shown -------------------------------------------------------------------

    def show(self, view: AnswerView) -> None:
        """Draw an answer as it comes."""
        page = self._page
        page.context.bridge.supersede(page, "open")
        page.middle.setCurrentWidget(page.messages)
        self._busy(on=True)
        self._shown = view
        view.show()

    def leave(self) -> None:
        """Another conversation is shown: the answer is made to its end unseen, a temporary one ends."""
        view, self._shown = self._shown, None
        if view is None:
            return
        if view.temporary:
            view.stop()
        view.hide()
        self._busy(on=False)

    def _busy(self, *, on: bool) -> None:
        self._page.composer.set_busy(busy=on)
        self._page.messages.set_busy(busy=on)

    def here(self) -> AnswerView | None:
        """Return the answer that is made in the conversation that is open."""
        page = self._page
        mine = (v for v in self._views if not v.temporary and (v.agent_id, v.conversation_id) == page.here)
        return next(mine, None)

    # -- what an answer tells ----------------------------------------------------------

    def placed(self, view: AnswerView) -> None:
        """A chat that begins was given its id."""
        if self._shown is view:
            self._page.conversation_id = view.conversation_id
        if view.begins and not view.temporary:
            self._list_beginning()

    def answered(self, view: AnswerView) -> None:
        """An answer is complete, stopped or failed."""
        page = self._page
        self._views.remove(view)
        if view.temporary and self._shown is not view and view.conversation_id:
            # It ended after its chat did, and may have been added to it.
            page.end_temporary(view.conversation_id)
        if self._shown is view:
            self._shown = None
            if view.begins and not view.recorded:
                page.conversation_id = None
            elif view.begins:
                # What was written meanwhile had no conversation to be kept with.
                page.keep_draft(page.composer.draft())
            self._busy(on=False)
        self._list_beginning()

    def _list_beginning(self) -> None:
        """List the chats whose first answer is on its way as well; they are stored with it."""
        page = self._page
        beginning = [
            Conversation(
                agent_id=view.agent_id, id=view.conversation_id, title=title_of(view.text), memory=view.memory,
                created_at=view.since, updated_at=view.since,
            )
            for view in self._views
            if view.begins and view.conversation_id and not view.temporary
        ]  # fmt: skip
        page.list.set_underway(beginning)
        if page.conversation_id is not None and not page.temporary:
            page.list.select(page.agent_id, page.conversation_id)
