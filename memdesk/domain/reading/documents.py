"""The few statements of a pasted document that are worth a line, marked as the document's, not the user's."""

import re
from typing import Final

from memdesk.domain.language.text import content_words, one_line, sentences
from memdesk.domain.models import FactKind
from memdesk.domain.reading.candidates import Candidate, SourceTurn
from memdesk.domain.reading.noise import FIRST_PERSON, is_question
from memdesk.domain.reading.pasted import order_within

#: Most lines of one document.
MOST: Final = 2
SALIENCE: Final = 0.3
CONFIDENCE: Final = 0.6
#: Less than what a person says of themselves, more than a line that says little.
SCORE: Final = 0.3
#: Texts shorter or longer than this, in content words, are headings or paragraphs.
CONTENT: Final = (4, 28)
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][\w-]+")
_FIGURE: Final = re.compile(r"\b\d[\d.,:]*\b")


def statements(text: str, turn: SourceTurn, number: int) -> list[Candidate]:
    """Return the statements of a pasted text that contain a name and a figure, the richest first.

    None in the first person: nobody could know later who "I" was.

    Args:
        text: the document.
        turn: in which it was pasted.
        number: of that turn in the session.
    """
    lines = [one_line(line) for line in sentences(text)]
    ranked = sorted(
        (
            (_worth(line), -place, line)
            for place, line in enumerate(lines)
            if CONTENT[0] <= len(content_words(line)) <= CONTENT[1]
        ),
        reverse=True,
    )
    best = [(place, line) for worth, place, line in ranked if worth > 0][:MOST]
    suspects = [(-place, line) for place, line in enumerate(lines) if order_within(line)]
    return [_candidate(line, turn, (number, 1000 - place)) for place, line in dict.fromkeys((*best, *suspects))]


def _worth(line: str) -> int:
    names, figures = len(_NAME.findall(line)), len(_FIGURE.findall(line))
    plain = not is_question(line) and not order_within(line) and not FIRST_PERSON.search(line)
    return names + figures if plain and names and figures else 0


def _candidate(line: str, turn: SourceTurn, span: tuple[int, int]) -> Candidate:
    return Candidate(
        text=f"A document that {turn.speaker} pasted says: \u201c{line}\u201d",
        kind=FactKind.OTHER,
        speaker=turn.speaker,
        provenance="document",
        turn_ids=(turn.id,),
        quotes=(line,),
        spans=(span,),
        score=SCORE,
        salience=SALIENCE,
        confidence=CONFIDENCE,
        order=order_within(line) or "",
    )
