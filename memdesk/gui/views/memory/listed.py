"""Shared by the tabs with a list and a pane for one entry."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QModelIndex, QPoint
from PySide6.QtWidgets import QBoxLayout, QWidget

from memdesk.gui.commands import Command
from memdesk.gui.models.paged import PagedModel
from memdesk.gui.views.memory.tab import MemoryTab, Table, TwoLines
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.layout import ScrollColumn, card, flowing
from memdesk.gui.widgets.menus import menu_of
from memdesk.gui.widgets.search import Narrowing, SearchField
from memdesk.gui.widgets.states import EmptyState, StatePane
from memdesk.gui.widgets.turns import TakingTurns


class ListTab(MemoryTab):
    """A list with search and filters at the left; one entry at the right, or instead of it."""

    side: QWidget

    def narrow_by(self, words: str, *combos: Combo) -> QBoxLayout:
        """Lay out the search field with placeholder ``words`` and the filters; return the column below them."""
        self._combos = combos
        self.search = SearchField(words)
        self.search.searched.connect(lambda _text: self.reload())
        for combo in combos:
            combo.chosen.connect(lambda _key: self.reload())
        self.narrowing = Narrowing(self.search, flowing(*combos) if combos else None)
        return self.lay(self.narrowing)

    def make_list(
        self, model: PagedModel[Any], name: str, icon: str, picked: Callable[[Any], object] | None = None
    ) -> None:
        """Create the list, with rows of two lines and a day if it fits, and its empty state.

        Args:
            model: what is listed.
            name: the list's accessible name.
            icon: the picture of an empty list.
            picked: called with the selected entry.
        """
        self.model, self._icon = model, icon
        self.table = Table(model, name)
        self.table.setItemDelegateForColumn(0, TwoLines(self.table))
        self.table.set_lines(2)
        if model.columnCount() > 1:
            self.table.set_widths({1: 110})
            self.table.hide_when_narrow((1,), 320)
        if picked is not None:
            self.table.selectionModel().currentRowChanged.connect(lambda index, _old: model.when_read(index, picked))
        self.table.asked.connect(self._menu)
        self._clear = Button(self.tr("Clear filters"), self.show_all)
        self._none = EmptyState(icon, "", other=self._clear)
        self.pane = StatePane(self.table, self._none)
        self.pane.show_loading()
        model.loaded.connect(self._loaded)
        model.failed.connect(lambda error: self.pane.show_failed(error, self.reload))

    def make_side(self) -> QWidget:
        """Create the pane of one entry: ``detail`` scrolls in the card ``side``, which is hidden."""
        self.detail = ScrollColumn(margins=16, gap=10)
        side = card(self.detail, gap=0, margins=1)
        side.hide()
        return side

    def join(self, below: QBoxLayout, side: QWidget, shares: tuple[int, int] = (1, 1)) -> None:
        """Put list and pane side by side; the filters hide when the pane replaces the list."""
        self.side = side
        turns = TakingTurns(self.pane, side, shares)
        turns.alone.connect(self.stand_alone)
        below.addWidget(turns, 1)

    def nothing(self) -> tuple[str, str]:
        """Return the texts of an empty, unfiltered list: a title, and what will be there."""
        raise NotImplementedError

    def commands_of(self, item: Any) -> list[Command]:
        """Return the actions on an entry, which need not be the one shown."""
        del item
        return []

    def _menu(self, index: QModelIndex, place: QPoint) -> None:
        def show(item: Any) -> None:
            if commands := self.commands_of(item):
                menu_of(self.table, commands).popup(place)

        self.model.when_read(index, show)

    def query(self) -> str:
        return self.search.text().strip()

    def narrowed(self) -> bool:
        """Whether a search or filter is set."""
        return bool(self.query()) or any(combo.currentIndex() > 0 for combo in self._combos)

    def show_all(self) -> None:
        """Clear search and filters."""
        self.search.put("")
        for combo in self._combos:
            combo.setCurrentIndex(0)
        self.reload()

    def _loaded(self, total: int) -> None:
        narrowed = self.narrowed()
        self.narrowing.mark(on=narrowed)
        self._clear.setVisible(narrowed)
        if narrowed:
            text = self.tr("Try a simpler search, or clear the filters.")
            self._none.set_words(self.tr("Nothing matches"), text, "search")
        else:
            self._none.set_words(*self.nothing(), self._icon)
            self.counted.emit(total)
        self.pane.show_content(empty=total == 0)
