"""Keys of model servers: in the system's keyring, or in the encrypted database if there is none."""

from typing import Final

from memdesk.ports import SecretStore, Store

#: Prefix of their keys in the database, by account.
PREFIX: Final = "server_key:"


class ServerKeys:
    """A ``SecretStore`` that always works: the keyring if available, else the database.

    In the database, keys are encrypted with the vault's key, readable while it is open, and included in backups.
    """

    def __init__(self, keyring: SecretStore, store: Store) -> None:
        self._keyring = keyring
        self._store = store

    def available(self) -> bool:
        """Whether a key can be stored: always, but possibly only while the vault is open."""
        return True

    def get(self, account: str) -> str | None:
        """Return a key, or None.

        Raises:
            EnvironmentFault: the keyring is locked or does not answer.
            LockedError: there is no keyring, and the vault is locked.
        """
        if self._keyring.available() and (kept := self._keyring.get(account)) is not None:
            return kept
        with self._store.read() as repos:
            found = repos.meta.get(PREFIX + account)
        return str(found) if found else None

    def set(self, account: str, secret: str) -> None:
        """Keep a key. Raises as :meth:`get`."""
        if self._keyring.available():
            self._keyring.set(account, secret)
            return
        self._store.write(lambda repos: repos.meta.put(PREFIX + account, secret))

    def delete(self, account: str) -> None:
        """Delete a key wherever it is; missing ones are fine. Raises as :meth:`get`."""
        if self._keyring.available():
            self._keyring.delete(account)
        self._store.write(lambda repos: repos.meta.put(PREFIX + account, None))
