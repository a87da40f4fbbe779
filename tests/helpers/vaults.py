"""A vault in memory, and a keyring that is a dictionary."""

from __future__ import annotations

from memdesk.errors import LockedError


class MemorySecrets:
    """``ports.SecretStore`` over a dictionary."""

    def __init__(self, *, available: bool = True) -> None:
        self.kept: dict[str, str] = {}
        self._available = available

    def available(self) -> bool:
        return self._available

    def get(self, account: str) -> str | None:
        return self.kept.get(account)

    def set(self, account: str, secret: str) -> None:
        self.kept[account] = secret

    def delete(self, account: str) -> None:
        self.kept.pop(account, None)


class MemoryVault:
    """``ports.VaultPort`` without a file or real wrapping."""

    def __init__(self) -> None:
        self.key: bytes | None = None
        self.code = "alpha-bravo-charlie-delta"
        self.passphrase: str | None = None
        self.in_keyring = True

    def exists(self) -> bool:
        return self.key is not None

    def create(self, passphrase: str | None = None) -> tuple[bytes, str]:
        self.key, self.passphrase = b"k" * 32, passphrase
        return self.key, self.code

    def open(self, passphrase: str | None = None, recovery_code: str | None = None) -> bytes:
        assert self.key is not None
        given = passphrase or recovery_code
        if given is None and self.in_keyring:
            return self.key
        if (passphrase and passphrase == self.passphrase) or (recovery_code and recovery_code == self.code):
            return self.key
        raise LockedError("wrong or no secret")

    def has_passphrase(self) -> bool:
        return self.passphrase is not None

    def ways(self) -> frozenset[str]:
        return frozenset({"keyring"} if self.passphrase is None else {"keyring", "passphrase"})

    def new_recovery_code(self, key: bytes) -> str:
        assert key == self.key
        self.code = "echo-foxtrot-golf-hotel"
        return self.code

    def set_passphrase(self, key: bytes, passphrase: str | None) -> None:
        assert key == self.key
        self.passphrase = passphrase

    def verify_recovery(self, code: str) -> bool:
        return code == self.code
