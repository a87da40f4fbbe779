"""Downloads on the models page: running and interrupted ones."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QProgressBar, QWidget
from shiboken6 import isValid

from memdesk.gui.operations import models as operations
from memdesk.gui.pages import PageContext
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import card, clear, column, row
from memdesk.gui.words import size
from memdesk.ports.models import Fetching

#: Refresh interval of running downloads while visible, in ms.
LOOK_MS = 500
#: Refreshes until a new download must have appeared.
PATIENCE = 20


class DownloadRow(QWidget):
    """One download: progress and Stop, or Resume and Discard."""

    def __init__(self, context: PageContext, fetching: Fetching, changed: Callable[[], object]) -> None:
        super().__init__()
        self._context, self._changed = context, changed
        self.fetching = fetching
        self._bar, self._state = QProgressBar(), Label("", "small")
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Download of {name}").format(name=fetching.filename))
        head = row((column(Label(fetching.filename, "strong", wrap=True), self._state, gap=2), 1))
        if fetching.running:
            tools = [Button(self.tr("Stop"), self._stop)]
        else:
            tools = [
                Button(self.tr("Resume"), self._resume, icon_name="download"),
                Button(self.tr("Discard"), self._discard),
            ]
        for tool in tools:
            tool.setAccessibleName(f"{tool.text().strip()}: {fetching.filename}")
            head.addWidget(tool)
        self.setLayout(column(head, self._bar, gap=6))
        self.show_state(fetching)

    def show_state(self, fetching: Fetching) -> None:
        self.fetching = fetching
        whole = fetching.total
        self._bar.setRange(0, 1000 if whole else 0)
        self._bar.setValue(round(1000 * fetching.done / whole) if whole else 0)
        if not whole:
            words = self.tr("Asking the hub…")
        elif fetching.running and fetching.done >= whole:
            words = self.tr("Checking {all}…").format(all=size(whole))
        else:
            words = self.tr("{done} of {all}").format(done=size(fetching.done), all=size(whole))
        self._state.setText(words if fetching.running else self.tr("Interrupted") + " · " + words)

    def _stop(self) -> None:
        self._context.services.models.downloads.stop(self.fetching.repo, self.fetching.filename)

    def _resume(self) -> None:
        fetching = self.fetching
        operations.download(self._context, repo=fetching.repo, filename=fetching.filename).ended(self._changed).start()
        self._changed()

    def _discard(self) -> None:
        op = self._context.bridge.call(
            self, self._context.services.models.downloads.discard, self.fetching.repo, self.fetching.filename
        )
        op.ended(self._changed).start()


class DownloadsBox(QWidget):
    """All downloads; hidden when there are none. ``ended``: one is done, was stopped or resumed."""

    ended = Signal()

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self._context = context
        self.rows: list[DownloadRow] = []
        self._box = column(gap=12)
        self.setLayout(self._box)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._patience = 0
        self.hide()

    def watch(self) -> None:
        """Refresh now and for a while: a download starts or ends. Harmless after this is deleted: downloads go on."""
        if not isValid(self):
            return
        self._patience = PATIENCE
        self._timer.start()
        self.look()

    def look(self) -> None:
        downloads = self._context.services.models.downloads
        self._context.bridge.run(self, downloads.all, self._show, latest="downloads")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop refreshing while hidden."""
        super().hideEvent(event)
        self._timer.stop()

    def _show(self, found: Sequence[Fetching]) -> None:
        self._patience -= 1
        if not found and self._patience <= 0:
            self._timer.stop()
        before = [(old.fetching.repo, old.fetching.filename, old.fetching.running) for old in self.rows]
        now = [(each.repo, each.filename, each.running) for each in found]
        if before == now:
            for old, fetching in zip(self.rows, found, strict=True):
                old.show_state(fetching)
            return
        clear(self._box)
        self.rows = [DownloadRow(self._context, fetching, self.watch) for fetching in found]
        if self.rows:
            self._box.addWidget(Label(self.tr("Downloads"), "section"))
        for made in self.rows:
            self._box.addWidget(card(made))
        self.setVisible(bool(self.rows))
        if set(before) - set(now):
            self.ended.emit()
