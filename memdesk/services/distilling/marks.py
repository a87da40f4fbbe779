"""Marks of what must not be learned again from messages that stay, and of each agent's last forgetting."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from memdesk.domain.forgetting.marks import Forgotten
from memdesk.domain.models import Receipt, Turn
from memdesk.ports import Repositories

#: One value per message, so that they can be written in batches.
PREFIX: Final = "forgotten:"
_LAST: Final = "last_forgetting:"


def marks_of(agent_id: str) -> str:
    """Return the key prefix of an agent's marks."""
    return f"{PREFIX}{agent_id}\x1f"


def mark_forgotten(repos: Repositories, agent_id: str, turn_id: str, texts: Iterable[str]) -> None:
    """Keep the content of these texts from being learned again from a message."""
    key = marks_of(agent_id) + turn_id
    held = _load(repos, key) or Forgotten(os.urandom(16), [])
    held.add(texts)
    repos.meta.put(key, {"salt": held.salt.hex(), "marks": [sorted(one) for one in held.marks]})


def drop_marks(repos: Repositories, turns: Iterable[tuple[str, str]]) -> None:
    """Delete the marks of deleted messages, given as ``(agent_id, turn_id)``."""
    for agent_id, turn_id in turns:
        repos.meta.put(marks_of(agent_id) + turn_id, None)


def without_forgotten(repos: Repositories, agent_id: str, turns: Sequence[Turn]) -> list[Turn]:
    """Return turns for distillation, without the sentences that say what was forgotten."""
    prefix = marks_of(agent_id)
    found = []
    for turn in turns:
        held = _load(repos, prefix + turn.id)
        found.append(turn if held is None else replace(turn, content=held.cut(turn.content)))
    return found


def _load(repos: Repositories, key: str) -> Forgotten | None:
    stored = repos.meta.get(key)
    if stored is None:
        return None
    return Forgotten(bytes.fromhex(stored["salt"]), [frozenset(one) for one in stored["marks"]])


@dataclass(frozen=True, slots=True)
class Last:
    """Number and time of an agent's forgettings."""

    number: int
    at: datetime | None


def last(repos: Repositories, agent_id: str) -> Last:
    """Return an agent's last forgetting; results read under a different number must not be stored."""
    stored = repos.meta.get(_LAST + agent_id)
    return Last(0, None) if stored is None else Last(stored["number"], datetime.fromisoformat(stored["at"]))


def note_forgetting(repos: Repositories, agent_ids: Iterable[str], at: datetime) -> None:
    for agent_id in agent_ids:
        number = last(repos, agent_id).number + 1
        repos.meta.put(_LAST + agent_id, {"number": number, "at": at.isoformat()})


def as_remembered(repos: Repositories, receipt: Receipt) -> Receipt:
    """Return a receipt for storing, without its lines if the agent has forgotten something since."""
    at = last(repos, receipt.agent_id).at
    if at is None or receipt.created_at > at:
        return receipt
    items = tuple(replace(item, line="", quote="") for item in receipt.items)
    left_out = tuple(replace(item, line="", quote="") for item in receipt.left_out)
    return replace(receipt, block="", items=items, left_out=left_out)
