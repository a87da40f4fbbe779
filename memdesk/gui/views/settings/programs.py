"""Programs: connected by a click, with their requests and changes, and undo."""

import json
from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from memdesk.domain.models import Agent, HistoryEntry
from memdesk.gui.operations.agents import turn_server_on
from memdesk.gui.operations.programs import ask_take_back, connect_program, disconnect_program, server_url
from memdesk.gui.pages import PageContext
from memdesk.gui.rich import code_lines
from memdesk.gui.text import said
from memdesk.gui.views.memory.activity import words_of
from memdesk.gui.widgets.buttons import Button, Variant
from memdesk.gui.widgets.code import CodeBlock
from memdesk.gui.widgets.copying import copying
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.forms import Combo, Field
from memdesk.gui.widgets.labels import Chip, ElidedLabel, Label
from memdesk.gui.widgets.layout import boxed, clear, column, flowing, line, row
from memdesk.gui.widgets.options import WordsLine
from memdesk.gui.widgets.richtext import syntax_colors
from memdesk.gui.widgets.states import SectionHead
from memdesk.gui.words import ago, change_name, moment
from memdesk.ports import Asked
from memdesk.services.events import MemoryChanged, ServerChanged, TokensChanged
from memdesk.services.guarding import Connection, Program
from memdesk.services.remembering import ProgramSeen

#: Routes listed in a row; the dialog lists all.
NAMED = 4


class ConnectCard(QFrame):
    """The known programs, connected and disconnected by a click."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.context = context
        self.setProperty("role", "card")
        self.agents = Combo(self.tr("For agent"), [])
        self.rows = column(gap=12)
        self.other = Label("", "small", wrap=True, selectable=True)
        off = Label(self.tr("The local server is off: programs reach the memory while it runs."), "danger", wrap=True)
        turn_on = Button(self.tr("Turn the server on"), self._turn_on, icon_name="server")
        self.off = WordsLine(column(off), turn_on)
        head = SectionHead(
            self.tr("Connect a program"),
            self.tr("It gets a token of its own and sees one agent's memory. Only its own settings file is changed."),
        )
        self._whose = Field(self.tr("For agent"), self.agents)
        self.setLayout(column(head, self._whose, self.off, self.rows, line(), self.other, gap=12, margins=16))
        for kind in (TokensChanged, ServerChanged):
            context.bridge.on(kind, lambda _event: self.reload(), owner=self, settle_ms=100)
        self.reload()

    def reload(self) -> None:
        """Read the programs' files, the agents and the server."""
        services = self.context.services

        def read() -> tuple[list[Connection], list[Agent], str]:
            return services.connecting.all(), services.agents.all(), server_url(self.context)

        self.off.setVisible(self.context.controls.server_state()[0] != "listening")
        self.context.bridge.run(self, read, self._show, latest="programs")

    def _show(self, found: tuple[list[Connection], list[Agent], str]) -> None:
        connections, agents, url = found
        chosen = self.agents.key() or "default"
        self.agents.set_options([(agent.id, agent.name) for agent in agents])
        self.agents.set_key(chosen)
        self._whose.setVisible(len(agents) > 1)
        clear(self.rows)
        # Installed ones come first.
        for connection in sorted(connections, key=lambda each: not (each.installed or each.connected)):
            self.rows.addWidget(self._row(connection))
        text = self.tr(
            "Any other program: MCP at {mcp}, OpenAI's API at {openai}, Anthropic's at {url}, each with a token "
            "from Settings, Server."
        )
        self.other.setText(text.format(mcp=f"{url}/mcp", openai=f"{url}/v1", url=url))

    def _row(self, connection: Connection) -> QWidget:
        program = connection.program
        if connection.connected:
            state = Chip(self.tr("connected"), "success")
        else:
            state = Chip(self.tr("not connected") if connection.installed else self.tr("not found here"))
        words = column(row(Label(program.title, "strong"), state, None), gap=2)
        if connection.file is None:
            words.addWidget(Label(self.tr("Entered on its own pages for connections and tools."), "small", wrap=True))
        else:
            words.addWidget(ElidedLabel(str(connection.file), "small"))
        if connection.fault:
            words.addWidget(Label(said(connection.fault), "danger", wrap=True))
        return WordsLine(words, flowing(*self._buttons(connection)))

    def _buttons(self, connection: Connection) -> list[Button]:
        program, by_hand = connection.program, self.tr("By hand…")
        hand = Button(by_hand, lambda: self._connect(program, by_hand=True), name=f"{by_hand}: {program.title}")
        if connection.connected:
            words = self.tr("Disconnect")
            return [Button(words, lambda: self._disconnect(program), name=f"{words}: {program.title}")]
        if connection.file is None or connection.fault:
            return [hand]
        words = self.tr("Connect")
        look: Variant = "primary" if connection.installed else ""
        return [hand, Button(words, lambda: self._connect(program), name=f"{words}: {program.title}", variant=look)]

    def _connect(self, program: Program, *, by_hand: bool = False) -> None:
        def made(told: dict[str, Any]) -> None:
            if by_hand:
                HandDialog(self.window(), program, told).open()
                return
            words = self.tr("{program} is connected").format(program=program.title)
            self.context.notices.success(words, self.tr("Restart it to see memdesk's tools."))

        op = connect_program(self.context, self, program=program, agent=self.agents.key() or "default", by_hand=by_hand)
        op.success(made).ended(self.reload).start()

    def _turn_on(self) -> None:
        turn_server_on(self.context, self).ended(self.reload).start()

    def _disconnect(self, program: Program) -> None:
        disconnect_program(self.context, self, program=program).ended(self.reload).start()


