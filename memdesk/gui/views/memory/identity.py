"""The identity tab: lines about the user that agents see, always."""

from collections.abc import Generator, Iterator, Sequence
from functools import partial

from PySide6.QtWidgets import QLayout, QWidget

from memdesk.domain.items.item import MemoryItem
from memdesk.gui.operations.forgetting import ask_forget
from memdesk.gui.slices import SliceOp
from memdesk.gui.views.memory.editing import LineDialog
from memdesk.gui.views.memory.tab import CardsTab
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import ScrollColumn, card, clear, column, line, row
from memdesk.gui.widgets.portion import Portion
from memdesk.gui.widgets.states import EmptyState, SectionHead, StatePane
from memdesk.gui.words import quoted
from memdesk.services.events import MemoryChanged
from memdesk.services.forgetting import ForgetTarget


class IdentityTab(CardsTab):
    """Lines by the user, and proposals of distillation."""

    scrolls = True

    def build(self) -> Iterator[None]:
        scroll = ScrollColumn(margins=(0, 0, 12, 24))
        self.body = scroll.body
        self._some = Portion(self._again)
        yield
        empty = EmptyState(
            "user",
            self.tr("Nothing about you yet"),
            self.tr("A few lines, such as your name and your work, go with every question you ask."),
            action=self.tr("Add a line"),
            handler=self.add,
        )
        self.pane = StatePane(scroll, empty)
        self.setLayout(column(self.pane, gap=0))
        self.pane.show_loading()
        self.context.bridge.on(MemoryChanged, lambda _event: self.reload(), owner=self, settle_ms=400)

    def reload(self) -> None:
        """Read the lines; for one agent, those it sees."""
        memories, owner = self.context.services.memories, self.agent_id or None
        self.context.bridge.run(
            self,
            lambda: memories.identity(include_inactive=True, agent_id=owner),
            self._show,
            self._failed,
            latest="identity",
        )

    def add(self) -> None:
        def save(text: str, dialog: LineDialog) -> None:
            op = self.context.bridge.call(self, self.context.services.memories.add_identity, text)
            op.failure(dialog.show_fault).then(dialog.accept).then(self.reload).start()

        text = self.tr("About you, in the third person or the first: “I work nights as a nurse.”")
        LineDialog(self.window(), self.tr("Add a line about you"), save, help_text=text, rows=2).open()

    def _show(self, lines: Sequence[MemoryItem]) -> None:
        shown = [item for item in lines if item.status in {"active", "disabled"}]
        if not self._is_new(shown):
            return
        groups: list[QWidget] = []
        work = SliceOp(self.context.bridge, self, self._make(shown, groups))
        work.done(lambda: self._put(shown, groups)).start(latest="groups")

    def _make(self, shown: Sequence[MemoryItem], groups: list[QWidget]) -> Iterator[None]:
        """Create the cards, then replace the old ones at once."""
        own = [item for item in shown if item.origin == "user"]
        found = [item for item in shown if item.origin != "user"]
        add = Button(self.tr("Add a line"), self.add, icon_name="plus")
        groups.append((yield from self._group(self.tr("Written by you"), own, add, self.tr("None."))))
        if found:
            groups.append((yield from self._group(self.tr("Learned from conversations"), found, None, "")))

    def _put(self, shown: Sequence[MemoryItem], groups: Sequence[QWidget]) -> None:
        clear(self.body)
        for group in groups:
            self.body.addWidget(group)
        self.body.addStretch(1)
        self.counted.emit(len([item for item in shown if item.status == "active"]))
        self.pane.show_content(empty=not shown)

    def _group(
        self, title: str, lines: Sequence[MemoryItem], action: Button | None, none: str
    ) -> Generator[None, None, QWidget]:
        rows = column(gap=10)
        group = card(SectionHead(title, "", *([action] if action else [])), rows, gap=10)
        if not lines:
            rows.addWidget(Label(none, "muted"))
        for item in lines[: self._some.most]:
            yield
            rows.addWidget(line())
            rows.addLayout(self._row(item))
        for more in self._some.rest(len(lines) - self._some.most):
            rows.addWidget(more)
        yield
        return group

    def _row(self, item: MemoryItem) -> QLayout:
        on = item.status == "active"
        words = column(Label(item.content, "" if on else "muted", wrap=True, selectable=True), gap=2)
        quotes = [source.quote for source in item.sources if source.quote]
        if quotes:
            words.addWidget(Label(quoted(quotes[0]), "quote", wrap=True))
        box = row((words, 1))
        if not on:
            box.addWidget(Chip(self.tr("off")))
        toggle = partial(self._set_status, item, "disabled" if on else "active")
        name = self.tr("Do not use") if on else self.tr("Use again")
        for button in (
            IconButton("pencil", self.tr("Edit"), partial(self._edit, item)),
            IconButton("eye-off" if on else "eye", name, toggle),
            IconButton("trash-2", self.tr("Forget"), partial(self._forget, item)),
        ):
            box.addWidget(button)
        return box

    def _set_status(self, item: MemoryItem, status: str) -> None:
        op = self.context.bridge.call(self, self.context.services.memories.edit_identity, item.id, status=status)
        op.then(self.reload).start()

    def _edit(self, item: MemoryItem) -> None:
        def save(text: str, dialog: LineDialog) -> None:
            op = self.context.bridge.call(self, self.context.services.memories.edit_identity, item.id, content=text)
            op.failure(dialog.show_fault).then(dialog.accept).then(self.reload).start()

        LineDialog(self.window(), self.tr("Edit line"), save, text=item.content, rows=2).open()

    def _forget(self, item: MemoryItem) -> None:
        ask_forget(
            self.context,
            self,
            target=ForgetTarget(kind="identity", ids=(item.id,)),
            title=self.tr("Forget this line?"),
            text=item.content,
            done=lambda _report: self.reload(),
        )
