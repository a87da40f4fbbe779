"""Results of the library's calls: plain dictionaries with known keys, the same over HTTP."""

from __future__ import annotations

import hashlib
from typing import Any, NotRequired

from typing_extensions import TypedDict

from memdesk.domain.items.history import Event, HistoryRecord
from memdesk.domain.items.item import MemoryItem


class Memory(TypedDict):
    """A memory."""

    id: str
    memory: str
    hash: str
    metadata: dict[str, Any]
    created_at: str
    updated_at: str
    user_id: NotRequired[str]
    agent_id: NotRequired[str]
    run_id: NotRequired[str]
    expires_at: NotRequired[str]
    score: NotRequired[float]


class MemoryEvent(TypedDict):
    """A change made by ``add``."""

    event: Event
    id: str
    old_memory: str | None
    new_memory: str | None
    metadata: dict[str, Any]


class History(TypedDict):
    """One change in a memory's history."""

    id: str
    memory_id: str
    event: Event
    old_value: str | None
    new_value: str | None
    timestamp: str
    is_deleted: bool


class Found(TypedDict):
    """Memories, best or oldest first."""

    results: list[Memory]


class Done(TypedDict):
    """The changes, in the order of the statements."""

    results: list[MemoryEvent]


class Entity(TypedDict):
    """A named person, place, organization or thing."""

    name: str
    type: str
    memories: int


class Owner(TypedDict):
    """A user, an agent or a run that has memories; ``type`` is ``user``, ``agent`` or ``run``."""

    name: str
    type: str
    total_memories: int


class Relation(TypedDict):
    """Two entities and the relation between them."""

    source: str
    relation: str
    target: str
    memory_id: str


def text_hash(text: str) -> str:
    """Return the md5 of a text: an identifier, not a protection."""
    return hashlib.md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def memory_of(item: MemoryItem, score: float | None = None) -> Memory:
    shown = Memory(
        id=item.id,
        memory=item.content,
        hash=text_hash(item.content),
        metadata=dict(item.metadata),
        created_at=item.created_at.isoformat(),
        updated_at=item.updated_at.isoformat(),
    )
    if item.user_id:
        shown["user_id"] = item.user_id
    if item.agent_id:
        shown["agent_id"] = item.agent_id
    if item.run_id:
        shown["run_id"] = item.run_id
    if item.expires_at is not None:
        shown["expires_at"] = item.expires_at.isoformat()
    if score is not None:
        shown["score"] = round(score, 6)
    return shown


def history_of(record: HistoryRecord) -> History:
    return History(
        id=record.id,
        memory_id=record.memory_id,
        event=record.event,
        old_value=record.old_value,
        new_value=record.new_value,
        timestamp=record.at.isoformat(),
        is_deleted=record.is_deleted,
    )
