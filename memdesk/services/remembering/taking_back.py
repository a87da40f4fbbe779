"""Undoes changes from the history, even long after and across restarts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import Statement
from memdesk.domain.models import Entity, HistoryEntry
from memdesk.ports import Repositories
from memdesk.services import journal
from memdesk.services.distilling import LineReader, rename
from memdesk.services.remembering import entities, entity_joins

Row = MemoryItem | Entity
#: Actions by people or programs. Consolidation runs are undone as a whole.
_ACTIONS = frozenset({"edit", "accept", "supersede", "undo"})


def can_be(entry: HistoryEntry) -> bool:
    """Return whether the history has enough of a change to undo it, and it is not part of a run."""
    if not entry.old or entry.new is None or (entry.action == "undo" and entry.actor_detail):
        return False
    if entry.kind == "entity":
        return entry.action in {"edit", "merge", "undo"}
    return entry.action in _ACTIONS and journal.holds_all(entry.kind, entry.old)


def said_before(lines: LineReader, entries: Sequence[HistoryEntry], now: datetime) -> dict[str, Statement | None]:
    """Return the statements of texts restored by undoing changes."""
    texts = [words for entry in entries if isinstance(words := (entry.old or {}).get("content"), str)]
    return dict(zip(texts, lines.read([(text, now) for text in texts]), strict=True))


def take_back(
    repos: Repositories, entries: Sequence[HistoryEntry], now: datetime, said: Mapping[str, Statement | None]
) -> list[Row]:
    """Undo changes in the order given, where their results are unchanged; return restored items. Within a write.

    ``said`` is from :func:`said_before`, for names in the texts.

    Raises:
        MemdeskError: a merge cannot be undone, or another entity now has the name.
    """
    done: list[Row] = []
    for entry in entries:
        if not can_be(entry):
            continue
        row = _entity(repos, entry, now) if entry.kind == "entity" else _row(repos, entry, now, said)
        if row is not None:
            done.append(row)
    return done


def _row(repos: Repositories, entry: HistoryEntry, now: datetime, said: Mapping[str, Statement | None]) -> Row | None:
    row = repos.items.get(entry.ref_id)
    values = row and journal.as_before(row, entry.old or {}, entry.new or {})
    if row is None or not values:
        return None
    if entry.kind != "identity" and values.keys() & {"salience", "status"}:
        values["decayed_at"] = now
    if values.get("content") is not None:
        values["statement"] = None  # of the removed text; the restored one is parsed when needed
    back = row.with_fields({**values, "updated_at": now})
    repos.items.change(back, {*values, "updated_at"})
    if entry.kind == "fact":
        rename(repos, [(row, replace(back, statement=said.get(back.content)))], now)
    repos.history.add([journal.change(row, back, "undo", at=now, actor="user")])
    return back


def _entity(repos: Repositories, entry: HistoryEntry, now: datetime) -> Entity | None:
    if entry.action == "merge":
        return entity_joins.part(repos, entry, now)
    entity = repos.entities.get(entry.ref_id)
    if entity is None:
        return None
    is_called, new = entities.called(repos, entity), entry.new or {}
    back = {name: value for name, value in (entry.old or {}).items() if is_called[name] == new[name]}
    if not back:
        return None
    return entities.edit(
        repos,
        entity.id,
        now,
        name=back.get("name"),
        type_=back.get("type"),
        aliases=back.get("aliases", is_called["aliases"]),
        action="undo",
    )
