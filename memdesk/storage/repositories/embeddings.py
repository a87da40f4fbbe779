"""Vectors and index snapshots."""

from collections.abc import Sequence
from typing import Any

from memdesk.domain.models import Target, VectorKind
from memdesk.storage.queries import load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.values import from_json, ids

_Q: Any = load("embeddings")
_NO_SPACE = -1
_ALL = -1
#: Up to this many items of a target are searched one by one.
FEW_ITEMS = 500
#: Bytes of one part of a snapshot; some 40 ms of writing.
SNAPSHOT_PART = 2 * 1024 * 1024
#: the table whose rows a kind describes
_TABLES: dict[VectorKind, str] = {"turn": "turns", "item": "items"}


class SqlEmbeddings(Repository):
    """:class:`memdesk.ports.EmbeddingsRepo` over SQLCipher."""

    def put(self, agent_id: str, kind: VectorKind, model: str, rows: Sequence[tuple[int, str, bytes]]) -> None:
        if not rows:
            return
        _Q.add_space(self._conn, model=model)
        space_id = self._space(model)
        _Q.put(
            self._conn,
            [
                {
                    "kind": kind,
                    "seq": seq,
                    "space_id": space_id,
                    "agent_id": agent_id,
                    "content_hash": content_hash,
                    "vector": vector,
                }
                for seq, content_hash, vector in rows
            ],
        )
        if _Q.close_gaps(self._conn, kind=kind, seqs=ids(row[0] for row in rows)):
            self._shared.floors.drop_others(kind, model)

    def load(
        self, agent_id: str, kind: VectorKind, model: str, *, after_seq: int = 0, limit: int | None = None
    ) -> tuple[list[int], bytes]:
        place = {"agent_id": agent_id, "kind": kind, "space_id": self._space(model)}
        rows = _Q.load(self._conn, **place, after_seq=after_seq, wanted=_ALL if limit is None else limit)
        return [row[0] for row in rows], b"".join(row[1] for row in rows)

    def cached(self, model: str, hashes: Sequence[str]) -> dict[str, bytes]:
        return dict(_Q.cached(self._conn, space_id=self._space(model), hashes=ids(hashes)))

    def missing(
        self, kind: VectorKind, model: str, *, agent_id: str | None = None, limit: int = 256
    ) -> list[tuple[str, int]]:
        owner = "" if agent_id is None else " AND t.agent_id = :agent_id"
        values: dict[str, Any] = {
            "kind": kind,
            "space_id": self._space(model),
            "agent_id": agent_id,
            "floor": self._shared.floors.get(kind, model, agent_id),
            "wanted": limit,
        }
        lacking = _Q.without_vector.sql
        gaps = getattr(_Q, f"gaps_{kind}").sql
        found = self._conn.rows(f"{gaps} AND {lacking}{owner} ORDER BY t.seq LIMIT :wanted", values)
        if len(found) >= limit:
            return found
        rows = getattr(_Q, f"rows_{kind}").sql
        fresh = self._conn.rows(f"{rows} AND {lacking}{owner} ORDER BY t.seq LIMIT :wanted", values)
        # Rows in the table of gaps are covered by it, whatever the floor is.
        top = fresh[0][1] - 1 if fresh else _Q.last_seq(self._conn, table=_TABLES[kind]) or 0
        self._shared.floors.rise(kind, model, agent_id, top)
        known = set(found)
        return (found + [row for row in fresh if row not in known])[:limit]

    def count_missing(self, kind: VectorKind, model: str) -> int:
        values = {"kind": kind, "space_id": self._space(model), "floor": self._shared.floors.get(kind, model, None)}
        lacking = _Q.without_vector.sql
        pieces = (
            f"{getattr(_Q, f'rows_{kind}').sql} AND {lacking}",
            f"{getattr(_Q, f'gaps_{kind}').sql} AND {lacking} AND t.seq <= :floor",
        )
        return sum(int(self._conn.rows(f"SELECT count(*) FROM ({piece})", values)[0][0]) for piece in pieces)

    def drop_other_models(self, model: str) -> int:
        dropped = int(_Q.drop_other_models(self._conn, model=model))
        _Q.drop_other_snapshots(self._conn, model=model)
        _Q.drop_other_spaces(self._conn, model=model)
        self._shared.floors.clear()
        return dropped

    def drop_blank(self, model: str) -> int:
        self._shared.floors.clear()
        return int(_Q.drop_blank(self._conn, space_id=self._space(model)))

    def models(self) -> list[str]:
        return [row[0] for row in _Q.models(self._conn)]

    def strays(self) -> int:
        return int(_Q.strays(self._conn))

    def counts(self) -> dict[str, int]:
        return {f"{kind}:{model}": count for kind, model, count in _Q.counts(self._conn)}

    def among(self, target: Target, seqs: Sequence[int]) -> set[int]:
        return set(from_json(getattr(_Q, f"among_{target}")(self._conn, seqs=ids(seqs))))

    def few(self, target: Target, agent_id: str) -> set[int] | None:
        query = getattr(_Q, f"few_{target}", None)
        if query is None:
            return None
        found = from_json(query(self._conn, agent_id=agent_id, wanted=FEW_ITEMS + 1))
        return set(found) if len(found) <= FEW_ITEMS else None

    def count_target(self, agent_id: str, target: Target) -> int:
        return int(getattr(_Q, f"target_{target}")(self._conn, agent_id=agent_id))

    def count(self, agent_id: str, kind: VectorKind, model: str) -> int:
        return int(_Q.count(self._conn, agent_id=agent_id, kind=kind, space_id=self._space(model)))

    def put_snapshot_part(
        self, agent_id: str, kind: VectorKind, model: str, data: bytes, *, start: int, edition: str
    ) -> int:
        """Store one part of a snapshot; return where the next one starts, ``len(data)`` after the last.

        A value is limited to 1 GB, and the writer should not be held for long: store the parts from 0 on, each in its
        own transaction. Until the last one is there, and after any row is deleted meanwhile, :meth:`snapshot` returns
        None.
        """
        part, end = start // SNAPSHOT_PART, min(start + SNAPSHOT_PART, len(data))
        place = {"agent_id": agent_id, "kind": kind, "model": model, "part": part}
        _Q.put_snapshot_part(self._conn, **place, edition=edition, size=len(data), data=memoryview(data)[start:end])
        if end == len(data):
            _Q.drop_later_parts(self._conn, **place)
        return end

    def snapshot(self, agent_id: str, kind: VectorKind, model: str) -> bytes | None:
        parts = _Q.snapshot(self._conn, agent_id=agent_id, kind=kind, model=model)
        if not parts or len({row[0] for row in parts}) > 1:
            return None
        data = b"".join(row[2] for row in parts)
        return data if len(data) == parts[0][1] else None

    def _space(self, model: str) -> int:
        found = _Q.space(self._conn, model=model)
        return _NO_SPACE if found is None else int(found)
