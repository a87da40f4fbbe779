"""Step four, and the same panel under Settings: bring chats from other apps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QCheckBox, QFileDialog, QFrame, QProgressBar, QWidget

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.notices import describe
from memdesk.gui.pages import PageContext
from memdesk.gui.text import said
from memdesk.gui.views.firststart.step import Step
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import IconLabel, Label
from memdesk.gui.widgets.layout import clear, column, row
from memdesk.gui.words import day, number, source_name

if TYPE_CHECKING:
    from memdesk.services.importing import ImportReport


class ImportPanel(QWidget):
    """Choose an archive, read what would happen, import with progress and cancel. ``busy`` tells a running import."""

    busy = Signal(bool)

    def __init__(self, context: PageContext, agent_id: str = "default", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.agent_id = agent_id
        self._path = ""
        self._op: ServiceOp[Any] | None = None
        self.setAcceptDrops(True)
        self._drop = QFrame()
        self._drop.setProperty("role", "card")
        words = Label(
            self.tr(
                "Drop an export here: ChatGPT or Claude (ZIP), Open WebUI, LM Studio or Jan, plain JSON or Markdown."
            ),
            "muted",
            wrap=True,
        )
        words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        choose = row(
            None,
            Button(self.tr("Choose a file …"), lambda: self._browse(folder=False), icon_name="file-plus"),
            Button(self.tr("Choose a folder …"), lambda: self._browse(folder=True), icon_name="folder-open"),
            None,
        )
        self._drop.setLayout(
            column(row(None, IconLabel("import", "faint", 28), None), words, choose, gap=10, margins=20)
        )
        self._result = column(gap=8)
        self.setLayout(column(self._drop, self._result, gap=12))

    def cancel(self) -> None:
        """Stop; what is stored by then stays."""
        if self._op is not None:
            self._op.cancel()

    def look(self, path: str) -> None:
        """Read an archive and say what importing it would do."""
        self._path = path
        importing, agent_id = self._context.services.importing, self.agent_id
        op: ServiceOp[ImportReport] = ServiceOp(
            self._context.bridge, self, lambda op: importing.preview(path, agent_id, cancel=op.token), lane="background"
        )
        self._wait(self.tr("Reading …"), op)
        op.success(self._preview).failure(self._failed).ended(self._ended).start()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Read the dropped file."""
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.look(paths[0])

    def _browse(self, *, folder: bool) -> None:
        dialog = QFileDialog(self.window(), self.tr("Import chats"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory if folder else QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.look)
        dialog.open()

    def _wait(self, words: str, op: ServiceOp[Any]) -> None:
        clear(self._result)
        self._op = op
        self.busy.emit(True)
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(words)
        self._state = Label(words, "muted", wrap=True)
        line = row(gap=12)
        line.addWidget(self._bar, 1)
        line.addWidget(Button(self.tr("Stop"), self.cancel))
        self._result.addWidget(self._state)
        self._result.addLayout(line)

    def _ended(self) -> None:
        self._op = None
        self.busy.emit(False)

    def _preview(self, report: ImportReport) -> None:
        clear(self._result)
        frame = QFrame()
        frame.setProperty("role", "card")
        box = column(Label(self.tr("What will happen"), "heading"), gap=6, margins=16)
        for words in self._sentences(report):
            box.addWidget(Label(words, wrap=True))
        if report.titles:
            box.addWidget(Label(" · ".join(report.titles[:8]), "small", wrap=True))
        self._learn = QCheckBox(self.tr("Learn from them in the background (can be done later)"))
        self._learn.setChecked(True)
        box.addWidget(self._learn)
        start = Button(self.tr("Import"), lambda: self._import(report.conversations), variant="primary")
        start.setEnabled(report.new + report.changed > 0)
        box.addLayout(row(start, Button(self.tr("Cancel"), self._reset), None))
        frame.setLayout(box)
        self._result.addWidget(frame)

    def _sentences(self, report: ImportReport) -> list[str]:
        sources = ", ".join(f"{source_name(name)} ({number(count)})" for name, count in report.sources.items())
        found = [
            self.tr("%n conversations were found", "", report.conversations) + (f": {sources}." if sources else ".")
        ]
        if report.first and report.last:
            local = self._context.services.clock.local
            first, last = day(local(report.first)), day(local(report.last))
            held = self.tr("They were held between {a} and {b}.").format(a=first, b=last)
            found.append(held if first != last else self.tr("They were held on {a}.").format(a=first))
        found.append(
            self.tr("{new} are new, {changed} replace older copies, {same} are here already.").format(
                new=number(report.new), changed=number(report.changed), same=number(report.unchanged)
            )
        )
        found.append(self.tr("%n messages are stored, encrypted, on this computer.", "", report.turns))
        if report.problem_count:
            problem = report.problems[0]
            words = self.tr("%n entries cannot be read", "", report.problem_count)
            found.append(f"{words}: {problem.name} ({said(problem.reason)}).")
        return found

    def _import(self, total: int) -> None:
        importing, path, agent_id = self._context.services.importing, self._path, self.agent_id
        learn = self._learn.isChecked()
        op: ServiceOp[ImportReport] = ServiceOp(
            self._context.bridge,
            self,
            lambda op: importing.import_archive(
                path,
                agent_id,
                progress=lambda p: op.report(p.done / total if total else -1.0, p.title),
                cancel=op.token,
                total=total,
                skip_extraction=not learn,
            ),
            lane="background",
        )
        self._wait(self.tr("Importing …"), op)
        op.progress(self._progress).success(self._done).failure(self._failed).ended(self._ended).start()

    def _progress(self, fraction: float, title: str) -> None:
        self._bar.setRange(0, 1000)
        self._bar.setValue(int(fraction * 1000))
        self._state.setText(title or self.tr("Importing …"))

    def _done(self, report: ImportReport) -> None:
        clear(self._result)
        words = self.tr("%n conversations were imported.", "", report.new + report.changed)
        if report.cancelled:
            words = self.tr("Stopped.") + " " + words + " " + self.tr("Importing again goes on from there.")
        line = row(IconLabel("circle-check", "success", 18), gap=10)
        line.addWidget(Label(words, wrap=True), 1)
        self._result.addLayout(line)

    def _failed(self, error: Exception) -> None:
        clear(self._result)
        words = describe(error)
        text = " ".join(part for part in (words["message"], words["hint"]) if part)
        self._result.addWidget(Label(text, "danger", wrap=True))

    def _reset(self) -> None:
        clear(self._result)


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
        self.panel.busy.connect(self._busy)
        self.body.addWidget(self.panel)
        self.may_skip = False

    def leave(self) -> None:
        """An import that runs goes on behind the pages."""

    def finish(self, done: Callable[[], object], refused: Callable[[], object]) -> None:
        """Go to the chat."""
        del refused
        done()

    def _busy(self, on: bool) -> None:
        self.ready = not on
        self.changed.emit()
