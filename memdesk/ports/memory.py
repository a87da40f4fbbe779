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
    #: Below this; what has just it is left out.
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
    ``promoted_at`` is a fact's only and stays as it is while ``keep_promoted`` is set.
    """

    id: str
    salience: float
    decayed_at: datetime | None
    expected: float | None = None
    promoted_at: datetime | None = None
    keep_promoted: bool = True


@dataclass(frozen=True, slots=True)
class StatusRow:
    """A fact's change of state, written only where status and ``updated_at`` are still as expected."""

    id: str
    status: FactStatus
    reason: str
    updated_at: datetime
    expected_status: FactStatus
    expected_updated_at: datetime


#: By what a list of items is sorted.
ItemOrder = Literal["created", "updated", "salience"]


class ItemsRepo(Protocol):
    """Items of all forms. ``collection`` is empty for what memdesk itself remembers, else a program's own."""

    def get(self, item_id: str, *, collection: str = "") -> MemoryItem | None: ...
    def many(self, item_ids: Sequence[str], *, collection: str = "", details: bool = True) -> list[MemoryItem]:
        """Return the items that exist, in the order asked for. Without ``details``, episodes have theirs left empty."""

    def by_seq(self, seqs: Sequence[int], *, details: bool = True) -> dict[int, MemoryItem]: ...
    def keyed(
        self, key: str, *, user_id: str, agent_id: str | None, run_id: str | None, collection: str = ""
    ) -> MemoryItem | None:
        """Return the item of this key in this scope, which each of the three names exactly."""

    def add(self, item: MemoryItem, *, collection: str = "") -> int:
        """Store a new item with its sources and tags; return its number."""

    def replace(self, item: MemoryItem, *, collection: str = "") -> int | None:
        """Write all of an item that is stored; return its number, None where it is not there."""

    def put(self, item: MemoryItem) -> int:
        """Insert or update, with sources, tags and details; return its number. Empty sources keep the stored ones."""

    def put_many(self, items: Sequence[MemoryItem]) -> None: ...
    def change(self, item: MemoryItem, names: Collection[str]) -> None:
        """Write some fields alone of an item that is stored; cheaper than ``put``, and an empty list is written too."""

    def set_status(self, rows: Sequence[StatusRow]) -> int:
        """Set status, reason and ``updated_at`` alone, in one ``executemany``; return how many were as expected."""

    def set_salience(self, rows: Sequence[SalienceRow]) -> int:
        """Set the ageing columns alone, in one ``executemany``; ``updated_at`` and full text stay as they are.

        Returns:
            How many rows were written; fewer than given when some are gone or not as expected.
        """

    def touch(self, item_ids: Sequence[str], at: datetime) -> None:
        """Count one use of each at ``at``."""

    def outdated(self, turn_ids: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        """Return messages that say what was replaced: their words for each thing, and those of what counts now, unless they stay here."""

    def absorbed(self, item_ids: Sequence[str]) -> list[MemoryItem]:
        """Return items whose ``superseded_by`` is one of these: merged into them or replaced by them."""

    def delete(self, item_ids: Sequence[str], *, collection: str = "") -> int:
        """Delete rows with all that hangs on them; return how many were there. History is the caller's."""

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
        """List items that pass a filter that ``matching.settled`` has made ready."""

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
        """Return the ids of all episodes, of any state, that hold these words in their text or in a detail."""

    def active(self, agent_id: str) -> list[MemoryItem]:
        """Return all active facts of an agent, those kept without an episode too, oldest first (sources left empty)."""

    def of_attributes(self, agent_id: str, attributes: Sequence[str]) -> list[MemoryItem]:
        """Return an agent's active facts whose statements give one of these attributes (sources left empty)."""

    def named(self, agent_id: str) -> list[tuple[str, str]]:
        """Return whom an agent's active facts name, oldest first: ("user's dog Rex", "") or ("user's dog", "Rex")."""

    def spoken(self, agent_id: str) -> str:
        """Return the language in which an agent's latest fact was said; empty where none is known."""

    def of_conversation(self, agent_id: str, conversation_id: str) -> list[MemoryItem]:
        """Return facts, of any state, made from the conversation or with at least one source turn in it."""

    def private(self, agent_id: str) -> set[str]:
        """Return the ids of items that are kept for models on this machine, and of the messages that say them."""

    def private_conversations(self, agent_id: str) -> set[str]:
        """Return the conversations of an agent that such items come from."""

    def lines(self, *, include_inactive: bool = False) -> list[MemoryItem]:
        """Return the lines about the user, the user's own first."""

    def tags(self, agent_id: str | None = None, *, most: int = 100) -> list[str]:
        """Return the tags of active facts, case folded, the most frequent first."""

    def hidden(self, seqs: Sequence[int], now: datetime | None) -> set[int]:
        """Return those that are another user's or, at ``now``, do not count: expired, or their period has ended or not begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """What one entity hands over to another when they are joined.

    Attributes:
        links: ``(kind, ref_id)`` of what mentions it.
        own: those of the links that the other one did not have.
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
        """Find by name, case and diacritics folded: the oldest of that name, else the one also called so."""

    def names(self, agent_id: str) -> list[tuple[str, str]]:
        """Return ``(entity_id, name)`` of all entities of the agent, once for each of their names."""

    def persons(self, agent_id: str) -> set[str]:
        """Return all names of the persons whom an agent knows."""

    def aliases(self, entity_id: str) -> list[str]:
        """Return what else an entity is called."""

    def set_aliases(self, entity: Entity, names: Sequence[str]) -> None:
        """Say what else an entity is called; a name that was another one's is its own from now on."""

    def absorb(self, gone_id: str, into_id: str) -> None:
        """Give the links and relations of one entity to another and delete it; relations between the two lead from it to itself."""

    def part(self, gone_id: str, into_id: str, handed: Handed) -> None:
        """Give what :meth:`absorb` moved back to an entity that is there again, where it is still with the other."""

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
        """Say that a fact names these no more; the relations that it told go, to be told anew."""

    def links(self, entity_id: str) -> list[tuple[str, str]]:
        """Return ``(kind, ref_id)`` of what mentions the entity."""

    def of(self, kind: Literal["fact", "episode", "turn"], ref_id: str) -> list[Entity]: ...
    def named_by(self, kind: Literal["fact", "episode", "turn"], ref_ids: Sequence[str]) -> list[Entity]:
        """Return the entities that any of these mention."""

    def relate(self, relation: Relation) -> None: ...
    def relations(self, entity_id: str) -> list[Relation]:
        """Return relations that start or end at the entity; both, where they are from before two became one."""

    def unrelate(self, relation_ids: Sequence[str]) -> None: ...


class HistoryRepo(Protocol):
    """Append-only log of changes."""

    def add(self, entries: Sequence[HistoryEntry]) -> None: ...
    def get(self, entry_id: str) -> HistoryEntry | None: ...
    def alike(self, entry: HistoryEntry, *, before: int, limit: int) -> list[HistoryEntry]:
        """Return changes made in one go with an entry, newest first, from below the number ``before``."""

    def count_alike(self, entry: HistoryEntry) -> int:
        """Return how many changes were made in one go with an entry; reads the whole log."""

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
        """Empty the texts of entries (forgetting); the fact that something changed stays."""

    def since(self, agent_id: str, kind: str, at: datetime) -> list[HistoryEntry]:
        """Return the changes of texts and states after a moment, oldest first."""


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
        """Empty the lines and quotes of the items named, and any block that showed them."""
