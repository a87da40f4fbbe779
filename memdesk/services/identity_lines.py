"""Writes lines about the user, with their history."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from memdesk.domain.models import Actor, IdentityLine, new_id
from memdesk.errors import NotFoundError
from memdesk.services import journal

if TYPE_CHECKING:
    from memdesk.ports import Repositories


def add(repos: Repositories, text: str, now: datetime, actor: Actor, actor_detail: str) -> IdentityLine:
    """Store a line that the user wrote, or return the active one that says the same."""
    for line in repos.identity.all():
        if line.status == "active" and line.content.casefold() == text.casefold():
            return line
    line = IdentityLine(id=new_id(), content=text, origin="override", created_at=now, updated_at=now)
    repos.identity.put(line)
    repos.history.add([journal.created(line, actor=actor, actor_detail=actor_detail)])
    return line


def edit(
    repos: Repositories, line_id: str, values: dict[str, Any], now: datetime, actor: Actor, actor_detail: str
) -> IdentityLine:
    """Change a line; with new words it is the user's own.

    Raises:
        NotFoundError: there is none of this id.
    """
    old = repos.identity.get(line_id)
    if old is None:
        raise NotFoundError("There is no such identity line.", hint="GET /memory/identity lists them.")
    new = replace(old, **values)
    if new == old:
        return old
    origin: Literal["override", "distilled"] = "override" if "content" in values else old.origin
    new = replace(new, origin=origin, updated_at=now)
    repos.identity.put(new)
    repos.history.add([journal.change(old, new, "edit", at=now, actor=actor, actor_detail=actor_detail)])
    return new
