"""Keeps the data key: in the OS keyring, and wrapped in ``vault.json`` by a recovery code and a passphrase."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import logging
import os
import threading
import unicodedata
import uuid
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from memdesk.errors import BadRequestError, EnvironmentFault
from memdesk.ports import SecretStore, VaultPort, Way
from memdesk.settings.files import write_atomic
from memdesk.storage import recovery_code
from memdesk.storage.errors import (
    MistypedRecoveryCodeError,
    NoKeyringError,
    PassphraseRequiredError,
    RecoveryRequiredError,
    VaultAbsentError,
    VaultDamagedError,
    VaultError,
    VaultExistsError,
    VaultMissingError,
    VaultNewerError,
    WrongPassphraseError,
    WrongRecoveryCodeError,
    translate_os,
)
from memdesk.storage.wrapping import KdfCost, Slot, unwrap, wrap

log = logging.getLogger(__name__)
KEY_BYTES = 32
_FORMAT = 1
SlotName = Literal["recovery", "passphrase"]


@dataclass(frozen=True, slots=True)
class _Contents:
    """``vault.json``. ``fingerprint`` tells the right key from another without revealing either."""

    id: str
    fingerprint: str
    slots: dict[str, Slot]

    def dump(self) -> bytes:
        body: dict[str, Any] = {
            "format": _FORMAT,
            "id": self.id,
            "fingerprint": self.fingerprint,
            "slots": {name: slot.to_json() for name, slot in sorted(self.slots.items())},
        }
        return json.dumps({**body, "checksum": _checksum(body)}, indent=2).encode() + b"\n"

    @classmethod
    def load(cls, data: bytes) -> _Contents:
        """Return what :meth:`dump` wrote.

        Raises:
            VaultDamagedError: it is not that.
            VaultNewerError: it has a format that this program does not know.
        """
        try:
            body = json.loads(data)
            if isinstance(body["format"], int) and body["format"] > _FORMAT:
                raise VaultNewerError(f"vault.json has format {body['format']}; this memdesk knows {_FORMAT}.")
            checksum = body.pop("checksum")
            if not hmac.compare_digest(str(checksum), _checksum(body)):
                raise VaultDamagedError("vault.json was altered: its checksum does not fit.")
            slots = {str(name): Slot.from_json(slot) for name, slot in body["slots"].items()}
            return cls(str(body["id"]), str(body["fingerprint"]), slots)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise VaultDamagedError("vault.json is not what memdesk wrote.") from error


class Vault:
    """One vault file and its entry in the keyring. Thread-safe; holds no key of its own.

    Args:
        path: ``vault.json``.
        secrets: the OS keyring, which may be absent.
        database: the file whose presence without a vault is an alarm; ``memory.db`` beside the vault by default.
        cost: of guessing a code or passphrase; tests lower it.
    """

    def __init__(
        self, path: Path, secrets: SecretStore, *, database: Path | None = None, cost: KdfCost | None = None
    ) -> None:
        self.path = path
        self._secrets = secrets
        self._database = path.with_name("memory.db") if database is None else database
        self._cost = KdfCost() if cost is None else cost
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Vault({str(self.path)!r})"

    def exists(self) -> bool:
        """Whether ``vault.json`` is there.

        Raises:
            VaultMissingError: it is not, but the database is; a new vault would not open that.
        """
        if self.path.exists():
            return True
        if self._database.exists():
            raise VaultMissingError(f"{self._database} is there, but {self.path.name} is not.")
        return False

    def create(self, passphrase: str | None = None) -> tuple[bytes, str]:
        """Make a key and its vault; return the key and the recovery code, which is stored nowhere.

        Raises:
            VaultExistsError: there is one.
            VaultMissingError: there is a database that this new key would not open.
            NoKeyringError: neither a keyring nor a passphrase would give the key back.
            EnvironmentFault: the file cannot be written.
        """
        with self._lock:
            if self.exists():
                raise VaultExistsError(f"{self.path} exists.")
            if passphrase is None and not self._secrets.available():
                raise NoKeyringError("This system has no keyring to keep the key in.")
            key, code, vault_id = os.urandom(KEY_BYTES), recovery_code.generate(), str(uuid.uuid4())
            slots = {"recovery": self._wrap(key, "recovery", _code_secret(code), vault_id)}
            if passphrase is not None:
                slots["passphrase"] = self._wrap(key, "passphrase", _passphrase_secret(passphrase), vault_id)
            contents = _Contents(vault_id, _fingerprint(key, vault_id), slots)
            stored = self._remember(contents, key)
            if not stored and passphrase is None:
                raise NoKeyringError("The keyring did not keep the key.")
            self._write(contents)
        return key, code

    def open(self, passphrase: str | None = None, recovery_code: str | None = None) -> bytes:
        """Return the key: by the secret given, else from the keyring.

        A key that a secret opened is put back into the keyring where there is one.

        Raises:
            VaultAbsentError: no vault was made yet.
            VaultMissingError, VaultDamagedError, VaultNewerError: the file cannot be used.
            WrongPassphraseError, WrongRecoveryCodeError, MistypedRecoveryCodeError: the secret does not fit.
            PassphraseRequiredError: no secret was given and only a passphrase can help.
            RecoveryRequiredError: no secret was given and the keyring does not hold the key.
        """
        with self._lock:
            contents = self._read()
            if recovery_code is None and passphrase is None:
                return self._from_keyring(contents)
            if recovery_code is not None:
                key = self._from_code(contents, recovery_code)
            else:
                key = self._from_passphrase(contents, passphrase or "")
            self._remember(contents, key)
        return key

    def has_passphrase(self) -> bool:
        """Whether a passphrase opens the vault as well."""
        return self.path.exists() and "passphrase" in self._read().slots

    def ways(self) -> frozenset[Way]:
        """Return what opens the vault besides its recovery code.

        A keyring that is there counts: whatever opens the vault puts the key into it.
        """
        found: set[Way] = set()
        if self._secrets.available():
            found.add("keyring")
        if self.has_passphrase():
            found.add("passphrase")
        return frozenset(found)

    def new_recovery_code(self, key: bytes) -> str:
        """Wrap the key by a fresh code; the old one no longer opens this file (older copies it does)."""
        code = recovery_code.generate()
        self._change(key, "recovery", _code_secret(code))
        return code

    rewrap = new_recovery_code

    def set_passphrase(self, key: bytes, passphrase: str | None) -> None:
        """Let a passphrase open the vault as well, or no longer (None).

        Raises:
            BadRequestError: the passphrase is empty.
            NoKeyringError: without a keyring, taking the passphrase away would leave only the recovery code.
        """
        if passphrase is None and not self._secrets.available():
            raise NoKeyringError("This system has no keyring, so the passphrase must stay.")
        self._change(key, "passphrase", None if passphrase is None else _passphrase_secret(passphrase))

    def verify_recovery(self, code: str) -> bool:
        """Whether the code opens this vault, slips mended; changes nothing."""
        try:
            self._from_code(self._read(), code)
        except (WrongRecoveryCodeError, MistypedRecoveryCodeError):
            return False
        return True

    # ------------------------------------------------------------------ ways to the key

    def _from_keyring(self, contents: _Contents) -> bytes:
        text = self._secrets.get(_account(contents.id)) if self._secrets.available() else None
        key = None if text is None else _decode(text)
        if key is not None and _fits(key, contents):
            return key
        if "passphrase" in contents.slots:
            raise PassphraseRequiredError("This vault opens with its passphrase here.")
        raise RecoveryRequiredError(
            "The keyring holds no key for this memory." if text is None else "The keyring holds another key."
        )

    def _from_code(self, contents: _Contents, typed: str) -> bytes:
        readings = recovery_code.readings(typed)
        if not readings:
            raise MistypedRecoveryCodeError("The code's checksum does not fit what was typed.")
        slot = contents.slots.get("recovery")
        if slot is None:
            raise WrongRecoveryCodeError("This vault has no recovery code.")
        for secret in readings:
            key = unwrap(slot, secret.encode(), vault_id=contents.id, name="recovery")
            if key is not None:
                return self._checked(contents, key)
        raise WrongRecoveryCodeError("The code is well-formed, but opens another vault.")

    def _from_passphrase(self, contents: _Contents, passphrase: str) -> bytes:
        slot = contents.slots.get("passphrase")
        if slot is None:
            raise WrongPassphraseError("This vault has no passphrase; use the recovery code.")
        secret = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")
        key = unwrap(slot, secret, vault_id=contents.id, name="passphrase")
        if key is None:
            raise WrongPassphraseError("The passphrase does not open this vault.")
        return self._checked(contents, key)

    def _checked(self, contents: _Contents, key: bytes) -> bytes:
        if not _fits(key, contents):
            raise VaultDamagedError("vault.json holds a key that is not the one it names.")
        return key

    # ------------------------------------------------------------------ file and keyring

    def _change(self, key: bytes, name: SlotName, secret: bytes | None) -> None:
        with self._lock:
            contents = self._read()
            if not _fits(key, contents):
                raise VaultError("That key is not this vault's.")
            slots = dict(contents.slots)
            if secret is None:
                slots.pop(name, None)
            else:
                slots[name] = self._wrap(key, name, secret, contents.id)
            self._write(replace(contents, slots=slots))

    def _wrap(self, key: bytes, name: SlotName, secret: bytes, vault_id: str) -> Slot:
        return wrap(key, secret, vault_id=vault_id, name=name, cost=self._cost)

    def _remember(self, contents: _Contents, key: bytes) -> bool:
        """Put the key into the keyring; a keyring that refuses is no reason to keep the owner out."""
        if not self._secrets.available():
            return False
        try:
            self._secrets.set(_account(contents.id), base64.b64encode(key).decode())
        except EnvironmentFault as error:
            log.warning("the keyring did not keep the key: %s", error.code)
            return False
        return True

    def _read(self) -> _Contents:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            self.exists()
            raise VaultAbsentError("There is no vault yet.") from None
        except OSError as error:
            raise translate_os(error, self.path) from error
        return _Contents.load(data)

    def _write(self, contents: _Contents) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomic(self.path, contents.dump())
        except OSError as error:
            raise translate_os(error, self.path) from error


def _account(vault_id: str) -> str:
    return f"data-key-{vault_id}"


def _checksum(body: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _fingerprint(key: bytes, vault_id: str) -> str:
    return hmac.new(key, b"memdesk vault fingerprint " + vault_id.encode(), hashlib.sha256).hexdigest()[:32]


def _fits(key: bytes, contents: _Contents) -> bool:
    return len(key) == KEY_BYTES and hmac.compare_digest(_fingerprint(key, contents.id), contents.fingerprint)


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _code_secret(code: str) -> bytes:
    return recovery_code.readings(code)[0].encode()


def _passphrase_secret(passphrase: str) -> bytes:
    """Return the passphrase as bytes, the same however the keyboard composes its letters."""
    if not passphrase:
        raise BadRequestError("An empty passphrase protects nothing.", hint="Choose a longer one.")
    return unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")


if TYPE_CHECKING:
    _CONFORMS: type[VaultPort] = Vault
