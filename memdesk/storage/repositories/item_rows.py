"""Items as rows, and back."""

from typing import Any, Final

from memdesk.domain.items.item import Digest, MemoryItem
from memdesk.domain.items.statement import Statement
from memdesk.domain.models import FactKind, FactSource, FactStatus
from memdesk.messages import recalled, stored
from memdesk.storage.connection import Connection
from memdesk.storage.queries import Row, load
from memdesk.storage.values import clean, dated, from_json, from_ms, ids, strings, to_json, to_ms, to_ms_or_none

_Q: Any = load("items")
#: The columns of a statement, in the order of the table.
STATEMENT: Final = (
    "subject", "predicate", "object", "attribute", "holds", "ended", "modality", "tense", "qualifiers", "speaker",
    "said_at", "quote", "language", "replaces",
)  # fmt: skip
_FLAGS: Final = {"holds", "ended"}
_MOMENTS: Final = (
    "decayed_at", "promoted_at", "last_used", "valid_from", "valid_until", "confirmed_at", "expires_at",
)  # fmt: skip
_PLAIN: Final = (
    "id", "form", "tier", "type", "user_id", "source_agent_id", "run_id", "key", "privacy", "salience", "confidence",
    "source_count", "use_count", "origin", "provenance", "superseded_by", "parent_id",
)  # fmt: skip
_OTHERS: Final = (
    "agent_id", "kind", "content", "tags", "metadata", "status", "reason", "user_pinned", "created_at", "updated_at",
)  # fmt: skip
COLUMNS: Final = (*_PLAIN, *_MOMENTS, *_OTHERS, *STATEMENT)
#: Columns that only episodes use.
DIGEST: Final = ("entities", "decisions", "action_items", "model", "started_at", "ended_at", "dated")
#: Columns to read: all but those that only full text needs, with a digest as one value.
SELECTED: Final = (
    ", ".join(f"i.{name}" for name in ("seq", *COLUMNS))
    + ", CASE WHEN i.form = 'episode' THEN json_array(json(i.entities), json(i.decisions), json(i.action_items), "
    "i.model, i.started_at, i.ended_at) END"
)
#: Their positions in a row. The first ones are fields of the item unchanged.
_AS_IS: Final = ("seq", *_PLAIN)
_MOMENTS_AT: Final = slice(len(_AS_IS), len(_AS_IS) + len(_MOMENTS))
_REST: Final = slice(_MOMENTS_AT.stop, _MOMENTS_AT.stop + len(_OTHERS))
_STATEMENT_AT: Final = slice(_REST.stop, -1)


def item_of(row: Row, sources: tuple[FactSource, ...] = ()) -> MemoryItem:
    values = dict(zip(_AS_IS, row, strict=False))
    agent_id, kind, content, tags, metadata, status, reason, user_pinned, created_at, updated_at = row[_REST]
    if values["tier"] == "pinned" and agent_id and values["source_agent_id"] == agent_id:
        values["tier"] = "always"
    for name, moment in zip(_MOMENTS, row[_MOMENTS_AT], strict=True):
        if moment is not None:
            values[name] = from_ms(moment)
    return MemoryItem(
        **values,
        agent_id=agent_id or "",
        kind=FactKind(kind),
        content=content,
        statement=statement_of(row[_STATEMENT_AT]),
        metadata={} if metadata == "{}" else from_json(metadata),
        tags=strings(tags),
        status=FactStatus(status),
        reason=recalled(reason),
        user_pinned=bool(user_pinned),
        sources=sources,
        digest=None if row[-1] is None else _digest_of(row[-1]),
        created_at=from_ms(created_at),
        updated_at=from_ms(updated_at),
    )


def _digest_of(text: str) -> Digest:
    entities, decisions, actions, model, started, ended = from_json(text)
    return Digest(
        entities=tuple(entities),
        decisions=tuple(decisions),
        action_items=tuple(actions),
        model=model,
        started_at=from_ms(started),
        ended_at=from_ms(ended),
    )


