"""Context preview: exactly what a chat would be given for a question, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFrame, QLineEdit

from memdesk.gui.views.memory.tab import MemoryTab
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo, Spin
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import ScrollColumn, card, clear, column, line, row
from memdesk.gui.widgets.states import EmptyState, SectionHead, StatePane
from memdesk.gui.words import kind_name, left_out_name, mode_name, number, rule_name, section_name, share

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memdesk.domain.models import Receipt, ReceiptItem


class PreviewTab(MemoryTab):
    """Asks the read path, stores nothing, counts nothing as used."""

    scrolls = True

    def build(self) -> Iterator[None]:
        """Make the form, then the pane of its answer."""
        self.query = QLineEdit()
        self.query.setPlaceholderText(self.tr("A question, as you would ask it in a chat"))
        self.query.setAccessibleName(self.tr("Question"))
        self.query.returnPressed.connect(self.ask)
        yield
        self.section = Combo(
            self.tr("Section"),
            [
                ("auto", self.tr("The gate decides")),
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
        yield
        go = Button(self.tr("Preview"), self.ask, variant="primary")
        form = row(self.query, self.section, self.budget, go, gap=8, margins=(0, 0, 12, 0))
        form.setStretch(0, 1)
        below = self.lay(form)
        yield
        scroll = ScrollColumn(width=1120, margins=(0, 8, 12, 24), centred=False)
        self.body = scroll.body
        text = self.tr("Type a question to see what a chat would be given, and why.")
        self.pane = StatePane(scroll, EmptyState("eye", self.tr("What would be remembered?"), text))
        self.pane.show_content(empty=True)
        below.addWidget(self.pane)

    def enter(self, **arguments: Any) -> None:
        """Ask ``query`` at once."""
        if arguments.get("query"):
            self.query.setText(str(arguments["query"]))
            self.ask()

    def reload(self) -> None:
        """Ask again, for another agent."""
        if self.query.text().strip():
            self.ask()

    def ask(self) -> None:
        """Ask the read path."""
        services, query = self.context.services, self.query.text().strip()
        if not query:
            return
        agent_id, budget = self.agent_id, self.budget.value()
        section: Any = self.section.key()

        def read() -> Receipt:
            chosen = agent_id or services.agents.all()[0].id
            return services.recall.context(agent_id=chosen, query=query, budget_tokens=budget, section=section)

        self.pane.show_loading()
        self.context.bridge.run(
            read,
            owner=self,
            success=self._show,
            failure=lambda error: self.pane.show_failed(error, self.ask),
            latest="preview",
        )

    def _show(self, receipt: Receipt) -> None:
        clear(self.body)
        facts = [
            rule_name(receipt.rule),
            self.tr("{used} of {budget} tokens").format(
                used=number(receipt.tokens), budget=number(receipt.budget_tokens)
            ),
            self.tr("{n} ms").format(n=number(receipt.elapsed_ms)),
            mode_name(receipt.mode),
        ]
        why = Label(" · ".join(facts), "small")
        why.setToolTip(self.tr("The gate's rule: {name}").format(name=receipt.rule))
        head = row(Chip(section_name(receipt.section), "accent" if receipt.section != "none" else ""), why, None)
        if receipt.filled_from:
            head.insertWidget(1, Chip(self.tr("+ {section}").format(section=section_name(receipt.filled_from))))
        self.body.addLayout(head)
        block = receipt.block or self.tr("Nothing: the question goes to the model as it is.")
        shown = Label(block, "code" if receipt.block else "muted", wrap=True, selectable=True)
        self.body.addWidget(card(SectionHead(self.tr("What the model is given")), shown))
        if receipt.items:
            self.body.addWidget(self._items(self.tr("Why these"), receipt.items))
        if receipt.left_out:
            self.body.addWidget(self._items(self.tr("Left out"), receipt.left_out))
        self.body.addStretch(1)
        self.pane.show_content()

    def _items(self, title: str, items: Sequence[ReceiptItem]) -> QFrame:
        lines = column(gap=8)
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
            lines.addLayout(head)
            lines.addWidget(Label(item.line.removeprefix("- "), wrap=True, selectable=True))
        return card(SectionHead(title), lines)
