"""Statements by grammar: the parse of an analyzer where one is at hand, closed classes where none is."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.reading.candidates import Extraction, SourceTurn
from memdesk.domain.reading.extractor import extract, prepare
from memdesk.domain.reading.subjects import Mention
from memdesk.errors import EngineError
from memdesk.ports import CancelToken, LanguageAnalyzer

log = logging.getLogger(__name__)


class GrammarExtractor:
    """``ports.Extractor`` without a model.

    Args:
        analyzer: parses; None, or one that fails, leaves the closed classes.
    """

    def __init__(self, analyzer: LanguageAnalyzer | None) -> None:
        self._analyzer = analyzer

    def extract(
        self,
        turns: Sequence[SourceTurn],
        cancel: CancelToken | None = None,
        *,
        known: Sequence[Mention] = (),
        spoken: str = "en",
    ) -> Extraction:
        """Return the statements of a session; see ``ports.Extractor``."""
        return extract(turns, self._analyses(prepare(turns), cancel), known=known, spoken=spoken)

    def _analyses(self, texts: Sequence[str], cancel: CancelToken | None) -> list[Analysis] | None:
        if self._analyzer is None:
            return None
        try:
            return self._analyzer.analyze(texts, cancel=cancel)
        except EngineError as error:
            log.warning("distillation goes on without language analysis: %s", error.code)
            return None