def items_of(conn: Connection, rows: list[Row], *, details: bool = True) -> list[MemoryItem]:
    """Return the items of rows of :data:`SELECTED`, with their sources and, for episodes, details."""
    if not rows:
        return []
    sources: dict[int, list[FactSource]] = {}
    for seq, turn_id, quote in from_json(_Q.sources(conn, seqs=ids(row[0] for row in rows))):
        sources.setdefault(seq, []).append(FactSource(turn_id=turn_id, quote=quote))
    items = [item_of(row, tuple(sources.get(row[0], ()))) for row in rows]
    return _with_details(conn, items) if details and any(item.digest is not None for item in items) else items


def _with_details(conn: Connection, items: list[MemoryItem]) -> list[MemoryItem]:
    parents = ids(item.id for item in items if item.digest is not None)
    found: dict[str | None, list[MemoryItem]] = {}
    for detail in items_of(conn, selected(conn, _Q.details, ids=parents), details=False):
        found.setdefault(detail.parent_id, []).append(detail)
    return [item.with_fields({"digest.details": tuple(found[item.id])}) if item.id in found else item for item in items]


def selected(conn: Connection, query: Any, **values: Any) -> list[Row]:
    """Return the rows of a query for ``i.*`` as :data:`SELECTED`."""
    return conn.rows(query.sql.replace("i.*", SELECTED), values)


def values_of(item: MemoryItem) -> dict[str, Any]:
    values = {name: getattr(item, name) for name in _PLAIN}
    values = {name: clean(value) if isinstance(value, str) else value for name, value in values.items()}
    values |= {name: to_ms_or_none(getattr(item, name)) for name in _MOMENTS}
    if item.is_fact and item.tier == "always":
        # Fact lists and their indexes use one tier: a fact that goes with every reply names its agent twice.
        values |= {"tier": "pinned", "source_agent_id": item.agent_id}
    elif item.is_fact and item.source_agent_id == item.agent_id:
        values["source_agent_id"] = None
    return values | {
        "agent_id": item.agent_id or None,
        "kind": str(item.kind),
        "content": clean(item.content),
        "tags": clean(to_json(item.tags)),
        "metadata": clean(to_json(item.metadata)),
        "status": str(item.status),
        "reason": clean(stored(item.reason)),
        "user_pinned": int(item.user_pinned),
        "created_at": to_ms(item.created_at),
        "updated_at": to_ms(item.updated_at),
        **statement_values(item.statement),
        **({} if item.digest is None else _digest_values(item.digest)),
    }


def _digest_values(digest: Digest) -> dict[str, Any]:
    return {
        "entities": clean(to_json(digest.entities)),
        "decisions": clean(to_json(digest.decisions)),
        "action_items": clean(to_json(digest.action_items)),
        "model": digest.model,
        "started_at": to_ms(digest.started_at),
        "ended_at": to_ms(digest.ended_at),
        "dated": dated(digest.ended_at),
    }


def columns_of(names: set[str]) -> set[str]:
    found = {name.removeprefix("digest.") for name in names} - {"sources", "details"}
    if "ended_at" in found:
        found.add("dated")
    if "tier" in found:
        found.add("source_agent_id")
    return (found - {"statement"}) | {*STATEMENT} if "statement" in found else found


def statement_values(statement: Statement | None) -> dict[str, Any]:
    """Return the columns; all NULL without a statement."""
    if statement is None:
        return dict.fromkeys(STATEMENT)
    plain = statement.plain()
    values: dict[str, Any] = {name: plain.get(name, "") for name in STATEMENT}
    values |= {name: int(plain[name]) for name in _FLAGS}
    values["qualifiers"] = to_json(plain.get("qualifiers", {}))
    values["said_at"] = plain.get("said_at")
    return {name: clean(value) if isinstance(value, str) else value for name, value in values.items()}


def statement_of(columns: Row) -> Statement | None:
    if columns[0] is None:
        return None
    found = dict(zip(STATEMENT, columns, strict=True))
    found["qualifiers"] = from_json(found["qualifiers"])
    found |= {name: bool(found[name]) for name in _FLAGS}
    return Statement.from_plain(found)
