"""Privacy: where the memory is, what opens it, the recovery drill, backup, lock, and forgetting everything."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from memdesk.gui.operations.forgetting import ask_forget
from memdesk.gui.operations.settings import back_up, export_all
from memdesk.gui.pages import PageContext
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.copying import copying
from memdesk.gui.widgets.dialog import ConfirmDialog, Dialog
from memdesk.gui.widgets.files import ask_place
from memdesk.gui.widgets.forms import Field, SecretEdit
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import clear, column, line, row
from memdesk.gui.widgets.options import WordsLine
from memdesk.gui.widgets.states import SectionHead
from memdesk.gui.words import server_of
from memdesk.services.forgetting import ForgetTarget


def _line(title: str, text: str, *buttons: QWidget) -> QWidget:
    """Return a description of an action with its buttons."""
    return WordsLine(column(Label(title, "strong"), Label(text, "muted", wrap=True), gap=2), *buttons, gap=16)


class VaultCard(QFrame):
    """Keys and copies of the encrypted memory."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.context = context
        self.setProperty("role", "card")
        head = SectionHead(self.tr("Encryption and copies"), self._where_it_is())
        self.phrase = Button(self.tr("Set passphrase"), self._ask_passphrase)
        parts = (
            _line(
                self.tr("Recovery code"),
                self.tr("Opens the memory when nothing else does. Try yours now and then."),
                Button(self.tr("Try it"), self._drill),
                Button(self.tr("New code"), self._confirm_new_code),
            ),
            _line(
                self.tr("Passphrase"),
                self.tr("A second way to open the memory, for example on a server without a keyring."),
                self.phrase,
            ),
            _line(
                self.tr("Backup"),
                self.tr("One encrypted file; your recovery code opens it."),
                Button(self.tr("Restore"), lambda: context.commands.run("app.restore"), icon_name="archive-restore"),
                Button(self.tr("Back up"), lambda: context.commands.run("vault.back_up"), icon_name="download"),
            ),
            _line(
                self.tr("Export everything"),
                self.tr("One ZIP of JSON and Markdown, not encrypted; importing it brings everything back."),
                Button(self.tr("Export"), lambda: context.commands.run("vault.export"), icon_name="upload"),
            ),
            _line(
                self.tr("Chats from other apps"),
                self.tr(
                    "Exports from ChatGPT, Claude, Gemini, Grok, Open WebUI, LM Studio, Jan, LibreChat, AnythingLLM and Osaurus, plain JSON and Markdown."
                ),
                Button(self.tr("Import"), lambda: context.commands.run("chat.import"), icon_name="import"),
            ),
            _line(
                self.tr("Lock"),
                self.tr("Drops the keys, unloads the models and blanks the window. The server answers 'locked'."),
                Button(self.tr("Lock now"), lambda: context.commands.run("app.lock"), icon_name="lock"),
            ),
            _line(
                self.tr("Forget everything"),
                self.tr("Every conversation, fact and episode of every agent. It cannot be undone."),
                Button(self.tr("Forget everything"), self._forget_everything, variant="danger", icon_name="trash-2"),
            ),
        )
        box = column(head, gap=12, margins=16)
        for part in parts:
            box.addWidget(line())
            box.addWidget(part)
        self.setLayout(box)

    def _where_it_is(self) -> str:
        """Say where the memory is, and which servers get parts of it."""
        here = self.tr("Everything remembered is in one encrypted database on this disk.")
        settings = self.context.services.settings.current
        used = (settings.engine.chat_model, settings.memory.core_model)
        servers = sorted({server_of(model_id) for model_id in used if server_of(model_id)})
        if settings.memory.qdrant_enabled and settings.memory.qdrant_address:
            copied = self.tr("Vectors of programs' entries are copied to {place}.")
            here += " " + copied.format(place=settings.memory.qdrant_address)
        elif not servers:
            here += " " + self.tr("Nothing is sent anywhere.")
        if not servers:
            return here
        away = self.tr("What you ask models on {servers}, memories included, is sent there.")
        return f"{here} {away.format(servers=', '.join(servers))}"

    def _drill(self) -> None:
        DrillDialog(self.context, self.window()).open()

    def _ask_passphrase(self) -> None:
        PassphraseDialog(self.context, self.window()).open()

    def _confirm_new_code(self) -> None:
        ConfirmDialog(
            self.window(),
            title=self.tr("Make a new recovery code?"),
            text=self.tr("The current one will then open only older backups."),
            action=self.tr("New code"),
            danger=False,
            confirmed=lambda _option: self._new_code(),
        ).open()

    def _new_code(self) -> None:
        op = self.context.bridge.call(self, self.context.services.vault.new_recovery_code)
        op.success(lambda code: NewCodeDialog(self.window(), code).open()).start()

    def _forget_everything(self) -> None:
        ask_forget(
            self.context,
            self,
            target=ForgetTarget(kind="everything"),
            title=self.tr("Forget everything?"),
            text=self.tr("Agents and settings stay; everything said and learned is deleted."),
        )


