"""The diff of a run: what changes, from what to what, and why; with check boxes in a preview."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from memdesk.domain.salience import DECAY_DAYS
from memdesk.gui.text import said
from memdesk.gui.theme import Theme
from memdesk.gui.views.memory.tab import TwoLines
from memdesk.gui.words import share

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memdesk.domain.models import RunChange

Index = QModelIndex | QPersistentModelIndex


class ChangesModel(QAbstractTableModel):
    """Rows of a diff. With ``checkable``, the checked rows are those to make; ``checked_changed`` tells their number."""

    checked_changed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._changes: Sequence[RunChange] = ()
        self._texts: Mapping[str, str] = {}
        self._checkable = False
        self.checked: set[int] = set()
        self._heads = (self.tr("What"), self.tr("Change"), self.tr("From"), self.tr("To"))
        self._words = {
            "decay": self.tr("fades"),
            "merge": self.tr("joined"),
            "promote": self.tr("lifted"),
            "evict": self.tr("to the bin"),
            "prune": self.tr("pruned"),
        }

    def show_changes(self, changes: Sequence[RunChange], texts: Mapping[str, str], *, checkable: bool = False) -> None:
        """Show another diff; of a preview all rows are checked at first."""
        self.beginResetModel()
        self._changes, self._texts, self._checkable = changes, texts, checkable
        self.checked = set(range(len(changes))) if checkable else set()
        self.endResetModel()
        self.checked_changed.emit(len(self.checked))

    def check_all(self, on: bool) -> None:
        """Check every row or none."""
        self.checked = set(range(len(self._changes))) if on else set()
        if self._changes:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._changes) - 1, 0))
        self.checked_changed.emit(len(self.checked))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the number of changes."""
        return 0 if parent.isValid() else len(self._changes)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self._heads)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let the first column be checked in a preview."""
        flags = super().flags(index)
        if self._checkable and index.column() == 0:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's words, second line, check state or colour."""
        change = self._changes[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(change, column)
        if role == TwoLines.SECOND and column == 0:
            return self._why(change)
        if role == Qt.ItemDataRole.CheckStateRole and column == 0 and self._checkable:
            return Qt.CheckState.Checked if index.row() in self.checked else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ForegroundRole and column == 1 and change.action in {"evict", "prune"}:
            return Theme.current().colour("danger")
        if role == Qt.ItemDataRole.ForegroundRole and column >= 2:
            return Theme.current().colour("muted")
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Take a check."""
        if role != Qt.ItemDataRole.CheckStateRole or not self._checkable:
            return False
        if Qt.CheckState(value) is Qt.CheckState.Checked:
            self.checked.add(index.row())
        else:
            self.checked.discard(index.row())
        self.dataChanged.emit(index, index)
        self.checked_changed.emit(len(self.checked))
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a column's head."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        return None

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
            known = self._texts.get(change.ref_id) or before.get("content") or before.get("summary")
            return str(known or after.get("content") or after.get("summary") or change.ref_id)
        if column == 1:
            return self._words.get(change.action, change.action)
        return _shown(before if column == 2 else after)


def _shown(values: Mapping[str, Any]) -> str:
    for name in ("salience", "status", "source_count"):
        if name in values:
            value = values[name]
            return share(value) if isinstance(value, float) else str(value)
    return ""
