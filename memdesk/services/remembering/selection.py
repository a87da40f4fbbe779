"""Turns what a user selected in a chat into a fact that can be read by itself."""

from collections.abc import Callable

from memdesk.domain.comparing.similarity import jaccard, word_set
from memdesk.domain.language.data import language_data
from memdesk.domain.language.tell import language_of
from memdesk.domain.language.text import sentences
from memdesk.domain.models import FactKind, Turn
from memdesk.domain.reading.candidates import SourceTurn
from memdesk.ports import Clock, LanguageAnalyzer
from memdesk.services.reading import read

#: Turns a selection into ``(content, kind)``.
Describe = Callable[[str, Turn | None], tuple[str, FactKind]]


def retold(clock: Clock, analyzer: LanguageAnalyzer | None = None) -> Describe:
    """Return a description in the third person with absolute dates, by the rules that read whole sessions.

    What they find no statement in (a question, a few words) is kept as a quotation. A model's words stay as they
    are: its "I" is not the user.

    Args:
        clock: for the user's days.
        analyzer: parses the selection; None, or one that fails, leaves it to rules alone.
    """

    def describe(text: str, turn: Turn | None) -> tuple[str, FactKind]:
        if turn is not None and turn.role == "assistant" and not turn.speaker:
            return text, FactKind.OTHER
        day = clock.local(turn.said_at if turn else clock.now()).date()
        speaker = turn.speaker if turn and turn.speaker else "the user"
        source = SourceTurn(id="", speaker=speaker, listener="the assistant", text=text, day=day)
        candidates = read(analyzer, [source]).candidates
        # Neighboring statements come joined as well; the single ones say it all.
        found = [candidate for candidate in candidates if len(candidate.spans) == 1 and not candidate.order]
        if found:
            return " ".join(candidate.text for candidate in found), found[0].kind
        return language_data(language_of(text)).own_words(speaker, text), FactKind.OTHER

    return describe


def nearest_sentence(text: str, statement: str) -> str:
    """Return the sentence of ``text`` that shares most words with a statement that was made from it."""
    wanted = word_set(statement)
    return max(sentences(text), key=lambda sentence: jaccard(word_set(sentence), wanted), default=text.strip())
