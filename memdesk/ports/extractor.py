"""Reading statements out of a session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memdesk.domain.reading.candidates import Extraction, SourceTurn
    from memdesk.domain.reading.subjects import Mention
    from memdesk.ports.threads import CancelToken


class Extractor(Protocol):
    """Finds what a session states; each statement is read once, here."""

    def extract(
        self, turns: Sequence[SourceTurn], cancel: CancelToken | None = None, *, known: Sequence[Mention] = ()
    ) -> Extraction:
        """Return the statements of a session with the turns they stand in, and how much was left out, by reason.

        Args:
            turns: in order.
            cancel: ends the work of an engine.
            known: whom the user named in earlier sessions.

        Raises:
            CancelledError: ``cancel`` was set while an engine worked.
        """
