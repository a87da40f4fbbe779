"""Keys and secrets."""

from collections.abc import Callable
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

    def rotate(self, key: bytes, code: str, passphrase: str | None, rewrite: Callable[[bytes, bytes], None]) -> bytes:
        """Give the memory a new key, which ``code`` and ``passphrase`` open from now on; return it.

        ``rewrite`` is called with the old and the new key and puts a database that answers to the new one into its place.
        Killed at any point, what opened the memory before opens it still, and ``code`` does too.
        """

    def new_recovery_code(self, key: bytes) -> str:
        """Wrap the key by a fresh code; the old one no longer opens it."""

    def set_passphrase(self, key: bytes, passphrase: str | None) -> None:
        """Wrap the key by a passphrase as well, or no longer (None)."""

    def verify_recovery(self, code: str) -> bool:
        """Whether the code opens this vault; changes nothing."""
