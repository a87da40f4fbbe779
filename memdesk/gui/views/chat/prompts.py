"""The composer's prompt library: chosen after a slash or from the button, filled in, stored and edited."""

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QPlainTextEdit, QWidget

from memdesk.domain.chatting.prompts import Prompt
from memdesk.gui.icons import icon
from memdesk.gui.pages import PageContext
from memdesk.gui.shell.fuzzy import score
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import ENTER, Button, IconButton
from memdesk.gui.widgets.dialog import ConfirmDialog, Dialog
from memdesk.gui.widgets.forms import Field, TextArea
from memdesk.gui.widgets.labels import ElidedLabel, Label
from memdesk.gui.widgets.layout import boxed, clear, column, row

MOST_ROWS: Final = 8
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_PROMPT = Qt.ItemDataRole.UserRole


class PromptPicker(QListWidget):
    """The prompts that match text after a slash; the focus stays in the editor.

    ``chosen`` has a prompt, and whether it was searched after a slash; ``managed``: show the library.
    """

    chosen = Signal(object, bool)
    managed = Signal()

    def __init__(self, context: PageContext, editor: QPlainTextEdit) -> None:
        super().__init__()
        self._context, self._editor = context, editor
        self.prompts: list[Prompt] = []
        self._searching = False
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setProperty("role", "plain")
        self.setIconSize(QSize(Theme.current().px(14), Theme.current().px(14)))
        self.setAccessibleName(self.tr("Prompts"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemClicked.connect(self._take)
        # The focus stays in the editor, so the selection is its accessible description.
        self.currentTextChanged.connect(editor.setAccessibleDescription)
        editor.installEventFilter(self)
        editor.textChanged.connect(self._typed)
        self.hide()

    def load(self) -> None:
        self._context.bridge.run(self, self._context.services.prompts.all, self._know, latest="prompts")

    def _know(self, prompts: list[Prompt]) -> None:
        self.prompts = prompts

    def toggle(self) -> None:
        """Show all prompts and the way to edit them, or hide them."""
        if self.isVisible():
            self.hide()
        else:
            self._offer(self.prompts, library=True)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the editor's keys control the list while it is shown."""
        if self.isVisible() and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            key = Qt.Key(event.key())
            if key in _STEPS:
                self.setCurrentRow((self.currentRow() + _STEPS[key]) % self.count())
                return True
            if key in ENTER or key == Qt.Key.Key_Tab:
                self._take(self.currentItem())
                return True
            if key == Qt.Key.Key_Escape:
                self.hide()
                return True
        return super().eventFilter(watched, event)

    def _typed(self) -> None:
        text = self._editor.toPlainText()
        fitting: list[Prompt] = []
        if text.startswith("/") and "\n" not in text:
            scored = [(score(text[1:], prompt.name), prompt) for prompt in self.prompts]
            fitting = [prompt for worth, prompt in sorted(scored, key=lambda one: -one[0]) if worth]
        self._offer(fitting)

    def _offer(self, prompts: list[Prompt], *, library: bool = False) -> None:
        self.clear()
        self._searching = not library
        for prompt in prompts:
            item = QListWidgetItem(icon("quote"), prompt.name)
            item.setToolTip(prompt.text[:500])
            item.setData(_PROMPT, prompt)
            self.addItem(item)
        if library:
            self.addItem(QListWidgetItem(icon("pencil"), self.tr("Edit prompts…")))
        self.setCurrentRow(0)
        rows = min(self.count(), MOST_ROWS, max(2, self.window().height() // Theme.current().px(120)))
        self.setFixedHeight(rows * max(self.sizeHintForRow(0), 1) + 2 * self.frameWidth())
        self.setVisible(self.count() > 0)

    def _take(self, item: QListWidgetItem) -> None:
        self.hide()
        prompt = item.data(_PROMPT)
        if prompt is None:
            self.managed.emit()
        else:
            self.chosen.emit(prompt, self._searching)


class FillDialog(Dialog):
    """Asks for the values of a prompt's placeholders; ``filled`` is called with the text."""

    def __init__(self, parent: QWidget, prompt: Prompt, filled: Callable[[str], object]) -> None:
        super().__init__(parent, prompt.name, width=460)
        self.fields = {name: QLineEdit() for name in prompt.variables}
        for name, edit in self.fields.items():
            self.body.addWidget(Field(name, edit))

        def fill() -> None:
            self.accept()
            filled(prompt.filled({name: edit.text().strip() for name, edit in self.fields.items()}))

        self.set_action(self.tr("Insert"), fill)


class PromptDialog(Dialog):
    """A new or existing prompt; ``saved`` is called once it is stored."""

    def __init__(
        self, parent: QWidget, context: PageContext, saved: Callable[[], object], prompt: Prompt | None = None, text: str = ""
    ) -> None:  # fmt: skip
        super().__init__(parent, self.tr("Edit prompt") if prompt else self.tr("New prompt"), width=520)
        self.name = QLineEdit(prompt.name if prompt else "")
        self.text = TextArea(prompt.text if prompt else text, rows=8)
        self.body.addWidget(Field(self.tr("Name"), self.name))
        self.body.addWidget(Field(self.tr("Prompt"), self.text))
        words = self.tr("Words in braces are asked for each time, as in: Explain {topic} to a {reader}.")
        self.body.addWidget(Label(words, "small", wrap=True))
        prompts, known = context.services.prompts, prompt.id if prompt else None

        def save() -> None:
            name, words = self.name.text(), self.text.toPlainText()
            context.bridge.run(self, lambda: prompts.put(name, words, known), stored, self.show_fault)

        def stored(_prompt: Prompt) -> None:
            self.accept()
            saved()

        self.set_action(self.tr("Save"), save)


class LibraryDialog(Dialog):
    """Every prompt, to edit or delete; ``changed`` is called after each change."""

    def __init__(self, parent: QWidget, context: PageContext, changed: Callable[[], object], text: str = "") -> None:
        super().__init__(parent, self.tr("Prompts"), width=520)
        self._window, self._context, self._changed, self._text = parent, context, changed, text
        words = self.tr("Prompts that you use again. Write / in an empty message to insert one.")
        self._rows = column(gap=4)
        self.body.addWidget(Label(words, "small", wrap=True))
        self.body.addLayout(self._rows)
        new = Button(self.tr("New prompt"), lambda: self.edit(None), icon_name="plus")
        self.foot.insertWidget(0, new)
        self.set_cancel(self.tr("Close"))
        self._load()

    def _load(self) -> None:
        self._context.bridge.run(self, self._context.services.prompts.all, self._show, self.show_fault)

    def _show(self, prompts: list[Prompt]) -> None:
        clear(self._rows)
        if not prompts:
            self._rows.addWidget(Label(self.tr("No prompts yet"), "muted"))
        for prompt in prompts:
            named = f"{prompt.name}: "
            line = row(
                (column_of(prompt), 1),
                IconButton("pencil", named + self.tr("Edit"), partial(self.edit, prompt)),
                IconButton("trash-2", named + self.tr("Delete"), partial(self._ask_delete, prompt)),
                gap=4,
            )
            self._rows.addLayout(line)
        self.fit()

    def edit(self, prompt: Prompt | None) -> None:
        """Create or edit a prompt."""
        PromptDialog(self._window, self._context, self._stored, prompt, self._text).open()

    def _stored(self) -> None:
        self._load()
        self._changed()

    def _ask_delete(self, prompt: Prompt) -> None:
        prompts = self._context.services.prompts

        def delete(_option: bool) -> None:
            self._context.bridge.run(
                self, lambda: prompts.delete(prompt.id), lambda _none: self._stored(), self.show_fault
            )

        ConfirmDialog(
            self._window,
            title=self.tr("Delete this prompt?"),
            text=self.tr("“{title}” cannot be brought back.").format(title=prompt.name),
            action=self.tr("Delete"),
            confirmed=delete,
        ).open()


def column_of(prompt: Prompt) -> QWidget:
    """Return a prompt's name and text as two lines."""
    return boxed(column(ElidedLabel(prompt.name, "strong"), ElidedLabel(prompt.text, "small"), gap=0))
