"""The facts tab: filters, a lazy list of any length, bulk actions with undo, and the panel of one fact."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Agent
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.commands import Command
from memdesk.gui.models.facts import FactsModel
from memdesk.gui.operations.facts import (
    add_fact,
    edit_facts,
    export_facts,
    import_facts,
    pin_facts,
    set_facts_status,
    undo_facts,
    warm_up,
)
from memdesk.gui.operations.forgetting import ask_forget
from memdesk.gui.operations.work import distill_now
from memdesk.gui.views.memory.bulk import BulkBar, BulkDialog
from memdesk.gui.views.memory.editing import FactDialog
from memdesk.gui.views.memory.fact_panel import FactPanel
from memdesk.gui.views.memory.filters import FactFilters
from memdesk.gui.views.memory.tab import Bar, MemoryTab, Table, TwoLines
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.files import ask_file, ask_place
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import beside, boxed, flowing, row
from memdesk.gui.widgets.menus import menu_of
from memdesk.gui.widgets.search import Narrowing, SearchField
from memdesk.gui.widgets.states import EmptyState, StatePane
from memdesk.ports import FactFilter
from memdesk.services.agents import DEFAULT_AGENT_ID
from memdesk.services.events import MemoryChanged
from memdesk.services.forgetting import ForgetTarget
from memdesk.services.remembering import BulkChange

#: Width in px at 100 % below which the panel replaces the list.
NARROW = 760


class FactsTab(MemoryTab):
    """Facts of one agent or of all."""

    def build(self) -> Iterator[None]:
        context = self.context
        self._shown = ""
        #: The memory changed while rows were selected: reload the list once they are deselected.
        self._behind = False
        #: The running bulk change.
        self._work: ServiceOp[BulkChange] | None = None
        self.search = SearchField(self.tr("Search facts"))
        self.search.searched.connect(lambda _text: self.reload())
        self.count = Label("", "small")
        self.filters = FactFilters()
        note = boxed(
            row(
                self.count,
                IconButton("download", self.tr("Export what is listed"), self._export),
                IconButton("upload", self.tr("Import facts"), self._import),
                gap=4,
            )
        )
        self.narrowing = Narrowing(self.search, self.filters, below=True, note=note)
        below = self.lay(self.narrowing)
        yield
        yield from self.filters.build()
        self.filters.changed.connect(self._narrowed)
        yield
        self.model = FactsModel(context.bridge, parent=self)
        self.table = self._make_table()
        yield
        self.pane = StatePane(self.table, self._make_empty())
        self.pane.show_loading()
        yield
        self.bar = BulkBar()
        self.bar.asked.connect(self._asked)
        self.bar.undone.connect(self._take_back)
        self.bar.stopped.connect(self._stop)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self.table, self.bar.take_back, context=_SHORTCUT)
        below.addWidget(self.bar)
        yield
        self.panel = self._make_panel()
        yield
        self.split = beside(self.pane, self.panel, (3, 2))
        below.addWidget(self.split, 1)
        self.model.loaded.connect(self._loaded)
        self.model.failed.connect(lambda error: self.pane.show_failed(error, self.reload))
        context.bridge.on(MemoryChanged, lambda _event: self._stale(), owner=self, settle_ms=400)

    def _make_empty(self) -> EmptyState:
        self._clear = Button(self.tr("Show all facts"), self._show_all)
        self._learn = Button(self.tr("Learn now"), lambda: distill_now(self.context, self).start())
        self._learn.hide()
        others = flowing(self._clear, self._learn)
        self._none = EmptyState("brain", "", action=self.tr("Add a fact"), handler=self.add, other=others)
        return self._none

    def _make_panel(self) -> FactPanel:
        panel = FactPanel(self.context)
        panel.hide()
        panel.changed.connect(self.reload)
        panel.forgotten.connect(self._forgotten)
        panel.did.connect(self.bar.changed)
        panel.opened.connect(self._open)
        panel.tagged.connect(self.filters.choose_tag)
        panel.closed.connect(self._close_panel)
        return panel

    def _make_table(self) -> Table:
        table = Table(self.model, self.tr("Facts"), many=True)
        table.setItemDelegateForColumn(0, TwoLines(table))
        table.set_lines(2)
        table.setItemDelegateForColumn(2, Bar(table))
        table.set_widths({1: 120, 2: 100, 3: 120})
        table.hide_when_narrow((1,), 700)
        table.hide_when_narrow((2, 3), 480)
        table.selectionModel().selectionChanged.connect(lambda *_: self._selected())
        table.asked.connect(self._menu)
        table.activated.connect(lambda index: self.model.when_read(index, lambda fact: self._open(fact.id)))
        head = table.horizontalHeader()
        head.setSectionsClickable(True)
        head.setSortIndicatorShown(True)
        head.setSortIndicator(*self.filters.sorted())
        head.sectionClicked.connect(self._sort_by)
        QShortcut(QKeySequence(Qt.Key.Key_Delete), table, self._forget, context=_SHORTCUT)
        QShortcut(QKeySequence(Qt.Key.Key_F2), table, self._edit, context=_SHORTCUT)
        return table

    # -- reading -------------------------------------------------------------------------

    def set_agent(self, agent_id: str) -> None:
        """Show another agent's facts and tags, and close the pane of the previous one's."""
        if agent_id != self.agent_id and agent_id:
            self._close_panel(take_focus=False)
        super().set_agent(agent_id)
        memories = self.context.services.memories
        self.context.bridge.run(self, lambda: memories.tags(agent_id or None), self.filters.offer_tags, latest="tags")

    def _wanted(self) -> FactFilter:
        return self.filters.filter(self.agent_id, self._query(), self.context.services.clock.now())

    def reload(self) -> None:
        """Reload the list; the old one stays until the new one arrives."""
        self._behind = False
        memories, flt = self.context.services.memories, self._wanted()
        query = (replace(flt, since=None, until=None), self.filters.spoken_days())
        self.model.reload(lambda limit, cursor: memories.facts(flt, limit, cursor), query=query)

    def enter(self, **arguments: Any) -> None:
        """Search, filter by entity or type, show one fact, or add one."""
        if arguments.get("entity_id"):
            self.search.put("")
            self.filters.choose_about(str(arguments["entity_id"]), str(arguments["name"]))
        if arguments.get("type"):
            self.search.put("")
            self.filters.choose_type(str(arguments["type"]))
        if "query" in arguments:
            self.search.setText(str(arguments["query"]))
        if arguments.get("fact_id"):
            self._open(str(arguments["fact_id"]))
        if arguments.get("add"):
            self.add()

    def _query(self) -> str:
        return self.search.text().strip()

    def _narrowed(self) -> None:
        self.table.horizontalHeader().setSortIndicator(*self.filters.sorted())
        self.reload()

    def _show_all(self) -> None:
        self.search.put("")
        self.filters.reset()

    def _sort_by(self, column: int) -> None:
        self.filters.sort_by(column)
        # The header flips its arrow even for a column that cannot be sorted.
        self.table.horizontalHeader().setSortIndicator(*self.filters.sorted())

    def _stale(self) -> None:
        if not self.isVisible():
            return
        self.panel.refresh()
        if self.chosen_count() < 2:
            self.reload()
        else:
            self._behind = True

    def _loaded(self, total: int) -> None:
        self._tell_empty()
        self.pane.show_content(empty=total == 0)
        self.count.setText(self.tr("%n facts", "", total))
        if not (self._query() or self.filters.narrowed()):
            self.counted.emit(total)
        if self._shown:
            self._mark()

    def _tell_empty(self) -> None:
        """Say why there is nothing: nothing is remembered, or nothing matches."""
        narrowed = bool(self._query()) or self.filters.narrowed()
        self.narrowing.mark(on=narrowed)
        self._clear.setVisible(narrowed)
        if narrowed:
            self._none.set_words(
                self.tr("Nothing matches"), self.tr("Try a simpler search, or clear the filters."), "search"
            )
        else:
            text = self.tr("Facts are learned from your chats, or written by you.")
            self._none.set_words(self.tr("No facts yet"), text, "brain")
        self._learn.hide()
        if not (narrowed or self.model.total):
            status = self.context.services.distillation.status
            self.context.bridge.run(self, status, self._tell_waiting, latest="waiting")

    def _tell_waiting(self, status: Mapping[str, Any]) -> None:
        """Say that chats become facts soon, and offer to do it now."""
        if len(status["pending"]) > sum(status["skipped"].values()) and not self._clear.isVisibleTo(self._none):
            text = self.tr("What you said in your chats is about to be learned: a minute after a chat rests.")
            self._none.set_words(self.tr("No facts yet"), text, "brain")
            self._learn.show()

    # -- choosing ------------------------------------------------------------------------

    def spans(self) -> list[tuple[int, int]]:
        """Return the selected rows, as first and last of each span."""
        return sorted((part.top(), part.bottom()) for part in self.table.selectionModel().selection().toList())

    def chosen_count(self) -> int:
        return sum(last - first + 1 for first, last in self.spans())

    def _with_ids(self, then: Callable[[list[str]], object]) -> None:
        """Call ``then`` with the ids of the selected facts, once all are loaded."""
        spans = self.spans()
        if spans:
            self.model.read_rows(spans, lambda facts: then([fact.id for fact in facts]))

    def _selected(self) -> None:
        count = self.chosen_count()
        self.bar.choose(count)
        if count == 1:
            self._with_one(self._picked)
        if count < 2 and self._behind:
            self.reload()

    def _with_one(self, then: Callable[[MemoryItem], object]) -> None:
        """Call ``then`` with the selected fact; the panel may still show another."""
        self.model.when_read(self.model.index(self.spans()[0][0], 0), then)

    def _picked(self, fact: MemoryItem) -> None:
        if fact.id != self._shown:
            self._open(fact.id)

    def _open(self, fact_id: str) -> None:
        self._shown = fact_id
        self._mark()
        self.panel.show()
        self._fit()
        self.panel.show_fact(fact_id)

    def _mark(self) -> None:
        """Select the row of the panel's fact, if loaded."""
        position = next((row for row, fact in self.model.known() if fact.id == self._shown), -1)
        if self.chosen_count() > 1 or self.spans() == [(position, position)]:
            return
        if position >= 0:
            self.table.selectRow(position)
        else:
            self.table.clearSelection()

    def _close_panel(self, *, take_focus: bool = True) -> None:
        self._shown = ""
        self.panel.hide()
        self._fit()
        self.table.clearSelection()
        if take_focus:
            self.table.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the panel instead of the list and its filters if both do not fit."""
        super().resizeEvent(event)
        if self.built:
            self._fit()

    def _fit(self) -> None:
        focus = self.window().focusWidget()
        within = focus is not None and self.pane.isAncestorOf(focus)
        both = self.panel.isHidden() or self.width() >= self.context.theme.px(NARROW)
        if within and not both:
            self.panel.setFocus()
        self.panel.setMinimumWidth(self.context.theme.px(380) if both else 0)
        self.pane.setVisible(both)
        self.stand_alone(not both)

    def commands(self) -> tuple[str, list[Command]]:
        return self.tr("This fact"), self.panel.commands()

    # -- actions -------------------------------------------------------------------------

    def add(self) -> None:
        """Add a fact."""
        self.context.bridge.run(self, self.context.services.agents.all, self._ask_fact, latest="add")

    def _ask_fact(self, agents: Sequence[Agent]) -> None:
        def save(values: dict[str, Any], dialog: FactDialog) -> None:
            self.count.setText(self.tr("Adding…"))
            op = dialog.leave(add_fact(self.context, self, **values))
            op.success(lambda added: self._open(added.fact.id)).ended(self.reload).start()

        warm_up(self.context, self)
        FactDialog(self.window(), self.tr("Add a fact"), save, agents=agents, agent_id=self.agent_id).open()

    def _export(self) -> None:
        wanted = self._wanted()
        day = self.context.services.clock.local(self.context.services.clock.now()).date()

        def export(path: str) -> None:
            export_facts(self.context, self, wanted=wanted, path=path).start()

        ask_place(self.window(), self.tr("Export what is listed"), export, f"facts-{day}.jsonl")

    def _import(self) -> None:
        def bring(path: str) -> None:
            agent_id = self.agent_id or DEFAULT_AGENT_ID
            import_facts(self.context, self, path=path, agent_id=agent_id).then(self.reload).start()

        ask_file(self.window(), self.tr("Import facts"), bring, self.tr("Exported facts (*.jsonl *.zip)"))

    def _menu(self, index: QModelIndex, place: QPoint) -> None:
        """Offer the tools for the selected facts, or the actions on one."""
        if self.chosen_count() > 1:
            menu_of(self.table, self.bar.commands()).popup(place)
        else:
            self.model.when_read(index, lambda fact: menu_of(self.table, self.panel.commands_of(fact)).popup(place))

    def _asked(self, tool: str) -> None:
        tools: dict[str, Callable[[], None]] = {
            "edit": self._edit,
            "pin": partial(self._pin, True),
            "unpin": partial(self._pin, False),
            "disable": partial(self._able, "disabled"),
            "enable": partial(self._able, "active"),
            "forget": self._forget,
        }
        tools[tool]()

    def _edit(self) -> None:
        """Edit one fact in full, or many in common."""
        if self.chosen_count() == 1:
            self._with_one(self.panel.edit)
        else:
            self._with_ids(self._ask_changes)

    def _ask_changes(self, ids: list[str]) -> None:
        def save(values: dict[str, Any]) -> None:
            self._change(edit_facts(self.context, self, fact_ids=ids, **values))

        BulkDialog(self.window(), len(ids), save).open()

    def _pin(self, on: bool) -> None:
        self._with_ids(lambda ids: self._change(pin_facts(self.context, self, fact_ids=ids, on=on)))

    def _able(self, status: Any) -> None:
        def switch(ids: list[str]) -> None:
            self._change(set_facts_status(self.context, self, fact_ids=ids, status=status))

        self._with_ids(switch)

    def _change(self, op: ServiceOp[BulkChange]) -> None:
        if self._work is None:
            self._work = op
            op.progress(self._worked).success(self._changed).ended(self._ended).start()

    def _worked(self, share: float, _words: str) -> None:
        if share < 1:
            self.bar.show_work(share, stops=self._work is not None)

    def _ended(self) -> None:
        self._work = None
        self.bar.show_work(None)

    def _stop(self) -> None:
        if self._work is not None:
            self._work.cancel()

    def _changed(self, change: BulkChange) -> None:
        self._behind = False
        self.table.clearSelection()
        self.bar.changed(change, self.tr("%n facts changed", "", change.count))
        self.reload()

    def _take_back(self, token: str) -> None:
        def back(_count: int) -> None:
            self.reload()
            self.panel.refresh()

        undo_facts(self.context, self, token=token).progress(self._worked).success(back).ended(self._ended).start()

    def _forget(self) -> None:
        self._with_ids(self._ask_forget)

    def _ask_forget(self, ids: list[str]) -> None:
        ask_forget(
            self.context,
            self,
            target=ForgetTarget(kind="facts", ids=tuple(ids)),
            title=self.tr("Forget %n facts?", "", len(ids)),
            text=self.tr("They are gone for good: from lists, searches, history and receipts."),
            done=lambda _report: self._forgotten(),
        )

    def _forgotten(self) -> None:
        # An older undo offered here would seem to restore what was forgotten for good.
        self.bar.forget()
        self._close_panel()
        self.reload()


_SHORTCUT = Qt.ShortcutContext.WidgetWithChildrenShortcut
