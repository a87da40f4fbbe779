"""Reads messages by grammar: no model, no key, no network."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memdesk.domain.comparing.ties import named_in
from memdesk.domain.reading.candidates import Candidate, SourceTurn
from memdesk.ports import LanguageAnalyzer
from memdesk.ports.library import Message, Told
from memdesk.services.reading import read


class GrammarExtractor:
    """``ports.library.Grammar`` over the language analysis.

    Args:
        analyzer: the parser; if it fails, rules split the sentences.
    """

    def __init__(self, analyzer: LanguageAnalyzer) -> None:
        self._analyzer = analyzer

    def read(self, messages: Sequence[Message], *, said_at: datetime, prompt: str = "") -> list[Told]:
        del prompt
        return [_told(one) for one in self._candidates(messages, said_at) if _is_kept(one)]

    def told(self, text: str, *, said_at: datetime) -> Told:
        found = [(one, _told(one)) for one in self._candidates([Message("user", text)], said_at)]
        kept = [told for one, told in found if _is_kept(one)]
        # Sentences without a statement may contain names too.
        named = {name: kind for _, told in found for name, kind in told.entities}
        return replace(kept[0] if len(kept) == 1 else Told(text=text), text=text, entities=tuple(named.items()))

    def _candidates(self, messages: Sequence[Message], said_at: datetime) -> Sequence[Candidate]:
        turns = [_turn(number, message, said_at) for number, message in enumerate(messages) if message.role != "system"]
        return read(self._analyzer, turns).candidates if turns else ()


def _turn(number: int, message: Message, said_at: datetime) -> SourceTurn:
    by_user = message.role == "user"
    return SourceTurn(
        id=str(number),
        speaker="the user" if by_user else "the assistant",
        listener="the assistant" if by_user else "the user",
        text=message.content,
        day=said_at.date(),
        provenance="user" if by_user else "assistant",
        own=by_user,
    )


def _is_kept(candidate: Candidate) -> bool:
    """Whether it is the user's own statement, meaningful by itself, and not an order to a model."""
    said = candidate.statement
    passing = candidate.tentative and said is not None and said.predicate == "say"
    alone = len(candidate.spans) == 1 and not passing
    return candidate.provenance == "user" and alone and not candidate.order


def _told(candidate: Candidate) -> Told:
    said = candidate.statement
    # What a statement says about a name counts more than what the name looks like.
    named = dict(candidate.entities) | ({one.name: one.sort for one in named_in(said)} if said is not None else {})
    return Told(
        text=candidate.text,
        statement=said,
        kind=candidate.kind,
        entities=tuple(named.items()),
        confidence=candidate.confidence,
    )
