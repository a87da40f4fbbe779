"""The first start in four steps; each can be skipped, and it resumes where it was left."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QStackedWidget, QWidget

from memdesk.gui.operations.agents import introduce
from memdesk.gui.pages import PageContext
from memdesk.gui.theme import Theme
from memdesk.gui.views.firststart import progress
from memdesk.gui.views.firststart.code_step import CodeStep
from memdesk.gui.views.firststart.import_step import ImportStep
from memdesk.gui.views.firststart.model_step import ModelStep
from memdesk.gui.views.firststart.name_step import NameStep
from memdesk.gui.views.firststart.step import Step
from memdesk.gui.widgets.buttons import ENTER, Button, set_property
from memdesk.gui.widgets.labels import Brand, Label
from memdesk.gui.widgets.layout import StepColumn, framed, row


class Steps(QWidget):
    """Step indicator: numbers with names; in a narrow window only the present one is named."""

    def __init__(self, titles: list[str]) -> None:
        super().__init__()
        self._place = 0
        self._numbers = [Label(str(number), "step") for number in range(1, len(titles) + 1)]
        self._names = [Label(title, "small") for title in titles]
        for number in self._numbers:
            number.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setLayout(row(*(row(*pair, gap=6) for pair in zip(self._numbers, self._names, strict=True)), gap=16))

    def show_place(self, place: int) -> None:
        """Mark a step as the present one and those before it as done."""
        self._place = place
        for at, (number, name) in enumerate(zip(self._numbers, self._names, strict=True)):
            set_property(number, "state", "now" if at == place else "done" if at < place else "ahead")
            set_property(name, "state", "now" if at == place else "")

    def fit(self, width: int) -> None:
        """Show all names if they fit."""
        wide = width >= Theme.current().px(640)
        for at, name in enumerate(self._names):
            name.setVisible(wide or at == self._place)


class FirstStart(QWidget):
    """Recovery code, model, name, import. ``finished``: the pages can be shown."""

    finished = Signal()

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.setObjectName("shell")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._context = context
        self._place = min(progress.place(context) or 0, len(STEPS) - 1)
        self.steps: list[Step] = [make(context) for make in STEPS]
        self.pages = QStackedWidget()
        for step in self.steps:
            area = StepColumn(gap=14)
            area.body.addWidget(step)
            area.body.addStretch(1)
            step.changed.connect(self._refresh)
            self.pages.addWidget(area)
        self.marks = Steps([step.title for step in self.steps])
        self.back = Button(self.tr("Back"), self.go_back, variant="ghost")
        self.restore = Button(self.tr("I have a backup"), lambda: context.commands.run("app.restore"), variant="ghost")
        self.skip = Button(self.tr("Skip"), self.go_on, variant="ghost")
        self.next = Button("", self._next, variant="primary")
        self._brand = Brand()
        self._head = row(self._brand, None, self.marks, gap=16)
        # The way on is never covered by a notice.
        self.next.setProperty("uncovered", True)
        self._foot = row(row(self.back, self.restore, None), row(None, self.skip, self.next))
        self.setLayout(framed(self._head, self.pages, self._foot))
        self._show(self._place)

    def go_back(self) -> None:
        """Show the previous step."""
        self._show(self._place - 1)

    def go_on(self) -> None:
        """Leave this step, done or skipped, for the next."""
        self.steps[self._place].leave()
        if self._place == 0:
            introduce(self._context, self).start()
        if self._place + 1 >= len(self.steps):
            self._keep(len(self.steps))
            self.finished.emit()
            return
        self._show(self._place + 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """If text would be cut, hide the app's name and stack the buttons."""
        room = self.width() - 2 * Theme.current().px(32)
        self.marks.fit(self.width())
        self._brand.show()
        self._brand.setVisible(self._head.sizeHint().width() <= room)
        self._foot.setDirection(QBoxLayout.Direction.LeftToRight)
        if self._foot.sizeHint().width() > room:
            self._foot.setDirection(QBoxLayout.Direction.TopToBottom)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Continue on Enter from any field."""
        aside = bool(self.steps[self._place].next_words)
        if event.key() in ENTER and self.next.isEnabled() and not aside:
            self._next()
            return
        super().keyPressEvent(event)

    def _next(self) -> None:
        self.next.setEnabled(False)
        self.steps[self._place].finish(self.go_on, self._refresh)

    def _show(self, place: int) -> None:
        self._place = place
        self.pages.setCurrentIndex(place)
        self.steps[place].enter()
        self._refresh()
        self.setFocusProxy(self.steps[place])
        self.setFocus()

    def _keep(self, place: int) -> None:
        if self._context.services.vault.state() != "new":
            progress.keep(self._context, place)

    def _refresh(self) -> None:
        step = self.steps[self._place]
        self._keep(self._place)
        last = self._place + 1 == len(self.steps)
        self.back.setVisible(self._place > 0)
        self.restore.setVisible(self._place == 0)
        self.skip.setVisible(step.may_skip)
        self.skip.setText(step.skip_words or (self.tr("Skip and start") if last else self.tr("Skip")))
        self.next.setText(step.next_words or (self.tr("Start") if last else self.tr("Continue")))
        self.next.set_variant("" if step.next_words else "primary")
        self.next.setEnabled(step.ready)
        self.marks.show_place(self._place)
        self._fit()
        self.setAccessibleName(
            self.tr("First start, step {n} of {m}: {title}").format(
                n=self._place + 1, m=len(self.steps), title=step.title
            )
        )


#: As many as ``progress.COUNT``.
STEPS: tuple[type[Step], ...] = (CodeStep, ModelStep, NameStep, ImportStep)
