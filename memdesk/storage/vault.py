"""Keeps the data key: in the OS keyring, and wrapped in ``vault.json`` by a recovery code and a passphrase."""

import base64
import binascii
import hashlib
import hmac
import logging
import os
import threading
import unicodedata
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from memdesk.errors import BadRequestError, EnvironmentFault, LockedError
from memdesk.messages import say
from memdesk.ports import SecretStore, VaultPort, Way
from memdesk.settings.files import write_atomic
from memdesk.storage import recovery_code
from memdesk.storage.connection import connect
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
    WrongPassphraseError,
    WrongRecoveryCodeError,
    translate_os,
)
from memdesk.storage.files import drop_rekeyed
from memdesk.storage.preflight import note_folded
from memdesk.storage.vault_file import Contents, Succession
from memdesk.storage.wrapping import KdfCost, Slot, seal, unseal, unwrap, wrap

log = logging.getLogger(__name__)
KEY_BYTES = 32
SlotName = Literal["recovery", "passphrase"]


class Vault:
    """One vault file and its entry in the keyring. Thread-safe; holds no key.

    Args:
        secrets: the OS keyring, which may be absent.
        database: the file that must not exist without a vault; ``memory.db`` beside the vault by default.
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
            VaultMissingError: it does not, but the database does; a new vault would not open that.
        """
        if self.path.exists():
            return True
        if self._database.exists():
            raise VaultMissingError(
                say("{database} is there, but {name} is not.", database=self._database, name=self.path.name)
            )
        return False

    def create(self, passphrase: str | None = None) -> tuple[bytes, str]:
        """Make a key and its vault; return the key and the recovery code, which is stored nowhere.

        Raises:
            VaultExistsError: a vault exists already.
            VaultMissingError: a database exists that the new key would not open.
            NoKeyringError: there is neither a keyring nor a passphrase to recover the key.
            EnvironmentFault: the file cannot be written.
        """
        with self._lock:
            if self.exists():
                raise VaultExistsError(say("{path} exists.", path=self.path))
            if passphrase is None and not self._secrets.available():
                raise NoKeyringError(say("This system has no keyring to keep the key in."))
            key, code = os.urandom(KEY_BYTES), recovery_code.generate()
            contents = self._wrapped(key, code, passphrase)
            stored = self._remember(contents, key)
            if not stored and passphrase is None:
                raise NoKeyringError(say("The keyring did not keep the key."))
            self._write(contents)
        return key, code

    def open(self, passphrase: str | None = None, recovery_code: str | None = None) -> bytes:
        """Return the key: with the secret given, else from the keyring.

        A key opened with a secret is put back into the keyring if there is one.

        Raises:
            VaultAbsentError: no vault exists yet.
            VaultMissingError, VaultDamagedError, VaultNewerError: the file cannot be used.
            WrongPassphraseError, WrongRecoveryCodeError, MistypedRecoveryCodeError: the secret is wrong.
            PassphraseRequiredError: no secret was given and only a passphrase can help.
            RecoveryRequiredError: no secret was given and the keyring does not hold the key.
        """
        with self._lock:
            contents = self._read()
            if contents.succession is not None:
                return self._settled(contents, passphrase, recovery_code)
            key = self._opened(contents, passphrase, recovery_code)
            if recovery_code is not None or passphrase is not None:
                self._remember(contents, key)
        return key

    def rotate(self, key: bytes, code: str, passphrase: str | None, rewrite: Callable[[bytes, bytes], None]) -> bytes:
        """Give the memory a new key; return it.

        If killed at any point, the old secrets and ``code`` open the database: the vault names both keys until the
        database is encrypted with the new one.

        ``code`` is the new recovery code, which the owner has seen. ``rewrite`` is called with the present and the new
        key; it replaces the database by one encrypted with the new key, in one step.

        Raises:
            BadRequestError: the code is not well-formed, or the passphrase is empty.
            NoKeyringError: without a keyring and a passphrase only the recovery code would open the memory.
            VaultError: the key is not of this vault.
        """
        if not recovery_code.readings(code):
            raise BadRequestError(say("That is not a recovery code."), hint=say("Ask for a new one."))
        with self._lock:
            contents = self._read()
            if not _fits(key, contents):
                raise VaultError(say("That key is not this vault's."))
            if passphrase is None and not self._secrets.available():
                raise NoKeyringError(say("This system has no keyring, so a passphrase must open the memory."))
            new = os.urandom(KEY_BYTES)
            following = self._wrapped(new, code, passphrase)
            pair = f"{contents.id} {following.id}"
            succession = Succession(following, seal(new, by=key, context=pair), seal(key, by=new, context=pair))
            self._remember(following, new)
            self._write(replace(contents, succession=succession))
            try:
                rewrite(key, new)
            except EnvironmentFault:
                self._end_change(contents, following, key, new)
                raise
            self._finish(contents, following)
        return new

    def _settled(self, contents: Contents, passphrase: str | None, code: str | None) -> bytes:
        """Open a vault whose key was being changed, and finish or undo the change to match the database."""
        succession = contents.succession
        assert succession is not None
        following = succession.contents
        pair = f"{contents.id} {following.id}"
        old: bytes | None
        try:
            old = self._opened(contents, passphrase, code)
            new = unseal(succession.forward, by=old, context=pair)
        except LockedError:
            new = self._opened(following, passphrase, code)
            old = unseal(succession.back, by=new, context=pair)
        if old is None or new is None:
            raise VaultDamagedError(say("vault.json holds a change of keys that does not fit its keys."))
        return self._end_change(contents, following, old, new)

    def _end_change(self, contents: Contents, following: Contents, old: bytes, new: bytes) -> bytes:
        """Finish or undo a change of keys to match the database, and return its key; keep both if neither opens it."""
        if self._answers(new):
            self._remember(following, new)
            self._finish(contents, following)
            return new
        if self._answers(old):
            drop_rekeyed(self._database)
            self._write(replace(contents, succession=None))
            self._drop_remembered(following)
        return old

    def _answers(self, key: bytes) -> bool:
        """Whether the database opens with a key."""
        try:
            connect(self._database, key, writable=False).close()
            note_folded(self._database)
        except EnvironmentFault:
            return False
        return True

    def _finish(self, former: Contents, following: Contents) -> None:
        """Keep only the new key, in the file and the keyring."""
        self._write(following)
        self._drop_remembered(former)

    def _drop_remembered(self, contents: Contents) -> None:
        if not self._secrets.available():
            return
        try:
            self._secrets.delete(_account(contents.id))
        except EnvironmentFault as error:
            log.warning("the keyring kept a key that opens nothing any more: %s", error.code)

    def _opened(self, contents: Contents, passphrase: str | None, code: str | None) -> bytes:
        if code is not None:
            return self._from_code(contents, code)
        return self._from_keyring(contents) if passphrase is None else self._from_passphrase(contents, passphrase)

    def has_passphrase(self) -> bool:
        return self.path.exists() and "passphrase" in self._read().slots

    def ways(self) -> frozenset[Way]:
        """Return the ways to open the vault besides its recovery code.

        An available keyring counts: opening the vault puts the key into it.
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

    def set_passphrase(self, key: bytes, passphrase: str | None) -> None:
        """Let a passphrase open the vault as well; None removes it.

        Raises:
            BadRequestError: the passphrase is empty.
            NoKeyringError: without a keyring, only the recovery code would be left.
        """
        if passphrase is None and not self._secrets.available():
            raise NoKeyringError(say("This system has no keyring, so the passphrase must stay."))
        self._change(key, "passphrase", None if passphrase is None else _passphrase_secret(passphrase))

    def verify_recovery(self, code: str) -> bool:
        """Whether the code opens this vault, typos corrected; changes nothing."""
        contents = self._read()
        both = (contents,) if contents.succession is None else (contents, contents.succession.contents)
        return any(self._is_code_of(one, code) for one in both)

    def _is_code_of(self, contents: Contents, code: str) -> bool:
        try:
            self._from_code(contents, code)
        except (WrongRecoveryCodeError, MistypedRecoveryCodeError):
            return False
        return True

    def _from_keyring(self, contents: Contents) -> bytes:
        text = self._secrets.get(_account(contents.id)) if self._secrets.available() else None
        key = None if text is None else _decode(text)
        if key is not None and _fits(key, contents):
            return key
        if "passphrase" in contents.slots:
            raise PassphraseRequiredError(say("This vault opens with its passphrase here."))
        raise RecoveryRequiredError(
            say("The keyring holds no key for this memory.") if text is None else say("The keyring holds another key.")
        )

    def _from_code(self, contents: Contents, typed: str) -> bytes:
        readings = recovery_code.readings(typed)
        if not readings:
            raise MistypedRecoveryCodeError(say("The code's checksum does not match what was typed."))
        slot = contents.slots.get("recovery")
        if slot is None:
            raise WrongRecoveryCodeError(say("This vault has no recovery code."))
        for secret in readings:
            key = unwrap(slot, secret.encode(), vault_id=contents.id, name="recovery")
            if key is not None:
                return self._checked(contents, key)
        raise WrongRecoveryCodeError(say("The code is well-formed, but opens another vault."))

    def _from_passphrase(self, contents: Contents, passphrase: str) -> bytes:
        slot = contents.slots.get("passphrase")
        if slot is None:
            raise WrongPassphraseError(say("This vault has no passphrase; use the recovery code."))
        secret = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")
        key = unwrap(slot, secret, vault_id=contents.id, name="passphrase")
        if key is None:
            raise WrongPassphraseError(say("The passphrase does not open this vault."))
        return self._checked(contents, key)

    def _checked(self, contents: Contents, key: bytes) -> bytes:
        if not _fits(key, contents):
            raise VaultDamagedError(say("vault.json holds a key that is not the one it names."))
        return key

    def _change(self, key: bytes, name: SlotName, secret: bytes | None) -> None:
        with self._lock:
            contents = self._read()
            if not _fits(key, contents):
                raise VaultError(say("That key is not this vault's."))
            slots = dict(contents.slots)
            if secret is None:
                slots.pop(name, None)
            else:
                slots[name] = self._wrap(key, name, secret, contents.id)
            self._write(replace(contents, slots=slots))

    def _wrapped(self, key: bytes, code: str, passphrase: str | None) -> Contents:
        """Return a vault's contents for a new key."""
        vault_id = str(uuid.uuid4())
        slots = {"recovery": self._wrap(key, "recovery", _code_secret(code), vault_id)}
        if passphrase is not None:
            slots["passphrase"] = self._wrap(key, "passphrase", _passphrase_secret(passphrase), vault_id)
        return Contents(vault_id, _fingerprint(key, vault_id), slots)

    def _wrap(self, key: bytes, name: SlotName, secret: bytes, vault_id: str) -> Slot:
        return wrap(key, secret, vault_id=vault_id, name=name, cost=self._cost)

    def _remember(self, contents: Contents, key: bytes) -> bool:
        """Put the key into the keyring; a keyring that refuses must not lock the owner out."""
        if not self._secrets.available():
            return False
        try:
            self._secrets.set(_account(contents.id), base64.b64encode(key).decode())
        except EnvironmentFault as error:
            log.warning("the keyring did not keep the key: %s", error.code)
            return False
        return True

    def _read(self) -> Contents:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            self.exists()
            raise VaultAbsentError(say("There is no vault yet.")) from None
        except OSError as error:
            raise translate_os(error, self.path) from error
        return Contents.load(data)

    def _write(self, contents: Contents) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomic(self.path, contents.dump())
        except OSError as error:
            raise translate_os(error, self.path) from error


def _account(vault_id: str) -> str:
    return f"data-key-{vault_id}"


def _fingerprint(key: bytes, vault_id: str) -> str:
    return hmac.new(key, b"memdesk vault fingerprint " + vault_id.encode(), hashlib.sha256).hexdigest()[:32]


def _fits(key: bytes, contents: Contents) -> bool:
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
        raise BadRequestError(say("An empty passphrase protects nothing."), hint=say("Choose a longer one."))
    return unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")


if TYPE_CHECKING:
    _CONFORMS: type[VaultPort] = Vault
