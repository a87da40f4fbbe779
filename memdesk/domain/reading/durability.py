"""What is worth remembering in a month.

The bundled model estimates this, trained on labeled chats: for a clause, and for a sentence of which no clause was
kept ("Half Welsh, half Punjabi"), which then stays in its speaker's own words. It reads the text with its context.
``memdesk bench reading FILE... --train`` trains it (``resources/models/durability.safetensors``).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.text import one_line

#: The task that the model was trained for, and the class that means "lasts".
TASK: Final = "durability"
LASTS: Final = 1
#: The probability from which on a text is kept.
LEAST: Final = 0.5
#: Characters of context before and after a text, and of the question that it may answer.
AROUND: Final = 150
QUESTION: Final = 90


@dataclass(frozen=True, slots=True)
class Judge:
    """What the bundled model reads in a piece of a message.

    Attributes:
        lasting: returns the probability that a text lasts, given its context.
        care: returns the probabilities of :data:`~memdesk.domain.reading.care.CARE` for a text; the rest is that of none.
    """

    lasting: Callable[[str, str], float]
    care: Callable[[str], Mapping[str, float]]


def around(analysis: Analysis, begin: int, end: int, asked: str) -> str:
    """Return the context in which a text is read: what surrounds it, after the question it may answer."""
    first = analysis.tokens[begin].start
    last = analysis.tokens[end - 1].start
    before, behind = analysis.text[max(0, first - AROUND) : first], analysis.text[first : last + AROUND]
    whole = before.partition(" ")[2] if first > AROUND else before
    question = f"{asked[-QUESTION:]} | " if asked else ""
    return question + one_line(whole + (behind.rpartition(" ")[0] if len(behind) == last - first + AROUND else behind))
