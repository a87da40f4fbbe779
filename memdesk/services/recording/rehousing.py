"""What goes along when a chat goes over to another agent, as into a folder with a memory of its own, and what comes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Conversation, Receipt, new_id
from memdesk.ports import Repositories
from memdesk.services.recording import versions

#: What becomes of what was learned from a chat alone: it stays with the agent, goes along, or is forgotten.
Learned = Literal["stays", "moves", "forgotten"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Belongings:
    """What was known of a chat and from it, before it went.

    Attributes:
        items: facts, episodes and lines about the user that came from it, as they were.
        alone: the ids of those that came from nowhere else.
        receipts: of its answers, by the turn. They tell of one agent's memory, and are left behind.
    """

    items: tuple[MemoryItem, ...] = ()
    alone: frozenset[str] = frozenset()
    receipts: Mapping[str, Receipt] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehoused:
    """A chat that went over to another agent.

    Attributes:
        talk: the chat as it is there.
        former: as it was.
        had: what belonged to it.
        turns: its messages' ids there, by those they had.
    """

    talk: Conversation
    former: Conversation
    had: Belongings
    turns: Mapping[str, str]


def belongings(repos: Repositories, talk: Conversation) -> Belongings:
    turns = repos.turns.of_conversation(talk.agent_id, talk.id)
    mine = {turn.id for turn in turns}

    def of_it(item: MemoryItem) -> bool:
        return bool(mine.intersection(source.turn_id for source in item.sources)) or (
            not item.sources and item.run_id == talk.id
        )

    items = (
        *repos.items.of_conversation(talk.agent_id, talk.id),
        *repos.items.episodes_of(talk.agent_id, talk.id),
        *(line for line in repos.items.lines() if not line.is_fact and line.origin != "user" and of_it(line)),
    )
    receipts = {turn.id: repos.receipts.get(turn.receipt_id) for turn in turns if turn.receipt_id}
    return Belongings(
        items=items,
        alone=frozenset(
            item.id for item in items if of_it(item) and mine.issuperset(source.turn_id for source in item.sources)
        ),
        receipts={turn_id: receipt for turn_id, receipt in receipts.items() if receipt is not None},
    )


def carried(
    item: MemoryItem, talk: Conversation, to: Conversation, turns: Mapping[str, str], ids: Mapping[str, str]
) -> MemoryItem:
    """Return an item that came from a chat as it is where the chat goes to; ``ids`` are the ids that things have there."""
    digest = item.digest
    if digest is not None:
        digest = replace(digest, details=tuple(carried(detail, talk, to, turns, ids) for detail in digest.details))
    return replace(
        item,
        id=ids.get(item.id) or new_id(),
        agent_id=to.agent_id if item.agent_id else "",
        run_id=to.id if item.run_id == talk.id else item.run_id,
        sources=tuple(replace(source, turn_id=turns.get(source.turn_id, source.turn_id)) for source in item.sources),
        parent_id=ids.get(item.parent_id or ""),
        superseded_by=ids.get(item.superseded_by or ""),
        digest=digest,
        seq=0,
    )


def restored(now: MemoryItem, was: MemoryItem) -> MemoryItem:
    """Return an item that stayed with what it lost when the chat went."""
    known = {source.turn_id for source in now.sources}
    return replace(
        now,
        sources=(*now.sources, *(source for source in was.sources if source.turn_id not in known)),
        source_count=max(now.source_count, was.source_count),
        salience=max(now.salience, was.salience),
        statement=was.statement if now.content == was.content else now.statement,
        run_id=was.run_id,
    )


def carry_versions(repos: Repositories, talk: Conversation, to: Conversation, turns: Mapping[str, str]) -> None:
    """Let former versions of a chat's messages follow it."""
    for each in versions.former(repos, talk.agent_id, talk.id).values():
        told = tuple(
            replace(
                one, turn=replace(one.turn, agent_id=to.agent_id, conversation_id=to.id, receipt_id=None), receipt=None
            )
            for one in each.turns
        )
        versions.keep(repos, replace(each, after=turns.get(each.after, each.after), turns=told))
