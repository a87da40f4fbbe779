"""Step four, and the same panel as a dialog: import chats from other apps."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QProgressBar, QWidget
from shiboken6 import isValid

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.notices import fault_words
from memdesk.gui.operations.importing import forecast, import_archive, preview
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.views.firststart.import_words import how_long, problems, what_stays_behind, what_will_happen
from memdesk.gui.views.firststart.step import Step, reveal
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.files import ask_file, ask_folder
from memdesk.gui.widgets.forms import Combo, Field
from memdesk.gui.widgets.labels import IconLabel, Label
from memdesk.gui.widgets.layout import clear, column, flowing, row
from memdesk.services.importing import chat_folders

if TYPE_CHECKING:
    from memdesk.domain.models import Agent
    from memdesk.services.importing import ChatFolder, ImportReport


class ImportPanel(QWidget):
    """Choose an archive, see a preview, import with progress and cancel.

    ``offered``: whether an import can be started now.
    """

    offered = Signal(bool)

    def __init__(self, context: PageContext, agent_id: str = "default") -> None:
        super().__init__()
        self._context = context
        self.agent_id = agent_id
        self._path = ""
        self._op: ServiceOp[ImportReport] | None = None
        self._importing = False
        self.setAcceptDrops(True)
        self._drop = QFrame()
        self._drop.setProperty("role", "drop")
        words = Label(
            self.tr(
                "Drop an export here: ChatGPT, Claude, Gemini or Grok (ZIP), Open WebUI, LM Studio, Jan, LibreChat, AnythingLLM or Osaurus, plain JSON or Markdown."
            ),
            "muted",
            wrap=True,
        )
        words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        choose = row(
            None,
            Button(self.tr("Choose a file…"), lambda: self._browse(folder=False), icon_name="file-plus"),
            Button(self.tr("Choose a folder…"), lambda: self._browse(folder=True), icon_name="folder-open"),
            None,
        )
        self._drop.setLayout(
            column(row(None, IconLabel("import", "faint", 28), None), words, choose, gap=10, margins=20)
        )
        self._here = column()
        self._result = column()
        self.setLayout(column(self._drop, self._here, self._result, gap=12))
        context.bridge.run(self, chat_folders, self._offer)

    def cancel(self) -> None:
        """Stop; what is already stored stays."""
        if self._op is not None:
            self._op.cancel()

    def _offer(self, folders: list[ChatFolder]) -> None:
        """Offer other programs' archives found here, without reading them."""
        if not folders:
            return
        self._here.addWidget(Label(self.tr("Found on this computer:"), "muted"))
        buttons = [
            Button(
                folder.program,
                partial(self.look, str(folder.path)),
                name=self.tr("Chats of {program}").format(program=folder.program),
            )
            for folder in folders
        ]
        self._here.addWidget(flowing(*buttons))

    def choose_agent(self, agent_id: str) -> None:
        """Import for another agent; the archive is read again, as its chats may be new there."""
        self.agent_id = agent_id
        if self._path:
            self.look(self._path)

    def leave(self) -> None:
        """Stop reading; an import goes on."""
        if not self._importing:
            self.cancel()

    def look(self, path: str) -> None:
        """Read an archive and preview its import, unless an import is running."""
        if self._importing:
            return
        self._path = path
        self._op = preview(self._context, self, path=path, agent_id=self.agent_id)
        self._wait(self.tr("Reading…"))
        self._op.success(self._preview).failure(self._failed).ended(self._ended).start(latest="look")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if len(paths) > 1:
            self._say_no(self.tr("One file or folder at a time, please: put several files into a folder."))
        elif paths:
            event.acceptProposedAction()
            self.look(paths[0])

    def _browse(self, *, folder: bool) -> None:
        (ask_folder if folder else ask_file)(self.window(), self.tr("Import chats"), self.look)

    def _clear(self) -> None:
        clear(self._result)
        self.offered.emit(False)

    def _wait(self, words: str) -> None:
        self._clear()
        self._bar = QProgressBar(minimum=0, maximum=0, textVisible=False)
        self._bar.setAccessibleName(words)
        self._state = Label(words, "muted", wrap=True)
        line = row((self._bar, 1), Button(self.tr("Stop"), self.cancel), gap=12)
        self._result.addWidget(self._state)
        self._result.addLayout(line)
        reveal(self._bar)

    def _ended(self) -> None:
        self._op, self._importing = None, False

    def _preview(self, report: ImportReport) -> None:
        self._clear()
        if report.cancelled:
            return
        frame = QFrame()
        frame.setProperty("role", "card")
        box = column(Label(self.tr("What will happen"), "heading"), gap=6, margins=16)
        for words in what_will_happen(report, self._context.services.clock.local):
            box.addWidget(Label(words, wrap=True))
        self._time = Label(self.tr("Working out how long learning takes…"), wrap=True)
        if not report.todo:
            self._time.hide()
        box.addWidget(self._time)
        for words in [" · ".join(report.titles[:8]), *what_stays_behind(report)]:
            if words:
                box.addWidget(Label(words, "small", wrap=True))
        self._learn = QCheckBox(self.tr("Learn from them in the background (can be done later)"))
        self._learn.setChecked(True)
        start = Button(self.tr("Import"), lambda: self._import(report.conversations), variant="primary")
        if report.todo:
            box.addWidget(self._learn)
            self._learn.toggled.connect(self._time.setVisible)
            box.addLayout(row(start, Button(self.tr("Cancel"), self._reset), None))
            self._foresee(report)
            self.offered.emit(True)
        frame.setLayout(box)
        self._result.addWidget(frame)
        reveal(frame)

    def _foresee(self, report: ImportReport) -> None:
        """Show how long learning takes, once known."""

        def unknown(_error: Exception) -> None:
            self._time.setText(how_long(None))

        op = forecast(self._context, self._time, report=report)
        op.success(lambda found: self._time.setText(how_long(found))).failure(unknown).start()

    def _import(self, total: int) -> None:
        self._op = import_archive(
            self._context, path=self._path, agent_id=self.agent_id, total=total, learn=self._learn.isChecked()
        )
        self._importing, learn = True, self._learn.isChecked()
        self._wait(self.tr("Importing…"))
        notices = self._context.notices

        def done(report: ImportReport) -> None:
            if isValid(self) and self.isVisible():
                self._done(report, learn=learn)
            else:
                notices.success(tr("%n conversations were imported.", "", report.new + report.changed))

        def failed(error: Exception) -> None:
            if isValid(self) and self.isVisible():
                self._failed(error)
            else:
                notices.error(error)

        def progressed(fraction: float, title: str) -> None:
            if isValid(self):
                self._progress(fraction, title)

        def ended() -> None:
            if isValid(self):
                self._ended()

        self._op.progress(progressed).success(done).failure(failed).ended(ended).start()

    def _progress(self, fraction: float, title: str) -> None:
        self._bar.setRange(0, 1000)
        self._bar.setValue(int(fraction * 1000))
        self._state.setText(title or self.tr("Importing…"))

    def _done(self, report: ImportReport, *, learn: bool) -> None:
        focus = self.window().focusWidget()
        within = focus is not None and self.isAncestorOf(focus)
        self._clear()
        words = tr("%n conversations were imported.", "", report.new + report.changed)
        if report.cancelled:
            words = self.tr("Stopped.") + " " + words + " " + self.tr("Importing again goes on from there.")
        elif learn:
            words += " " + self.tr("What they say is learned in the background; the status bar tells how far that is.")
        line = row(IconLabel("circle-check", "success", 18), gap=10)
        told = Label(" ".join([words, *problems(report)]), wrap=True)
        line.addWidget(told, 1)
        self._result.addLayout(line)
        reveal(told)
        if within:
            # Once visible: it is read out, and Enter continues instead of choosing another archive.
            QTimer.singleShot(0, told, told.setFocus)

    def _failed(self, error: Exception) -> None:
        self._importing = False
        self._say_no(fault_words(error))

    def _say_no(self, words: str) -> None:
        if not self._importing:
            self._clear()
            told = Label(words, "danger", wrap=True)
            self._result.addWidget(told)
            reveal(told)

    def _reset(self) -> None:
        self._path = ""
        self._clear()


