"""Publishes changes of the memory."""

from collections.abc import Iterable
from typing import Any

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Entity
from memdesk.ports.seams import Indexing
from memdesk.services import journal
from memdesk.services.events import EventBus, MemoryChanged


def announce(events: EventBus, indexing: Indexing | None, rows: Iterable[MemoryItem | Entity]) -> None:
    """Notify indexes and views of changed rows.

    ``events`` are published once per agent and kind.
    """
    changed: dict[tuple[str | None, Any], list[int]] = {}
    for row in rows:
        kind = journal.kind_of(row)
        # Identity belongs to the user, whichever agent learned it.
        agent_id = None if kind == "identity" else row.agent_id
        changed.setdefault((agent_id, kind), []).append(getattr(row, "seq", 0))
        if kind == "fact" and getattr(row, "tier", "") == "always":
            changed.setdefault((None, "identity"), [])
    for (agent_id, kind), seqs in changed.items():
        if indexing is not None and agent_id is not None and kind in {"fact", "episode"}:
            indexing.note(agent_id, "item", seqs)
        events.publish(MemoryChanged(agent_id, (kind,)))
