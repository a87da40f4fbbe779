"""Actions on identity, episodes, the review inbox and contradictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from memdesk.gui.bridge import ServiceOp
from memdesk.gui.text import tr

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from memdesk.domain.models import Entity
    from memdesk.gui.pages import PageContext
    from memdesk.services.remembering import Joined


def add_identity(*, context: PageContext, parent: QObject, text: str) -> ServiceOp[Any]:
    """Add a line about the user that every agent sees."""
    memories = context.services.memories
    return ServiceOp(context.bridge, parent, lambda _op: memories.add_identity(text))


def edit_identity(*, context: PageContext, parent: QObject, line_id: str, **changes: Any) -> ServiceOp[Any]:
    """Change a line about the user, or switch it off."""
    memories = context.services.memories
    return ServiceOp(context.bridge, parent, lambda _op: memories.edit_identity(line_id, **changes))


def edit_episode(*, context: PageContext, parent: QObject, episode_id: str, **changes: Any) -> ServiceOp[Any]:
    """Correct an episode."""
    memories = context.services.memories
    return ServiceOp(context.bridge, parent, lambda _op: memories.edit_episode(episode_id, **changes))


def edit_entity(*, context: PageContext, parent: QObject, entity_id: str, **changes: Any) -> ServiceOp[Entity]:
    """Change what a person or thing is called."""
    memories = context.services.memories
    return ServiceOp(context.bridge, parent, lambda _op: memories.edit_entity(entity_id, **changes))


def merge_entities(*, context: PageContext, parent: QObject, gone_id: str, into_id: str) -> ServiceOp[Joined]:
    """Join two people or things that are the same."""
    memories = context.services.memories
    return ServiceOp(context.bridge, parent, lambda _op: memories.merge_entities(gone_id, into_id))


def count_together(*, context: PageContext, parent: QObject, entry_id: str) -> ServiceOp[int]:
    """Count what was changed in one go with a change."""
    history = context.services.history
    return ServiceOp(context.bridge, parent, lambda _op: history.together(entry_id))


def take_back(
    *, context: PageContext, parent: QObject, entry_id: str, together: bool = False, many: bool = False
) -> ServiceOp[int]:
    """Take a change back that the log holds, or all that were made in one go with it; ``many``: behind other work."""
    history, notices = context.services.history, context.notices

    def work(op: ServiceOp[int]) -> int:
        return history.take_back(entry_id, together=together, cancel=op.token, progress=op.report)

    op = ServiceOp(context.bridge, parent, work, lane="background" if many else "interactive")
    return op.success(lambda count: notices.success(tr("%n changes taken back", "", count)))


def accept_candidate(
    *, context: PageContext, parent: QObject, fact_id: str, content: str | None = None
) -> ServiceOp[Any]:
    """Keep what waited in the review inbox, perhaps corrected."""
    review, notices = context.services.review, context.notices
    op: ServiceOp[Any] = ServiceOp(context.bridge, parent, lambda _op: review.accept(fact_id, content))
    return op.success(lambda _fact: notices.success(tr("Kept")))


def reject_candidate(
    *, context: PageContext, parent: QObject, fact_id: str, never_again: bool = False
) -> ServiceOp[Any]:
    """Drop what waited in the review inbox, perhaps with all of its kind from now on."""
    review, notices = context.services.review, context.notices
    words = tr("Dropped; this kind is not stored again") if never_again else tr("Dropped")
    op: ServiceOp[Any] = ServiceOp(context.bridge, parent, lambda _op: review.reject(fact_id, never_again=never_again))
    return op.success(lambda _none: notices.info(words))


def remove_rule(*, context: PageContext, parent: QObject, rule_id: str) -> ServiceOp[Any]:
    """Take back a "never store this kind"."""
    review = context.services.review
    return ServiceOp(context.bridge, parent, lambda _op: review.remove_rule(rule_id))


def resolve_contradiction(
    *, context: PageContext, parent: QObject, card_id: str, keep: Literal["old", "new", "both"]
) -> ServiceOp[Any]:
    """Say which of two facts that do not agree is right."""
    review = context.services.review
    return ServiceOp(context.bridge, parent, lambda _op: review.resolve_contradiction(card_id, keep))
