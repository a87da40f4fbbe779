"""What a digest is compared with: long sentences about oneself, and the same model asked plainly."""

import re
from typing import Final

from memdesk.domain.language.analysis import plain
from memdesk.domain.language.text import sentences
from memdesk.domain.reading.candidates import SourceTurn
from memdesk.domain.reading.structured import UnusableAnswerError
from memdesk.domain.reading.thirdperson import retell
from memdesk.domain.reading.wording import cast_of
from memdesk.errors import ContextOverflowError
from memdesk.ports import LanguageModel
from memdesk.services.distilling import write
from memdesk.services.importing import LocomoSession

_FIRST: Final = re.compile(r"\b(?:I|I'm|I've|I'd|I'll|my|me|we|our|us)\b", re.IGNORECASE)
LINES: Final = 12


def sources(session: LocomoSession) -> list[SourceTurn]:
    people = list(dict.fromkeys(turn.speaker for turn in session.turns))
    return [
        SourceTurn(
            id=turn.id,
            speaker=turn.speaker,
            listener=next((other for other in people if other != turn.speaker), turn.speaker),
            text=turn.text,
            day=session.date.date(),
        )
        for turn in session.turns
    ]


def longest_first_person(session: LocomoSession) -> list[str]:
    """Return the 12 longest sentences with a first-person word, "I" put as the speaker's name by rules."""
    found: list[tuple[int, str]] = []
    for turn in sources(session):
        for sentence in sentences(turn.text):
            if _FIRST.search(sentence):
                analysis = plain(sentence)
                line = retell(analysis, 0, len(analysis.tokens), cast_of(turn))
                found.append((len(sentence), line))
    return [line for _, line in sorted(found, key=lambda item: -item[0])[:LINES] if line]


def plainly(model: LanguageModel, session: LocomoSession) -> list[str]:
    """Return the lines of the model's own digest, unchecked, at most 12."""
    try:
        digest = write(model, sources(session), (), None).digest
    except (UnusableAnswerError, ContextOverflowError):
        return []
    if digest is None:
        return []
    lines = [stated.content for stated in digest.statements] + [digest.summary, *digest.decisions, *digest.action_items]
    return list(dict.fromkeys(line for line in lines if line))[:LINES]
