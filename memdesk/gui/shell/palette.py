"""The command palette: every action, conversation and fact, by typing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from memdesk.gui.icons import icon
from memdesk.gui.pages import PageContext
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.labels import IconLabel, Label
from memdesk.gui.widgets.layout import column, line, row

MOST = 8
MOST_LINES = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the palette."""

    title: str
    icon: str
    hint: str
    run: Callable[[], object]


class _Line(QStyledItemDelegate):
    """Draws icon, title and a hint at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return a line's size."""
        del option, index
        return QSize(0, Theme.current().px(34))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw a line."""
        theme = Theme.current()
        entry: Entry = index.data(Qt.ItemDataRole.UserRole)
        area: QRect = option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accent_soft"))
            inset, round_ = theme.px(6), theme.px(6)
            painter.drawRoundedRect(area.adjusted(inset, 0, -inset, 0), round_, round_)
        pad, side = theme.px(14), theme.px(16)
        icon(entry.icon, "accent" if chosen else "muted").paint(
            painter, QRect(area.left() + pad, area.top(), side, area.height())
        )
        painter.setPen(theme.colour("muted"))
        hint_width = painter.fontMetrics().horizontalAdvance(entry.hint)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area.adjusted(0, 0, -pad, 0), int(right), entry.hint)
        painter.setPen(theme.colour("text"))
        room = area.adjusted(pad + side + theme.px(10), 0, -(pad + hint_width + theme.px(10)), 0)
        title = painter.fontMetrics().elidedText(
            " ".join(entry.title.split()), Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), title)
        painter.restore()


class Palette(QDialog):
    """Type, choose with the arrows, Enter. Deleted when closed."""

    def __init__(self, context: PageContext, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("palette")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(self.tr("Command palette"))
        self._context = context
        self._entries: list[Entry] = []
        self._found: list[Entry] = []
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Type an action, a conversation or a fact"))
        self.field.setAccessibleName(self.field.placeholderText())
        self.field.setProperty("bare", True)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setProperty("role", "plain")
        self.list.setAccessibleName(self.tr("Results"))
        self.list.setItemDelegate(_Line(self.list))
        self.list.itemClicked.connect(lambda _item: self._choose())
        self._none = Label(self.tr("Nothing found"), "muted")
        px = Theme.current().px
        box = column(
            row(IconLabel("search", "muted"), self.field, gap=8, margins=(14, 10, 14, 10)), line(), gap=0, margins=1
        )
        box.addWidget(self.list, 1)
        self._none.setContentsMargins(px(14), px(10), px(14), px(10))
        box.addWidget(self._none)
        self.list.setViewportMargins(0, px(6), 0, px(6))
        self.setLayout(box)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(180)
        self._rest.timeout.connect(self._search)
        self.field.textChanged.connect(self._typed)
        width = min(px(620), parent.width() - px(48))
        self._most = min(px(440), parent.height() - px(120))
        self.setFixedWidth(width)
        origin = parent.mapToGlobal(parent.rect().topLeft())
        self.move(origin.x() + (parent.width() - width) // 2, origin.y() + px(64))
        self._typed("")

    def open_at(self) -> None:
        """Show below the window's head, the field ready."""
        self.show()
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows and Enter in the field act on the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            key = event.key()
            if key in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
                step = 1 if key == Qt.Key.Key_Down else -1
                count = max(1, self.list.count())
                self.list.setCurrentRow((self.list.currentRow() + step) % count)
                return True
            if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                self._choose()
                return True
        return super().eventFilter(watched, event)

    def _typed(self, text: str) -> None:
        self._entries = self._commands(text)
        self._found = [] if not text.strip() else self._found
        self._draw()
        if text.strip():
            self._rest.start()

    def _commands(self, text: str) -> list[Entry]:
        words = text.casefold().split()
        found = []
        for command in self._context.commands.all():
            hay = f"{command.title} {command.keywords} {command.group}".casefold()
            if command.id == "app.palette" or not all(word in hay for word in words):
                continue
            shortcut = QKeySequence(command.shortcut).toString(QKeySequence.SequenceFormat.NativeText)
            run = partial(self._context.commands.run, command.id)
            found.append(Entry(command.title, command.icon or "command", shortcut, run))
        return found

    def _search(self) -> None:
        query = self.field.text().strip()
        if not query:
            return
        services, navigate = self._context.services, self._context.navigate
        words = (self.tr("Conversation"), self.tr("Fact"))

        def find() -> list[Entry]:
            from memdesk.ports import FactFilter

            talks = services.conversations.page(query=query, limit=MOST).items
            facts = services.memories.facts(FactFilter(query=query), limit=MOST).items
            return [
                *(
                    Entry(
                        talk.title or talk.id,
                        "message-square",
                        words[0],
                        partial(navigate, "chat", agent_id=talk.agent_id, conversation_id=talk.id),
                    )
                    for talk in talks
                ),
                *(
                    Entry(fact.content, "brain", words[1], partial(navigate, "memory", fact_id=fact.id))
                    for fact in facts
                ),
            ]

        self._context.bridge.run(find, owner=self, success=self._show_found, latest="find")

    def _show_found(self, entries: list[Entry]) -> None:
        self._found = entries
        self._draw()

    def _draw(self) -> None:
        self.list.clear()
        for entry in (self._entries + self._found)[:MOST_LINES]:
            item = QListWidgetItem(entry.title)
            item.setData(Qt.ItemDataRole.UserRole, entry)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        empty = self.list.count() == 0
        self._none.setVisible(empty)
        self.list.setVisible(not empty)
        self._fit()

    def _fit(self) -> None:
        """Be as high as the results, within the window."""
        rows = sum(self.list.sizeHintForRow(n) for n in range(self.list.count()))
        head = self.field.sizeHint().height() + Theme.current().px(28)
        foot = self._none.sizeHint().height() if self.list.count() == 0 else 2 * Theme.current().px(6)
        self.setFixedHeight(min(self._most, head + rows + foot))

    def _choose(self) -> None:
        position = self.list.currentRow()
        entries = (self._entries + self._found)[:MOST_LINES]
        if 0 <= position < len(entries):
            self.close()
            QTimer.singleShot(0, entries[position].run)
