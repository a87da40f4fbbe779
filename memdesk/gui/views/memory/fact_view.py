"""The data of a fact's page, read together, and its parts."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from PySide6.QtWidgets import QLayout, QWidget

from memdesk.domain.items.item import IMPORTED, MemoryItem
from memdesk.domain.models import Entity, FactKind, FactStatus, HistoryEntry
from memdesk.gui.pages import PageContext
from memdesk.gui.text import sentence, tr
from memdesk.gui.views.memory.curve import SalienceCurve
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.gui.widgets.layout import FlowLayout, boxed, column, flowing, row
from memdesk.gui.words import (
    actor_name,
    change_name,
    day,
    expiry,
    kind_name,
    moment,
    percent,
    quoted,
    share,
    speaker_name,
    type_name,
)
from memdesk.gui.words import status_name as state_name
from memdesk.services.container import Services
from memdesk.services.remembering import Neighbor, SourceView, can_be

Part = QWidget | QLayout


@dataclass(frozen=True, slots=True)
class FactView:
    """What the panel shows."""

    fact: MemoryItem
    #: The fact that replaced it, if any.
    successor: MemoryItem | None
    #: Its agent; empty if there is only one.
    agent: str
    sources: Sequence[SourceView]
    curve: Sequence[tuple[datetime, float]]
    fades_at: datetime | None
    history: Sequence[HistoryEntry]
    neighbors: Sequence[Neighbor]
    names: Sequence[Entity]


def read_view(services: Services, fact_id: str) -> FactView:
    memories = services.memories
    fact = memories.fact(fact_id)
    agents = services.agents.all()
    return FactView(
        fact=fact,
        successor=memories.successor(fact.id),
        agent=next((agent.name for agent in agents if agent.id == fact.agent_id), "") if len(agents) > 1 else "",
        sources=memories.sources(fact.id),
        curve=memories.salience_curve(fact.id),
        fades_at=memories.fades_at(fact.id),
        history=services.history.of("fact", fact.id),
        neighbors=memories.neighbors(fact.id, 5),
        names=memories.named_in(fact.id),
    )


def chips(view: FactView, tagged: Callable[[str], object]) -> QWidget:
    """Return state, kind, origin and tags; a click on a tag calls ``tagged``."""
    fact = view.fact
    box = QWidget()
    flow = FlowLayout(box)
    if fact.status is not FactStatus.ACTIVE:
        flow.addWidget(Chip(state_name(fact.status), "warning"))
    if fact.kind is not FactKind.OTHER:
        flow.addWidget(Chip(kind_name(fact.kind), "accent"))
    if fact.type != "factual":
        flow.addWidget(Chip(type_name(fact.type)))
    if fact.user_pinned:
        flow.addWidget(Chip(tr("pinned by you"), "success"))
    origin = {
        "user": tr("written by you"),
        "distiller": tr("distilled"),
        "consolidator": tr("from consolidation"),
        "api": tr("from a program"),
        "import": tr("imported"),
    }
    flow.addWidget(Chip(origin.get(fact.origin, fact.origin)))
    if fact.provenance in {"assistant", "document", "tool"}:
        flow.addWidget(Chip(tr("not said by you"), "warning"))
    if view.agent:
        flow.addWidget(Chip(view.agent))
    for tag in fact.tags:
        name = tr("Show all facts with the tag {tag}").format(tag=tag)
        flow.addWidget(Button(f"#{tag}", partial(tagged, tag), variant="chip", name=name))
    return box


def validity(context: PageContext, view: FactView, opened: Callable[[str], object]) -> Iterator[Part]:
    """Yield its validity, expiry, key, when it was last said, and what replaced it."""
    local, fact = context.services.clock.local, view.fact
    start = day(local(fact.valid_from)) if fact.valid_from else ""
    end = day(local(fact.valid_until)) if fact.valid_until else ""
    if start and end:
        yield Label(tr("True from {start} until {end}").format(start=start, end=end), "muted", wrap=True)
    elif start or end:
        words = tr("True since {day}").format(day=start) if start else tr("True until {day}").format(day=end)
        yield Label(words, "muted", wrap=True)
    if fact.expires_at is not None:
        yield Label(sentence(expiry(fact.expires_at, context.services.clock)), "muted", wrap=True)
    if fact.key and not fact.key.startswith(IMPORTED):
        yield Label(tr("Key: {key}").format(key=fact.key), "muted", wrap=True, selectable=True)
    if (confirmed := day(local(fact.confirmed_at or fact.created_at))) != day(local(fact.created_at)):
        yield Label(tr("Last confirmed on {day}").format(day=confirmed), "muted", wrap=True)
    if view.successor is not None:
        yield Label(tr("Replaced by:"), "muted")
        yield _link(view.successor, opened)


def ageing(context: PageContext, view: FactView) -> Iterator[Part]:
    """Yield the salience's curve, value and uses, and when it will have faded."""
    fact, services = view.fact, context.services
    yield Label(tr("Salience"), "section")
    curve = SalienceCurve()
    curve.show_points(view.curve, services.clock.now(), services.settings.current.memory.salience_floor)
    yield curve
    local = services.clock.local
    if view.fades_at is None:
        fades = tr("does not fade")
    elif view.fades_at <= services.clock.now():
        fades = tr("has faded: the next consolidation puts it in the bin")
    else:
        fades = tr("fades until {day} unless it is used, and then goes to the bin").format(
            day=day(local(view.fades_at))
        )
    used = tr("used %n times", "", fact.use_count) if fact.use_count else tr("not used yet")
    if fact.last_used is not None:
        used += ", " + tr("last on {day}").format(day=day(local(fact.last_used)))
    yield Label(f"{share(fact.salience)} · {used} · {fades}", "small", wrap=True)


