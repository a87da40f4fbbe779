"""The product's terms as dataclasses.

Times are timezone-aware ``datetime`` (UTC unless said otherwise); ids are UUID strings, except agent and
conversation ids, which clients may choose. A conversation id is unique within its agent only.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic, Literal, NamedTuple, TypeVar

T = TypeVar("T")

Section = Literal["identity", "pinned", "episode", "transcript", "none"]
Scope = Literal["pinned", "episodes", "transcript", "all"]
Role = Literal["system", "user", "assistant", "tool"]
MemoryMode = Literal["on", "read_only", "off"]
#: What a conversation can set differently from its agent: any of ``system_prompt``, ``model``, ``search_tool``, and in
#: ``sampling`` the parameters that differ (None: the model's own).
Overrides = dict[str, Any]
Provenance = Literal["user", "assistant", "document", "tool", "import"]
Actor = Literal["user", "distiller", "consolidator", "api", "import"]
#: What a stored vector describes; also the kind of an index.
VectorKind = Literal["turn", "item"]
#: What a search looks for; statements and episodes are all items.
Target = Literal["turn", "fact", "episode", "detail"]


def new_id() -> str:
    """Return a UUID version 7 (RFC 9562) as text.

    It begins with the time in milliseconds, so that rows made together are adjacent in the indexes over ids:
    a commit then writes few pages, where random ids touch one each. Nothing reads that time back.
    """
    stamp = (time.time_ns() // 1_000_000) & ((1 << 48) - 1)
    noise = secrets.randbits(74)
    bits = stamp << 80 | 0x7 << 76 | noise >> 62 << 64 | 0b10 << 62 | noise & ((1 << 62) - 1)
    digits = f"{bits:032x}"
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


class FactKind(StrEnum):
    """What a fact says; the extractor's classes."""

    IDENTITY = "identity"
    PREFERENCE = "preference"
    DECISION = "decision"
    COMMITMENT = "commitment"
    RELATIONSHIP = "relationship"
    EVENT = "event"
    SKILL = "skill"
    CORRECTION = "correction"
    OTHER = "other"


class FactStatus(StrEnum):
    """Life of a fact. Only ``ACTIVE`` facts are ever shown to a model."""

    ACTIVE = "active"
    DISABLED = "disabled"
    REVIEW = "review"
    QUARANTINED = "quarantined"
    SUPERSEDED = "superseded"
    MERGED = "merged"
    BINNED = "binned"


