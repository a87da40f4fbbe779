"""``ports.SecretStore`` over the operating system's keyring."""

import logging
import secrets
import threading
from typing import Any

from memdesk.errors import EnvironmentFault
from memdesk.messages import say

log = logging.getLogger(__name__)

SERVICE = "memdesk"
#: Backends that store nothing, or store it readable for anyone with access to the disk.
UNSAFE_MODULES = ("keyring.backends.fail", "keyring.backends.null", "keyrings.alt")


class KeyringFault(EnvironmentFault):
    code = "keyring_unavailable"
    title = say("The system's keyring does not answer")
    default_hint = say("Unlock it (usually by logging in), or enter your recovery code instead.")


class KeyringStore:
    """Secrets in Secret Service, macOS Keychain or Windows Credential Locker. Thread-safe."""

    def __init__(self, profile: str = "default") -> None:
        self._service = SERVICE if profile == "default" else f"{SERVICE}:{profile}"
        self._lock = threading.Lock()
        self._backend: Any = None
        self._usable: bool | None = None

    def available(self) -> bool:
        """Whether there is a keyring that keeps secrets secret. Checked once; may still be locked."""
        with self._lock:
            if self._usable is None:
                self._usable = self._find()
            return self._usable

    def keeps(self) -> bool:
        """Whether a stored value can be read back: some keyrings accept values and keep nothing.

        Raises:
            KeyringFault: no safe keyring, or it is locked.
        """
        account, secret = f"probe:{secrets.token_hex(8)}", secrets.token_hex(16)
        self.set(account, secret)
        try:
            return self.get(account) == secret
        finally:
            self.delete(account)

    def get(self, account: str) -> str | None:
        value: str | None = self._do("get_password", account)
        return value

    def set(self, account: str, secret: str) -> None:
        """Store a secret. Raises as ``get``."""
        self._do("set_password", account, secret)

    def delete(self, account: str) -> None:
        """Delete a secret; missing ones are fine. Raises as ``get``."""
        if self.get(account) is not None:
            self._do("delete_password", account)

    def _find(self) -> bool:
        import keyring
        from keyring.backends import chainer

        try:
            found = keyring.get_keyring()
            backends = found.backends if isinstance(found, chainer.ChainerBackend) else [found]
        except Exception as error:  # noqa: BLE001  # a broken third-party backend is the same as none
            log.info("no keyring: %s", type(error).__name__)
            return False
        for backend in backends:
            if not type(backend).__module__.startswith(UNSAFE_MODULES):
                self._backend = backend
                return True
        return False

    def _do(self, operation: str, account: str, *rest: str) -> Any:
        if not self.available():
            raise KeyringFault(
                say("There is no keyring that keeps secrets safely."), hint=say("Set a passphrase instead.")
            )
        from keyring.errors import KeyringError, KeyringLocked

        try:
            with self._lock:
                return getattr(self._backend, operation)(self._service, account, *rest)
        except KeyringLocked as error:
            raise KeyringFault(say("The keyring is locked.")) from error
        except KeyringError as error:
            raise KeyringFault(say("The keyring refused.")) from error
        except Exception as error:
            # D-Bus and native errors have many types; their texts contain no secrets.
            raise KeyringFault(say("The keyring failed ({type}).", type=type(error).__name__)) from error
