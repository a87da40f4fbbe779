"""Actions on the results of a distillation."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.reading.candidates import Passed
from memdesk.errors import NotFoundError
from memdesk.gui.bridge import ServiceOp
from memdesk.gui.pages import PageContext
from memdesk.gui.text import tr
from memdesk.services.events import DistillationFinished


@dataclass(frozen=True, slots=True)
class Learned:
    """Results of a distillation that still exist."""

    summary: str
    kept: list[MemoryItem]
    waiting: list[MemoryItem]
    #: details of the episode that are not in a fact.
    noticed: list[MemoryItem]
    #: skipped sentences, each with the fact made of it since.
    passed: list[tuple[Passed, MemoryItem | None]]


def fetch(context: PageContext, parent: QObject, *, event: DistillationFinished) -> ServiceOp[Learned]:
    """Fetch the facts and the digest named in an event, except deleted ones."""
    memories = context.services.memories

    def work() -> Learned:
        facts: dict[str, MemoryItem] = {}
        for fact_id in (*event.fact_ids, *event.review_ids):
            try:
                facts[fact_id] = memories.fact(fact_id)
            except NotFoundError:
                continue
        summary, noticed = "", []
        if event.episode_id:
            try:
                episode = memories.episode(event.episode_id)
            except NotFoundError:
                pass  # forgotten since
            else:
                summary, noticed = episode.content, memories.unkept(episode)
        waiting = [f for f in facts.values() if f.status == "review"]
        passed = memories.passed_over(event.agent_id, event.conversation_id, event.passed)
        return Learned(summary, [f for f in facts.values() if f.status == "active"], waiting, noticed, passed)

    return context.bridge.call(parent, work)


def keep(context: PageContext, parent: QObject, *, episode_id: str, detail: MemoryItem) -> ServiceOp[MemoryItem]:
    """Turn a noticed detail into a fact."""
    memories, notices = context.services.memories, context.notices
    op = context.bridge.call(parent, memories.keep_detail, episode_id, detail.id)
    return op.success(lambda fact: notices.success(tr("Remembered"), fact.content))


def keep_secret(context: PageContext, parent: QObject, *, agent_id: str, turn_id: str) -> ServiceOp[list[MemoryItem]]:
    """Turn text left out of memory because of a secret into facts."""
    memories = context.services.memories
    return context.bridge.call(parent, memories.keep_secret, agent_id, turn_id).tell(
        tr("Remembered"), tr("It is kept as you asked.")
    )


def titles(
    context: PageContext, parent: QObject, *, events: Sequence[DistillationFinished], most: int = 3
) -> ServiceOp[list[str]]:
    """Fetch the titles of events' first chats, each once, except deleted ones."""
    conversations = context.services.conversations

    def work() -> list[str]:
        found = []
        for agent_id, conversation_id in list(dict.fromkeys((e.agent_id, e.conversation_id) for e in events))[:most]:
            with suppress(NotFoundError):
                found.append(conversations.get(agent_id, conversation_id).title)
        return found

    return context.bridge.call(parent, work)


def reject(context: PageContext, parent: QObject, *, fact: MemoryItem, waits: bool) -> ServiceOp[Any]:
    """Reject a pending fact, or forget a kept one."""
    from memdesk.services.forgetting import ForgetTarget

    services = context.services

    def work() -> object:
        if waits:
            return services.review.reject(fact.id)
        return services.forgetting.forget(ForgetTarget(kind="fact", ids=(fact.id,), agent_id=fact.agent_id))

    return context.bridge.call(parent, work)


def undo(context: PageContext, parent: QObject, *, event: DistillationFinished) -> ServiceOp[None]:
    """Forget all results of one distillation; the messages stay."""
    from memdesk.services.forgetting import ForgetTarget

    services = context.services

    def work() -> None:
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

    return context.bridge.call(parent, work).tell(tr("Undone"), tr("What was learned here is forgotten."))
