"""Entities, what mentions them, and relations between them."""

from collections.abc import Sequence
from typing import Any, Literal

from memdesk.domain.models import Entity, Page, Relation
from memdesk.ports import Handed
from memdesk.storage import fts
from memdesk.storage.paging import Listing, given
from memdesk.storage.queries import load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.repositories.columns import MOMENT, TEXT, Columns
from memdesk.storage.values import clean, fold, ids, to_json

_Q: Any = load("entities")
_MOST_MENTIONED = Listing(columns="n.*", source="entities n", key="n.mention_count", tie="n.seq")
_ENTITY = Columns(
    Entity,
    "seq id agent_id name type mention_count created_at updated_at",
    name=TEXT,
    created_at=MOMENT,
    updated_at=MOMENT,
)
_RELATION = Columns(
    Relation, "seq id agent_id subject_id predicate object_id fact_id created_at", predicate=TEXT, created_at=MOMENT
)
LinkKind = Literal["fact", "episode", "turn"]


class SqlEntities(Repository):
    """:class:`memdesk.ports.EntitiesRepo` over SQLCipher."""

    def get(self, entity_id: str) -> Entity | None:
        row = _Q.get(self._conn, entity_id=entity_id)
        return None if row is None else _ENTITY.of(row)

    def find(self, agent_id: str, name: str) -> Entity | None:
        wanted = {"agent_id": agent_id, "folded": fold(clean(name))}
        row = _Q.find(self._conn, **wanted) or _Q.find_alias(self._conn, **wanted)
        return None if row is None else _ENTITY.of(row)

    def names(self, agent_id: str) -> list[tuple[str, str]]:
        return [row[:2] for row in _Q.names(self._conn, agent_id=agent_id)]

    def persons(self, agent_id: str) -> set[str]:
        return {row[0] for row in _Q.persons(self._conn, agent_id=agent_id)}

    def aliases(self, entity_id: str) -> list[str]:
        return [row[0] for row in _Q.aliases(self._conn, entity_id=entity_id)]

    def set_aliases(self, entity: Entity, names: Sequence[str]) -> None:
        _Q.drop_aliases(self._conn, entity_id=entity.id)
        _Q.add_alias(
            self._conn,
            [
                {"agent_id": entity.agent_id, "folded": fold(name), "name": name, "entity_id": entity.id}
                for name in map(clean, names)
                if fold(name) not in {"", fold(entity.name)}
            ],
        )

    def absorb(self, gone_id: str, into_id: str) -> None:
        for move in (_Q.move_links, _Q.move_subjects, _Q.move_objects):
            move(self._conn, gone=gone_id, into=into_id)
        self.delete([gone_id])

    def part(self, gone_id: str, into_id: str, handed: Handed) -> None:
        _Q.part_links(self._conn, gone=gone_id, into=into_id, links=to_json(handed.links))
        _Q.drop_links(self._conn, into=into_id, links=to_json(handed.own))
        _Q.part_subjects(self._conn, gone=gone_id, into=into_id, ids=ids(handed.subjects))
        _Q.part_objects(self._conn, gone=gone_id, into=into_id, ids=ids(handed.objects))

    def page(
        self,
        *,
        agent_id: str | None = None,
        query: str = "",
        type_: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Entity]:
        return self._page(
            _MOST_MENTIONED,
            given(_Q, agent_id=agent_id, type=type_, like=fts.like(fold(query)) if query.strip() else None),
            _ENTITY.all,
            limit,
            cursor,
        )

    def put(self, entity: Entity) -> None:
        _Q.put(self._conn, **_ENTITY.values(entity), folded=fold(clean(entity.name)))

    def delete(self, entity_ids: Sequence[str]) -> None:
        _Q.delete(self._conn, ids=ids(entity_ids))

    def link(self, entity_id: str, kind: LinkKind, ref_id: str) -> None:
        _Q.link(self._conn, entity_id=entity_id, kind=kind, ref_id=ref_id)

    def unlink(self, fact_id: str, entity_ids: Sequence[str]) -> None:
        _Q.unlink(self._conn, fact_id=fact_id, ids=ids(entity_ids))
        _Q.untell(self._conn, fact_id=fact_id)

    def links(self, entity_id: str) -> list[tuple[str, str]]:
        return list(_Q.links(self._conn, entity_id=entity_id))

    def of(self, kind: LinkKind, ref_id: str) -> list[Entity]:
        return _ENTITY.all(_Q.of(self._conn, kind=kind, ref_id=ref_id))

    def named_by(self, kind: LinkKind, ref_ids: Sequence[str]) -> list[Entity]:
        return _ENTITY.all(_Q.named_by(self._conn, kind=kind, ids=ids(ref_ids)))

    def relate(self, relation: Relation) -> None:
        _Q.relate(self._conn, **_RELATION.values(relation))

    def relations(self, entity_id: str) -> list[Relation]:
        return _RELATION.all(_Q.relations(self._conn, entity_id=entity_id))

    def unrelate(self, relation_ids: Sequence[str]) -> None:
        _Q.unrelate(self._conn, ids=ids(relation_ids))
