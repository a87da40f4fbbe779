"""Statements by grammar: the parse of an analyzer where one is at hand, closed classes where none is."""

import logging
from collections.abc import Sequence

from memdesk.domain.reading.candidates import Extraction, SourceTurn
from memdesk.domain.reading.extractor import extract
from memdesk.domain.reading.subjects import Mention
from memdesk.errors import EngineError
from memdesk.ports import CancelToken, LanguageAnalyzer

log = logging.getLogger(__name__)


def read(
    analyzer: LanguageAnalyzer | None,
    turns: Sequence[SourceTurn],
    *,
    known: Sequence[Mention] = (),
    spoken: str = "en",
    cancel: CancelToken | None = None,
) -> Extraction:
    """Return the statements of a session; see ``ports.LanguageAnalyzer.extract``.

    No analyzer, or one that fails, leaves the closed classes, and this process to read by them.
    """
    if analyzer is not None:
        try:
            return analyzer.extract(turns, known=known, spoken=spoken, cancel=cancel)
        except EngineError as error:
            log.warning("reading goes on without language analysis: %s", error.code)
    return extract(turns, known=known, spoken=spoken)
