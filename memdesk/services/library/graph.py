"""Entities and relations from the statements of a scope's memories, and their copy in a graph database."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from attrs import define

from memdesk.domain.comparing.ties import ties_of
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import USER
from memdesk.domain.language.inflect import third_person
from memdesk.errors import EnvironmentFault
from memdesk.ports.item_store import ItemHit
from memdesk.ports.library import Drawn, GraphCopy
from memdesk.services.library.results import Entity, Relation

log = logging.getLogger(__name__)

#: Prefix of an item's tags for entities, before type and name.
_MARK: Final = "entity:"
#: Minimum score of a memory found only through an entity, as a share of the best score of a memory that names it.
CONNECTED: Final = 0.5
#: The entity for the memory's owner.
PERSON: Final = "user"


def entity_tags(entities: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the tags for an item's entities."""
    return tuple(dict.fromkeys(f"{_MARK}{kind}:{name}" for name, kind in entities))


def entities_of(item: MemoryItem) -> dict[str, str]:
    found = (tag.removeprefix(_MARK).partition(":") for tag in item.tags if tag.startswith(_MARK))
    return {name: kind for kind, _, name in found}


def entities_in(items: Iterable[MemoryItem]) -> list[Entity]:
    """Return the entities of memories and how many name each, most frequent first."""
    counts: Counter[str] = Counter()
    kinds: dict[str, str] = {}
    for item in items:
        for name, kind in entities_of(item).items():
            counts[name] += 1
            kinds.setdefault(name, kind)
    return [Entity(name=name, type=kinds[name], memories=number) for name, number in counts.most_common()]


def relations_of(name: str, items: Iterable[MemoryItem]) -> list[Relation]:
    wanted = name.casefold()
    found = [relation for item in items for relation in relations_in(item)]
    return [one for one in found if wanted in {one["source"].casefold(), one["target"].casefold()}]


def relations_in(item: MemoryItem) -> list[Relation]:
    """Return the relations in a memory's statement: between the entities it names, else of subject and object ("user loves Porto")."""
    said = item.statement
    if said is None or not said.object or not said.predicate or not said.holds or said.ended:
        return []
    verb, *rest = said.predicate.split()
    names = entities_of(item)
    by_verb = (
        PERSON if said.subject == USER else _named(said.subject, names),
        "_".join([third_person(verb), *rest]),
        _named(said.object, names),
    )
    told = [(tie.subject.name, tie.predicate, tie.object.name) for tie in ties_of(said)] or [by_verb]
    return [Relation(source=one, relation=join, target=other, memory_id=item.id) for one, join, other in told]


def _named(text: str, names: Iterable[str]) -> str:
    """Return the entity that a phrase names, or the phrase."""
    return next((name for name in sorted(names, key=len, reverse=True) if name in text), text)


def with_connected(hits: Sequence[ItemHit], items: Iterable[MemoryItem], query: str) -> list[ItemHit]:
    """Return hits, and items that share an entity with them or with the query, best first."""
    scores, asked = {hit.item.id: hit.score for hit in hits}, query.casefold()
    pool = {item.id: (item, entities_of(item)) for item in (*(hit.item for hit in hits), *items)}
    best = max(scores.values(), default=1.0)
    near: dict[str, float] = {}
    for item, names in pool.values():
        for name in names:
            score = best if name.casefold() in asked else scores.get(item.id, 0.0)
            near[name] = max(score, near.get(name, 0.0))
    found: list[tuple[float, float, MemoryItem]] = []
    for item, names in pool.values():
        own, joined = scores.get(item.id, 0.0), CONNECTED * max((near[name] for name in names), default=0.0)
        if joined or item.id in scores:
            found.append((max(own, joined), own, item))
    found.sort(key=lambda one: one[:2], reverse=True)
    return [ItemHit(item, score) for score, _, item in found]


def drawn_of(item: MemoryItem) -> Drawn:
    found = entities_of(item)
    relations = [(one["source"], one["relation"], one["target"]) for one in relations_in(item)]
    ends = dict.fromkeys((end for source, _, target in relations for end in (source, target)), "")
    owner = {"user_id": item.user_id, "agent_id": item.agent_id, "run_id": item.run_id or ""}
    return Drawn(id=item.id, owner=owner, entities={**ends, **found}, relations=relations)


@define(eq=False, repr=False, slots=False)
class Mirror:
    """Keeps a copy in a graph database in sync. If it does not answer, the copy catches up later.

    Args:
        collection: the memories to copy.
        count: returns how many memories there are.
        everything: yields them, in pages.
    """

    _graph: GraphCopy
    _collection: str
    _count: Callable[[], int]
    _everything: Callable[[], Iterable[Sequence[MemoryItem]]]

    def __attrs_post_init__(self) -> None:
        # Changes during an outage, or before it was configured, are detected by the number of memories.
        self._in_step = False

    def changed(self, items: Sequence[MemoryItem] = (), gone: Sequence[str] = ()) -> None:
        self._told(lambda: self._follow(items, gone))

    def forget(self) -> None:
        self._told(lambda: self._graph.forget(self._collection))

    def _follow(self, items: Sequence[MemoryItem], gone: Sequence[str]) -> None:
        if gone:
            self._graph.erase(self._collection, gone)
        if items:
            self._graph.draw(self._collection, [drawn_of(item) for item in items])
        if not self._in_step and self._graph.count(self._collection) != self._count():
            self._graph.forget(self._collection)
            for page in self._everything():
                self._graph.draw(self._collection, [drawn_of(item) for item in page])
        self._in_step = True

    def _told(self, work: Callable[[], None]) -> None:
        try:
            work()
        except EnvironmentFault as error:
            self._in_step = False
            log.warning("the graph was left out: %s", error.message)
