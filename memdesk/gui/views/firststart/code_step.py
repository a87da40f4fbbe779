"""Step one: create the vault, and have the user keep the recovery code."""

import random
from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QLineEdit

from memdesk.gui.notices import fault_words
from memdesk.gui.operations import vault as operations
from memdesk.gui.pages import PageContext
from memdesk.gui.views.firststart.step import Step, reveal
from memdesk.gui.widgets.buttons import Button, set_property
from memdesk.gui.widgets.copying import copying
from memdesk.gui.widgets.files import ask_place
from memdesk.gui.widgets.forms import Field, SecretEdit
from memdesk.gui.widgets.labels import IconLabel, Label
from memdesk.gui.widgets.layout import clear, column, row

#: Groups of a code, and how many of them the user retypes.
GROUPS, ASKED = 7, 3
#: Error codes after which a passphrase replaces the keyring.
WITHOUT_KEYRING = frozenset({"no_keyring", "keyring_unavailable"})


class CodeStep(Step):
    """Shows the code once, to copy, save and print, and asks for three of its groups."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.introduce(
            self.tr("Recovery code"),
            self.tr("Keep this code"),
            self.tr(
                "Your memory is encrypted on this computer. The key is in its keyring; if that is ever lost, "
                "this code is the only way back. Nobody else has it, and it is not shown again."
            ),
        )
        self.ready = False
        self.may_skip = False
        self.skip_words = self.tr("Confirm later")
        self.code = ""
        self._area = column(gap=14)
        self.body.addLayout(self._area)
        self.body.addWidget(self.fault)
        self._asked: dict[int, QLineEdit] = {}

    def enter(self) -> None:
        """Create the vault if there is none; an unconfirmed code is replaced by a new one."""
        if not self.code:
            self._fetch()

    def _fetch(self, *, anew: bool = False) -> None:
        self._keep_place()
        op = operations.fresh_code(self.context, self, passphrase=None, anew=anew)
        op.success(self._show).failure(lambda error: self._refused(error, anew=anew)).start()

    def _keep_place(self) -> None:
        """Show a placeholder for the code while the key is created: seconds on a slow machine."""
        clear(self._area)
        words = self.tr("Creating your key…")
        card = self._card(["••••"] * GROUPS)
        card.setAccessibleName(words)
        card.setEnabled(False)
        self._area.addWidget(card)
        self._area.addWidget(Label(words, "muted"))
        self.show_fault("")
        self.ready = self.may_skip = False
        self.changed.emit()

    def leave(self) -> None:
        self.code = ""
        clear(self._area)
        self._asked.clear()

    def finish(self, done: Callable[[], object], refused: Callable[[], object]) -> None:
        """Check the groups that were typed."""
        words = {place: edit.text() for place, edit in self._asked.items()}
        if not self.code:
            done()
            return

        def judged(right: bool) -> None:
            if right:
                done()
                return
            self.show_fault(self.tr("Not every group matches. Compare them with the code you kept."))
            refused()

        def failed(error: Exception) -> None:
            self._say(error)
            refused()

        self.context.bridge.call(self, self.context.services.vault.confirm_recovery, words).success(judged).failure(
            failed
        ).start()

    # -- no keyring ----------------------------------------------------------------------

    def _refused(self, error: Exception, *, anew: bool) -> None:
        clear(self._area)
        # A full or read-only disk is an EnvironmentFault too, but a passphrase does not help then.
        without = getattr(error, "code", "") in WITHOUT_KEYRING
        words = self.tr("Look for a keyring again") if without else self.tr("Try again")
        again = Button(words, lambda: self._fetch(anew=anew))
        if not without:
            self._say(error)
            self._area.addLayout(row(again, None))
            return
        self.heading.setText(self.tr("Choose a passphrase"))
        self.text.setText(
            self.tr("Your memory is encrypted on this computer. A passphrase opens it, and a code that you see next.")
        )
        first, second = SecretEdit(), SecretEdit()
        make = Button(self.tr("Create the memory"), variant="primary")
        make.setEnabled(False)

        def check(*, left: bool = False) -> None:
            same = first.text() == second.text()
            make.setEnabled(len(first.text()) >= 8 and same)
            # While it is typed, not before the same length: until then they always differ.
            typed = bool(second.text()) and (left or len(second.text()) >= len(first.text()))
            self.show_fault(self.tr("The two do not match.") if typed and not same else "")

        def create() -> None:
            make.setEnabled(False)
            op = operations.fresh_code(self.context, self, passphrase=first.text())
            op.success(self._show).failure(self._say).ended(check).start()

        for edit in (first, second):
            edit.textChanged.connect(check)
        # Also on Enter, where the button does nothing yet.
        second.editingFinished.connect(lambda: check(left=True))
        make.clicked.connect(create)
        first.returnPressed.connect(second.setFocus)
        second.returnPressed.connect(make.click)
        words = self.tr(
            "This computer has no keyring that answers, so a passphrase protects the key. You are asked for it at each start."
        )
        self._area.addWidget(Label(words, wrap=True))
        self._area.addWidget(Field(self.tr("Passphrase, 8 characters or more"), first))
        self._area.addWidget(Field(self.tr("Repeat the passphrase"), second))
        # A keyring that was locked, or not started yet, may answer now.
        self._area.addLayout(row(make, again, None))
        first.setFocus()

    def _say(self, error: Exception) -> None:
        self.show_fault(fault_words(error))

    # -- the code ------------------------------------------------------------------------

    def _show_kept(self) -> None:
        clear(self._area)
        line = row(
            IconLabel("circle-check", "success", 18),
            (Label(self.tr("You have confirmed the code. It is not shown again."), wrap=True), 1),
            gap=10,
        )
        self._area.addLayout(line)
        words = self.tr("Make a new code instead")
        self._area.addLayout(row(Button(words, lambda: self._fetch(anew=True), icon_name="rotate-ccw"), None))
        self.ready, self.may_skip = True, False
        self.changed.emit()

    def _show(self, made: tuple[str, bool]) -> None:
        code, with_passphrase = made
        if not code:
            self._show_kept()
            return
        self.ready = False
        self.heading.setText(self.tr("Keep this code"))
        if with_passphrase:
            self.text.setText(
                self.tr(
                    "Your memory is encrypted on this computer. If you forget the passphrase, this code is the only "
                    "way back. Nobody else has it, and it is not shown again."
                )
            )
        self.code = code
        self.show_fault("")
        clear(self._area)
        groups = code.split("-") if "-" in code else code.split()
        card = self._card(groups)
        card.setAccessibleName(self.tr("Recovery code: {code}").format(code=" ".join(groups)))
        self._area.addWidget(card)
        self._area.addLayout(
            row(
                copying(Button(self.tr("Copy"), icon_name="copy"), lambda: self.code),
                Button(self.tr("Save as file…"), self._save, icon_name="save"),
                Button(self.tr("Print…"), self._print, icon_name="printer"),
                None,
            )
        )
        asked = sorted(random.SystemRandom().sample(range(len(groups)), min(ASKED, len(groups))))
        self._area.addSpacing(6)
        self._area.addWidget(Label(self.tr("Confirm that you have it: type these groups."), "strong", wrap=True))
        fields = row(gap=12)
        for place in asked:
            edit = QLineEdit(maxLength=12)
            edit.textChanged.connect(self._typed)
            self._asked[place] = edit
            fields.addWidget(Field(self.tr("Group {n}").format(n=place + 1), edit))
        fields.addStretch(1)
        self._area.addLayout(fields)
        self._asked[asked[0]].setFocus()
        self.may_skip = True
        self.changed.emit()
        reveal(card)

    def _card(self, groups: list[str]) -> QFrame:
        frame = QFrame()
        frame.setProperty("role", "card")
        grid = QGridLayout(frame)
        px = self.context.theme.px
        grid.setContentsMargins(px(20), px(16), px(20), px(16))
        grid.setSpacing(px(10))
        across = 4
        for place, group in enumerate(groups):
            number = Label(str(place + 1), "small")
            number.setFixedWidth(px(10))
            word = Label(group, "mono", selectable=True)
            font = self.context.theme.mono("f_l")
            font.setBold(True)
            word.setFont(font)
            set_property(word, "role", "")
            word.setStyleSheet(f"font-family: monospace; font-size: {self.context.theme.text_px('f_l')}px;")
            cell = row(number, word, None)
            grid.addLayout(cell, place // across, place % across)
        return frame

    def _sheet(self) -> str:
        words = self.tr(
            "memdesk recovery code\n\n{code}\n\n"
            "This code opens your memory when nothing else does. "
            "Whoever has it and your files can read everything. Keep it away from this computer."
        )
        return words.format(code=self.code)

    def _save(self) -> None:
        sheet = self._sheet()

        def write(path: str) -> None:
            operations.write_private(self.context, self, path=path, text=sheet).start()

        ask_place(self.window(), self.tr("Save the recovery code"), write, "memdesk recovery code.txt")

    def _print(self) -> None:
        from PySide6.QtGui import QTextDocument
        from PySide6.QtPrintSupport import QPrintDialog

        dialog = QPrintDialog(self.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        document = QTextDocument(self._sheet(), dialog)
        dialog.accepted.connect(lambda: document.print_(dialog.printer()))
        QDialog.open(dialog)

    def _typed(self) -> None:
        self.ready = all(edit.text().strip() for edit in self._asked.values())
        self.show_fault("")
        self.changed.emit()
