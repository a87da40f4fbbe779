"""Reading texts, and statements out of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from memdesk.domain.language.analysis import Analysis
    from memdesk.domain.reading.candidates import Extraction, SourceTurn
    from memdesk.domain.reading.subjects import Mention
    from memdesk.ports.threads import CancelToken


#: The probabilities of the classes that pairs of texts may be of, a row for each pair.
Odds: TypeAlias = "Sequence[Sequence[float]]"


class LanguageAnalyzer(Protocol):
    """Tokens with lemmas, parts of speech, dependencies and names, and the statements that they make."""

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
        """Return the statements of a session, each read once, here.

        Args:
            turns: in order.
            known: whom the user named in earlier sessions.
            spoken: the language of earlier sessions, for words that could be of several.
            cancel: ends the work.

        Raises:
            EngineError: the engine process failed; :func:`memdesk.domain.reading.extractor.extract` stands in.
            CancelledError: ``cancel`` was set.
        """
        ...

    def weigh(self, task: str, pairs: Sequence[tuple[str, str]], *, cancel: CancelToken | None = None) -> Odds:
        """Return how likely each pair is of each class that a task tells apart ("succession", "durability").

        Raises:
            EngineError: the engine process failed.
            CancelledError: ``cancel`` was set.
        """
        ...
