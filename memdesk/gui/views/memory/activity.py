"""The activity tab: every change of the memory, its author and reason."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from memdesk.domain.models import HistoryEntry, Page
from memdesk.errors import NotFoundError
from memdesk.gui.bridge import Bridge, ServiceOp
from memdesk.gui.models.paged import PagedModel
from memdesk.gui.text import said
from memdesk.gui.theme import Theme
from memdesk.gui.views.memory.tab import MemoryTab, Table, TwoLines
from memdesk.gui.views.memory.taking_back import ask_take_back
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import boxed, row
from memdesk.gui.widgets.states import EmptyState, StatePane
from memdesk.gui.words import actor_name, change_name, moment, percent, share, thing_name
from memdesk.services.events import MemoryChanged
from memdesk.services.remembering import can_be

#: The fields with an item's text.
_WORDS = ("content", "summary", "name")


def words_of(entry: HistoryEntry) -> str:
    """Return the text of a changed item; empty if the log has none."""
    both = (entry.new or {}, entry.old or {})
    return next((str(each[name]) for each in both for name in _WORDS if each.get(name)), "")


class HistoryModel(PagedModel[HistoryEntry]):
    """Columns: what changed, by whom, when."""

    def __init__(self, bridge: Bridge, parent: QObject | None = None) -> None:
        super().__init__(bridge, parent=parent)
        #: Names of items without a text in the log, by id.
        self.names: dict[str, str] = {}

    def heads(self) -> tuple[str, ...]:
        return (self.tr("Change"), self.tr("By"), self.tr("When"))

    def text(self, item: HistoryEntry, column: int) -> str:
        if column == 0:
            if item.action == "merge" and item.kind == "entity":
                gone, name = ((each or {}).get("name") for each in (item.old, item.new))
                return self.tr("{gone} is now {name}").format(gone=gone, name=name)
            return str(words_of(item) or self.names.get(item.ref_id) or self._without_words(item))
        if column == 1:
            return actor_name(item.actor)
        return moment(self.clock.local(item.at))

    def _without_words(self, item: HistoryEntry) -> str:
        return self.tr("Forgotten, words and all") if item.action == "forget" else thing_name(item.kind)

    def _second(self, item: HistoryEntry) -> tuple[str, ...]:
        return thing_name(item.kind), change_name(item.action), self._figure(item), said(item.reason)

    def _figure(self, item: HistoryEntry) -> str:
        new = item.new or {}
        if "turns" in new:
            return self.tr("%n messages", "", int(new["turns"]))
        if "salience" in new and item.action == "promote":
            return self.tr("Salience {value}").format(value=share(new["salience"]))
        return ""

    def more(self, item: HistoryEntry, column: int, role: int) -> Any:
        if role == TwoLines.SECOND and column == 0:
            return " · ".join(part for part in self._second(item) if part)
        if role == Qt.ItemDataRole.ToolTipRole and column == 1:
            return item.actor_detail
        if role == Qt.ItemDataRole.ForegroundRole and column:
            return Theme.current().color("muted")
        return None


class ActivityTab(MemoryTab):
    """The selected change can be shown (also by Enter or double click) and, if the log has the old value, undone."""

    def build(self) -> Iterator[None]:
        self.kind = Combo(
            self.tr("What"),
            [
                ("", self.tr("Everything")),
                ("fact", self.tr("Facts")),
                ("episode", self.tr("Episodes")),
                ("identity", self.tr("Identity")),
                ("entity", self.tr("People & things")),
                ("conversation", self.tr("Conversations")),
            ],
        )
        self.kind.chosen.connect(lambda _key: self.reload())
        below = self.lay(row(self.kind, None))
        yield
        self.model = HistoryModel(self.context.bridge, parent=self)
        self.table = Table(self.model, self.tr("Changes"))
        self.table.setItemDelegateForColumn(0, TwoLines(self.table))
        self.table.set_lines(2)
        self.table.set_widths({1: 150, 2: 170})
        self.table.hide_when_narrow((1,), 560)
        self.table.hide_when_narrow((2,), 380)
        self.table.activated.connect(self._open)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._offer())
        text = self.tr("What is learned, changed or forgotten is noted here.")
        self.pane = StatePane(self.table, EmptyState("history", self.tr("No changes yet"), text))
        self.pane.show_loading()
        yield
        self.show_it = Button(self.tr("Show"), self._open_chosen)
        self.back = Button(self.tr("Undo…"), self._ask, icon_name="undo-2")
        self.stop = Button(self.tr("Cancel"), self._stop)
        self._work: ServiceOp[int] | None = None
        self.chosen = Label("", "strong", wrap=True)
        bar = row((self.chosen, 1), self.show_it, self.back, self.stop, margins=(12, 6, 12, 6))
        self.bar = boxed(bar, "choice-bar")
        self.bar.hide()
        yield
        below.addWidget(self.pane, 1)
        below.addWidget(self.bar)
        self.model.loaded.connect(self._loaded)
        self.model.failed.connect(lambda error: self.pane.show_failed(error, self.reload))
        self.context.bridge.on(MemoryChanged, lambda _event: self._stale(), owner=self, settle_ms=400)

    def reload(self) -> None:
        history, kind, agent_id = self.context.services.history, self.kind.key() or None, self.agent_id or None
        # Fetched each time: text edited or forgotten since must not be shown.
        names: dict[str, str] = {}
        called = self._called
        self.model.names = names

        def fetch(limit: int, cursor: str | None) -> Page[HistoryEntry]:
            page = history.page(kind=kind, agent_id=agent_id, limit=limit, cursor=cursor)
            for entry in page.items:
                if entry.ref_id not in names and entry.action != "forget":
                    names[entry.ref_id] = called(entry)
            return page

        self.model.reload(fetch, query=(agent_id, kind))

    def _called(self, entry: HistoryEntry) -> str:
        """Return an item's present text or name; on a lane."""
        services = self.context.services
        try:
            if entry.kind == "fact":
                return services.memories.fact(entry.ref_id).content
            if entry.kind == "entity":
                return services.memories.entity(entry.ref_id, 0).entity.name
            if entry.kind == "conversation":
                return services.conversations.get(entry.agent_id, entry.ref_id).title
        except NotFoundError:  # forgotten since; the log still has the event
            return ""
        return ""

    def _loaded(self, total: int) -> None:
        self.pane.show_content(empty=total == 0)
        self._offer()

    def _chosen(self) -> HistoryEntry | None:
        rows = self.table.selectionModel().selectedRows()
        return self.model.item(rows[0]) if rows else None

    def _offer(self) -> None:
        """Offer actions on the selected change, or to stop the running one."""
        works = self._work is not None
        self.stop.setVisible(works)
        if works:
            for part in (self.show_it, self.back):
                part.hide()
            self.bar.show()
            return
        entry = self._chosen()
        shows, back = entry is not None and _place(entry) is not None, entry is not None and can_be(entry)
        self.chosen.setText(self.model.text(entry, 0) if entry is not None else "")
        self.show_it.setVisible(shows)
        self.back.setVisible(back)
        self.bar.setVisible(shows or back)

    def _ask(self) -> None:
        entry = self._chosen()
        if entry is not None:
            ask_take_back(self.context, self, entry=entry, started=self._start)

    def _start(self, op: ServiceOp[int]) -> None:
        self._work = op
        op.progress(self._worked).ended(self._ended).start()
        self._offer()

    def _worked(self, share: float, _words: str) -> None:
        self.chosen.setText(self.tr("Taking changes back… {share}").format(share=percent(share)))

    def _ended(self) -> None:
        self._work = None
        self._offer()

    def _stop(self) -> None:
        if self._work is not None:
            self._work.cancel()

    def _open_chosen(self) -> None:
        for index in self.table.selectionModel().selectedRows():
            self._open(index)

    def _open(self, index: QModelIndex) -> None:
        entry = self.model.item(index)
        place = _place(entry) if entry is not None else None
        if place is not None:
            page, arguments = place
            self.context.navigate(page, **arguments)


def _place(entry: HistoryEntry) -> tuple[str, dict[str, str]] | None:
    """Return the page that shows a changed item, with its arguments; None if there is none."""
    if entry.action in {"forget", "reject"}:
        return None
    tabs = {"fact": ("facts", "fact_id"), "episode": ("episodes", "episode_id"), "entity": ("entities", "entity_id")}
    if entry.kind in tabs:
        tab, name = tabs[entry.kind]
        return "memory", {"tab": tab, name: entry.ref_id}
    if entry.kind == "identity":
        return "memory", {"tab": "identity"}
    if entry.kind == "conversation":
        return "chat", {"agent_id": entry.agent_id, "conversation_id": entry.ref_id}
    return None
