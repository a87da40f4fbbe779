"""The clients of the local server: who may call it, last use, and revoking."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QLayout, QLineEdit, QWidget

from memdesk.domain.models import Agent, ApiToken
from memdesk.gui.operations.settings import revoke_token
from memdesk.gui.pages import PageContext
from memdesk.gui.text import said
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.copying import copying
from memdesk.gui.widgets.dialog import ConfirmDialog, Dialog
from memdesk.gui.widgets.forms import Combo, Field
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import ScrollColumn, clear, column, line, row
from memdesk.gui.widgets.states import SectionHead
from memdesk.gui.words import moment
from memdesk.services.events import ServerChanged, SettingsChanged, TokensChanged

#: The scopes of a client, with descriptions.
SCOPES: dict[str, str] = {
    "chat": str(
        QT_TRANSLATE_NOOP("scopes", "Ask the models; with an agent's memory only where it may also read that.")
    ),
    "memory:read": str(QT_TRANSLATE_NOOP("scopes", "Read facts, episodes and transcripts.")),
    "memory:write": str(QT_TRANSLATE_NOOP("scopes", "Record conversations; add, change and forget facts.")),
    "memory:private": str(
        QT_TRANSLATE_NOOP("scopes", "Also what is kept for models on this machine: its own model is here.")
    ),
    "admin": str(
        QT_TRANSLATE_NOOP(
            "scopes",
            "Settings, agents, tokens, backups and imports; the rights above only if they are ticked too.",
        )
    ),
}


class TokensCard(QFrame):
    """Tokens by client, with their scopes and last use; and the server's address."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.context = context
        self.setProperty("role", "card")
        self.address = Label("", "mono", selectable=True)
        self.rows = column()
        head = SectionHead(
            self.tr("Clients"),
            self.tr("Programs on this machine call the server with a token of their own."),
            Button(self.tr("New token"), self._ask, icon_name="plus"),
        )
        self.again = Button(self.tr("Restart server"), self._restart, icon_name="refresh-cw")
        self.setLayout(column(head, row(self.address, None, self.again), line(), self.rows, gap=12, margins=16))
        for kind in (ServerChanged, SettingsChanged, TokensChanged):
            context.bridge.on(kind, lambda _event: self.reload(), owner=self, settle_ms=100)
        self.reload()

    def reload(self) -> None:
        """Fetch the tokens and the server's state."""
        services, controls = self.context.services, self.context.controls

        def read() -> tuple[Sequence[ApiToken], tuple[str, str], str, bool]:
            state = controls.server_state()
            return (
                services.tokens.all(),
                state,
                services.status.server().message,
                services.settings.current.server.enabled,
            )

        self.context.bridge.run(self, read, self._show, latest="tokens")

    def _show(self, found: tuple[Sequence[ApiToken], tuple[str, str], str, bool]) -> None:
        tokens, (state, url), fault, enabled = found
        if state == "listening":
            self.address.setText(url)
            self.address.set_role("mono")
        elif state == "failed":
            self.address.setText(said(fault))
            self.address.set_role("danger")
        else:
            off = self.tr("The server is switched off.")
            self.address.setText(self.tr("The server is not running.") if enabled else off)
            self.address.set_role("muted")
        self.again.setText(self.tr("Restart server") if state == "listening" else self.tr("Start server"))
        # If switched off, it would only be stopped.
        self.again.setVisible(enabled or state == "listening")
        clear(self.rows)
        live = [token for token in tokens if not token.revoked]
        if not live:
            self.rows.addWidget(Label(self.tr("No client has a token yet."), "muted"))
        for token in live:
            self.rows.addLayout(self._row(token))

    def _row(self, token: ApiToken) -> QLayout:
        used = self.tr("last used {when}").format(when=self._when(token.last_used)) if token.last_used else ""
        ends = self.tr("until {when}").format(when=self._when(token.expires_at)) if token.expires_at else ""
        agent = self.tr("agent {name}").format(name=", ".join(token.agents)) if token.agents else ""
        facts = " · ".join(part for part in (used or self.tr("never used"), ends, agent) if part)
        chips = row(*(Chip(scope) for scope in token.scopes), None, gap=4)
        words = column(Label(token.name, "strong"), chips, Label(facts, "small"), gap=4)
        revoke = self.tr("Revoke")
        button = Button(revoke, lambda: self._revoke(token), variant="danger", name=f"{revoke}: {token.name}")
        return row((words, 1), button, gap=12)

    def _when(self, when: datetime) -> str:
        return moment(self.context.services.clock.local(when))

    def _restart(self) -> None:
        self.context.bridge.call(self, self.context.controls.restart_server).then(self.reload).start()

    def _revoke(self, token: ApiToken) -> None:
        def revoke(_option: bool) -> None:
            revoke_token(self.context, self, token_id=token.id).start()

        ConfirmDialog(
            self.window(),
            title=self.tr("Revoke this token?"),
            text=self.tr("“{name}” can no longer call the server.").format(name=token.name),
            action=self.tr("Revoke"),
            confirmed=revoke,
        ).open()

    def _ask(self) -> None:
        NewTokenDialog(self.context, self.window()).open()


