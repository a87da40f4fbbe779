"""The changes of a run or a preview."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from memdesk.domain.models import Run, RunChange
from memdesk.gui.pages import PageContext
from memdesk.gui.views.consolidation.changes import ChangesModel
from memdesk.gui.views.memory.tab import Table, TwoLines
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import BELOW_HEAD, Stacking, Tall, bounded, boxed, column, flowing, row
from memdesk.gui.widgets.states import EmptyState, StatePane
from memdesk.gui.words import change_name, moment, number
from memdesk.services.upkeep import ConsolidationService, RunResult

#: Changes of a run per portion, and changes scanned per portion.
AT_ONCE, LOOKED_THROUGH = 500, 5000

#: Width in px at 100 % below which the tools are below the title, and minimum height of the table.
STACKED_BELOW, LEAST_HEIGHT = 720, 180


@dataclass(frozen=True, slots=True)
class Portion:
    """Changes of a run, their texts, and where the next begin."""

    changes: Sequence[RunChange]
    texts: Mapping[str, str]
    cursor: str | None


class DiffPane(QWidget):
    """``back``: show the overview; ``made``: make the checked changes; ``undone``: undo the run."""

    back = Signal()
    made = Signal()
    undone = Signal()

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.context = context
        self.run: Run | None = None
        #: Whether it shows a preview.
        self.previews = False
        self._cursor: str | None = None

    def build(self) -> Iterator[None]:
        self.model = ChangesModel()
        self.table = Table(self.model, self.tr("Changes"))
        self.table.setItemDelegateForColumn(0, TwoLines(self.table))
        self.table.set_lines(2)
        self.table.set_widths({1: 110, 2: 90, 3: 90})
        self.table.hide_when_narrow((2, 3), 480)
        text = self.tr("The memory is as it should be.")
        self.pane = StatePane(self.table, EmptyState("circle-check", self.tr("Nothing would change"), text))
        yield
        self.title = Label("", "heading", wrap=True)
        self.kind = Combo(self.tr("Kind of change"))
        self.kind.chosen.connect(self._narrow)
        self.apply = Button("", self.made.emit, variant="primary")
        self.all = Button(self.tr("Check none"), self._toggle_all)
        self.undo = Button(self.tr("Undo this run"), self.undone.emit, icon_name="undo-2")
        self.model.checked_changed.connect(self._checked)
        self.model.more_wanted.connect(self._read_more)
        self.model.texts_wanted.connect(self._read_texts)
        yield
        back = Button(self.tr("Back"), self.back.emit, icon_name="chevron-left")
        tools = flowing(self.kind, self.all, self.undo, self.apply)
        head = Stacking(boxed(row(back, (self.title, 1))), tools, least=STACKED_BELOW)
        # In a low window with large text, the tools fill the space: then both scroll.
        self.setLayout(bounded(column(Tall(head, self.pane, gap=12, margins=BELOW_HEAD, least=LEAST_HEIGHT))))
        escape = QKeySequence(Qt.Key.Key_Escape)
        QShortcut(escape, self, self.back.emit, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)

    # -- showing -------------------------------------------------------------------------

    def show_preview(self, result: RunResult) -> None:
        self.run, self.previews = result.run, True
        self._head(self.tr("This would change"), result.run.counts)
        self.model.show_preview(result.changes, result.ends, result.texts)
        there = bool(result.changes)
        self.apply.setVisible(there)
        self.all.setVisible(there)
        self.undo.hide()
        self.pane.show_content(empty=not there)
        (self.table if there else self).setFocus()

    def show_run(self, run: Run, *, undoable: bool) -> None:
        self.run, self.previews = run, False
        when = moment(self.context.services.clock.local(run.started_at))
        self._head(self.tr("This changed on {when}").format(when=when), run.counts)
        self.apply.hide()
        self.all.hide()
        self.undo.setVisible(undoable)
        self.pane.show_loading()
        self._narrow("")

    def _head(self, title: str, counts: Mapping[str, int]) -> None:
        self.title.setText(title)
        some = {name: count for name, count in counts.items() if count}
        every = (self.tr("All changes") + f" · {number(sum(some.values()))}") if some else self.tr("All changes")
        options = [("", every), *((name, f"{change_name(name)} · {number(count)}") for name, count in some.items())]
        self.kind.set_options(options, "")
        self.kind.setVisible(len(some) > 1)

    def _narrow(self, action: str) -> None:
        if self.previews:
            self.model.narrow(action)
            self._checked(self.model.count_checked())
        elif self.run is not None:
            self._read(self.run, action, None)

    # -- reading -------------------------------------------------------------------------

    def _read(self, run: Run, action: str, cursor: str | None) -> None:
        service = self.context.services.consolidation
        self.context.bridge.run(
            self,
            lambda: read_portion(service, run.id, action, cursor),
            partial(self._show_portion, first=cursor is None),
            lambda error: self.pane.show_failed(error, lambda: self._read(run, action, cursor)),
            latest="diff",
        )

    def _read_more(self) -> None:
        if self.run is not None and self._cursor is not None:
            self._read(self.run, self.kind.key(), self._cursor)

    def _show_portion(self, portion: Portion, *, first: bool) -> None:
        self._cursor = portion.cursor
        show = self.model.show_run if first else self.model.add
        show(portion.changes, portion.texts, more=portion.cursor is not None)
        if first:
            self.pane.show_content(empty=not portion.changes)

    def _read_texts(self, asked: Sequence[RunChange]) -> None:
        service = self.context.services.consolidation
        self.context.bridge.run(
            self, lambda: service.described(asked), lambda texts: self.model.add_texts(asked, texts)
        )

    # -- checking ------------------------------------------------------------------------

    def _checked(self, count: int) -> None:
        self.apply.setText(self.tr("Make %n changes", "", count))
        self.apply.setEnabled(count > 0)
        self.all.setText(self.tr("Check none") if self.model.all_checked() else self.tr("Check all"))

    def _toggle_all(self) -> None:
        self.model.check_all(not self.model.all_checked())


def read_portion(service: ConsolidationService, run_id: str, action: str, cursor: str | None) -> Portion:
    """Return the next changes of a run of one kind (empty: any), and their texts; on a lane."""
    found: list[RunChange] = []
    while len(found) < AT_ONCE:
        page = service.changes(run_id, LOOKED_THROUGH if action else AT_ONCE, cursor)
        found += [change for change in page.items if not action or change.action == action]
        cursor = page.next
        if cursor is None:
            break
    return Portion(found, service.described(found), cursor)
