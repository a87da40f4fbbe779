"""Two answers side by side, one of which is kept."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout

from memdesk.gui.theme import Theme
from memdesk.gui.views.chat.message import AssistantMessage, Message, Wishes
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.code import CodeView
from memdesk.gui.widgets.layout import line, row
from memdesk.gui.widgets.richtext import RichText

#: Minimum width of a column, in px at 100 %; below it the columns are stacked.
LEAST_COLUMN = 240


class ColumnMessage(AssistantMessage):
    """One of the two answers."""

    stopped = Signal()

    def __init__(self, wishes: Wishes, name: str, color: str) -> None:
        super().__init__(wishes, name, color)
        self.stop = IconButton("square", self.tr("Stop {model}").format(model=name), self.stopped.emit, side=14)
        # Both headers stay aligned when one of the answers has ended.
        policy = self.stop.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.stop.setSizePolicy(policy)
        self.keep = Button(
            self.tr("Keep this one"),
            lambda: wishes.kept.emit(self.turn_id),
            icon_name="check",
            name=self.tr("Keep the answer of {model}").format(model=name),
        )
        self.keep.hide()
        self.head.addWidget(self.stop)
        self.rows.addWidget(self.keep, 0, Qt.AlignmentFlag.AlignLeft)

    def offer_branch(self) -> None:
        """Offer nothing: branching starts from the kept answer."""


class ComparedMessage(Message):
    """Two answers side by side, or stacked if narrow."""

    def __init__(self, wishes: Wishes, names: Sequence[str], color: str) -> None:
        super().__init__(wishes, "")
        self.versions.setParent(self)
        self.setAccessibleName(self.tr("Two answers"))
        self.columns = [ColumnMessage(wishes, name, color) for name in names]
        self._between = line(vertical=True)
        self._box = row(gap=16)
        for column in self.columns:
            self._box.addWidget(column, 1, Qt.AlignmentFlag.AlignTop)
        self._box.insertWidget(1, self._between)
        self.setLayout(self._box)
        self._ended = 0

    def end(self, side: int) -> None:
        """End one answer; after both, complete ones can be kept."""
        column = self.columns[side]
        column.stop.hide()
        self._ended += 1
        # The one that is finished first is the chat's.
        self.turn_id = self.turn_id or column.turn_id
        if self._ended == len(self.columns):
            self.offer_keeping(on=True)

    def offer_keeping(self, *, on: bool) -> None:
        for column in self.columns:
            column.keep.setVisible(on and bool(column.turn_id))

    def views(self) -> list[RichText | CodeView]:
        """Return the text views of both."""
        return [view for column in self.columns for view in column.views()]

    @property
    def growing(self) -> bool:
        """Whether some text is still to be drawn."""
        return any(column.growing for column in self.columns)

    @property
    def in_use(self) -> bool:
        """Whether it must stay: stored answers are reloaded singly."""
        return True

    def redraw(self) -> None:
        for column in self.columns:
            column.redraw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= 2 * Theme.current().px(LEAST_COLUMN)
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if direction != self._box.direction():
            self._box.setDirection(direction)
            self._between.setVisible(beside)
