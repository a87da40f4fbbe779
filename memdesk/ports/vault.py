"""Keys and secrets."""

from collections.abc import Callable
from typing import Literal, Protocol

#: Ways to open a vault besides its recovery code.
Way = Literal["keyring", "passphrase"]


class SecretStore(Protocol):
    """The OS keyring."""

    def available(self) -> bool: ...
    def get(self, account: str) -> str | None:
        """Return a secret, or None.

        Raises:
            EnvironmentFault: the keyring is locked or does not answer.
        """

    def set(self, account: str, secret: str) -> None: ...
    def delete(self, account: str) -> None: ...


class VaultPort(Protocol):
    """Holds the data key: in the OS keyring, and wrapped in ``vault.json``.

    A key is 32 random bytes. Nothing here logs a key, a code or a passphrase.
    """

    def exists(self) -> bool:
        """Whether ``vault.json`` exists; without one no store was ever created."""

    def create(self, passphrase: str | None = None) -> tuple[bytes, str]:
        """Make a new key and its vault; return the key and the recovery code, which is shown once.

        Raises:
            EnvironmentFault: no keyring and no passphrase, or the file cannot be written.
        """

    def open(self, passphrase: str | None = None, recovery_code: str | None = None) -> bytes:
        """Return the key: with the secret given, else from the keyring.

        A key opened with a secret is put (back) into the keyring if there is one.

        Raises:
            LockedError: the keyring does not hold it, or the secret is wrong.
            EnvironmentFault: the file is damaged or cannot be read.
        """

    def has_passphrase(self) -> bool: ...
    def ways(self) -> frozenset[Way]:
        """Return the ways to open the vault besides its recovery code; a keyring, if present, keeps the key."""

    def rotate(self, key: bytes, code: str, passphrase: str | None, rewrite: Callable[[bytes, bytes], None]) -> bytes:
        """Give the memory a new key, which ``code`` and ``passphrase`` open from now on; return it.

        ``rewrite`` is called with the old and the new key and replaces the database by one encrypted with the new key.
        If killed at any point, the old secrets still open the memory, and so does ``code``.
        """

    def new_recovery_code(self, key: bytes) -> str:
        """Wrap the key with a new code; the old one no longer works."""

    def set_passphrase(self, key: bytes, passphrase: str | None) -> None:
        """Wrap the key with a passphrase as well; None removes it."""

    def verify_recovery(self, code: str) -> bool:
        """Whether the code opens this vault; changes nothing."""
