"""Moves chats to another agent, as into a folder with its own memory, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from attrs import define

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Conversation, Receipt, new_id
from memdesk.errors import NotFoundError
from memdesk.messages import say
from memdesk.ports import Repositories, Store
from memdesk.services.events import ConversationsChanged, EventBus, MemoryChanged
from memdesk.services.recording import versions
from memdesk.services.recording.folders import placed
from memdesk.services.recording.turns import KEPT
from memdesk.services.recording.writing import TurnWriter, Written

if TYPE_CHECKING:
    from memdesk.services.agents import AgentsService

#: Options for what was learned from a chat alone: stay with the agent, go along, or be forgotten.
Learned = Literal["stays", "moves", "forgotten"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Belongings:
    """Data of a chat and learned from it, before the move.

    Attributes:
        items: facts, episodes and lines about the user from it, as they were.
        alone: the ids of those with no other source.
        receipts: of its answers, by turn. They are about one agent's memory, and stay behind.
    """

    items: tuple[MemoryItem, ...] = ()
    alone: frozenset[str] = frozenset()
    receipts: Mapping[str, Receipt] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehoused:
    """A chat that moved to another agent.

    Attributes:
        talk: the chat after the move.
        former: the chat before the move.
        had: its data before the move.
        turns: its messages' new ids, by old ones.
    """

    talk: Conversation
    former: Conversation
    had: Belongings
    turns: Mapping[str, str]


@define(kw_only=True, eq=False, repr=False)
class ChatMover:
    """Moves chats to other agents; see the methods of :class:`IngestService`."""

    _store: Store
    _events: EventBus
    _agents: AgentsService
    _writer: TurnWriter

    def rehouse(self, agent_id: str, conversation_id: str, to: str, *, learned: Learned) -> Rehoused:
        self._agents.get(to)
        with self._store.read() as repos:
            talk = repos.conversations.get(agent_id, conversation_id)
            if talk is None:
                raise NotFoundError(say("There is no such conversation."))
            had = belongings(repos, talk)
            folder_id = placed(repos, to, None)
        # Lines about the user belong to every agent, except folders with their own memory.
        going = [item for item in had.items if item.id in had.alone and item.agent_id] if learned == "moves" else []
        return self._rehouse(talk, to, folder_id, had, going, forget=learned != "stays")

    def bring_back(self, moved: Rehoused) -> Conversation:
        here = moved.talk
        receipts = {moved.turns[turn]: receipt for turn, receipt in moved.had.receipts.items()}
        items = [
            replace(
                item,
                run_id=here.id if item.run_id == moved.former.id else item.run_id,
                sources=tuple(
                    replace(each, turn_id=moved.turns.get(each.turn_id, each.turn_id)) for each in item.sources
                ),
            )
            for item in moved.had.items
        ]
        with self._store.read() as repos:
            talk = repos.conversations.get(here.agent_id, here.id)
        if talk is None:
            raise NotFoundError(say("There is no such conversation."))
        had = Belongings(items=tuple(items), alone=moved.had.alone, receipts=receipts)
        return self._rehouse(
            talk, moved.former.agent_id, moved.former.folder_id, had, items, forget=True, receipts=receipts
        ).talk

    def _rehouse(
        self,
        talk: Conversation,
        to: str,
        folder_id: str | None,
        had: Belongings,
        going: Sequence[MemoryItem],
        *,
        forget: bool,
        receipts: Mapping[str, Receipt] | None = None,
    ) -> Rehoused:
        there = replace(talk, agent_id=to, id=new_id(), folder_id=folder_id)
        ids, made = dict[str, str](), dict[str, str]()
        mine = {item.id for item in going}
        with self._writer.exclusive(talk.agent_id, talk.id):
            with self._store.read() as repos:
                history = repos.turns.of_conversation(talk.agent_id, talk.id)
                shown, thought = versions.pictures(repos, history), versions.thoughts(repos, talk.agent_id, talk.id)
                files = versions.whole_files(repos, history)
                waits = bool(repos.signals.pending(talk.agent_id, talk.id))
                # Items that stayed, or have other sources, exist and get their sources back.
                wanted = {name for item in going for name in (item.id, item.parent_id, item.superseded_by) if name}
                there_already = {item.id: item for item in repos.items.many([*wanted]) if item.agent_id in {to, ""}}

            def work(repos: Repositories) -> Written:
                rows = [
                    replace(
                        versions.copied(turn, shown, thought=thought.get(turn.id)),
                        files=files,
                        receipt_id=None,
                        receipt=(receipts or {}).get(turn.id),
                    )
                    for turn in history
                ]
                kept = {name: getattr(there, name) for name in (*KEPT, "session_date", "created_at")}
                done = self._writer.append(
                    repos, to, there.id, rows, learn=waits, session_date=talk.session_date, defaults=kept
                )
                made.update({old.id: new.id for old, new in zip(history, done.turns, strict=True)})
                ids.update(
                    {name: name if name in there_already else new_id() for name in wanted & mine | there_already.keys()}
                )
                for item in going:
                    was, now = carried(item, talk, there, made, ids), there_already.get(item.id)
                    repos.items.put(was if now is None else restored(now, was))
                carry_versions(repos, talk, there, made)
                return done

            written = self._writer.write_instead("conversation", [talk.id], talk.agent_id, work, learned=forget)
        self._writer.recorded(to, there.id, written)
        for agent in (talk.agent_id, to):
            self._events.publish(ConversationsChanged(agent))
            self._events.publish(MemoryChanged(agent, ("fact", "episode")))
        return Rehoused(talk=there, former=talk, had=had, turns=made)


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
    """Return a chat's item for the target agent; ``ids`` maps old ids to new ones."""
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
    """Return an item that stayed, with what it lost in the move."""
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
