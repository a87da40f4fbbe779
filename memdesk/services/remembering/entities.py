"""People and things: what is remembered about one, its names, and merging."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.language.text import one_line
from memdesk.domain.models import Entity, FactStatus, Relation
from memdesk.errors import BadRequestError, ConflictError, NotFoundError
from memdesk.messages import say
from memdesk.ports import FactFilter, Repositories
from memdesk.services import journal
from memdesk.services.remembering.changing import check_text

#: Maximum length of a name, and number of aliases.
NAME_CHARS, ALIASES = 200, 32


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationView:
    """A relation with its entities."""

    relation: Relation
    subject: Entity
    object: Entity


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityView:
    """What is remembered about one entity.

    Attributes:
        aliases: its other names.
        facts: active facts that name it, most salient first.
        facts_total: how many there are in total.
        episodes: active episodes that name it, latest first.
        episodes_total: how many there are in total.
        relations: its relations.
    """

    entity: Entity
    aliases: list[str]
    facts: list[MemoryItem]
    facts_total: int
    episodes: list[MemoryItem]
    episodes_total: int
    relations: list[RelationView]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergePreview:
    """What one entity would hand to another in a merge."""

    facts: int
    episodes: int
    relations: int


def known(repos: Repositories, entity_id: str) -> Entity:
    """Return one entity. Raises ``NotFoundError``."""
    entity = repos.entities.get(entity_id)
    if entity is None:
        raise NotFoundError(say("There is no such entity."), hint=say("The page of people and things lists them."))
    return entity


def view(repos: Repositories, entity_id: str, most: int) -> EntityView:
    """Return what is remembered about one entity, at most ``most`` facts and as many episodes.

    Raises:
        NotFoundError: no entity has this id.
    """
    entity = known(repos, entity_id)
    about = FactFilter(agent_id=entity.agent_id, entity_id=entity_id, status=(FactStatus.ACTIVE,), sort="salience")
    facts = repos.items.facts(about, limit=most)
    episodes = repos.items.episodes(agent_id=entity.agent_id, entity_id=entity_id, limit=most)
    return EntityView(
        entity=entity,
        aliases=repos.entities.aliases(entity_id),
        facts=facts.items,
        facts_total=facts.total,
        episodes=episodes.items,
        episodes_total=episodes.total,
        relations=_relations(repos, entity),
    )


def edit(
    repos: Repositories,
    entity_id: str,
    now: datetime,
    *,
    name: str | None = None,
    type_: str | None = None,
    aliases: Sequence[str] | None = None,
    action: Literal["edit", "undo"] = "edit",
) -> Entity:
    """Change an entity's name, type and aliases; the old name becomes an alias, unless ``aliases`` are given.

    Raises:
        BadRequestError: a name is empty or too long, or there are too many.
        ConflictError: another entity of the agent has the name.
        NotFoundError: no entity has this id.
    """
    entity = known(repos, entity_id)
    new_name = entity.name if name is None else check_text(name, "A name", limit=NAME_CHARS)
    others = repos.entities.aliases(entity_id) if aliases is None else _names(aliases)
    if aliases is None and new_name != entity.name:
        others.append(entity.name)
    for wanted in (new_name, *others):
        found = repos.entities.find(entity.agent_id, wanted)
        if found is not None and found.id != entity_id:
            raise ConflictError(
                say("“{name}” is there already.", name=found.name), hint=say("Join the two if they are the same.")
            )
    kind = entity.type if type_ is None else check_text(type_, "A type", limit=NAME_CHARS)
    changed = replace(entity, name=new_name, type=kind, updated_at=now)
    old = called(repos, entity)
    repos.entities.put(changed)
    repos.entities.set_aliases(changed, others)
    new = called(repos, changed)
    if names := [name for name in old if old[name] != new[name]]:
        old, new = {name: old[name] for name in names}, {name: new[name] for name in names}
        repos.history.add([journal.record(changed, action, at=now, actor="user", old=old, new=new)])
    return changed


def called(repos: Repositories, entity: Entity) -> dict[str, Any]:
    return {"name": entity.name, "type": entity.type, "aliases": repos.entities.aliases(entity.id)}


def merge_preview(repos: Repositories, gone_id: str) -> MergePreview:
    """Return what an entity would hand over in a merge. Raises ``NotFoundError``."""
    entity = known(repos, gone_id)
    kinds = [kind for kind, _ref in repos.entities.links(gone_id)]
    relations = _relations(repos, entity)
    return MergePreview(facts=kinds.count("fact"), episodes=kinds.count("episode"), relations=len(relations))


def _names(texts: Sequence[str]) -> list[str]:
    names = list(dict.fromkeys(name for text in texts if (name := one_line(text))))
    if len(names) > ALIASES or any(len(name) > NAME_CHARS for name in names):
        raise BadRequestError(
            say(
                "At most {value} other names are allowed, each of up to {value_} characters.",
                value=ALIASES,
                value_=NAME_CHARS,
            )
        )
    return names


def _relations(repos: Repositories, entity: Entity) -> list[RelationView]:
    views = []
    met = {entity.id: entity}
    for relation in repos.entities.relations(entity.id):
        if relation.subject_id == relation.object_id:
            # From before a merge; kept for undoing it.
            continue
        for end in (relation.subject_id, relation.object_id):
            if end not in met and (other := repos.entities.get(end)) is not None:
                met[end] = other
        subject, object_ = met.get(relation.subject_id), met.get(relation.object_id)
        if subject is not None and object_ is not None:
            views.append(RelationView(relation=relation, subject=subject, object=object_))
    return views
