"""Items in a foreign database whose texts and metadata only this machine can read.

The database gets ids, scope, times, vectors and everything else encrypted with AES-256-GCM. Metadata values are keyed
hashes (HMAC-SHA256), so that equality can still be queried; order, parts of texts and words cannot.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from memdesk.domain.items.filters import And, Filter, Not, Or, Where
from memdesk.domain.items.plain import from_plain, to_plain
from memdesk.errors import BadRequestError, EnvironmentFault
from memdesk.ports.item_store import ItemHit, ItemStore, Listing, Scope, Search

if TYPE_CHECKING:
    from memdesk.domain.items.item import MemoryItem
    from memdesk.ports.engines import Vectors

#: "list" is a method's name below.
Hashes: TypeAlias = list[str]
#: The metadata key of the sealed item.
SEALED: Final = "sealed"
#: The database's placeholder for a text.
SHOWN: Final = "(sealed)"
_NONCE: Final = 12
_EQUALITY: Final = frozenset({"eq", "ne", "in", "nin"})
#: Own fields that stay unencrypted.
_CLEAR: Final = frozenset({"id", "user_id", "agent_id", "run_id", "created_at", "updated_at", "expires_at"})


class SealedStore:
    """``ports.ItemStore`` over another store, which sees no text.

    Args:
        store: keeps the sealed items; closed with this one.
        key: 32 bytes that never leave this machine.
    """

    def __init__(self, store: ItemStore, key: bytes) -> None:
        self._store = store
        self._cipher = AESGCM(_derived(key, b"memdesk sealed items"))
        self._hashing = _derived(key, b"memdesk sealed equality")

    def collections(self) -> list[str]:
        return self._store.collections()

    def create(self, collection: str, *, dimensions: int) -> None:
        self._store.create(collection, dimensions=dimensions)

    def drop(self, collection: str) -> None:
        self._store.drop(collection)

    def insert(self, collection: str, items: Sequence[MemoryItem], vectors: Vectors | None) -> None:
        self._store.insert(collection, [self._seal(item) for item in items], vectors)

    def get(self, collection: str, ids: Sequence[str]) -> list[MemoryItem]:
        return [self._unseal(item) for item in self._store.get(collection, ids)]

    def update(self, collection: str, item: MemoryItem, vector: Vectors | None) -> bool:
        return self._store.update(collection, self._seal(item), vector)

    def delete(self, collection: str, ids: Sequence[str]) -> int:
        return self._store.delete(collection, ids)

    def search(self, collection: str, wanted: Search) -> list[ItemHit]:
        """Return the nearest items that pass, by vector only.

        Raises:
            BadRequestError: the filter asks for more than equality.
        """
        hits = self._store.search(collection, replace(wanted, where=self._blind(wanted.where), text=""))
        return [ItemHit(self._unseal(hit.item), hit.score, hit.cosine) for hit in hits]

    def list(self, collection: str, wanted: Listing) -> list[MemoryItem]:
        """Return items that pass. Raises as :meth:`search`."""
        found = self._store.list(collection, replace(wanted, where=self._blind(wanted.where)))
        return [self._unseal(item) for item in found]

    def count(self, collection: str, *, scope: Scope, where: Filter | None = None) -> int:
        return self._store.count(collection, scope=scope, where=self._blind(where))

    def close(self) -> None:
        self._store.close()

    def _seal(self, item: MemoryItem) -> MemoryItem:
        whole = json.dumps(to_plain(item), ensure_ascii=False).encode("utf-8", "surrogatepass")
        nonce = os.urandom(_NONCE)
        # Bound to its id: so that the database cannot swap items.
        sealed = base64.b64encode(nonce + self._cipher.encrypt(nonce, whole, item.id.encode())).decode()
        hashed = {name: self._hashes(name, value) for name, value in item.metadata.items()}
        return type(item)(
            id=item.id,
            user_id=item.user_id,
            agent_id=item.agent_id,
            run_id=item.run_id,
            content=SHOWN,
            metadata={**{name: value for name, value in hashed.items() if value}, SEALED: sealed},
            expires_at=item.expires_at,
            created_at=item.created_at,
            updated_at=item.updated_at,
        )

    def _unseal(self, item: MemoryItem) -> MemoryItem:
        try:
            sealed = base64.b64decode(item.metadata[SEALED])
            whole = self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], item.id.encode())
        except (KeyError, ValueError, InvalidTag) as error:
            raise EnvironmentFault(
                "A memory in the database was sealed by another key, or altered.",
                hint="Open it with the encrypted file that it was written with.",
            ) from error
        return from_plain(json.loads(whole))

    def _hashes(self, name: str, value: Any) -> Hashes:
        values = value if isinstance(value, list | tuple) else [value]
        return [self._hash(name, one) for one in values if isinstance(one, str | int | float)]

    def _hash(self, name: str, value: Any) -> str:
        # 3 and 3.0 are equal, True and 1 are not.
        same = float(value) if isinstance(value, int) and not isinstance(value, bool) else value
        return hmac.new(self._hashing, json.dumps([name, same]).encode(), hashlib.sha256).hexdigest()

    def _blind(self, where: Filter | None) -> Filter | None:
        """Return the filter over the fields that the database sees."""
        if where is None:
            return None
        if isinstance(where, And):
            return And(tuple(self._blind(part) or And(()) for part in where.parts))
        if isinstance(where, Or):
            return Or(tuple(self._blind(part) or And(()) for part in where.parts))
        if isinstance(where, Not):
            return Not(self._blind(where.part) or And(()))
        if where.own and where.field in _CLEAR:
            return where
        if where.own or where.operator not in _EQUALITY:
            raise BadRequestError(
                f"{where.field} {where.operator} cannot be asked of sealed memories.",
                hint="They know eq, ne, in and nin on metadata, and times.",
            )
        return replace(where, value=self._wanted(where))

    def _wanted(self, where: Where) -> Any:
        if isinstance(where.value, list):
            return [None if one is None else self._hash(where.field, one) for one in where.value]
        return None if where.value is None else self._hash(where.field, where.value)


def _derived(key: bytes, purpose: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose).derive(key)
