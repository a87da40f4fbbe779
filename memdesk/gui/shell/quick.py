"""Quick entry: a small separate window for a question or something to remember."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QLayout, QWidget

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.models import Agent
from memdesk.gui.models.chat import DEFAULT_AGENT
from memdesk.gui.notices import fault_words
from memdesk.gui.operations.facts import Added, add_fact, warm_up
from memdesk.gui.pages import PageContext
from memdesk.gui.theme import Theme
from memdesk.gui.tray import app_icon
from memdesk.gui.widgets.announcing import announce
from memdesk.gui.widgets.buttons import ENTER, Button
from memdesk.gui.widgets.forms import Combo, TextArea
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column, row

#: The draft's name, beside those of conversations, until it is asked or remembered.
PLACE = "quick"
#: Width of the field, in px at 100 %.
WIDTH = 500
#: Pause in typing after which the draft is stored, in ms.
KEEP_AFTER_MS = 800


class QuickEntry(QWidget):
    """Text, agent, "Ask" and "Remember this". ``asked`` has ``(agent id, text)``; Esc closes and keeps the draft."""

    asked = Signal(str, str)

    def __init__(self, context: PageContext) -> None:
        super().__init__(None, Qt.WindowType.Window | Qt.WindowType.WindowStaysOnTopHint)
        self._context = context
        #: The stored draft; None until known.
        self._kept: str | None = None
        self.setWindowTitle(self.tr("Quick entry"))
        self.setWindowIcon(app_icon())
        self.editor = _Words(self.tr("A question, or something to remember"))
        self.editor.textChanged.connect(self._changed)
        self.editor.entered.connect(self.ask)
        self.agents = Combo(self.tr("Agent"), [(DEFAULT_AGENT, self.tr("Assistant"))], snug=True)
        self.state = Label("", "small", wrap=True)
        self.state.hide()
        self.remember = Button(self.tr("Remember this"), self.keep, icon_name="bookmark-plus")
        self.ask_button = Button(self.tr("Ask"), self.ask, variant="primary")
        foot = row(self.agents, None, self.remember, self.ask_button)
        self.editor.setFixedWidth(Theme.current().px(WIDTH))
        box = column(self.editor, self.state, foot, margins=12)
        # As high as its content.
        box.setSizeConstraint(QLayout.SizeConstraint.SetFixedSize)
        self.setLayout(box)
        self._rest = QTimer(self, singleShot=True, interval=KEEP_AFTER_MS)
        self._rest.timeout.connect(self._keep_words)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close)
        self._changed()

    def come(self) -> None:
        """Show it in front, with its draft and the focus."""
        self.show()
        self.raise_()
        self.activateWindow()
        self.editor.setFocus()
        warm_up(self._context, self)
        services = self._context.services
        self._context.bridge.run(
            self,
            lambda: (services.agents.all(), services.conversations.draft(DEFAULT_AGENT, PLACE).text),
            self._fill,
            self._show_fault,
            latest="fill",
        )

    def _fill(self, found: tuple[list[Agent], str]) -> None:
        agents, kept = found
        self.agents.set_options([(agent.id, agent.name) for agent in agents])
        if self._kept is None and not self._words():
            self.editor.setPlainText(kept)
            self.editor.selectAll()
        self._kept = kept

    def _words(self) -> str:
        return self.editor.toPlainText().strip()

    def _changed(self) -> None:
        written = bool(self._words())
        self.remember.setEnabled(written)
        self.ask_button.setEnabled(written)
        if written:
            self.state.hide()
        self._rest.start()

    # -- what it is for ----------------------------------------------------------------

    def ask(self) -> None:
        """Ask the question in a new chat of the agent."""
        words = self._words()
        if words:
            self._done()
            self.close()
            self.asked.emit(self.agents.key(), words)

    def keep(self) -> None:
        """Store the text as a fact by the user; it stays in the field until stored."""
        words = self._words()
        if not words:
            return
        self.remember.setEnabled(False)
        op = add_fact(self._context, self, agent_id=self.agents.key(), content=words)
        op.success(self._remembered).failure(self._show_fault).start()

    def _remembered(self, added: Added) -> None:
        self._done()
        words = self.tr("Already known: {fact}") if added.known else self.tr("Remembered: {fact}")
        self._say(words.format(fact=added.fact.content))
        self.editor.setFocus()

    def _show_fault(self, error: Exception) -> None:
        self._say(fault_words(error))
        self.remember.setEnabled(bool(self._words()))

    def _say(self, words: str) -> None:
        self.state.setText(words)
        self.state.show()
        announce(self.state, words)

    # -- what is written ---------------------------------------------------------------

    def _done(self) -> None:
        self.editor.clear()
        self._keep_words()

    def _keep_words(self) -> None:
        self._rest.stop()
        words = self._words()
        if words == (self._kept or ""):
            return
        self._kept = words
        conversations = self._context.services.conversations
        self._context.bridge.run(
            self, lambda: conversations.save_draft(DEFAULT_AGENT, PLACE, Draft(words)), latest="keep"
        )

    def closeEvent(self, event: QCloseEvent) -> None:
        """Store the draft; nothing of it stays in a widget."""
        self._keep_words()
        self._rest.stop()
        self.editor.blockSignals(True)
        self.editor.clear()
        self.editor.blockSignals(False)
        self._kept = None
        self.state.hide()
        super().closeEvent(event)


class _Words(TextArea):
    """Enter asks, Shift+Enter inserts a line break, as in the composer."""

    entered = Signal()

    def __init__(self, name: str) -> None:
        super().__init__(rows=3, name=name)
        self.setPlaceholderText(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.entered.emit()
            return
        super().keyPressEvent(event)
