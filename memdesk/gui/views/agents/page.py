"""The agents page: a list at the left, the chosen agent at the right."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QMenu, QWidget

from memdesk.domain.models import Agent
from memdesk.gui.commands import Command
from memdesk.gui.notices import describe
from memdesk.gui.operations import agents as operations
from memdesk.gui.pages import Page, PageContext
from memdesk.gui.text import said
from memdesk.gui.views.agents.form import AgentForm
from memdesk.gui.views.agents.program import ProgramCard
from memdesk.gui.widgets.buttons import ENTER, Button, IconButton, set_property
from memdesk.gui.widgets.dialog import ConfirmDialog, Dialog
from memdesk.gui.widgets.dot import Dot
from memdesk.gui.widgets.files import ask_file, ask_place
from memdesk.gui.widgets.forms import Combo, Field
from memdesk.gui.widgets.labels import Chip, ElidedLabel, Label
from memdesk.gui.widgets.layout import ScrollColumn, bounded, boxed, card, clear, column, flowing, row
from memdesk.gui.widgets.states import PageHead, SectionHead
from memdesk.ports import ModelInfo
from memdesk.services.agents import AgentTemplate
from memdesk.services.events import AgentsChanged, MemoryChanged


@dataclass(frozen=True, slots=True)
class Found:
    """What the page shows, fetched together."""

    agents: list[Agent]
    counts: dict[str, int]
    models: list[ModelInfo]


class AgentCard(QFrame):
    """An agent in the list: color, name, description, facts. ``chosen`` is emitted on a click."""

    chosen = Signal(str)

    def __init__(self, agent: Agent, facts: int) -> None:
        super().__init__()
        self.agent_id = agent.id
        self.setProperty("role", "pick")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(agent.name)
        head = row(Dot("accent", agent.color, side=10), (ElidedLabel(agent.name, "strong"), 1))
        count = self.tr("%n facts", "", facts)
        about = agent.description or self.tr("No description")
        words = f"{count} · {about}"
        self.setLayout(column(head, ElidedLabel(words, "small"), gap=4, margins=(12, 9, 10, 9)))

    def mark(self, *, on: bool) -> None:
        set_property(self, "chosen", on)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.chosen.emit(self.agent_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.chosen.emit(self.agent_id)
            return
        super().keyPressEvent(event)


#: Below this width (px at 100 %) a drop-down replaces the list and the name.
NARROW = 560


class AgentsPage(Page):
    """Create, edit, duplicate, export, import, delete, and try over HTTP."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.agent_id = "default"
        self._agents: dict[str, Agent] = {}
        self._dirty = False
        #: Name and summary of the agent shown; in narrow windows the drop-down has them.
        self._about: QWidget | None = None

    def build(self) -> Iterator[None]:
        self._cards = column(gap=6)
        new = Button(self.tr("New agent"), variant="primary", icon_name="plus")
        self._templates = QMenu(self)
        new.set_menu(self._templates)
        head = PageHead(
            self.tr("Agents"),
            self.tr("Each has its own memory. What they learn about you is shared unless you switch that off."),
            Button(self.tr("Import…"), self._import, icon_name="upload"),
            new,
        )
        self._left = ScrollColumn(margins=(24, 4, 12, 24), gap=6)
        self._left.body.addLayout(self._cards)
        self._left.body.addStretch(1)
        self._detail = ScrollColumn(margins=(4, 0, 24, 24), gap=16)
        self._detail.body.addStretch(1)
        # Above the part that scrolls, so that Save is always visible.
        self._head = column(margins=(4, 4, 24, 12))
        right = column(self._head, (self._detail, 1), gap=0)
        self._pick = Combo(self.tr("Agent"))
        self._pick.chosen.connect(self._choose)
        self._body = body = row(self._left, gap=0)
        body.addLayout(right, 1)
        box = column(row(head, margins=(24, 24, 24, 12)), row(self._pick, margins=(24, 0, 24, 12)), (body, 1), gap=0)
        self.setLayout(bounded(box))
        self._share_room()
        yield
        yield from self._build_detail()
        for kind, rest in ((AgentsChanged, 150), (MemoryChanged, 1500)):
            self.context.bridge.on(kind, lambda _event: self.reload(), owner=self, settle_ms=rest)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.built:
            self._share_room()

    def _share_room(self) -> None:
        """Give the list three tenths at most; if narrow, a drop-down replaces it and the name."""
        px = self.context.theme.px
        narrow = self.width() < px(NARROW)
        if self._about is not None:
            self._about.setVisible(not narrow)
        self._pick.setVisible(narrow)
        self._left.setVisible(not narrow)
        self._left.setFixedWidth(min(px(280), self.width() * 3 // 10))
        self._body.setContentsMargins(px(20) if narrow else 0, 0, 0, 0)

    def enter(self, **arguments: Any) -> None:
        """Show an agent; ``begin`` creates an empty one (``new``) or asks for a file (``import``)."""
        if arguments.get("agent_id"):
            self.agent_id = arguments["agent_id"]
            self._dirty = False
        self.reload()
        if arguments.get("begin") == "new":
            self._ask_name(None, self.tr("New agent"))
        elif arguments.get("begin") == "import":
            self._import()

    def unsent(self) -> bool:
        return self._dirty

    def commands(self) -> tuple[str, list[Command]]:
        return self.tr("This agent"), self._commands() if self.agent_id in self._agents else []

    def _commands(self) -> list[Command]:
        duplicate, export, delete = self.tr("Duplicate"), self.tr("Export…"), self.tr("Delete…")
        return [
            Command("agent.duplicate", duplicate, "copy", self._duplicate),
            Command("agent.export", export, "download", self._export),
            Command(
                "agent.delete",
                delete,
                "trash-2",
                self._ask_delete,
                enabled=lambda: not self._agents[self.agent_id].is_built_in,
            ),
        ]

    def place(self) -> dict[str, Any]:
        return {"agent_id": self.agent_id}

    def reload(self) -> None:
        services = self.context.services

        def fetch() -> Found:
            return Found(services.agents.all(), services.agents.counts(), services.models.all())

        self.context.bridge.run(self, fetch, self._fill, latest="agents")

    # -- list --------------------------------------------------------------------------

    def _fill(self, found: Found) -> None:
        self._agents = {agent.id: agent for agent in found.agents}
        if self.agent_id not in self._agents:
            self.agent_id = found.agents[0].id
            self._dirty = False
        clear(self._cards)
        for agent in found.agents:
            item = AgentCard(agent, found.counts.get(agent.id, 0))
            item.mark(on=agent.id == self.agent_id)
            item.chosen.connect(self._choose)
            self._cards.addWidget(item)
        self._pick.set_options([(agent.id, agent.name) for agent in found.agents])
        self._pick.set_key(self.agent_id)
        self._counts = found.counts
        if not self._dirty:
            self.form.set_models(found.models)
            self._show()
        self._fill_templates()

    def _fill_templates(self) -> None:
        if self._templates.actions():
            return
        self._templates.addAction(self.tr("Empty"), lambda: self._ask_name(None, self.tr("New agent")))
        self._templates.addSeparator()
        for template in self.context.services.agents.templates():
            self._templates.addAction(said(template.name), partial(self._ask_name, template, said(template.name)))

    def _choose(self, agent_id: str) -> None:
        if not self._dirty:
            self._turn_to(agent_id)
            return
        self._pick.set_key(self.agent_id)
        ConfirmDialog(
            self.window(),
            title=self.tr("Discard the changes?"),
            text=self.tr("What you changed about {name} was not saved.").format(name=self._agents[self.agent_id].name),
            action=self.tr("Discard"),
            confirmed=lambda _option: self._turn_to(agent_id),
        ).open()

    def _turn_to(self, agent_id: str) -> None:
        self.agent_id = agent_id
        self._dirty = False
        self._pick.set_key(agent_id)
        for position in range(self._cards.count()):
            item = self._cards.itemAt(position)
            widget = item.widget() if item is not None else None
            if isinstance(widget, AgentCard):
                widget.mark(on=widget.agent_id == agent_id)
        self._show()

    # -- detail ------------------------------------------------------------------------

    def _build_detail(self) -> Iterator[None]:
        self._title = Label("", "heading")
        self._chips = row(gap=6)
        self._save = Button(self.tr("Save"), self._store, variant="primary")
        self._undo = Button(self.tr("Discard"), self._show, variant="ghost")
        self._more = IconButton("ellipsis", self.tr("More"))
        self._more.setMenu(self._menu())
        chat = Button(self.tr("Chat"), self._chat, icon_name="message-square")
        words = row(self._title, self._chips, None)
        self._about = boxed(words)
        head = row((self._about, 1), flowing(self._undo, self._save, chat, self._more))
        self.fault = Label("", "danger", wrap=True)
        self._mark_dirty(on=False)
        self._head.addLayout(head)
        self._share_room()
        yield
        self.form = AgentForm()
        self.form.edited.connect(lambda: self._mark_dirty(on=True))
        self._detail.append(card(self.form, self.fault))
        yield from self.form.building()
        yield
        self._detail.append(
            SectionHead(
                self.tr("Use it from a program"),
                self.tr("Any OpenAI client can talk to this agent, memory included. It needs a token."),
                Button(
                    self.tr("Tokens"),
                    partial(self.context.navigate, "settings", section="server"),
                    icon_name="key-round",
                ),
            )
        )
        self.program = ProgramCard(self.context)
        self._detail.append(card(self.program))
        yield from self.program.building()

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        *others, delete = self._commands()
        for command in others:
            menu.addAction(command.title, command.handler)
        menu.addSeparator()
        self._delete = menu.addAction(delete.title, delete.handler)
        return menu

    def _show(self) -> None:
        agent = self._agents[self.agent_id]
        self._title.setText(agent.name)
        clear(self._chips)
        if agent.is_built_in:
            self._chips.addWidget(Chip(self.tr("built in")))
        self._chips.addWidget(Chip(self.tr("id {id}").format(id=agent.id)))
        self.form.show_agent(agent)
        self._delete.setEnabled(not agent.is_built_in)
        self._mark_dirty(on=False)
        self.program.show_agent(self.agent_id)

    def _mark_dirty(self, *, on: bool) -> None:
        self._dirty = on
        self._save.setVisible(on)
        self._undo.setVisible(on)
        self.fault.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Save on Ctrl+Enter in any field."""
        if event.key() in ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier and self._dirty:
            self._store()
            return
        super().keyPressEvent(event)

    def _store(self, then: Callable[[], object] | None = None) -> None:
        try:
            fields = self.form.fields()
        except ValueError as wrong:
            self._refuse(str(wrong))
            return
        op = self.context.bridge.call(self, self.context.services.agents.edit, self.agent_id, **fields)
        op.success(self._stored).failure(lambda error: self._refuse(describe(error)["message"]))
        if then is not None:
            op.then(then)
        op.start()

    def _stored(self, agent: Agent) -> None:
        self._agents[agent.id] = agent
        self._show()
        self.context.notices.success(self.tr("Saved"))

    def _refuse(self, words: str) -> None:
        self.fault.setText(words)
        self.fault.show()

    # -- actions -----------------------------------------------------------------------

    def _shown(self, agent: Agent) -> None:
        self.agent_id = agent.id
        self._dirty = False
        self.reload()

    def _ask_name(self, template: AgentTemplate | None, name: str) -> None:
        """Ask for a new agent's name first: its permanent id is derived from it."""
        dialog = Dialog(self.window(), self.tr("New agent"), width=400)
        edit = QLineEdit(name)
        dialog.body.addWidget(Field(self.tr("Name"), edit, self.tr("Programs call it by an id made from this name.")))

        def made(agent: Agent) -> None:
            dialog.accept()
            self._shown(agent)

        def create() -> None:
            op = operations.create(self.context, dialog, name=edit.text().strip(), template=template)
            op.success(made).failure(dialog.show_fault).start()

        dialog.set_action(self.tr("Create"), create)
        dialog.open()
        edit.selectAll()

    def _duplicate(self) -> None:
        agent = self._agents[self.agent_id]
        operations.duplicate(self.context, self, agent=agent).success(self._shown).start()

    def _chat(self) -> None:
        """Start a chat with the agent as in the form."""
        if self._dirty:
            self._store(self._begin_chat)
        else:
            self._begin_chat()

    def _begin_chat(self) -> None:
        self.context.navigate("chat", new=True, agent_id=self.agent_id)

    def _export(self) -> None:
        # An id may contain characters that Windows interprets as a drive or wildcard.
        safe = re.sub(r"[^\w.-]", "_", self.agent_id)
        agent_id = self.agent_id

        def export(path: str) -> None:
            operations.export(self.context, self, agent_id=agent_id, path=path).start()

        ask_place(self.window(), self.tr("Export agent"), export, f"{safe}.json")

    def _import(self) -> None:
        def import_(path: str) -> None:
            operations.import_file(self.context, self, path=path).success(self._shown).start()

        ask_file(self.window(), self.tr("Import agent"), import_, self.tr("Exported agents (*.json)"))

    def _ask_delete(self) -> None:
        operations.ask_delete(self.context, self, agent=self._agents[self.agent_id], done=lambda _report: self.reload())
