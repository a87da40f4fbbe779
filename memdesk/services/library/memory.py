"""Memory for programs: the implementation of ``Memory`` over any store, embedder and reader."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from numbers import Real
from typing import Any, Final

from memdesk.domain.decoding import clean
from memdesk.domain.items import filters as filtering
from memdesk.domain.items.item import MemoryItem
from memdesk.ports.item_store import Scope
from memdesk.services.library import asking
from memdesk.services.library import graph as graphs
from memdesk.services.library.adding import Adder, Wish
from memdesk.services.library.errors import (
    SHARING,
    EmbeddingError,
    InvalidInputError,
    NotFoundError,
    VaultError,
    translated,
)
from memdesk.services.library.keeping import PAGE, Keeper, Parts
from memdesk.services.library.moving import Moved, bring, written
from memdesk.services.library.ordering import POOL, ordered
from memdesk.services.library.results import (
    Done,
    Entity,
    Found,
    History,
    Memory,
    Owner,
    Relation,
    history_of,
    memory_of,
)

log = logging.getLogger(__name__)

#: Memories from which the graph is read, newest first.
GRAPH_REACH: Final = 10_000


class MemoryService:
    """Adds, finds and changes memories. Calls block; thread-safe.

    Every call may raise ``ScopeError`` (no scope), ``InvalidInputError`` (nothing was changed), ``VectorStoreError`` (the
    store does not answer).
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._keeper = Keeper(parts)
        self._adder = Adder(parts, self._keeper)
        self._closed = False
        self._process = os.getpid()

    def close(self) -> None:
        """Release everything; every later call raises ``VaultError``. Idempotent."""
        if os.getpid() != self._process:
            return  # Files, threads and engines belong to the parent process.
        self._closed = True
        self._adder.forget()
        self._keeper.close()
        self._parts.close()

    @contextmanager
    def _working(self) -> Iterator[None]:
        if os.getpid() != self._process:
            # Its threads and lock holders are in the parent: a call would wait forever.
            raise VaultError(
                "This memory was opened by another process.",
                hint=f"Open one in each process, after the fork: {SHARING}",
            )
        if self._closed:
            raise VaultError("The memory is closed.")
        with translated():
            yield

    def add(
        self,
        messages: Any,
        *,
        user_id: Any = None,
        agent_id: Any = None,
        run_id: Any = None,
        metadata: dict[str, Any] | None = None,
        filters: Any = None,
        prompt: str | None = None,
        infer: bool = True,
        expires_at: Any = None,
        timestamp: Any = None,
        dry_run: bool = False,
    ) -> Done:
        """Remember what messages say; with ``dry_run`` only validate them. See :meth:`memdesk.Memory.add`."""
        scope = asking.scope_of(user_id, agent_id, run_id)
        read = asking.messages_of(messages)
        wish = Wish(
            scope=scope,
            metadata=asking.metadata_of(metadata),
            where=_where(filters),
            prompt=prompt or "",
            infer=infer,
            expires_at=asking.moment_of(expires_at),
            said_at=asking.moment_of(timestamp) or self._parts.clock.now(),
        )
        with self._working():
            return Done(results=self._adder.add(read, wish, dry_run=dry_run))

    def search(
        self,
        query: str,
        *,
        user_id: Any = None,
        agent_id: Any = None,
        run_id: Any = None,
        limit: int = 100,
        filters: Any = None,
        threshold: float | None = None,
        graph: bool = False,
        expired: bool = False,
    ) -> Found:
        """Return the nearest memories, with ``expired`` including expired ones; see :meth:`memdesk.Memory.search`."""
        scope = asking.scope_of(user_id, agent_id, run_id)
        limit, where = asking.limit_of(limit), _where(filters)
        if not isinstance(query, str):
            raise InvalidInputError("The query must be a string.")
        query = clean(query)
        if threshold is not None and not (isinstance(threshold, Real) and 0 <= threshold <= 1):
            raise InvalidInputError("threshold must be a number from 0 to 1.")
        if not query.strip() or limit == 0:
            return Found(results=[])
        with self._working():
            vector = self._query_vector(query)
            # Messages are scored with their neighbors.
            most = max(limit, POOL)
            found = self._keeper.nearest(
                query, vector, scope, where=where, limit=most, enough=most if graph else limit, expired=expired
            )
            hits = ordered(query, found, self._parts.clock.now(), self._parts.calibrate)
            if graph:
                pool = self._keeper.items(scope, where=where, limit=GRAPH_REACH, expired=expired, newest=True)
                hits = graphs.with_connected(hits, pool, query)
        hits = [hit for hit in hits if threshold is None or hit.score >= threshold]
        return Found(results=[memory_of(hit.item, hit.score) for hit in hits[:limit]])

    def _query_vector(self, query: str) -> Any:
        try:
            vectors = self._keeper.embed([query], query=True)
        except EmbeddingError as error:
            log.warning("searched by words alone: %s", error.message)
            return None
        return None if vectors is None else vectors[0]

    def get(self, memory_id: str) -> Memory | None:
        """Return a memory, or None."""
        with self._working():
            found = self._keeper.item(memory_id)
        return None if found is None else memory_of(found)

    def get_all(
        self,
        *,
        user_id: Any = None,
        agent_id: Any = None,
        run_id: Any = None,
        limit: int = 100,
        filters: Any = None,
        expired: bool = False,
        offset: int = 0,
    ) -> Found:
        """Return the memories of a scope, oldest first, without the first ``offset``."""
        scope = asking.scope_of(user_id, agent_id, run_id)
        limit, where = asking.limit_of(limit), _where(filters)
        asking.check_offset(offset)
        with self._working():
            items = self._keeper.items(scope, where=where, limit=limit, expired=expired, offset=offset)
        return Found(results=[memory_of(item) for item in items])

    def count(self, *, user_id: Any = None, agent_id: Any = None, run_id: Any = None, filters: Any = None) -> int:
        """Return how many unexpired memories a scope has."""
        scope, where = asking.scope_of(user_id, agent_id, run_id), _where(filters)
        with self._working():
            return self._keeper.count(scope, where)

    def owners(self, agent_id: str | None = None) -> list[Owner]:
        """Return the users, agents and runs that have memories, those with most first; only of ``agent_id`` if given."""
        counts: Counter[tuple[str, str]] = Counter()
        with self._working():
            for page in self._keeper.pages(Scope(agent_id=agent_id)):
                for item in page:
                    named = {"user": item.user_id, "agent": item.agent_id, "run": item.run_id}
                    counts.update((kind, name) for kind, name in named.items() if name)
        return [Owner(name=name, type=kind, total_memories=many) for (kind, name), many in counts.most_common()]

    def history(self, memory_id: str) -> list[History]:
        """Return a memory's history, oldest first, even if it was deleted."""
        with self._working():
            return [history_of(one) for one in self._keeper.history(str(memory_id))]

    def entities(self, *, user_id: Any = None, agent_id: Any = None, run_id: Any = None) -> list[Entity]:
        """Return the named people, places, organizations and things of a scope."""
        return graphs.entities_in(self._all(asking.scope_of(user_id, agent_id, run_id)))

    def relations(self, name: str, *, user_id: Any = None, agent_id: Any = None, run_id: Any = None) -> list[Relation]:
        return graphs.relations_of(name, self._all(asking.scope_of(user_id, agent_id, run_id)))

    def _all(self, scope: Scope) -> list[MemoryItem]:
        with self._working():
            return self._keeper.items(scope, limit=GRAPH_REACH, newest=True)

    def update(
        self, memory_id: str, text: str | None = None, *, metadata: dict[str, Any] | None = None, expires_at: Any = None
    ) -> Memory:
        """Overwrite a memory's text, metadata or expiration (``NEVER`` removes it), and return it.

        Raises:
            NotFoundError: no memory has this id.
            InvalidInputError: there is nothing to change, or the text is empty or too long.
            EmbeddingError: the new text could not be embedded; nothing was changed.
        """
        if text is None and metadata is None and expires_at is None:
            raise InvalidInputError("Nothing to change was given.")
        content = None if text is None else asking.text_of(text)
        ends = None if expires_at == asking.NEVER else asking.moment_of(expires_at)
        with self._working():
            item = self._known(memory_id)
            changed = replace(
                item,
                metadata=item.metadata if metadata is None else asking.metadata_of(metadata),
                expires_at=item.expires_at if expires_at is None else ends,
                updated_at=self._parts.clock.now(),
            )
            vector = None
            if content is not None and content != item.content:
                changed = self._reworded(changed, content)
                vectors = self._keeper.embed([content])
                vector = None if vectors is None else vectors[0]
            self._keeper.replace(changed, vector, old=item.content)
        return memory_of(changed)

    def _reworded(self, item: MemoryItem, content: str) -> MemoryItem:
        """Return an item with another text, read as the former one was; messages stored as they are stay unread."""
        if item.statement is None and not item.tags:
            return replace(item, content=content)
        told = self._parts.grammar.told(content, said_at=self._parts.clock.now())
        tags = graphs.entity_tags(told.entities)
        return replace(item, content=content, statement=told.statement, kind=told.kind or item.kind, tags=tags)

    def delete(self, memory_id: str) -> None:
        """Delete a memory. Raises ``NotFoundError``."""
        with self._working():
            self._keeper.delete([self._known(memory_id)])

    def delete_all(self, *, user_id: Any = None, agent_id: Any = None, run_id: Any = None) -> int:
        """Delete the memories of a scope, including expired ones; return how many there were."""
        scope = asking.scope_of(user_id, agent_id, run_id)
        gone = 0
        with self._working():
            while items := self._keeper.items(scope, limit=PAGE, expired=True):
                self._keeper.delete(items)
                gone += len(items)
        return gone

    def reset(self) -> None:
        """Delete everything, the history too."""
        with self._working():
            self._keeper.reset()
        self._adder.forget()

    def bring(
        self,
        rows: Iterable[tuple[str, Mapping[str, Any]]],
        past: Sequence[Mapping[str, Any]] = (),
        *,
        dry_run: bool = False,
    ) -> Moved:
        """Import mem0's memories with their ids, times and history; existing ones are left alone."""
        with self._working():
            return bring(self._keeper, rows, past, dry_run=dry_run)

    def written(self) -> dict[str, Any]:
        """Return all memories and their history in mem0's format."""
        with self._working():
            return written(self._keeper)

    def _known(self, memory_id: str) -> MemoryItem:
        found = self._keeper.item(memory_id)
        if found is None:
            raise NotFoundError(f"Memory with id {memory_id} not found")
        return found


def _where(given: Any) -> filtering.Filter | None:
    with translated():
        found = filtering.parse(given)
    return None if found is None else filtering.of_metadata(found, asking.FIELDS)