def ask_back_up(context: PageContext, parent: QWidget) -> None:
    title, name = QGuiApplication.translate("vault", "Back up to"), _dated(context, "memdesk-backup")
    ask_place(parent, title, lambda path: back_up(context, parent, path=path).start(), name)


def ask_export(context: PageContext, parent: QWidget) -> None:
    title, name = QGuiApplication.translate("vault", "Export to"), _dated(context, "zip")
    ask_place(parent, title, lambda path: export_all(context, parent, path=path).start(), name)


def _dated(context: PageContext, suffix: str) -> str:
    return f"memdesk-{context.services.clock.now():%Y-%m-%d}.{suffix}"


class DrillDialog(Dialog):
    """Tests a recovery code without changing anything."""

    def __init__(self, context: PageContext, parent: QWidget) -> None:
        super().__init__(parent, QGuiApplication.translate("vault", "Try your recovery code"))
        self.context = context
        self.code = QLineEdit()
        self.verdict = Label("", wrap=True)
        self.body.addWidget(Field(self.tr("Recovery code"), self.code, self.tr("Spaces and dashes do not matter.")))
        self.body.addWidget(self.verdict)
        self.set_action(self.tr("Try"), self._try)
        self.set_cancel(self.tr("Close"))

    def _try(self) -> None:
        op = self.context.bridge.call(self, self.context.services.vault.verify_recovery, self.code.text())
        op.failure(self.show_fault).success(self._show).start()

    def _show(self, fits: bool) -> None:
        self.fault.hide()
        self.verdict.set_role("success" if fits else "danger")
        self.verdict.setText(
            self.tr("It works: this code opens your memory.")
            if fits
            else self.tr("It does not match. Check for typos; if you lost it, make a new code now.")
        )


class PassphraseDialog(Dialog):
    """Sets or removes the passphrase."""

    def __init__(self, context: PageContext, parent: QWidget) -> None:
        super().__init__(parent, QGuiApplication.translate("vault", "Passphrase"))
        self.context = context
        self.first, self.second = SecretEdit(), SecretEdit()
        for edit in (self.first, self.second):
            edit.textChanged.connect(lambda _text: self._compare())
        self.body.addWidget(Field(self.tr("New passphrase"), self.first, self.tr("Empty removes it.")))
        self.body.addWidget(Field(self.tr("Again"), self.second))
        self.set_action(self.tr("Save"), self._save)

    def _compare(self, *, whole: bool = False) -> bool:
        """Say that the two differ: once the same length was typed, or always with ``whole``."""
        first, second = self.first.text(), self.second.text()
        differ = first != second and (whole or len(second) >= len(first) > 0)
        self.fault.setText(self.tr("The two do not match.") if differ else "")
        self.fault.setVisible(differ)
        return not differ

    def _save(self) -> None:
        if not self._compare(whole=True):
            return
        op = self.context.bridge.call(self, self.context.services.vault.set_passphrase, self.first.text() or None)
        op.failure(self.show_fault).then(self._done).start()

    def _done(self) -> None:
        self.context.notices.success(self.tr("The passphrase was changed"))
        self.accept()


class NewCodeDialog(Dialog):
    """Shows a new recovery code, once."""

    def __init__(self, parent: QWidget, code: str) -> None:
        super().__init__(parent, QGuiApplication.translate("vault", "Your new recovery code"))
        clear(self.body)
        text = self.tr("Write it down and keep it away from this machine. It is not shown again.")
        shown = Label(code, "code", wrap=True, selectable=True)
        copy = copying(Button(self.tr("Copy"), icon_name="copy"), lambda: code)
        self.body.addWidget(Label(text, wrap=True))
        self.body.addWidget(shown)
        self.body.addLayout(row(copy, None))
        self.set_cancel(self.tr("I have kept it"))
