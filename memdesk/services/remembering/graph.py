"""The memory as a graph of named things: what is known about each, and their relations.

An observation is a fact linked to a thing. As a fact it must stand alone, so it starts with the thing's name; as an
observation it is shown in its original wording.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attrs import define

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.text import one_line
from memdesk.domain.models import Entity, FactStatus, Relation, every, new_id
from memdesk.errors import NotFoundError
from memdesk.messages import say
from memdesk.ports import FactFilter, Repositories
from memdesk.services import journal
from memdesk.services.forgetting import ForgetTarget
from memdesk.services.moments import now_ms
from memdesk.services.remembering.announcing import announce
from memdesk.services.remembering.changing import check_text
from memdesk.services.remembering.entities import NAME_CHARS

if TYPE_CHECKING:
    from memdesk.ports import Clock, Store
    from memdesk.services.agents import AgentsService
    from memdesk.services.events import EventBus
    from memdesk.services.forgetting import ForgettingService
    from memdesk.services.recalling import Sieve
    from memdesk.services.remembering.memories import MemoriesService


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A named thing and what is known about it."""

    name: str
    type: str
    observations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A relation of two things, by name."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Graph:
    """Things in order of creation, and their relations."""

    nodes: list[Node]
    edges: list[Edge]


@define(kw_only=True, eq=False, repr=False, slots=False)
class GraphService:
    """Reads and changes the graph of one agent's memory. Deleting forgets for good."""

    _store: Store
    _clock: Clock
    _events: EventBus
    _agents: AgentsService
    _memories: MemoriesService
    _forgetting: ForgettingService

    def read(self, agent_id: str, sieve: Sieve | None = None) -> Graph:
        """Return everything but what remote readers do not get; likewise ``search`` and ``open``."""
        with self._store.read() as repos:
            return _graph(repos, _entities(repos, agent_id), sieve)

    def search(self, agent_id: str, query: str, sieve: Sieve | None = None) -> Graph:
        """Return the things whose name, type or observations contain this text, with their relations."""
        wanted = query.casefold()
        with self._store.read() as repos:
            nodes = [(entity, _node(repos, entity, sieve)) for entity in _entities(repos, agent_id)]
            texts = ((entity, (node.name, node.type, *node.observations)) for entity, node in nodes)
            found = [entity for entity, said in texts if any(wanted in text.casefold() for text in said)]
            return _graph(repos, found, sieve)

    def open(self, agent_id: str, names: Sequence[str], sieve: Sieve | None = None) -> Graph:
        """Return the things of these names, with their relations; unknown names are left out."""
        with self._store.read() as repos:
            found = [entity for name in names if (entity := repos.entities.find(agent_id, name)) is not None]
            return _graph(repos, sorted({e.id: e for e in found}.values(), key=lambda entity: entity.seq), sieve)

    def add_nodes(self, agent_id: str, nodes: Sequence[Node], *, by: str) -> list[Node]:
        """Create things with their observations and return them; existing names are left unchanged.

        Raises:
            BadRequestError: a name, type or observation is empty or too long; nothing was created.
        """
        for node in nodes:
            check_text(node.name, "A name", limit=NAME_CHARS)
            check_text(node.type, "A type", limit=NAME_CHARS)
            for text in node.observations:
                check_text(text, "An observation")
        if not nodes:
            return []
        self._agents.ensure(agent_id)
        made = []
        for node in nodes:
            entity = self._make(agent_id, one_line(node.name), one_line(node.type), by)
            if entity is not None:
                told = self._observe(entity, node.observations, by)
                made.append(Node(name=entity.name, type=entity.type, observations=tuple(told)))
        return made

    def add_observations(
        self, agent_id: str, given: Sequence[tuple[str, Sequence[str]]], *, by: str
    ) -> list[list[str]]:
        """Add observations to existing things, without duplicates; return the new ones for each given pair.

        Raises:
            NotFoundError: no thing has this name; nothing was added.
            BadRequestError: an observation is empty or too long; nothing was added.
        """
        for _name, texts in given:
            for text in texts:
                check_text(text, "An observation")
        with self._store.read() as repos:
            entities = [_known(repos, agent_id, name) for name, _ in given]
        return [self._observe(entity, texts, by) for entity, (_, texts) in zip(entities, given, strict=True)]

    def add_edges(self, agent_id: str, edges: Sequence[Edge], *, by: str) -> list[Edge]:
        """Relate existing things; return the new relations. Existing relations are unchanged.

        Raises:
            NotFoundError: no thing has a name; nothing was added.
            BadRequestError: the kind of a relation is empty or too long.
        """
        for edge in edges:
            check_text(edge.predicate, "A relation", limit=NAME_CHARS)
        now = now_ms(self._clock)

        def work(repos: Repositories) -> list[tuple[Entity, Edge]]:
            ends = [(_known(repos, agent_id, e.subject), _known(repos, agent_id, e.object)) for e in edges]
            made = []
            for edge, (subject, object_) in zip(edges, ends, strict=True):
                if _between(repos, subject, object_, edge.predicate):
                    continue
                repos.entities.relate(
                    Relation(
                        id=new_id(),
                        agent_id=agent_id,
                        subject_id=subject.id,
                        predicate=edge.predicate,
                        object_id=object_.id,
                        created_at=now,
                    )
                )
                told = {"relation": edge.predicate, "to": object_.name}
                repos.history.add(
                    [journal.record(subject, "relate", at=now, actor="api", actor_detail=by, old=None, new=told)]
                )
                made.append((subject, edge))
            return made

        made = self._store.write(work) if edges else []
        announce(self._events, None, [subject for subject, _ in made])
        return [edge for _, edge in made]

    def delete_nodes(self, agent_id: str, names: Sequence[str], *, by: str) -> int:
        """Forget things with their relations and what is known only about them; return how many existed."""
        with self._store.read() as repos:
            found = {e.id: e for name in names if (e := repos.entities.find(agent_id, name)) is not None}
            facts = {fact.id for entity in found.values() for fact in _facts(repos, entity)}
            alone = [each for each in facts if {e.id for e in repos.entities.of("fact", each)} <= found.keys()]
        now = now_ms(self._clock)

        def remove(repos: Repositories) -> None:
            repos.entities.delete(list(found))
            repos.history.add(
                [journal.record(e, "forget", at=now, actor="api", actor_detail=by) for e in found.values()]
            )

        if alone:
            target = ForgetTarget(kind="facts", ids=tuple(sorted(alone)), agent_id=agent_id)
            self._forgetting.forget(target, verify=False, actor="api", actor_detail=by, then=remove)
        elif found:
            self._store.write(remove)
        announce(self._events, None, found.values())
        return len(found)

    def delete_observations(self, agent_id: str, given: Sequence[tuple[str, Sequence[str]]], *, by: str) -> int:
        """Forget observations; unknown things and observations are ignored. Returns how many existed."""
        with self._store.read() as repos:
            gone = []
            for name, texts in given:
                entity = repos.entities.find(agent_id, name)
                if entity is not None:
                    wanted = {one_line(text) for text in texts}
                    gone += [fact.id for fact in _facts(repos, entity) if _observation(entity, fact) in wanted]
        if gone:
            ids = tuple(dict.fromkeys(gone))
            target = ForgetTarget(kind="facts", ids=ids, agent_id=agent_id, spare_entities=True)
            self._forgetting.forget(target, verify=False, actor="api", actor_detail=by)
        return len(gone)

    def delete_edges(self, agent_id: str, edges: Sequence[Edge], *, by: str) -> int:
        """Delete relations; unknown ones are ignored. Returns how many existed."""
        now = now_ms(self._clock)

        def work(repos: Repositories) -> list[Entity]:
            touched = []
            for edge in edges:
                subject = repos.entities.find(agent_id, edge.subject)
                object_ = repos.entities.find(agent_id, edge.object)
                if subject is None or object_ is None:
                    continue
                if there := _between(repos, subject, object_, edge.predicate):
                    repos.entities.unrelate([relation.id for relation in there])
                    old = {"relation": edge.predicate, "to": object_.name}
                    repos.history.add(
                        [journal.record(subject, "unrelate", at=now, actor="api", actor_detail=by, old=old, new=None)]
                    )
                    touched.append(subject)
            return touched

        touched = self._store.write(work) if edges else []
        announce(self._events, None, touched)
        return len(touched)

    def _make(self, agent_id: str, name: str, type_: str, by: str) -> Entity | None:
        now = now_ms(self._clock)
        entity = Entity(id=new_id(), agent_id=agent_id, name=name, type=type_, created_at=now, updated_at=now)

        def work(repos: Repositories) -> bool:
            if repos.entities.find(agent_id, name) is not None:
                return False
            repos.entities.put(entity)
            told = {"name": name, "type": type_}
            repos.history.add([journal.record(entity, "add", at=now, actor="api", actor_detail=by, old=None, new=told)])
            return True

        if not self._store.write(work):
            return None
        announce(self._events, None, [entity])
        return entity

    def _observe(self, entity: Entity, texts: Sequence[str], by: str) -> list[str]:
        with self._store.read() as repos:
            known = set(_observations(repos, entity))
        added = []
        for text in dict.fromkeys(map(one_line, texts)):
            if text in known:
                continue
            self._memories.add_fact(
                agent_id=entity.agent_id,
                content=_statement(entity.name, text),
                actor="api",
                actor_detail=by,
                about=entity,
            )
            added.append(text)
        return added


