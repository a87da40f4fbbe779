"""The end of the log, as in a report: without secrets and content."""

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from memdesk.gui.pages import PageContext
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.layout import column
from memdesk.gui.widgets.states import SectionHead


class LogCard(QFrame):
    """The last lines; new ones are appended, and followed unless the user scrolled away."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.context = context
        self.setProperty("role", "card")
        self.text = QPlainTextEdit(readOnly=True, lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(Theme.current().mono())
        self.text.setAccessibleName(self.tr("Log"))
        self.text.setPlaceholderText(self.tr("Nothing was logged yet."))
        self.text.setTabChangesFocus(True)
        self.text.setFixedHeight(context.theme.px(220))
        head = SectionHead(
            self.tr("Log"),
            self.tr("What memdesk logged about its work. Secrets are blacked out; it never contains what was said."),
            Button(self.tr("Copy log"), self._copy, icon_name="copy"),
        )
        self.setLayout(column(head, self.text, gap=12, margins=16))

    def show_log(self, text: str) -> None:
        if text == self.text.toPlainText():
            return
        bar = self.text.verticalScrollBar()
        at_end = bar.value() >= bar.maximum()
        before = bar.value()
        self.text.setPlainText(text)
        bar.setValue(bar.maximum() if at_end else before)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.context.notices.success(self.tr("The log is on the clipboard"))
