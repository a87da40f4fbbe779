"""The messages of one conversation, newest at the bottom; those far from the view are created on scrolling."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from memdesk.domain.chatting.versions import Thought, Versions
from memdesk.domain.models import Agent, Turn
from memdesk.gui.rich import Drawn
from memdesk.gui.theme import Theme
from memdesk.gui.views.chat.columns import ComparedMessage
from memdesk.gui.views.chat.message import AssistantMessage, Message, UserMessage, Wishes
from memdesk.gui.views.chat.selection import SelectionBar
from memdesk.gui.views.chat.shown import Small
from memdesk.gui.views.chat.thinking import Thoughts
from memdesk.gui.widgets.buttons import IconButton
from memdesk.gui.widgets.layout import column, row
from memdesk.ports import Usage
from memdesk.services.distilling import OUTSIDE

#: View heights to fill above and below the view, and beyond which messages are removed again.
NEAR, FAR = 1, 3
#: How long the scroll position is held while the layout above it settles, in ms.
HOLD_MS = 150
#: Pause for layout between creating two messages, in ms.
STEP_MS = 5


@dataclass(frozen=True, slots=True)
class TurnView:
    """A turn ready to show: drawn off the main thread, with its receipt."""

    turn: Turn
    drawn: list[Drawn]
    memories: int = 0
    when: datetime | None = None
    thought: Thought | None = None
    pictures: tuple[Small, ...] = ()

    @property
    def turn_id(self) -> str:
        return self.turn.id

    @property
    def text(self) -> str:
        return self.turn.content


#: A message not in view: as loaded, or the widget of a newer one.
Away = TurnView | Message


class ThreadView(QScrollArea):
    """Follows the end if the reader is there, and never scrolls while they read further up.

    Only messages near the view are widgets (``messages``), however long the conversation is.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Text must not shift when the scroll bar appears: its space is reserved.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setAccessibleName(self.tr("Messages"))
        self._agent_name = ""
        self._color = ""
        self._earlier: list[Away] = []
        self._later: list[Away] = []
        #: The source of loaded messages; newer ones have none.
        self._loaded: dict[Message, TurnView] = {}
        self._versions: Mapping[str, Versions] = {}
        self._end_note: Callable[[], QWidget] | None = None
        self._follow = True
        #: Distance from the end to keep while messages above are added or removed.
        self._held: int | None = None
        self._value = 0
        #: The message being scrolled to.
        self._aim: Message | None = None
        self.messages: list[Message] = []
        self._column: QVBoxLayout = column(None, gap=18, margins=(24, 20, 24, 20))
        self._inner = QWidget()
        self._inner.setProperty("role", "scroll")
        self._inner.setLayout(self._column)
        self._outer = outer = QWidget()
        outer.setProperty("role", "scroll")
        box = row(None, (self._inner, 1000), None, gap=0)
        outer.setLayout(box)
        self.setWidget(outer)
        self._bar = self.verticalScrollBar()
        self._bar.setSingleStep(Theme.current().px(36))
        self._bar.valueChanged.connect(self._scrolled)
        self._bar.rangeChanged.connect(self._grown)
        self._bar.rangeChanged.connect(lambda low, high: self._bar.setEnabled(low < high))
        self._bar.setEnabled(False)
        self._bar.actionTriggered.connect(lambda _action: self._own_move())
        self._down = IconButton("chevron-down", self.tr("To the end"), self.to_end, parent=self)
        self._down.setProperty("role", "float")
        self._down.hide()
        self.selection = SelectionBar(self)
        self.wishes = Wishes(self)
        self.wishes.released.connect(self.selection.look_at)
        self.selection.remember.connect(self.wishes.remember)
        self.selection.forget.connect(self.wishes.forget)
        self._busy = False
        #: Whether the theme changed since the messages were loaded: their code has the other's colors.
        self._recolored = False
        self._fill_timer = self._timer(0, self._fill)
        self._hold_timer = self._timer(HOLD_MS, self._let_go)
        Theme.current().changed.connect(self._redraw)

    def _timer(self, after_ms: int, call: Callable[[], None]) -> QTimer:
        timer = QTimer(self, singleShot=True, interval=after_ms)
        timer.timeout.connect(call)
        return timer

    def set_reading_width(self, width: int) -> None:
        """Limit the column, in px at 100 %; its margins are outside of it, as in the composer."""
        self._inner.setMaximumWidth(Theme.current().px(width) + Theme.current().px(48))
        self._widths()

    # -- content -----------------------------------------------------------------------

    def clear(self) -> None:
        self.selection.hide()
        self._put_away(self.messages)
        for message in (*self._earlier, *self._later):
            if isinstance(message, Message):
                message.deleteLater()
        self._earlier, self._later = [], []
        self._versions = {}
        self._end_note = None
        self._held = None
        self._follow = True

    def show_turns(self, agent: Agent, turns: Sequence[TurnView], versions: Mapping[str, Versions]) -> None:
        """Show the end of a conversation; the rest on scrolling."""
        self.clear()
        self._versions = versions
        self.set_agent(agent)
        self._recolored = False
        self._show_from(list(turns))

    def show_versions(self, versions: Mapping[str, Versions]) -> None:
        """Set which messages have other versions, by turn."""
        self._versions = versions
        self._show_arrows()

    def _show_arrows(self, *messages: Message) -> None:
        for message in messages or self.messages:
            if isinstance(message, ComparedMessage):
                continue
            message.versions.show_versions(self._versions.get(message.turn_id))
            message.versions.setEnabled(not self._busy)

    def _show_from(self, items: list[Away], turn_id: str = "") -> None:
        """Create the message of the turn, or the last one, now; those around it follow."""
        at = next((n for n, item in enumerate(items) if item.turn_id == turn_id), -1) if turn_id else -1
        self._follow, self._aim = at < 0, None
        at = len(items) - 1 if at < 0 else at
        self._earlier, self._later = items[:at] if items else [], items[at + 1 :]
        if items:
            self._add(self._take(items[at]), len(self.messages))
        self._mark_last()
        self._bar.setValue(self._bar.maximum() if self._follow else 0)
        self._fill_timer.start()

    def set_agent(self, agent: Agent) -> None:
        """Set the agent."""
        self._agent_name = agent.name
        self._color = agent.color

    def add_user(self, text: str, pictures: Sequence[Small] = ()) -> UserMessage:
        """Append a new user message."""
        message = UserMessage(self.wishes, text, pictures=pictures)
        self._append(message)
        return message

    def add_assistant(self) -> AssistantMessage:
        """Append an answer about to start."""
        message = AssistantMessage(self.wishes, self._agent_name, self._color)
        self._append(message)
        return message

    def add_compared(self, names: Sequence[str]) -> ComparedMessage:
        """Append two answers about to start, with the names of their models."""
        message = ComparedMessage(self.wishes, names, self._color)
        self._append(message)
        return message

    def _append(self, message: Message) -> None:
        self.to_end()
        self._add(message, len(self.messages))
        self._mark_last()
        self.to_end()

    def remove_from(self, message: Message) -> None:
        if message not in self.messages:
            return
        for gone in self._later:
            if isinstance(gone, Message):
                gone.deleteLater()
        self._later = []
        self._put_away(self.messages[self.messages.index(message) :])

    def last_assistant(self) -> AssistantMessage | None:
        """Return the newest reply; None if it is too far from the view to exist, or if there are two."""
        if self._later or (self.messages and isinstance(self.messages[-1], ComparedMessage)):
            return None
        return next((m for m in reversed(self.messages) if isinstance(m, AssistantMessage)), None)

    def has_turn(self, turn_id: str) -> bool:
        """Whether a turn is in the conversation, in view or not."""
        return any(item.turn_id == turn_id for item in (*self._earlier, *self.messages, *self._later))

    def find_turn(self, turn_id: str) -> Message | None:
        """Return the message of a turn, scrolling there if needed."""
        if not turn_id or not self.has_turn(turn_id):
            return None
        if all(message.turn_id != turn_id for message in self.messages):
            self._show_from(self._gather(), turn_id)
        return next(message for message in self.messages if message.turn_id == turn_id)

    def quoting(self, quote: str) -> str:
        """Return the first turn with a quote, ignoring white space, or ""."""
        wanted = " ".join(quote.split())
        items = (*self._earlier, *self.messages, *self._later)
        return next((item.turn_id for item in items if wanted and wanted in " ".join(item.text.split())), "")

    def set_end_note(self, make: Callable[[], QWidget] | None) -> None:
        """Add a chip to the newest reply, now or once it is created."""
        self._end_note = make
        self._mark_last()

    def show_message(self, message: Message, words: Sequence[str] = ()) -> None:
        """Scroll to a message, and highlight words in it."""
        self._follow, self._aim = False, message
        QTimer.singleShot(0, message, lambda: self._scroll_to(message, words))

    def _scroll_to(self, message: Message, words: Sequence[str]) -> None:
        """Keep the first highlighted word, or the start, near the top until the layout settles."""
        if message not in self.messages or self._aim is not message:
            return
        for other in self.messages:
            if other is not message:
                other.mark(())
        top = max(0, message.mark(words)) + message.mapTo(self._outer, QPoint(0, 0)).y()
        self._bar.setValue(top - Theme.current().px(60))
        if self._fill_timer.isActive() or self._held is not None or message.growing:
            QTimer.singleShot(HOLD_MS, message, lambda: self._scroll_to(message, words))
        else:
            self._aim = None

    def set_busy(self, *, busy: bool) -> None:
        """While an answer is in progress, disable regenerating and editing."""
        self._busy = busy
        self._mark_last()
        self._show_arrows()
        for message in self.messages:
            if isinstance(message, UserMessage):
                message.show_edit(on=not busy)
            elif isinstance(message, ComparedMessage) and busy and message is not self.messages[-1]:
                message.offer_keeping(on=False)

    # -- making ------------------------------------------------------------------------

    def _make(self, view: TurnView) -> Message:
        turn = view.turn
        if turn.role == "user":
            return UserMessage(self.wishes, turn.content, turn.id, view.when, view.pictures)
        reply = AssistantMessage(self.wishes, turn.speaker or self._agent_name, self._color)
        reply.turn_id = turn.id
        reply.offer_branch()
        if view.thought is not None:
            reply.show_thinking(Thoughts(view.thought))
        if self._recolored:
            reply.set_text(turn.content)
        else:
            reply.set_drawn(turn.content, view.drawn)
        if view.pictures:
            reply.show_pictures(view.pictures)
        if turn.receipt_id or turn.usage:
            reply.show_receipt(turn.receipt_id or "", view.memories, asked=bool(turn.receipt_id))
        if turn.usage:
            usage = Usage(**{k: v for k, v in turn.usage.items() if k in Usage.__dataclass_fields__})
            reply.show_figures(usage, model=turn.model, finish=turn.usage.get("finish_reason", "stop"))
            reply.show_tools_used(turn.usage.get(OUTSIDE, ()))
        return reply

    def _take(self, item: Away) -> Message:
        if isinstance(item, Message):
            item.show()
            return item
        message = self._make(item)
        self._loaded[message] = item
        return message

    def _add(self, message: Message, position: int) -> None:
        self.messages.insert(position, message)
        self._column.insertWidget(position, message)
        if isinstance(message, UserMessage):
            message.set_width(self._room())
            message.show_edit(on=not self._busy)
        self._show_arrows(message)

    def _put_away(self, messages: Sequence[Message], *, keep: bool = False) -> list[Away]:
        """Remove messages from the column; with ``keep`` return what is needed to show them again."""
        away: list[Away] = []
        for message in list(messages):
            self.messages.remove(message)
            self._column.removeWidget(message)
            message.hide()
            view = self._loaded.pop(message, None)
            if keep and (view is None or message.in_use):
                away.append(message)
                continue
            message.deleteLater()
            if keep and view is not None:
                away.append(view)
        return away

    def _gather(self) -> list[Away]:
        """Remove everything and return the whole conversation."""
        middle = self._put_away(self.messages, keep=True)
        items = [*self._earlier, *middle, *self._later]
        self._earlier, self._later = [], []
        return items

    def _fill(self) -> None:
        """Create the next message near the view, or remove those no longer near."""
        if any(message.growing for message in self.messages):
            if self._held is not None:
                self._hold_timer.start()
            self._fill_timer.start(STEP_MS)
            return
        page, value = self._bar.pageStep(), self._bar.value()
        if self._later and self._bar.maximum() - value < NEAR * page:
            self._add(self._take(self._later.pop(0)), len(self.messages))
            self._mark_last()
        elif self._earlier and value < NEAR * page:
            self._hold()
            self._add(self._take(self._earlier.pop()), 0)
        else:
            self._put_far_away(value, page)
            return
        self._fill_timer.start(STEP_MS)

    def _put_far_away(self, value: int, page: int) -> None:
        tops = {message: message.mapTo(self._outer, QPoint(0, 0)).y() for message in self.messages}
        above = [m for m in self.messages[:-1] if tops[m] + m.height() < value - FAR * page]
        below = [m for m in self.messages[1:] if tops[m] > value + (1 + FAR) * page]
        if self._busy:
            below = []
        if above:
            self._hold()
            self._earlier += self._put_away(above, keep=True)
        if below:
            self._later[:0] = self._put_away(below, keep=True)

    def _hold(self) -> None:
        self._held = self._bar.maximum() - self._bar.value()
        self._hold_timer.start()

    def hold_below(self, widget: QWidget) -> None:
        """Keep the view in place while a widget above it changes height."""
        if widget.mapTo(self._outer, QPoint(0, 0)).y() < self._bar.value():
            self._hold()

    def _let_go(self) -> None:
        # On a busy machine the layout may not be done yet; it passes through three nested ones.
        for _ in range(3):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        self._held = None

    def _mark_last(self) -> None:
        last = self.last_assistant()
        wanted = None if self._busy or (last is not None and last.failed) else last
        if last is not None and self._end_note is not None:
            last.put_end_note(self._end_note())
            self._end_note = None
        for message in self.messages:
            if isinstance(message, AssistantMessage):
                message.show_again(on=message is wanted)

    # -- scrolling ---------------------------------------------------------------------

    def to_end(self) -> None:
        """Go to the newest message and stay there."""
        self._held = self._aim = None
        if self._later:
            self._show_from(self._gather())
        self._follow = True
        self._bar.setValue(self._bar.maximum())

    def _scrolled(self, value: int) -> None:
        near = self._bar.maximum() - value < Theme.current().px(48) and not self._later
        self._down.setVisible(not near)
        if self._held is None:
            self._follow = near
            # The selection bar moves with its text.
            self.selection.move(self.selection.x(), self.selection.y() + self._value - value)
        self._value = value
        if (self._earlier or self._later or len(self.messages) > 1) and not self._fill_timer.isActive():
            self._fill_timer.start(STEP_MS)

    def _grown(self, _low: int, high: int) -> None:
        if self._follow:
            self._bar.setValue(high)
        elif self._held is not None:
            self._bar.setValue(high - self._held)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._own_move()
        super().wheelEvent(event)

    def _own_move(self) -> None:
        self._held = self._aim = None

    # -- size and look -----------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
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
        self._recolored = True
        for message in (*self._earlier, *self.messages, *self._later):
            if isinstance(message, AssistantMessage | ComparedMessage):
                message.redraw()
