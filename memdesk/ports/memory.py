"""Rows of what is remembered, and of what was shown of it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from memdesk.domain.models import (
        Entity,
        Episode,
        EpisodeDetail,
        Fact,
        FactStatus,
        HistoryEntry,
        IdentityLine,
        Page,
        Receipt,
        Relation,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFilter:
    """Filters of fact lists; every field narrows."""

    agent_id: str | None = None
    query: str = ""
    status: tuple[FactStatus, ...] = ()
    kind: str | None = None
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


class FactsRepo(Protocol):
    """Pinned facts."""

    def get(self, fact_id: str) -> Fact | None: ...
    def many(self, fact_ids: Sequence[str]) -> list[Fact]: ...
    def by_seq(self, seqs: Sequence[int]) -> dict[int, Fact]: ...
    def page(self, flt: FactFilter, *, limit: int = 50, cursor: str | None = None) -> Page[Fact]: ...
    def tags(self, agent_id: str | None = None, *, most: int = 100) -> list[str]:
        """Return the tags of active facts, case folded, the most frequent first."""

    def active(self, agent_id: str) -> list[Fact]:
        """Return all active facts of an agent (sources left empty)."""

    def put(self, fact: Fact) -> int:
        """Insert or update with its sources and tags; return its ``seq``. Empty sources keep the stored ones."""

    def put_many(self, facts: Sequence[Fact]) -> None: ...
    def delete(self, fact_ids: Sequence[str]) -> None:
        """Delete rows with sources, links and vectors. History is the caller's."""

    def of_conversation(self, agent_id: str, conversation_id: str) -> list[Fact]:
        """Return facts, of any state, made from the conversation or with at least one source turn in it."""

    def set_status(self, rows: Sequence[StatusRow]) -> int:
        """Set status, reason and ``updated_at`` alone, in one ``executemany``; return how many were as expected."""

    def change(self, fact: Fact, names: Collection[str]) -> None:
        """Write some fields alone of a fact that is stored; cheaper than ``put``, and an empty list is written too."""

    def absorbed(self, fact_ids: Sequence[str]) -> list[Fact]:
        """Return facts whose ``superseded_by`` is one of these: merged into them or replaced by them."""

    def set_salience(self, rows: Sequence[SalienceRow]) -> int:
        """Set the ageing columns alone, in one ``executemany``; ``updated_at`` and full text stay as they are.

        Returns:
            How many rows were written; fewer than given when some are gone or not as expected.
        """

    def touch(self, fact_ids: Sequence[str], at: datetime) -> None:
        """Bump ``use_count`` and ``last_used``."""


class EpisodesRepo(Protocol):
    """Episodes and their details. Without ``details``, episodes come with theirs left empty."""

    def get(self, episode_id: str) -> Episode | None: ...
    def many(self, episode_ids: Sequence[str], *, details: bool = True) -> list[Episode]: ...
    def by_seq(self, seqs: Sequence[int], *, details: bool = True) -> dict[int, Episode]: ...
    def details_by_seq(self, seqs: Sequence[int]) -> dict[int, tuple[str, EpisodeDetail]]:
        """Return ``{detail seq: (episode_id, detail)}``."""

    def page(
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
    ) -> Page[Episode]: ...
    def active(self, agent_id: str) -> list[Episode]: ...
    def of_conversation(self, agent_id: str, conversation_id: str) -> list[Episode]: ...
    def holding(self, agent_id: str, words: str) -> list[str]:
        """Return the ids of all episodes, of any state, that hold these words in their text or in a detail."""

    def put(self, episode: Episode) -> int: ...
    def delete(self, episode_ids: Sequence[str]) -> None: ...
    def change(self, episode: Episode, names: Collection[str]) -> None:
        """Write some fields alone of an episode that is stored; cheaper than ``put``."""

    def absorbed(self, episode_ids: Sequence[str]) -> list[Episode]:
        """Return episodes whose ``merged_into`` is one of these."""

    def set_salience(self, rows: Sequence[SalienceRow]) -> int:
        """Set the ageing columns alone, in one ``executemany``; ``updated_at`` and full text stay as they are.

        Returns:
            How many rows were written; fewer than given when some are gone or not as expected.
        """

    def touch(self, episode_ids: Sequence[str], at: datetime) -> None: ...


class IdentityRepo(Protocol):
    """Identity lines; shared by all agents."""

    def get(self, line_id: str) -> IdentityLine | None: ...
    def all(self, *, include_inactive: bool = False) -> list[IdentityLine]: ...
    def put(self, line: IdentityLine) -> None: ...


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
        """Find by name or by another name, case and diacritics folded."""

    def names(self, agent_id: str) -> list[tuple[str, str]]:
        """Return ``(entity_id, name)`` of all entities of the agent, all names; for the gate's matcher."""

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
    ) -> Page[Entity]: ...
    def put(self, entity: Entity) -> None: ...
    def delete(self, entity_ids: Sequence[str]) -> None: ...
    def link(self, entity_id: str, kind: Literal["fact", "episode", "turn"], ref_id: str) -> None: ...
    def links(self, entity_id: str) -> list[tuple[str, str]]:
        """Return ``(kind, ref_id)`` of what mentions the entity."""

    def of(self, kind: Literal["fact", "episode", "turn"], ref_id: str) -> list[Entity]: ...
    def named_by(self, kind: Literal["fact", "episode", "turn"], ref_ids: Sequence[str]) -> list[Entity]:
        """Return the entities that any of these mention."""

    def relate(self, relation: Relation) -> None: ...
    def relations(self, entity_id: str) -> list[Relation]: ...


class HistoryRepo(Protocol):
    """Append-only log of changes."""

    def add(self, entries: Sequence[HistoryEntry]) -> None: ...
    def get(self, entry_id: str) -> HistoryEntry | None: ...
    def alike(self, entry: HistoryEntry, *, before: int, limit: int) -> list[HistoryEntry]:
        """Return changes made in one go with an entry, newest first, from below the number ``before``."""

    def count_alike(self, entry: HistoryEntry) -> int: ...
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
    """Receipts of replies."""

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
