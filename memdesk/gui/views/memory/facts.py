"""The facts tab: filters, a lazy list of any length, bulk actions with undo, and the panel of one fact."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QFrame, QWidget

from memdesk.domain.models import FactKind, FactStatus
from memdesk.gui.models.facts import FactsModel
from memdesk.gui.operations.facts import add_fact, pin_facts, set_facts_status, undo_facts
from memdesk.gui.operations.forgetting import ask_forget
from memdesk.gui.views.memory.editing import FactDialog
from memdesk.gui.views.memory.fact_panel import FactPanel
from memdesk.gui.views.memory.tab import Bar, MemoryTab, Table, TwoLines
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import FlowLayout, beside, row
from memdesk.gui.widgets.search import SearchField
from memdesk.gui.widgets.states import EmptyState, StatePane
from memdesk.gui.words import kind_name
from memdesk.ports import FactFilter
from memdesk.services.events import MemoryChanged
from memdesk.services.forgetting import ForgetTarget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memdesk.domain.models import Fact

#: px at 100 % below which the panel takes the list's place.
NARROW = 760
STATES: dict[str, tuple[FactStatus, ...]] = {
    "active": (FactStatus.ACTIVE,),
    "disabled": (FactStatus.DISABLED,),
    "past": (FactStatus.SUPERSEDED, FactStatus.MERGED),
    "all": (FactStatus.ACTIVE, FactStatus.DISABLED, FactStatus.SUPERSEDED, FactStatus.MERGED),
}


class FactsTab(MemoryTab):
    """Facts of one agent or of all."""

    def build(self) -> Iterator[None]:
        """Make search and filters, the list, and the parts that show when facts are chosen."""
        context = self.context
        self._shown = ""
        self.search = SearchField(self.tr("Search facts"))
        self.search.searched.connect(lambda _text: self.reload())
        self.count = Label("", "small")
        first = row(self.search, self.count, gap=12)
        first.setStretch(0, 1)
        yield
        filters = QWidget()
        flow = FlowLayout(filters, gap=8)
        for combo in self._make_filters():
            flow.addWidget(combo)
            yield
        below = self.lay(first, filters)
        yield
        self.model = FactsModel(context.bridge, context.services.clock, self)
        self.table = self._make_table()
        yield
        empty = EmptyState(
            "brain",
            self.tr("No facts"),
            self.tr("Facts are distilled from conversations, or written by you."),
            action=self.tr("Add a fact"),
            handler=self.add,
        )
        self.pane = StatePane(self.table, empty)
        self.pane.show_loading()
        yield
        self.panel = FactPanel(context)
        self.panel.setMinimumWidth(context.theme.px(380))
        self.panel.hide()
        self.panel.changed.connect(self.reload)
        self.panel.closed.connect(self._close_panel)
        yield
        self.bar = self._bulk_bar()
        below.addWidget(self.bar)
        yield
        self.split = beside(self.pane, self.panel, (3, 2))
        below.addWidget(self.split, 1)
        self.model.loaded.connect(self._loaded)
        self.model.failed.connect(lambda error: self.pane.show_failed(error, self.reload))
        context.bridge.on(MemoryChanged, lambda _event: self._stale(), owner=self, settle_ms=400)

    def _make_filters(self) -> Iterator[Combo]:
        self.kind = self._combo(
            self.tr("Kind"), [("", self.tr("Any kind")), *((kind.value, kind_name(kind)) for kind in FactKind)]
        )
        yield self.kind
        self.state = self._combo(
            self.tr("State"),
            [
                ("active", self.tr("Active")),
                ("disabled", self.tr("Disabled")),
                ("past", self.tr("No longer true")),
                ("all", self.tr("All")),
            ],
        )
        yield self.state
        self.age = self._combo(
            self.tr("Changed"),
            [
                ("", self.tr("Any time")),
                ("7", self.tr("7 days")),
                ("30", self.tr("30 days")),
                ("365", self.tr("1 year")),
            ],
        )
        yield self.age
        self.order = self._combo(
            self.tr("Sort"),
            [
                ("updated", self.tr("Last changed")),
                ("created", self.tr("Newest")),
                ("salience", self.tr("Most salient")),
                ("last_used", self.tr("Last used")),
                ("content", self.tr("A to Z")),
            ],
        )
        yield self.order

    def _make_table(self) -> Table:
        table = Table(self.model, self.tr("Facts"), many=True)
        table.setItemDelegateForColumn(0, TwoLines(table))
        table.set_lines(2)
        table.setItemDelegateForColumn(2, Bar(table))
        table.set_widths({1: 120, 2: 100, 3: 120})
        table.hide_when_narrow((1,), 620)
        table.hide_when_narrow((2, 3), 480)
        table.selectionModel().selectionChanged.connect(lambda *_: self._selected())
        QShortcut(QKeySequence(Qt.Key.Key_Delete), table, self._forget, context=_SHORTCUT)
        return table

    def _combo(self, name: str, options: list[tuple[str, str]]) -> Combo:
        combo = Combo(name, options)
        combo.chosen.connect(lambda _key: self.reload())
        return combo

    def _bulk_bar(self) -> QFrame:
        frame = QFrame()
        frame.setProperty("banner", "info")
        self.chosen = Label("", "strong")
        self._undo = Button(self.tr("Undo"), self._take_back, variant="link", icon_name="undo-2")
        self._undo.hide()
        self._token = ""
        self._tools = [
            Button(self.tr("Pin"), partial(self._pin, True), icon_name="pin"),
            Button(self.tr("Unpin"), partial(self._pin, False), icon_name="pin-off"),
            Button(self.tr("Disable"), partial(self._able, "disabled"), icon_name="eye-off"),
            Button(self.tr("Enable"), partial(self._able, "active"), icon_name="eye"),
            Button(self.tr("Forget"), self._forget, variant="danger", icon_name="trash-2"),
        ]
        frame.setLayout(row(self.chosen, None, self._undo, *self._tools, gap=8, margins=(12, 6, 12, 6)))
        frame.hide()
        return frame

    # -- reading -------------------------------------------------------------------------

    def filter(self) -> FactFilter:
        """Return the filter as it is set."""
        days = self.age.key()
        order: Any = self.order.key()
        return FactFilter(
            agent_id=self.agent_id or None,
            query=self.search.text().strip(),
            status=STATES[self.state.key()],
            kind=self.kind.key() or None,
            since=self.context.services.clock.now() - timedelta(days=int(days)) if days else None,
            sort=order,
            descending=order != "content",
        )

    def reload(self) -> None:
        """Read the list anew; what is shown stays until the new one is here."""
        memories, flt = self.context.services.memories, self.filter()
        query = (replace(flt, since=None), self.age.key())
        self.model.reload(lambda limit, cursor: memories.facts(flt, limit, cursor), query=query)

    def enter(self, **arguments: Any) -> None:
        """Search, show one fact or add one."""
        if "query" in arguments:
            self.search.setText(str(arguments["query"]))
        if arguments.get("fact_id"):
            self._open(str(arguments["fact_id"]))
        if arguments.get("add"):
            self.add()

    def _stale(self) -> None:
        if self.isVisible() and self.chosen_count() < 2:
            self.reload()

    def _loaded(self, total: int) -> None:
        self.pane.show_content(empty=total == 0)
        self.count.setText(self.tr("%n facts", "", total))
        self.counted.emit(total)
        if self._shown:
            self._mark()

    # -- choosing ------------------------------------------------------------------------

    def spans(self) -> list[tuple[int, int]]:
        """Return the rows chosen, as first and last of each run of them."""
        return sorted((part.top(), part.bottom()) for part in self.table.selectionModel().selection().toList())

    def chosen_count(self) -> int:
        """Return the number of rows chosen."""
        return sum(last - first + 1 for first, last in self.spans())

    def _with_ids(self, then: Callable[[list[str]], object]) -> None:
        """Call ``then`` with the ids of the facts chosen, once all of them are read."""
        spans = self.spans()
        if spans:
            self.model.read_rows(spans, lambda facts: then([fact.id for fact in facts]))

    def _selected(self) -> None:
        spans, count = self.spans(), self.chosen_count()
        self.bar.setVisible(count > 1 or bool(self._token))
        self.chosen.setText(self.tr("%n facts chosen", "", count))
        for tool in self._tools:
            tool.setVisible(count > 1)
        if count == 1:
            self.model.when_read(self.model.index(spans[0][0], 0), self._picked)

    def _picked(self, fact: Fact) -> None:
        if fact.id != self._shown:
            self._open(fact.id)

    def _open(self, fact_id: str) -> None:
        self._shown = fact_id
        self._mark()
        self.panel.show()
        self._fit()
        self.panel.show_fact(fact_id)

    def _mark(self) -> None:
        """Select the row of the fact that the panel shows, where it is among those read."""
        position = next((row for row, fact in self.model.known() if fact.id == self._shown), -1)
        if position >= 0 and self.spans() != [(position, position)] and self.chosen_count() <= 1:
            self.table.selectRow(position)

    def _close_panel(self) -> None:
        self._shown = ""
        self.panel.hide()
        self.pane.show()
        self.table.clearSelection()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the panel in the list's place where there is no room for both."""
        super().resizeEvent(event)
        if self.built:
            self._fit()

    def _fit(self) -> None:
        self.pane.setVisible(self.panel.isHidden() or self.width() >= self.context.theme.px(NARROW))

    # -- actions -------------------------------------------------------------------------

    def add(self) -> None:
        """Ask for a fact and keep it."""
        agent_id = self.agent_id or "default"

        def save(values: dict[str, Any], dialog: FactDialog) -> None:
            op = add_fact(context=self.context, parent=self, agent_id=agent_id, **values)
            op.failure(dialog.show_fault).success(lambda _fact: dialog.accept()).success(
                lambda _fact: self.reload()
            ).start()

        FactDialog(self.window(), self.tr("Add a fact"), save).open()

    def _pin(self, on: bool) -> None:
        def pin(ids: list[str]) -> None:
            pin_facts(context=self.context, parent=self, fact_ids=ids, on=on).success(self._changed).start()

        self._with_ids(pin)

    def _able(self, status: Any) -> None:
        def switch(ids: list[str]) -> None:
            op = set_facts_status(context=self.context, parent=self, fact_ids=ids, status=status)
            op.success(self._changed).start()

        self._with_ids(switch)

    def _changed(self, change: Any) -> None:
        self._token = change.token
        self._undo.show()
        self.table.clearSelection()
        self.bar.show()
        self.chosen.setText(self.tr("%n facts changed", "", change.count))
        self.reload()

    def _take_back(self) -> None:
        token, self._token = self._token, ""
        self._undo.hide()
        self.bar.hide()
        op = undo_facts(context=self.context, parent=self, token=token)
        op.success(lambda _count: self.reload()).start()

    def _forget(self) -> None:
        self._with_ids(self._ask_forget)

    def _ask_forget(self, ids: list[str]) -> None:
        ask_forget(
            context=self.context,
            parent=self,
            target=ForgetTarget(kind="facts", ids=tuple(ids)),
            title=self.tr("Forget %n facts?", "", len(ids)),
            text=self.tr("They are gone for good: from lists, searches, history and receipts."),
            done=self._forgotten,
        )

    def _forgotten(self, _report: object) -> None:
        self._close_panel()
        self.reload()


_SHORTCUT = Qt.ShortcutContext.WidgetWithChildrenShortcut
