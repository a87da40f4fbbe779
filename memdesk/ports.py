"""What services need from the world, as Protocols. Adapters live in storage, engines and runtime."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memdesk.domain.hiding import Hidden
    from memdesk.domain.language import Analysis
    from memdesk.domain.models import (
        Agent,
        ApiToken,
        Conversation,
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
        Role,
        Run,
        RunChange,
        Signal,
        SignalStatus,
        Turn,
        Utterance,
        VectorKind,
    )

    Vectors = NDArray[np.float32]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
LaneName = Literal["interactive", "background"]
#: Where what was remembered is repeated: the log, the diffs of runs, the bin, and why facts ended.
CopySource = Literal["history", "changes", "bin", "reasons"]
#: Tables whose rows are forgotten by their number.
ForgettableTable = Literal["receipts", "identity", "facts", "episodes", "turns", "conversations", "entities"]


# --------------------------------------------------------------------------- time and threads


class Clock(Protocol):
    """The only source of time."""

    def now(self) -> datetime:
        """Return the present, timezone-aware, in UTC."""

    def local(self, when: datetime) -> datetime:
        """Return ``when`` in the user's timezone, for words and dates that a person reads."""


class CancelToken(Protocol):
    """Tells work that nobody waits for it any more. ``threading.Event`` satisfies it by name."""

    def is_set(self) -> bool:
        """Return whether the work should stop at its next safe point."""


class Lanes(Protocol):
    """Small executors with a name and a priority."""

    def submit(self, lane: LaneName, work: Callable[[], T]) -> Future[T]:
        """Run ``work`` on a lane's thread."""

    def later(self, seconds: float, lane: LaneName, work: Callable[[], object], *, key: str) -> None:
        """Run ``work`` once after ``seconds``; a second call with the same ``key`` re-arms it."""

    def forget(self, key: str) -> None:
        """Drop a delayed call; unknown keys are fine."""

    def close(self, timeout: float = 5.0) -> None:
        """Stop taking work and wait for what runs. Idempotent."""


# --------------------------------------------------------------------------- store


class AgentsRepo(Protocol):
    """Agents."""

    def get(self, agent_id: str) -> Agent | None: ...
    def all(self) -> list[Agent]: ...
    def put(self, agent: Agent) -> None: ...
    def delete(self, agent_id: str) -> None:
        """Delete the agent with everything of its memory (rows cascade)."""

    def fact_counts(self) -> dict[str, int]:
        """Return active pinned facts by agent id."""


class ConversationsRepo(Protocol):
    """Conversations, keyed by (agent_id, conversation_id)."""

    def get(self, agent_id: str, conversation_id: str) -> Conversation | None: ...
    def put(self, conversation: Conversation) -> None: ...
    def page(
        self,
        *,
        agent_id: str | None = None,
        query: str = "",
        archived: bool | None = None,
        pinned: bool | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Conversation]:
        """List newest first; ``query`` searches titles and turns by full text."""

    def quiet(self, agent_id: str, among: Collection[str]) -> set[str]:
        """Return those of the ids whose thread's memory is not ``on``: no other chat may be shown their words."""

    def delete(self, agent_id: str, conversation_id: str) -> None:
        """Delete the thread with its turns, signals, receipts and their vectors."""


class TurnsRepo(Protocol):
    """The transcript."""

    def add(self, turns: Sequence[Turn]) -> list[int]:
        """Insert turns and return their ``seq``; one ``executemany``-like pass, fast for thousands."""

    def get(self, turn_id: str) -> Turn | None: ...
    def many(self, turn_ids: Sequence[str]) -> list[Turn]: ...
    def by_seq(self, seqs: Sequence[int]) -> dict[int, Turn]: ...
    def said(self, seqs: Sequence[int]) -> dict[int, Utterance]:
        """Return what :meth:`by_seq` does, as far as ranking needs it and in a third of the time."""

    def of_conversation(self, agent_id: str, conversation_id: str) -> list[Turn]:
        """Return the thread in order of position."""

    def page(
        self,
        *,
        agent_id: str,
        conversation_id: str | None = None,
        query: str = "",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Turn]: ...
    def update_content(self, turn_id: str, content: str) -> None: ...
    def set_receipt(self, turn_id: str, receipt_id: str) -> None: ...
    def delete(self, turn_ids: Sequence[str]) -> None: ...
    def next_position(self, agent_id: str, conversation_id: str) -> int: ...
    def count(self, agent_id: str | None = None) -> int: ...


