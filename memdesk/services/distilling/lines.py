"""Reads lines that are stored without a statement: written by hand, imported, or kept before statements were."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.language.analysis import Analysis, plain
from memdesk.domain.reading.clauses import Clause, clauses
from memdesk.domain.reading.statements import StatementReader
from memdesk.domain.reading.subjects import Discourse, Naming
from memdesk.domain.reading.wording import is_foreign
from memdesk.errors import EngineError
from memdesk.ports import LanguageAnalyzer

log = logging.getLogger(__name__)


class LineReader:
    """Reads one statement from each line, in whatever person it is told.

    Args:
        analyzer: parses; None, or one that fails, reads nothing: such lines are compared by their words alone.
    """

    def __init__(self, analyzer: LanguageAnalyzer | None) -> None:
        self._analyzer = analyzer

    def read(self, lines: Sequence[tuple[str, datetime]]) -> list[Statement | None]:
        """Return what each line says, in order.

        They come with the moment at which they were said, in the user's zone.
        """
        analyses = self.parse([text for text, _ in lines])
        return [statement_of(analysis, said_at) for analysis, (_, said_at) in zip(analyses, lines, strict=True)]

    def parse(self, texts: Sequence[str]) -> list[Analysis]:
        """Parse texts, in order; without an analyzer, or where it fails, they are only cut into words."""
        try:
            return self._analyzer.analyze(texts) if self._analyzer is not None and texts else [*map(plain, texts)]
        except EngineError as error:
            log.warning("lines stay unread without language analysis: %s", error.code)
            return [*map(plain, texts)]


def statement_of(analysis: Analysis, said_at: datetime) -> Statement | None:
    """Return the one statement of a line; None for one that says several things, or in a language that is not parsed."""
    if not analysis.parsed or is_foreign(analysis.text):
        return None
    found = [clause for begin, end in analysis.sentences() for clause in clauses(analysis, begin, end)]
    if len(found) != 1 or found[0].mood == "question":
        return None
    return _read(found[0], said_at.date(), said_at)


def _read(clause: Clause, day: date, said_at: datetime) -> Statement | None:
    statement = StatementReader(Naming(Discourse(USER), ""), day).read(clause).statement
    return replace(statement, said_at=said_at) if statement.subject and statement.predicate else None
