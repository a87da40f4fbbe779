"""One fact, in full: what it says, where it came from, how it ages, what it was."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from memdesk.domain.models import FactKind, FactStatus
from memdesk.gui.operations.facts import edit_fact, pin_facts, set_facts_status
from memdesk.gui.operations.forgetting import ask_forget
from memdesk.gui.text import said
from memdesk.gui.views.memory.curve import SalienceCurve
from memdesk.gui.views.memory.editing import FactDialog
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import FlowLayout, ScrollColumn, clear, column, flowing, line, row
from memdesk.gui.widgets.states import EmptyState, StatePane
from memdesk.gui.words import actor_name, change_name, day, kind_name, moment, quoted, share, speaker_name, status_name
from memdesk.services.forgetting import ForgetTarget

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memdesk.domain.models import Fact, HistoryEntry
    from memdesk.gui.pages import PageContext
    from memdesk.services.memories import Neighbour, SourceView


@dataclass(frozen=True, slots=True)
class FactView:
    """What the panel shows, read in one go."""

    fact: Fact
    sources: Sequence[SourceView]
    curve: Sequence[tuple[datetime, float]]
    fades_at: datetime | None
    history: Sequence[HistoryEntry]
    neighbours: Sequence[Neighbour]


class FactPanel(QFrame):
    """The panel at the right of the list. ``changed`` tells that a fact was edited or forgotten."""

    changed = Signal()
    closed = Signal()

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.context = context
        self.fact: Fact | None = None
        self.setProperty("role", "card")
        self._scroll = ScrollColumn(margins=16, gap=12)
        empty = EmptyState("brain", self.tr("Choose a fact"))
        self.pane = StatePane(self._scroll, empty)
        self.setLayout(column(self.pane, gap=0, margins=1))
        self.pane.show_content(empty=True)

    def show_fact(self, fact_id: str) -> None:
        """Read and show a fact."""
        services = self.context.services

        def read() -> FactView:
            memories = services.memories
            fact = memories.fact(fact_id)
            return FactView(
                fact=fact,
                sources=memories.sources(fact.id),
                curve=memories.salience_curve(fact.id),
                fades_at=memories.fades_at(fact.id),
                history=services.history.of("fact", fact.id),
                neighbours=memories.neighbours(fact.id, 5),
            )

        self.context.bridge.run(read, owner=self, success=self._show, failure=self._failed, latest="fact")

    def clear(self) -> None:
        """Show nothing."""
        self.fact = None
        self.pane.show_content(empty=True)

    def _failed(self, error: Exception) -> None:
        if self.fact is not None:
            fact_id = self.fact.id
            self.pane.show_failed(error, lambda: self.show_fact(fact_id))
        else:
            self.context.notices.error(error)

    # -- showing -------------------------------------------------------------------------

    def _show(self, view: FactView) -> None:
        self.fact = view.fact
        body = self._scroll.body
        clear(body)
        body.addLayout(self._head(view.fact))
        body.addWidget(Label(view.fact.content, "heading", wrap=True, selectable=True))
        body.addWidget(self._chips(view.fact))
        if view.fact.reason:
            body.addWidget(Label(said(view.fact.reason), "muted", wrap=True))
        body.addWidget(self._tools(view.fact))
        body.addWidget(line())
        self._ageing(view)
        self._sources(view)
        self._neighbours(view)
        self._history(view)
        body.addStretch(1)
        self.pane.show_content()

    def _head(self, fact: Fact) -> Any:
        local = self.context.services.clock.local
        words = self.tr("Added {made}, changed {changed}").format(
            made=day(local(fact.created_at)), changed=day(local(fact.updated_at))
        )
        return row(Label(words, "small"), None, IconButton("x", self.tr("Close"), self.closed.emit))

    def _chips(self, fact: Fact) -> QWidget:
        box = QWidget()
        flow = FlowLayout(box)
        if fact.status is not FactStatus.ACTIVE:
            flow.addWidget(Chip(status_name(fact.status), "warning"))
        if fact.kind is not FactKind.OTHER:
            flow.addWidget(Chip(kind_name(fact.kind), "accent"))
        if fact.user_pinned:
            flow.addWidget(Chip(self.tr("pinned by you"), "success"))
        origin = {
            "user": self.tr("written by you"),
            "distiller": self.tr("distilled"),
            "consolidator": self.tr("from consolidation"),
            "api": self.tr("from a program"),
            "import": self.tr("imported"),
        }
        flow.addWidget(Chip(origin.get(fact.origin, fact.origin)))
        if fact.provenance in {"assistant", "document", "tool"}:
            flow.addWidget(Chip(self.tr("not said by you"), "warning"))
        for tag in fact.tags:
            flow.addWidget(Chip(f"#{tag}"))
        return box

    def _tools(self, fact: Fact) -> QWidget:
        active = fact.status is FactStatus.ACTIVE
        pin = Button(
            self.tr("Unpin") if fact.user_pinned else self.tr("Pin"),
            partial(self._pin, not fact.user_pinned),
            icon_name="pin-off" if fact.user_pinned else "pin",
        )
        able = Button(
            self.tr("Disable") if active else self.tr("Enable"),
            partial(self._able, "disabled" if active else "active"),
            icon_name="eye-off" if active else "eye",
        )
        return flowing(
            Button(self.tr("Edit"), self.edit, icon_name="pencil"),
            pin,
            able,
            Button(self.tr("Forget"), self._forget, variant="danger", icon_name="trash-2"),
        )

    def _ageing(self, view: FactView) -> None:
        body, fact = self._scroll.body, view.fact
        body.addWidget(Label(self.tr("Salience"), "section"))
        curve = SalienceCurve()
        floor = self.context.services.settings.current.memory.salience_floor
        curve.show_points(view.curve, self.context.services.clock.now(), floor)
        body.addWidget(curve)
        local = self.context.services.clock.local
        fades = (
            self.tr("reaches the floor on {day} unless it is used").format(day=day(local(view.fades_at)))
            if view.fades_at
            else self.tr("does not fade")
        )
        used = self.tr("used %n times", "", fact.use_count) if fact.use_count else self.tr("not used yet")
        body.addWidget(Label(f"{share(fact.salience)} · {used} · {fades}", "small", wrap=True))

    def _sources(self, view: FactView) -> None:
        body = self._scroll.body
        body.addWidget(Label(self.tr("Where it came from"), "section"))
        if not view.sources:
            body.addWidget(Label(self.tr("No message: it was written by hand."), "muted", wrap=True))
        local = self.context.services.clock.local
        for source in view.sources:
            words = Label(quoted(source.quote or (source.turn.content if source.turn else "")), wrap=True)
            box = column(words, gap=2)
            if source.turn is not None:
                title = source.conversation.title if source.conversation else source.turn.conversation_id
                when = day(local(source.turn.said_at))
                who = source.turn.speaker or speaker_name(source.turn.role)
                box.addLayout(row(Label(f"{who} · {when}", "small"), None, self._open(source, title)))
            else:
                box.addWidget(Label(self.tr("The message is gone."), "small"))
            body.addLayout(box)

    def _open(self, source: SourceView, title: str) -> Button:
        turn = source.turn
        assert turn is not None
        name = self.tr("Open the conversation {title}").format(title=title)
        go = partial(
            self.context.navigate,
            "chat",
            agent_id=turn.agent_id,
            conversation_id=turn.conversation_id,
            turn_id=turn.id,
        )
        return Button(self.tr("Open"), go, variant="link", name=name)

    def _neighbours(self, view: FactView) -> None:
        if not view.neighbours:
            return
        body = self._scroll.body
        body.addWidget(Label(self.tr("Alike"), "section"))
        for other in view.neighbours:
            link = Button(other.fact.content[:90], partial(self.show_fact, other.fact.id), variant="link")
            body.addLayout(row(link, None))

    def _history(self, view: FactView) -> None:
        body = self._scroll.body
        body.addWidget(Label(self.tr("History"), "section"))
        if not view.history:
            body.addWidget(Label(self.tr("Not changed since it was learned."), "muted", wrap=True))
        local = self.context.services.clock.local
        for entry in view.history:
            words = (moment(local(entry.at)), change_name(entry.action), actor_name(entry.actor))
            box = column(Label(" · ".join(words), "small", wrap=True), gap=2)
            before = (entry.old or {}).get("content")
            after = (entry.new or {}).get("content")
            if before and after and before != after:
                box.addWidget(Label(self.tr("was: {text}").format(text=before), "muted", wrap=True))
            if entry.reason:
                box.addWidget(Label(said(entry.reason), "muted", wrap=True))
            body.addLayout(box)

    # -- actions -------------------------------------------------------------------------

    def _again(self) -> None:
        self.changed.emit()
        if self.fact is not None:
            self.show_fact(self.fact.id)

    def edit(self) -> None:
        """Correct the fact in a dialog."""
        if self.fact is None:
            return
        fact_id = self.fact.id

        def save(values: dict[str, Any], dialog: FactDialog) -> None:
            op = edit_fact(context=self.context, parent=self, fact_id=fact_id, **values)
            op.failure(dialog.show_fault).success(lambda _fact: dialog.accept()).success(
                lambda _fact: self._again()
            ).start()

        FactDialog(self.window(), self.tr("Edit fact"), save, fact=self.fact).open()

    def _pin(self, on: bool) -> None:
        if self.fact is not None:
            op = pin_facts(context=self.context, parent=self, fact_ids=[self.fact.id], on=on)
            op.success(lambda _change: self._again()).start()

    def _able(self, status: Any) -> None:
        if self.fact is not None:
            op = set_facts_status(context=self.context, parent=self, fact_ids=[self.fact.id], status=status)
            op.success(lambda _change: self._again()).start()

    def _forget(self) -> None:
        if self.fact is None:
            return
        ask_forget(
            context=self.context,
            parent=self,
            target=ForgetTarget(kind="fact", ids=(self.fact.id,)),
            title=self.tr("Forget this fact?"),
            text=self.fact.content,
            done=self._forgotten,
        )

    def _forgotten(self, _report: object) -> None:
        self.clear()
        self.changed.emit()
