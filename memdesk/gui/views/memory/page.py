"""The memory page: one agent's memory, or all, in tabs created on their first visit."""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication
from PySide6.QtGui import QResizeEvent

from memdesk.domain.models import Agent
from memdesk.gui.commands import Command
from memdesk.gui.pages import Page, PageContext
from memdesk.gui.views.memory.counts import read_counts
from memdesk.gui.views.memory.figures import FigureCards, Figures, read_figures
from memdesk.gui.views.memory.tab import MemoryTab
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.layout import Stack, Tall, boxed, column, row
from memdesk.gui.widgets.states import PageHead
from memdesk.gui.widgets.switch import Segments
from memdesk.gui.words import number
from memdesk.services.events import AgentsChanged, MemoryChanged

#: Tab id, title, import path of its widget.
TABS: tuple[tuple[str, str, str], ...] = (
    ("identity", str(QT_TRANSLATE_NOOP("memory", "Identity")), "identity:IdentityTab"),
    ("facts", str(QT_TRANSLATE_NOOP("memory", "Facts")), "facts:FactsTab"),
    ("episodes", str(QT_TRANSLATE_NOOP("memory", "Episodes")), "episodes:EpisodesTab"),
    ("transcript", str(QT_TRANSLATE_NOOP("memory", "Transcript")), "transcript:TranscriptTab"),
    ("entities", str(QT_TRANSLATE_NOOP("memory", "People && things")), "entities:EntitiesTab"),
    ("kept", str(QT_TRANSLATE_NOOP("memory", "Files && links")), "kept:KeptTab"),
    ("review", str(QT_TRANSLATE_NOOP("memory", "Review")), "review:ReviewTab"),
    ("activity", str(QT_TRANSLATE_NOOP("memory", "Activity")), "activity:ActivityTab"),
    ("tests", str(QT_TRANSLATE_NOOP("memory", "Tests")), "memory_tests:MemoryTestsTab"),
    ("preview", str(QT_TRANSLATE_NOOP("memory", "Preview")), "preview:PreviewTab"),
)
#: Minimum height of a tab, in px at 100 %.
LEAST_HEIGHT = 150
#: Page heights from which the figures, and the header above one entry, are shown, in px at 100 %.
ROOM_FOR_HEAD = 480
#: The tab implied by an argument of ``navigate``.
MEANT = {"fact_id": "facts", "episode_id": "episodes", "entity_id": "entities", "type": "facts", "add": "facts"}


def _tab_class(target: str) -> type[MemoryTab]:
    module, _, name = target.partition(":")
    found: type[MemoryTab] = getattr(importlib.import_module(f"memdesk.gui.views.memory.{module}"), name)
    return found


