"""Wraps the data key with something a person knows: Argon2id (RFC 9106), then AES-256-GCM."""

from __future__ import annotations

import base64
import json
import os
import threading
from dataclasses import asdict, dataclass
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

_SALT, _NONCE, _KEY, _TAG = 16, 12, 32, 16
_SIZES = {"salt": _SALT, "nonce": _NONCE, "wrapped": _KEY + _TAG}
#: Bytes of a key that :func:`seal` encrypted.
SEALED = _NONCE + _KEY + _TAG
# Limits on a file's parameters: a tampered one must neither exhaust memory nor make guessing cheap.
_MAX_MEMORY_KIB, _MAX_ITERATIONS, _MAX_LANES = 1 << 20, 64, 64
#: Memory times passes, in KiB: sixteen times the default, a few seconds of work.
_MAX_WORK_KIB = 16 * 3 * (1 << 16)
#: OpenSSL shares as many threads as there are cores among a process's derivations; two at once fail or deadlock.
_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True, slots=True)
class KdfCost:
    """Argon2id's parameters; the default is RFC 9106's second recommendation (64 MiB, 3 passes, 4 lanes)."""

    memory_kib: int = 1 << 16
    iterations: int = 3
    lanes: int = 4

    def plausible(self) -> bool:
        """Whether the parameters are within what this program would write."""
        return (
            8 * self.lanes <= self.memory_kib <= _MAX_MEMORY_KIB
            and 1 <= self.iterations <= _MAX_ITERATIONS
            and 1 <= self.lanes <= _MAX_LANES
            and self.memory_kib * self.iterations <= _MAX_WORK_KIB
        )


@dataclass(frozen=True, slots=True, repr=False)
class Slot:
    """The key, wrapped with one secret. Bound to its vault and its name, so that slots cannot be swapped."""

    cost: KdfCost
    salt: bytes
    nonce: bytes
    wrapped: bytes

    def to_json(self) -> dict[str, Any]:
        """Return the slot as in ``vault.json``."""
        return {
            "kdf": "argon2id",
            **asdict(self.cost),
            "salt": base64.b64encode(self.salt).decode(),
            "nonce": base64.b64encode(self.nonce).decode(),
            "wrapped": base64.b64encode(self.wrapped).decode(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Slot:
        """Parse the output of :meth:`to_json`.

        Raises:
            ValueError: it is not valid.
        """
        try:
            costs = [data[name] for name in ("memory_kib", "iterations", "lanes")]
            parts = [sealed_in(data[name], size) for name, size in _SIZES.items()]
        except (KeyError, TypeError) as error:
            raise ValueError("a slot lacks a field") from error
        whole = all(type(cost) is int for cost in costs)
        if data.get("kdf") != "argon2id" or not whole or not KdfCost(*costs).plausible():
            raise ValueError("a slot's key derivation is not one of ours")
        return cls(KdfCost(*costs), *parts)


def sealed_in(text: str, size: int = SEALED) -> bytes:
    """Decode ``size`` bytes.

    Raises:
        ValueError: it is not their base64.
    """
    data = base64.b64decode(text, validate=True)
    if len(data) != size:
        raise ValueError("a part of the vault has another size")
    return data


def _context(vault_id: str, name: str, cost: KdfCost) -> bytes:
    return json.dumps(["memdesk-vault", 1, vault_id, name, asdict(cost)]).encode()


def _derive(secret: bytes, salt: bytes, cost: KdfCost) -> bytes:
    kdf = Argon2id(salt=salt, length=32, iterations=cost.iterations, lanes=cost.lanes, memory_cost=cost.memory_kib)
    with _ONE_AT_A_TIME:
        return kdf.derive(secret)


def wrap(key: bytes, secret: bytes, *, vault_id: str, name: str, cost: KdfCost) -> Slot:
    """Wrap ``key`` with ``secret``. Deliberately takes some tenths of a second and 64 MiB."""
    salt, nonce = os.urandom(_SALT), os.urandom(_NONCE)
    wrapped = AESGCM(_derive(secret, salt, cost)).encrypt(nonce, key, _context(vault_id, name, cost))
    return Slot(cost, salt, nonce, wrapped)


def unwrap(slot: Slot, secret: bytes, *, vault_id: str, name: str) -> bytes | None:
    derived = _derive(secret, slot.salt, slot.cost)
    try:
        return AESGCM(derived).decrypt(slot.nonce, slot.wrapped, _context(vault_id, name, slot.cost))
    except InvalidTag:
        return None


def seal(key: bytes, *, by: bytes, context: str) -> bytes:
    """Encrypt one key with another (AES-256-GCM), bound to ``context``; return nonce and ciphertext."""
    nonce = os.urandom(_NONCE)
    return nonce + AESGCM(by).encrypt(nonce, key, b"memdesk-succession " + context.encode())


def unseal(sealed: bytes, *, by: bytes, context: str) -> bytes | None:
    """Return the key that :func:`seal` encrypted, or None if the key or context differs."""
    try:
        return AESGCM(by).decrypt(sealed[:_NONCE], sealed[_NONCE:], b"memdesk-succession " + context.encode())
    except InvalidTag:
        return None
