"""Imports mem0's memories with their ids, times and history, and exports them in mem0's format. Both may be repeated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from memdesk.domain.items.history import HistoryRecord
from memdesk.domain.items.item import MemoryItem
from memdesk.errors import BadRequestError
from memdesk.ports.item_store import Scope
from memdesk.services.library.asking import MAX_LIMIT, SCOPE, moment_of
from memdesk.services.library.results import history_of, memory_of

if TYPE_CHECKING:
    from memdesk.services.library.keeping import Keeper

#: Memories embedded and stored together.
BATCH: Final = 64
#: Keys that mem0 stores with a caller's metadata.
_OWN: Final = frozenset(
    {"data", "memory", "id", "hash", "score", "metadata", "created_at", "updated_at", "text_lemmatized", *SCOPE}
)
_EVENTS: Final = frozenset({"ADD", "UPDATE", "DELETE"})


@dataclass(slots=True)
class Moved:
    """The result of an import, or of a dry run.

    ``left_out``: without a text or an owner; ``embedder``: the model that embeds them here.
    """

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    left_out: int = 0
    history: int = 0
    embedder: str = ""


def bring(
    keeper: Keeper, rows: Iterable[tuple[str, Mapping[str, Any]]], past: Sequence[Mapping[str, Any]], *, dry_run: bool
) -> Moved:
    """Store memories that are new or have another text here; see :class:`Moved`.

    ``rows``: ``(id, payload)`` as mem0 stores or returns them; ``past``: rows of mem0's history.

    Raises:
        BadRequestError: a time cannot be read.
    """
    report = Moved(embedder=keeper.embedder)
    new: list[MemoryItem] = []
    for name, payload in rows:
        item = _item(name, payload)
        if item is None:
            report.left_out += 1
            continue
        known = keeper.item(item.id)
        if known is None:
            report.new += 1
            new.append(item)
        elif known.content == item.content or known.updated_at >= item.updated_at:
            report.unchanged += 1
        else:
            report.changed += 1
            if not dry_run:
                vectors = keeper.embed([item.content])
                keeper.replace(item, None if vectors is None else vectors[0], old=known.content)
    records = [record for row in past if (record := _record(row)) is not None]
    for start in range(0, len(new), BATCH):
        some = new[start : start + BATCH]
        if not dry_run:
            told = {record.memory_id for record in records if record.event == "ADD"}
            keeper.bring(some, keeper.embed([item.content for item in some]), told)
    report.history = keeper.bring_history(records, dry_run=dry_run)
    return report


def written(keeper: Keeper) -> dict[str, Any]:
    """Return every memory and all history, including that of deleted ones, in the format of ``bring`` and of mem0's answers."""
    items: list[MemoryItem] = []
    while page := keeper.items(Scope(), limit=MAX_LIMIT, expired=True, offset=len(items)):
        items += page
    return {
        "results": [memory_of(item) for item in items],
        "history": [history_of(record) for record in keeper.history()],
    }


def _item(name: str, payload: Mapping[str, Any]) -> MemoryItem | None:
    text = payload.get("data") or payload.get("memory")
    scope = {key: str(payload[key]) for key in SCOPE if payload.get(key)}
    if not isinstance(text, str) or not text.strip() or not scope:
        return None
    made = moment_of(payload.get("created_at")) or datetime.now(UTC)
    inside = payload.get("metadata")
    metadata = {**(inside if isinstance(inside, dict) else {}), **{k: v for k, v in payload.items() if k not in _OWN}}
    return MemoryItem(
        id=name,
        user_id=scope.get("user_id", ""),
        agent_id=scope.get("agent_id", ""),
        run_id=scope.get("run_id"),
        content=text,
        metadata=metadata,
        origin="import",
        provenance="import",
        created_at=made,
        updated_at=moment_of(payload.get("updated_at")) or made,
    )


def _record(row: Mapping[str, Any]) -> HistoryRecord | None:
    if row.get("event") not in _EVENTS:
        return None
    try:
        at = moment_of(row.get("timestamp") or row.get("updated_at") or row.get("created_at"))
        return HistoryRecord(
            id=str(row["id"]),
            memory_id=str(row["memory_id"]),
            event=row["event"],
            old_value=row.get("old_value", row.get("old_memory")),
            new_value=row.get("new_value", row.get("new_memory")),
            at=at or datetime.now(UTC),
            is_deleted=row["event"] == "DELETE",
        )
    except KeyError as error:
        raise BadRequestError(f"A row of the history has no {error}.") from error
