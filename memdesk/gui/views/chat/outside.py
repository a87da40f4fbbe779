"""Calls of other programs' tools in an answer: permission, arguments and results."""

from functools import partial

from PySide6.QtWidgets import QWidget

from memdesk.gui.text import said
from memdesk.gui.views.chat.thinking import ThinkingBox
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import clear, column, flowing, row
from memdesk.services.chatting import ToolAsked, ToolUsed
from memdesk.services.tools import Verdict


class ToolRow(QWidget):
    """One call: the question with its arguments and three answers, then one line that expands to the result."""

    def __init__(self, call: ToolAsked | ToolUsed) -> None:
        super().__init__()
        self._body = column(gap=6)
        self.setLayout(self._body)
        self.show_call(call)

    def show_call(self, call: ToolAsked | ToolUsed) -> None:
        clear(self._body)
        if isinstance(call, ToolAsked):
            self._ask(call)
        else:
            self._tell(call)

    def _ask(self, call: ToolAsked) -> None:
        words = self.tr("May “{tool}” of {server} be used with this?").format(tool=call.tool, server=call.server)
        self._body.addWidget(Label(words, "strong", wrap=True))
        self._body.addWidget(_box(call.arguments, self.tr("What is sent")))
        if call.reason:
            self._body.addWidget(Label(said(call.reason), "small", wrap=True))
        answers: tuple[tuple[str, Verdict], ...] = (
            (self.tr("Allow once"), "once"),
            (self.tr("Always allow this tool"), "always"),
            (self.tr("Deny"), "deny"),
        )
        self.buttons = [
            Button(
                text,
                partial(self._say, call, verdict),
                variant="primary" if verdict == "once" else "",
                name=f"{text}: {call.tool}",
            )
            for text, verdict in answers
            # It is already permanently allowed.
            if not (call.reason and verdict == "always")
        ]
        self._body.addWidget(flowing(*self.buttons))

    def _say(self, call: ToolAsked, verdict: Verdict) -> None:
        for button in self.buttons:
            button.setEnabled(False)
        call.answer(verdict)

    def _tell(self, call: ToolUsed) -> None:
        if not call.allowed:
            words = self.tr("“{tool}” of {server} was not allowed")
        elif call.failed:
            words = self.tr("“{tool}” of {server} failed")
        else:
            words = self.tr("Used “{tool}” of {server}")
        self.fold = Button(
            words.format(tool=call.tool, server=call.server),
            lambda: self._turn(call),
            variant="ghost",
            icon_name="chevron-right",
        )
        self._details: QWidget | None = None
        self._body.addLayout(row(self.fold, None))

    def _turn(self, call: ToolUsed) -> None:
        if self._details is None:
            self._details = QWidget()
            sent, back = self.tr("What is sent"), self.tr("What came back")
            self._details.setLayout(
                column(
                    Label(sent, "small"), _box(call.arguments, sent), Label(back, "small"), _box(call.text, back), gap=4
                )
            )
            self._body.addWidget(self._details)
            self._details.show()
        else:
            self._details.setVisible(self._details.isHidden())
        self.fold.set_icon("chevron-right" if self._details.isHidden() else "chevron-down")


def _box(text: str, name: str) -> ThinkingBox:
    box = ThinkingBox(name)
    box.add(text)
    return box
