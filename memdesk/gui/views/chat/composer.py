"""Where the user writes: text, attached files, agent, model, memory, send and stop."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDropEvent,
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QFileDialog,
    QFrame,
    QMenu,
    QPlainTextEdit,
    QSizePolicy,
    QToolButton,
    QToolTip,
    QWidget,
)

from memdesk.domain.models import Agent, MemoryMode
from memdesk.domain.text import estimate_tokens
from memdesk.gui.icons import icon
from memdesk.gui.pages import PageContext
from memdesk.gui.theme import Theme
from memdesk.gui.views.chat.attaching import read_text_file
from memdesk.gui.widgets.buttons import Button, IconButton, set_property
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import FlowLayout, clear, column, row
from memdesk.gui.words import number, percent
from memdesk.ports import ModelInfo
from memdesk.services.chat_events import ContextFit

MOST_LINES = 9
#: How long the words of the meter stay, in ms.
READ_MS = 10_000
#: Words that rest so long are kept, in ms; a process that is killed loses no more.
DRAFT_MS = 400
#: Between the choices, in px at 100 %.
GAP = 4
#: The pickers are not elided further, in px at 100 %.
AGENT_WIDTH, MODEL_WIDTH = 104, 56
WIDTHS: dict[MemoryMode, int] = {"off": 0, "read_only": 1, "on": 2}


def files_of(event: QDropEvent) -> list[str]:
    """Return the paths of the files on this machine that are dragged or dropped."""
    return [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]


class Editor(QPlainTextEdit):
    """Grows with its text up to nine lines. Enter sends, Shift+Enter begins a line, Escape stops an answer."""

    sent = Signal()
    escaped = Signal()
    dropped = Signal(list)
    focused = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bare", True)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())
        self.viewport().setAutoFillBackground(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send on Enter, stop an answer on Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
            return
        enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if enter and not event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier):
            self.sent.emit()
            return
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            return
        super().dragEnterEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Tell dropped files."""
        paths = files_of(event)
        if paths:
            event.acceptProposedAction()
            self.dropped.emit(paths)
            return
        super().dropEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell the frame."""
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell the frame."""
        super().focusOutEvent(event)
        self.focused.emit(False)

    def changeEvent(self, event: QEvent) -> None:
        """Fit again after another text size."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        lines = max(1, int(self.document().size().height()))
        self.setFixedHeight(self.fontMetrics().lineSpacing() * min(MOST_LINES, lines) + 6)


class ContextMeter(QAbstractButton):
    """How full the model's context is, what is being written included; pressed, it says so in words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._share = 0.0
        self._used = self._size = self._model_size = self._typed = 0
        self._left_out = ""
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Context"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._tell)
        self.hide()

    def begin(self, used: int = 0) -> None:
        """Another conversation, whose last answer left so many tokens in use (0: not known before the next one)."""
        self._used, self._size = used, 0
        self._left_out = ""
        self._fill()

    def _tell(self) -> None:
        place = self.mapToGlobal(QPoint(0, -self.height() * 2))
        QToolTip.showText(place, self.toolTip(), self, QRect(), READ_MS)

    def show_model(self, size: int) -> None:
        """Know the tokens of the model's context (0: not known), which count until an answer tells exactly."""
        self._model_size = size
        self._fill()

    def show_typed(self, tokens: int) -> None:
        """Count what is being written."""
        if tokens != self._typed:
            self._typed = tokens
            self._fill()

    def show_fit(self, used: int, size: int, dropped: int, *, memory_dropped: bool) -> None:
        """Show tokens used of the context, and what did not fit."""
        words: list[str] = []
        if dropped:
            words.append(self.tr("The %n oldest messages no longer fit and were left out.", "", dropped))
        if memory_dropped:
            words.append(self.tr("There was no room for memory."))
        self._used, self._size, self._left_out = used, size, " ".join(words)
        self._fill()

    @property
    def left_out(self) -> str:
        """What did not fit, in words; empty when all did."""
        return self._left_out

    def _fill(self) -> None:
        used, size = self._used + self._typed, self._size or self._model_size
        self.setVisible(bool(size and used))
        if not size:
            return
        self._share = min(1.0, used / size)
        words = self.tr("{used} of {size} tokens of the model's context are in use.").format(
            used=number(used), size=number(size)
        )
        if self._typed:
            words += " " + self.tr("About %n of them are being written.", "", self._typed)
        words = f"{words} {self._left_out}".strip()
        self.setToolTip(words)
        self.setAccessibleDescription(words)
        self.update()

    def sizeHint(self) -> QSize:
        """Return room for a ring and a percentage."""
        px = Theme.current().px
        return QSize(px(20) + self.fontMetrics().horizontalAdvance("100 %") + px(4), px(22))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a ring and the percentage."""
        del event
        theme = Theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = theme.px(13)
        ring = QRectF(2, (self.height() - side) / 2, side, side)
        pen = QPen(theme.colour("track"), theme.px(2.5))
        painter.setPen(pen)
        painter.drawEllipse(ring)
        pen.setColor(theme.colour("danger" if self._share > 0.9 else "warning" if self._share > 0.7 else "accent"))
        painter.setPen(pen)
        painter.drawArc(ring, 90 * 16, -int(self._share * 360 * 16))
        painter.setPen(theme.colour("muted"))
        font = self.font()
        font.setPixelSize(theme.text_px("f_s"))
        painter.setFont(font)
        room = self.rect().adjusted(side + theme.px(8), 0, 0, 0)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), percent(self._share))
        if self.hasFocus():
            painter.setPen(theme.colour("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), theme.px(4), theme.px(4))


class Composer(QFrame):
    """Tells what the user wants: ``sent``, ``stopped``, ``agent_chosen``, ``memory_chosen``, ``draft_changed``."""

    sent = Signal(str)
    stopped = Signal()
    agent_chosen = Signal(str)
    memory_chosen = Signal(str)
    draft_changed = Signal(str)

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self._context = context
        self._files: dict[str, str] = {}
        self._contexts: dict[str, int] = {}
        self._busy = False
        self._memory: MemoryMode = "on"
        self.editor = Editor()
        self.editor.setPlaceholderText(self.tr("Message"))
        self.editor.setAccessibleName(self.tr("Message"))
        self.editor.sent.connect(self.send)
        self.editor.dropped.connect(self.attach)
        self.editor.escaped.connect(self._escape)
        self.editor.focused.connect(lambda on: set_property(self, "focused", on))
        self.editor.textChanged.connect(self._typed)
        self._draft = QTimer(self)
        self._draft.setSingleShot(True)
        self._draft.setInterval(DRAFT_MS)
        self._draft.timeout.connect(lambda: self.draft_changed.emit(self.editor.toPlainText()))
        self._chips = QWidget()
        self._chips.setLayout(FlowLayout())
        self._chips.hide()
        self.agents = Combo(self.tr("Agent"), snug=True)
        self.agents.chosen.connect(self.agent_chosen)
        self.models = Combo(self.tr("Model"), snug=True)
        self.models.chosen.connect(lambda _key: self._model_chosen())
        for combo in (self.agents, self.models):
            combo.setProperty("variant", "ghost")
            combo.setMaximumWidth(Theme.current().px(240))
        self.memory = Button("", variant="ghost", icon_name="brain")
        self.memory.set_menu(self._memory_menu())
        self.temporary = Label("", "warning")
        self.temporary.setToolTip(self.tr("Temporary: nothing is stored"))
        self.temporary.hide()
        clip = IconButton("paperclip", self.tr("Attach a text file"), self._browse)
        self.meter = ContextMeter()
        self.button = QToolButton()
        self.button.setProperty("variant", "send")
        self.button.setCursor(Qt.CursorShape.PointingHandCursor)
        self.button.clicked.connect(self._press)
        self.dropped = Label("", "small", wrap=True)
        self.dropped.hide()
        self._choices = QWidget()
        self._choices.setLayout(row(self.agents, self.models, self.memory, self.temporary, None, gap=GAP))
        self._choices.installEventFilter(self)
        foot = row(gap=4)
        foot.addWidget(self._choices, 1)
        foot.addLayout(row(self.meter, clip, self.button, gap=4))
        self.setLayout(column(self._chips, self.editor, self.dropped, foot, gap=6, margins=(14, 10, 8, 8)))
        self.set_memory("on")
        Theme.current().changed.connect(self._tint)
        self._tint()

    # -- what it shows -----------------------------------------------------------------

    def set_agents(self, agents: list[Agent], agent_id: str) -> None:
        """Offer agents."""
        self.agents.set_options([(agent.id, agent.name) for agent in agents], agent_id)
        self._share_room()

    def set_models(self, models: list[ModelInfo], default: str) -> None:
        """Offer models; the first choice is the agent's own."""
        most = self._context.services.settings.current.engine.context_tokens
        self._contexts = {
            m.id: m.context_tokens if m.source == "remote" else min(m.context_tokens, most) for m in models
        }
        self._contexts[""] = self._contexts.get(default, 0)
        name = next((model.name for model in models if model.id == default), self.tr("no model"))
        self.models.set_options([("", name), *((m.id, m.name) for m in models if m.available)])
        self._model_chosen()

    def set_memory(self, mode: MemoryMode) -> None:
        """Show how memory is used in this conversation."""
        self._memory = mode
        icons = {"on": "brain", "read_only": "eye", "off": "eye-off"}
        self.memory.set_icon(icons[mode])
        self.memory.set_tone("" if mode == "on" else "warning")
        for action in self.memory.menu().actions():
            action.setChecked(action.data() == mode)
        self._share_room()

    def set_widest_memory(self, mode: MemoryMode) -> None:
        """Offer no more memory than the agent has."""
        for action in self.memory.menu().actions():
            action.setEnabled(WIDTHS[action.data()] <= WIDTHS[mode])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Share the room between the choices anew when there is more of it, or less."""
        if event.type() == QEvent.Type.Resize and watched is self._choices:
            self._share_room()
        return super().eventFilter(watched, event)

    def _share_room(self) -> None:
        """One line in any case: where there is little room memory is an icon alone, then the pickers are elided."""
        words = {"on": self.tr("Memory on"), "read_only": self.tr("Memory read-only"), "off": self.tr("Memory off")}
        name = words[self._memory]
        self.memory.setAccessibleName(name)
        self.memory.setText(name)
        self.temporary.setText(self.temporary.toolTip())
        # The agent's name is the last to give way: it says whose memory is used.
        px = Theme.current().px
        self.agents.setMinimumWidth(min(self.agents.sizeHint().width(), px(AGENT_WIDTH)))
        self.models.setMinimumWidth(px(MODEL_WIDTH))
        third = self.temporary if self.memory.isHidden() else self.memory
        pickers = self.agents.sizeHint().width() + self.models.sizeHint().width()
        if pickers + third.sizeHint().width() + 2 * px(GAP) > self._choices.width():
            self.memory.setText("")
            self.temporary.setText(self.tr("Temporary"))
        self.memory.setToolTip("" if self.memory.text() else name)

    @property
    def memory_mode(self) -> MemoryMode:
        """How memory is used in this conversation."""
        return self._memory

    def set_temporary(self, *, on: bool) -> None:
        """Say that nothing is stored."""
        self.temporary.setVisible(on)
        self.memory.setVisible(not on)
        self._share_room()

    def set_busy(self, *, busy: bool) -> None:
        """Turn send into stop and back."""
        self._busy = busy
        self._tint()

    def set_text(self, text: str) -> None:
        """Show a draft without telling."""
        self.editor.blockSignals(True)
        self.editor.setPlainText(text)
        self.editor.moveCursor(self.editor.textCursor().MoveOperation.End)
        self.editor.blockSignals(False)
        self._draft.stop()
        self._tint()

    @property
    def files(self) -> dict[str, str]:
        """The attached files: name to content."""
        return dict(self._files)

    def set_files(self, files: dict[str, str]) -> None:
        """Attach what was attached before."""
        self._files = dict(files)
        self._show_files()

    def clear(self) -> None:
        """Empty text and files."""
        self.set_files({})
        self.set_text("")

    def flush(self) -> None:
        """Tell the draft at once when there is news of it."""
        if self._draft.isActive():
            self._draft.stop()
            self.draft_changed.emit(self.editor.toPlainText())

    # -- what it tells -----------------------------------------------------------------

    def send(self) -> None:
        """Send what is written, with the files."""
        if self._busy:
            return
        text = self.message()
        if not text:
            return
        self.clear()
        self._draft.stop()
        self.sent.emit(text)

    def message(self) -> str:
        """Return the text with the attached files in fences."""
        parts = [self.editor.toPlainText().strip()]
        for name, content in self._files.items():
            marks = "`" * max(3, _longest_ticks(content) + 1)
            parts.append(f"{name}:\n{marks}\n{content.rstrip()}\n{marks}")
        return "\n\n".join(part for part in parts if part)

    def attach(self, paths: list[str]) -> None:
        """Read text files and add them."""
        for path in paths:
            self._context.bridge.run(lambda path=path: read_text_file(path), owner=self, success=self._attached)  # type: ignore[misc] # binds the loop's value

    def _attached(self, found: tuple[str, str]) -> None:
        name, content = found
        stem, number_ = name, 2
        while self._files.get(name, content) != content:
            name, number_ = f"{stem} ({number_})", number_ + 1
        self._files[name] = content
        self._show_files()

    def _show_files(self) -> None:
        layout = self._chips.layout()
        assert layout is not None
        clear(layout)
        for name, content in self._files.items():
            words = self.tr("{name} ({n} characters)").format(name=name, n=number(len(content)))
            chip = Button(words, variant="chip", icon_name="file-text")
            chip.setToolTip(self.tr("Click to remove"))
            chip.clicked.connect(lambda _checked=False, name=name: self._detach(name))
            layout.addWidget(chip)
        self._chips.setVisible(bool(self._files))
        self._tint()

    def _detach(self, name: str) -> None:
        self._files.pop(name, None)
        self._show_files()

    def _browse(self) -> None:
        dialog = QFileDialog(self.window(), self.tr("Attach a text file"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(self.attach)
        dialog.open()

    def _typed(self) -> None:
        self._draft.start()
        self._tint()

    def show_fit(self, used: int, fit: ContextFit) -> None:
        """Show how full the context is, and say what did not fit."""
        self.meter.show_fit(used, fit.context_tokens, fit.dropped_messages, memory_dropped=fit.memory_dropped)
        self._show_dropped()

    def begin(self, used: int = 0) -> None:
        """Another conversation; see :meth:`ContextMeter.begin`."""
        self.meter.begin(used)
        self._show_dropped()

    def _show_dropped(self) -> None:
        self.dropped.setText(self.meter.left_out)
        self.dropped.setVisible(bool(self.meter.left_out))

    def _model_chosen(self) -> None:
        self.meter.show_model(self._contexts.get(self.models.key(), 0))
        self._share_room()

    def _escape(self) -> None:
        if self._busy:
            self.stopped.emit()

    def _press(self) -> None:
        if self._busy:
            self.stopped.emit()
        else:
            self.send()

    def _memory_menu(self) -> QMenu:
        menu = QMenu(self)
        entries: list[tuple[MemoryMode, str]] = [
            ("on", self.tr("On: replies use memory, and this chat is learned from")),
            ("read_only", self.tr("Read-only: replies use memory, nothing is learned")),
            ("off", self.tr("Off: neither")),
        ]
        for mode, words in entries:
            action = menu.addAction(words)
            action.setData(mode)
            action.setCheckable(True)
            action.triggered.connect(lambda _checked=False, mode=mode: self.memory_chosen.emit(mode))
        return menu

    def _tint(self) -> None:
        theme = Theme.current()
        name = self.tr("Stop (Esc)") if self._busy else self.tr("Send (Enter)")
        message = self.message()
        self.meter.show_typed(estimate_tokens(message))
        self.button.setEnabled(self._busy or bool(message))
        self.button.setIcon(icon("square" if self._busy else "arrow-up", "on_accent", disabled="surface"))
        self.button.setIconSize(QSize(theme.px(16), theme.px(16)))
        self.button.setFixedSize(theme.px(30), theme.px(30))
        self.button.setAccessibleName(name)
        self.button.setToolTip(name)


def _longest_ticks(text: str) -> int:
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return longest
