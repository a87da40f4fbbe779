"""People & things: who and what is named in the memory, and how they are joined."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame

from memdesk.domain.models import Entity
from memdesk.gui.icons import icon
from memdesk.gui.models.paged import PagedModel
from memdesk.gui.operations.forgetting import ask_forget
from memdesk.gui.views.memory.graph import EntityGraph, Node
from memdesk.gui.views.memory.tab import MemoryTab, Table, TwoLines
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import ScrollColumn, beside, clear, column, row
from memdesk.gui.widgets.search import SearchField
from memdesk.gui.widgets.states import EmptyState, StatePane
from memdesk.gui.words import entity_icon, entity_type_name
from memdesk.services.events import MemoryChanged
from memdesk.services.forgetting import ForgetTarget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QObject

    from memdesk.gui.bridge import Bridge
    from memdesk.services.memories import EntityView


class EntitiesModel(PagedModel[Entity]):
    """One column: the name, with type and mentions below."""

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(bridge, None, parent)
        self.headers = (self.tr("Name"),)

    def text(self, item: Entity, column: int) -> str:
        """Return the name."""
        del column
        return item.name

    def more(self, item: Entity, column: int, role: int) -> Any:
        """Return type and mentions as the second line."""
        del column
        if role == TwoLines.SECOND:
            mentions = self.tr("%n mentions", "", item.mention_count)
            return f"{entity_type_name(item.type)} · {mentions}"
        if role == Qt.ItemDataRole.DecorationRole:
            return icon(entity_icon(item.type))
        return None


class EntitiesTab(MemoryTab):
    """Names at the left; one name with graph, facts and episodes at the right."""

    def build(self) -> Iterator[None]:
        """Make the list, then the pane of one name."""
        context = self.context
        self.view: EntityView | None = None
        self.search = SearchField(self.tr("Search people and things"))
        self.search.searched.connect(lambda _text: self.reload())
        types = ("person", "place", "organisation", "project", "product", "tool", "other")
        self.type = Combo(
            self.tr("Type"), [("", self.tr("Any type")), *((name, entity_type_name(name)) for name in types)]
        )
        self.type.chosen.connect(lambda _key: self.reload())
        filters = row(self.search, self.type, gap=8)
        filters.setStretch(0, 1)
        below = self.lay(filters)
        yield
        self.model = EntitiesModel(context.bridge, self)
        self.table = Table(self.model, self.tr("People and things"))
        self.table.setItemDelegateForColumn(0, TwoLines(self.table))
        self.table.set_lines(2)
        self.table.horizontalHeader().hide()
        self.table.selectionModel().currentRowChanged.connect(
            lambda index, _old: self.model.when_read(index, lambda entity: self._read(entity.id))
        )
        yield
        text = self.tr("Names appear when conversations are distilled.")
        self.pane = StatePane(self.table, EmptyState("waypoints", self.tr("Nobody and nothing yet"), text))
        self.pane.show_loading()
        yield
        self.graph = EntityGraph()
        self.graph.chosen.connect(self._read)
        self.detail = ScrollColumn(margins=16, gap=10)
        self.side = QFrame()
        self.side.setProperty("role", "card")
        self.side.setLayout(column(self.graph, self.detail, gap=0, margins=1))
        self.side.setMinimumWidth(context.theme.px(400))
        self.side.hide()
        yield
        below.addWidget(beside(self.pane, self.side, (2, 3)))
        self.model.loaded.connect(self._loaded)
        self.model.failed.connect(lambda error: self.pane.show_failed(error, self.reload))
        context.bridge.on(MemoryChanged, lambda _event: self._stale(), owner=self, settle_ms=400)

    def reload(self) -> None:
        """Read the names anew."""
        memories, agent_id = self.context.services.memories, self.agent_id or None
        query, type_ = self.search.text().strip(), self.type.key() or None
        self.model.reload(
            lambda limit, cursor: memories.entities(
                agent_id=agent_id, query=query, type_=type_, limit=limit, cursor=cursor
            ),
            query=(agent_id, query, type_),
        )

    def enter(self, **arguments: Any) -> None:
        """Show one name."""
        if arguments.get("entity_id"):
            self._read(str(arguments["entity_id"]))

    def _loaded(self, total: int) -> None:
        self.pane.show_content(empty=total == 0)
        self.counted.emit(total)

    def _read(self, entity_id: str) -> None:
        memories = self.context.services.memories
        self.context.bridge.run(lambda: memories.entity(entity_id), owner=self, success=self._show, latest="entity")

    def _show(self, view: EntityView) -> None:
        self.view = view
        nodes = []
        for relation in view.relations:
            other = relation.object if relation.subject.id == view.entity.id else relation.subject
            nodes.append(Node(other.id, other.name, relation.relation.predicate))
        self.graph.show_nodes(view.entity.name, nodes)
        self.graph.setVisible(bool(nodes))
        body = self.detail.body
        clear(body)
        forget = Button(self.tr("Forget"), self._forget, variant="danger", icon_name="trash-2")
        head = row(Label(view.entity.name, "heading"), Chip(entity_type_name(view.entity.type), "accent"), None, forget)
        body.addLayout(head)
        self._list(self.tr("Facts"), [(fact.content, {"tab": "facts", "fact_id": fact.id}) for fact in view.facts])
        self._list(
            self.tr("Episodes"),
            [(episode.summary, {"tab": "episodes", "episode_id": episode.id}) for episode in view.episodes],
        )
        body.addStretch(1)
        self.side.show()

    def _list(self, title: str, items: list[tuple[str, dict[str, str]]]) -> None:
        body = self.detail.body
        body.addWidget(Label(title, "section"))
        if not items:
            body.addWidget(Label(self.tr("None."), "muted"))
        for text, target in items:
            words = Label(text, wrap=True, selectable=True)
            go = partial(self.context.navigate, "memory", **target)
            box = row(gap=8)
            box.addWidget(words, 1)
            box.addWidget(Button(self.tr("Show"), go, variant="link", name=text[:60]))
            body.addLayout(box)

    def _forget(self) -> None:
        if self.view is None:
            return
        ask_forget(
            context=self.context,
            parent=self,
            target=ForgetTarget(kind="entity", ids=(self.view.entity.id,), agent_id=self.view.entity.agent_id),
            title=self.tr("Forget everything about {name}?").format(name=self.view.entity.name),
            text=self.tr("Facts and details that name it go with it. Messages stay in their conversations."),
            done=self._forgotten,
        )

    def _forgotten(self, _report: object) -> None:
        self.side.hide()
        self.reload()
