"""Entities, what mentions them, and relations between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from memdesk.domain.models import Entity, Page, Relation
from memdesk.ports import Handed
from memdesk.storage import fts
from memdesk.storage.paging import Listing, fetch
from memdesk.storage.queries import Row, load
from memdesk.storage.repositories.base import Repository
from memdesk.storage.values import clean, fold, from_ms, ids, to_json, to_ms

_Q: Any = load("entities")
_MOST_MENTIONED = Listing(columns="n.*", source="entities n", key="n.mention_count", tie="n.seq")
LinkKind = Literal["fact", "episode", "turn"]


def _entity(row: Row) -> Entity:
    (seq, id_, agent_id, name, type_, mentions, created, updated, *_) = row
    return Entity(
        id=id_,
        agent_id=agent_id,
        name=name,
        type=type_,
        mention_count=mentions,
        created_at=from_ms(created),
        updated_at=from_ms(updated),
        seq=seq,
    )


def _relation(row: Row) -> Relation:
    (seq, id_, agent_id, subject_id, predicate, object_id, fact_id, created, *_) = row
    return Relation(
        id=id_,
        agent_id=agent_id,
        subject_id=subject_id,
        predicate=predicate,
        object_id=object_id,
        fact_id=fact_id,
        created_at=from_ms(created),
        seq=seq,
    )


class SqlEntities(Repository):
    """:class:`memdesk.ports.EntitiesRepo` over SQLCipher."""

    def get(self, entity_id: str) -> Entity | None:
        """Return one entity."""
        row = _Q.get(self._conn, entity_id=entity_id)
        return None if row is None else _entity(row)

    def find(self, agent_id: str, name: str) -> Entity | None:
        """Find by name, case and diacritics folded: the oldest of that name, else the one also called so."""
        wanted = {"agent_id": agent_id, "folded": fold(clean(name))}
        row = _Q.find(self._conn, **wanted) or _Q.find_alias(self._conn, **wanted)
        return None if row is None else _entity(row)

    def names(self, agent_id: str) -> list[tuple[str, str]]:
        """Return ``(entity_id, name)`` of all entities of the agent, once for each of their names."""
        return [row[:2] for row in _Q.names(self._conn, agent_id=agent_id)]

    def persons(self, agent_id: str) -> set[str]:
        """Return all names of the persons whom an agent knows."""
        return {row[0] for row in _Q.persons(self._conn, agent_id=agent_id)}

    def aliases(self, entity_id: str) -> list[str]:
        """Return what else an entity is called."""
        return [row[0] for row in _Q.aliases(self._conn, entity_id=entity_id)]

    def set_aliases(self, entity: Entity, names: Sequence[str]) -> None:
        """Say what else an entity is called; a name that was another one's is its own from now on."""
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
        """Give the links and relations of one entity to another and delete it; relations between the two lead from it to itself."""
        for move in (_Q.move_links, _Q.move_subjects, _Q.move_objects):
            move(self._conn, gone=gone_id, into=into_id)
        self.delete([gone_id])

    def part(self, gone_id: str, into_id: str, handed: Handed) -> None:
        """Give what :meth:`absorb` moved back to an entity that is there again, where it is still with the other."""
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
        """List entities, most mentioned first; ``query`` is a part of the name."""
        where: list[str] = []
        values: dict[str, Any] = {}
        if agent_id is not None:
            where.append(_Q.where_agent.sql)
            values["agent_id"] = agent_id
        if type_ is not None:
            where.append(_Q.where_type.sql)
            values["type_"] = type_
        if query.strip():
            where.append(_Q.where_like.sql)
            values["pattern"] = fts.like(fold(query))
        return fetch(
            self._conn,
            _MOST_MENTIONED,
            where=where,
            parameters=values,
            limit=limit,
            cursor=cursor,
            build=lambda rows: [_entity(row) for row in rows],
        )

    def put(self, entity: Entity) -> None:
        """Insert or update."""
        _Q.put(
            self._conn,
            id=entity.id,
            agent_id=entity.agent_id,
            name=clean(entity.name),
            type=entity.type,
            mention_count=entity.mention_count,
            created_at=to_ms(entity.created_at),
            updated_at=to_ms(entity.updated_at),
            folded=fold(clean(entity.name)),
        )

    def delete(self, entity_ids: Sequence[str]) -> None:
        """Delete entities with their links and relations."""
        _Q.delete(self._conn, ids=ids(entity_ids))

    def link(self, entity_id: str, kind: LinkKind, ref_id: str) -> None:
        """Note that something mentions the entity; twice is once."""
        _Q.link(self._conn, entity_id=entity_id, kind=kind, ref_id=ref_id)

    def links(self, entity_id: str) -> list[tuple[str, str]]:
        """Return ``(kind, ref_id)`` of what mentions the entity."""
        return list(_Q.links(self._conn, entity_id=entity_id))

    def of(self, kind: LinkKind, ref_id: str) -> list[Entity]:
        """Return the entities that something mentions."""
        return [_entity(row) for row in _Q.of(self._conn, kind=kind, ref_id=ref_id)]

    def named_by(self, kind: LinkKind, ref_ids: Sequence[str]) -> list[Entity]:
        """Return the entities that any of these mention."""
        return [_entity(row) for row in _Q.named_by(self._conn, kind=kind, ids=ids(ref_ids))]

    def relate(self, relation: Relation) -> None:
        """Insert or update a relation between two entities that exist."""
        _Q.relate(
            self._conn,
            id=relation.id,
            agent_id=relation.agent_id,
            subject_id=relation.subject_id,
            predicate=clean(relation.predicate),
            object_id=relation.object_id,
            fact_id=relation.fact_id,
            created_at=to_ms(relation.created_at),
        )

    def relations(self, entity_id: str) -> list[Relation]:
        """Return relations that start or end at the entity; both, where they are from before two became one."""
        return [_relation(row) for row in _Q.relations(self._conn, entity_id=entity_id)]

    def unrelate(self, relation_ids: Sequence[str]) -> None:
        """Delete relations."""
        _Q.unrelate(self._conn, ids=ids(relation_ids))
