"""The composer: text, attached files and pictures, agent, model, memory, send and stop."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QToolButton

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.chatting.images import IMAGE_TOKENS
from memdesk.domain.chatting.prompts import Prompt
from memdesk.domain.language.text import estimate_tokens
from memdesk.gui.commands import Command
from memdesk.gui.icons import icon
from memdesk.gui.models.chat import Fullness
from memdesk.gui.pages import PageContext
from memdesk.gui.theme import Theme
from memdesk.gui.views.chat.attached import AttachedFiles
from memdesk.gui.views.chat.choices import Choices
from memdesk.gui.views.chat.dictation import Dictation
from memdesk.gui.views.chat.editor import Editor
from memdesk.gui.views.chat.meter import ContextMeter
from memdesk.gui.views.chat.prompts import FillDialog, LibraryDialog, PromptPicker
from memdesk.gui.widgets.announcing import announce
from memdesk.gui.widgets.buttons import IconButton, set_property
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import column, row

#: Pause after which the draft is stored, in ms; a killed process loses no more.
DRAFT_MS = 400


class Composer(QFrame):
    """Signals ``sent`` and ``draft_changed`` with a :class:`Draft`, and ``stopped``."""

    sent = Signal(object)
    stopped = Signal()
    draft_changed = Signal(object)

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.setObjectName("composer")
        # The text and Send stay visible whatever else is shown.
        self.setProperty("uncovered", True)
        self._context = context
        self._busy = False
        #: The chosen model's name if it cannot see pictures.
        self._blind = ""

    def build(self) -> Iterator[None]:
        self.editor = Editor()
        self.editor.setPlaceholderText(self.tr("Message"))
        self.editor.setAccessibleName(self.tr("Message"))
        self.editor.sent.connect(self.send)
        self.editor.escaped.connect(self._escape)
        self.editor.focused.connect(lambda on: set_property(self, "focused", on))
        self.editor.textChanged.connect(self._changed)
        self._resting = QTimer(self, singleShot=True, interval=DRAFT_MS)
        self._resting.timeout.connect(lambda: self.draft_changed.emit(self.draft()))
        yield
        self.attached = AttachedFiles(self._context)
        self.attached.came.connect(self._file_came)
        self.attached.changed.connect(self._files_changed)
        self.attached.unfolded.connect(self._write)
        self.editor.dropped.connect(self.attached.attach)
        self.editor.pasted.connect(self.attached.attach_text)
        self.editor.pictured.connect(self.attached.attach_picture)
        yield
        self.prompts = PromptPicker(self._context, self.editor)
        self.prompts.chosen.connect(lambda prompt, searched: self.insert_prompt(prompt, searched=searched))
        self.prompts.managed.connect(self.manage_prompts)
        self.choices = Choices(self._context)
        yield from self.choices.build()
        yield
        self.meter = ContextMeter()
        self.choices.context_changed.connect(self.meter.show_model)
        library = IconButton("quote", self.tr("Prompts (/)"), self._show_prompts)
        clip = IconButton("paperclip", self.tr("Attach files"), self.attached.ask)
        self.dictation = Dictation(self._context)
        self.dictation.written.connect(self._write_down)
        # So that Esc drops it, and the user may type meanwhile.
        self.dictation.button.clicked.connect(lambda _checked: self.editor.setFocus())
        yield
        self.button = QToolButton()
        self.button.setProperty("variant", "send")
        self.button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.button.clicked.connect(self._press)
        self.dropped = Label("", "small", wrap=True)
        self.dropped.hide()
        self.blind = Label("", "warning", wrap=True)
        self.blind.hide()
        Theme.current().changed.connect(self._tint)
        self._tint()
        foot = row((self.choices, 1), row(self.meter, library, clip, self.dictation.button, self.button, gap=4), gap=4)
        self.setLayout(
            column(
                self.attached,
                self.prompts,
                self.editor,
                self.dictation,
                self.blind,
                self.dropped,
                foot,
                gap=6,
                margins=(14, 10, 8, 8),
            )
        )

    # -- what is written ---------------------------------------------------------------

    def draft(self) -> Draft:
        """Return the draft with its files."""
        return Draft(self.editor.toPlainText(), self.attached.files, self.attached.images)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to send."""
        return not (self.editor.toPlainText().strip() or self.attached.files or self.attached.images)

    def set_draft(self, draft: Draft) -> None:
        """Show a draft without signals."""
        self.editor.blockSignals(True)
        self.editor.setPlainText(draft.text)
        self.editor.moveCursor(QTextCursor.MoveOperation.End)
        self.editor.blockSignals(False)
        self.attached.show_files(draft.files, draft.images)
        self._resting.stop()
        self._show_blind()
        self._tint()

    def clear(self) -> None:
        self.set_draft(Draft())

    def flush(self) -> None:
        if self._resting.isActive():
            self._resting.stop()
            self.draft_changed.emit(self.draft())

    def send(self) -> None:
        """Send the draft with files and pictures; the latter stay here if the model takes none."""
        if self._busy or self.empty:
            return
        if self.blind.text():
            announce(self.blind, self.blind.text())
            return
        draft = self.draft()
        self.clear()
        self.sent.emit(draft)

    def _changed(self) -> None:
        self._resting.start()
        self._tint()

    def _file_came(self) -> None:
        """Return to the message, unless the focus moved while the file was read."""
        focus = self.window().focusWidget()
        if focus is None or self.isAncestorOf(focus):
            self.editor.setFocus()
        self._show_blind()
        self._changed()

    def _files_changed(self) -> None:
        self._show_blind()
        self._changed()
        self.editor.setFocus()

    def know_sight(self, blind: str) -> None:
        """Set the chosen model's name if it takes no pictures; else ""."""
        self._blind = blind
        self._show_blind()

    def _show_blind(self) -> None:
        words = self.tr("{model} cannot see pictures. Choose a model that can, or take them out to send the rest.")
        self.blind.setText(words.format(model=self._blind) if self._blind and self.attached.images else "")
        self.blind.setVisible(bool(self.blind.text()))

    def _write(self, text: str) -> None:
        """Insert an attached text at the cursor."""
        self.editor.insertPlainText(text)
        self._files_changed()

    def _write_down(self, words: str) -> None:
        """Insert dictated text at the cursor, separated by a space; nothing is sent automatically."""
        before = self.editor.textCursor()
        before.clearSelection()
        before.movePosition(QTextCursor.MoveOperation.PreviousCharacter, QTextCursor.MoveMode.KeepAnchor)
        apart = before.selectedText().strip()
        self.editor.insertPlainText((" " if apart else "") + words)
        self.editor.setFocus()

    # -- prompts -----------------------------------------------------------------------

    def insert_prompt(self, prompt: Prompt, *, searched: bool = False) -> None:
        """Insert a prompt, once its placeholders are filled; ``searched`` text is removed."""

        def write(text: str) -> None:
            cursor = self.editor.textCursor()
            if searched:
                cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(text)
            self.editor.setFocus()

        if prompt.variables:
            FillDialog(self.window(), prompt, write).open()
        else:
            write(prompt.text)

    def commands(self) -> list[Command]:
        title, keywords = self.tr("Insert “{name}”"), self.tr("prompt")
        return [
            *(
                Command(
                    f"prompt.{prompt.id}",
                    title.format(name=prompt.name),
                    "quote",
                    partial(self.insert_prompt, prompt),
                    keywords=keywords,
                )
                for prompt in self.prompts.prompts
            ),
            Command("prompts.edit", self.tr("Edit prompts…"), "quote", self.manage_prompts),
        ]

    def manage_prompts(self) -> None:
        """Show the library; a new prompt starts with the draft."""
        written = self.editor.toPlainText()
        LibraryDialog(self.window(), self._context, self.prompts.load, written).open()

    def _show_prompts(self) -> None:
        self.prompts.toggle()
        self.editor.setFocus()

    # -- sending and stopping ----------------------------------------------------------

    def set_busy(self, *, busy: bool) -> None:
        """Turn send into stop and back."""
        self._busy = busy
        self._tint()

    def _escape(self) -> None:
        if self.dictation.listening:
            self.dictation.drop()
        elif self._busy:
            self.stopped.emit()

    def _press(self) -> None:
        if self._busy:
            self.stopped.emit()
        else:
            self.send()

    def _tint(self) -> None:
        theme = Theme.current()
        name = self.tr("Stop (Esc)") if self._busy else self.tr("Send (Enter)")
        typed = estimate_tokens(self.editor.toPlainText()) + IMAGE_TOKENS * len(self.attached.images)
        self.meter.show_typed(typed, self.attached.tokens)
        self.button.setEnabled(self._busy or not self.empty)
        self.button.setIcon(icon("square" if self._busy else "arrow-up", "on_accent", disabled="surface"))
        self.button.setIconSize(QSize(theme.px(16), theme.px(16)))
        self.button.setFixedSize(theme.px(30), theme.px(30))
        self.button.setAccessibleName(name)
        self.button.setToolTip(name)

    # -- how full the context is -------------------------------------------------------

    def show_fullness(self, fullness: Fullness) -> None:
        """Show how full the context is, and what did not fit."""
        fit = fullness.fit
        if fit is None:
            self.meter.begin(fullness.used)
        else:
            self.meter.show_fit(
                fullness.used, fit.context_tokens, fit.dropped_messages, memory_dropped=fit.memory_dropped
            )
        self._show_dropped()

    def _show_dropped(self) -> None:
        self.dropped.setText(self.meter.left_out)
        self.dropped.setVisible(bool(self.meter.left_out))
