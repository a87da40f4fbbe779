"""The activity tab: every change of the memory, who made it and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from memdesk.domain.models import HistoryEntry, Page
from memdesk.errors import NotFoundError
from memdesk.gui.models.paged import PagedModel
from memdesk.gui.text import said
from memdesk.gui.theme import Theme
from memdesk.gui.views.memory.tab import MemoryTab, Table, TwoLines
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.layout import row
from memdesk.gui.widgets.states import EmptyState, StatePane
from memdesk.gui.words import actor_name, change_name, moment, share, thing_name
from memdesk.services.events import MemoryChanged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QModelIndex, QObject

    from memdesk.gui.bridge import Bridge
    from memdesk.ports import Clock


class HistoryModel(PagedModel[HistoryEntry]):
    """Columns: what changed, who did it, when."""

    def __init__(self, bridge: Bridge, clock: Clock, parent: QObject | None = None) -> None:
        super().__init__(bridge, None, parent)
        self._clock = clock
        self.headers = (self.tr("Change"), self.tr("By"), self.tr("When"))
        #: What the things are called of which the log holds no words, by id.
        self.names: dict[str, str] = {}

    def text(self, item: HistoryEntry, column: int) -> str:
        """Return a cell's words."""
        if column == 0:
            new, old = item.new or {}, item.old or {}
            words = new.get("content") or new.get("summary") or old.get("content") or old.get("summary")
            return str(words or self.names.get(item.ref_id) or self._without_words(item))
        if column == 1:
            return actor_name(item.actor)
        return moment(self._clock.local(item.at))

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
        """Return what was done and why as the second line."""
        if role == TwoLines.SECOND and column == 0:
            return " · ".join(part for part in self._second(item) if part)
        if role == Qt.ItemDataRole.ToolTipRole and column == 1:
            return item.actor_detail
        if role == Qt.ItemDataRole.ForegroundRole and column:
            return Theme.current().colour("muted")
        return None


class ActivityTab(MemoryTab):
    """Enter or a double click on a change of a fact shows the fact."""

    def build(self) -> Iterator[None]:
        """Make the choice of kinds, then the list."""
        self.kind = Combo(
            self.tr("What"),
            [
                ("", self.tr("Everything")),
                ("fact", self.tr("Facts")),
                ("episode", self.tr("Episodes")),
                ("identity", self.tr("Identity")),
                ("conversation", self.tr("Conversations")),
            ],
        )
        self.kind.chosen.connect(lambda _key: self.reload())
        below = self.lay(row(self.kind, None))
        yield
        self.model = HistoryModel(self.context.bridge, self.context.services.clock, self)
        self.table = Table(self.model, self.tr("Changes"))
        self.table.setItemDelegateForColumn(0, TwoLines(self.table))
        self.table.set_lines(2)
        self.table.set_widths({1: 150, 2: 170})
        self.table.activated.connect(self._open)
        text = self.tr("What is learned, changed or forgotten is noted here.")
        self.pane = StatePane(self.table, EmptyState("history", self.tr("No changes yet"), text))
        self.pane.show_loading()
        yield
        below.addWidget(self.pane)
        self.model.loaded.connect(lambda total: self.pane.show_content(empty=total == 0))
        self.model.failed.connect(lambda error: self.pane.show_failed(error, self.reload))
        self.context.bridge.on(MemoryChanged, lambda _event: self._stale(), owner=self, settle_ms=400)

    def reload(self) -> None:
        """Read the log anew."""
        history, kind, agent_id = self.context.services.history, self.kind.key() or None, self.agent_id or None
        # Anew each time: what was edited or forgotten since must not be shown as it was.
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
        """Return what a thing says or is called now; on a lane."""
        services = self.context.services
        try:
            if entry.kind == "fact":
                return services.memories.fact(entry.ref_id).content
            if entry.kind == "conversation":
                return services.conversations.get(entry.agent_id, entry.ref_id).title
        except NotFoundError:  # forgotten since; the log keeps that it was there
            return ""
        return ""

    def _open(self, index: QModelIndex) -> None:
        entry = self.model.item(index)
        if entry is not None and entry.kind in {"fact", "episode"}:
            self.context.navigate("memory", tab=f"{entry.kind}s", **{f"{entry.kind}_id": entry.ref_id})
