"""Vectors and full text of rows."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, Protocol

from memdesk.domain.models import Target, VectorKind


class EmbeddingsRepo(Protocol):
    """Normalized float16 vectors, keyed by (kind, seq of the row, model) with their content hash."""

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
        """Return ``(agent_id, seq)`` of rows that have no vector of ``model`` yet: changed ones, then new ones."""

    def count_missing(self, kind: VectorKind, model: str) -> int:
        """Return how many rows :meth:`missing` would return without a limit."""

    def drop_other_models(self, model: str) -> int:
        """Delete vectors and snapshots of every other model; return the number of vectors."""

    def drop_blank(self, model: str) -> int:
        """Delete a model's all-zero vectors, which stand for local-only texts; return their number."""

    def models(self) -> list[str]:
        """Return the models that may have vectors; fast, however many vectors there are."""

    def strays(self) -> int:
        """Return the number of vectors whose row is gone: zero, unless something went wrong."""

    def counts(self) -> dict[str, int]:
        """Return the number of vectors by ``kind:model``."""

    def among(self, target: Target, seqs: Sequence[int]) -> set[int]:
        """Return the items' numbers that belong to the target."""

    def few(self, target: Target, agent_id: str) -> set[int] | None:
        """Return numbers that include all items of the target, if an agent has few; else None.

        Searching these is quicker than searching all items until enough of the target are found.
        """

    def count_target(self, agent_id: str, target: Target) -> int:
        """Return how many items of the target an agent has."""

    def count(self, agent_id: str, kind: VectorKind, model: str) -> int:
        """Return the number of vectors of one index."""

    def put_snapshot_part(
        self, agent_id: str, kind: VectorKind, model: str, data: bytes, *, start: int, edition: str
    ) -> int:
        """Store the part of a snapshot that begins at ``start``; return where the next begins.

        For large indexes: one transaction a part, from 0 until ``len(data)`` is returned, all with one
        ``edition`` (any fresh id).
        """

    def snapshot(self, agent_id: str, kind: VectorKind, model: str) -> bytes | None: ...


@dataclass(frozen=True, slots=True)
class TextHit:
    """One full-text hit: the row's ``seq`` and its BM25 score, larger is better."""

    seq: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFilter:
    """Narrowing of a full-text search. ``agent_id`` is required: nothing crosses agents."""

    agent_id: str
    conversation_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    speaker: str | None = None
    kind: str | None = None
    tag: str | None = None
    as_of: datetime | None = None


class TextSearchRepo(Protocol):
    """Full-text search over what is stored."""

    def search(
        self,
        target: Target,
        terms: Sequence[str],
        flt: TextFilter,
        *,
        limit: int = 100,
        among: Collection[int] | None = None,
    ) -> list[TextHit]:
        """Rank rows with any of ``terms`` (plain words or phrases; quoted here, never parsed) by BM25.

        ``among``: numbers of items that include all of the target, if they are few. Only live rows: active facts and episodes. Terms without a word are matched literally.
        """

    def containing(self, target: Target, text: str, flt: TextFilter, *, limit: int) -> list[int]:
        """Return the newest live rows that contain exactly ``text``, ignoring case of ASCII letters.

        Scans row by row: a last resort.
        """

    def having(self, target: Literal["turn", "fact", "episode"], agent_id: str, words: Iterable[str]) -> list[int]:
        """Return the numbers of all rows of an agent, of any status, with one of the words; episodes in a detail too.

        Any number of words: each is looked up once.
        """

    def holding(self, phrase: str) -> list[tuple[str, str]]:
        """Return up to 20 ``(table, id)`` of rows that contain ``phrase`` literally.

        Of any agent, status, table and text column: the check after forgetting a phrase.
        """

    def text_columns(self) -> dict[str, list[str]]: ...

    def document_frequency(self, target: Target, terms: Sequence[str], agent_id: str | None = None) -> dict[str, int]:
        """Return how many rows, of all agents or of one, contain each term."""

    def rows(self, target: Target, agent_id: str | None = None) -> int:
        """Return the number of an agent's rows, or of all agents' as an estimate, without counting."""


#: The full-text indexes.
MIRRORS: Final = ("turns", "items")
