"""Reading a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memdesk.domain.language.analysis import Analysis
    from memdesk.ports.engines import EngineState
    from memdesk.ports.threads import CancelToken


class LanguageAnalyzer(Protocol):
    """Tokens with lemmas, parts of speech, dependencies and names."""

    def analyze(self, texts: Sequence[str], *, cancel: CancelToken | None = None) -> list[Analysis]:
        """Analyse texts, in order.

        Raises:
            EngineError: the engine process failed; :func:`memdesk.domain.language.analysis.plain` stands in.
            CancelledError: ``cancel`` was set.
        """

    def state(self) -> EngineState: ...
