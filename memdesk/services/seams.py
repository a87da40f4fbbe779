"""What the services that keep memory tidy ask of their neighbors, as small Protocols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from memdesk.domain.models import Target, VectorKind
from memdesk.ports import Vectors
from memdesk.settings.schema import Settings


class Indexing(Protocol):
    """Vectors of rows: told what is new or gone. ``IndexingService`` is one."""

    def note(self, agent_id: str, kind: VectorKind, seqs: Sequence[int]) -> None:
        """Rows are new or changed and want vectors."""

    def vectors(self, agent_id: str, kind: VectorKind, seqs: Sequence[int]) -> Vectors | None:
        """Return vectors of rows, zero where there are none; None without an embedder."""

    def search(
        self, agent_id: str, target: Target, query_vector: Vectors, k: int, allowed: set[int] | None = None
    ) -> list[tuple[int, float]]:
        """Return up to ``k`` pairs ``(seq, cosine)``, best first."""

    def forget(self, agent_id: str, kind: VectorKind, seqs: Sequence[int]) -> None:
        """Rows are gone: drop their vectors from indexes and snapshots."""

    def status(self) -> dict[str, Any]:
        """Return the model in use, how many vectors there are and are missing, figures of caches, and what is wrong."""


class SettingsReader(Protocol):
    """The present settings. ``SettingsService`` is one."""

    @property
    def current(self) -> Settings: ...
