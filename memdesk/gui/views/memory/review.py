"""The review tab: candidates that wait, facts that do not agree, and what is never stored."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtWidgets import QFrame

from memdesk.domain.models import FactStatus
from memdesk.gui.operations.memory import accept_candidate, reject_candidate, remove_rule, resolve_contradiction
from memdesk.gui.slices import SliceOp
from memdesk.gui.text import said
from memdesk.gui.views.memory.editing import LineDialog
from memdesk.gui.views.memory.tab import MemoryTab
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import ScrollColumn, card, clear, column, flowing, line, row
from memdesk.gui.widgets.states import EmptyState, SectionHead, StatePane
from memdesk.gui.words import kind_name, quoted
from memdesk.services.events import DistillationFinished, MemoryChanged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memdesk.gui.bridge import ServiceOp
    from memdesk.services.review import ContradictionCard, ReviewItem
    from memdesk.services.review_rules import Rule

#: Candidates shown at once; the others come as these are settled.
SHOWN = 50


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the tab shows, read in one go."""

    items: Sequence[ReviewItem]
    total: int
    cards: Sequence[ContradictionCard]
    rules: Sequence[Rule]


class ReviewTab(MemoryTab):
    """What distillation was not sure of."""

    scrolls = True

    def build(self) -> Iterator[None]:
        """Make the column that takes the cards."""
        self._scroll = scroll = ScrollColumn(width=1120, margins=(0, 0, 12, 24), centred=False, gap=12)
        self.body = scroll.body
        yield
        text = self.tr("What distillation is not sure of waits here for your yes or no.")
        self.pane = StatePane(scroll, EmptyState("inbox", self.tr("Nothing to review"), text))
        self.setLayout(column(self.pane, gap=0))
        self.pane.show_loading()
        for kind in (MemoryChanged, DistillationFinished):
            self.context.bridge.on(kind, lambda _event: self.reload(), owner=self, settle_ms=300)

    def reload(self) -> None:
        """Read what waits."""
        review, agent_id = self.context.services.review, self.agent_id or None

        def read() -> Waiting:
            page = review.items(agent_id, SHOWN, None)
            rules = [rule for rule in review.rules() if not agent_id or rule.agent_id in {"", agent_id}]
            return Waiting(page.items, page.total, review.contradictions(agent_id), rules)

        self.context.bridge.run(
            read,
            owner=self,
            success=self._show,
            failure=lambda error: self.pane.show_failed(error, self.reload),
            latest="review",
        )

    def _show(self, found: Waiting) -> None:
        SliceOp(self.context.bridge, self, self._fill(found)).start(latest="cards")
        self.counted.emit(found.total + len(found.cards))
        self.pane.show_content(empty=not (found.cards or found.items or found.rules))

    # -- parts ---------------------------------------------------------------------------

    def _fill(self, found: Waiting) -> Iterator[None]:
        clear(self.body)
        self.body.addStretch(1)
        for two in found.cards:
            self._scroll.append(self._contradiction(two))
            yield
        for item in found.items:
            self._scroll.append(self._candidate(item))
            yield
        if found.total > len(found.items):
            more = self.tr("%n more wait", "", found.total - len(found.items))
            self._scroll.append(Label(more, "muted"))
        if found.rules:
            self._scroll.append(self._rules(found.rules))

    def _candidate(self, item: ReviewItem) -> QFrame:
        fact = item.fact
        apart = fact.status is FactStatus.QUARANTINED
        chips = row(Chip(kind_name(fact.kind)), gap=6)
        if apart:
            chips.addWidget(Chip(self.tr("tries to give orders"), "danger"))
        if item.provenance != "user":
            chips.addWidget(Chip(self.tr("not said by you"), "warning"))
        chips.addStretch(1)
        chips.addWidget(Label(self.tr("{n} % sure").format(n=round(fact.confidence * 100)), "small"))
        words = column(Label(fact.content, "strong", wrap=True, selectable=True), gap=4)
        if fact.reason:
            words.addWidget(Label(said(fact.reason), "muted", wrap=True))
        for _turn_id, quote in item.quotes:
            words.addWidget(Label(quoted(quote), "quote", wrap=True))
        tools = row(gap=8)
        choices = flowing(
            Button(self.tr("Keep"), partial(self._accept, fact.id), variant="primary", icon_name="check"),
            Button(self.tr("Edit"), partial(self._edit, fact.id, fact.content), icon_name="pencil"),
            Button(self.tr("Drop"), partial(self._reject, fact.id, never=False), icon_name="x"),
        )
        tools.addWidget(choices, 1)
        tools.addWidget(
            Button(self.tr("Never store this kind"), partial(self._reject, fact.id, never=True), icon_name="ban")
        )
        return card(chips, words, tools, gap=10)

    def _contradiction(self, found: ContradictionCard) -> QFrame:
        def side(title: str, text: str, keep: Literal["old", "new"]) -> Any:
            button = Button(self.tr("Keep this"), partial(self._settle, found.id, keep), name=f"{title}: {text}")
            box = column(Label(title, "section"), Label(text, wrap=True, selectable=True), None, row(button, None))
            frame = QFrame()
            frame.setProperty("role", "raised")
            box.setContentsMargins(*(self.context.theme.px(12),) * 4)
            frame.setLayout(box)
            return frame

        old, new = side(self.tr("Before"), found.old.content, "old"), side(self.tr("Now"), found.new.content, "new")
        both = Button(self.tr("Both are true"), partial(self._settle, found.id, "both"))
        pair = row(old, new, gap=12)
        pair.setStretch(0, 1)
        pair.setStretch(1, 1)
        head = SectionHead(self.tr("These do not agree"), said(found.reason), both)
        return card(head, pair, gap=12)

    def _rules(self, rules: Sequence[Rule]) -> QFrame:
        lines = column(gap=8)
        for rule in rules:
            lines.addWidget(line())
            box = row(gap=8)
            box.addWidget(Label(said(rule.text), wrap=True), 1)
            box.addWidget(Button(self.tr("Remove"), partial(self._remove, rule.id), name=said(rule.text)))
            lines.addLayout(box)
        return card(SectionHead(self.tr("Never stored"), self.tr("Learned from what you dropped.")), lines)

    # -- actions -------------------------------------------------------------------------

    def _done(self, op: ServiceOp[Any]) -> None:
        op.ended(self.reload).start()

    def _accept(self, fact_id: str) -> None:
        self._done(accept_candidate(context=self.context, parent=self, fact_id=fact_id))

    def _edit(self, fact_id: str, content: str) -> None:
        def save(text: str, dialog: LineDialog) -> None:
            op = accept_candidate(context=self.context, parent=self, fact_id=fact_id, content=text)
            op.failure(dialog.show_fault).success(lambda _fact: dialog.accept()).start()

        LineDialog(self.window(), self.tr("Edit and keep"), save, text=content).open()

    def _reject(self, fact_id: str, *, never: bool) -> None:
        self._done(reject_candidate(context=self.context, parent=self, fact_id=fact_id, never_again=never))

    def _settle(self, card_id: str, keep: Literal["old", "new", "both"]) -> None:
        self._done(resolve_contradiction(context=self.context, parent=self, card_id=card_id, keep=keep))

    def _remove(self, rule_id: str) -> None:
        self._done(remove_rule(context=self.context, parent=self, rule_id=rule_id))