class MemoryPage(Page):
    """Everything remembered. ``enter(tab=..., fact_id=..., agent_id=...)`` shows a part of it."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self._tabs: dict[str, MemoryTab] = {}
        self._tall: Tall | None = None
        self._arguments: dict[str, Any] = {}

    @classmethod
    def preload(cls) -> None:
        for _key, _title, target in TABS:
            _tab_class(target)

    def build(self) -> Iterator[None]:
        context = self.context
        self.agents = Combo(self.tr("Agent"), [("", self.tr("All agents"))], snug=True)
        self.agents.chosen.connect(lambda _key: self._show_agent())
        tools = (
            self.agents,
            Button(self.tr("Consolidate"), lambda: context.navigate("consolidation"), icon_name="combine"),
            Button(self.tr("Add a fact"), lambda: self.enter(tab="facts", add=True), icon_name="plus"),
        )
        head = PageHead(
            self.tr("Memory"), self.tr("What is remembered, where it came from, and what it is worth."), *tools
        )
        yield
        titles = {key: QCoreApplication.translate("memory", title) for key, title, _target in TABS}
        self._titles = titles
        self.segments = Segments(list(titles.items()), name=self.tr("Part of the memory"), value="facts")
        self.segments.changed.connect(self.show_tab)
        self.figures = FigureCards(context)
        self.stack = Stack()
        self._top = boxed(column(head, self.figures, row(self.segments, None), gap=16, margins=(0, 0, 12, 0)))
        self._tall = Tall(self._top, self.stack, gap=16, margins=(24, 24, 12, 0), least=LEAST_HEIGHT)
        self.setLayout(column(self._tall, gap=0))
        self._make_room()
        context.bridge.on(AgentsChanged, lambda _event: self._read_agents(), owner=self, settle_ms=200)
        context.bridge.on(MemoryChanged, lambda _event: self._stale(), owner=self, settle_ms=600)
        self._read_agents()

    def enter(self, **arguments: Any) -> None:
        if "agent_id" in arguments:
            self.agents.set_key(str(arguments["agent_id"] or ""))
        meant = next((tab for name, tab in MEANT.items() if arguments.get(name)), self.segments.value())
        self.show_tab(str(arguments.get("tab") or meant), **arguments)
        self._read_counts()

    def commands(self) -> tuple[str, list[Command]]:
        tab = self._tabs.get(self.segments.value())
        return tab.commands() if tab is not None and tab.built else ("", [])

    def place(self) -> dict[str, Any]:
        return {"tab": self.segments.value(), "agent_id": self.agents.key()}

    def show_tab(self, key: str, **arguments: Any) -> None:
        """Show a tab; it is created on its first visit."""
        self.segments.set_value(key)
        self._arguments = arguments
        if key in self._tabs:
            self._show_tab(key)
            return
        target = next(target for name, _title, target in TABS if name == key)
        self.context.bridge.run(
            self, lambda: _tab_class(target), lambda kind: self._make_tab(key, kind), latest=f"tab {key}"
        )

    def _make_tab(self, key: str, kind: type[MemoryTab]) -> None:
        if key in self._tabs:
            self._show_tab(key)
            return
        tab = kind(self.context)
        tab.counted.connect(lambda count: self._count(key, count))
        tab.turned.connect(self._make_room)
        self._tabs[key] = tab
        if not tab.scrolls:
            tab.setContentsMargins(0, 0, self.context.theme.px(12), self.context.theme.px(24))
        self.stack.addWidget(tab)
        tab.make(self.context.bridge, lambda: self._show_tab(key)).start()
        self._show_tab(key)

    def _show_tab(self, key: str) -> None:
        """Show a tab, unless another one was asked for since, and enter it if it is built."""
        if key != self.segments.value():
            return
        tab = self._tabs[key]
        self.stack.setCurrentWidget(tab)
        self._make_room()
        if tab.built:
            tab.set_agent(self.agents.key())
            tab.enter(**self._arguments)

    def _count(self, key: str, count: int) -> None:
        title = self._titles[key]
        self.segments.set_label(key, f"{title} {number(count)}" if count > 0 else title)

    def _stale(self) -> None:
        if self.isVisible():
            self._read_counts()

    def _read_counts(self) -> None:
        """Count the hidden tabs; the visible one counts its own."""
        services, agent_id = self.context.services, self.agents.key()
        self.context.bridge.run(self, lambda: read_figures(services, agent_id), self._show_figures, latest="figures")
        self.context.bridge.run(self, lambda: read_counts(services, agent_id), self._show_counts, latest="counts")

    def _show_figures(self, found: Figures) -> None:
        self.figures.show_figures(found)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        if self._tall is not None:
            room, tab = self.height() >= self.context.theme.px(ROOM_FOR_HEAD), self._tabs.get(self.segments.value())
            self.figures.setVisible(room)
            self._top.setVisible(room or tab is None or not tab.alone)
            self._tall.fit()

    def _show_counts(self, counts: Mapping[str, int]) -> None:
        for key, count in counts.items():
            if key != self.segments.value():
                self._count(key, count)

    def _show_agent(self) -> None:
        self._read_counts()
        tab = self._tabs.get(self.segments.value())
        if tab is not None and tab.built:
            tab.set_agent(self.agents.key())

    def _read_agents(self) -> None:
        self.context.bridge.run(self, self.context.services.agents.all, self._offer, latest="agents")

    def _offer(self, agents: Sequence[Agent]) -> None:
        options = [("", self.tr("All agents")), *((agent.id, agent.name) for agent in agents)]
        self.agents.set_options(options)