class SignalsRepo(Protocol):
    """Pending signals."""

    def add(self, signals: Sequence[Signal]) -> None: ...
    def pending(self, agent_id: str, conversation_id: str) -> list[Signal]: ...
    def sessions(self, status: SignalStatus) -> list[tuple[str, str, int]]:
        """Return ``(agent_id, conversation_id, count)`` of sessions that hold signals of ``status``, oldest first."""

    def page(
        self, *, status: SignalStatus | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[Signal]: ...
    def mark(
        self,
        signal_ids: Sequence[str],
        status: SignalStatus,
        *,
        attempts: int | None = None,
        error: str = "",
        next_try_at: datetime | None = None,
    ) -> None: ...
    def counts(self) -> dict[str, int]:
        """Return the number of signals by status."""


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
    def delete(self, line_ids: Sequence[str]) -> None: ...


class EntitiesRepo(Protocol):
    """Entities, what they are linked to, and relations between them."""

    def get(self, entity_id: str) -> Entity | None: ...
    def find(self, agent_id: str, name: str) -> Entity | None:
        """Find by name, case and diacritics folded."""

    def names(self, agent_id: str) -> list[tuple[str, str]]:
        """Return ``(entity_id, name)`` of all entities of the agent; for the gate's matcher."""

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
    def orphans(self, agent_id: str) -> list[str]:
        """Return ids of the agent's entities that nothing links to any more."""


class HistoryRepo(Protocol):
    """Append-only log of changes."""

    def add(self, entries: Sequence[HistoryEntry]) -> None: ...
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


@dataclass(frozen=True, slots=True)
class CopiedTexts:
    """A row that may repeat what is to be forgotten: its number, what it is about, its JSON values and its reason."""

    seq: int
    kind: str
    ref_id: str
    values: tuple[Any, ...]
    reason: str


class ErasingRepo(Protocol):
    """Deletion bit by bit, for what is too much for one transaction."""

    def rows(self, table: ForgettableTable, seqs: Sequence[int], *, marks: bool) -> list[tuple[str, str]]:
        """Delete rows by number; return the ``(agent_id, id)`` of those that were there.

        With ``marks``, words of theirs stay in the full-text indexes, where no search finds them, until
        :meth:`merge_indexes` has gone through. A conversation goes only when it has no turns.
        """

    def texts(self, source: CopySource, agent_ids: Sequence[str], after: int, bound: int) -> list[CopiedTexts]:
        """Return up to ``bound`` rows that may hold copies, in order of their number, from ``after`` on."""

    def blank(self, source: CopySource, seqs: Sequence[int]) -> None:
        """Empty the texts of history entries and reasons; drop changes of runs and what is in the bin."""

    def asked(self, agent_ids: Sequence[str]) -> list[tuple[str, str]]:
        """Return ``(id, question)`` of receipts."""

    def shown(self, agent_ids: Sequence[str]) -> list[tuple[str, str, str, str]]:
        """Return every ``(kind, id, line, quote)`` that receipts show, once each."""

    def showing(self, kind: str, ref_id: str) -> set[str]:
        """Return the ids of the receipts that show something."""

    def seqs(self, table: Literal["receipts", "identity", "entities"], row_ids: Sequence[str]) -> list[int]:
        """Return the numbers of rows."""

    def all_of(self, agent_id: str, table: Literal["turns", "facts", "episodes", "details"]) -> list[int]:
        """Return the numbers of an agent's rows."""

    def thread(self, agent_id: str, conversation_id: str) -> tuple[int, list[int]] | None:
        """Return a conversation's number and its receipts' numbers."""

    def links(self, entity_seqs: Sequence[int], bound: int) -> int:
        """Take up to ``bound`` links and relations of entities; return how many went."""

    def drain(self, agent_id: str, part: str, bound: int) -> int:
        """Take up to ``bound`` rows of one of ``AGENT_PARTS``; return how many went, 0 when there are none left."""

    def merge_indexes(self, mirror: str, pages: int, *, first: bool) -> bool:
        """Rewrite some pages of a full-text index without what was deleted behind marks; return whether to go on."""


class TokensRepo(Protocol):
    """API tokens."""

    def all(self) -> list[ApiToken]: ...
    def by_hash(self, secret_hash: bytes) -> ApiToken | None: ...
    def put(self, token: ApiToken) -> None: ...
    def delete(self, token_id: str) -> None: ...


class EmbeddingsRepo(Protocol):
    """Normalised float16 vectors, keyed by (kind, seq of the row, model) with their content hash."""

    def put(self, agent_id: str, kind: VectorKind, model: str, rows: Sequence[tuple[int, str, bytes]]) -> None:
        """Store ``(seq, content_hash, vector)`` rows."""

    def load(
        self, agent_id: str, kind: VectorKind, model: str, *, after_seq: int = 0, limit: int | None = None
    ) -> tuple[list[int], bytes]:
        """Return seqs (ascending, the first ``limit``) and their vectors joined: ``len(seqs) * dim`` float16 values."""

    def cached(self, model: str, hashes: Sequence[str]) -> dict[str, bytes]:
        """Return vectors already computed for these content hashes."""

    def missing(
        self, kind: VectorKind, model: str, *, agent_id: str | None = None, limit: int = 256
    ) -> list[tuple[str, int]]:
        """Return ``(agent_id, seq)`` of rows that have no vector of ``model`` yet."""

    def count_missing(self, kind: VectorKind, model: str) -> int:
        """Return how many rows :meth:`missing` would list without a limit."""

    def hashes(self, kind: VectorKind, model: str, seqs: Sequence[int]) -> dict[int, str]:
        """Return the content hashes that the stored vectors of these rows were made from."""

    def delete(self, kind: VectorKind, seqs: Sequence[int]) -> None:
        """Drop vectors of rows that live on; they are ``missing`` again. Deleted rows lose theirs by themselves."""

    def drop_other_models(self, model: str) -> int: ...
    def models(self) -> list[str]:
        """Return the models that there may be vectors of; at once, however many vectors there are."""

    def strays(self) -> int:
        """Return the number of vectors whose row is gone; there are none, unless something went wrong."""

    def counts(self) -> dict[str, int]:
        """Return vectors by ``kind:model``."""

    def count(self, agent_id: str, kind: VectorKind, model: str) -> int:
        """Return the number of vectors of one index."""

    def put_snapshot(self, agent_id: str, kind: VectorKind, model: str, data: bytes, count: int) -> None: ...
    def put_snapshot_part(
        self, agent_id: str, kind: VectorKind, model: str, data: bytes, *, start: int, edition: str
    ) -> int:
        """Store the part of a snapshot that begins at ``start``; return where the next one begins.

        For large indexes: one transaction a part, from 0 until ``len(data)`` is returned, all with one
        ``edition`` (any fresh id).
        """

    def snapshot(self, agent_id: str, kind: VectorKind, model: str) -> bytes | None:
        """Return a complete snapshot, or None."""

    def drop_snapshots(self, agent_id: str | None = None) -> None: ...


@dataclass(frozen=True, slots=True)
class TextHit:
    """One full-text hit: the row's ``seq`` and its BM25 score, larger is better."""

    seq: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFilter:
    """Narrowing of a full-text search. ``agent_id`` is never optional: nothing crosses agents."""

    agent_id: str
    conversation_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    speaker: str | None = None
    kind: str | None = None
    tag: str | None = None
    as_of: datetime | None = None


class TextSearchRepo(Protocol):
    """Full-text search over the FTS5 mirrors."""

    def search(
        self,
        target: Literal["turn", "episode", "detail", "fact"],
        terms: Sequence[str],
        flt: TextFilter,
        *,
        limit: int = 100,
    ) -> list[TextHit]:
        """Rank rows that hold any of ``terms`` (plain words or phrases; quoted here, never parsed) by BM25.

        Only live rows: active facts and episodes. Falls back to LIKE where the terms make no FTS5 query.
        """

    def holding(self, phrase: str) -> list[tuple[str, str]]:
        """Return up to 20 ``(table, id)`` of rows that hold ``phrase`` letter by letter.

        Of any agent, state, table and text column: what a forgotten phrase is checked against.
        """

    def text_columns(self) -> dict[str, list[str]]:
        """Return the text columns of every table."""

    def document_frequency(
        self, target: Literal["turn", "episode", "detail", "fact"], terms: Sequence[str]
    ) -> dict[str, int]:
        """Return how many rows hold each term (``fts5vocab``)."""

    def rows(self, target: Literal["turn", "episode", "detail", "fact"]) -> int:
        """Return about how many rows of all agents there are, without counting them."""


class RunsRepo(Protocol):
    """Background runs, their diffs and the bin."""

    def get(self, run_id: str) -> Run | None: ...
    def put(self, run: Run) -> None: ...
    def page(self, *, kind: str | None = None, limit: int = 50, cursor: str | None = None) -> Page[Run]: ...
    def add_changes(self, run_id: str, changes: Sequence[RunChange]) -> None: ...
    def add_blocks(self, run_id: str, changes: Sequence[RunChange]) -> None:
        """Append many changes whose values are numbers, dates and states, never text; cheap however many."""

    def changes(self, run_id: str, *, limit: int = 500, cursor: str | None = None) -> Page[RunChange]: ...
    def bin_put(
        self, run_id: str, kind: str, ref_id: str, agent_id: str, payload: dict[str, Any], expires_at: datetime
    ) -> None: ...
    def bin_add(self, run_id: str, rows: Sequence[tuple[str, str, str, dict[str, Any]]], expires_at: datetime) -> None:
        """Keep many ``(kind, ref_id, agent_id, payload)`` at once."""

    def bin_get(self, kind: str, ref_id: str) -> dict[str, Any] | None: ...
    def bin_list(
        self, *, agent_id: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[dict[str, Any]]: ...
    def bin_delete(self, refs: Sequence[tuple[str, str]]) -> None: ...
    def bin_expired(self, before: datetime) -> list[tuple[str, str]]:
        """Return ``(kind, ref_id)`` of all that expired up to ``before``."""

    def purge_changes(self, before: datetime, *, limit: int) -> int:
        """Drop up to ``limit`` rows of the diffs (not the runs) of runs that ended before; return how many went."""

    def forget(self, kind: str, ref_ids: Sequence[str]) -> None:
        """Drop changes and bin entries of the things named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityRow:
    """One request to the local server; never content."""

    at: datetime
    token_name: str
    method: str
    route: str
    agent_id: str
    status: int
    ms: float


class MetaRepo(Protocol):
    """Small values by key, request activity, model grades and what the user never wants stored."""

    def get(self, key: str) -> Any: ...
    def put(self, key: str, value: Any) -> None:
        """Store a JSON value; None deletes it."""

    def prefix(self, prefix: str) -> dict[str, Any]: ...
    def drop(self, prefix: str, bound: int) -> int:
        """Delete up to ``bound`` values whose key starts with ``prefix``; return how many went."""

    def add_activity(self, rows: Sequence[ActivityRow]) -> None: ...
    def activity(self, *, limit: int = 100) -> list[ActivityRow]: ...


class Repositories(Protocol):
    """All repositories over one connection. Over a reading connection, writes raise."""

    @property
    def agents(self) -> AgentsRepo: ...
    @property
    def conversations(self) -> ConversationsRepo: ...
    @property
    def turns(self) -> TurnsRepo: ...
    @property
    def signals(self) -> SignalsRepo: ...
    @property
    def facts(self) -> FactsRepo: ...
    @property
    def episodes(self) -> EpisodesRepo: ...
    @property
    def identity(self) -> IdentityRepo: ...
    @property
    def entities(self) -> EntitiesRepo: ...
    @property
    def history(self) -> HistoryRepo: ...
    @property
    def receipts(self) -> ReceiptsRepo: ...
    @property
    def erasing(self) -> ErasingRepo: ...
    @property
    def tokens(self) -> TokensRepo: ...
    @property
    def embeddings(self) -> EmbeddingsRepo: ...
    @property
    def text(self) -> TextSearchRepo: ...
    @property
    def runs(self) -> RunsRepo: ...
    @property
    def meta(self) -> MetaRepo: ...


#: Begins the keys of ``meta`` that say what is being forgotten; a store that is opened hides it.
BEING_FORGOTTEN: Final = "being_forgotten:"
#: What an agent's memory is made of, in the order in which it is taken apart.
AGENT_PARTS: Final = (
    "snapshots", "embeddings", "receipts", "turns", "conversations", "facts", "episodes", "entities", "bin", "changes",
    "history",
)  # fmt: skip
#: The full-text indexes.
MIRRORS: Final = ("turns", "episodes", "details", "facts")
#: Told ``(seconds, processor seconds)`` of the writer's thread.
Held = Callable[[float, float], object]


class Store(Protocol):
    """The encrypted database: one writer thread, pooled readers."""

    def write(
        self, work: Callable[[Repositories], T], *, priority: LaneName = "interactive", held: Held | None = None
    ) -> T:
        """Run ``work`` on the writer thread in one transaction; durable when it returns, undone when it raises.

        Interactive work goes before background work that waits; it never interrupts a running transaction.
        ``held`` is told how long the transaction held the writer, commit included.
        """

    def read(self, *, unveiled: bool = False) -> AbstractContextManager[Repositories]:
        """Lend a reading connection with a stable snapshot for the block's duration.

        What is being forgotten is not seen, unless ``unveiled``: only for who goes on with the forgetting.
        """

    def stats(self) -> dict[str, Any]:
        """Return sizes, row counts, cache and statement hit rates."""

    def page_contains(self, needle: bytes) -> bool:
        """Whether any decrypted page of the file holds ``needle`` (proof of forgetting)."""

    def pages_holding(self, needles: Sequence[bytes]) -> set[bytes]:
        """Return those of ``needles`` that ``page_contains`` would find; one pass over the file for all."""

    def checkpoint(self) -> None:
        """Fold the WAL into the file and truncate it."""

    def hide(self, name: str, hidden: Hidden | None) -> None:
        """Let no read that begins from now on see what one piece of forgetting hides; None ends its hiding."""

    def fold_log(self) -> None:
        """Fold a WAL that has grown into the file beside the writer; for whoever writes much, between writes."""

    def backup(self, target: str, key: bytes) -> None:
        """Write a consistent, encrypted copy."""

    def close(self) -> None:
        """Close every connection. Idempotent."""


# --------------------------------------------------------------------------- models


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message as a model sees it."""

    role: Role
    content: str
    name: str | None = None
    tool_calls: tuple[dict[str, Any], ...] = ()
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRequest:
    """What is asked of a language model. ``None`` leaves the model's default."""

    messages: tuple[ChatMessage, ...]
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None
    #: the answer must be JSON that this schema accepts ({} for any JSON object).
    json_schema: dict[str, Any] | None = None
    tools: tuple[dict[str, Any], ...] = ()
    tool_choice: str | dict[str, Any] | None = None
    #: interactive requests go first and cancel background ones between tokens.
    priority: LaneName = "interactive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens and seconds of one generation."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_seconds: float = 0.0
    completion_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationChunk:
    """A piece of an answer. The last one has ``finish_reason`` and ``usage``."""

    text: str = ""
    tool_calls: tuple[dict[str, Any], ...] = ()
    finish_reason: Literal["stop", "length", "tool_calls"] | None = None
    usage: Usage | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """One model that can be chosen.

    ``id`` is ``bundled:<name>``, ``gguf:<path>`` or ``remote:<server>/<model>``.
    """

    id: str
    name: str
    source: Literal["bundled", "gguf", "remote"]
    path: str = ""
    size_bytes: int = 0
    context_tokens: int = 0
    parameters: int = 0
    quantization: str = ""
    architecture: str = ""
    licence: str = ""
    available: bool = True
    problem: str = ""
    extra: dict[str, Any] = field(default_factory=dict)


class LanguageModel(Protocol):
    """One model behind its engine. Calls block; run them on a lane."""

    @property
    def info(self) -> ModelInfo: ...
    @property
    def context_tokens(self) -> int:
        """Tokens the model sees at once, prompt and answer together, as configured here."""

    def generate(self, request: GenerationRequest, *, cancel: CancelToken | None = None) -> Iterator[GenerationChunk]:
        """Stream an answer.

        Raises:
            ContextOverflowError: the prompt does not fit; never retry it unchanged.
            CancelledError: ``cancel`` was set, or a chat displaced this background request.
            EngineError: crash, hang or a refusal of a remote server.
        """

    def count_tokens(self, messages: Sequence[ChatMessage]) -> int:
        """Return the prompt's length in the model's own tokens (estimated for remote models)."""


class ModelCatalogue(Protocol):
    """Models on this machine and on remote servers."""

    def all(self) -> list[ModelInfo]: ...
    def info(self, model_id: str) -> ModelInfo | None: ...
    def open(self, model_id: str) -> LanguageModel:
        """Return a model; its engine starts on first use.

        Raises:
            ModelMissingError: empty id, unknown id, or the file is gone.
        """

    def add_path(self, path: str, name: str = "") -> list[ModelInfo]:
        """Offer a GGUF file, or all of a folder, in place; ``name`` is shown instead of the file's own."""

    def remove(self, model_id: str) -> None: ...
    def unload(self, model_id: str | None = None) -> None:
        """Stop the engines of one model or of all."""

    def states(self) -> list[EngineState]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineState:
    """What an engine process is doing, for status bars and ``/readyz``."""

    name: str
    kind: Literal["llm", "embedder", "nlp"]
    state: Literal["stopped", "starting", "ready", "busy", "backoff", "failed"]
    model: str = ""
    pid: int | None = None
    rss_bytes: int = 0
    restarts: int = 0
    last_error: str = ""
    tokens_per_second: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerSpec:
    """What a supervised child process runs and how patient its callers are.

    Attributes:
        name: unique; shown in status bars.
        target: ``package.module:Class`` of the worker, imported in the child only.
        config: JSON values handed to the worker's constructor.
        env: environment variables added for the child.
        start_timeout: seconds without a sign of life while it starts.
        answer_timeout: seconds without a sign of life while it answers.
        idle_seconds: seconds without a request before it is ended to free its memory.
        preempt: an interactive request cancels a running background one.
        nice: how far the child steps back from the rest of the machine (POSIX niceness).
    """

    name: str
    kind: Literal["llm", "embedder", "nlp"]
    target: str
    config: dict[str, Any] = field(default_factory=dict)
    model: str = ""
    env: dict[str, str] = field(default_factory=dict)
    start_timeout: float = 120.0
    answer_timeout: float = 120.0
    idle_seconds: float = 600.0
    preempt: bool = True
    nice: int = 0


#: JSON values and raw bytes, as they travel between a worker and its caller.
WorkerItem = tuple[dict[str, Any], bytes]


class Worker(Protocol):
    """A child process that is started on first use and answers one request at a time."""

    def stream(
        self,
        op: str,
        args: dict[str, Any],
        *,
        blob: bytes = b"",
        priority: LaneName = "interactive",
        cancel: CancelToken | None = None,
        timeout: float | None = None,
    ) -> Iterator[WorkerItem]:
        """Run ``op`` in the child and yield what it yields.

        Closing the iterator early cancels the request.

        Raises:
            CancelledError: ``cancel`` was set, or an interactive request displaced this background one.
            EngineTimeoutError: no sign of life within ``timeout`` seconds; the child was ended.
            EngineCrashedError: the child ended while it worked, or keeps ending.
            MemdeskError: whatever typed error the worker raised.
        """

    def call(
        self,
        op: str,
        args: dict[str, Any],
        *,
        blob: bytes = b"",
        priority: LaneName = "interactive",
        cancel: CancelToken | None = None,
        timeout: float | None = None,
        aside: bool = False,
    ) -> WorkerItem:
        """Run ``op`` and return its last item (empty when there is none). Raises as ``stream``.

        ``aside`` asks beside the request that runs, without waiting for it or displacing it; only for small
        operations that the worker can do at any time, such as counting tokens.
        """

    def start(self) -> dict[str, Any]:
        """Start the child unless it runs, and return what its worker says about itself. Raises as ``stream``."""

    def state(self) -> EngineState: ...
    def unload(self) -> None:
        """End the child; the next request starts it again."""

    def close(self) -> None:
        """End the child for good. Idempotent."""


class Workers(Protocol):
    """Makes supervised child processes and ends them together."""

    def make(self, spec: WorkerSpec) -> Worker: ...
    def unload(self) -> None:
        """End every child; the next request to each starts it again."""

    def close(self) -> None:
        """End every child. Idempotent."""


class Embedder(Protocol):
    """Turns text into unit vectors. Calls block; run them on a lane."""

    @property
    def model_id(self) -> str:
        """Names the vector space; vectors of different ids are never compared."""

    @property
    def dim(self) -> int: ...
    def embed(self, texts: Sequence[str], *, priority: LaneName = "interactive") -> Vectors:
        """Return float32 of shape ``(len(texts), dim)``, rows of norm 1.

        Raises:
            EngineError: the engine process failed.
        """

    def state(self) -> EngineState: ...


class VectorIndex(Protocol):
    """Nearest neighbours by cosine for one agent and kind. Thread-safe."""

    def put(self, seqs: Sequence[int], vectors: NDArray[np.floating[Any]]) -> None:
        """Add or replace rows, shape ``(len(seqs), dim)``; they are found from now on, and by the graph after ``grow``."""

    def remove(self, seqs: Sequence[int]) -> None: ...
    def grow(self, stopped: Callable[[], bool] = ...) -> None:
        """Move what was put into the graph, until all of it is there or ``stopped()``. Takes a millisecond a row."""

    def search(self, query: Vectors, k: int, *, allowed: set[int] | None = None) -> list[tuple[int, float]]:
        """Return up to ``k`` pairs ``(seq, cosine)``, best first. ``query`` has shape ``(dim,)``."""

    def vectors(self, seqs: Sequence[int]) -> Vectors:
        """Return float32 of shape (len(seqs), dim), a zero row where there is none."""

    def __len__(self) -> int: ...
    def dump(self) -> bytes:
        """Return the graph without the vectors."""

    def adopt(self, data: bytes) -> int:
        """Take over the graph that ``dump`` returned, for the rows that were put; return how many it knows.

        Raises:
            BadRequestError: it is damaged.
        """


class VectorIndexFactory(Protocol):
    """Makes indexes."""

    def create(self, dim: int) -> VectorIndex: ...


class SecretStore(Protocol):
    """The OS keyring."""

    def available(self) -> bool: ...
    def get(self, account: str) -> str | None:
        """Return a secret, or None when there is none.

        Raises:
            EnvironmentFault: the keyring is locked or does not answer.
        """

    def set(self, account: str, secret: str) -> None: ...
    def delete(self, account: str) -> None: ...


class VaultPort(Protocol):
    """Where the data key is kept: in the OS keyring, and wrapped in ``vault.json``.

    A key is 32 random bytes. Nothing here logs a key, a code or a passphrase.
    """

    def exists(self) -> bool:
        """Whether ``vault.json`` is there; a store without one has never been made."""

    def create(self, passphrase: str | None = None) -> tuple[bytes, str]:
        """Make a new key and its vault; return the key and the recovery code, which is shown once.

        Raises:
            EnvironmentFault: no keyring and no passphrase, or the file cannot be written.
        """

    def open(self, passphrase: str | None = None, recovery_code: str | None = None) -> bytes:
        """Return the key: by the secret given, else from the keyring.

        A key that was opened by a secret is put (back) into the keyring where there is one.

        Raises:
            LockedError: the keyring does not hold it, or the secret is wrong.
            EnvironmentFault: the file is damaged or cannot be read.
        """

    def has_passphrase(self) -> bool: ...
    def new_recovery_code(self, key: bytes) -> str:
        """Wrap the key by a fresh code; the old one no longer opens it."""

    def set_passphrase(self, key: bytes, passphrase: str | None) -> None:
        """Wrap the key by a passphrase as well, or no longer (None)."""

    def verify_recovery(self, code: str) -> bool:
        """Whether the code opens this vault; changes nothing."""


# --------------------------------------------------------------------------- language analysis


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEntity:
    """A name found in a text: character span and type (person, place, organisation, product, date, other)."""

    text: str
    type: str
    start: int
    end: int


class EntityRecognizer(Protocol):
    """Named entity recognition."""

    def entities(self, texts: Sequence[str]) -> list[list[NamedEntity]]: ...


class LanguageAnalyzer(Protocol):
    """Tokens with lemmas, parts of speech, dependencies and names."""

    def analyze(self, texts: Sequence[str], *, cancel: CancelToken | None = None) -> list[Analysis]:
        """Analyse texts, in order.

        Raises:
            EngineError: the engine process failed; :func:`memdesk.domain.language.plain` stands in.
            CancelledError: ``cancel`` was set.
        """

    def state(self) -> EngineState: ...
