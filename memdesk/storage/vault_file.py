"""The contents of ``vault.json``: the wrapped data key, and whether another key is about to replace it."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass, replace
from typing import Any

from memdesk.domain.decoding import decode
from memdesk.messages import say
from memdesk.storage.errors import VaultDamagedError, VaultNewerError
from memdesk.storage.wrapping import Slot, sealed_in

#: A vault has a few slots of a few hundred bytes each.
MAX_VAULT_BYTES = 2**20
_FORMAT = 1
#: During a change of keys, the file has a version that older programs refuse to change.
_CHANGING = 2


@dataclass(frozen=True, slots=True)
class Contents:
    """The whole file. ``fingerprint`` identifies the right key without revealing it."""

    id: str
    fingerprint: str
    slots: dict[str, Slot]
    succession: Succession | None = None

    def plain(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "fingerprint": self.fingerprint,
            "slots": {name: slot.to_json() for name, slot in sorted(self.slots.items())},
        }

    @classmethod
    def from_plain(cls, body: dict[str, Any]) -> Contents:
        slots = {name: Slot.from_json(slot) for name, slot in body["slots"].items()}
        if not isinstance(body["id"], str) or not isinstance(body["fingerprint"], str):
            raise TypeError("a vault's names are texts")
        return cls(body["id"], body["fingerprint"], slots)

    def dump(self) -> bytes:
        body: dict[str, Any] = {"format": _FORMAT, **self.plain()}
        if self.succession is not None:
            body |= {"format": _CHANGING, "next": self.succession.plain()}
        return json.dumps({**body, "checksum": checksum(body)}, indent=2).encode() + b"\n"

    @classmethod
    def load(cls, data: bytes) -> Contents:
        """Parse the output of :meth:`dump`.

        Raises:
            VaultDamagedError: it is not valid.
            VaultNewerError: this program does not know its format.
        """
        try:
            body = decode(data, most=MAX_VAULT_BYTES, depth=8, unique=True)
            if type(body["format"]) is int and body["format"] > _CHANGING:
                raise VaultNewerError(
                    say(
                        "vault.json has format {format}; this memdesk knows {value}.",
                        format=body["format"],
                        value=_CHANGING,
                    )
                )
            told = body.pop("checksum")
            if not hmac.compare_digest(str(told), checksum(body)):
                raise VaultDamagedError(say("vault.json was altered: its checksum does not match."))
            if type(body["format"]) is not int or body["format"] != (_CHANGING if "next" in body else _FORMAT):
                raise VaultDamagedError(say("vault.json is not what memdesk wrote."))
            found = cls.from_plain(body)
            return replace(found, succession=Succession.from_plain(body["next"])) if "next" in body else found
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise VaultDamagedError(say("vault.json is not what memdesk wrote.")) from error


@dataclass(frozen=True, slots=True)
class Succession:
    """The key that replaces another while the database is rewritten.

    Each key is sealed with the other, so that whatever opens one of them opens the database, with whichever of the two
    it is encrypted after a crash.
    """

    contents: Contents
    forward: bytes
    back: bytes

    def plain(self) -> dict[str, Any]:
        """Return it as in ``vault.json``."""
        sealed = {"forward": self.forward, "back": self.back}
        return self.contents.plain() | {name: base64.b64encode(one).decode() for name, one in sealed.items()}

    @classmethod
    def from_plain(cls, body: dict[str, Any]) -> Succession:
        """Parse the output of :meth:`plain`."""
        forward, back = (sealed_in(body[name]) for name in ("forward", "back"))
        return cls(Contents.from_plain(body), forward, back)


def checksum(body: dict[str, Any]) -> str:
    """Return the checksum of the file's contents, to detect changes."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
