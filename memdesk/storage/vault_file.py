"""What stands in ``vault.json``: the data key's wrappings, and whether another key is about to take its place."""

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
from memdesk.storage.wrapping import Slot

#: A vault has some slots of some hundred bytes each.
MAX_VAULT_BYTES = 2**20
_FORMAT = 1
#: While a key gives way to the next one, the file says so in a form that an older program must not change.
_CHANGING = 2


@dataclass(frozen=True, slots=True)
class Contents:
    """The whole file. ``fingerprint`` tells the right key from another without revealing either."""

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
        slots = {str(name): Slot.from_json(slot) for name, slot in body["slots"].items()}
        return cls(str(body["id"]), str(body["fingerprint"]), slots)

    def dump(self) -> bytes:
        body: dict[str, Any] = {"format": _FORMAT, **self.plain()}
        if self.succession is not None:
            body |= {"format": _CHANGING, "next": self.succession.plain()}
        return json.dumps({**body, "checksum": checksum(body)}, indent=2).encode() + b"\n"

    @classmethod
    def load(cls, data: bytes) -> Contents:
        """Return what :meth:`dump` wrote.

        Raises:
            VaultDamagedError: it is not that.
            VaultNewerError: it has a format that this program does not know.
        """
        try:
            body = decode(data, most=MAX_VAULT_BYTES, depth=8)
            if isinstance(body["format"], int) and body["format"] > _CHANGING:
                raise VaultNewerError(
                    say(
                        "vault.json has format {format}; this memdesk knows {value}.",
                        format=body["format"],
                        value=_CHANGING,
                    )
                )
            told = body.pop("checksum")
            if not hmac.compare_digest(str(told), checksum(body)):
                raise VaultDamagedError(say("vault.json was altered: its checksum does not fit."))
            found = cls.from_plain(body)
            return replace(found, succession=Succession.from_plain(body["next"])) if "next" in body else found
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise VaultDamagedError(say("vault.json is not what memdesk wrote.")) from error


@dataclass(frozen=True, slots=True)
class Succession:
    """The key that takes another's place while the database is written anew.

    Each key is sealed by the other, so that whatever opens one of them opens the database, whichever of the two it
    answers to after a crash.
    """

    contents: Contents
    forward: bytes
    back: bytes

    def plain(self) -> dict[str, Any]:
        """Return it as ``vault.json`` holds it."""
        sealed = {"forward": self.forward, "back": self.back}
        return self.contents.plain() | {name: base64.b64encode(one).decode() for name, one in sealed.items()}

    @classmethod
    def from_plain(cls, body: dict[str, Any]) -> Succession:
        """Return what :meth:`plain` gave."""
        forward, back = (base64.b64decode(body[name], validate=True) for name in ("forward", "back"))
        return cls(Contents.from_plain(body), forward, back)


def checksum(body: dict[str, Any]) -> str:
    """Return what the file says of its own contents, so that one that was altered is found out."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
