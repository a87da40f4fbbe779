"""Actions on what a distillation brought."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memdesk.errors import NotFoundError
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.text import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from memdesk.domain.models import Fact
    from memdesk.gui.pages import PageContext
    from memdesk.services.events import DistillationFinished


@dataclass(frozen=True, slots=True)
class Learned:
    """What a distillation brought and still stands."""

    summary: str
    kept: list[Fact]
    waiting: list[Fact]


def fetch(*, context: PageContext, parent: QObject, event: DistillationFinished) -> ServiceOp[Learned]:
    """Fetch the facts and the digest an event names; what is gone meanwhile is left out."""
    memories = context.services.memories

    def work(_op: Any) -> Learned:
        facts: dict[str, Fact] = {}
        for fact_id in (*event.fact_ids, *event.review_ids):
            try:
                facts[fact_id] = memories.fact(fact_id)
            except NotFoundError:
                continue
        summary = ""
        if event.episode_id:
            try:
                summary = memories.episode(event.episode_id).summary
            except NotFoundError:
                summary = ""
        waiting = [f for f in facts.values() if f.status == "review"]
        return Learned(summary, [f for f in facts.values() if f.status == "active"], waiting)

    return ServiceOp(context.bridge, parent, work)


def accept(*, context: PageContext, parent: QObject, fact_id: str) -> ServiceOp[Any]:
    """Keep a fact that waits for review."""
    review = context.services.review
    return ServiceOp(context.bridge, parent, lambda _op: review.accept(fact_id))


def reject(*, context: PageContext, parent: QObject, fact: Fact, waits: bool) -> ServiceOp[Any]:
    """Reject a fact that waits, or forget one that was kept."""
    from memdesk.services.forgetting import ForgetTarget

    services = context.services

    def work(_op: Any) -> object:
        if waits:
            return services.review.reject(fact.id)
        return services.forgetting.forget(ForgetTarget(kind="fact", ids=(fact.id,), agent_id=fact.agent_id))

    return ServiceOp(context.bridge, parent, work)


def undo(*, context: PageContext, parent: QObject, event: DistillationFinished) -> ServiceOp[None]:
    """Forget everything one distillation brought; the messages stay."""
    from memdesk.services.forgetting import ForgetTarget

    services, notices = context.services, context.notices

    def work(_op: Any) -> None:
        present = []
        for fact_id in (*event.fact_ids, *event.review_ids):
            try:
                present.append(services.memories.fact(fact_id, follow=False).id)
            except NotFoundError:
                continue
        if present:
            target = ForgetTarget(kind="facts", ids=tuple(present), agent_id=event.agent_id)
            services.forgetting.forget(target)
        if event.episode_id:
            try:
                services.forgetting.forget(
                    ForgetTarget(kind="episode", ids=(event.episode_id,), agent_id=event.agent_id)
                )
            except NotFoundError:
                return

    op: ServiceOp[None] = ServiceOp(context.bridge, parent, work)
    return op.success(lambda _none: notices.success(tr("Undone"), tr("What was learned here is forgotten.")))
