"""Facts as a table."""

from typing import Any

from PySide6.QtCore import Qt

from memdesk.domain.items.item import IMPORTED, MemoryItem
from memdesk.domain.models import FactStatus
from memdesk.gui.models.paged import PagedModel
from memdesk.gui.theme import Theme
from memdesk.gui.words import day, expiry, kind_name, share, status_name

SECOND = Qt.ItemDataRole.UserRole + 1
SALIENCE = Qt.ItemDataRole.UserRole + 2


class FactsModel(PagedModel[MemoryItem]):
    """Columns: text, kind, salience, last change."""

    def heads(self) -> tuple[str, ...]:
        return (self.tr("Fact"), self.tr("Kind"), self.tr("Salience"), self.tr("Changed"))

    def text(self, item: MemoryItem, column: int) -> str:
        if column == 0:
            return item.content
        if column == 1:
            return kind_name(item.kind)
        if column == 2:
            return share(item.salience)
        return day(self.clock.local(item.updated_at))

    def more(self, item: MemoryItem, column: int, role: int) -> Any:
        if role == SECOND and column == 0:
            return self._second(item)
        if role == SALIENCE:
            return item.salience
        if role == Qt.ItemDataRole.ToolTipRole and column == 0:
            return item.content
        if role == Qt.ItemDataRole.AccessibleTextRole and column == 0:
            return f"{item.content} {self._second(item)}"
        if role == Qt.ItemDataRole.ForegroundRole and (column or not self._counts(item)):
            return Theme.current().color("muted")
        return None

    def _counts(self, item: MemoryItem) -> bool:
        expired = item.expires_at is not None and item.expires_at <= self.clock.now()
        return item.status is FactStatus.ACTIVE and not expired

    def _second(self, item: MemoryItem) -> str:
        words = [] if item.status is FactStatus.ACTIVE else [status_name(item.status)]
        if item.user_pinned:
            words.append(self.tr("pinned"))
        if item.source_count > 1:
            words.append(self.tr("%n sources", "", item.source_count))
        if item.use_count:
            words.append(self.tr("used %n times", "", item.use_count))
        if item.valid_until:
            words.append(self.tr("until {day}").format(day=day(self.clock.local(item.valid_until))))
        if item.expires_at:
            words.append(expiry(item.expires_at, self.clock))
        if item.key and not item.key.startswith(IMPORTED):
            words.append(item.key)
        return " · ".join([*words, *(f"#{tag}" for tag in item.tags)])
