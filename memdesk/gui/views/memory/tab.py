"""Shared by the tabs of the memory page."""

from datetime import datetime
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFont, QFontMetrics, QIcon, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLayout,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from memdesk.gui.commands import Command
from memdesk.gui.models.paged import PagedModel
from memdesk.gui.pages import PageContext
from memdesk.gui.sliced import Sliced
from memdesk.gui.theme import Theme
from memdesk.gui.widgets import layout
from memdesk.gui.widgets.search import Narrowing
from memdesk.gui.widgets.share import draw_share
from memdesk.gui.widgets.states import StatePane
from memdesk.gui.words import day, moment


class MemoryTab(Sliced):
    """One tab: shows one agent's part of the memory, or all agents' if ``agent_id`` is empty.

    Shown at once; nothing below is called before it is built.
    """

    #: Whether the tab scrolls as a whole, with the bar in the page's right margin.
    scrolls = False
    #: the number to show beside the tab's name; -1 for none.
    counted = Signal(int)
    #: ``alone`` has changed.
    turned = Signal()
    #: The list's filters, if any.
    narrowing: Narrowing

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.context = context
        self.agent_id = ""
        #: Whether one entry is shown instead of the list and its filters.
        self.alone = False

    def stand_alone(self, alone: bool) -> None:
        """Show one entry instead of the list, or the list again."""
        if alone != self.alone:
            self.alone = alone
            self.narrowing.setVisible(not alone)
            self.turned.emit()

    def lay(self, *head: QWidget | QLayout) -> QVBoxLayout:
        """Lay out the tab's header, and return the column below it, which keeps its space while empty."""
        below = QWidget()
        inner = layout.column(gap=10)
        below.setLayout(inner)
        box = layout.column(*head, gap=10)
        box.addWidget(below, 1)
        self.setLayout(box)
        return inner

    def commands(self) -> tuple[str, list[Command]]:
        """Return a short name for what is shown, and the palette's commands for it."""
        return "", []

    def set_agent(self, agent_id: str) -> None:
        self.agent_id = agent_id
        self.reload()

    def reload(self) -> None:
        """Reload."""

    def _stale(self) -> None:
        if self.isVisible():
            self.reload()

    def enter(self, **arguments: Any) -> None:
        del arguments

    def day(self, when: datetime | None) -> str:
        return day(self.context.services.clock.local(when)) if when else ""

    def moment(self, when: datetime | None) -> str:
        return moment(self.context.services.clock.local(when)) if when else ""


class CardsTab(MemoryTab):
    """A tab of cards in a pane, made again only if they have changed, so that the focus stays."""

    pane: StatePane
    _seen: object = None

    def _is_new(self, found: object) -> bool:
        """Take what is shown from now on, and return whether it is another."""
        before, self._seen = self._seen, found
        return found != before

    def _again(self) -> None:
        self._seen = None
        self.reload()

    def _failed(self, error: Exception) -> None:
        self._seen = None
        self.pane.show_failed(error, self.reload)


class Table(QTableView):
    """A plain table of rows; column 0 is the main one.

    ``asked`` is emitted for a menu: the index it is for, which is selected, and the place on the screen.
    """

    asked = Signal(QModelIndex, QPoint)

    def __init__(self, model: QAbstractItemModel, name: str, *, many: bool = False) -> None:
        super().__init__()
        self.setModel(model)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        mode = QAbstractItemView.SelectionMode
        self.setSelectionMode(mode.ExtendedSelection if many else mode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        # A header queries its selection model for every row without showing it: give it an empty one.
        head.setSelectionModel(QItemSelectionModel(model, head))
        if isinstance(model, PagedModel):
            model.turned.connect(self._turned)
            model.modelAboutToBeReset.connect(self._note_place)
            model.loaded.connect(lambda _total: self._take_place())
        #: The id of the selected row, during a reload.
        self._kept: str | None = None
        Theme.current().changed.connect(self._lengths)
        self._widths: dict[int, int] = {}
        self._narrow: list[tuple[tuple[int, ...], int]] = []
        self._lines = 1
        self._lengths()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the row under the pointer, or of the current one where the keyboard asks."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            if not self.selectionModel().isSelected(index):
                self.selectRow(index.row())
            place = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
            self.asked.emit(index, place)

    def _note_place(self) -> None:
        rows = self.selectionModel().selectedRows()
        item = rows[0].data(Qt.ItemDataRole.UserRole) if len(rows) == 1 else None
        self._kept = getattr(item, "id", None)

    def _turned(self) -> None:
        self._kept = None
        self.scrollToTop()

    def _take_place(self) -> None:
        """Restore the selection after a reload, without scrolling to it."""
        model, kept = self.model(), self._kept
        if kept is None or not isinstance(model, PagedModel):
            return
        place = next((row for row, item in model.known() if getattr(item, "id", None) == kept), -1)
        if place >= 0:
            bar = self.verticalScrollBar()
            before = bar.value()
            self.selectRow(place)
            bar.setValue(before)

    def set_widths(self, widths: dict[int, int]) -> None:
        """Give columns a width in px at 100 %; column 0 takes the rest."""
        self._widths = widths
        for column in widths:
            self.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        self._lengths()

    def set_lines(self, lines: int) -> None:
        """Make rows tall enough for this many lines of text."""
        self._lines = lines
        self._lengths()

    def _lengths(self) -> None:
        px = Theme.current().px
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().lineSpacing() * self._lines + px(14))
        for column, width in self._widths.items():
            self.setColumnWidth(column, px(width))

    def hide_when_narrow(self, columns: tuple[int, ...], below: int) -> None:
        """Hide columns while the table is narrower than ``below`` px at 100 %."""
        self._narrow.append((columns, below))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for columns, below in self._narrow:
            for column in columns:
                self.setColumnHidden(column, self.width() < Theme.current().px(below))


