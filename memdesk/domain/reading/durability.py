"""What of what somebody says is worth remembering in a month.

The bundled model tells it, as labeled chats have taught it: of a clause, and of a sentence of which no clause was kept ("Half Welsh,
half Punjabi"), which then stays in its speaker's own words. It reads the piece beside what stands around it.
``memdesk bench reading FILE... --train`` teaches it (``resources/models/durability.safetensors``).
"""

from collections.abc import Callable
from typing import Final

from memdesk.domain.language.analysis import Analysis
from memdesk.domain.language.text import one_line

#: The name of what the model was taught, and the class that means "lasts".
TASK: Final = "durability"
LASTS: Final = 1
#: From which probability on a piece is kept.
LEAST: Final = 0.5
#: Characters before and behind a piece that are read with it, and of the question that it may answer.
AROUND: Final = 150
QUESTION: Final = 90

#: Gives the probability that a piece lasts, read beside what stands around it.
Judge = Callable[[str, str], float]


def around(analysis: Analysis, begin: int, end: int, asked: str) -> str:
    """Return what a piece of a message is read beside: what stands around it, behind the question that the message may answer."""
    first = analysis.tokens[begin].start
    last = analysis.tokens[end - 1].start
    before, behind = analysis.text[max(0, first - AROUND) : first], analysis.text[first : last + AROUND]
    whole = before.partition(" ")[2] if first > AROUND else before
    question = f"{asked[-QUESTION:]} | " if asked else ""
    return question + one_line(whole + (behind.rpartition(" ")[0] if len(behind) == last - first + AROUND else behind))
