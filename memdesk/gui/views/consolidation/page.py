"""The consolidation page: what a pass would do, what passes did, the way back, and the bin."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFrame, QProgressBar, QStackedWidget, QWidget

from memdesk.gui.operations.consolidation import consolidate, restore, undo_run
from memdesk.gui.pages import Page
from memdesk.gui.text import said
from memdesk.gui.views.consolidation.changes import ChangesModel
from memdesk.gui.views.memory.tab import Table, TwoLines
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Chip, Label, Tone
from memdesk.gui.widgets.layout import BELOW_HEAD, PAGE_WIDTH, ScrollColumn, bounded, card, clear, column, line, row
from memdesk.gui.widgets.states import EmptyState, PageHead, SectionHead, StatePane
from memdesk.gui.words import day, moment, number, run_status_name, weekday
from memdesk.services.events import MemoryChanged, RunChanged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from PySide6.QtWidgets import QLayout

    from memdesk.domain.models import Run, RunChange
    from memdesk.gui.bridge import ServiceOp
    from memdesk.services.consolidation import BinItem, RunResult, Schedule

TONES: dict[str, Tone] = {"done": "success", "running": "accent", "failed": "danger", "cancelled": "warning"}


class ConsolidationPage(Page):
    """Overview (schedule, runs, bin) and, after a preview or on a run, its diff."""

    def build(self) -> Iterator[None]:
        """Make head and overview, then the diff behind it."""
        self._op: ServiceOp[RunResult] | None = None
        self._preview: Run | None = None
        self._run: Run | None = None
        self.now = Button(self.tr("Run consolidation now"), self.run_now, variant="primary", icon_name="combine")
        self.first = Button(self.tr("Preview first"), self.preview, icon_name="eye")
        text = self.tr(
            "Lets unused memories fade, joins duplicates, lifts what keeps coming up. Every run can be undone."
        )
        head = PageHead(self.tr("Consolidation"), text, self.first, self.now)
        self.progress = self._progress_card()
        self.stack = QStackedWidget()
        top = column(head, self.progress, gap=16, margins=(24, 24, 24, 0))
        self.setLayout(column(bounded(top), self.stack, gap=0))
        yield
        self.overview = ScrollColumn(width=PAGE_WIDTH, margins=BELOW_HEAD)
        self.stack.addWidget(self.overview)
        yield from self._fill_overview(self.overview)
        self.diff = QWidget()
        yield from self._fill_diff(self.diff)
        self.stack.addWidget(self.diff)
        # What is shown in full has its own way on; another run is begun from the overview.
        self.stack.currentChanged.connect(
            lambda _index: head.tools.setVisible(self.stack.currentWidget() is self.overview)
        )
        for kind in (RunChanged, MemoryChanged):
            self.context.bridge.on(kind, lambda _event: self._stale(), owner=self, settle_ms=600)

    def enter(self, **arguments: Any) -> None:
        """Read the runs; run or preview when asked to."""
        self.reload()
        if arguments.get("run"):
            self.run_now()
        elif arguments.get("preview"):
            self.preview()

    # -- parts ---------------------------------------------------------------------------

    def _progress_card(self) -> QFrame:
        self.bar = QProgressBar()
        self.bar.setRange(0, 100)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.doing = Label("")
        frame = card(row(self.doing, None, Button(self.tr("Cancel"), self._cancel)), self.bar)
        frame.hide()
        return frame

    def _fill_overview(self, scroll: ScrollColumn) -> Iterator[None]:
        scroll.body.addStretch(1)
        self.result = QFrame()
        self.result.setProperty("role", "card")
        self.result_box = column(gap=6, margins=16)
        self.result.setLayout(self.result_box)
        self.result.hide()
        self.next = Label("", wrap=True)
        self.why = Label("", "muted", wrap=True)
        self.runs = column(gap=8)
        self.bin = column(gap=8)
        scroll.append(self.result)
        scroll.append(card(SectionHead(self.tr("Next run")), self.next, self.why))
        yield
        scroll.append(card(SectionHead(self.tr("Past runs")), line(), self.runs, gap=12))
        yield
        text = self.tr("What runs took out of use; it is gone for good after 30 days.")
        scroll.append(card(SectionHead(self.tr("Bin"), text), line(), self.bin, gap=12))
        yield

    def _fill_diff(self, pane: QWidget) -> Iterator[None]:
        self.model = ChangesModel()
        self.table = Table(self.model, self.tr("Changes"))
        self.table.setItemDelegateForColumn(0, TwoLines(self.table))
        self.table.set_lines(2)
        self.table.set_widths({1: 110, 2: 90, 3: 90})
        text = self.tr("The memory is as it should be.")
        self.pane = StatePane(self.table, EmptyState("circle-check", self.tr("Nothing would change"), text))
        yield
        self.diff_title = Label("", "heading", wrap=True)
        self.apply = Button("", self._apply, variant="primary")
        self.all = Button(self.tr("Check none"), self._toggle_all)
        self.undo = Button(self.tr("Undo this run"), self._undo_shown, icon_name="undo-2")
        self.model.checked_changed.connect(self._checked)
        back = Button(self.tr("Back"), self._back, icon_name="chevron-left")
        head = row(back, self.diff_title, self.all, self.undo, self.apply, gap=8)
        head.setStretch(1, 1)
        pane.setLayout(bounded(column(head, self.pane, gap=12, margins=BELOW_HEAD)))

    # -- reading -------------------------------------------------------------------------

    def reload(self) -> None:
        """Read schedule, runs and bin."""
        service = self.context.services.consolidation

        def read() -> tuple[Schedule, Sequence[Run], set[str], Sequence[BinItem]]:
            runs = service.runs(20).items
            return (
                service.schedule(),
                runs,
                {run.id for run in runs if service.can_undo(run)},
                service.bin(None, 20).items,
            )

        self.context.bridge.run(read, owner=self, success=self._show, latest="runs")

    def _stale(self) -> None:
        if self.isVisible() and self._op is None:
            self.reload()

    def _show(self, found: tuple[Schedule, Sequence[Run], set[str], Sequence[BinItem]]) -> None:
        schedule, runs, undoable, binned = found
        when = weekday(self.context.services.clock.local(schedule.at))
        self.next.setText(self.tr("Was due {when}").format(when=when) if schedule.overdue else when)
        self.why.setText(said(schedule.waiting))
        self.why.setVisible(bool(schedule.waiting))
        clear(self.runs)
        if not runs:
            self.runs.addWidget(Label(self.tr("None yet."), "muted"))
        for run in runs:
            self.runs.addLayout(self._run_row(run, undoable=run.id in undoable))
        clear(self.bin)
        if not binned:
            self.bin.addWidget(Label(self.tr("Empty."), "muted"))
        for item in binned:
            self.bin.addLayout(self._bin_row(item))

    def _run_row(self, run: Run, *, undoable: bool) -> QLayout:
        when = moment(self.context.services.clock.local(run.started_at))
        words = column(
            row(Label(when, "strong"), Chip(run_status_name(run.status), TONES.get(run.status, "")), None, gap=8),
            Label(self._counts(run.counts) + (f" {said(run.message)}" if run.message else ""), "muted", wrap=True),
            gap=2,
        )
        box = row(gap=8)
        box.addLayout(words, 1)
        box.addWidget(Button(self.tr("Changes"), partial(self._open, run), name=self.tr("Changes of") + f" {when}"))
        if undoable:
            undo = Button(
                self.tr("Undo"), partial(self._undo, run), icon_name="undo-2", name=self.tr("Undo") + f" {when}"
            )
            box.addWidget(undo)
        return box

    def _bin_row(self, item: BinItem) -> QLayout:
        box = row(gap=8)
        until = self.tr("until {day}").format(day=day(self.context.services.clock.local(item.expires_at)))
        words = column(
            Label(item.text or item.id, wrap=True), Label(f"{said(item.reason)} · {until}", "small", wrap=True), gap=2
        )
        box.addLayout(words, 1)
        box.addWidget(Button(self.tr("Bring back"), partial(self._restore, item), name=item.text[:60]))
        return box

    def _counts(self, counts: Mapping[str, int]) -> str:
        words = {
            "decay": self.tr("faded"),
            "merge": self.tr("joined"),
            "promote": self.tr("lifted"),
            "evict": self.tr("to the bin"),
            "prune": self.tr("pruned"),
        }
        parts = [f"{number(count)} {words.get(name, name)}" for name, count in counts.items() if count]
        return (", ".join(parts) + ".") if parts else self.tr("Nothing had to change.")

    # -- running -------------------------------------------------------------------------

    def run_now(self) -> None:
        """Make a pass."""
        self._start(consolidate(context=self.context, parent=self), self._ran)

    def preview(self) -> None:
        """Find out what a pass would do."""
        self._start(consolidate(context=self.context, parent=self, dry_run=True), self._previewed)

    def _start(self, op: ServiceOp[RunResult], done: Any) -> None:
        if self._op is not None:
            return
        self._op = op
        self.now.setEnabled(False)
        self.first.setEnabled(False)
        self.doing.setText(self.tr("Looking at the memory…"))
        self.bar.setValue(0)
        self.progress.show()
        op.progress(self._progressed).success(done).ended(self._ended).start()

    def _progressed(self, share: float, words: str) -> None:
        self.bar.setValue(round(share * 100))
        if words:
            self.doing.setText(said(words))

    def _cancel(self) -> None:
        if self._op is not None:
            self._op.cancel()

    def _ended(self) -> None:
        self._op = None
        self.progress.hide()
        self.now.setEnabled(True)
        self.first.setEnabled(True)
        self.reload()

    def _ran(self, result: RunResult) -> None:
        self.stack.setCurrentWidget(self.overview)
        clear(self.result_box)
        run = result.run
        self.result_box.addWidget(SectionHead(self.tr("Done") if run.status == "done" else self.tr("Stopped")))
        self.result_box.addWidget(Label(self._counts(run.counts), wrap=True))
        if result.changes:
            tools = row(
                Button(self.tr("Show changes"), partial(self._open, run)),
                Button(self.tr("Undo"), partial(self._undo, run), icon_name="undo-2"),
                None,
            )
            self.result_box.addLayout(tools)
        self.result.show()

    def _previewed(self, result: RunResult) -> None:
        self._preview, self._run = result.run, None
        self._read_diff(result.changes, checkable=True)

    # -- the diff ------------------------------------------------------------------------

    def _open(self, run: Run) -> None:
        self._preview, self._run = None, run
        service = self.context.services.consolidation
        self.context.bridge.run(
            lambda: service.changes(run.id, 500).items,
            owner=self,
            success=lambda changes: self._read_diff(changes, checkable=False),
            latest="diff",
        )

    def _read_diff(self, changes: Sequence[RunChange], *, checkable: bool) -> None:
        service = self.context.services.consolidation
        self.context.bridge.run(
            lambda: service.described(changes),
            owner=self,
            success=lambda texts: self._show_diff(changes, texts, checkable=checkable),
            latest="texts",
        )

    def _show_diff(self, changes: Sequence[RunChange], texts: Mapping[str, str], *, checkable: bool) -> None:
        title = self.tr("This would change") if checkable else self.tr("This changed")
        self.diff_title.setText(title)
        self.model.show_changes(changes, texts, checkable=checkable)
        self.apply.setVisible(checkable and bool(changes))
        self.all.setVisible(checkable and bool(changes))
        self.undo.setVisible(not checkable and self._run is not None and self._run.status == "done")
        self.pane.show_content(empty=not changes)
        self.stack.setCurrentWidget(self.diff)

    def _checked(self, count: int) -> None:
        self.apply.setText(self.tr("Make %n changes", "", count))
        self.apply.setEnabled(count > 0)
        self.all.setText(self.tr("Check none") if count else self.tr("Check all"))

    def _toggle_all(self) -> None:
        self.model.check_all(not self.model.checked)

    def _apply(self) -> None:
        if self._preview is not None:
            op = consolidate(context=self.context, parent=self, only=set(self.model.checked), preview=self._preview.id)
            self._start(op, self._ran)

    def _back(self) -> None:
        self.stack.setCurrentWidget(self.overview)

    def _undo_shown(self) -> None:
        if self._run is not None:
            self._undo(self._run)
            self._back()

    def _undo(self, run: Run) -> None:
        self.result.hide()
        undo_run(context=self.context, parent=self, run_id=run.id).ended(self.reload).start()

    def _restore(self, item: BinItem) -> None:
        op = restore(context=self.context, parent=self, kind=item.kind, ref_id=item.id)
        op.success(lambda _none: self.reload()).start()
