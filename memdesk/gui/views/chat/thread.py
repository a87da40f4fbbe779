"""The messages of one conversation, newest lowest; older ones are made as one scrolls up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from memdesk.domain.models import Agent, Turn
from memdesk.gui.rich import Drawn
from memdesk.gui.theme import Theme
from memdesk.gui.views.chat.message import AssistantMessage, Message, UserMessage
from memdesk.gui.widgets.buttons import IconButton
from memdesk.gui.widgets.layout import column, row
from memdesk.ports import Usage

#: Messages made at once; each takes some ms.
BATCH = 1


@dataclass(frozen=True, slots=True)
class TurnView:
    """A turn ready to be shown: drawn off the main thread, with what its receipt says."""

    turn: Turn
    drawn: list[Drawn]
    memories: int = 0
    asked: bool = False
    when: datetime | None = None


class ThreadView(QScrollArea):
    """Scrolls by itself while the reader is at the end, and never while they read further up."""

    wanted_receipt = Signal(str)
    wanted_again = Signal()
    resent = Signal(str, str)
    remember = Signal(str, str)
    forget = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Messages"))
        self._agent_name = ""
        self._colour = ""
        self._earlier: list[TurnView] = []
        self._follow = True
        self.messages: list[Message] = []
        self._column: QVBoxLayout = column(gap=18, margins=(24, 20, 24, 20))
        self._column.addStretch(1)
        self._inner = QWidget()
        self._inner.setProperty("role", "scroll")
        self._inner.setLayout(self._column)
        outer = QWidget()
        outer.setProperty("role", "scroll")
        box = row(gap=0)
        box.addStretch(1)
        box.addWidget(self._inner, 1000)
        box.addStretch(1)
        outer.setLayout(box)
        self.setWidget(outer)
        self._bar = self.verticalScrollBar()
        self._bar.setSingleStep(Theme.current().px(36))
        self._bar.valueChanged.connect(self._scrolled)
        self._bar.rangeChanged.connect(self._grown)
        self._down = IconButton("chevron-down", self.tr("To the end"), self.to_end, parent=self)
        self._down.setProperty("role", "float")
        self._down.hide()
        self._filling = False
        self._busy = False
        Theme.current().changed.connect(self._redraw)

    def set_reading_width(self, width: int) -> None:
        """Limit the column, in px at 100 %."""
        self._inner.setMaximumWidth(Theme.current().px(width))
        self._widths()

    # -- content -----------------------------------------------------------------------

    def clear(self) -> None:
        """Show nothing."""
        for message in self.messages:
            self._column.removeWidget(message)
            message.hide()
            message.deleteLater()
        self.messages.clear()
        self._earlier.clear()
        self._follow = True

    def show_turns(self, agent: Agent, turns: Sequence[TurnView]) -> None:
        """Show a conversation: its last messages now, the others as one scrolls up."""
        self.clear()
        self.set_agent(agent)
        self._earlier = list(turns[:-BATCH]) if len(turns) > BATCH else []
        for view in turns[-BATCH:]:
            self._add(self._make(view))
        self._mark_last()
        QTimer.singleShot(0, self.to_end)
        QTimer.singleShot(30, self._fill_screen)

    def set_agent(self, agent: Agent) -> None:
        """Know who speaks."""
        self._agent_name = agent.name
        self._colour = agent.color

    def add_user(self, text: str) -> UserMessage:
        """Append what the user just said."""
        message = UserMessage(text)
        self._wire_user(message)
        self._add(message)
        self.to_end()
        return message

    def add_assistant(self) -> AssistantMessage:
        """Append an answer that is about to come."""
        message = AssistantMessage(self._agent_name, self._colour)
        self._wire_assistant(message)
        self._add(message)
        self._mark_last()
        self.to_end()
        return message

    def remove_from(self, message: Message) -> None:
        """Take a message away, and all after it."""
        if message not in self.messages:
            return
        start = self.messages.index(message)
        for gone in self.messages[start:]:
            self._column.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        del self.messages[start:]

    def last_assistant(self) -> AssistantMessage | None:
        """Return the newest reply."""
        return next((m for m in reversed(self.messages) if isinstance(m, AssistantMessage)), None)

    def find_turn(self, turn_id: str) -> Message | None:
        """Return the message of a turn, making earlier ones when it is further up."""
        while True:
            found = next((m for m in self.messages if m.turn_id == turn_id), None)
            if found is not None or not self._earlier:
                return found
            if all(view.turn.id != turn_id for view in self._earlier):
                return None
            self._more()

    def show_message(self, message: Message) -> None:
        """Scroll to a message."""
        self._follow = False
        QTimer.singleShot(60, message, lambda: self.ensureWidgetVisible(message, 0, Theme.current().px(60)))

    def set_busy(self, *, busy: bool) -> None:
        """While an answer is made, offer neither another one nor to edit what was said."""
        self._busy = busy
        self._mark_last()
        for message in self.messages:
            if isinstance(message, UserMessage):
                message.show_edit(on=not busy)

    # -- making ------------------------------------------------------------------------

    def _make(self, view: TurnView) -> Message:
        turn = view.turn
        if turn.role == "user":
            user = UserMessage(turn.content, turn.id, view.when)
            self._wire_user(user)
            return user
        reply = AssistantMessage(turn.speaker or self._agent_name, self._colour)
        reply.turn_id = turn.id
        reply.set_drawn(turn.content, view.drawn)
        if turn.receipt_id or view.asked:
            reply.show_receipt(turn.receipt_id or "", view.memories)
        usage = (
            Usage(**{k: v for k, v in turn.usage.items() if k in Usage.__dataclass_fields__}) if turn.usage else None
        )
        reply.show_figures(usage, model=turn.model)
        self._wire_assistant(reply)
        return reply

    def _wire_user(self, message: UserMessage) -> None:
        message.resent.connect(self.resent)
        message.remember.connect(self.remember)
        message.forget.connect(self.forget)

    def _wire_assistant(self, message: AssistantMessage) -> None:
        message.wanted_receipt.connect(self.wanted_receipt)
        message.wanted_again.connect(self.wanted_again)
        message.remember.connect(self.remember)
        message.forget.connect(self.forget)

    def _add(self, message: Message, position: int | None = None) -> None:
        at = len(self.messages) if position is None else position
        self.messages.insert(at, message)
        self._column.insertWidget(at, message)
        if isinstance(message, UserMessage):
            message.set_width(self._room())
            message.show_edit(on=not self._busy)

    def _more(self) -> None:
        batch, self._earlier = self._earlier[-BATCH:], self._earlier[:-BATCH]
        from_end = self._bar.maximum() - self._bar.value()
        self._filling = True
        for number, view in enumerate(batch):
            self._add(self._make(view), number)
        QTimer.singleShot(0, self, lambda: self._settle(from_end))

    def _settle(self, from_end: int) -> None:
        self._filling = False
        if not self._follow:
            self._bar.setValue(self._bar.maximum() - from_end)

    def _fill_screen(self) -> None:
        if self._earlier and self._bar.maximum() <= self._bar.pageStep() // 2:
            self._more()
            QTimer.singleShot(30, self, self._fill_screen)

    def _mark_last(self) -> None:
        wanted = None if self._busy else self.last_assistant()
        for message in self.messages:
            if isinstance(message, AssistantMessage):
                message.show_again(on=message is wanted)

    # -- scrolling ---------------------------------------------------------------------

    def to_end(self) -> None:
        """Go to the newest message and stay there."""
        self._follow = True
        self._bar.setValue(self._bar.maximum())

    def _scrolled(self, value: int) -> None:
        near = self._bar.maximum() - value < Theme.current().px(48)
        if not self._filling:
            self._follow = near
        self._down.setVisible(not near)
        if value < self._bar.pageStep() // 2 and self._earlier and not self._filling:
            QTimer.singleShot(0, self, self._more_once)

    def _more_once(self) -> None:
        if self._earlier and not self._filling:
            self._more()

    def _grown(self, _low: int, high: int) -> None:
        if self._follow:
            self._bar.setValue(high)

    # -- size and look -----------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit bubbles to the column."""
        super().resizeEvent(event)
        self._widths()
        side = Theme.current().px(32)
        self._down.setGeometry(self.width() - side - Theme.current().px(20), self.height() - side - 8, side, side)

    def _room(self) -> int:
        most = self._inner.maximumWidth()
        margins = Theme.current().px(48)
        return min(most, self.viewport().width()) - margins

    def _widths(self) -> None:
        for message in self.messages:
            if isinstance(message, UserMessage):
                message.set_width(self._room())

    def _redraw(self) -> None:
        for message in self.messages:
            if isinstance(message, AssistantMessage):
                message.redraw()
