"""Rows of what is remembered, and of what was shown of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from memdesk.domain.items.filters import Filter
from memdesk.domain.items.item import ItemType, MemoryItem
from memdesk.domain.models import Entity, FactStatus, HistoryEntry, Page, Receipt, Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFilter:
    """Filters of fact lists; every field narrows."""

    agent_id: str | None = None
    query: str = ""
    status: tuple[FactStatus, ...] = ()
    kind: str | None = None
    type: ItemType | None = None
    tag: str | None = None
    user_pinned: bool | None = None
    min_salience: float | None = None
    #: Strictly below this.
    max_salience: float | None = None
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    entity_id: str | None = None
    conversation_id: str | None = None
    sort: Literal["updated", "created", "salience", "last_used", "content"] = "updated"
    descending: bool = True


@dataclass(frozen=True, slots=True)
class SalienceRow:
    """The ageing columns of one fact or episode.

    With ``expected`` the row is written only where its salience still equals it, bit by bit.
    ``promoted_at`` is for facts only, and stays as it is if ``keep_promoted`` is set.
    """

    id: str
    salience: float
    decayed_at: datetime | None
    expected: float | None = None
    promoted_at: datetime | None = None
    keep_promoted: bool = True


@dataclass(frozen=True, slots=True)
class StatusRow:
    """A fact's change of status, written only if status and ``updated_at`` are still as expected."""

    id: str
    status: FactStatus
    reason: str
    updated_at: datetime
    expected_status: FactStatus
    expected_updated_at: datetime


#: Sort orders of item lists.
ItemOrder = Literal["created", "updated", "salience"]


