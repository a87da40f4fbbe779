"""Context preview: exactly what a chat would get for a question, and why."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from PySide6.QtWidgets import QLineEdit, QWidget

from memdesk.domain.models import Receipt, ReceiptItem
from memdesk.gui.decisions import decision_words
from memdesk.gui.views.memory.tab import MemoryTab
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo, Spin
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import ScrollColumn, Stacking, card, clear, column, flowing, line, row
from memdesk.gui.widgets.states import EmptyState, SectionHead, StatePane
from memdesk.gui.words import elapsed, kind_name, left_out_name, mode_name, number, rule_name, section_name, share
from memdesk.services.events import MemoryChanged

#: In narrower tabs the question is above its options, in px at 100 %.
NARROW = 620


class PreviewTab(MemoryTab):
    """Runs the read path without storing anything or counting uses."""

    scrolls = True

    def build(self) -> Iterator[None]:
        self.query = QLineEdit(placeholderText=self.tr("A question, as you would ask it in a chat"))
        self.query.setAccessibleName(self.tr("Question"))
        self.query.returnPressed.connect(self.ask)
        yield
        self.section = Combo(
            self.tr("Section"),
            [
                ("auto", self.tr("Automatic")),
                ("identity", self.tr("Identity")),
                ("pinned", self.tr("Facts")),
                ("episode", self.tr("Episodes")),
                ("transcript", self.tr("Transcript")),
            ],
        )
        yield
        self.budget = Spin()
        self.budget.setRange(100, 4000)
        self.budget.setSingleStep(100)
        self.budget.setSuffix(self.tr(" tokens"))
        self.budget.setAccessibleName(self.tr("Budget"))
        self.budget.setValue(self.context.services.settings.current.memory.memory_budget_tokens)
        self.budget.setKeyboardTracking(False)
        self.budget.valueChanged.connect(lambda _value: self.reload())
        self.section.chosen.connect(lambda _key: self.reload())
        yield
        go = Button(self.tr("Preview"), self.ask, variant="primary")
        asked_with = flowing(self.section, self.budget, go)
        below = self.lay(Stacking(self.query, asked_with, least=NARROW, margins=(0, 0, 12, 0)))
        yield
        scroll = ScrollColumn(margins=(0, 8, 12, 24))
        self.body = scroll.body
        text = self.tr("Type a question to see what a chat would be given, and why.")
        self.pane = StatePane(scroll, EmptyState("eye", self.tr("What would be remembered?"), text))
        self.pane.show_content(empty=True)
        below.addWidget(self.pane)
        self._shown: tuple[Receipt, str] | None = None
        self.context.bridge.on(MemoryChanged, lambda _event: self._stale(), owner=self, settle_ms=800)

    def enter(self, **arguments: Any) -> None:
        """Ask ``query`` at once."""
        if arguments.get("query"):
            self.query.setText(str(arguments["query"]))
            self.ask()

    def reload(self) -> None:
        """Ask again: another agent, budget or state of the memory."""
        if self.query.text().strip():
            self.ask()

    def ask(self) -> None:
        services, query = self.context.services, self.query.text().strip()
        if not query:
            return
        agent_id, budget = self.agent_id, self.budget.value()
        section: Any = self.section.key()

        def read() -> tuple[Receipt, str]:
            agents = services.agents.all()
            agent = next((each for each in agents if each.id == agent_id), agents[0])
            found = services.recall.context(agent_id=agent.id, query=query, budget_tokens=budget, section=section)
            return found, agent.name

        if self._shown is None or self._shown[0].query != query:
            self.pane.show_loading()
        self.context.bridge.run(
            self, read, self._show, lambda error: self.pane.show_failed(error, self.ask), latest="preview"
        )

    def _show(self, found: tuple[Receipt, str]) -> None:
        self._shown = receipt, agent = found
        clear(self.body)
        facts = [
            self.tr("as {agent} is given it").format(agent=agent),
            rule_name(receipt.rule),
            self.tr("{used} of {budget} tokens").format(
                used=number(receipt.tokens), budget=number(receipt.budget_tokens)
            ),
            elapsed(receipt.elapsed_ms),
            mode_name(receipt.mode),
        ]
        why = Label(" · ".join(facts), "small", wrap=True)
        why.setToolTip(self.tr("Chosen because: {name}").format(name=receipt.rule))
        chips = [Chip(section_name(receipt.section), "accent" if receipt.section != "none" else "")]
        if receipt.filled_from:
            chips.append(Chip(self.tr("+ {section}").format(section=section_name(receipt.filled_from))))
        self.body.addLayout(column(flowing(*chips), why, gap=6))
        self.body.addWidget(Label(decision_words(receipt), wrap=True))
        block = receipt.block or self.tr("Nothing: the question goes to the model as it is.")
        shown = Label(block, "code" if receipt.block else "muted", wrap=True, selectable=True)
        self.body.addWidget(card(SectionHead(self.tr("What the model is given")), shown))
        if receipt.items:
            self.body.addWidget(self._items(self.tr("Why these"), receipt.items))
        if receipt.left_out:
            self.body.addWidget(self._items(self.tr("Left out"), receipt.left_out))
        self.body.addStretch(1)
        self.pane.show_content()

    def _items(self, title: str, items: Sequence[ReceiptItem]) -> QWidget:
        lines = column()
        for item in items:
            lines.addWidget(line())
            facts = [
                kind_name(item.kind),
                share(item.score),
                self.tr("%n tokens", "", item.tokens),
                self.day(item.date),
            ]
            words = " · ".join(part for part in facts if part)
            head = row(Label(words, "small"), None)
            if item.left_out:
                head.addWidget(Chip(left_out_name(item.left_out), "warning"))
            if (go := self._way_to(item)) is not None:
                name = self.tr("Show: {text}").format(text=item.line[:60])
                head.addWidget(Button(self.tr("Show"), go, variant="link", name=name))
            lines.addLayout(head)
            lines.addWidget(Label(item.line.removeprefix("- "), wrap=True, selectable=True))
        return card(SectionHead(title), lines)

    def _way_to(self, item: ReceiptItem) -> Callable[[], None] | None:
        """Return a link to the item of a line; a detail's line leads to its conversation."""
        navigate = self.context.navigate
        if item.kind in {"fact", "episode"}:
            return partial(navigate, "memory", tab=f"{item.kind}s", **{f"{item.kind}_id": item.id})
        if item.kind == "identity":
            return partial(navigate, "memory", tab="identity")
        if item.conversation_id is None or self._shown is None:
            return None
        turn = {"turn_id": item.id} if item.kind == "turn" else {}
        agent_id = self._shown[0].agent_id
        return partial(navigate, "chat", agent_id=agent_id, conversation_id=item.conversation_id, **turn)
