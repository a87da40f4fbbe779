"""The review tab: pending candidates, contradictory facts, and what is never stored."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLayout, QWidget

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactStatus
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.slices import SliceOp
from memdesk.gui.text import said, sentence, tr
from memdesk.gui.views.memory.editing import LineDialog
from memdesk.gui.views.memory.tab import CardsTab
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import ScrollColumn, Stacking, boxed, card, clear, column, flowing, line, row
from memdesk.gui.widgets.portion import Portion
from memdesk.gui.widgets.states import EmptyState, SectionHead, StatePane
from memdesk.gui.words import kind_name, quoted
from memdesk.services.distilling import Rule
from memdesk.services.events import DistillationFinished, MemoryChanged
from memdesk.services.remembering import ContradictionCard, ReviewItem


@dataclass(frozen=True, slots=True)
class Waiting:
    """What the tab shows, read together; ``total`` counts what waits, shown or not."""

    items: Sequence[ReviewItem]
    total: int
    cards: Sequence[ContradictionCard]
    rules: Sequence[Rule]


class ReviewTab(CardsTab):
    """What distillation was not sure of."""

    scrolls = True

    def build(self) -> Iterator[None]:
        self._scroll = scroll = ScrollColumn(margins=(0, 0, 12, 24), gap=12)
        self.body = scroll.body
        self._some = Portion(self.reload)
        #: The card that was just settled by keyboard or mouse.
        self._settled: int | None = None
        yield
        text = self.tr("What distillation is not sure of waits here for your yes or no.")
        self.pane = StatePane(scroll, EmptyState("inbox", self.tr("Nothing to review"), text))
        self.setLayout(column(self.pane, gap=0))
        self.pane.show_loading()
        for kind in (MemoryChanged, DistillationFinished):
            self.context.bridge.on(kind, lambda _event: self.reload(), owner=self, settle_ms=300)

    def reload(self) -> None:
        review, agent_id, most = self.context.services.review, self.agent_id or None, self._some.most

        def read() -> Waiting:
            cards = review.contradictions(agent_id)
            page = review.items(agent_id, most, None)
            rules = [rule for rule in review.rules() if not agent_id or rule.agent_id in {"", agent_id}]
            return Waiting(page.items[: max(0, most - len(cards))], page.total + len(cards), cards[:most], rules)

        self.context.bridge.run(self, read, self._show, self._failed, latest="review")

    def _show(self, found: Waiting) -> None:
        if not self._is_new(found):
            return
        place = self._scroll.verticalScrollBar().value()
        work = SliceOp(self.context.bridge, self, self._fill(found))
        # Only once the cards are visible: before that they can be neither scrolled to nor focused.
        later = partial(QTimer.singleShot, 0, self, partial(self._take_place, place))
        work.done(later).start(latest="cards")
        self.counted.emit(found.total)
        self.pane.show_content(empty=not (found.cards or found.items or found.rules))

    def _take_place(self, place: int) -> None:
        """Keep the position; the focus of a settled card moves to the one that replaced it."""
        self._scroll.verticalScrollBar().setValue(place)
        settled, self._settled = self._settled, None
        if settled is None:
            return
        cards = self._cards()
        if cards:
            every = cards[min(settled, len(cards) - 1)].findChildren(Button)
            buttons = [button for button in every if button.property("variant") != "link"]
            if buttons:
                buttons[0].setFocus()

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
        for more in self._some.rest(found.total - len(found.cards) - len(found.items)):
            self._scroll.append(more)
        if found.rules:
            self._scroll.append(self._rules(found.rules))

    def _candidate(self, item: ReviewItem) -> QWidget:
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
            words.addWidget(Label(sentence(fact.reason), "muted", wrap=True))
        for turn_id, quote in item.quotes:
            words.addLayout(self._quote(fact, turn_id, quote))
        settle = partial(self._button_about, fact.content)
        choices = flowing(
            settle(self.tr("Keep"), partial(self._accept, fact.id), variant="primary", icon_name="check"),
            settle(self.tr("Edit"), partial(self._edit, fact.id, fact.content), icon_name="pencil"),
            settle(self.tr("Drop"), partial(self._reject, fact.id, never=False), icon_name="x"),
        )
        tools = row((choices, 1))
        never = partial(self._reject, fact.id, never=True)
        tools.addWidget(settle(self.tr("Never store this kind"), never, icon_name="ban"))
        return card(chips, words, tools, gap=10)

    @staticmethod
    def _button_about(text: str, label: str, action: Callable[[], object], **look: Any) -> Button:
        """Return a button that a screen reader distinguishes from those on other cards."""
        return Button(label, action, name=f"{label}: {text[:60]}", **look)

    def _quote(self, fact: MemoryItem, turn_id: str, quote: str) -> QLayout:
        """Return a quote with a link to its source."""
        go = partial(
            self.context.navigate, "chat", agent_id=fact.agent_id, conversation_id=fact.run_id, turn_id=turn_id
        )
        box = row((Label(quoted(quote), "quote", wrap=True, selectable=True), 1))
        if fact.run_id:
            name = self.tr("Open the conversation at “{quote}”").format(quote=quote[:60])
            box.addWidget(Button(self.tr("Open"), go, variant="link", name=name))
        return box

    def _contradiction(self, found: ContradictionCard) -> QWidget:
        def side(title: str, fact: MemoryItem, keep: Literal["old", "new"]) -> Any:
            text = fact.content
            button = Button(self.tr("Keep this"), partial(self._settle, found.id, keep), name=f"{title}: {text}")
            go = partial(self.context.navigate, "memory", tab="facts", fact_id=fact.id)
            name = self.tr("Show fact: {text}").format(text=text)
            show = Button(self.tr("Show fact"), go, variant="link", name=name)
            learned = self.tr("learned on {day}").format(day=self.day(fact.created_at))
            head = Label(f"{title} · {learned}", "section", wrap=True)
            box = column(head, Label(text, wrap=True, selectable=True), gap=6, margins=12)
            if fact.sources and fact.sources[0].quote:
                box.addLayout(self._quote(fact, fact.sources[0].turn_id, fact.sources[0].quote))
            box.addStretch(1)
            box.addLayout(row(button, show, None))
            return boxed(box, "raised")

        old, new = side(self.tr("Before"), found.old, "old"), side(self.tr("Now"), found.new, "new")
        both = Button(self.tr("Both are true"), partial(self._settle, found.id, "both"))
        pair = Stacking(old, new, shares=(1, 1), gap=12)
        head = SectionHead(self.tr("These do not agree"), sentence(found.reason), both)
        return card(head, pair, gap=12)

    def _rules(self, rules: Sequence[Rule]) -> QWidget:
        lines = column()
        for rule in rules:
            lines.addWidget(line())
            box = row(
                (Label(said(rule.text), wrap=True), 1),
                Button(self.tr("Remove"), partial(self._remove, rule.id), name=said(rule.text)),
            )
            lines.addLayout(box)
        return card(SectionHead(self.tr("Never stored"), self.tr("Learned from what you dropped.")), lines)

    # -- actions -------------------------------------------------------------------------

    def _done(self, op: ServiceOp[Any]) -> None:
        self._settled = self._card_in_use()
        op.ended(self.reload).start()

    def _cards(self) -> list[QWidget]:
        items = (self.body.itemAt(number) for number in range(self.body.count()))
        return [widget for item in items if item is not None and (widget := item.widget()) is not None]

    def _card_in_use(self) -> int | None:
        """Return the number of the card with the focus, so that the next one gets it; None for none."""
        focus = self.focusWidget()
        held = (n for n, part in enumerate(self._cards()) if focus is not None and part.isAncestorOf(focus))
        return next(held, None)

    def _accept(self, fact_id: str) -> None:
        self._done(self.context.bridge.call(self, self.context.services.review.accept, fact_id).tell(tr("Kept")))

    def _edit(self, fact_id: str, content: str) -> None:
        def save(text: str, dialog: LineDialog) -> None:
            op = self.context.bridge.call(self, self.context.services.review.accept, fact_id, text).tell(tr("Kept"))
            op.failure(dialog.show_fault).then(dialog.accept).start()

        LineDialog(self.window(), self.tr("Edit and keep"), save, text=content).open()

    def _reject(self, fact_id: str, *, never: bool) -> None:
        words = tr("Dropped; this kind is not stored again") if never else tr("Dropped")
        op = self.context.bridge.call(self, self.context.services.review.reject, fact_id, never_again=never)
        self._done(op.success(lambda _none: self.context.notices.info(words)))

    def _settle(self, card_id: str, keep: Literal["old", "new", "both"]) -> None:
        self._done(self.context.bridge.call(self, self.context.services.review.resolve_contradiction, card_id, keep))

    def _remove(self, rule_id: str) -> None:
        self._done(self.context.bridge.call(self, self.context.services.review.remove_rule, rule_id))