class ItemsRepo(Protocol):
    """Items of all forms. ``collection`` is empty for memdesk's own memory, else names a program's."""

    def get(self, item_id: str, *, collection: str = "") -> MemoryItem | None: ...
    def many(self, item_ids: Sequence[str], *, collection: str = "", details: bool = True) -> list[MemoryItem]:
        """Return the items that exist, in the order asked for. Without ``details``, episodes come without them."""

    def by_seq(self, seqs: Sequence[int], *, details: bool = True) -> dict[int, MemoryItem]: ...
    def keyed(
        self, key: str, *, user_id: str, agent_id: str | None, run_id: str | None, collection: str = ""
    ) -> MemoryItem | None:
        """Return the item of this key in exactly this scope."""

    def add(self, item: MemoryItem, *, collection: str = "") -> int:
        """Store a new item with its sources and tags; return its number."""

    def replace(self, item: MemoryItem, *, collection: str = "") -> int | None:
        """Overwrite a stored item; return its number, None if it does not exist."""

    def put(self, item: MemoryItem) -> int:
        """Insert or update, with sources, tags and details; return its number. Empty sources keep the stored ones."""

    def put_many(self, items: Sequence[MemoryItem]) -> None: ...
    def change(self, item: MemoryItem, names: Collection[str]) -> None:
        """Write only some fields of a stored item; cheaper than ``put``, and an empty list is written too."""

    def set_status(self, rows: Sequence[StatusRow]) -> int:
        """Set only status, reason and ``updated_at``, in one ``executemany``; return how many were as expected."""

    def set_salience(self, rows: Sequence[SalienceRow]) -> int:
        """Set only the ageing columns, in one ``executemany``; ``updated_at`` and full text stay as they are.

        Returns:
            How many rows were written; fewer than given if some are gone or not as expected.
        """

    def touch(self, item_ids: Sequence[str], at: datetime) -> None:
        """Count one use of each at ``at``."""

    def outdated(self, turn_ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        """Return, by message, ``(quote, current text)`` of what was replaced since; none where that is local-only."""

    def corrected(self, agent_id: str, conversation_ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        """Return, by conversation, ``(former text, current text)`` of what was replaced or corrected since it was said there."""

    def absorbed(self, item_ids: Sequence[str]) -> list[MemoryItem]:
        """Return items whose ``superseded_by`` is one of these: merged into them or replaced by them."""

    def delete(self, item_ids: Sequence[str], *, collection: str = "") -> int:
        """Delete rows and their dependents; return how many existed. The caller writes the history."""

    def page(
        self,
        where: Filter,
        *,
        collection: str = "",
        tag: str | None = None,
        query: str = "",
        order: ItemOrder = "created",
        descending: bool = False,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[MemoryItem]:
        """List items that pass a filter prepared by ``matching.settled``."""

    def facts(self, flt: FactFilter, *, limit: int = 50, cursor: str | None = None) -> Page[MemoryItem]:
        """List facts: statements that are pinned."""

    def episode(self, episode_id: str) -> MemoryItem | None: ...
    def episodes(
        self,
        *,
        agent_id: str | None = None,
        query: str = "",
        status: str | None = "active",
        since: datetime | None = None,
        until: datetime | None = None,
        entity_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        details: bool = True,
    ) -> Page[MemoryItem]:
        """List episodes, latest first. ``since`` and ``until`` keep sessions that touch the span."""

    def active_episodes(self, agent_id: str) -> list[MemoryItem]:
        """Return all active episodes of an agent, earliest first."""

    def episodes_of(self, agent_id: str, *conversation_ids: str) -> list[MemoryItem]:
        """Return the episodes of sessions, whatever their status."""

    def holding(self, agent_id: str, words: str) -> list[str]:
        """Return the ids of all episodes, of any status, with these words in their text or a detail."""

    def active(self, agent_id: str) -> list[MemoryItem]:
        """Return all active facts of an agent, with or without an episode, oldest first (sources left empty)."""

    def of_attributes(self, agent_id: str, attributes: Sequence[str]) -> list[MemoryItem]:
        """Return an agent's active facts whose statements give one of these attributes (sources left empty)."""

    def named(self, agent_id: str) -> list[tuple[str, str]]:
        """Return people in an agent's active facts, oldest first: ("user's dog Rex", "") or ("user's dog", "Rex")."""

    def spoken(self, agent_id: str) -> str:
        """Return the language of an agent's latest fact; empty if unknown."""

    def of_conversation(self, agent_id: str, conversation_id: str) -> list[MemoryItem]:
        """Return facts, of any status, made from the conversation or with at least one source turn in it."""

    def private(self, agent_id: str) -> set[str]:
        """Return the ids of local-only items, and of the messages that say them."""

    def private_conversations(self, agent_id: str) -> set[str]:
        """Return the conversations of an agent that such items come from."""

    def lines(self, *, include_inactive: bool = False) -> list[MemoryItem]:
        """Return the lines about the user, the user's own first."""

    def tags(self, agent_id: str | None = None, *, most: int = 100) -> list[str]:
        """Return the tags of active facts, case folded, the most frequent first."""

    def hidden(self, seqs: Sequence[int], now: datetime | None) -> set[int]:
        """Return those that are another user's or not in force at ``now``: expired, or outside their period."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """What one entity hands to another when they are merged.

    Attributes:
        links: ``(kind, ref_id)`` of what mentions it.
        own: those of the links that the other did not have.
        subjects: ids of the relations that start at it.
        objects: ids of the relations that end at it.
    """

    links: Sequence[tuple[str, str]]
    own: Sequence[tuple[str, str]]
    subjects: Sequence[str]
    objects: Sequence[str]


class EntitiesRepo(Protocol):
    """Entities, what they are linked to, and relations between them."""

    def get(self, entity_id: str) -> Entity | None: ...
    def find(self, agent_id: str, name: str) -> Entity | None:
        """Find by name, case and diacritics folded: the oldest of that name, else one with that alias."""

    def names(self, agent_id: str) -> list[tuple[str, str]]:
        """Return ``(entity_id, name)`` of all entities of the agent, once for each of their names."""

    def persons(self, agent_id: str) -> set[str]:
        """Return all names of the persons an agent knows."""

    def aliases(self, entity_id: str) -> list[str]:
        """Return the aliases of an entity."""

    def set_aliases(self, entity: Entity, names: Sequence[str]) -> None:
        """Set the aliases of an entity; a name of another entity moves to this one."""

    def absorb(self, gone_id: str, into_id: str) -> None:
        """Move the links and relations of one entity to another and delete it; relations between them become loops."""

    def part(self, gone_id: str, into_id: str, handed: Handed) -> None:
        """Return what :meth:`absorb` moved to a restored entity, where the other still has it."""

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

    def put(self, entity: Entity) -> None: ...
    def delete(self, entity_ids: Sequence[str]) -> None: ...
    def link(self, entity_id: str, kind: Literal["fact", "episode", "turn"], ref_id: str) -> None: ...
    def unlink(self, fact_id: str, entity_ids: Sequence[str]) -> None:
        """Remove a fact's mentions of these, and its relations, to be rewritten."""

    def links(self, entity_id: str) -> list[tuple[str, str]]:
        """Return ``(kind, ref_id)`` of what mentions the entity."""

    def of(self, kind: Literal["fact", "episode", "turn"], ref_id: str) -> list[Entity]: ...
    def named_by(self, kind: Literal["fact", "episode", "turn"], ref_ids: Sequence[str]) -> list[Entity]:
        """Return the entities that any of these mention."""

    def relate(self, relation: Relation) -> None: ...
    def relations(self, entity_id: str) -> list[Relation]:
        """Return relations that start or end at the entity; both, if they predate a merge."""

    def unrelate(self, relation_ids: Sequence[str]) -> None: ...


class HistoryRepo(Protocol):
    """Append-only log of changes."""

    def add(self, entries: Sequence[HistoryEntry]) -> None: ...
    def get(self, entry_id: str) -> HistoryEntry | None: ...
    def alike(self, entry: HistoryEntry, *, before: int, limit: int) -> list[HistoryEntry]:
        """Return changes made together with an entry, newest first, below the number ``before``."""

    def count_alike(self, entry: HistoryEntry) -> int:
        """Return how many changes were made together with an entry; reads the whole log."""

    def of_program(self, program: str) -> list[HistoryEntry]:
        """Return every change by a token ("laptop") and the programs that share it ("laptop: Claude"), newest first."""

    def writers(self) -> list[tuple[str, int, datetime]]:
        """Return the programs that changed something, how often, and when last."""

    def page(
        self,
        *,
        kind: str | None = None,
        ref_id: str | None = None,
        agent_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[HistoryEntry]: ...
    def scrub(self, kind: str, ref_ids: Sequence[str]) -> None:
        """Blank the texts of entries (forgetting); that something changed stays."""

    def since(self, agent_id: str, kind: str, at: datetime) -> list[HistoryEntry]:
        """Return the changes of text and status after a moment, oldest first."""


class ReceiptsRepo(Protocol):
    def get(self, receipt_id: str) -> Receipt | None: ...
    def put(self, receipt: Receipt) -> None: ...
    def page(
        self,
        *,
        agent_id: str | None = None,
        conversation_id: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Receipt]: ...
    def scrub(self, kind: str, ref_ids: Sequence[str]) -> None:
        """Blank the lines and quotes of the items named, and any block that showed them."""