def _statement(name: str, observation: str) -> str:
    """Return an observation as a fact that stands alone."""
    named = observation.casefold().startswith(name.casefold()) and not observation.startswith(f"{name}: ")
    return observation if named else f"{name}: {observation}"


def _observation(entity: Entity, fact: MemoryItem) -> str:
    """Return a fact as an observation of a thing."""
    return fact.content.removeprefix(f"{entity.name}: ")


def _known(repos: Repositories, agent_id: str, name: str) -> Entity:
    entity = repos.entities.find(agent_id, name)
    if entity is None:
        raise NotFoundError(say("Entity with name {name} not found", name=name))
    return entity


def _entities(repos: Repositories, agent_id: str) -> list[Entity]:
    return sorted(every(repos.entities.page, agent_id=agent_id), key=lambda entity: entity.seq)


def _facts(repos: Repositories, entity: Entity) -> Iterator[MemoryItem]:
    wanted = FactFilter(
        agent_id=entity.agent_id, entity_id=entity.id, status=(FactStatus.ACTIVE,), sort="created", descending=False
    )
    return every(repos.items.facts, wanted)


def _observations(repos: Repositories, entity: Entity, sieve: Sieve | None = None) -> list[str]:
    facts = _facts(repos, entity)
    return [_observation(entity, fact) for fact in (facts if sieve is None else sieve.leaving(facts))]