class NewTokenDialog(Dialog):
    """Names a client, chooses its scopes, and shows its secret once."""

    def __init__(self, context: PageContext, window: QWidget) -> None:
        super().__init__(window, QGuiApplication.translate("tokens", "New token"), width=520)
        self.context = context
        self.name = QLineEdit(placeholderText=self.tr("For example: notebook, editor plug-in"))
        self.scopes = {scope: QCheckBox(scope) for scope in SCOPES}
        rights = QGridLayout()
        rights.setHorizontalSpacing(context.theme.px(12))
        for place, (scope, box) in enumerate(self.scopes.items()):
            words = QCoreApplication.translate("scopes", SCOPES[scope])
            box.setChecked(scope not in {"admin", "memory:private"})
            box.setAccessibleDescription(words)
            # As wide as its text: the empty space beside it must not take clicks.
            rights.addWidget(box, place, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            rights.addWidget(Label(words, "muted", wrap=True), place, 1)
        rights.setColumnStretch(1, 1)
        self.all_agents = QCheckBox(self.tr("All agents"))
        self.all_agents.setChecked(True)
        self.all_agents.toggled.connect(self._limit)
        self.agents: dict[str, QCheckBox] = {}
        self._names = ScrollColumn(margins=0, gap=4)
        self._names.setMaximumHeight(context.theme.px(140))
        self._names.hide()
        self.life = Combo(
            self.tr("Valid for"),
            [
                ("30", self.tr("30 days")),
                ("90", self.tr("90 days")),
                ("365", self.tr("1 year")),
                ("", self.tr("no limit")),
            ],
        )
        self.life.set_key("90")
        self.body.addWidget(Field(self.tr("Client"), self.name))
        self.body.addWidget(Label(self.tr("May use"), "strong"))
        self.body.addLayout(rights)
        self.body.addWidget(Label(self.tr("The memory it may reach"), "strong"))
        self.body.addWidget(self.all_agents)
        self.body.addWidget(self._names)
        self.body.addWidget(Field(self.tr("Valid for"), self.life))
        self.action = self.set_action(self.tr("Create"), self._create)
        context.bridge.run(self, context.services.agents.all, self._offer, latest="agents")

    def _offer(self, agents: Sequence[Agent]) -> None:
        for agent in agents:
            self.agents[agent.id] = QCheckBox(agent.name)
            self.agents[agent.id].toggled.connect(self.fault.hide)
            self._names.body.addWidget(self.agents[agent.id])

    def _limit(self, everyone: bool) -> None:
        self.fault.hide()
        self._names.setVisible(not everyone)
        self.fit()

    def _create(self) -> None:
        scopes = [scope for scope, box in self.scopes.items() if box.isChecked()]
        chosen = [agent_id for agent_id, box in self.agents.items() if box.isChecked()]
        everyone = self.all_agents.isChecked()
        if not everyone and not chosen:
            self.fault.setText(self.tr("Choose an agent, or all of them."))
            self.fault.show()
            return
        days = int(self.life.key()) if self.life.key() else None
        op = self.context.bridge.call(
            self, self.context.services.tokens.create, self.name.text(), scopes, None if everyone else chosen, days
        )
        op.failure(self.show_fault).success(lambda made: self._show_secret(made[1])).start()

    def _show_secret(self, secret: str) -> None:
        self.context.bridge.supersede(self, "agents")
        clear(self.body)
        self.fault.hide()
        self.action.hide()
        text = self.tr("Copy it now: only its fingerprint is kept, and it cannot be shown again.")
        self.body.addWidget(Label(text, wrap=True))
        shown = QLineEdit(secret, readOnly=True)
        shown.setAccessibleName(self.tr("Secret"))
        copy = copying(Button(self.tr("Copy"), variant="primary", icon_name="copy"), lambda: secret)
        self.body.addLayout(row(shown, copy))
        self.set_cancel(self.tr("Close"))
        shown.setFocus()
        shown.setSelection(len(secret), -len(secret))
        self.fit()
