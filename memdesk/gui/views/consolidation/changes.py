"""The diff of a run: what changes, old and new values, and why; with check boxes in a preview."""

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal

from memdesk.domain.ageing.salience import DECAY_DAYS
from memdesk.domain.models import RunChange
from memdesk.gui.text import said
from memdesk.gui.theme import Theme
from memdesk.gui.views.memory.tab import TwoLines
from memdesk.gui.words import change_name, share, status_name

Index = QModelIndex | QPersistentModelIndex


class ChangesModel(QAbstractTableModel):
    """Rows of a diff of any length.

    A preview has all changes; ``narrow`` shows those of one kind, and the checked ones will be made, each group as a
    whole. A run's are loaded in portions: ``more_wanted`` requests the next. ``texts_wanted`` requests the texts of
    visible rows, delivered by :meth:`add_texts`; ``checked_changed`` has the number checked.
    """

    checked_changed = Signal(int)
    more_wanted = Signal()
    texts_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._changes: list[RunChange] = []
        #: Numbers of the changes that are shown.
        self._rows: Sequence[int] = ()
        self._texts: dict[str, str] = {}
        #: The first change after each group of those made together; empty if nothing can be checked.
        self._ends: Sequence[int] = ()
        #: The default state and its exceptions: a hundred thousand are checked and unchecked at once.
        self._checked = True
        self._others: set[int] = set()
        self._more = False
        self._missing: dict[str, RunChange] = {}
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._ask)
        self._heads = (self.tr("What"), self.tr("Change"), self.tr("From"), self.tr("To"))

    def show_preview(self, changes: Sequence[RunChange], ends: Sequence[int], texts: Mapping[str, str]) -> None:
        """Show the changes, all checked at first.

        Args:
            changes: what would change.
            ends: the number of the first change after each group of changes made together.
            texts: texts of the first ones, by id.
        """
        self._ends, self._checked, self._others = ends, True, set()
        self._begin(changes, texts, more=False)
        self.checked_changed.emit(len(changes))

    def show_run(self, changes: Sequence[RunChange], texts: Mapping[str, str], *, more: bool) -> None:
        self._ends = ()
        self._begin(changes, texts, more=more)

    def _begin(self, changes: Sequence[RunChange], texts: Mapping[str, str], *, more: bool) -> None:
        self.beginResetModel()
        self._changes, self._texts, self._more = list(changes), dict(texts), more
        self._rows = range(len(self._changes))
        self._missing.clear()
        self.endResetModel()

    def add(self, changes: Sequence[RunChange], texts: Mapping[str, str], *, more: bool) -> None:
        first = len(self._changes)
        self._more = more
        if not changes:
            return
        self.beginInsertRows(QModelIndex(), first, first + len(changes) - 1)
        self._changes += changes
        self._texts |= texts
        self._rows = range(len(self._changes))
        self.endInsertRows()

    def add_texts(self, asked: Sequence[RunChange], texts: Mapping[str, str]) -> None:
        """Set rows' texts; those not included were deleted."""
        self._texts |= {change.ref_id: texts.get(change.ref_id, "") for change in asked}
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, 0))

    def narrow(self, action: str) -> None:
        """Show a preview's changes of one kind; empty for all."""
        self.beginResetModel()
        numbers = range(len(self._changes))
        self._rows = [n for n in numbers if self._changes[n].action == action] if action else numbers
        self.endResetModel()

    # -- checking ------------------------------------------------------------------------

    def checked(self) -> set[int]:
        """Return the numbers of the changes to make."""
        return set(range(len(self._changes))) - self._others if self._checked else set(self._others)

    def count_checked(self) -> int:
        return len(self._changes) - len(self._others) if self._checked else len(self._others)

    def all_checked(self) -> bool:
        if self._checked:
            return self._others.isdisjoint(self._rows)
        return self._others.issuperset(self._rows)

    def check_all(self, on: bool) -> None:
        """Check every row shown, or none, with their groups."""
        if len(self._rows) == len(self._changes):
            self._checked, self._others = on, set()
        else:
            self._check((number for row in self._rows for number in self._group(row)), on=on)
        self._rechecked()

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Set a check for the whole group, since a merge cannot be partial."""
        if role != Qt.ItemDataRole.CheckStateRole or not self._ends:
            return False
        self._check(self._group(self._rows[index.row()]), on=Qt.CheckState(value) is Qt.CheckState.Checked)
        self._rechecked()
        return True

    def _group(self, number: int) -> range:
        place = bisect_right(self._ends, number)
        return range(self._ends[place - 1] if place else 0, self._ends[place])

    def _check(self, numbers: Iterable[int], *, on: bool) -> None:
        change = self._others.difference_update if on is self._checked else self._others.update
        change(numbers)

    def _rechecked(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, 0))
        self.checked_changed.emit(self.count_checked())

    # -- Qt ------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the number of changes loaded and shown."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._heads)

    def canFetchMore(self, parent: Index) -> bool:
        """Whether the run has more changes than loaded."""
        return self._more and not parent.isValid()

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            self._more = False
            self.more_wanted.emit()

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if self._ends and index.column() == 0:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        number = self._rows[index.row()]
        change = self._changes[number]
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(change, column)
        if role == TwoLines.SECOND and column == 0:
            return self._why(change)
        if role == Qt.ItemDataRole.CheckStateRole and column == 0 and self._ends:
            return Qt.CheckState.Checked if (number in self._others) is not self._checked else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ForegroundRole and column == 1 and change.action in {"evict", "prune"}:
            return Theme.current().color("danger")
        if role == Qt.ItemDataRole.ForegroundRole and column >= 2:
            return Theme.current().color("muted")
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        return None

    # -- words ---------------------------------------------------------------------------

    def _why(self, change: RunChange) -> str:
        if change.action != "decay":
            return said(change.reason)
        before, after = (change.before or {}).get("salience", 0.0), (change.after or {}).get("salience", 0.0)
        # Decay is exponential, so the days follow from the two values; the stored reason is the formula.
        days = DECAY_DAYS * math.log(before / after) if 0 < after < before else 0.0
        return self.tr("faded for %n days", "", max(1, round(days)))

    def _text(self, change: RunChange, column: int) -> str:
        before, after = change.before or {}, change.after or {}
        if column == 0:
            return self._says(change, before, after)
        if column == 1:
            return change_name(change.action)
        return self._shown(before if column == 2 else after)

    def _says(self, change: RunChange, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
        known = self._texts.get(change.ref_id)
        held = known or before.get("content") or before.get("summary") or after.get("content") or after.get("summary")
        if held:
            return str(held)
        if known is not None:
            return self.tr("Forgotten since")
        self._missing[change.ref_id] = change
        if not self._soon.isActive():
            self._soon.start(0)
        return "…"

    def _ask(self) -> None:
        asked, self._missing = list(self._missing.values()), {}
        self.texts_wanted.emit(asked)

    def _shown(self, values: Mapping[str, Any]) -> str:
        if "salience" in values:
            return share(values["salience"])
        if "status" in values:
            return status_name(values["status"])
        if "source_count" in values:
            return self.tr("%n sources", "", values["source_count"])
        return ""
