"""Reading texts, and statements out of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memdesk.domain.language.analysis import Analysis
    from memdesk.domain.reading.candidates import Extraction, SourceTurn
    from memdesk.domain.reading.subjects import Mention
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


class Extractor(Protocol):
    """Finds what a session states; each statement is read once, here."""

    def extract(
        self,
        turns: Sequence[SourceTurn],
        cancel: CancelToken | None = None,
        *,
        known: Sequence[Mention] = (),
        spoken: str = "en",
    ) -> Extraction:
        """Return the statements of a session with the turns they stand in, and how much was left out, by reason.

        Args:
            turns: in order.
            cancel: ends the work of an engine.
            known: whom the user named in earlier sessions.
            spoken: the language of earlier sessions, for words that could be of several.

        Raises:
            CancelledError: ``cancel`` was set while an engine worked.
        """
