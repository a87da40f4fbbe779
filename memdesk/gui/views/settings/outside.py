"""Tool servers for agents: add, read and remove them; which of their tools need permission."""

import os
import shlex
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from memdesk.domain.models import Agent
from memdesk.errors import BadRequestError
from memdesk.gui.pages import PageContext
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.forms import Field, SecretEdit
from memdesk.gui.widgets.labels import ElidedLabel, Label
from memdesk.gui.widgets.layout import boxed, column, flowing, row
from memdesk.gui.widgets.options import ShownList
from memdesk.services.events import SettingsChanged
from memdesk.services.tools import ServerState
from memdesk.settings.schema import ToolServer


class ToolServersList(ShownList):
    """Servers with their tools; not an editor, since changes apply at once."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(gap=12)
        self.context = context
        self._agents: Sequence[Agent] = ()
        self.add = Button(self.tr("Add a tool server"), self._ask, icon_name="plus")
        self.setLayout(column(self.rows, row(self.add, None), gap=12))
        context.bridge.on(SettingsChanged, lambda _event: self.reload(), owner=self, settle_ms=100)
        self.reload()

    def reload(self) -> None:
        """Fetch the servers and the agents; no server is queried."""
        services = self.context.services

        def read() -> tuple[list[ServerState], list[Agent]]:
            return services.outside.all(), services.agents.all()

        self.context.bridge.run(self, read, self._show, latest="tool servers")

    def _show(self, found: tuple[list[ServerState], list[Agent]]) -> None:
        states, self._agents = found
        self.fill([self._row(state) for state in states])

    def _row(self, state: ServerState) -> QWidget:
        server, names = state.server, {agent.id: agent.name for agent in self._agents}
        offers = self.tr("%n tools", "", len(state.tools)) if state.read else self.tr("its tools were not read yet")
        who = ", ".join(names.get(agent, agent) for agent in server.agents) or self.tr("no agent")
        words = column(
            Label(server.name, "strong"),
            ElidedLabel(server.url or shlex.join(server.command), "small"),
            Label(f"{offers} · {who}", "small", wrap=True),
            gap=2,
        )
        read, tools, remove = self.tr("Read its tools"), self.tr("Tools…"), self.tr("Remove")
        buttons = [Button(read, lambda: self._read(server.name), name=f"{read}: {server.name}")]
        if state.tools:
            buttons.insert(0, Button(tools, lambda: self._open(state), name=f"{tools}: {server.name}"))
        gone = Button(remove, lambda: self._remove(server.name), variant="danger", name=f"{remove}: {server.name}")
        return boxed(column(words, flowing(*buttons, gone), gap=6))

    def _ask(self) -> None:
        NewToolServerDialog(self.context, self.window(), self._agents, self.reload).open()

    def _read(self, name: str) -> None:
        self.context.bridge.call(self, self.context.services.outside.read, name).ended(self.reload).start()

    def _remove(self, name: str) -> None:
        self.context.bridge.call(self, self.context.services.outside.remove, name).ended(self.reload).start()

    def _open(self, state: ServerState) -> None:
        ToolsDialog(self.context, self.window(), state, self.reload).open()


class ToolsDialog(Dialog):
    """A server's tools, in its own words, and which of them need permission."""

    def __init__(self, context: PageContext, window: QWidget, state: ServerState, changed: Any) -> None:
        super().__init__(window, state.server.name, width=560)
        self.set_cancel(self.tr("Close"))
        for tool in state.tools:
            ask = QCheckBox(self.tr("Ask before each use"))
            ask.setChecked(tool.asks)
            ask.setAccessibleName(f"{ask.text()}: {tool.tool.name}")
            ask.clicked.connect(
                lambda on, name=tool.tool.name: (
                    context.bridge.call(
                        context.bridge, context.services.outside.ask_for, state.server.name, name, on=on
                    )
                    .ended(changed)
                    .start()
                )
            )
            self.body.addWidget(Label(tool.tool.name, "strong"))
            if tool.tool.description:
                self.body.addWidget(Label(tool.tool.description[:400], "small", wrap=True))
            self.body.addWidget(ask)


class NewToolServerDialog(Dialog):
    """How to reach a server and who may use it; its tools are read at once."""

    def __init__(self, context: PageContext, window: QWidget, agents: Sequence[Agent], changed: Any) -> None:
        super().__init__(window, "", width=520)
        self.context, self._changed = context, changed
        self.heading.setText(self.tr("Add a tool server"))
        self.setWindowTitle(self.heading.text())
        self.name, self.where, self.key = QLineEdit(), QLineEdit(), SecretEdit()
        self.name.setPlaceholderText("files")
        self.where.setPlaceholderText("npx @modelcontextprotocol/server-filesystem /home/ada")
        self.body.addWidget(Field(self.tr("Name"), self.name))
        help_text = self.tr("A command is started when its tools are read and while an answer uses them.")
        self.body.addWidget(Field(self.tr("Command, or address with http://"), self.where, help_text))
        self.body.addWidget(Field(self.tr("Key, if the address wants one"), self.key))
        self.body.addWidget(Label(self.tr("Who may use its tools"), "strong"))
        self.agents = {agent.id: QCheckBox(agent.name) for agent in agents}
        for box in self.agents.values():
            box.setChecked(len(agents) == 1)
            self.body.addWidget(box)
        self.action = self.set_action(self.tr("Add and read its tools"), self._add)

    def _add(self) -> None:
        where = self.where.text().strip()
        is_address = where.startswith(("http://", "https://"))
        try:
            server = ToolServer(
                name=self.name.text().strip(),
                command=[] if is_address else shlex.split(where, posix=os.name != "nt"),
                url=where if is_address else "",
                agents=[agent for agent, box in self.agents.items() if box.isChecked()],
            )
        except ValidationError:
            self.show_fault(
                BadRequestError(self.tr("Use letters, digits, - and _ for the name, and give a command or an address."))
            )
            return
        except ValueError:
            self.show_fault(BadRequestError(self.tr("The command has an open quotation mark.")))
            return
        self.action.setEnabled(False)
        op = self.context.bridge.call(self, self.context.services.outside.add, server, self.key.text().strip())
        op.then(self.accept).failure(self.show_fault).ended(self._ended).start()

    def _ended(self) -> None:
        self.action.setEnabled(True)
        self._changed()
