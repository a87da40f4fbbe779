"""Why a reply saw what it saw: the rule, the lines with score, tokens, age and source, and omitted lines."""

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QLayout, QWidget

from memdesk.domain.models import Receipt, ReceiptItem
from memdesk.gui.decisions import decision_words
from memdesk.gui.operations import facts as fact_operations
from memdesk.gui.operations import receipts as operations
from memdesk.gui.operations.forgetting import ask_forget
from memdesk.gui.operations.kept import open_note
from memdesk.gui.operations.memory_tests import always_find
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.gui.views.chat.panel import SidePanel
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.forms import Field, TextArea
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import FlowLayout, boxed, column, flowing, row
from memdesk.gui.widgets.share import ShareBar
from memdesk.gui.words import (
    ago,
    day,
    elapsed,
    kind_name,
    left_out_name,
    mode_name,
    number,
    quoted,
    rule_name,
    section_name,
    share,
)
from memdesk.services.chatting import ReceiptState
from memdesk.services.recalling import asks_for_all


def way_to_all(context: PageContext, agent_id: str) -> Button:
    """Return the link beside an answer to what an agent knows in general."""
    go = partial(context.navigate, "memory", tab="facts", agent_id=agent_id)
    return Button(tr("Everything that is remembered"), go, variant="chip", icon_name="brain")


