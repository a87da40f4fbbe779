"""Items of programs in the encrypted file: the default :class:`memdesk.ports.item_store.ItemStore`.

Vectors stand in the same file and are compared one by one, which takes about a tenth of a second for ten thousand of 384
numbers, and a few milliseconds where the same scope was searched since anything was last written; what a filter leaves out is not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from memdesk.domain.items import asking, scoring
from memdesk.domain.items.filters import Filter
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.scope import ItemHit, Scope
from memdesk.domain.language.text import content_words
from memdesk.ports.item_store import Listing, Search
from memdesk.storage.errors import ConstraintError
from memdesk.storage.item_history import SqlItemHistory, note

if TYPE_CHECKING:
    from memdesk.domain.items.history import HistoryRecord
    from memdesk.ports.engines import Vectors
    from memdesk.ports.library import GapStore, RecordingStore
    from memdesk.storage.repositories import SqlRepositories
    from memdesk.storage.repositories.scopes import Rows


class SqlItemStore(SqlItemHistory):
    """``ports.library.RecordingStore`` over one open database. Thread-safe."""

    def collections(self) -> list[str]:
        with self._database.read() as repos:
            return repos.items.collections()

    def create(self, collection: str, *, dimensions: int) -> None:
        asking.check_name(collection)

        def work(repos: SqlRepositories) -> int:
            repos.items.add_collection(collection, dimensions)
            return _known(repos, collection)

        asking.check_width(collection, self._database.write(work), dimensions)

    def drop(self, collection: str) -> None:
        asking.check_name(collection)
        self._database.write(lambda repos: repos.items.drop_collection(collection))

    def insert(
        self,
        collection: str,
        items: Sequence[MemoryItem],
        vectors: Vectors | None,
        *,
        records: Sequence[HistoryRecord] = (),
    ) -> None:
        asking.check_ids(items)

        def work(repos: SqlRepositories) -> None:
            asking.check_vectors(vectors, items, _known(repos, collection))
            for number, item in enumerate(items):
                seq = repos.items.add(item, collection=collection)
                if vectors is not None:
                    repos.items.put_vector(seq, _bytes(vectors[number]))
            note(repos, collection, records)

        try:
            self._database.write(work)
        except ConstraintError as error:
            raise asking.taken() from error

    def gaps(self, collection: str, *, after: int, limit: int) -> list[tuple[int, str]]:
        with self._database.read() as repos:
            return repos.items.gaps(collection, after, limit)

    def fill(self, collection: str, gaps: Sequence[tuple[int, str]], vectors: Vectors) -> None:
        def work(repos: SqlRepositories) -> None:
            asking.check_vector(vectors[0], _known(repos, collection))
            for (seq, content), vector in zip(gaps, vectors, strict=True):
                repos.items.fill(seq, content, _bytes(vector))

        self._database.write(work)

    def get(self, collection: str, ids: Sequence[str]) -> list[MemoryItem]:
        with self._database.read() as repos:
            _known(repos, collection)
            return repos.items.many(ids, collection=collection)

    def update(
        self, collection: str, item: MemoryItem, vector: Vectors | None, *, records: Sequence[HistoryRecord] = ()
    ) -> bool:
        def work(repos: SqlRepositories) -> bool:
            asking.check_vector(vector, _known(repos, collection))
            seq = repos.items.replace(item, collection=collection)
            if seq is None:
                return False
            if vector is not None:
                repos.items.put_vector(seq, _bytes(vector))
            note(repos, collection, records)
            return True

        return self._database.write(work)

    def delete(self, collection: str, ids: Sequence[str], *, records: Sequence[HistoryRecord] = ()) -> int:
        def work(repos: SqlRepositories) -> int:
            _known(repos, collection)
            gone = repos.items.delete(ids, collection=collection)
            note(repos, collection, records)
            return gone

        return self._database.write(work)

    def search(self, collection: str, wanted: Search) -> list[ItemHit]:
        limit = wanted.limit
        with self._database.read() as repos:
            asking.check_vector(wanted.vector, _known(repos, collection))
            rows = repos.items.passing(wanted, collection)
            words = repos.items.words(rows, content_words(wanted.text), limit)
            cosines = _nearest(wanted.vector, rows, limit, words)
            best = scoring.best({seq: cosines.get(seq) for seq in (*cosines, *words)}, words, limit)
            if wanted.enough is not None and rows.parts.isdisjoint(best):
                best = best[: wanted.enough]
            found = repos.items.by_seq(best)
        return scoring.ranked(found, cosines, words, limit)

    def list(self, collection: str, wanted: Listing) -> list[MemoryItem]:
        with self._database.read() as repos:
            _known(repos, collection)
            return repos.items.listed(wanted, collection)

    def count(self, collection: str, *, scope: Scope, where: Filter | None = None) -> int:
        """Return how many items pass, expired ones left out."""
        asked = asking.asked(scope, where, expired=False)
        with self._database.read() as repos:
            _known(repos, collection)
            return repos.items.count(asked, collection)


def _known(repos: SqlRepositories, collection: str) -> int:
    """Return the width of a collection's vectors. Raises ``BadRequestError``."""
    found = repos.items.dimensions(asking.check_name(collection))
    if found is None:
        raise asking.unknown(collection)
    return found


def _bytes(vector: Vectors) -> bytes:
    return np.asarray(vector, dtype=np.float32).tobytes()


def _nearest(vector: Vectors | None, rows: Rows, limit: int, others: Iterable[int]) -> dict[int, float]:
    """Return the cosines of the nearest rows, and of others that have a vector, by number."""
    if vector is None or not rows.places:
        return {}
    cosines = rows.vectors @ np.asarray(vector, dtype=np.float32)
    seqs = list(rows.places)
    near = [seqs[one] for one in np.argsort(-cosines, kind="stable")[:limit].tolist()]
    return {seq: float(cosines[rows.places[seq]]) for seq in (*near, *others) if seq in rows.places}


if TYPE_CHECKING:
    _CONFORMS: type[RecordingStore] = SqlItemStore
    _TELLS_GAPS: type[GapStore] = SqlItemStore
