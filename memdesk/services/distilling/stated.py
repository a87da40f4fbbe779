"""Accepts a model's statement as a line only if the user stated it in the turns that it cites."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from memdesk.domain.comparing.similarity import word_set
from memdesk.domain.items.statement import USER as USER_SUBJECT
from memdesk.domain.items.statement import Statement, noon
from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.data import language_data
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import sentences
from memdesk.domain.models import FactKind
from memdesk.domain.reading.candidates import ASSISTANT, Candidate, SourceTurn
from memdesk.domain.reading.digest import StatedCandidate
from memdesk.domain.reading.extractor import prepare
from memdesk.domain.reading.handing import announced
from memdesk.domain.reading.injection import order_in
from memdesk.domain.reading.kinds import kind_of_statement
from memdesk.domain.reading.plainly import PlainReader
from memdesk.domain.reading.roles import Said, borne_out
from memdesk.services.distilling.lines import LineReader, statement_of
from memdesk.services.distilling.session import USER

#: Reasons, provable from closed word classes, why a sentence is not a statement of its speaker.
_NO_STATEMENT: Final = frozenset({"question", "hypothetical", "says what another said"})
CONFIDENCE: Final = 0.8


class Hearing:
    """Checks a model's lines against what was said in a session.

    Args:
        sources: its turns.
        lines: parses lines.
    """

    def __init__(self, sources: Sequence[SourceTurn], lines: LineReader) -> None:
        self._lines = lines
        self._others = announced(sources, ASSISTANT)
        #: the turns without code, quotations and pasted documents.
        self.own = [replace(one, text=text) for one, text in zip(sources, prepare(sources), strict=True)]
        self._parsed = dict[int, Analysis]()

    def stated(self, stated: StatedCandidate) -> Candidate | None:
        """Return a model's statement as a candidate; None if the turns it cites do not say it.

        The caller checks that its words are grounded, as for any other line.
        """
        numbers = [n - 1 for n in stated.turns if 0 < n <= len(self.own) and n - 1 not in self._others]
        turns = [self.own[n] for n in numbers if self.own[n].own and self.own[n].provenance == "user"]
        if not turns or order_in(stated.content):
            return None
        said = [best_sentence(stated.content, turn.text) for turn in turns]
        if any(PlainReader(language_of(one)).why_not(one) in _NO_STATEMENT for one in said):
            return None
        line = Candidate(
            text=stated.content if stated.content.endswith((".", "!", "?")) else f"{stated.content}.",
            kind=FactKind.OTHER,
            speaker=turns[0].speaker,
            provenance="user",
            turn_ids=tuple(turn.id for turn in turns),
            quotes=tuple(said),
            spans=(),
            salience=stated.salience,
            confidence=CONFIDENCE,
            own=True,
            lasts=True,
        )
        if not self.bears_out(line):
            return None
        statement = self._read(line, turns[0])
        return replace(line, statement=statement, kind=kind_of_statement(statement)) if statement is not None else line

    def bears_out(self, line: Candidate) -> bool:
        """Return whether a line's turns say the same about the same people."""
        numbers = [n for n, turn in enumerate(self.own) if turn.id in line.turn_ids]
        code = language_of(line.text)
        if code != "en":
            return all(_of_the_same(line.text, self.own[n], code) for n in numbers if self.own[n].provenance == "user")
        new = [n for n in numbers if n not in self._parsed]
        told, *parsed = self._lines.parse([line.text, *(self.own[n].text for n in new)])
        self._parsed.update(zip(new, parsed, strict=True))
        said = [Said(self._parsed[n], self.own[n].speaker, self.own[n].listener) for n in numbers]
        return told.parsed and borne_out(told, said)

    def _read(self, line: Candidate, turn: SourceTurn) -> Statement | None:
        """Return the fields of a line; None if they are about somebody unrelated to the user."""
        said_at = noon(turn.day)
        (analysis,) = self._lines.parse([line.text])
        statement = statement_of(analysis, said_at)
        if statement is None or not f"{statement.subject}'s ".startswith(f"{USER_SUBJECT}'s "):
            return None
        return replace(statement, quote=line.quotes[0], language=language_of(turn.text))


def _of_the_same(line: str, turn: SourceTurn, code: str) -> bool:
    """Whether a line in an unsupported language has the same subject, the user or not, as its source."""
    statement, _ = PlainReader(code).statement(best_sentence(line, turn.text), turn.day)
    of_user = line.casefold().startswith(f"{language_data(code).called(USER)} ".casefold())
    return of_user == (statement.subject == USER_SUBJECT)


def best_sentence(line: str, text: str) -> str:
    """Return the sentence of a text that shares the most words with a line."""
    wanted = word_set(line)
    return max(sentences(text) or [""], key=lambda sentence: len(word_set(sentence) & wanted))
