"""Where everything is kept: a unit of work, and the upkeep of an encrypted file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from memdesk.domain.forgetting.hiding import Hidden
    from memdesk.ports.conversations import AgentsRepo, ConversationsRepo, ImagesRepo, SignalsRepo, TurnsRepo
    from memdesk.ports.memory import EntitiesRepo, HistoryRepo, ItemsRepo, ReceiptsRepo
    from memdesk.ports.search import EmbeddingsRepo, TextSearchRepo
    from memdesk.ports.threads import LaneName
    from memdesk.ports.upkeep import ErasingRepo, MetaRepo, RunsRepo, TokensRepo

T = TypeVar("T")


class Repositories(Protocol):
    """All repositories over one connection. Over a reading connection, writes raise."""

    @property
    def agents(self) -> AgentsRepo: ...
    @property
    def conversations(self) -> ConversationsRepo: ...
    @property
    def turns(self) -> TurnsRepo: ...
    @property
    def images(self) -> ImagesRepo: ...
    @property
    def signals(self) -> SignalsRepo: ...
    @property
    def items(self) -> ItemsRepo: ...
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


#: Called with ``(seconds, processor seconds)`` of the writer's thread.
Held = Callable[[float, float], object]


class Store(Protocol):
    """A unit of work over everything that is remembered."""

    def write(
        self, work: Callable[[Repositories], T], *, priority: LaneName = "interactive", held: Held | None = None
    ) -> T:
        """Run ``work`` on the writer thread in one transaction; durable when it returns, rolled back when it raises.

        Interactive work goes before waiting background work; it never interrupts a running transaction.
        ``held`` gets the time that the transaction held the writer, commit included.
        """

    def read(self, *, unveiled: bool = False) -> AbstractContextManager[Repositories]:
        """Lend a read connection with a stable snapshot for the duration of the block.

        Rows being forgotten are hidden, unless ``unveiled``: only for the work that forgets them.
        """

    def check_room(self) -> None:
        """Raise :class:`~memdesk.errors.DiskFullError` if nothing new can be stored; call it before long work."""

    def hide(self, name: str, hidden: Hidden | None) -> None:
        """Hide rows being forgotten from all reads that begin from now on; None ends it."""

    def stats(self) -> dict[str, Any]:
        """Return sizes, row counts, cache and statement hit rates."""

    def close(self) -> None:
        """Close every connection. Idempotent."""


class LockableStore(Store, Protocol):
    """A store that starts closed; while closed, every use raises ``LockedError``."""

    def open(self, key: bytes, *, create: bool = True) -> None:
        """Open the database unless it is open; create it if it is missing and ``create`` is set."""


class StoreUpkeep(Store, Protocol):
    """What only an encrypted file needs: its pages, its log, its memory, its copies."""

    def pages_holding(self, needles: Sequence[bytes]) -> set[bytes]:
        """Return the needles found in any decrypted page of the file (proof of forgetting), in one pass."""

    def checkpoint(self) -> None:
        """Fold the WAL into the file and truncate it."""

    def checkpoint_soon(self) -> None:
        """Do the same when nobody reads or writes, without waiting for it."""

    def fold_log(self) -> None:
        """Fold a grown WAL into the file without the writer; for bulk writers, between writes."""

    def making_room(self, drop: Callable[[], object]) -> AbstractContextManager[None]:
        """Let this thread write within the block although the disk is full: what it writes frees space.

        Args:
            drop: deletes expendable copies if there is no space to begin with.
        """

    def release_memory(self, *, unless_read: int | None = None) -> None:
        """Release memory taken by reading, mainly page caches.

        Args:
            unless_read: do nothing if this many reads began since the last call.

        Raises:
            LockedError: the store is closed.
        """

    def backup(self, target: str, key: bytes) -> None:
        """Write a consistent, encrypted copy."""

    def drop_former_copies(self) -> None:
        """Delete copies of older schemas and of damaged files; they contain what was forgotten since."""
