"""Merges two people or things, and undoes that from the history alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from memdesk.domain.language.text import unaccented
from memdesk.domain.models import Entity, HistoryEntry
from memdesk.errors import BadRequestError, ConflictError
from memdesk.messages import say
from memdesk.ports import Handed, Repositories
from memdesk.services import journal
from memdesk.services.remembering.entities import known


@dataclass(frozen=True, slots=True)
class Joined:
    """The remaining entity after a merge, and the history entry with which :func:`part` undoes it."""

    entity: Entity
    entry: HistoryEntry


def merge(repos: Repositories, gone_id: str, into_id: str, now: datetime) -> Joined:
    """Merge two entities; the removed one's name becomes an alias of the one that stays.

    Raises:
        BadRequestError: they are already the same, or of different agents.
        NotFoundError: one of them is gone.
    """
    gone, stays = known(repos, gone_id), known(repos, into_id)
    if gone_id == into_id or gone.agent_id != stays.agent_id:
        raise BadRequestError(say("Two entities of one agent can be joined."))
    former, brought = repos.entities.aliases(into_id), repos.entities.aliases(gone_id)
    kind = gone.type if stays.type == "other" else stays.type
    joined = replace(stays, type=kind, mention_count=stays.mention_count + gone.mention_count, updated_at=now)
    old = {
        "name": gone.name,
        "gone": {"id": gone.id, "type": gone.type, "mentions": gone.mention_count, "aliases": brought},
        "created_at": gone.created_at.isoformat(),
        "type": stays.type,
        "aliases": former,
        "handed": _handed(repos, gone_id, into_id),
    }
    repos.entities.absorb(gone_id, into_id)
    repos.entities.put(joined)
    repos.entities.set_aliases(joined, [*former, *brought, gone.name])
    new = {"name": joined.name, "type": joined.type}
    entry = journal.record(joined, "merge", at=now, actor="user", old=old, new=new)
    repos.history.add([entry])
    return Joined(joined, entry)


def part(repos: Repositories, entry: HistoryEntry, now: datetime) -> Entity:
    """Undo a merge; return the restored entity with its names and what is left of its own.

    What was learned since stays with the other one. The entry still records the merge, but without texts: those belong
    to the restored entity again, and are deleted when it is forgotten.

    Raises:
        ConflictError: the remaining one is gone, or another entity now has the name.
    """
    old, new = entry.old or {}, entry.new or {}
    stays = repos.entities.get(entry.ref_id)
    if stays is None:
        raise ConflictError(
            say("“{name}” is no longer there.", name=new["name"]),
            hint=say("It was joined with another, or forgotten. Take that join back first."),
        )
    was: dict[str, Any] = old["gone"]
    gone = Entity(
        id=was["id"],
        agent_id=stays.agent_id,
        name=old["name"],
        type=was["type"],
        mention_count=was["mentions"],
        created_at=datetime.fromisoformat(old["created_at"]),
        updated_at=now,
    )
    claimed = repos.entities.find(stays.agent_id, gone.name)
    if claimed is not None and (claimed.id != stays.id or unaccented(stays.name) == unaccented(gone.name)):
        raise ConflictError(say("“{name}” exists now.", name=claimed.name), hint=say("Give it another name first."))
    names = [name for name in was["aliases"] if _free(repos, stays, name)]
    kept = _without(repos.entities.aliases(stays.id), [gone.name, *was["aliases"]], old["aliases"])
    kind = old["type"] if stays.type == new["type"] else stays.type
    mentions = max(0, stays.mention_count - gone.mention_count)
    repos.entities.put(replace(stays, type=kind, mention_count=mentions, updated_at=now))
    repos.entities.set_aliases(stays, kept)
    repos.entities.put(gone)
    repos.entities.set_aliases(gone, names)
    repos.entities.part(gone.id, stays.id, Handed(**old["handed"]))
    repos.erasing.blank("history", [entry.seq])
    repos.history.add([journal.record(gone, "undo", at=now, actor="user", new={"name": gone.name})])
    return gone


def _handed(repos: Repositories, gone_id: str, into_id: str) -> dict[str, Sequence[Any]]:
    links, there = repos.entities.links(gone_id), set(repos.entities.links(into_id))
    relations = repos.entities.relations(gone_id)
    return {
        "links": links,
        "own": [link for link in links if link not in there],
        "subjects": [each.id for each in relations if each.subject_id == gone_id],
        "objects": [each.id for each in relations if each.object_id == gone_id],
    }


def _free(repos: Repositories, stays: Entity, name: str) -> bool:
    """Return whether a name is free, or still only an alias of the remaining one."""
    found = repos.entities.find(stays.agent_id, name)
    return found is None or (found.id == stays.id and unaccented(name) != unaccented(stays.name))


def _without(names: Sequence[str], brought: Sequence[str], former: Sequence[str]) -> list[str]:
    """Return names without those added by a merge."""
    gone = {unaccented(name) for name in brought} - {unaccented(name) for name in former}
    return [name for name in names if unaccented(name) not in gone]
