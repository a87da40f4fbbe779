"""The store behind a door: closed while the vault is locked, so that every use answers ``locked``."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from memdesk.errors import LockedError

if TYPE_CHECKING:
    from memdesk.ports import Repositories, Store

T = TypeVar("T")


class LockableStore:
    """``ports.Store`` that can be closed and opened again under the services that hold it. Thread-safe.

    Reads and writes that run when the door closes end first.

    Args:
        opener: opens the database with a key.
    """

    def __init__(self, opener: Callable[[bytes], Store]) -> None:
        self._opener = opener
        self._changed = threading.Condition()
        self._inner: Store | None = None
        self._users = 0

    @property
    def is_open(self) -> bool:
        """Whether a database is open."""
        return self._inner is not None

    def open(self, key: bytes) -> None:
        """Open the database, unless it is open.

        Raises:
            MemdeskError: whatever the database refuses with; the door stays closed.
        """
        with self._changed:
            if self._inner is None:
                self._inner = self._opener(key)

    def close(self) -> None:
        """Close the door to newcomers, wait for those inside, and close the database. Idempotent."""
        with self._changed:
            inner, self._inner = self._inner, None
            if inner is None:
                return
            self._changed.wait_for(lambda: self._users == 0, timeout=30.0)
        inner.close()

    def write(self, work: Callable[[Repositories], T]) -> T:
        """Run ``work`` in one transaction; see ``ports.Store``."""
        with self._entered() as store:
            return store.write(work)

    def read(self) -> AbstractContextManager[Repositories]:
        """Lend a reading connection; see ``ports.Store``."""
        return self._read()

    @contextmanager
    def _read(self) -> Iterator[Repositories]:
        with self._entered() as store, store.read() as repos:
            yield repos

    def stats(self) -> dict[str, Any]:
        """Return the database's figures."""
        with self._entered() as store:
            return store.stats()

    def page_contains(self, needle: bytes) -> bool:
        """Whether any decrypted page holds ``needle``."""
        with self._entered() as store:
            return store.page_contains(needle)

    def checkpoint(self) -> None:
        """Fold the WAL into the file."""
        with self._entered() as store:
            store.checkpoint()

    def backup(self, target: str, key: bytes) -> None:
        """Write an encrypted copy."""
        with self._entered() as store:
            store.backup(target, key)

    @contextmanager
    def _entered(self) -> Iterator[Store]:
        with self._changed:
            if self._inner is None:
                raise LockedError("The memory is locked.")
            store = self._inner
            self._users += 1
        try:
            yield store
        finally:
            with self._changed:
                self._users -= 1
                self._changed.notify_all()
