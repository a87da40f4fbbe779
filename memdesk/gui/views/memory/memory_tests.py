"""The tests tab: the user's own questions, and whether each finds the line it must."""

from collections.abc import Iterator, Sequence
from functools import partial

from PySide6.QtWidgets import QLineEdit, QWidget

from memdesk.gui.operations.memory_tests import add_test
from memdesk.gui.slices import SliceOp
from memdesk.gui.text import sentence
from memdesk.gui.views.memory.tab import CardsTab
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import Dialog
from memdesk.gui.widgets.forms import Field
from memdesk.gui.widgets.labels import Chip, IconLabel, Label
from memdesk.gui.widgets.layout import ScrollColumn, Stacking, boxed, card, clear, column, flowing, row
from memdesk.gui.widgets.portion import Portion
from memdesk.gui.widgets.states import EmptyState, StatePane
from memdesk.gui.words import ago, number, quoted
from memdesk.services.events import MemoryTestsChanged
from memdesk.services.testing import MemoryTest


class MemoryTestsTab(CardsTab):
    """Failed rows first, each with what changed."""

    scrolls = True

    def build(self) -> Iterator[None]:
        self._scroll = scroll = ScrollColumn(margins=(0, 0, 12, 24), gap=12)
        self.body = scroll.body
        self._some = Portion(self._again)
        self.summary = Label("", "muted", wrap=True)
        self.again = Button(self.tr("Run all"), self.run_all, icon_name="play")
        add = Button(self.tr("Add a test"), self.add, icon_name="plus")
        self.head = Stacking(self.summary, flowing(self.again, add), margins=(0, 0, 12, 0))
        yield
        text = self.tr(
            "A question with the line that must be found for it, asked again after a change of model, an import and a "
            "consolidation. In a chat, the receipt of a reply makes one with a click."
        )
        empty = EmptyState("flag", self.tr("No memory tests yet"), text, action=self.tr("Add a test"), handler=self.add)
        self.pane = StatePane(scroll, empty)
        self.lay(self.head).addWidget(self.pane)
        self.pane.show_loading()
        self.context.bridge.on(MemoryTestsChanged, lambda _event: self.reload(), owner=self, settle_ms=200)

    def reload(self) -> None:
        """Read the tests of the agent, or of all."""
        tests, owner = self.context.services.tests, self.agent_id or None
        self.context.bridge.run(self, lambda: tests.all(owner), self._show, self._failed, latest="tests")

    def _show(self, tests: Sequence[MemoryTest]) -> None:
        self.head.setVisible(bool(tests))
        if not self._is_new(tests):
            return
        failed = sum(test.state == "failed" for test in tests)
        self.summary.setText(self.tr("%n are not found.", "", failed) if failed else self.tr("All of them are found."))
        self.counted.emit(len(tests))
        SliceOp(self.context.bridge, self, self._fill(tests)).start(latest="cards")
        self.pane.show_content(empty=not tests)

    def _fill(self, tests: Sequence[MemoryTest]) -> Iterator[None]:
        clear(self.body)
        self.body.addStretch(1)
        for test in tests[: self._some.most]:
            self._scroll.append(self._card(test))
            yield
        for more in self._some.rest(len(tests) - self._some.most):
            self._scroll.append(more)

    def _card(self, test: MemoryTest) -> QWidget:
        passed = test.state == "passed"
        icon = IconLabel("circle-check" if passed else "circle-x", "success" if passed else "danger", side=18)
        words = column(
            Label(test.question, "strong", wrap=True, selectable=True),
            Label(quoted(test.line), "quote", wrap=True, selectable=True),
            gap=4,
        )
        for reason in test.reasons:
            words.addWidget(Label(sentence(reason), wrap=True, selectable=True))
        words.addWidget(flowing(*self._figures(test), gap=6))
        show = Button(self.tr("Preview"), partial(self._preview, test), variant="link", icon_name="eye")
        show.setAccessibleName(self.tr("Preview: {text}").format(text=test.question[:60]))
        drop = Button(self.tr("Remove"), partial(self._remove, test.id), variant="link", icon_name="trash-2")
        drop.setAccessibleName(self.tr("Remove: {text}").format(text=test.question[:60]))
        told = boxed(row(column(icon, None, gap=0), words, gap=12))
        frame = card(Stacking(told, flowing(show, drop), gap=12))
        frame.setAccessibleName(test.question)
        return frame

    def _figures(self, test: MemoryTest) -> Iterator[QWidget]:
        yield Chip(self.tr("found"), "success") if test.state == "passed" else Chip(self.tr("not found"), "danger")
        if test.rank is not None:
            yield Chip(self.tr("line {n} by likelihood").format(n=number(test.rank)))
        if test.checked_at is not None:
            yield Label(ago(test.checked_at, self.context.services.clock.now()), "small")

    # -- actions -------------------------------------------------------------------------

    def add(self) -> None:
        dialog = Dialog(self.window(), self.tr("Add a memory test"))
        question, wanted = QLineEdit(), QLineEdit()
        question.setPlaceholderText(self.tr("A question, as you would ask it in a chat"))
        wanted.setPlaceholderText(self.tr("Words as they were said: “she repairs cranes”"))
        dialog.body.addWidget(Field(self.tr("Question"), question))
        dialog.body.addWidget(Field(self.tr("What must be found"), wanted))

        def save() -> None:
            agent, texts = self.agent_id, (question.text(), wanted.text())
            op = add_test(self.context, dialog, agent_id=agent, question=texts[0], line=texts[1])
            op.failure(dialog.show_fault).then(dialog.accept).start()

        dialog.set_action(self.tr("Add"), save)
        dialog.open()
        question.setFocus()

    def run_all(self) -> None:
        """Run all shown tests again."""
        self.again.setEnabled(False)
        op = self.context.bridge.call(self, self.context.services.tests.run, self.agent_id or None)
        op.ended(lambda: self.again.setEnabled(True)).start()

    def _preview(self, test: MemoryTest) -> None:
        self.context.navigate("memory", tab="preview", agent_id=test.agent_id, query=test.question)

    def _remove(self, test_id: str) -> None:
        self.context.bridge.call(self, self.context.services.tests.remove, test_id).start()