def sources(context: PageContext, view: FactView) -> Iterator[Part]:
    """Yield the messages it came from, as quotes that open the conversation."""
    yield Label(tr("Where it came from"), "section")
    if not view.sources:
        yield Label(tr("No message: it was written by hand."), "muted", wrap=True)
    local = context.services.clock.local
    for source in view.sources:
        turn = source.turn
        box = column(
            Label(quoted(source.quote or (turn.content if turn else "")), "quote", wrap=True, selectable=True), gap=4
        )
        if turn is None:
            box.addWidget(Label(tr("The message is gone."), "small"))
        else:
            title = source.conversation.title if source.conversation else turn.conversation_id
            go = partial(
                context.navigate, "chat", agent_id=turn.agent_id, conversation_id=turn.conversation_id, turn_id=turn.id
            )
            name = tr("Open the conversation {title}").format(title=title)
            words = Label(f"{turn.speaker or speaker_name(turn.role)} · {day(local(turn.said_at))}", "small")
            box.addLayout(row(words, None, Button(tr("Open"), go, variant="link", name=name)))
        yield box


def names(context: PageContext, view: FactView) -> Iterator[Part]:
    """Yield the people and things it names, as links."""
    if view.names:
        yield Label(tr("People and things"), "section")
        yield flowing(
            *(
                Button(
                    entity.name,
                    partial(context.navigate, "memory", tab="entities", entity_id=entity.id),
                    variant="chip",
                )
                for entity in view.names
            )
        )


def neighbors(view: FactView, opened: Callable[[str], object]) -> Iterator[Part]:
    """Yield similar facts."""
    if view.neighbors:
        yield Label(tr("Alike"), "section")
    for other in view.neighbors:
        how = Label(percent(other.score), "small")
        how.setToolTip(tr("Similarity"))
        box = row((_link(other.fact, opened), 1), how)
        yield box


def history(context: PageContext, view: FactView, asked: Callable[[HistoryEntry], object]) -> Iterator[Part]:
    """Yield its changes, newest first; ``asked`` is called with one to undo."""
    yield Label(tr("History"), "section")
    if not view.history:
        yield Label(tr("Not changed since it was learned."), "muted", wrap=True)
    local = context.services.clock.local
    for entry in view.history:
        head = (moment(local(entry.at)), change_name(entry.action), actor_name(entry.actor))
        box = column(Label(" · ".join(head), "small", wrap=True), gap=2)
        before, after = (entry.old or {}).get("content"), (entry.new or {}).get("content")
        if before and after and before != after:
            box.addWidget(Label(tr("was: {text}").format(text=before), "muted", wrap=True))
        if entry.reason:
            box.addWidget(Label(sentence(entry.reason), "muted", wrap=True))
        if can_be(entry):
            name = tr("Undo: {what}").format(what=" · ".join(head))
            box.addLayout(row(Button(tr("Undo…"), partial(asked, entry), variant="link", name=name), None))
        yield box


def _link(fact: MemoryItem, opened: Callable[[str], object]) -> QWidget:
    words = Label(fact.content, wrap=True)
    go = Button(tr("Show"), partial(opened, fact.id), variant="link", name=fact.content[:90])
    box = row((words, 1), go)
    return boxed(box)
