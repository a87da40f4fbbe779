"""Layout helpers: boxes in theme lengths, lines, a flow of chips, a scrolling column."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from memdesk.gui.theme import Theme
from memdesk.gui.widgets.focus import hold_focus

Margins = int | tuple[int, int, int, int]
#: An item of a box: a widget or layout, optionally with its stretch, a length (a gap) or None (stretch).
Item = QWidget | QLayout | tuple[QWidget | QLayout, int] | int | None
#: Maximum width of a page of cards, margins included, in px at 100 %; wider windows center it.
PAGE_WIDTH = 1160
#: The margins of a page below a fixed header.
BELOW_HEAD = (24, 16, 24, 24)
#: Minimum and maximum space above a step outside the pages, in px at 100 %.
_ABOVE_STEP = (12, 56)
#: Width in px at 100 % below which items side by side are stacked.
STACKED_BELOW = 480
#: The stretch of the middle between two of 1, which get less than a pixel without spare space.
_ALMOST_ALL = 100_000


def row(*items: Item, gap: int = 8, margins: Margins = 0) -> QHBoxLayout:
    """Lay items side by side.

    Args:
        *items: the items.
        gap: px at 100 % between items.
        margins: one length, or left, top, right, bottom.
    """
    layout = QHBoxLayout()
    _fill(layout, items, gap, margins)
    return layout


def column(*items: Item, gap: int = 8, margins: Margins = 0) -> QVBoxLayout:
    """Lay items one below the other; see :func:`row`."""
    layout = QVBoxLayout()
    _fill(layout, items, gap, margins)
    return layout


def _fill(layout: QBoxLayout, items: tuple[Item, ...], gap: int, margins: Margins) -> None:
    px = Theme.current().px
    left, top, right, bottom = (margins,) * 4 if isinstance(margins, int) else margins
    layout.setContentsMargins(*(px(n) if n else 0 for n in (left, top, right, bottom)))
    layout.setSpacing(px(gap) if gap else 0)
    for item in items:
        if item is None:
            layout.addStretch(1)
        elif isinstance(item, int):
            layout.addSpacing(px(item))
        else:
            part, stretch = item if isinstance(item, tuple) else (item, 0)
            if isinstance(part, QWidget):
                layout.addWidget(part, stretch)
            else:
                layout.addLayout(part, stretch)


def boxed(layout: QLayout, role: str = "") -> QWidget:
    """Return a widget that holds a layout; with a role of the style sheet, a frame."""
    box = QFrame() if role else QWidget()
    if role:
        box.setProperty("role", role)
    box.setLayout(layout)
    return box


def line(*, vertical: bool = False) -> QFrame:
    frame = QFrame()
    frame.setProperty("role", "vline" if vertical else "line")
    return frame


def card(*items: Item, gap: int = 8, margins: Margins = 16) -> QWidget:
    """Return a bordered surface that holds a column."""
    return boxed(column(*items, gap=gap, margins=margins), "card")


def beside(left: QWidget, right: QWidget, shares: tuple[int, int]) -> QSplitter:
    """Return two panes with a gap that can be dragged, dividing the space by ``shares``."""
    split = QSplitter(Qt.Orientation.Horizontal)
    split.setProperty("gap", True)
    split.setHandleWidth(Theme.current().px(12))
    for position, (pane, share) in enumerate(zip((left, right), shares, strict=True)):
        split.addWidget(pane)
        split.setStretchFactor(position, share)
    split.setChildrenCollapsible(False)
    return split


def bounded(layout: QLayout, width: int = PAGE_WIDTH) -> QHBoxLayout:
    """Return a centered box no wider than ``width`` px at 100 %: for the head above a :class:`ScrollColumn`."""
    inner = QWidget(maximumWidth=Theme.current().px(width))
    inner.setLayout(layout)
    box = row(None, gap=0)
    box.addWidget(inner, _ALMOST_ALL)
    box.addStretch(1)
    return box


def framed(head: QLayout, body: QWidget, foot: QLayout) -> QVBoxLayout:
    """Return the frame of steps outside the pages: a header above, buttons below, lines between."""
    box = column(row(head, margins=(32, 16, 32, 12)), line(), gap=0)
    box.addWidget(body, 1)
    box.addWidget(line())
    # A ghost button's text is aligned with the header's.
    box.addLayout(row(foot, margins=(19, 12, 32, 16)))
    return box


def clear(layout: QLayout) -> None:
    """Delete everything in a layout; its replacement gets the focus."""
    hold_focus(layout)
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        inner = item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            clear(inner)


class Body(QWidget):
    """The content of a scroll area: as high as its text at its present width, not at its minimum width."""

    def __init__(self, body: QLayout) -> None:
        super().__init__()
        self.body = body
        self.setProperty("role", "scroll")
        self.setLayout(body)

    def minimumSizeHint(self) -> QSize:
        """Require no width, as nothing scrolls sideways: content that is too wide is notified, and stacks.

        The height is determined by wrapped text, if any.
        """
        return QSize(0, 0 if self.body.hasHeightForWidth() else self.body.totalMinimumSize().height())


class ScrollColumn(QScrollArea):
    """A column that scrolls, its content no wider than ``width`` px at 100 % and centered; 0: full width."""

    def __init__(self, *, width: int = 0, margins: Margins = 24, gap: int = 16) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body = column(gap=gap, margins=margins)
        inner = Body(self.body)
        self._inner, self._width = inner, Theme.current().px(width) if width else 0
        self._right = self.body.contentsMargins().right()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().rangeChanged.connect(self._leave_gutter)
        box = row(gap=0)
        if width:
            inner.setMaximumWidth(self._width)
            inner.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
            box.addStretch(1)
            box.addWidget(inner, _ALMOST_ALL)
            box.addStretch(1)
        else:
            box.addWidget(inner)
        self.setWidget(Body(box))

    def append(self, part: QWidget) -> None:
        """Add a part above the stretch at the end of the column, without moving the others."""
        self.body.insertWidget(self.body.count() - 1, part)

    def _leave_gutter(self, _least: int, most: int) -> None:
        """Put the scroll bar in the right margin, so that nothing moves when it appears.

        The column, which shows no focus, is a tab stop only if keys can scroll it.
        """
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if most > 0 else Qt.FocusPolicy.NoFocus)
        bar = min(self.verticalScrollBar().sizeHint().width(), self._right) if most > 0 else 0
        margins = self.body.contentsMargins()
        margins.setRight(self._right - bar)
        self.body.setContentsMargins(margins)
        if self._width:
            self._inner.setMaximumWidth(self._width - bar)


class StepColumn(ScrollColumn):
    """The column of a step outside the pages (first start, restore). Low windows have little space above."""

    def __init__(self, *, gap: int) -> None:
        super().__init__(width=620, margins=(32, _ABOVE_STEP[1], 32, 24), gap=gap)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        margins, (least, most) = self.body.contentsMargins(), map(Theme.current().px, _ABOVE_STEP)
        margins.setTop(max(least, min(most, self.height() // 12)))
        self.body.setContentsMargins(margins)


class Stacking(QWidget):
    """Items side by side; stacked below a width of ``least`` px at 100 %.

    ``shares`` divide the spare space; an item without one gets none.
    """

    def __init__(
        self,
        *items: QWidget,
        least: int = STACKED_BELOW,
        shares: Sequence[int] = (1,),
        gap: int = 8,
        margins: Margins = 0,
    ) -> None:
        super().__init__()
        self._least = Theme.current().px(least)
        self._box = row(*items, gap=gap, margins=margins)
        for position, share in enumerate(shares):
            self._box.setStretch(position, share)
        self.setLayout(self._box)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction
        self._box.setDirection(way.TopToBottom if self.width() < self._least else way.LeftToRight)


class Stack(QStackedWidget):
    """One of several widgets; it takes the size of the one shown, not of the largest."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(lambda _index: self.updateGeometry())

    def minimumSizeHint(self) -> QSize:
        shown = self.currentWidget()
        if shown is None:
            return super().minimumSizeHint()
        hint, inner = shown.minimumSizeHint(), shown.layout()
        if inner is not None and inner.hasHeightForWidth():
            hint.setHeight(inner.totalMinimumHeightForWidth(self.width()))
        return hint


