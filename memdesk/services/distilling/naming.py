"""Links facts to the people and things they name, and those to each other."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from memdesk.domain.comparing.ties import bears_out, named_in, names_of, ties_of
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Entity, Relation, new_id
from memdesk.ports import Repositories


def link_names(
    repos: Repositories,
    agent_id: str,
    facts: Sequence[MemoryItem],
    now: datetime,
    *,
    guessed: Mapping[str, str] | None = None,
    episode_id: str = "",
    again: bool = False,
) -> None:
    """Store the names in facts as entities of an agent, with the type that the statements give or support, else "other".

    Args:
        repos: of the transaction that stored the facts.
        agent_id: whose entities they are.
        facts: with their statements.
        now: time of the change.
        guessed: names with their type from a recognizer.
        episode_id: of their session.
        again: that session was read before, so its mentions are already counted.
    """
    statements = [fact.statement for fact in facts if fact.statement is not None]
    told = {one.name: one.sort for statement in statements for one in named_in(statement)}
    names = {name: "other" for statement in statements for name in names_of(statement)} | dict(guessed or {})
    ids: dict[str, str] = {}
    for name, guess in ({name: sort for name, sort in names.items() if not _part_of(name, told)} | told).items():
        kind = guess if name in told or any(bears_out(name, guess, one) for one in statements) else "other"
        found = repos.entities.find(agent_id, name)
        entity = Entity(
            id=found.id if found else new_id(),
            agent_id=agent_id,
            name=found.name if found else name,
            type=kind if name in told or found is None or found.type == "other" else found.type,
            mention_count=(found.mention_count + (0 if again else 1)) if found else 1,
            created_at=found.created_at if found else now,
            updated_at=now,
        )
        repos.entities.put(entity)
        ids[name] = entity.id
        if episode_id:
            repos.entities.link(entity.id, "episode", episode_id)
        for fact in facts:
            if name.casefold() in fact.content.casefold():
                repos.entities.link(entity.id, "fact", fact.id)
    for fact in facts:
        _relate(repos, agent_id, fact, ids, now)


def rename(repos: Repositories, changed: Iterable[tuple[MemoryItem, MemoryItem]], now: datetime) -> None:
    """Update links and relations of facts whose text changed, given before and after.

    Entities no longer named are deleted: forgetting the fact would not find them. A link not supported by the old text,
    as one made by a person or program, stays.
    """
    for old, new in changed:
        if new.content == old.content or not new.agent_id:
            continue
        before = repos.entities.of("fact", new.id)
        former = [entity for entity in before if _names(repos, entity, old) and not _names(repos, entity, new)]
        repos.entities.unlink(new.id, [entity.id for entity in former])
        link_names(repos, new.agent_id, [new], now, again=True)
        bare = [
            each.id for each in former if not repos.entities.links(each.id) and not repos.entities.relations(each.id)
        ]
        repos.entities.delete(bare)


def _names(repos: Repositories, entity: Entity, fact: MemoryItem) -> bool:
    said = fact.content.casefold()
    return any(name.casefold() in said for name in (entity.name, *repos.entities.aliases(entity.id)))


def _relate(repos: Repositories, agent_id: str, fact: MemoryItem, ids: Mapping[str, str], now: datetime) -> None:
    for tie in ties_of(fact.statement) if fact.statement is not None else ():
        subject, target = ids.get(tie.subject.name), ids.get(tie.object.name)
        if not subject or not target:
            continue  # relations to the user come from the fact itself: the user is not an entity
        repos.entities.relate(
            Relation(
                id=new_id(),
                agent_id=agent_id,
                subject_id=subject,
                predicate=tie.predicate,
                object_id=target,
                fact_id=fact.id,
                created_at=now,
            )
        )


def _part_of(name: str, told: Mapping[str, str]) -> bool:
    """Whether a name is a part of one in a statement: "Elm" of "Elm Street"."""
    return name not in told and any(name in longer for longer in told)
