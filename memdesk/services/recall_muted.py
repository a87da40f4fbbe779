"""What the user does not want used in one conversation. Kept by id alone; the memory itself stays as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memdesk.domain.models import ReceiptItem
from memdesk.domain.planner import Line, Part

if TYPE_CHECKING:
    from memdesk.ports import Repositories, Store

Muted = frozenset[tuple[str, str]]
_PREFIX = "muted:"


def _key(agent_id: str, conversation_id: str) -> str:
    return f"{_PREFIX}{agent_id}\x1f{conversation_id}"


def muted_in(store: Store, agent_id: str, conversation_id: str | None) -> Muted:
    """Return ``(kind, id)`` of what is not to be used in a conversation."""
    if not conversation_id:
        return frozenset()
    with store.read() as repos:
        found = repos.meta.get(_key(agent_id, conversation_id)) or []
    return frozenset((kind, ref_id) for kind, ref_id in found)


def change_muted(repos: Repositories, agent_id: str, conversation_id: str, kind: str, ref_id: str, *, on: bool) -> None:
    """Add a thing to what is not to be used in a conversation, or take it off."""
    key = _key(agent_id, conversation_id)
    present = {tuple(pair) for pair in repos.meta.get(key) or []}
    present = present | {(kind, ref_id)} if on else present - {(kind, ref_id)}
    repos.meta.put(key, sorted(present) or None)


def without(parts: Iterable[Part], muted: Muted) -> list[Part]:
    """Return the parts without muted lines."""
    return [replace(part, lines=heard(part.lines, muted)) for part in parts]


def heard(lines: Sequence[Line], muted: Muted) -> list[Line]:
    """Return the lines that are not muted."""
    return [line for line in lines if (line.kind, line.id) not in muted]


def silenced(lines: Iterable[Line], muted: Muted) -> list[ReceiptItem]:
    """Return muted lines as what a receipt says was left out."""
    return [
        ReceiptItem(
            kind=line.kind,
            id=line.id,
            line=line.text,
            score=round(line.score, 4),
            tokens=0,
            date=line.date,
            conversation_id=line.conversation_id,
            quote=line.quote,
            left_out="muted",
        )
        for line in lines
        if (line.kind, line.id) in muted
    ]
