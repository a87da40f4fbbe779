"""The figures above the memory page's tabs: facts by type, as links, and the app's health."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import get_args

from PySide6.QtWidgets import QWidget

from memdesk.domain.items.item import ItemType
from memdesk.domain.models import FactStatus
from memdesk.gui.pages import PageContext
from memdesk.gui.text import said, sentence, tr
from memdesk.gui.views.diagnostics.tile import TINTS, level_name
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dot import Dot
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import FlowLayout, boxed, row
from memdesk.gui.words import number, type_name
from memdesk.ports import FactFilter
from memdesk.services.container import Services
from memdesk.services.upkeep import HealthTile


@dataclass(frozen=True, slots=True)
class Figures:
    """Active facts by type, and the health of the app's parts."""

    types: Mapping[ItemType, int]
    tiles: Sequence[HealthTile]


def read_figures(services: Services, agent_id: str) -> Figures:
    """Count an agent's (or all agents') memory and check the app's health; on a lane."""
    types: dict[ItemType, int] = {}
    for type_ in get_args(ItemType):
        flt = FactFilter(agent_id=agent_id or None, status=(FactStatus.ACTIVE,), type=type_)
        types[type_] = services.memories.facts(flt, 1).total
    return Figures({type_: count for type_, count in types.items() if count}, services.status.health())


class FigureCards(QWidget):
    """A card for each type, which opens its facts, and one with a dot, which leads to problems."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self._context = context
        self._shown: Figures | None = None
        self._flow = FlowLayout(self, gap=8)
        # Late contents must not push anything down.
        self.setMinimumHeight(context.theme.px(36))

    def show_figures(self, found: Figures) -> None:
        """Show figures; unchanged cards stay, with their focus."""
        if found == self._shown:
            return
        self._shown = found
        while (item := self._flow.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        for type_, count in found.types.items():
            show = partial(self._context.navigate, "memory", tab="facts", type=type_)
            name = tr("Show facts of the type {type}: {n}").format(type=type_name(type_), n=number(count))
            self._add(Label(number(count), "heading"), Button(type_name(type_), show, variant="link", name=name))
        self._add(*self._health(found.tiles))

    def _health(self, tiles: Sequence[HealthTile]) -> tuple[QWidget, QWidget]:
        worst = max(tiles, key=lambda tile: tuple(TINTS).index(tile.level))
        wrong = [tile for tile in tiles if tile.level != "green"]
        state = level_name(worst.level)
        words = tr("{part}: {state}").format(part=said(worst.title), state=state) if wrong else sentence(state)
        go = Button(words, partial(self._context.navigate, "diagnostics"), variant="link")
        go.setAccessibleName(tr("Health: {state}").format(state=words))
        go.setToolTip("\n".join(f"{said(tile.title)}: {said(tile.sentence)}" for tile in wrong))
        return Dot(TINTS[worst.level]), go

    def _add(self, *parts: QWidget) -> None:
        self._flow.addWidget(boxed(row(*parts, margins=(12, 6, 12, 6)), "card"))
