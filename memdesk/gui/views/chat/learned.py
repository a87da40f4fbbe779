"""What a finished distillation learned from a conversation: kept, pending review, undo."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.reading.candidates import Passed
from memdesk.gui.operations import learned as operations
from memdesk.gui.operations.facts import remember
from memdesk.gui.pages import PageContext
from memdesk.gui.slices import SliceOp
from memdesk.gui.text import sentence
from memdesk.gui.views.chat.panel import SidePanel
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import boxed, column, row
from memdesk.gui.words import kind_name, quoted, secret_name
from memdesk.services.distilling import why_passed
from memdesk.services.events import DistillationFinished

#: Interval between notices of secrets.
PAUSE_MS = 300_000


class LearnedChip(QWidget):
    """Shown at the end of a conversation. ``opened`` has its event."""

    opened = Signal(object)

    def __init__(self, event: DistillationFinished) -> None:
        super().__init__()
        kept, waits = len(event.fact_ids), len(event.review_ids)
        parts = []
        if kept:
            parts.append(self.tr("Learned %n facts", "", kept))
        elif event.outcome == "distilled":
            parts.append(self.tr("Summed up, no new facts"))
        elif event.passed:
            parts.append(self.tr("No new facts"))
        if waits:
            parts.append(self.tr("%n wait for review", "", waits))
        if event.secrets:
            parts.append(self.tr("%n secrets left out", "", len(event.secrets)))
        self.button = Button(" · ".join(parts), lambda: self.opened.emit(event), variant="chip", icon_name="sparkles")
        self.button.set_tone("accent" if kept else "")
        self.setLayout(row(None, self.button, None))


class SecretsTold(QObject):
    """Reports secrets left out of chats that are not open, such as programs'; an import's together."""

    def __init__(self, context: PageContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._untold: list[DistillationFinished] = []
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._tell)

    def note(self, event: DistillationFinished) -> None:
        self._untold.append(event)
        if not self._pause.isActive():
            self._tell()

    def _tell(self) -> None:
        events, self._untold = self._untold, []
        if not events:
            return
        self._pause.start()
        title = self.tr("%n secrets left out", "", sum(len(event.secrets) for event in events))
        words = self.tr("None of them is in memory. The end of the chat shows each, and can keep it: {titles}")
        op = operations.titles(self._context, self, events=events)
        op.success(lambda found: self._context.notices.info(title, words.format(titles=", ".join(found)))).start()


class LearnedPanel(SidePanel):
    """The facts of one distillation, with ways to correct and undo."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self._context = context
        self._event: DistillationFinished | None = None

    def load(self, event: DistillationFinished) -> None:
        """Fetch the items of an event and show them."""
        self.unfolded = self.unfolded and event is self._event
        self._event = event
        operations.fetch(self._context, self, event=event).success(self._show).start(latest="learned")

    def _show(self, found: operations.Learned) -> None:
        event = self._event
        assert event is not None
        self.begin(self.tr("What was learned"))
        if found.summary:
            self.add(Label(self.tr("Summary"), "section"))
            self.add(Label(found.summary, wrap=True, selectable=True))
        self.add(Label(self.tr("Kept: %n", "", len(found.kept)), "section"))
        for fact in found.kept:
            self.add(self._card(fact, waits=False))
        if found.waiting:
            self.add(Label(self.tr("Waits for review: %n", "", len(found.waiting)), "section"))
        for fact in found.waiting:
            self.add(self._card(fact, waits=True))
        if found.noticed:
            self.add(Label(self.tr("Also noticed"), "section"))
            words = self.tr("Kept with this conversation. Keep one to have it as a fact that does not fade with it.")
            self.add(Label(words, "small", wrap=True))
        for detail in found.noticed:
            self.add(self._kept_by(detail.content, partial(self._keep, detail)))
        if event.secrets:
            self.add(Label(self.tr("Secrets, left out"), "section"))
            words = self.tr("Memory holds no keys, card numbers or passwords, unless you keep one on purpose.")
            self.add(Label(words, "small", wrap=True))
        for turn_id, kind in event.secrets:
            self.add(self._kept_by(secret_name(kind), partial(self._keep_secret, turn_id)))
        if found.passed:
            words = self.tr("Nothing in these sentences lasts. Keep one to have it as a fact all the same.")
            box = column(Label(words, "small", wrap=True), gap=10)
            rest, fill = boxed(box), partial(self._fill_passed, box, found.passed)
            self.fold(
                self.tr("Passed over: %n", "", len(found.passed)),
                rest,
                lambda: SliceOp(self._context.bridge, rest, fill()).start(latest="passed over"),
            )
        if event.rejected:
            words = self.tr("%n statements were left out, as the messages do not say them.", "", event.rejected)
            self.add(Label(words, "small", wrap=True))
        undo = Button(self.tr("Undo: forget all of this"), self._undo, variant="danger", icon_name="undo-2")
        undo.setEnabled(bool(found.kept or found.waiting or event.episode_id))
        self.add(undo)
        self.end()

    def _card(self, fact: MemoryItem, *, waits: bool) -> QWidget:
        head = row(Chip(kind_name(fact.kind), "warning" if waits else "accent"), None)
        box = column(head, Label(fact.content, wrap=True, selectable=True), gap=6, margins=(12, 10, 12, 10))
        if fact.sources and fact.sources[0].quote:
            box.addWidget(Label(quoted(fact.sources[0].quote), "quote", wrap=True))
        if fact.reason and waits:
            box.addWidget(Label(sentence(fact.reason), "small", wrap=True))
        tools = row(gap=6)
        if waits:
            tools.addWidget(Button(self.tr("Keep"), partial(self._accept, fact)))
        tools.addWidget(Button(self.tr("Forget"), partial(self._reject, fact, waits=waits)))
        tools.addStretch(1)
        tools.addWidget(
            Button(self.tr("Open"), lambda: self._context.navigate("memory", fact_id=fact.id), variant="link")
        )
        box.addLayout(tools)
        frame = boxed(box, "card")
        frame.setAccessibleName(fact.content)
        return frame

    def _fill_passed(self, box: QVBoxLayout, passed: Sequence[tuple[Passed, MemoryItem | None]]) -> Iterator[None]:
        for one, fact in passed:
            words = column(
                Label(one.quote, wrap=True, selectable=True),
                Label(sentence(why_passed(one.reason)), "small", wrap=True),
                gap=2,
            )
            if fact is None:
                keep, name = partial(self._keep_passed, one), self.tr("Keep: {text}").format(text=one.quote)
                button = Button(self.tr("Keep"), keep, name=name)
            else:
                undo, name = partial(self._reject, fact, waits=False), self.tr("Undo: {text}").format(text=one.quote)
                button = Button(self.tr("Undo"), undo, name=name, icon_name="undo-2")
            box.addWidget(boxed(row((words, 1), button)))
            yield

    def _keep_passed(self, passed: Passed) -> None:
        assert self._event is not None
        op = remember(self._context, self, agent_id=self._event.agent_id, text=passed.quote, turn_id=passed.turn_id)
        op.then(self._again).start()

    def _kept_by(self, text: str, keep: Callable[[], object]) -> QWidget:
        button = Button(self.tr("Keep"), keep, name=self.tr("Keep: {text}").format(text=text))
        return boxed(row((Label(text, wrap=True, selectable=True), 1), button))

    def _keep_secret(self, turn_id: str) -> None:
        assert self._event is not None
        agent_id = self._event.agent_id
        operations.keep_secret(self._context, self, agent_id=agent_id, turn_id=turn_id).start()

    def _keep(self, detail: MemoryItem) -> None:
        assert self._event is not None
        episode_id = str(self._event.episode_id)
        operations.keep(self._context, self, episode_id=episode_id, detail=detail).then(self._again).start()

    def _accept(self, fact: MemoryItem) -> None:
        self._context.bridge.call(self, self._context.services.review.accept, fact.id).then(self._again).start()

    def _reject(self, fact: MemoryItem, *, waits: bool) -> None:
        operations.reject(self._context, self, fact=fact, waits=waits).then(self._again).start()

    def _undo(self) -> None:
        assert self._event is not None
        operations.undo(self._context, self, event=self._event).then(self.shut).start()

    def _again(self) -> None:
        if self._event is not None:
            self.load(self._event)
