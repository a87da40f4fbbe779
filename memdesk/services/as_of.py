"""What was believed at a date.

A fact was believed then if it had been recorded by then, or if its period, known since, covers that day; and if it
was not ended, replaced or switched off by then. Its words are those of that day. An identity line likewise.
What was forgotten since is gone from the past too.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memdesk.domain.models import Fact, FactStatus, IdentityLine

if TYPE_CHECKING:
    from memdesk.ports import Repositories


def fact_lives(fact: Fact, as_of: datetime | None) -> bool:
    """Whether a fact may be shown: active, or what was believed at ``as_of``."""
    if as_of is None:
        return fact.status == FactStatus.ACTIVE
    # One that was replaced, nobody knows when, is no longer believed.
    ended = fact.status is FactStatus.SUPERSEDED and fact.valid_until is None
    if ended or fact.status not in {FactStatus.ACTIVE, FactStatus.SUPERSEDED}:
        return False
    start = fact.valid_from or fact.created_at
    return start <= as_of and (fact.valid_until is None or fact.valid_until > as_of)


def facts_then(repos: Repositories, agent_id: str, facts: dict[int, Fact], as_of: datetime) -> dict[int, Fact]:
    """Return facts by number as they were, with those that have other words or another state now."""
    changed = repos.history.since(agent_id, "fact", as_of)
    found = {**facts, **{fact.seq: fact for fact in repos.facts.many(list(changed))}}
    return {seq: _then(fact, changed.get(fact.id, {}), as_of) for seq, fact in found.items()}


def fact_then(repos: Repositories, fact: Fact, as_of: datetime) -> Fact:
    """Return one fact in the words it had; its state is the present one."""
    entries = repos.history.page(kind="fact", ref_id=fact.id, limit=500).items
    words = [entry.old["content"] for entry in entries if entry.at > as_of and entry.old and "content" in entry.old]
    return replace(fact, content=words[-1]) if words and fact.created_at <= as_of else fact


def identity_then(repos: Repositories, as_of: datetime | None) -> list[IdentityLine]:
    """Return the identity lines that count, now or then."""
    if as_of is None:
        return [line for line in repos.identity.all() if line.status == "active"]
    lines = [line for line in repos.identity.all(include_inactive=True) if line.created_at <= as_of]
    changed: dict[str, dict[str, Any]] = {}
    for agent_id in {line.agent_id or "" for line in lines}:
        changed |= repos.history.since(agent_id, "identity", as_of)
    then = [
        replace(
            line,
            content=str(changed.get(line.id, {}).get("content", line.content)),
            status=changed.get(line.id, {}).get("status", line.status),
        )
        for line in lines
    ]
    return [line for line in then if line.status == "active"]


def _then(fact: Fact, old: dict[str, Any], as_of: datetime) -> Fact:
    if fact.created_at > as_of:
        # It was recorded later and tells of that day: it had no other words then.
        return fact
    status = FactStatus(old.get("status", fact.status))
    return replace(fact, content=str(old.get("content", fact.content)), status=status)
