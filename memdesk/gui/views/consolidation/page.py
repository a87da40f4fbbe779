"""The consolidation page: previews, past runs, undo, and the bin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtWidgets import QLayout, QProgressBar, QStackedWidget, QWidget

from memdesk.domain.models import Run
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.pages import Page
from memdesk.gui.text import said, tr
from memdesk.gui.views.consolidation.diff import DiffPane
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.gui.widgets.labels import Chip, Label, Tone
from memdesk.gui.widgets.layout import (
    BELOW_HEAD,
    PAGE_WIDTH,
    ScrollColumn,
    bounded,
    boxed,
    card,
    clear,
    column,
    line,
    row,
)
from memdesk.gui.widgets.portion import Portion
from memdesk.gui.widgets.states import PageHead, SectionHead
from memdesk.gui.words import change_name, day, moment, number, run_status_name, weekday
from memdesk.services.events import MemoryChanged, RunChanged, SettingsChanged
from memdesk.services.upkeep import BinItem, RunResult, Schedule, UndoResult

TONES: dict[str, Tone] = {"done": "success", "running": "accent", "failed": "danger", "cancelled": "warning"}
#: Runs and bin entries shown at first, and added at a time.
SHOWN = 20


@dataclass(frozen=True, slots=True)
class Overview:
    """What the page shows, read together."""

    schedule: Schedule
    runs: Sequence[Run]
    runs_total: int
    undoable: frozenset[str]
    binned: Sequence[BinItem]
    binned_total: int
    hours: int


class ConsolidationPage(Page):
    """Overview (schedule, runs, bin) and, after a preview or on a run, its diff."""

    def build(self) -> Iterator[None]:
        self._op: ServiceOp[Any] | None = None
        self._seen: Overview | None = None
        self._some_runs, self._some_binned = Portion(self.reload, SHOWN), Portion(self.reload, SHOWN)
        self.now = Button(self.tr("Run consolidation now"), self.run_now, variant="primary", icon_name="combine")
        self.first = Button(self.tr("Preview first"), self.preview, icon_name="eye")
        text = self.tr(
            "Lets unused memories fade, merges duplicates, strengthens what keeps coming up. Every run can be undone."
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
        self.diff = DiffPane(self.context)
        yield from self.diff.build()
        yield
        self.diff.back.connect(self._back)
        self.diff.made.connect(self._apply)
        self.diff.undone.connect(self._undo_shown)
        self.stack.addWidget(self.diff)
        yield
        # A diff has its own actions; runs are started from the overview.
        self.stack.currentChanged.connect(
            lambda _index: head.tools.setVisible(self.stack.currentWidget() is self.overview)
        )
        for kind in (RunChanged, MemoryChanged, SettingsChanged):
            self.context.bridge.on(kind, lambda _event: self._stale(), owner=self, settle_ms=600)
        self.context.bridge.on(RunChanged, self._followed, owner=self)

    def enter(self, **arguments: Any) -> None:
        """Read the runs; run or preview if requested."""
        self.reload()
        if arguments.get("run"):
            self.run_now()
        elif arguments.get("preview"):
            self.preview()

    # -- parts ---------------------------------------------------------------------------

    def _progress_card(self) -> QWidget:
        self.bar = QProgressBar(minimum=0, maximum=100, textVisible=False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.doing = Label("")
        self.cancel = Button(self.tr("Cancel"), self._cancel)
        frame = card(row(self.doing, None, self.cancel), self.bar)
        frame.hide()
        return frame

    def _fill_overview(self, scroll: ScrollColumn) -> Iterator[None]:
        scroll.body.addStretch(1)
        self.result_box = column(gap=6, margins=16)
        self.result = boxed(self.result_box, "card")
        self.result.hide()
        self.next = Label("", wrap=True)
        self.why = Label("", "muted", wrap=True)
        self.runs = column()
        self.bin = column()
        scroll.append(self.result)
        scroll.append(card(SectionHead(self.tr("Next run")), self.next, self.why))
        yield
        scroll.append(card(SectionHead(self.tr("Past runs")), line(), self.runs, gap=12))
        yield
        text = self.tr("What runs took out of use; it is gone for good after 30 days.")
        self.empty = Button(self.tr("Empty the bin"), self._ask_empty, icon_name="trash-2")
        scroll.append(card(SectionHead(self.tr("Bin"), text, self.empty), line(), self.bin, gap=12))
        yield

    # -- reading -------------------------------------------------------------------------

    def reload(self) -> None:
        service, settings = self.context.services.consolidation, self.context.services.settings
        most = self._some_runs.most, self._some_binned.most

        def read() -> tuple[Overview, RunChanged | None]:
            underway = service.underway()
            runs, binned = service.runs(most[0]), service.bin(None, most[1])
            overview = Overview(
                schedule=service.schedule(),
                # A running one is shown by its progress; without that, it was interrupted.
                runs=[run for run in runs.items if underway is None or run.status != "running"],
                runs_total=runs.total,
                undoable=frozenset(run.id for run in runs.items if service.can_undo(run)),
                binned=binned.items,
                binned_total=binned.total,
                hours=settings.current.memory.consolidation_interval_hours,
            )
            return overview, underway

        self.context.bridge.run(self, read, self._show, latest="runs")

    def _stale(self) -> None:
        if self.isVisible() and self._op is None:
            self.reload()

    def _followed(self, event: RunChanged) -> None:
        if event.kind == "consolidation":
            self._show_others(event if event.status == "running" else None)

    def _show_others(self, underway: RunChanged | None) -> None:
        """Show the progress of work started by the schedule or a program; None if there is none."""
        if self._op is not None:
            return
        if underway is not None and self.progress.isHidden():
            self.doing.setText(self.tr("A pass is running…"))
        self._show_work(running=underway is not None)
        if underway is not None:
            self._progressed(underway.progress, underway.message)

    def _show(self, read: tuple[Overview, RunChanged | None]) -> None:
        found, underway = read
        self._show_others(underway)
        if found == self._seen:
            # Unchanged, so that the focus stays.
            return
        self._seen = found
        self._show_schedule(found)
        clear(self.runs)
        if not found.runs:
            text = self.tr("None yet. To see what the first one would do, choose “Preview first”.")
            self.runs.addWidget(Label(text, "muted", wrap=True))
        for run in found.runs:
            self.runs.addLayout(self._run_row(run, undoable=run.id in found.undoable))
        for more in self._some_runs.rest(found.runs_total - self._some_runs.most):
            self.runs.addWidget(more)
        clear(self.bin)
        self.empty.setVisible(bool(found.binned))
        if not found.binned:
            self.bin.addWidget(Label(self.tr("Empty."), "muted"))
        for item in found.binned:
            self.bin.addLayout(self._bin_row(item))
        for more in self._some_binned.rest(found.binned_total - self._some_binned.most):
            self.bin.addWidget(more)

    def _show_schedule(self, found: Overview) -> None:
        schedule = found.schedule
        when = weekday(self.context.services.clock.local(schedule.at))
        self.next.setText(self.tr("Was due {when}").format(when=when) if schedule.overdue else when)
        if schedule.waiting:
            why = self.tr("Waiting: {why}").format(why=said(schedule.waiting))
        elif schedule.overdue:
            why = self.tr("It begins within a few minutes.")
        else:
            why = self.tr(
                "Every %n hours, when no chat is being answered and the computer is not on battery.", "", found.hours
            )
        self.why.setText(why)

    def _run_row(self, run: Run, *, undoable: bool) -> QLayout:
        when = moment(self.context.services.clock.local(run.started_at))
        whole = run.status != "running"
        words = column(
            Label(f"{when} · {self._trigger(run)}", "strong", wrap=True),
            Label(self._told(run) if whole else self.tr("The next run goes on with it."), "muted", wrap=True),
            gap=2,
        )
        box = row(
            (words, 1),
            Chip(run_status_name(run.status) if whole else self.tr("interrupted"), TONES.get(run.status, "")),
            Button(
                self.tr("Changes"), partial(self._open, run, undoable=undoable), name=self.tr("Changes of") + f" {when}"
            ),
        )
        if undoable:
            undo = Button(
                self.tr("Undo"), partial(self._undo, run), icon_name="undo-2", name=self.tr("Undo") + f" {when}"
            )
            box.addWidget(undo)
        return box

    def _bin_row(self, item: BinItem) -> QLayout:
        until = self.tr("until {day}").format(day=day(self.context.services.clock.local(item.expires_at)))
        words = column(
            Label(item.text or item.id, wrap=True), Label(f"{said(item.reason)} · {until}", "small", wrap=True), gap=2
        )
        return row((words, 1), Button(self.tr("Bring back"), partial(self._restore, item), name=item.text[:60]))

    def _told(self, run: Run) -> str:
        return self._counts(run.counts) + (f" {said(run.message)}" if run.message else "")

    def _trigger(self, run: Run) -> str:
        words = {
            "schedule": self.tr("automatic"),
            "catch_up": self.tr("automatic, late"),
            "user": self.tr("started by you"),
            "api": self.tr("started by a program"),
        }
        return words.get(run.trigger, run.trigger)

    def _counts(self, counts: Mapping[str, int]) -> str:
        parts = [f"{number(count)} {change_name(name)}" for name, count in counts.items() if count]
        return (", ".join(parts) + ".") if parts else self.tr("Nothing had to change.")

    # -- running -------------------------------------------------------------------------

    def run_now(self) -> None:
        self._start(self._pass(), self._ran)

    def preview(self) -> None:
        self._start(self._pass(dry_run=True), self._previewed)

    def _pass(self, **options: Any) -> ServiceOp[Any]:
        return self._behind(self.context.services.consolidation.run, **options)

    def _behind(self, service: Callable[..., Any], *arguments: Any, **options: Any) -> ServiceOp[Any]:
        """Return background work that can be cancelled and reports progress."""
        work = partial(service, *arguments, **options)
        return ServiceOp(self.context.bridge, self, lambda op: work(cancel=op.token, progress=op.report)).behind()

    def _start(self, op: ServiceOp[Any], done: Any) -> None:
        if self._op is not None:
            return
        self._op = op
        self._show_work(running=True)
        self.doing.setText(self.tr("Looking at the memory…"))
        self.bar.setValue(0)
        op.progress(self._progressed).success(done).ended(self._ended).start()

    def _show_work(self, *, running: bool) -> None:
        if running == self.progress.isHidden():
            self.cancel.setEnabled(running)
        self.progress.setVisible(running)
        for part in (self.now, self.first, self.diff.undo):
            part.setEnabled(not running)
        self.diff.apply.setEnabled(not running and self.diff.model.count_checked() > 0)

    def _progressed(self, share: float, words: str) -> None:
        self.bar.setValue(round(share * 100))
        # "Stopping…" stays until the pass has ended.
        if words and self.cancel.isEnabled():
            self.doing.setText(said(words))

    def _cancel(self) -> None:
        self.doing.setText(self.tr("Stopping…"))
        self.cancel.setEnabled(False)
        if self._op is not None:
            self._op.cancel()
        else:
            self.context.bridge.call(self, self.context.services.consolidation.stop).start()

    def _ended(self) -> None:
        self._op = None
        self._show_work(running=False)
        self.reload()

    def _ran(self, result: RunResult) -> None:
        self._back()
        clear(self.result_box)
        run = result.run
        self.result_box.addWidget(SectionHead(self.tr("Done") if run.status == "done" else self.tr("Stopped")))
        self.result_box.addWidget(Label(self._told(run), wrap=True))
        if result.changes:
            show = Button(self.tr("Show changes"), partial(self._open, run))
            undo = Button(self.tr("Undo"), partial(self._undo, run), icon_name="undo-2")
            self.result_box.addLayout(row(show, undo, None))
            show.setFocus()
        self.result.show()
        self.overview.verticalScrollBar().setValue(0)

    # -- the diff ------------------------------------------------------------------------

    def _previewed(self, result: RunResult) -> None:
        self.diff.show_preview(result)
        self.stack.setCurrentWidget(self.diff)

    def _open(self, run: Run, *, undoable: bool = True) -> None:
        self.diff.show_run(run, undoable=undoable)
        self.stack.setCurrentWidget(self.diff)

    def _apply(self) -> None:
        if self.diff.run is not None:
            only, preview = self.diff.model.checked(), self.diff.run.id
            self._start(self._pass(only=only, preview=preview), self._ran)

    def _back(self) -> None:
        self.stack.setCurrentWidget(self.overview)

    def _undo_shown(self) -> None:
        if self.diff.run is not None:
            self._undo(self.diff.run)
            self._back()

    def _undo(self, run: Run) -> None:
        self.result.hide()

        def told(result: UndoResult) -> None:
            words = tr("%n changes were undone.", "", result.restored)
            if result.kept:
                words += " " + tr("%n stay: they were changed since.", "", result.kept)
            self.context.notices.success(tr("Undone"), words)

        self._start(self._behind(self.context.services.consolidation.undo, run.id), told)

    def _ask_empty(self) -> None:
        ConfirmDialog(
            self.window(),
            title=self.tr("Empty the bin?"),
            text=self.tr(
                "Its contents are deleted, and undoing a run no longer restores them. Earlier copies still contain them."
            ),
            action=self.tr("Empty the bin"),
            confirmed=lambda _option: self._empty_bin(),
        ).open()

    def _empty_bin(self) -> None:
        op = self.context.bridge.call(self, self.context.services.consolidation.empty_bin)
        op.tell(tr("The bin is empty")).then(self.reload).start()

    def _restore(self, item: BinItem) -> None:
        op = self.context.bridge.call(self, self.context.services.consolidation.restore, item.kind, item.id)
        op.tell(tr("Restored")).then(self.reload).start()