class SignalStatus(StrEnum):
    """Life of a pending signal."""

    PENDING = "pending"
    DONE = "done"
    PARKED = "parked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """An agent, the owner of a memory."""

    id: str
    name: str
    description: str = ""
    system_prompt: str = ""
    model: str = ""
    color: str = ""
    sampling: dict[str, Any] = field(default_factory=dict)
    memory: MemoryMode = "on"
    search_tool: bool = False
    #: whether it sees what other agents learned about the user, and they see what it learned.
    shares_identity: bool = True
    is_built_in: bool = False
    created_at: datetime
    updated_at: datetime

    def overridden(self, by: Overrides) -> Agent:
        return replace(self, **{**by, "sampling": {**self.sampling, **by.get("sampling", {})}})

    def overrides(self, wanted: Overrides) -> Overrides:
        """Return the part of ``wanted`` that differs from this agent; :meth:`overridden` by it, it is as wanted.

        Sampling is taken as a whole: a missing parameter is left to the model.
        """
        found = {name: value for name, value in wanted.items() if name != "sampling" and getattr(self, name) != value}
        if "sampling" in wanted:
            there = dict.fromkeys(self.sampling) | wanted["sampling"]
            sampling = {name: value for name, value in there.items() if self.sampling.get(name) != value}
            found |= {"sampling": sampling} if sampling else {}
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One chat thread of one agent; a session in distillation."""

    agent_id: str
    id: str
    title: str = ""
    memory: MemoryMode = "on"
    pinned: bool = False
    archived: bool = False
    draft: str = ""
    overrides: Overrides = field(default_factory=dict)
    #: The folder it is in; None if it is in none, or in one that no longer exists.
    folder_id: str | None = None
    #: When it took place (an import's ``session_date``); None: when its first turn was recorded.
    session_date: datetime | None = None
    turn_count: int = 0
    created_at: datetime
    #: When something was last said in it.
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Hit:
    """Where the searched words occur in a thread."""

    turn_id: str
    #: the text around them.
    excerpt: str
    #: as written there.
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message kept in the transcript. ``seq`` grows with insertion and is 0 before it is stored."""

    id: str
    agent_id: str
    conversation_id: str
    position: int
    role: Literal["user", "assistant"]
    #: A name if the source has one (imports); empty means the user or the agent.
    speaker: str = ""
    content: str
    #: When it was said.
    said_at: datetime
    created_at: datetime
    model: str = ""
    receipt_id: str | None = None
    usage: dict[str, Any] = field(default_factory=dict)
    #: ids of the pictures that go with it.
    images: tuple[str, ...] = ()
    #: the name of the token by which a program sent or received it; empty: the window or an import.
    program: str = ""
    seq: int = 0


class Utterance(NamedTuple):
    """What ranking and showing need of a turn; cheap to create by the hundred. Fields as in :class:`Turn`."""

    seq: int
    id: str
    agent_id: str
    conversation_id: str
    position: int
    role: str
    speaker: str
    content: str
    said_at: datetime
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """A turn that is stored but not yet distilled."""

    id: str
    turn_id: str
    agent_id: str
    conversation_id: str
    status: SignalStatus = SignalStatus.PENDING
    attempts: int = 0
    last_error: str = ""
    next_try_at: datetime | None = None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Unread:
    """Signals that failed: how many, since when the oldest waits, and why the last attempt failed."""

    signals: int
    since: datetime
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactSource:
    """Where a fact came from. ``quote`` is the sentence of the turn that carries it."""

    turn_id: str
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A named person, place, project or tool of one agent's memory."""

    id: str
    agent_id: str
    name: str
    type: str = "other"
    mention_count: int = 1
    created_at: datetime
    updated_at: datetime
    #: Its number; 0 before it is stored.
    seq: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """Two entities joined by a predicate, taken from a fact."""

    id: str
    agent_id: str
    subject_id: str
    predicate: str
    object_id: str
    fact_id: str | None = None
    created_at: datetime
    #: Its number; 0 before it is stored.
    seq: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """One change of one remembered thing; append-only."""

    id: str
    agent_id: str
    #: ``item``: of a program; ``agent_id`` then holds its collection.
    kind: Literal["fact", "episode", "identity", "entity", "conversation", "agent", "item"]
    ref_id: str
    action: str
    actor: Actor
    #: The name of the API token or model, or the run's id.
    actor_detail: str = ""
    old: dict[str, Any] | None = None
    new: dict[str, Any] | None = None
    reason: str = ""
    at: datetime
    seq: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptItem:
    """One line of a memory block, or one that was left out of it."""

    kind: Literal["identity", "fact", "episode", "detail", "turn"]
    id: str
    line: str
    score: float
    tokens: int
    date: datetime | None = None
    #: conversation the line came from, and the quote that states it.
    conversation_id: str | None = None
    quote: str = ""
    #: empty if it is in the block; else why not: "budget", "noise", "duplicate", "muted" (not used in this
    #: conversation), "local_only" (the model is on another machine), "order" (addresses the model; for a line in the
    #: block, the sentence that was left out).
    left_out: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Why a reply saw what it saw."""

    id: str
    agent_id: str
    query: str
    section: Section
    rule: str
    tokens: int
    budget_tokens: int
    block: str
    items: tuple[ReceiptItem, ...] = ()
    left_out: tuple[ReceiptItem, ...] = ()
    #: "hybrid" or "fts" (no embedder available).
    mode: str = "hybrid"
    #: the second section that filled the rest of the budget, if any.
    filled_from: Section | None = None
    conversation_id: str | None = None
    turn_id: str | None = None
    elapsed_ms: float = 0.0
    created_at: datetime

    def told(self, *, elsewhere: bool) -> Receipt:
        """Return it as its reader may see it: on another machine, local-only lines are counted, not shown."""
        if not elsewhere:
            return self
        items = [replace(i, line="", quote="") if i.left_out == "local_only" else i for i in self.left_out]
        return replace(self, left_out=tuple(items))


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    """A client's right to call the server. Only the SHA-256 of the secret is stored."""

    id: str
    name: str
    secret_hash: bytes
    #: any of "chat", "memory:read", "memory:write", "admin", "memory:private".
    scopes: tuple[str, ...] = ("chat", "memory:read", "memory:write", "admin")
    #: limits the token to these agents; empty: all.
    agents: tuple[str, ...] = ()
    created_at: datetime
    last_used: datetime | None = None
    expires_at: datetime | None = None
    revoked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChange:
    """One change that a run made or, in a dry run, would make."""

    action: Literal["decay", "merge", "promote", "evict", "prune"]
    kind: Literal["fact", "episode", "conversation"]
    ref_id: str
    agent_id: str
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One pass of background work over the memory."""

    id: str
    kind: Literal["consolidation", "distillation", "import", "reembed"] = "consolidation"
    trigger: Literal["schedule", "user", "api", "catch_up"] = "user"
    status: Literal["running", "done", "cancelled", "failed", "undone"] = "running"
    dry_run: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    message: str = ""
    started_at: datetime
    finished_at: datetime | None = None
    undone_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """One page of a list: ``{items, total, next}`` over HTTP."""

    items: list[T]
    total: int
    #: opaque cursor of the next page; None at the end.
    next: str | None = None


def every(page: Callable[..., Page[T]], *wanted: Any, limit: int = 500, **more: Any) -> Iterator[T]:
    """Yield the items of all pages of a list, ``limit`` at a time; ``wanted`` and ``more`` are passed to ``page``."""
    cursor: str | None = None
    while True:
        found = page(*wanted, limit=limit, cursor=cursor, **more)
        yield from found.items
        cursor = found.next
        if cursor is None:
            return


def cursor_at(position: int) -> str:
    """Return the cursor of the page that begins at this row of the list, counted from 0.

    Rows are skipped by counting; to read a list from start to end, use each page's ``next``.
    """
    return f"@{position}"
