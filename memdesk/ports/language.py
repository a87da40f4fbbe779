"""Reading a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memdesk.domain.language.analysis import Analysis
    from memdesk.ports.engines import EngineState
    from memdesk.ports.threads import CancelToken


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEntity:
    """A name found in a text: character span and type (person, place, organisation, product, date, other)."""

    text: str
    type: str
    start: int
    end: int


class EntityRecognizer(Protocol):
    """Named entity recognition."""

    def entities(self, texts: Sequence[str]) -> list[list[NamedEntity]]: ...


class LanguageAnalyzer(Protocol):
    """Tokens with lemmas, parts of speech, dependencies and names."""

    def analyze(self, texts: Sequence[str], *, cancel: CancelToken | None = None) -> list[Analysis]:
        """Analyse texts, in order.

        Raises:
            EngineError: the engine process failed; :func:`memdesk.domain.language.analysis.plain` stands in.
            CancelledError: ``cancel`` was set.
        """

    def state(self) -> EngineState: ...
