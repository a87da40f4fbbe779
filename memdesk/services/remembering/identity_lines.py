"""Writes lines about the user, with their history."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Actor, FactKind, new_id
from memdesk.errors import NotFoundError
from memdesk.messages import say
from memdesk.services import journal
from memdesk.services.remembering.changing import with_changes

if TYPE_CHECKING:
    from memdesk.ports import Repositories


def add(repos: Repositories, text: str, now: datetime, actor: Actor, actor_detail: str) -> MemoryItem:
    """Store a line that the user wrote, or return the active one that says the same."""
    for line in repos.items.lines():
        if line.status == "active" and line.content.casefold() == text.casefold():
            return line
    line = MemoryItem(
        id=new_id(),
        tier="always",
        kind=FactKind.IDENTITY,
        salience=1.0,
        content=text,
        created_at=now,
        updated_at=now,
    )
    line = replace(line, seq=repos.items.put(line))
    repos.history.add([journal.created(line, actor=actor, actor_detail=actor_detail)])
    return line


def edit(
    repos: Repositories, line_id: str, values: dict[str, Any], now: datetime, actor: Actor, actor_detail: str
) -> MemoryItem:
    """Change a line; with new words it is the user's own.

    Raises:
        NotFoundError: there is none of this id.
    """
    old = repos.items.get(line_id)
    if old is None or old.tier != "always":
        raise NotFoundError(say("There is no such identity line."), hint="GET /memory/identity lists them.")
    new = with_changes(old, values, now)
    if new == old:
        return old
    repos.items.put(new)
    repos.history.add([journal.change(old, new, "edit", at=now, actor=actor, actor_detail=actor_detail)])
    return new
