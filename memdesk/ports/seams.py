"""What a service needs of another service, or of the face in front of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Protocol

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Actor, ApiToken, Target, VectorKind
from memdesk.ports.engines import Vectors
from memdesk.settings.schema import Settings


class Indexing(Protocol):
    """Vectors of rows: notified of new and deleted ones. ``IndexingService`` implements it."""

    def note(self, agent_id: str, kind: VectorKind, seqs: Sequence[int]) -> None:
        """Rows are new or changed and need vectors."""

    def vectors(self, agent_id: str, kind: VectorKind, seqs: Sequence[int]) -> Vectors | None:
        """Return vectors of rows, zeros for missing ones; None without an embedder."""

    def search(
        self, agent_id: str, target: Target, query_vector: Vectors, k: int, allowed: set[int] | None = None
    ) -> list[tuple[int, float]]:
        """Return up to ``k`` pairs ``(seq, cosine)``, best first."""

    def forget(self, agent_id: str, kind: VectorKind, seqs: Sequence[int]) -> None:
        """Rows are gone: drop their vectors from indexes and snapshots."""

    def status(self) -> dict[str, Any]:
        """Return the model in use, how many vectors exist and are missing, cache figures, and problems."""


class SettingsReader(Protocol):
    """The present settings. ``SettingsService`` implements it."""

    @property
    def current(self) -> Settings: ...


class Remember(Protocol):
    """Stores a fact, or finds an existing one that says the same."""

    def __call__(
        self,
        *,
        agent_id: str,
        content: str,
        key: str,
        tags: Sequence[str],
        valid_from: datetime | None,
        actor: Actor,
        actor_detail: str,
    ) -> MemoryItem: ...


class Caller(Protocol):
    """The caller, with the rights of its token; all rules are in the server's access module."""

    @property
    def token(self) -> ApiToken: ...
    def agent(self, requested: str | None) -> str | None:
        """Return the agent that is meant.

        Raises:
            MemdeskError: the caller may not ask for this one.
        """

    def uses(self, tool: str, by: str) -> None:
        """Log, for the list of what programs ask, the tool and the program."""

    def need_scope(self, scope: str) -> None:
        """Refuse a caller without this scope.

        Raises:
            MemdeskError: it lacks the scope.
        """


class ProgramTokens(Protocol):
    """The tokens of other programs: of the open memory or a running app."""

    def issue(self, name: str, scopes: Sequence[str], agent: str) -> tuple[str, str]:
        """Return id and secret of a new token for one agent."""

    def live(self, name: str) -> list[str]:
        """Return the ids of the tokens of this name that are not revoked."""

    def revoke(self, token_id: str) -> object: ...
