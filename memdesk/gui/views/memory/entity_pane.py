"""One person or thing: a graph to walk, relations, facts and episodes, and its names."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame

from memdesk.domain.models import Entity
from memdesk.errors import NotFoundError
from memdesk.gui.commands import Command
from memdesk.gui.operations.forgetting import ask_forget
from memdesk.gui.pages import PageContext
from memdesk.gui.views.memory.entity_dialogs import EntityDialog, MergeDialog
from memdesk.gui.views.memory.graph import EntityGraph, Node
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import ScrollColumn, clear, column, row
from memdesk.gui.widgets.menus import tools_of
from memdesk.gui.words import entity_type_name, relation_name
from memdesk.services.forgetting import ForgetTarget
from memdesk.services.remembering import EntityView, Joined, RelationView

#: Rows per list; a link leads to all.
SHOWN = 30
#: Length of the back history.
TRAIL = 50


class EntityPane(QFrame):
    """The pane at the right of the names.

    ``moved`` has the id now shown, ``changed``: names changed, ``joined`` has the change that merged two.
    """

    moved = Signal(str)
    changed = Signal()
    joined = Signal(object)

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.context = context
        self.view: EntityView | None = None
        self._trail: list[str] = []
        self._asked = ""
        self.graph = EntityGraph()
        self.graph.chosen.connect(self.walk)
        self.graph.back.connect(self.go_back)
        self.detail = ScrollColumn(margins=16, gap=10)
        self.setProperty("role", "card")
        self._words = column(gap=10)
        self.detail.body.addWidget(self.graph)
        self.detail.body.addLayout(self._words)
        self.setLayout(column(self.detail, gap=0, margins=1))
        back = QKeySequence(QKeySequence.StandardKey.Back)
        QShortcut(back, self, self.go_back, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.hide()

    # -- walking -------------------------------------------------------------------------

    def walk(self, entity_id: str) -> None:
        """Follow a relation, keeping the back history."""
        if self.view is not None and self.view.entity.id != entity_id:
            self._trail = [*self._trail[1 - TRAIL :], self.view.entity.id]
        self.read(entity_id)

    def go_back(self) -> None:
        if self._trail:
            self.read(self._trail.pop())

    def open(self, entity_id: str) -> None:
        """Start again at a name of the list."""
        if self.view is None or self.view.entity.id != entity_id:
            self._trail.clear()
        self.read(entity_id)

    def refresh(self) -> None:
        if self.isVisible() and self.view is not None:
            # Another one may be loading meanwhile.
            self.read(self._asked)

    def read(self, entity_id: str) -> None:
        self._asked = entity_id
        memories = self.context.services.memories
        self.context.bridge.run(
            self, lambda: memories.entity(entity_id, SHOWN), self._show, self._failed, latest="entity"
        )

    def _failed(self, error: Exception) -> None:
        if isinstance(error, NotFoundError):
            # Merged or forgotten since it was listed.
            self.shut()
        else:
            self.context.notices.error(error)

    def shut(self) -> None:
        self.view = None
        self._trail.clear()
        self.hide()

    # -- showing -------------------------------------------------------------------------

    def _show(self, view: EntityView) -> None:
        new = self.view is None or self.view.entity.id != view.entity.id
        self.view = view
        nodes = nodes_of(view)
        if new or nodes != self._nodes:
            self._nodes = nodes
            self.graph.show_nodes(view.entity.name, nodes)
            self.graph.setVisible(bool(nodes))
        bar = self.detail.verticalScrollBar()
        body = self._words
        clear(body)
        self._head(view)
        self._relations(view.relations)
        facts = [(fact.content, {"tab": "facts", "fact_id": fact.id}) for fact in view.facts]
        self._list(self.tr("Facts"), facts, view.facts_total, "facts")
        episodes = [(episode.content, {"tab": "episodes", "episode_id": episode.id}) for episode in view.episodes]
        self._list(self.tr("Episodes"), episodes, view.episodes_total, "episodes")
        body.addStretch(1)
        if new:
            bar.setValue(0)
        self.show()
        self.moved.emit(view.entity.id)

    _nodes: Sequence[Node] = ()

    def _head(self, view: EntityView) -> None:
        body, entity = self._words, view.entity
        back = IconButton("chevron-left", self.tr("Back"), self.go_back)
        if not self._trail:
            back.hide()
        name = Label(entity.name, "heading", wrap=True, selectable=True)
        head = row(back, (name, 1), Chip(entity_type_name(entity.type), "accent"))
        body.addLayout(head)
        if view.aliases:
            body.addWidget(
                Label(self.tr("Also called {names}").format(names=", ".join(view.aliases)), "muted", wrap=True)
            )
        body.addWidget(tools_of(self.commands_of(entity)))

    def _relations(self, relations: Sequence[RelationView]) -> None:
        body = self._words
        if not relations:
            return
        body.addWidget(Label(self.tr("Relations"), "section"))
        assert self.view is not None
        here = self.view.entity.id
        for each in relations[:SHOWN]:
            words = f"{each.subject.name} {relation_name(each.relation.predicate)} {each.object.name}"
            other = each.object if each.subject.id == here else each.subject
            line = row((Label(words, wrap=True, selectable=True), 1))
            if each.relation.fact_id:
                go = partial(self.context.navigate, "memory", tab="facts", fact_id=each.relation.fact_id)
                line.addWidget(
                    Button(
                        self.tr("Show fact"), go, variant="link", name=self.tr("Show fact: {text}").format(text=words)
                    )
                )
            line.addWidget(Button(other.name, partial(self.walk, other.id), variant="chip"))
            body.addLayout(line)
        if len(relations) > SHOWN:
            body.addWidget(Label(self.tr("and %n more", "", len(relations) - SHOWN), "muted"))

    def _list(self, title: str, items: list[tuple[str, dict[str, str]]], total: int, tab: str) -> None:
        body = self._words
        body.addWidget(Label(title, "section"))
        if not items:
            body.addWidget(Label(self.tr("None."), "muted"))
        for text, target in items:
            go = partial(self.context.navigate, "memory", **target)
            box = row(
                (Label(text, wrap=True, selectable=True), 1),
                Button(self.tr("Show"), go, variant="link", name=text[:60]),
            )
            body.addLayout(box)
        if total > len(items) and self.view is not None:
            entity = self.view.entity
            about = {"entity_id": entity.id, "name": entity.name} if tab == "facts" else {"query": entity.name}
            go = partial(self.context.navigate, "memory", tab=tab, **about)
            body.addLayout(row(Button(self.tr("Look for all %n", "", total), go, variant="link"), None))

    # -- actions -------------------------------------------------------------------------

    def _renamed(self, entity_id: str) -> None:
        self.changed.emit()
        self.read(entity_id)

    def commands_of(self, entity: Entity) -> list[Command]:
        """Return the actions on a name, which need not be the one shown."""
        return [
            Command("entity.edit", self.tr("Edit"), "pencil", partial(self.edit, entity)),
            Command("entity.join", self.tr("Join with…"), "git-merge", partial(self.join, entity)),
            Command("entity.forget", self.tr("Forget"), "trash-2", partial(self.forget, entity)),
        ]

    def edit(self, entity: Entity) -> None:
        """Change name, type and other names."""
        memories = self.context.services.memories

        def ask(view: EntityView) -> None:
            EntityDialog(self.context, self.window(), view, self._renamed).open()

        self.context.bridge.run(self, lambda: memories.entity(entity.id, SHOWN), ask, latest="edit")

    def join(self, entity: Entity) -> None:
        MergeDialog(self.context, self.window(), entity, self._joined).open()

    def _joined(self, joined: Joined) -> None:
        self._renamed(joined.entity.id)
        self.joined.emit(joined)

    def forget(self, entity: Entity) -> None:
        """Forget everything about it, after confirmation."""
        ask_forget(
            self.context,
            self,
            target=ForgetTarget(kind="entity", ids=(entity.id,), agent_id=entity.agent_id),
            title=self.tr("Forget everything about {name}?").format(name=entity.name),
            text=self.tr("Facts and details that name it go with it. Messages stay in their conversations."),
            done=self._forgotten,
        )

    def _forgotten(self, _report: object) -> None:
        self.shut()
        self.changed.emit()


def nodes_of(view: EntityView) -> list[Node]:
    """Return the neighbors, each once, with all relations on one line."""
    found: dict[str, Node] = {}
    for each in view.relations:
        outward = each.subject.id == view.entity.id
        other = each.object if outward else each.subject
        former = found.get(other.id)
        label = relation_name(each.relation.predicate)
        if former is not None and label not in former.label.split(", "):
            label = f"{former.label}, {label}"
        elif former is not None:
            continue
        found[other.id] = Node(other.id, other.name, label, outward if former is None else former.outward)
    return list(found.values())