class ImportStep(Step):
    """The panel as the last step."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.introduce(
            self.tr("Import"),
            self.tr("Bring your chats"),
            self.tr(
                "What you said to other apps can become memory here. Nothing leaves this computer, and the "
                "archive is only read."
            ),
        )
        self.panel = ImportPanel(context)
        self.body.addWidget(self.panel)
        self.panel.offered.connect(self._offered)
        self.may_skip = False

    def _offered(self, on: bool) -> None:
        """Ask before starting without the archive that was chosen."""
        self.next_words = self.tr("Start without importing") if on else ""
        self.changed.emit()

    def leave(self) -> None:
        """A running import goes on in the background."""
        self.panel.leave()


class ImportDialog(Dialog):
    """The panel at any later time, for any agent."""

    def __init__(self, context: PageContext, parent: QWidget) -> None:
        super().__init__(parent, tr("Import chats"), width=560)
        text = self.tr("What you said to other apps can become memory here. The archive is only read.")
        self.body.addWidget(Label(text, "muted", wrap=True))
        self.agent = Combo(self.tr("Agent"))
        self._field = Field(self.tr("Whose memory they become"), self.agent)
        self._field.hide()
        self.body.addWidget(self._field)
        self.panel = ImportPanel(context)
        self.body.addWidget(self.panel)
        self.panel.offered.connect(lambda _on: self.fit())
        self.set_cancel(self.tr("Close"))
        self.agent.chosen.connect(self.panel.choose_agent)
        self.finished.connect(lambda _code: self.panel.leave())
        context.bridge.run(self, context.services.agents.all, self._offer)

    def _offer(self, agents: list[Agent]) -> None:
        self.agent.set_options([(agent.id, agent.name) for agent in agents], self.panel.agent_id)
        self._field.setVisible(len(agents) > 1)
