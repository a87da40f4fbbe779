"""``Memory``: calls that block."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

if TYPE_CHECKING:
    from memdesk import library
    from memdesk.services import library as services
    from memdesk.services.library import Done, Entity, Found, History, Relation
    from memdesk.services.library import Memory as Shown


#: The implementation: a memory in this process, or on a server.
Service: TypeAlias = "services.MemoryService | library.RemoteMemory"


class Memory:
    """What a program remembers of its users. Thread-safe; a context manager.

    Each call names whose memory is meant by ``user_id``, ``agent_id`` and ``run_id``: at least one, and all that are given
    must match.

    Raises:
        ScopeError: none of them is given.
        InvalidInputError: something given cannot be used; nothing was changed.
        VectorStoreError: the store does not answer.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close files, connections and processes. Idempotent."""
        self._service.close()

    def add(
        self,
        messages: Any,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        filters: Any = None,
        prompt: str | None = None,
        *,
        infer: bool = True,
        expires_at: Any = None,
        timestamp: Any = None,
    ) -> Done:
        """Remember what messages say, and return the changes: ADD, UPDATE, DELETE and NONE with old and new text.

        Args:
            messages: a text of the user's, or a list of ``{role, content}``.
            user_id: whose memory.
            agent_id: the agent's memory.
            run_id: the run's memory.
            metadata: stored with each memory, filterable.
            filters: narrows the memories that may be changed.
            prompt: replaces the language model's usual prompt.
            infer: False stores each message as it is.
            expires_at: from when the memories are no longer found; a datetime or ISO 8601.
            timestamp: when the messages were said, to resolve "yesterday"; now by default.
        """
        return self._service.add(
            messages,
            user_id=user_id,
            agent_id=agent_id,
            run_id=run_id,
            metadata=metadata,
            filters=filters,
            prompt=prompt,
            infer=infer,
            expires_at=expires_at,
            timestamp=timestamp,
        )

    def search(
        self,
        query: str,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = 100,
        filters: Any = None,
        threshold: float | None = None,
        *,
        graph: bool = False,
        expired: bool = False,
    ) -> Found:
        """Return the memories nearest to a query by meaning and words, best first, with scores from 0 to 1.

        Args:
            query: what to look for.
            user_id: whose memory.
            agent_id: the agent's memory.
            run_id: the run's memory.
            limit: maximum number of results.
            filters: ``{"tag": "work"}``, ``{"AND": [...]}``; see the documentation.
            threshold: minimum score.
            graph: also memories that share a person, place or thing with those found.
            expired: also expired memories.
        """
        return self._service.search(
            query,
            user_id=user_id,
            agent_id=agent_id,
            run_id=run_id,
            limit=limit,
            filters=filters,
            threshold=threshold,
            graph=graph,
            expired=expired,
        )

    def get(self, memory_id: str) -> Shown | None:
        """Return a memory, or None."""
        return self._service.get(memory_id)

    def get_all(
        self,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = 100,
        filters: Any = None,
        *,
        expired: bool = False,
        offset: int = 0,
    ) -> Found:
        """Return the memories of a scope, oldest first, from ``offset`` on; with ``expired`` also expired ones."""
        return self._service.get_all(
            user_id=user_id,
            agent_id=agent_id,
            run_id=run_id,
            limit=limit,
            filters=filters,
            expired=expired,
            offset=offset,
        )

    def update(
        self, memory_id: str, text: str | None = None, *, metadata: dict[str, Any] | None = None, expires_at: Any = None
    ) -> Shown:
        """Overwrite a memory's text, metadata or expiration (``"never"`` removes it), and return it.

        Raises:
            NotFoundError: no memory has this id.
        """
        return self._service.update(memory_id, text, metadata=metadata, expires_at=expires_at)

    def delete(self, memory_id: str) -> None:
        """Delete a memory; its history stays.

        Raises:
            NotFoundError: no memory has this id.
        """
        self._service.delete(memory_id)

    def delete_all(self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None) -> int:
        """Delete the memories of a scope; return how many there were."""
        return self._service.delete_all(user_id=user_id, agent_id=agent_id, run_id=run_id)

    def history(self, memory_id: str) -> list[History]:
        """Return a memory's history, oldest first, even if it was deleted."""
        return self._service.history(memory_id)

    def reset(self) -> None:
        """Delete everything, the history too."""
        self._service.reset()

    def entities(
        self, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> list[Entity]:
        """Return the named people, places, organizations and things of a scope."""
        return self._service.entities(user_id=user_id, agent_id=agent_id, run_id=run_id)

    def relations(
        self, name: str, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> list[Relation]:
        """Return an entity's relations."""
        return self._service.relations(name, user_id=user_id, agent_id=agent_id, run_id=run_id)
