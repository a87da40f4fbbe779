"""The command palette: every action, conversation and fact, by typing; most recently used first."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSettings, QSize, Qt, QTimer
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

from memdesk.domain.models import Conversation
from memdesk.gui.commands import Command
from memdesk.gui.icons import icon
from memdesk.gui.pages import PageContext
from memdesk.gui.shell.fuzzy import score
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.labels import IconLabel, Label
from memdesk.gui.widgets.layout import column, line, row

MOST = 8
MOST_LINES = 60
#: Recent actions kept, and shown before anything is typed; conversations shown then.
KEPT, SHOWN, TALKS = 12, 4, 5
#: Conversations whose titles are matched fuzzily; full-text search covers all.
TITLES = 300


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the palette."""

    title: str
    icon: str
    hint: str
    run: Callable[[], object] = field(compare=False)
    #: of an action, for the recently used
    command: str = ""


class _Line(QStyledItemDelegate):
    """Draws icon, title and a hint at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        del option, index
        return QSize(0, Theme.current().px(34))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = Theme.current()
        entry: Entry = index.data(Qt.ItemDataRole.UserRole)
        area: QRect = option.rect
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft"))
            inset, round_ = theme.px(6), theme.px(6)
            painter.drawRoundedRect(area.adjusted(inset, 0, -inset, 0), round_, round_)
        pad, side = theme.px(14), theme.px(16)
        icon(entry.icon, "accent" if chosen else "muted").paint(
            painter, QRect(area.left() + pad, area.top(), side, area.height())
        )
        painter.setPen(theme.color("muted"))
        hint_width = painter.fontMetrics().horizontalAdvance(entry.hint)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area.adjusted(0, 0, -pad, 0), int(right), entry.hint)
        painter.setPen(theme.color("text"))
        room = area.adjusted(pad + side + theme.px(10), 0, -(pad + hint_width + theme.px(10)), 0)
        title = painter.fontMetrics().elidedText(
            " ".join(entry.title.split()), Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), title)
        painter.restore()


class Palette(QDialog):
    """Type, choose with the arrows, Enter. Deleted when closed.

    ``groups`` has menu names, ``shown`` a short name of what the present page shows, with its actions.
    """

    def __init__(
        self, context: PageContext, parent: QWidget, groups: Mapping[str, str], shown: tuple[str, Sequence[Command]]
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self.setObjectName("palette")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(self.tr("Command palette"))
        self._context = context
        self._entries: list[Entry] = []
        self._found: list[Entry] = []
        self._lined: list[Entry] = []
        self._groups = groups
        self._subject, self._here = shown
        self._talks: list[Entry] = []
        self._state = QSettings(str(context.controls.config_folder / "window.ini"), QSettings.Format.IniFormat)
        self.field = QLineEdit(placeholderText=self.tr("Type an action, a conversation or a fact"))
        self.field.setAccessibleName(self.field.placeholderText())
        self.field.setProperty("bare", True)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setProperty("role", "plain")
        self.list.setAccessibleName(self.tr("Results"))
        self.list.setItemDelegate(_Line(self.list))
        # The focus stays in the field, so the selection is its accessible description.
        self.list.currentTextChanged.connect(self.field.setAccessibleDescription)
        self.list.itemClicked.connect(lambda _item: self._choose())
        self._none = Label(self.tr("Nothing found"), "muted")
        px = Theme.current().px
        box = column(
            row(IconLabel("search", "muted"), self.field, margins=(14, 10, 14, 10)),
            line(),
            (self.list, 1),
            gap=0,
            margins=1,
        )
        self._none.setContentsMargins(px(14), px(10), px(14), px(10))
        box.addWidget(self._none)
        self.list.setViewportMargins(0, px(6), 0, px(6))
        self.setLayout(box)
        self._rest = QTimer(self, singleShot=True, interval=180)
        self._rest.timeout.connect(self._search)
        self.field.textChanged.connect(self._typed)
        width = min(px(620), parent.width() - px(48))
        self._most = min(px(440), parent.height() - px(120))
        self.setFixedWidth(width)
        origin = parent.mapToGlobal(parent.rect().topLeft())
        self.move(origin.x() + (parent.width() - width) // 2, origin.y() + px(64))
        self._typed("")

    def open_at(self) -> None:
        """Show below the window's title, with the field focused."""
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
        typed = bool(text.strip())
        self._entries = self._commands(text)
        self._found = self._found if typed else []
        self._draw()
        if typed or not self._talks:
            self._rest.start()

    def _commands(self, text: str) -> list[Entry]:
        """Return the matching actions, best first, then most recently used."""
        used = self._used()
        scored = []
        for place, (command, about, entry) in enumerate(self._offered()):
            worth = score(text, f"{command.title} {about}")
            can_run = command.enabled is None or command.enabled()
            if command.id == "app.palette" or not worth or not can_run:
                continue
            # A match in the title alone counts more than one in the menu's name.
            titled = score(text, command.title) if text.strip() else 0.0
            better = max(worth, titled + 0.5) if text.strip() else worth
            last = used.index(command.id) if command.id in used else len(used)
            # Among unused ones, shorter titles first: the page itself before its settings.
            scored.append(((-round(better, 1), last, -titled, place), entry))
        return [entry for _rank, entry in sorted(scored, key=lambda item: item[0])]

    def _offered(self) -> Iterator[tuple[Command, str, Entry]]:
        """Yield every action, its searchable text beside the title, and its row: those of the present page first."""
        for command in self._here:
            # Not remembered: an action on one conversation should not be suggested for the next.
            yield command, self._subject, Entry(command.title, command.icon, self._subject, command.handler)
        for command in self._context.commands.all():
            about = f"{command.keywords} {self._groups.get(command.group, '')}"
            shortcut = QKeySequence(command.shortcut).toString(QKeySequence.SequenceFormat.NativeText)
            run = partial(self._context.commands.run, command.id)
            yield command, about, Entry(command.title, command.icon or "command", shortcut, run, command.id)

    def _used(self) -> list[str]:
        return [name for name in str(self._state.value("palette", "")).split(" ") if name]

    def _search(self) -> None:
        query = self.field.text().strip()
        services, navigate = self._context.services, self._context.navigate
        words = (self.tr("Conversation"), self.tr("Fact"))

        def of_talk(talk: Conversation) -> Entry:
            run = partial(navigate, "chat", agent_id=talk.agent_id, conversation_id=talk.id)
            return Entry(talk.title or talk.id, "message-square", words[0], run)

        def find() -> list[Entry]:
            from memdesk.ports import FactFilter

            latest = services.conversations.page(limit=TITLES if query else TALKS).items
            if not query:
                return [of_talk(talk) for talk in latest]
            titled = [talk for talk in latest if score(query, talk.title)]
            titled.sort(key=lambda talk: -score(query, talk.title))
            said = services.conversations.page(query=query, limit=MOST).items
            talks = {(talk.agent_id, talk.id): talk for talk in (*titled[:MOST], *said)}
            facts = services.memories.facts(FactFilter(query=query), limit=MOST).items
            return [
                *(of_talk(talk) for talk in list(talks.values())[:MOST]),
                *(
                    Entry(fact.content, "brain", words[1], partial(navigate, "memory", fact_id=fact.id))
                    for fact in facts
                ),
            ]

        show = self._show_found if query else self._show_latest
        self._context.bridge.run(self, find, show, latest="find")

    def _show_found(self, entries: list[Entry]) -> None:
        self._found = entries
        self._draw()

    def _show_latest(self, entries: list[Entry]) -> None:
        self._talks = entries
        self._draw()

    def _lines(self) -> list[Entry]:
        """Return the rows: matches or, before anything is typed, recently used ones."""
        if self.field.text().strip():
            return (self._entries + self._found)[:MOST_LINES]
        used = self._used()[:SHOWN]
        first = [entry for entry in self._entries if entry.command in used]
        rest = [entry for entry in self._entries if entry.command not in used]
        return [*first, *self._talks, *rest][:MOST_LINES]

    def _draw(self) -> None:
        former = self._lined[self.list.currentRow()] if 0 < self.list.currentRow() < len(self._lined) else None
        self._lined = self._lines()
        self.list.clear()
        for entry in self._lined:
            item = QListWidgetItem(entry.title)
            item.setData(Qt.ItemDataRole.UserRole, entry)
            item.setData(
                Qt.ItemDataRole.AccessibleTextRole, f"{entry.title}, {entry.hint}" if entry.hint else entry.title
            )
            self.list.addItem(item)
        # The selected row stays selected as more results arrive.
        here = next((n for n, entry in enumerate(self._lined) if entry == former), 0)
        self.list.setCurrentRow(here)
        empty = self.list.count() == 0
        self._none.setVisible(empty)
        self.list.setVisible(not empty)
        self._fit()

    def _fit(self) -> None:
        """Fit the height to the results, within the window."""
        rows = sum(self.list.sizeHintForRow(n) for n in range(self.list.count()))
        head = self.field.sizeHint().height() + Theme.current().px(28)
        foot = self._none.sizeHint().height() if self.list.count() == 0 else 2 * Theme.current().px(6)
        self.setFixedHeight(min(self._most, head + rows + foot))

    def _choose(self) -> None:
        position = self.list.currentRow()
        if 0 <= position < len(self._lined):
            entry = self._lined[position]
            if entry.command:
                used = [entry.command, *(name for name in self._used() if name != entry.command)]
                self._state.setValue("palette", " ".join(used[:KEPT]))
            self.close()
            QTimer.singleShot(0, entry.run)