class ReceiptPanel(SidePanel):
    """Shows one receipt. ``opened`` has ``(agent, conversation, turn, quote)`` of a source; the turn may be ""."""

    opened = Signal(str, str, str, str)

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self._context = context
        self._receipt: Receipt | None = None
        self._state = ReceiptState()

    def load(self, receipt_id: str) -> None:
        chat = self._context.services.chat

        def fetch() -> tuple[Receipt, ReceiptState]:
            receipt = chat.receipts.get(receipt_id)
            return receipt, chat.receipts.state(receipt)

        self._context.bridge.run(self, fetch, lambda found: self.show_receipt(*found), latest="receipt")

    def show_receipt(self, receipt: Receipt, state: ReceiptState | None = None) -> None:
        """Show a receipt, with the present state of its memories (None: as then)."""
        again = self._receipt is not None and self._receipt.id == receipt.id and self.isVisible()
        place = self.area.verticalScrollBar().value() if again else 0
        self.unfolded = self.unfolded and again
        self._receipt, self._state = receipt, state or ReceiptState()
        self._fill(receipt)
        # Restore the position, once the layout is done.
        QTimer.singleShot(0, self, lambda: self.area.verticalScrollBar().setValue(place))

    def _fill(self, receipt: Receipt) -> None:
        self.begin(self.tr("Why this reply"))
        self.add(Label(decision_words(receipt), wrap=True))
        facts = QWidget()
        flow = FlowLayout(facts)
        if receipt.section != "none":
            flow.addWidget(Chip(section_name(receipt.section), "accent"))
        # The sentence already says that nothing called for memory, or what is about you.
        if receipt.rule not in {"", "none"} and rule_name(receipt.rule) != rule_name("mine"):
            rule = Chip(rule_name(receipt.rule))
            rule.setToolTip(self.tr("Chosen because: {name}").format(name=receipt.rule))
            flow.addWidget(rule)
        flow.addWidget(
            Chip(
                self.tr("{used} of {budget} tokens").format(
                    used=number(receipt.tokens), budget=number(receipt.budget_tokens)
                )
            )
        )
        flow.addWidget(Chip(mode_name(receipt.mode)))
        flow.addWidget(Chip(elapsed(receipt.elapsed_ms)))
        self.add(facts)
        if asks_for_all(receipt.rule):
            self.add(flowing(way_to_all(self._context, receipt.agent_id)))
        if receipt.items:
            self.add(Label(self.tr("What it saw"), "section"))
        for item in receipt.items:
            self.add(self._card(item))
        if receipt.left_out:
            rest = boxed(column(*(self._card(item) for item in receipt.left_out), gap=10))
            self.fold(self.tr("Left out: %n", "", len(receipt.left_out)), rest)
        self.end()

    def _card(self, item: ReceiptItem) -> QFrame:
        frame = QFrame()
        frame.setProperty("role", "card")
        clock = self._context.services.clock
        head = row(Chip(kind_name(item.kind), "" if item.left_out else "accent"), gap=6)
        if item.left_out:
            head.addWidget(Chip(left_out_name(item.left_out), "warning"))
        elif self._muted(item):
            head.addWidget(Chip(left_out_name("muted"), "warning"))
        if self._gone(item):
            head.addWidget(Chip(self.tr("gone since"), "warning"))
        head.addStretch(1)
        head.addWidget(ShareBar(item.score))
        head.addWidget(Label(self.tr("score {s}").format(s=share(item.score)), "small"))
        figures = [self.tr("%n tokens", "", item.tokens)]
        if item.date is not None:
            figures.append(ago(item.date, clock.now()))
        details = Label(" · ".join(figures), "small", wrap=True)
        if item.date is not None:
            details.setToolTip(day(clock.local(item.date)))
        # Forgetting blanks the line in every receipt.
        line = item.line.removeprefix("- ") or self.tr("What was here has been forgotten.")
        frame.setAccessibleName(line)
        box = column(head, Label(line, wrap=True, selectable=True), details, gap=6, margins=(12, 10, 12, 8))
        if item.quote and item.quote.strip() not in line:
            box.addWidget(Label(quoted(item.quote.strip()), "quote", wrap=True, selectable=True))
        if not self._gone(item):
            box.addLayout(self._actions(item))
        frame.setLayout(box)
        return frame

    def _actions(self, item: ReceiptItem) -> QLayout:
        tools = row(gap=0)
        if item.kind in {"fact", "identity", "episode"}:
            tools.addWidget(IconButton("pencil", self.tr("Fix"), partial(self._fix, item), side=15))
        if item.kind == "fact":
            tools.addWidget(self._pin_button(item))
        if item.line:
            name = self.tr("This should always be found")
            tools.addWidget(IconButton("flag", name, partial(self._always_find, item), side=15))
        if item.kind != "detail":
            tools.addWidget(IconButton("eraser", self.tr("Forget"), partial(self._forget, item), side=15))
        if self._muted(item):
            tools.addWidget(
                IconButton("eye", self.tr("Use it here again"), partial(self._mute, item, on=False), side=15)
            )
        else:
            tools.addWidget(IconButton("ban", self.tr("Don't use this here"), partial(self._mute, item), side=15))
        tools.addStretch(1)
        if item.conversation_id:
            source = Button(self.tr("Source"), variant="link")
            source.setAccessibleName(self.tr("Open the conversation it came from"))
            source.clicked.connect(lambda: self._open(item))
            tools.addWidget(source, 0, Qt.AlignmentFlag.AlignRight)
        elif place := self._state.files.get((item.kind, item.id)):
            source = Button(self.tr("Open file"), partial(self._open_file, *place), variant="link")
            source.setToolTip(place[0])
            tools.addWidget(source, 0, Qt.AlignmentFlag.AlignRight)
        return tools

    def _pin_button(self, item: ReceiptItem) -> IconButton:
        pinned = (item.kind, item.id) in self._state.pinned
        name = self.tr("Pinned: never fades. Unpin") if pinned else self.tr("Pin: never fades")
        tint = "accent" if pinned else "muted"
        return IconButton("pin", name, partial(self._pin, item, on=not pinned), side=15, tint=tint)

    def _muted(self, item: ReceiptItem) -> bool:
        return (item.kind, item.id) in self._state.muted

    def _gone(self, item: ReceiptItem) -> bool:
        return (item.kind, item.id) in self._state.gone

    # -- actions -----------------------------------------------------------------------

    def _open(self, item: ReceiptItem) -> None:
        if self._receipt is not None and item.conversation_id:
            turn_id = item.id if item.kind == "turn" else ""
            self.opened.emit(self._receipt.agent_id, item.conversation_id, turn_id, item.quote.strip())

    def _open_file(self, file: str, line: int) -> None:
        assert self._receipt is not None
        open_note(self._context, self, agent_id=self._receipt.agent_id, file=file, line=line).start()

    def _fix(self, item: ReceiptItem) -> None:
        dialog = Dialog(self.window(), self.tr("Fix this memory"))
        area = TextArea(item.line, rows=4, statement=True)
        dialog.body.addWidget(
            Field(self.tr("What it should say"), area, self.tr("The history keeps what it said before."))
        )

        def fill(text: str) -> None:
            area.setPlainText(text)

        operations.text_of(self._context, dialog, item=item).success(fill).start()

        def save() -> None:
            op = operations.fix(self._context, dialog, item=item, text=area.toPlainText().strip())
            op.success(lambda _done: self._fixed(dialog)).failure(dialog.show_fault).start()

        dialog.set_action(self.tr("Save"), save)
        dialog.open()
        area.setFocus()

    def _fixed(self, dialog: Dialog) -> None:
        dialog.accept()
        self._context.notices.success(self.tr("Fixed"), self.tr("The next reply sees the corrected words."))
        self._again()

    def _pin(self, item: ReceiptItem, *, on: bool) -> None:
        fact_operations.pin_facts(self._context, self, fact_ids=[item.id], on=on).then(self._again).start()

    def _always_find(self, item: ReceiptItem) -> None:
        assert self._receipt is not None
        always_find(self._context, self, receipt=self._receipt, item=item).start()

    def _forget(self, item: ReceiptItem) -> None:
        assert self._receipt is not None
        ask_forget(
            self._context,
            self,
            target=operations.target_of(item, self._receipt.agent_id),
            title=self.tr("Forget this?"),
            text=quoted(item.line),
            done=lambda _report: self._again(),
        )

    def _mute(self, item: ReceiptItem, *, on: bool = True) -> None:
        assert self._receipt is not None
        operations.mute(self._context, self, receipt=self._receipt, item=item, on=on).then(self._again).start()

    def _again(self) -> None:
        if self._receipt is not None:
            self.load(self._receipt.id)
