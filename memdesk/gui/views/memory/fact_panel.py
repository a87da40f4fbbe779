"""One fact in full: text, sources, ageing, history."""

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QLayout, QWidget

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactStatus, HistoryEntry
from memdesk.errors import NotFoundError
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.commands import Command
from memdesk.gui.operations.facts import edit_facts, pin_facts, set_facts_status, warm_up
from memdesk.gui.operations.forgetting import ask_forget
from memdesk.gui.pages import PageContext
from memdesk.gui.text import sentence
from memdesk.gui.views.memory import fact_view
from memdesk.gui.views.memory.editing import FactDialog
from memdesk.gui.views.memory.fact_view import FactView, read_view
from memdesk.gui.views.memory.taking_back import ask_take_back
from memdesk.gui.widgets.buttons import IconButton
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import ScrollColumn, clear, column, line, row
from memdesk.gui.widgets.menus import tools_of
from memdesk.gui.widgets.states import EmptyState, StatePane
from memdesk.gui.words import day
from memdesk.services.forgetting import ForgetTarget
from memdesk.services.remembering import BulkChange

#: Length of the back history.
TRAIL = 20


class FactPanel(QFrame):
    """The panel at the right of the list.

    ``changed``: a fact was edited; ``forgotten``: it is gone; ``did`` has what was done and how to undo it; ``opened``
    and ``tagged``: show another fact, or all with a tag.
    """

    changed = Signal()
    forgotten = Signal()
    did = Signal(object, str)
    opened = Signal(str)
    tagged = Signal(str)
    closed = Signal()

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.context = context
        self.fact: MemoryItem | None = None
        self._asked = ""
        self._trail: list[str] = []
        self.setProperty("role", "card")
        self._scroll = ScrollColumn(margins=16, gap=12)
        self._none = EmptyState("brain", self.tr("Choose a fact"))
        self.pane = StatePane(self._scroll, self._none)
        self.setLayout(column(self.pane, gap=0, margins=1))
        self.pane.show_content(empty=True)
        # A standard key needs the application, which may not exist when the module is imported.
        back = QKeySequence(QKeySequence.StandardKey.Back)
        for keys, action in ((QKeySequence(Qt.Key.Key_Escape), self.closed.emit), (back, self.go_back)):
            QShortcut(keys, self, action, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def show_fact(self, fact_id: str) -> None:
        self._asked = fact_id
        services = self.context.services
        self.context.bridge.run(
            self,
            lambda: read_view(services, fact_id),
            self._show,
            lambda error: self._failed(error, fact_id),
            latest="fact",
        )

    def refresh(self) -> None:
        """Reload the fact shown; keep the scroll position."""
        if self.isVisible() and self.fact is not None:
            # Another one may be loading meanwhile.
            self.show_fact(self._asked)

    def go_back(self) -> None:
        """Return to the previous fact."""
        if self._trail:
            self.opened.emit(self._trail.pop())

    def clear(self) -> None:
        self.fact = None
        self._trail.clear()
        self._none.set_words(self.tr("Choose a fact"))
        self.pane.show_content(empty=True)

    def _failed(self, error: Exception, fact_id: str) -> None:
        if isinstance(error, NotFoundError):
            self.clear()
            self._none.set_words(self.tr("This fact is gone"), self.tr("It was forgotten meanwhile."))
        else:
            self.pane.show_failed(error, lambda: self.show_fact(fact_id))

    # -- showing -------------------------------------------------------------------------

    def _show(self, view: FactView) -> None:
        same = self.fact is not None and self.fact.id == view.fact.id
        if not same and self.fact is not None and self._trail[-1:] != [self.fact.id] and self._led:
            self._trail = [*self._trail[1 - TRAIL :], self.fact.id]
        self._led = False
        self.fact = view.fact
        self._asked = view.fact.id
        bar = self._scroll.verticalScrollBar()
        place = bar.value() if same else 0
        body = self._scroll.body
        clear(body)
        for part in self._parts(view):
            if isinstance(part, QWidget):
                body.addWidget(part)
            else:
                body.addLayout(part)
        body.addStretch(1)
        self.pane.show_content()
        # Only once it is laid out: before that there is no scroll position.
        QTimer.singleShot(0, bar, lambda: bar.setValue(place))

    def _parts(self, view: FactView) -> Any:
        yield self._head(view.fact)
        yield Label(view.fact.content, "heading", wrap=True, selectable=True)
        yield fact_view.chips(view, self.tagged.emit)
        if view.fact.reason:
            yield Label(sentence(view.fact.reason), "muted", wrap=True)
        yield from fact_view.validity(self.context, view, self._lead)
        yield tools_of(self.commands_of(view.fact))
        yield line()
        yield from fact_view.ageing(self.context, view)
        yield from fact_view.sources(self.context, view)
        yield from fact_view.names(self.context, view)
        yield from fact_view.neighbors(view, self._lead)
        yield from fact_view.history(self.context, view, self._ask_back)

    _led = False

    def _lead(self, fact_id: str) -> None:
        """Follow a link to another fact."""
        self._led = True
        self.opened.emit(fact_id)

    def _head(self, fact: MemoryItem) -> QLayout:
        local = self.context.services.clock.local
        made, changed = day(local(fact.created_at)), day(local(fact.updated_at))
        words = self.tr("Added {made}, changed {changed}") if made != changed else self.tr("Added {made}")
        words = words.format(made=made, changed=changed)
        back = IconButton("chevron-left", self.tr("Back to the fact before"), self.go_back)
        if not self._trail:
            back.hide()
        return row(back, (Label(words, "small", wrap=True), 1), IconButton("x", self.tr("Close"), self.closed.emit))

    def commands(self) -> list[Command]:
        return self.commands_of(self.fact) if self.fact is not None and self.isVisible() else []

    def commands_of(self, fact: MemoryItem) -> list[Command]:
        """Return the actions on a fact, which need not be the one shown."""
        active, pinned = fact.status is FactStatus.ACTIVE, fact.user_pinned

        def command(name: str, icon_name: str, title: str, handler: Callable[[], object]) -> Command:
            return Command(f"fact.{name}", title, icon_name, handler)

        able = partial(self._able, fact, "disabled" if active else "active")
        return [
            command("edit", "pencil", self.tr("Edit"), partial(self.edit, fact)),
            command(
                "pin",
                "pin-off" if pinned else "pin",
                self.tr("Unpin") if pinned else self.tr("Pin"),
                partial(self._pin, fact, not pinned),
            ),
            command("able", "eye-off" if active else "eye", self.tr("Disable") if active else self.tr("Enable"), able),
            command("forget", "trash-2", self.tr("Forget"), partial(self._forget, fact)),
        ]

    # -- actions -------------------------------------------------------------------------

    def _again(self) -> None:
        self.changed.emit()
        self.refresh()

    def _start(self, op: ServiceOp[BulkChange], words: str) -> None:
        def done(change: BulkChange) -> None:
            self.did.emit(change, words)
            self._again()

        op.success(done).start()

    def edit(self, fact: MemoryItem | None = None) -> None:
        """Edit a fact; by default, the one shown."""
        fact = fact or self.fact
        if fact is None:
            return
        fact_id = fact.id

        def save(values: dict[str, Any], dialog: FactDialog) -> None:
            op = edit_facts(self.context, self, fact_ids=[fact_id], **values)
            self._start(dialog.leave(op), self.tr("Fact changed"))

        warm_up(self.context, self)
        FactDialog(self.window(), self.tr("Edit fact"), save, fact=fact).open()

    def _pin(self, fact: MemoryItem, on: bool) -> None:
        op = pin_facts(self.context, self, fact_ids=[fact.id], on=on)
        self._start(op, self.tr("Fact pinned") if on else self.tr("Fact unpinned"))

    def _able(self, fact: MemoryItem, status: Any) -> None:
        op = set_facts_status(self.context, self, fact_ids=[fact.id], status=status)
        self._start(op, self.tr("Fact enabled") if status == "active" else self.tr("Fact disabled"))

    def _ask_back(self, entry: HistoryEntry) -> None:
        def start(op: ServiceOp[int]) -> None:
            op.then(self._again).start()

        ask_take_back(self.context, self, entry=entry, started=start)

    def _forget(self, fact: MemoryItem) -> None:
        ask_forget(
            self.context,
            self,
            target=ForgetTarget(kind="fact", ids=(fact.id,)),
            title=self.tr("Forget this fact?"),
            text=fact.content,
            done=self._forgotten,
        )

    def _forgotten(self, _report: object) -> None:
        self.clear()
        self.forgotten.emit()
