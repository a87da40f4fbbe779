"""What was believed at a date, by the rules of :mod:`memdesk.domain.items.validity`, in the wording of that date.

Facts whose period had not begun by then are left out. What has been forgotten since is gone from the past too.
"""

from dataclasses import replace
from datetime import datetime

from memdesk.domain.items.item import ME, MemoryItem
from memdesk.domain.items.validity import as_it_was, believed_at, in_force
from memdesk.domain.models import FactStatus, HistoryEntry
from memdesk.ports import Repositories


def fact_lives(fact: MemoryItem, as_of: datetime | None) -> bool:
    """Whether a fact may be shown: active, or believed at ``as_of``."""
    if as_of is None:
        return fact.status == FactStatus.ACTIVE
    return (fact.valid_from or fact.created_at) <= as_of and believed_at(fact, as_of)


def facts_then(
    repos: Repositories, agent_id: str, facts: dict[int, MemoryItem], as_of: datetime
) -> dict[int, MemoryItem]:
    """Return facts by number as they were, including those with another text or status now."""
    changed = _since(repos, agent_id, "fact", as_of)
    found = {**facts, **{fact.seq: fact for fact in repos.items.many(list(changed))}}
    return {seq: as_it_was(fact, as_of, changed.get(fact.id, ())) for seq, fact in found.items()}


def fact_then(repos: Repositories, fact: MemoryItem, as_of: datetime) -> MemoryItem:
    """Return one fact in its former wording, with its present status."""
    return as_it_was(fact, as_of, repos.history.page(kind="fact", ref_id=fact.id, limit=500).items)


def identity_then(repos: Repositories, as_of: datetime | None, now: datetime) -> list[MemoryItem]:
    """Return the identity lines in force, now or then."""
    if as_of is None:
        return [line for line in repos.items.lines() if line.user_id == ME and in_force(line, now)]
    lines = [line for line in repos.items.lines(include_inactive=True) if line.created_at <= as_of]
    lines = [line for line in lines if line.user_id == ME]
    changed: dict[str, list[HistoryEntry]] = {}
    for agent_id in {line.heard_by for line in lines}:
        for kind in ("identity", "fact"):
            changed |= _since(repos, agent_id, kind, as_of)
    then = [_line_then(line, changed.get(line.id, [])) for line in lines]
    return [line for line in then if line.status == "active"]


def _since(repos: Repositories, agent_id: str, kind: str, as_of: datetime) -> dict[str, list[HistoryEntry]]:
    found: dict[str, list[HistoryEntry]] = {}
    for entry in repos.history.since(agent_id, kind, as_of):
        found.setdefault(entry.ref_id, []).append(entry)
    return found


def _line_then(line: MemoryItem, later: list[HistoryEntry]) -> MemoryItem:
    for entry in reversed(later):
        old = entry.old or {}
        line = replace(
            line, content=old.get("content", line.content), status=FactStatus(old.get("status", line.status))
        )
    return line
