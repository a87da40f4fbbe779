"""Analysing texts, and extracting statements from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from memdesk.domain.comparing.tagging import Tags
    from memdesk.domain.language.analysis import Analysis
    from memdesk.domain.reading.candidates import Extraction, SourceTurn
    from memdesk.domain.reading.discourse import Mention
    from memdesk.ports.threads import CancelToken


#: Class probabilities of pairs of texts, a row for each pair.
Odds: TypeAlias = "Sequence[Sequence[float]]"


class LanguageAnalyzer(Protocol):
    """Tokens with lemmas, parts of speech, dependencies and names, and the statements in them."""

    def analyze(self, texts: Sequence[str], *, cancel: CancelToken | None = None) -> list[Analysis]:
        """Analyse texts, in order.

        Raises:
            EngineError: the engine process failed; :func:`memdesk.domain.language.analysis.plain` stands in.
            CancelledError: ``cancel`` was set.
        """

    def extract(
        self,
        turns: Sequence[SourceTurn],
        *,
        known: Sequence[Mention] = (),
        spoken: str = "en",
        cancel: CancelToken | None = None,
    ) -> Extraction:
        """Return the statements of a session.

        Args:
            turns: in order.
            known: people named by the user in earlier sessions.
            spoken: the language of earlier sessions, for words that exist in several.
            cancel: stops the work.

        Raises:
            EngineError: the engine process failed; :func:`memdesk.domain.reading.extractor.extract` stands in.
            CancelledError: ``cancel`` was set.
        """
        ...

    def tag(self, texts: Sequence[str], *, cancel: CancelToken | None = None) -> list[Tags]:
        """Return what attribute each sentence gives, and which value.

        Raises:
            EngineError: the engine process failed.
            CancelledError: ``cancel`` was set.
        """
        ...

    def weigh(self, task: str, pairs: Sequence[tuple[str, str]], *, cancel: CancelToken | None = None) -> Odds:
        """Return the probability of each class of a task ("succession", "durability") for each pair.

        Raises:
            EngineError: the engine process failed.
            CancelledError: ``cancel`` was set.
        """
        ...
