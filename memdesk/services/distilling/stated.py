"""A model's statement as a line of ours: only where the user said it in the turns that it names, and said it as a statement."""

from collections.abc import Sequence
from typing import Final

from memdesk.domain.comparing.similarity import word_set
from memdesk.domain.items.statement import USER, Statement
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import sentences
from memdesk.domain.models import FactKind
from memdesk.domain.reading import grounding
from memdesk.domain.reading.candidates import Candidate, SourceTurn
from memdesk.domain.reading.digest import StatedCandidate
from memdesk.domain.reading.extractor import ASSISTANT
from memdesk.domain.reading.handing import announced
from memdesk.domain.reading.injection import order_in
from memdesk.domain.reading.kinds import kind_of_statement
from memdesk.domain.reading.plainly import PlainReader

#: Why a sentence is not a statement of its speaker, as far as closed classes prove it.
_NO_STATEMENT: Final = frozenset({"question", "hypothetical", "says what another said"})
CONFIDENCE: Final = 0.8


def stated_line(stated: StatedCandidate, sources: Sequence[SourceTurn]) -> Candidate | None:
    """Return a model's statement as a candidate; None where the turns it names do not say it.

    Whether its words are grounded in them is for the caller to check, as of any other line.
    """
    others = announced(sources, ASSISTANT)
    numbers = [number - 1 for number in stated.turns if 0 < number <= len(sources)]
    cited = [sources[number] for number in numbers if number not in others]
    own = [turn for turn in cited if turn.own and turn.provenance == "user"]
    if not own or order_in(stated.content):
        return None
    said = [(turn, _best_sentence(stated.content, turn.text)) for turn in own]
    if not all(_fits(stated.content, sentence) for _, sentence in said):
        return None
    statement = _fields(stated, own[0], said[0][1])
    return Candidate(
        text=stated.content if stated.content.endswith((".", "!", "?")) else f"{stated.content}.",
        kind=kind_of_statement(statement) if statement is not None else FactKind.OTHER,
        speaker=own[0].speaker,
        provenance="user",
        turn_ids=tuple(turn.id for turn in own),
        quotes=tuple(sentence for _, sentence in said),
        spans=(),
        salience=stated.salience,
        confidence=CONFIDENCE,
        own=True,
        lasts=True,
        statement=statement,
    )


def _fits(content: str, sentence: str) -> bool:
    """Whether a sentence states, and says yes where the line says yes."""
    reader = PlainReader(language_of(sentence))
    return reader.why_not(sentence) not in _NO_STATEMENT and grounding.negated(content) == grounding.negated(sentence)


def _best_sentence(line: str, text: str) -> str:
    wanted = word_set(line)
    return max(sentences(text) or [""], key=lambda sentence: len(word_set(sentence) & wanted))


def _fields(stated: StatedCandidate, turn: SourceTurn, quote: str) -> Statement | None:
    """Return the fields where subject and object are words of the line itself; None where the model says otherwise."""
    words = word_set(stated.content)
    subject = stated.subject.strip().removeprefix("the ").removeprefix("The ")
    of_user = subject == USER or subject.startswith(f"{USER}'s ")
    if not stated.predicate or not of_user or not word_set(stated.object) <= words:
        return None
    if not word_set(subject) <= words | {USER}:
        return None
    return Statement(
        subject=subject,
        predicate=stated.predicate.lower(),
        object=stated.object,
        attribute=stated.attribute.lower(),
        holds=not grounding.negated(quote),
        speaker=USER,
        quote=quote,
        language=language_of(turn.text),
    )