class HandDialog(Dialog):
    """Configuration to copy into a program, with its token, which is shown only once."""

    def __init__(self, window: QWidget, program: Program, told: dict[str, Any]) -> None:
        super().__init__(window, program.title, width=560)
        self.set_cancel(self.tr("Close"))
        once = self.tr("Copy it now: the token in it cannot be shown again.")
        if program.way != "forms":
            self.body.addWidget(Label(self.tr("Add this to {file}.").format(file=program.file()), wrap=True))
            code, source = CodeBlock(), json.dumps(told, ensure_ascii=False, indent=2)
            code.show_code(source, "JSON", code_lines(source, "json", syntax_colors()))
            self.body.addWidget(code)
        else:
            models, tools = told["openai"], told["tools"]
            self.body.addWidget(Label(self.tr("Admin settings, Connections, OpenAI API"), "strong", wrap=True))
            self.body.addWidget(self._copied(self.tr("Address"), models["url"]))
            self.body.addWidget(self._copied(self.tr("Key"), models["key"]))
            self.body.addWidget(Label(self.tr("Admin settings, External tools"), "strong", wrap=True))
            self.body.addWidget(
                self._copied(self.tr("Address, of type {type}").format(type=tools["type"]), tools["url"])
            )
            self.body.addWidget(Label(self.tr("Authentication: Bearer, with the same key."), "muted", wrap=True))
        self.body.addWidget(Label(once, "small", wrap=True))

    def _copied(self, name: str, text: str) -> QWidget:
        shown = QLineEdit(text, readOnly=True, cursorPosition=0)
        shown.setAccessibleName(name)
        copy = self.tr("Copy")
        button = copying(Button(copy, icon_name="copy", name=f"{copy}: {name}"), lambda: text)
        return Field(name, boxed(row(shown, button)))


