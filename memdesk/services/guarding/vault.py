"""Locking and unlocking the memory, the recovery code and the passphrase."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from attrs import define

from memdesk.domain.caches import forget_all
from memdesk.errors import ConflictError, LockedError
from memdesk.messages import say
from memdesk.services.events import EventBus, LockChanged

if TYPE_CHECKING:
    from memdesk.ports import Clock, LockableStore, VaultPort, Way

VaultState = Literal["new", "locked", "open"]
#: Key in ``meta``: whether the user has confirmed keeping the recovery code.
CONFIRMED: Final = "vault.recovery_confirmed"
#: Key in ``meta``: when the recovery code was created or last opened the vault, in ISO 8601.
TRIED: Final = "vault.recovery_tried"


@define(kw_only=True, eq=False, repr=False, slots=False)
class VaultService:
    """Holds the data key while the memory is open, and drops it when locked. Thread-safe.

    Args:
        clock: to record when the recovery code was last tried.
        let_go: called once the store is closed, to free memory that held decrypted text.
    """

    _vault: VaultPort
    _store: LockableStore
    _events: EventBus
    _clock: Clock
    _let_go: Callable[[], None] = lambda: None

    def __attrs_post_init__(self) -> None:
        self._lock = threading.RLock()
        self._key: bytes | None = None
        #: the code of a vault created in this session, until the user confirms keeping it.
        self._fresh_code: str | None = None

    def state(self) -> VaultState:
        """Return whether there is no memory yet, or it is locked, or open."""
        if self._key is not None:
            return "open"
        return "locked" if self._vault.exists() else "new"

    def is_open(self) -> bool:
        """Whether the key is in memory; does not access the disk."""
        return self._key is not None

    def check_file(self) -> None:
        """Check that the vault's file still exists: without it, an open memory could not be opened again.

        Raises:
            EnvironmentFault: it is gone.
        """
        self._vault.exists()

    def create(self, passphrase: str | None = None) -> str:
        """Create a new memory, open it, and return its recovery code, which is not stored.

        Raises:
            ConflictError: a memory exists already.
            EnvironmentFault: there is neither a keyring nor a passphrase.
        """
        with self._lock:
            if self._vault.exists():
                raise ConflictError(
                    say("There is a memory already."), hint=say("Unlock it, or start with another profile.")
                )
            key, code = self._vault.create(passphrase)
            self._open(key)
            self._note_tried()
            self._fresh_code = code
            self._events.publish(LockChanged(locked=False))
        return code

    def unlock(self, *, passphrase: str | None = None, recovery_code: str | None = None) -> None:
        """Open the memory: with the secret given, else from the keyring. No-op if it is open.

        Raises:
            LockedError: the secret is wrong, or there is none and the keyring does not hold the key.
        """
        with self._lock:
            if self._key is not None:
                return
            # An empty memory behind an existing vault would look as if nothing had been remembered.
            self._open(self._vault.open(passphrase=passphrase, recovery_code=recovery_code), create=False)
            self._events.publish(LockChanged(locked=False))

    def lock(self) -> None:
        """Close the memory and drop the key. Subscribers unload engines. Idempotent."""
        with self._lock:
            if self._key is None:
                return
            key, self._key = self._key, None
            self._fresh_code = None
            # First notify, so that engines and caches let go; then close behind the last reader. All of it before
            # anyone may unlock: a store closed after that would leave an open vault in front of it.
            self._events.publish(LockChanged(locked=True))
            self._store.close()
            forget_all()
            self._let_go()
            _overwrite(key)

    @contextmanager
    def closed(self) -> Iterator[bytes]:
        """Lock the memory for the duration of the block, then open whatever is in its place with the same key.

        Raises:
            LockedError: it is locked.
        """
        # A copy: locking overwrites its own.
        key = bytes(bytearray(self.key()))
        self.lock()
        try:
            yield key
        finally:
            with self._lock:
                self._open(key, create=False)
                self._events.publish(LockChanged(locked=False))

    def key(self) -> bytes:
        """Return the data key, for a backup. Raises ``LockedError``."""
        if self._key is None:
            raise LockedError(say("The memory is locked."))
        return self._key

    def has_passphrase(self) -> bool:
        return self._vault.has_passphrase()

    def ways(self) -> frozenset[Way]:
        """Return the ways to open the memory besides the recovery code."""
        return self._vault.ways()

    def new_recovery_code(self) -> str:
        """Replace the recovery code; the old one stops working (except for older backups)."""
        with self._lock:
            code = self._vault.new_recovery_code(self.key())
            self._fresh_code = code
        self._store.write(lambda repos: repos.meta.put(CONFIRMED, None))
        self._note_tried()
        return code

    def set_passphrase(self, passphrase: str | None) -> None:
        """Let a passphrase open the vault as well; None removes it."""
        with self._lock:
            self._vault.set_passphrase(self.key(), passphrase)

    def verify_recovery(self, code: str) -> bool:
        """Whether the code opens this vault: the drill. Takes about a second."""
        right = self._vault.verify_recovery(code)
        if right and self.is_open():
            self._note_tried()
        return right

    def recovery_tried(self) -> datetime | None:
        """Return when the recovery code was made or last opened the vault; None if it was never recorded."""
        with self._store.read() as repos:
            noted = repos.meta.get(TRIED)
        return datetime.fromisoformat(noted) if noted else None

    def confirm_recovery(self, words: str | Mapping[int, str]) -> bool:
        """Check that the user kept the recovery code, and record it.

        Args:
            words: the whole code; or some of its parts by position from 0, while a code created in this session is
                still known.
        """
        if isinstance(words, str):
            right = self._vault.verify_recovery(words)
        else:
            parts = recovery_parts(self._fresh_code or "")
            right = bool(words) and all(
                0 <= place < len(parts) and parts[place] == word.strip().casefold() for place, word in words.items()
            )
        if right:
            self._fresh_code = None
            self._store.write(lambda repos: repos.meta.put(CONFIRMED, value=True))
            self._note_tried()
        return right

    def recovery_confirmed(self) -> bool:
        """Whether the user has confirmed keeping the present code."""
        with self._store.read() as repos:
            return bool(repos.meta.get(CONFIRMED))

    def _note_tried(self) -> None:
        now = self._clock.now().isoformat()
        self._store.write(lambda repos: repos.meta.put(TRIED, now))

    def _open(self, key: bytes, *, create: bool = True) -> None:
        self._store.open(key, create=create)
        self._key = key


def recovery_parts(code: str) -> list[str]:
    """Return the parts of a recovery code that a person copies one by one, in lower case."""
    return code.replace("-", " ").casefold().split()


def _overwrite(secret: bytes) -> None:
    """Overwrite a secret in place that only the caller still holds: Python frees bytes without wiping them."""
    alone = 3  # references: the caller's name, ours, and the argument of the counting call
    if sys.implementation.name == "cpython" and sys.getrefcount(secret) <= alone:
        ctypes.memset(id(secret) + bytes.__basicsize__ - 1, 0, len(secret))
