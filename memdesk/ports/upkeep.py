"""Rows of forgetting, of runs, of access and of the store itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, Literal, Protocol

from memdesk.domain.models import ApiToken, Page, Run, RunChange

#: Where memory texts are repeated: the log, the diffs of runs, the bin, and reasons why facts ended.
CopySource = Literal["history", "changes", "bin", "reasons"]


#: Tables whose rows are forgotten by number.
ForgettableTable = Literal["receipts", "identity", "facts", "episodes", "turns", "conversations", "entities"]


@dataclass(frozen=True, slots=True)
class CopiedTexts:
    """A row that may repeat a text to forget: its number, its subject, its JSON values and its reason."""

    seq: int
    kind: str
    ref_id: str
    values: tuple[Any, ...]
    reason: str


class ErasingRepo(Protocol):
    """Deletion in batches, for what is too large for one transaction."""

    def rows(self, table: ForgettableTable, seqs: Sequence[int], *, marks: bool) -> list[tuple[str, str]]:
        """Delete rows by number; return the ``(agent_id, id)`` of those that existed.

        With ``marks``, their words stay in the full-text indexes, invisible to search, until
        :meth:`merge_indexes` is done. A conversation is deleted only when it has no turns.
        """

    def texts(self, source: CopySource, agent_ids: Sequence[str], after: int, bound: int) -> list[CopiedTexts]:
        """Return up to ``bound`` rows that may hold copies, by ascending number, starting after ``after``."""

    def blank(self, source: CopySource, seqs: Sequence[int]) -> None:
        """Blank the texts of history entries and reasons; delete changes of runs and bin entries."""

    def asked(self, agent_ids: Sequence[str]) -> list[tuple[str, str]]:
        """Return ``(id, question)`` of receipts."""

    def shown(self, agent_ids: Sequence[str]) -> list[tuple[str, str, str, str]]:
        """Return every ``(kind, id, line, quote)`` that receipts show, once each."""

    def showing(self, kind: str, ref_id: str) -> set[str]:
        """Return the ids of the receipts that show an item."""

    def seqs(self, table: Literal["receipts", "identity", "entities"], row_ids: Sequence[str]) -> list[int]: ...

    def all_of(self, agent_id: str, table: Literal["turns", "items"]) -> list[int]:
        """Return the numbers of an agent's rows."""

    def thread(self, agent_id: str, conversation_id: str) -> tuple[int, list[int]] | None:
        """Return a conversation's number and its receipts' numbers."""

    def links(self, entity_seqs: Sequence[int], bound: int) -> int:
        """Delete up to ``bound`` links, then relations, of entities; return how many, 0 when none are left."""

    def drain(self, agent_id: str, part: str, bound: int) -> int:
        """Delete up to ``bound`` rows of one of ``AGENT_PARTS``; return how many, 0 when none are left."""

    def merge_indexes(self, mirror: str, pages: int, *, first: bool) -> bool:
        """Rewrite some pages of a full-text index without rows deleted by mark; return whether to go on."""


class TokensRepo(Protocol):
    def all(self) -> list[ApiToken]: ...
    def by_hash(self, secret_hash: bytes) -> ApiToken | None:
        """Return the token by the SHA-256 of its secret."""

    def put(self, token: ApiToken) -> None: ...


class RunsRepo(Protocol):
    """Background runs, their diffs and the bin."""

    def get(self, run_id: str) -> Run | None: ...
    def put(self, run: Run) -> None: ...
    def page(self, *, kind: str | None = None, limit: int = 50, cursor: str | None = None) -> Page[Run]: ...
    def add_changes(self, run_id: str, changes: Sequence[RunChange]) -> None: ...
    def add_blocks(self, run_id: str, changes: Sequence[RunChange]) -> None:
        """Append many changes whose values are numbers, dates and states, never text; cheap in any number."""

    def changes(self, run_id: str, *, limit: int = 500, cursor: str | None = None) -> Page[RunChange]: ...
    def bin_add(self, run_id: str, rows: Sequence[tuple[str, str, str, dict[str, Any]]], expires_at: datetime) -> None:
        """Keep each ``(kind, ref_id, agent_id, payload)`` that was deleted until ``expires_at``."""

    def bin_list(
        self, *, agent_id: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[dict[str, Any]]:
        """List the bin, newest first: kind, ref_id, run_id, agent_id, payload, expires_at."""

    def bin_delete(self, refs: Sequence[tuple[str, str]]) -> None: ...
    def bin_expired(self, before: datetime) -> list[tuple[str, str]]:
        """Return ``(kind, ref_id)`` of all that expired by ``before``, oldest first."""

    def purge_changes(self, before: datetime, *, limit: int) -> int:
        """Delete up to ``limit`` diff rows (not the runs) of runs that ended before; return how many."""

    def forget(self, kind: str, ref_ids: Sequence[str]) -> None:
        """Delete changes and bin entries of the items named; those changes can no longer be undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityRow:
    """One request to the local server; without content."""

    at: datetime
    token_name: str
    method: str
    route: str
    agent_id: str
    status: int
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Answered requests of a program to one route: how many, and when last. A tool's name ends the route."""

    by: str
    method: str
    route: str
    times: int
    last: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageRow:
    """Usage of one model on one day, in local time."""

    day: date
    model: str
    answers: int
    #: tokens read and written.
    prompt_tokens: int
    completion_tokens: int
    #: of those read, tokens of memory.
    memory_tokens: int
    #: seconds of reading and writing.
    seconds: float


class MetaRepo(Protocol):
    """Small values by key, request activity, model grades and what the user never wants stored."""

    def get(self, key: str) -> Any: ...
    def put(self, key: str, value: Any) -> None:
        """Store a JSON value; None deletes it."""

    def prefix(self, prefix: str) -> dict[str, Any]:
        """Return all values whose key starts with ``prefix``, by key."""

    def drop(self, prefix: str, bound: int) -> int:
        """Delete up to ``bound`` values whose key starts with ``prefix``; return how many went."""

    def add_activity(self, rows: Sequence[ActivityRow]) -> None:
        """Log requests; the last 10,000 are kept."""

    def activity(self, *, limit: int = 100) -> list[ActivityRow]: ...
    def asked(self) -> list[Asked]:
        """Return requests by program and route, latest first; counted over the requests that are kept."""


#: Prefix of the ``meta`` keys that list what is being forgotten; a store hides that when it opens.
BEING_FORGOTTEN: Final = "being_forgotten:"


#: The parts of an agent's memory, in the order of deletion.
AGENT_PARTS: Final = (
    "snapshots", "embeddings", "receipts", "turns", "conversations", "facts", "episodes", "entities", "bin", "changes",
    "history",
)  # fmt: skip