class SeenCard(QFrame):
    """Programs that have a token or have called: last use, requests and changes."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.context = context
        self.setProperty("role", "card")
        self.rows = column(gap=12)
        head = SectionHead(
            self.tr("What programs read and wrote"),
            self.tr("By the name of their token. What one wrote can be undone together."),
        )
        self.setLayout(column(head, self.rows, gap=12, margins=16))
        for kind, rest in ((TokensChanged, 100), (MemoryChanged, 1500)):
            context.bridge.on(kind, lambda _event: self.reload(), owner=self, settle_ms=rest)
        self.reload()

    def reload(self) -> None:
        services = self.context.services

        def read() -> tuple[list[ProgramSeen], list[Agent]]:
            return services.programs.all(), services.agents.all()

        self.context.bridge.run(self, read, self._show, latest="seen")

    def _show(self, found: tuple[Sequence[ProgramSeen], Sequence[Agent]]) -> None:
        programs, agents = found
        names = {agent.id: agent.name for agent in agents}
        clear(self.rows)
        if not programs:
            self.rows.addWidget(Label(self.tr("None yet."), "muted"))
        for program in programs:
            self.rows.addWidget(self._row(program, names))

    def _row(self, program: ProgramSeen, names: dict[str, str]) -> QWidget:
        now = self.context.services.clock.now()
        last = self.tr("last seen {when}").format(when=ago(program.last, now)) if program.last else ""
        agents = (
            self.tr("agent {name}").format(name=", ".join(names.get(one, one) for one in program.agents))
            if program.agents
            else ""
        )
        wrote = self.tr("%n changes", "", program.wrote) if program.wrote else self.tr("wrote nothing")
        state = Chip(self.tr("connected"), "success") if program.connected else Chip(self.tr("no token"))
        words = column(row(Label(program.name, "strong"), state, None), gap=2)
        facts = " · ".join(part for part in (last or self.tr("never seen"), agents, wrote) if part)
        words.addWidget(Label(facts, "small", wrap=True))
        named = [f"{what}: {times}" for what, times in asked_words(program.asked)]
        if named:
            words.addWidget(ElidedLabel(" · ".join(named[:NAMED]), "small"))
        look, back = self.tr("Look…"), self.tr("Undo…")
        buttons = [Button(look, lambda: self._look(program), name=f"{look}: {program.name}")]
        if program.wrote:
            buttons.append(
                Button(back, lambda: self._take_back(program), variant="danger", name=f"{back}: {program.name}")
            )
        return WordsLine(words, flowing(*buttons))

    def _look(self, program: ProgramSeen) -> None:
        ProgramDialog(self.context, self.window(), program).open()

    def _take_back(self, program: ProgramSeen) -> None:
        ask_take_back(self.context, self.window(), name=program.name, done=self.reload)


class ProgramDialog(Dialog):
    """One program's requests and changes, latest first."""

    def __init__(self, context: PageContext, window: QWidget, program: ProgramSeen) -> None:
        super().__init__(window, program.name, width=560)
        self.context = context
        self.set_cancel(self.tr("Close"))
        self.body.addWidget(Label(self.tr("Recent requests"), "strong"))
        asked = asked_words(program.asked)
        if not asked:
            self.body.addWidget(Label(self.tr("Nothing."), "muted"))
        for what, times in asked:
            self.body.addLayout(row(Label(what, "mono"), None, Label(str(times), "muted")))
        self.body.addWidget(Label(self.tr("Wrote"), "strong"))
        self.changes = column()
        self.body.addLayout(self.changes)
        context.bridge.run(
            self, lambda: context.services.programs.changes(program.name), self._show, self.show_fault, latest="changes"
        )

    def _show(self, entries: Sequence[HistoryEntry]) -> None:
        if not entries:
            self.changes.addWidget(Label(self.tr("Nothing."), "muted"))
        for entry in entries:
            when = moment(self.context.services.clock.local(entry.at))
            words = words_of(entry) or self.tr("Forgotten, words and all")
            self.changes.addLayout(
                column(Label(words, wrap=True), Label(f"{change_name(entry.action)} · {when}", "small"), gap=0)
            )
        self.fit()


def asked_words(asked: Sequence[Asked]) -> list[tuple[str, int]]:
    """Return requests with counts: tools by name, others by route; without MCP's handshakes."""
    found: dict[str, int] = {}
    for each in asked:
        tool = each.route.partition(" ")[2]
        if tool or each.route != "/mcp":
            what = tool or f"{each.method} {each.route}"
            found[what] = found.get(what, 0) + each.times
    return sorted(found.items(), key=lambda pair: -pair[1])
