"""People & things: who and what is named in the memory, and their relations."""

from collections.abc import Iterator
from typing import Any

from memdesk.domain.models import Entity
from memdesk.gui.commands import Command
from memdesk.gui.models.entities import EntitiesModel
from memdesk.gui.views.memory.entity_dialogs import TYPES
from memdesk.gui.views.memory.entity_pane import EntityPane
from memdesk.gui.views.memory.listed import ListTab
from memdesk.gui.views.memory.taking_back import take_back
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.undo_bar import UndoBar
from memdesk.gui.words import entity_type_name
from memdesk.services.events import MemoryChanged
from memdesk.services.remembering import Joined


class EntitiesTab(ListTab):
    """Names at the left; one name with graph, relations, facts and episodes at the right."""

    side: EntityPane

    def build(self) -> Iterator[None]:
        context = self.context
        self.type = Combo(
            self.tr("Type"), [("", self.tr("Any type")), *((name, entity_type_name(name)) for name in TYPES)]
        )
        below = self.narrow_by(self.tr("Search people and things"), self.type)
        yield
        model = EntitiesModel(context.bridge, parent=self)
        self.make_list(model, self.tr("People and things"), "waypoints", lambda entity: self._picked(entity.id))
        self.table.horizontalHeader().hide()
        yield
        self.side = EntityPane(context)
        self.side.moved.connect(self._mark)
        self.side.changed.connect(self.reload)
        self.side.joined.connect(self._joined)
        self.join(below, self.side, (2, 3))
        self.bar = UndoBar()
        self.bar.undone.connect(self._take_back)
        below.addWidget(self.bar)
        context.bridge.on(MemoryChanged, lambda _event: self._stale(), owner=self, settle_ms=400)

    def commands_of(self, item: Entity) -> list[Command]:
        return self.side.commands_of(item)

    def reload(self) -> None:
        memories, agent_id = self.context.services.memories, self.agent_id or None
        query, type_ = self.query(), self.type.key() or None
        self.model.reload(
            lambda limit, cursor: memories.entities(
                agent_id=agent_id, query=query, type_=type_, limit=limit, cursor=cursor
            ),
            query=(agent_id, query, type_),
        )

    def enter(self, **arguments: Any) -> None:
        if arguments.get("entity_id"):
            self.side.open(str(arguments["entity_id"]))

    def set_agent(self, agent_id: str) -> None:
        """Show another agent's names, and close the pane of the previous one's."""
        if agent_id != self.agent_id and agent_id:
            self.side.shut()
        super().set_agent(agent_id)

    def _stale(self) -> None:
        super()._stale()
        self.side.refresh()

    def nothing(self) -> tuple[str, str]:
        return self.tr("Nobody and nothing yet"), self.tr("Names appear when conversations are distilled.")

    def _loaded(self, total: int) -> None:
        super()._loaded(total)
        if self.side.view is not None:
            self._mark(self.side.view.entity.id)

    def _joined(self, joined: Joined) -> None:
        gone = (joined.entry.old or {})["name"]
        self.bar.did(self.tr("{gone} is now {name}").format(gone=gone, name=joined.entity.name), joined.entry.id)

    def _take_back(self, entry_id: str) -> None:
        # An event reports the change, as for any other.
        take_back(self.context, self, entry_id=entry_id).start()

    def _picked(self, entity_id: str) -> None:
        if self.side.view is None or self.side.view.entity.id != entity_id or self.side.isHidden():
            self.side.open(entity_id)

    def _mark(self, entity_id: str) -> None:
        """Select the name shown, if loaded."""
        place = next((row for row, entity in self.model.known() if entity.id == entity_id), -1)
        if place >= 0:
            self.table.selectRow(place)
        else:
            self.table.clearSelection()
