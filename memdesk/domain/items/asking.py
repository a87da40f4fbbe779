"""What all stores check and build: names of collections, vectors, and one filter from scope, expiry and request."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import numpy as np

from memdesk.domain.items.filters import And, Filter, Or, Where
from memdesk.domain.items.matching import settled
from memdesk.domain.items.plain import milliseconds
from memdesk.domain.items.scope import Scope
from memdesk.errors import BadRequestError, ConflictError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    from memdesk.domain.items.item import MemoryItem

#: What every database accepts as a name, including Chroma's 3 to 63 characters and Milvus' letters.
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{2,47}")
#: What to do about vectors of a different width.
_OTHER_MODEL: Final = "Another embedding model needs a collection of its own."


def check_name(collection: str) -> str:
    """Return the name of a collection.

    Raises:
        BadRequestError: not every database would accept it.
    """
    if not _NAME.fullmatch(collection):
        raise BadRequestError(
            f"{collection!r} cannot name a collection.",
            hint="Use 3 to 48 small letters, digits and underscores, a letter first.",
        )
    return collection


def stored_name(collection: str) -> str:
    """Return a name that every database accepts for a collection: its own, or a similar one with its digest."""
    if _NAME.fullmatch(collection):
        return collection
    like = "_".join(re.findall("[a-z0-9]+", collection.lower()))[:32]
    return f"c_{like}_{hashlib.sha256(collection.encode()).hexdigest()[:12]}"


def asked(scope: Scope, where: Filter | None, *, expired: bool) -> Filter:
    """Return everything that restricts a call as one filter, in the form of :func:`settled`."""
    parts: list[Filter] = [
        Where(name, "eq", value)
        for name in ("user_id", "agent_id", "run_id")
        if (value := getattr(scope, name)) is not None
    ]
    if not expired:
        now = milliseconds(datetime.now(UTC))
        parts.append(Or((Where("expires_at", "eq", None), Where("expires_at", "gt", now))))
    if where is not None:
        wanted = settled(where)
        parts += wanted.parts if isinstance(wanted, And) else (wanted,)
    return And(tuple(parts))


def unknown(collection: str) -> BadRequestError:
    return BadRequestError(f"There is no collection {collection!r}.", hint="Make it first, with its dimensions.")


def check_vectors(vectors: Vectors | None, items: Sequence[MemoryItem], dimensions: int) -> None:
    """Refuse vectors that do not fit the items or the collection.

    Raises:
        BadRequestError: their number or width is wrong.
    """
    if vectors is not None and vectors.shape != (len(items), dimensions):
        shape = "x".join(str(side) for side in vectors.shape)
        raise BadRequestError(f"Expected {len(items)} vectors of {dimensions} numbers, not {shape}.", hint=_OTHER_MODEL)


def check_vector(vector: Vectors | None, dimensions: int) -> None:
    """Refuse a vector whose width differs from the collection's.

    Raises:
        BadRequestError: it does.
    """
    if vector is not None and vector.shape != (dimensions,):
        shape = "x".join(map(str, vector.shape))
        raise BadRequestError(f"Expected a vector of {dimensions} numbers, not {shape}.", hint=_OTHER_MODEL)


def check_width(collection: str, known: int, wanted: int) -> None:
    """Refuse to create an existing collection with a different width.

    Raises:
        BadRequestError: it is different.
    """
    if known != wanted:
        raise BadRequestError(
            f"The collection {collection!r} holds vectors of {known} numbers, not {wanted}.",
            hint=_OTHER_MODEL,
        )


def check_ids(items: Sequence[MemoryItem]) -> list[str]:
    """Return the ids of new items.

    Raises:
        ConflictError: one occurs twice.
    """
    ids = [item.id for item in items]
    if len(set(ids)) != len(ids):
        raise taken()
    return ids


def taken() -> ConflictError:
    """Return the error for an id that exists already."""
    return ConflictError("An item with this id is stored already.")