class TwoLines(QStyledItemDelegate):
    """Draws a bold first line and a muted second one; ``data`` of the role ``UserRole + 1`` is the second."""

    SECOND = Qt.ItemDataRole.UserRole + 1

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = Theme.current()
        first, second = str(index.data() or ""), str(index.data(self.SECOND) or "")
        self.initStyleOption(option, index)
        widget = option.widget
        style = widget.style()
        picture = QIcon(option.icon)
        option.text, option.icon = "", QIcon()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, widget)
        left = theme.px(10)
        if index.data(Qt.ItemDataRole.CheckStateRole) is not None:
            check = style.subElementRect(QStyle.SubElement.SE_ItemViewItemCheckIndicator, option, widget)
            left += check.right() - option.rect.left()
        if not picture.isNull():
            side = theme.px(16)
            picture.paint(painter, option.rect.left() + left, option.rect.center().y() - side // 2, side, side)
            left += side + theme.px(10)
        box: QRect = option.rect.adjusted(left, 0, -theme.px(8), 0)
        font = QFont(widget.font())
        metrics = QFontMetrics(font)
        high = metrics.lineSpacing()
        top = box.top() + (box.height() - high * (2 if second else 1)) // 2
        painter.save()
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        elide = Qt.TextElideMode.ElideRight
        painter.drawText(QPoint(box.left(), top + metrics.ascent()), metrics.elidedText(first, elide, box.width()))
        if second:
            small = QFont(font)
            small.setPixelSize(theme.text_px("f_s"))
            painter.setFont(small)
            painter.setPen(theme.color("muted"))
            lower = QFontMetrics(small)
            text = lower.elidedText(second, elide, box.width())
            painter.drawText(QPoint(box.left(), top + high + lower.ascent()), text)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        base: QSize = super().sizeHint(option, index)
        return QSize(base.width(), option.fontMetrics.lineSpacing() * 2 + Theme.current().px(14))

    def helpEvent(self, event: Any, view: QAbstractItemView, option: QStyleOptionViewItem, index: Any) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            view.setToolTip(str(index.data() or ""))
        return bool(super().helpEvent(event, view, option, index))


class Bar(QStyledItemDelegate):
    """Draws a share between 0 and 1 (``data`` of the role ``UserRole + 2``) as a short bar before its number."""

    SHARE = Qt.ItemDataRole.UserRole + 2

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = Theme.current()
        self.initStyleOption(option, index)
        text, option.text = option.text, ""
        option.widget.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        worth = index.data(self.SHARE)
        if worth is None:  # not loaded yet
            return
        wide, high = theme.px(36), theme.px(4)
        track = QRectF(option.rect.left() + theme.px(10), option.rect.center().y() - high / 2 + 0.5, wide, high)
        painter.save()
        draw_share(painter, track, float(worth))
        painter.setPen(theme.color("muted"))
        # Without the line below the row, like the text of other columns.
        room = option.rect.adjusted(wide + theme.px(18), 0, 0, -1)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), text)
        painter.restore()
