"""The filters and sort order of the list of facts."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from memdesk.domain.items.item import ItemType
from memdesk.domain.models import FactKind, FactStatus
from memdesk.gui.views.memory import days
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import FlowLayout, boxed, row
from memdesk.gui.words import kind_name, share, type_name
from memdesk.ports import FactFilter

STATES: dict[str, tuple[FactStatus, ...]] = {
    "active": (FactStatus.ACTIVE,),
    "disabled": (FactStatus.DISABLED,),
    "past": (FactStatus.SUPERSEDED, FactStatus.MERGED),
    "all": (FactStatus.ACTIVE, FactStatus.DISABLED, FactStatus.SUPERSEDED, FactStatus.MERGED),
}
#: Minimum and upper bound of the salience, by key.
WORTH: dict[str, tuple[float | None, float | None]] = {
    "": (None, None),
    "strong": (0.75, None),
    "middle": (0.5, None),
    "weak": (None, 0.5),
    "fading": (None, 0.3),
}
#: The sort order for a click on each column header.
COLUMNS = {0: "content", 2: "salience", 3: "updated"}


class FactFilters(QWidget):
    """Kind, type, tag, salience, state, day, entity, and order. ``changed``: one was chosen."""

    changed = Signal()

    def build(self) -> Iterator[None]:
        flow = FlowLayout(self, gap=8)
        self._combos: list[Combo] = []
        self._ascending = False
        for make in (self._kind, self._type, self._tag, self._worth, self._state, self._age, self._about, self._order):
            flow.addWidget(make())
            if make == self._age:
                flow.addWidget(self._days())
            yield
        self.clear = Button(self.tr("Clear filters"), self.reset, variant="link", icon_name="x")
        self.clear.hide()
        flow.addWidget(self.clear)

    def _combo(self, name: str, options: list[tuple[str, str]]) -> Combo:
        combo = Combo(name, options)
        combo.chosen.connect(lambda _key: self._tell())
        self._combos.append(combo)
        return combo

    def _kind(self) -> Combo:
        kinds = [("", self.tr("Any kind")), *((kind.value, kind_name(kind)) for kind in FactKind)]
        self.kind = self._combo(self.tr("Kind"), kinds)
        return self.kind

    def _type(self) -> Combo:
        types = [("", self.tr("Any type")), *((type_, type_name(type_)) for type_ in get_args(ItemType))]
        self.type = self._combo(self.tr("Type"), types)
        return self.type

    def _tag(self) -> Combo:
        self.tag = self._combo(self.tr("Tag"), [("", self.tr("Any tag"))])
        return self.tag

    def _worth(self) -> Combo:
        least, below = self.tr("Salience from {value}"), self.tr("Salience below {value}")
        options = [("", self.tr("Any salience"))]
        for key, (low, high) in WORTH.items():
            if low is not None:
                options.append((key, least.format(value=share(low))))
            elif high is not None:
                options.append((key, below.format(value=share(high))))
        self.worth = self._combo(self.tr("Salience"), options)
        return self.worth

    def _state(self) -> Combo:
        self.state = self._combo(
            self.tr("State"),
            [
                ("active", self.tr("Active")),
                ("disabled", self.tr("Disabled")),
                ("past", self.tr("No longer true")),
                ("all", self.tr("All")),
            ],
        )
        return self.state

    def _age(self) -> Combo:
        self.age = self._combo(self.tr("Learned"), [*days.ages(), ("between", self.tr("Between days…"))])
        return self.age

    def _about(self) -> Combo:
        """Create the filter shown only while the list is about one name."""
        self.about = self._combo(self.tr("About"), [("", self.tr("About anyone and anything"))])
        self.about.hide()
        return self.about

    def _days(self) -> QWidget:
        self.first, self.last = days.DayEdit(self.tr("From day")), days.DayEdit(self.tr("To day"))
        self.days = boxed(row(self.first, Label(self.tr("to"), "muted"), self.last, gap=6))
        for edit in (self.first, self.last):
            edit.turned.connect(self._tell)
        self.days.hide()
        return self.days

    def _order(self) -> Combo:
        self.order = Combo(
            self.tr("Sort"),
            [
                ("updated", self.tr("Last changed")),
                ("created", self.tr("Newest")),
                ("salience", self.tr("Most salient")),
                ("last_used", self.tr("Last used")),
                ("content", self.tr("A to Z")),
            ],
        )
        self.order.chosen.connect(self._reordered)
        return self.order

    def _reordered(self, key: str) -> None:
        self._ascending = key == "content"
        self._tell()

    # -- choosing ------------------------------------------------------------------------

    def offer_tags(self, tags: Sequence[str]) -> None:
        """Offer the tags; the selected one stays."""
        chosen = self.tag.key()
        known = list(dict.fromkeys([*([chosen] if chosen else []), *tags]))
        self.tag.set_options([("", self.tr("Any tag")), *((tag, f"#{tag}") for tag in known)])

    def choose_tag(self, tag: str) -> None:
        self.offer_tags([tag, *(str(self.tag.itemData(n)) for n in range(1, self.tag.count()))])
        self.tag.set_key(tag)
        self._tell()

    def choose_type(self, type_: str) -> None:
        for combo in self._combos:
            combo.setCurrentIndex(0)
        self.type.set_key(type_)
        self._tell()

    def choose_about(self, entity_id: str, name: str) -> None:
        """Show everything that names an entity."""
        for combo in self._combos:
            combo.setCurrentIndex(0)
        every = ("", self.tr("About anyone and anything"))
        self.about.set_options([every, (entity_id, self.tr("About {name}").format(name=name))], entity_id)
        self._tell()

    def sort_by(self, column: int) -> None:
        """Sort by the column whose head was clicked; a second click reverses the order."""
        key = COLUMNS.get(column)
        if key is None:
            return
        self._ascending = not self._ascending if key == self.order.key() else key == "content"
        self.order.set_key(key)
        self._tell()

    def sorted(self) -> tuple[int, Qt.SortOrder]:
        """Return the sort column (-1: not shown) and direction."""
        column = next((column for column, key in COLUMNS.items() if key == self.order.key()), -1)
        return column, Qt.SortOrder.AscendingOrder if self._ascending else Qt.SortOrder.DescendingOrder

    def narrowed(self) -> bool:
        """Whether any filter is set."""
        return any(combo.currentIndex() > 0 for combo in self._combos)

    def reset(self) -> None:
        """Reset to all active facts; the order stays."""
        for combo in self._combos:
            combo.setCurrentIndex(0)
        for edit in (self.first, self.last):
            edit.clear()
        self._tell()

    def _tell(self) -> None:
        between = self.age.key() == "between"
        if between and self.days.isHidden():
            self.first.setFocus()
        self.days.setVisible(between)
        self.about.setVisible(bool(self.about.key()))
        self.clear.setVisible(self.narrowed())
        self.changed.emit()

    # -- reading -------------------------------------------------------------------------

    def filter(self, agent_id: str, query: str, now: datetime) -> FactFilter:
        """Return the filter; an unreadable day is marked and ignored."""
        low, high = WORTH[self.worth.key()]
        since, until = self._span(now)
        order: Any = self.order.key()
        type_: Any = self.type.key() or None
        return FactFilter(
            agent_id=agent_id or None,
            query=query,
            status=STATES[self.state.key()],
            kind=self.kind.key() or None,
            type=type_,
            tag=self.tag.key() or None,
            min_salience=low,
            max_salience=high,
            entity_id=self.about.key() or None,
            since=since,
            until=until,
            sort=order,
            descending=not self._ascending,
        )

    def spoken_days(self) -> tuple[str, str, str]:
        """Return the days as chosen: other choices mean another list, passing time does not."""
        return self.age.key(), self.first.text(), self.last.text()

    def _span(self, now: datetime) -> tuple[datetime | None, datetime | None]:
        age = self.age.key()
        if age != "between":
            return days.since(age, now), None
        ends: list[datetime | None] = []
        for edit, more in ((self.first, 0), (self.last, 1)):
            try:
                found = edit.value()
            except ValueError:
                found = None
            ends.append(days.start_of(found + timedelta(days=more)) if found else None)
        return ends[0], ends[1]
