"""Reads lines stored without a statement: written by hand, imported, or kept before statements were."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime

from memdesk.domain.comparing.succession import LANGUAGE
from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.language.analysis import Analysis, plain
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import sentences
from memdesk.domain.reading.care import cared
from memdesk.domain.reading.clause import Clause
from memdesk.domain.reading.clauses import clauses
from memdesk.domain.reading.discourse import Discourse
from memdesk.domain.reading.keeping import likeliest
from memdesk.domain.reading.standing import is_standing
from memdesk.domain.reading.statements import StatementReader
from memdesk.domain.reading.subjects import Naming
from memdesk.domain.reading.wording import is_foreign
from memdesk.errors import EngineError
from memdesk.ports import LanguageAnalyzer

log = logging.getLogger(__name__)


class LineReader:
    """Reads one statement from each line, in the first or third person.

    Args:
        analyzer: parses; if None or failing, lines are compared by their words only.
        care: returns which of :data:`~memdesk.domain.reading.care.CARE` a line is by its meaning; empty for none. Lines
            written by hand ("Coeliac", "Two sentences at most please") often cannot be parsed.
    """

    def __init__(self, analyzer: LanguageAnalyzer | None, care: Callable[[str], str] = lambda _: "") -> None:
        self._analyzer = analyzer
        self._care = care

    def read(self, lines: Sequence[tuple[str, datetime]]) -> list[Statement | None]:
        """Return each line's statement, in order.

        Lines come with the time at which they were said, in the user's timezone.
        """
        analyses = self.parse([text for text, _ in lines])
        return [
            self._with_care(statement_of(analysis, said_at), text, said_at)
            for analysis, (text, said_at) in zip(analyses, lines, strict=True)
        ]

    def parse(self, texts: Sequence[str]) -> list[Analysis]:
        """Parse texts, in order; without an analyzer, or if it fails, they are only tokenized."""
        try:
            return self._analyzer.analyze(texts) if self._analyzer is not None and texts else [*map(plain, texts)]
        except EngineError as error:
            log.warning("lines stay unread without language analysis: %s", error.code)
            return [*map(plain, texts)]

    def _with_care(self, statement: Statement | None, text: str, said_at: datetime) -> Statement | None:
        """Return a statement marked as critical, if its fields do not show that."""
        if statement is not None and (statement.attribute or statement.ended):
            return statement
        if statement is not None:
            return replace(statement, attribute=self._tagged(text) or self._care(text))
        care = self._care(text)
        if not care:
            return None
        return Statement(
            subject="assistant" if care == "instruction" else USER,
            predicate="say",
            object=text.strip(" .!"),
            attribute=care,
            modality="instruction" if care == "instruction" else "fact",
            said_at=said_at,
            quote=text,
            language=language_of(text),
        )

    def _tagged(self, text: str) -> str:
        """Return which of :data:`~memdesk.domain.reading.care.CARE` the tags of an English line's first sentence tell."""
        if self._analyzer is None or language_of(text) != LANGUAGE:
            return ""
        try:
            return likeliest(self._analyzer.tag(sentences(text)[:1])[0].care)
        except EngineError as error:
            log.warning("a line stays untagged: %s", error.code)
            return ""


def statement_of(analysis: Analysis, said_at: datetime) -> Statement | None:
    """Return the one statement of a line; None for several statements, or an unsupported language."""
    if not analysis.parsed or is_foreign(analysis.text):
        return None
    found = [clause for begin, end in analysis.sentences() for clause in clauses(analysis, begin, end)]
    if len(found) != 1 or found[0].mood == "question":
        return None
    return _read(found[0], said_at.date(), said_at)


def _read(clause: Clause, day: date, said_at: datetime) -> Statement | None:
    statement = StatementReader(Naming(Discourse(USER), ""), day).read(clause).statement
    if not (statement.subject and statement.predicate):
        return None
    # Not every imperative is for the assistant: "Buy milk".
    passing = clause.mood == "order" and not is_standing(clause, holds=statement.holds)
    return replace(statement if passing else cared(clause, statement), said_at=said_at)
