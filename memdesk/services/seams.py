"""What the services that keep memory tidy ask of their neighbours, as small Protocols."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memdesk.domain.models import VectorKind
    from memdesk.settings.schema import Settings


class Indexing(Protocol):
    """Vectors of rows: told what is new or gone. ``IndexingService`` is one."""

    def note(self, agent_id: str, kind: VectorKind, seqs: Sequence[int]) -> None:
        """Rows are new or changed and want vectors."""

    def forget(self, agent_id: str, kind: VectorKind, seqs: Sequence[int]) -> None:
        """Rows are gone: drop their vectors from indexes and snapshots."""


class SettingsReader(Protocol):
    """The present settings. ``SettingsService`` is one."""

    @property
    def current(self) -> Settings:
        """Return all settings as they are now."""
