"""Requests to the local server: time, client, route, outcome. Never content."""

from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView

from memdesk.gui.pages import PageContext
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.layout import column
from memdesk.gui.widgets.states import EmptyState, SectionHead, StatePane
from memdesk.gui.words import number
from memdesk.ports import ActivityRow, Clock
from memdesk.services.guarding import COMMAND_LINE

Index = QModelIndex | QPersistentModelIndex


class ActivityModel(QAbstractTableModel):
    """A short table of the latest requests."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self._rows: Sequence[ActivityRow] = ()
        #: The name of our own command line.
        self._owns = {COMMAND_LINE: self.tr("command line")}
        self._heads = (
            self.tr("Time"),
            self.tr("Client"),
            self.tr("Request"),
            self.tr("Agent"),
            self.tr("Status"),
            self.tr("ms"),
        )

    def show_rows(self, rows: Sequence[ActivityRow]) -> None:
        if rows == self._rows:
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        item = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (
                f"{self._clock.local(item.at):%H:%M:%S}",
                self._owns.get(item.token_name, item.token_name) or "-",
                f"{item.method} {item.route}",
                item.agent_id or "-",
                str(item.status),
                number(item.ms),
            )[index.column()]
        if role == Qt.ItemDataRole.ForegroundRole and index.column() == 4 and item.status >= 400:
            return Theme.current().color("danger")
        return _alignment(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        return _alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None


def _alignment(column: int) -> int:
    """Return how a column and its head are aligned: figures at the right."""
    way = Qt.AlignmentFlag.AlignRight if column >= 4 else Qt.AlignmentFlag.AlignLeft
    return int(way | Qt.AlignmentFlag.AlignVCenter)


class ActivityCard(QFrame):
    """The table with its header and empty state."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.model = ActivityModel(context.services.clock)
        self._table_height = context.theme.px(220)
        head = SectionHead(
            self.tr("Requests to the local server"), self.tr("Times, clients and routes; never what was said.")
        )
        self._box = column(head, gap=12, margins=16)
        self.setLayout(self._box)

    def build(self) -> Iterator[None]:
        table = QTableView()
        table.setModel(self.model)
        table.setAccessibleName(self.tr("Requests to the local server"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.verticalHeader().hide()
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        yield
        empty = EmptyState("server", self.tr("No requests yet"), self.tr("What programs ask of the server shows here."))
        yield
        self.pane = StatePane(table, empty)
        self._box.addWidget(self.pane)

    def show_rows(self, rows: Sequence[ActivityRow]) -> None:
        self.model.show_rows(rows)
        self.pane.show_content(empty=not rows)
        # The empty state needs less space than the table.
        self.pane.setFixedHeight(self._table_height if rows else self.pane.empty.sizeHint().height())
