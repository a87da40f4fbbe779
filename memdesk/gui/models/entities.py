"""People and things as a list."""

from typing import Any

from PySide6.QtCore import Qt

from memdesk.domain.models import Entity
from memdesk.gui.icons import icon
from memdesk.gui.models.paged import PagedModel
from memdesk.gui.words import entity_icon, entity_type_name

SECOND = Qt.ItemDataRole.UserRole + 1


class EntitiesModel(PagedModel[Entity]):
    """One column: the name, with type and mentions below."""

    def heads(self) -> tuple[str, ...]:
        return (self.tr("Name"),)

    def text(self, item: Entity, column: int) -> str:
        del column
        return item.name

    def more(self, item: Entity, column: int, role: int) -> Any:
        del column
        if role == SECOND:
            mentions = self.tr("%n mentions", "", item.mention_count)
            return f"{entity_type_name(item.type)} · {mentions}"
        if role == Qt.ItemDataRole.DecorationRole:
            return icon(entity_icon(item.type))
        return None