class Tall(QScrollArea):
    """A header above a body that takes the rest; if that is too little, both scroll.

    It needs ``least`` px at 100 %, or more if it says so.
    """

    def __init__(self, head: QWidget, body: QWidget, *, gap: int, margins: Margins, least: int) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._head, self._rest, self._least = head, body, Theme.current().px(least)
        body.installEventFilter(self)
        self._inner = inner = QWidget()
        inner.setProperty("role", "scroll")
        self._column = column(head, gap=gap, margins=margins)
        self._column.addWidget(body, 1)
        inner.setLayout(self._column)
        self.setWidget(inner)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._rest and event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return super().eventFilter(watched, event)

    def fit(self) -> None:
        """Redo the layout, also after the header has grown."""
        margins, size = self._column.contentsMargins(), self.viewport().size()
        wide = size.width() - margins.left() - margins.right()
        head = self._head.heightForWidth(wide) if self._head.hasHeightForWidth() else self._head.sizeHint().height()
        head = 0 if self._head.isHidden() else head
        least = max(self._least, self._rest.minimumSizeHint().height())
        needed = head + self._column.spacing() + least + margins.top() + margins.bottom()
        self._inner.setFixedSize(size.width(), max(size.height(), needed))


class FlowLayout(QLayout):
    """Items side by side that wrap to the next line."""

    def __init__(self, parent: QWidget | None = None, *, gap: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = Theme.current().px(gap) if gap else 0
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        margins = self.contentsMargins()
        inner = width - margins.left() - margins.right()
        return self._arrange(QRect(0, 0, inner, 0), move=False) + margins.top() + margins.bottom()

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect.marginsRemoved(self.contentsMargins()), move=True)

    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self._shown()]
        if not hints:
            return self._with_margins(QSize(0, 0))
        wide = sum(hint.width() for hint in hints) + self._gap * (len(hints) - 1)
        return self._with_margins(QSize(wide, max(hint.height() for hint in hints)))

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._shown():
            size = size.expandedTo(item.minimumSize())
        return self._with_margins(size)

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if (widget := item.widget()) is None or not widget.isHidden()]

    def _with_margins(self, size: QSize) -> QSize:
        margins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        y = rect.y()
        for number, line_items in enumerate(self._lines(rect.width())):
            hints = [item.sizeHint() for item in line_items]
            high = max(hint.height() for hint in hints)
            y += self._gap if number else 0
            x = rect.x()
            for item, hint in zip(line_items, hints, strict=True):
                width = min(hint.width(), max(rect.width(), 1))
                if move:
                    item.setGeometry(QRect(x, y + (high - hint.height()) // 2, width, hint.height()))
                x += width + self._gap
            y += high
        return y - rect.y()

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        used = 0
        for item in self._shown():
            wide = item.sizeHint().width()
            if not lines or used + self._gap + wide > width:
                lines.append([item])
                used = wide
            else:
                lines[-1].append(item)
                used += self._gap + wide
        return lines


def flowing(*widgets: QWidget, gap: int = 8) -> QWidget:
    """Return widgets side by side that wrap to the next line."""
    host = QWidget()
    flow = FlowLayout(host, gap=gap)
    for widget in widgets:
        flow.addWidget(widget)
    return host
