"""How programs use the agent: calls to copy, and one to try."""

from collections.abc import Iterator

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLineEdit, QScrollArea, QWidget

from memdesk.gui.notices import fault_words
from memdesk.gui.operations import agents as operations
from memdesk.gui.operations.programs import server_url
from memdesk.gui.pages import PageContext
from memdesk.gui.rich import code_lines
from memdesk.gui.sliced import Sliced
from memdesk.gui.views.agents.snippets import LANGUAGES, snippet
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.code import CodeBlock
from memdesk.gui.widgets.labels import Label, Role
from memdesk.gui.widgets.layout import column, line, row
from memdesk.gui.widgets.richtext import syntax_colors
from memdesk.gui.widgets.switch import Segments
from memdesk.services.events import ServerChanged


class ProgramCard(Sliced):
    """Calls to the local server in three languages, and a question to try them."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self._context = context
        self._agent_id = ""
        self._url = ""
        self._asking = False

    def build(self) -> Iterator[None]:
        self.language = Segments(list(LANGUAGES), name=self.tr("Language"))
        self.language.changed.connect(lambda _key: self._show_snippet())
        yield
        self.code = CodeBlock()
        self._context.theme.changed.connect(self._show_snippet)
        yield
        self.question = QLineEdit(self.tr("What do you remember about me?"))
        self.question.setAccessibleName(self.tr("Question to try"))
        self.go = Button(self.tr("Try it"), self.ask, icon_name="play")
        self.question.textEdited.connect(lambda _text: self._show_snippet())
        self.question.returnPressed.connect(self.go.click)
        ask = row((self.question, 1), self.go)
        self.answer = Label("", wrap=True, selectable=True)
        self.answer.hide()
        self.turn_on = Button(self.tr("Turn the server on"), self._turn_on, icon_name="server")
        self.turn_on.hide()
        self.setLayout(
            column(row(self.language, None), self.code, line(), ask, self.answer, row(self.turn_on, None), gap=12)
        )
        self._context.bridge.on(ServerChanged, lambda _event: self.refresh(), owner=self)

    def show_agent(self, agent_id: str) -> None:
        self._agent_id = agent_id
        self.answer.hide()
        self.turn_on.hide()
        self.refresh()

    def refresh(self) -> None:
        """Update the server's URL in the call."""
        self._url = server_url(self._context)
        self._show_snippet()

    def _show_snippet(self) -> None:
        language = self.language.value()
        source = snippet(language, self._url, self._agent_id, self.question.text())
        lexer = "bash" if language == "curl" else language
        self.code.show_code(source, dict(LANGUAGES)[language], code_lines(source, lexer, syntax_colors()))

    def ask(self) -> None:
        """Send the question over HTTP and show the answer; one at a time."""
        if self._asking:
            return
        # The button stays enabled: disabling it would move the focus elsewhere.
        self._asking = True
        self._say(self.tr("Asking over HTTP…"), "muted")
        self.turn_on.hide()
        op = operations.try_over_http(self._context, self, agent_id=self._agent_id, text=self.question.text())
        op.success(self._say).failure(self._failed)
        op.ended(self._ended).start()

    def _ended(self) -> None:
        self._asking = False

    def _failed(self, error: Exception) -> None:
        self._say(fault_words(error), "danger")
        self.turn_on.setVisible(isinstance(error, operations.ServerOffError))

    def _turn_on(self) -> None:
        self.go.setFocus()
        self.turn_on.hide()
        operations.turn_server_on(self._context, self).then(self.ask).failure(self._failed).start()

    def _say(self, text: str, role: Role = "") -> None:
        self.answer.set_role(role)
        self.answer.setText(text)
        self.answer.show()
        QTimer.singleShot(0, self, self._show_answer)

    def _show_answer(self) -> None:
        """Scroll to the answer, once it is laid out."""
        area: QWidget | None = self
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None:
            area.ensureWidgetVisible(self.answer)