def _node(repos: Repositories, entity: Entity, sieve: Sieve | None) -> Node:
    return Node(name=entity.name, type=entity.type, observations=tuple(_observations(repos, entity, sieve)))


def _graph(repos: Repositories, entities: Iterable[Entity], sieve: Sieve | None) -> Graph:
    known = {entity.id: entity for entity in entities if not _stays(entity, sieve)}
    relations = {relation.id: relation for each in known for relation in repos.entities.relations(each)}
    ends = dict(known)
    for relation in relations.values():
        for end in (relation.subject_id, relation.object_id):
            if end not in ends and (other := repos.entities.get(end)) is not None and not _stays(other, sieve):
                ends[end] = other
    edges = [
        Edge(subject=ends[r.subject_id].name, predicate=r.predicate, object=ends[r.object_id].name)
        for r in sorted(relations.values(), key=lambda relation: relation.seq)
        if r.subject_id in ends and r.object_id in ends
    ]
    return Graph([_node(repos, entity, sieve) for entity in known.values()], list(dict.fromkeys(edges)))


def _stays(entity: Entity, sieve: Sieve | None) -> bool:
    return sieve is not None and sieve.keeps(kind="entity", row_id=entity.id, conversation_id=None, text=entity.name)


def _between(repos: Repositories, subject: Entity, object_: Entity, predicate: str) -> list[Relation]:
    return [
        relation
        for relation in repos.entities.relations(subject.id)
        if (relation.subject_id, relation.predicate, relation.object_id) == (subject.id, predicate, object_.id)
    ]
