"""Keys and secrets."""

from __future__ import annotations

from typing import Literal, Protocol

#: What opens a vault besides its recovery code.
Way = Literal["keyring", "passphrase"]


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
    def ways(self) -> frozenset[Way]:
        """Return what opens the vault besides its recovery code; a keyring that is there keeps the key."""

    def new_recovery_code(self, key: bytes) -> str:
        """Wrap the key by a fresh code; the old one no longer opens it."""

    def set_passphrase(self, key: bytes, passphrase: str | None) -> None:
        """Wrap the key by a passphrase as well, or no longer (None)."""

    def verify_recovery(self, code: str) -> bool:
        """Whether the code opens this vault; changes nothing."""
