"""Turns what a user selected in a chat into a fact that can be read by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from memdesk.domain.candidates import SourceTurn
from memdesk.domain.extractor import cast_of, extract
from memdesk.domain.kinds import kind_of
from memdesk.domain.language import plain
from memdesk.domain.models import FactKind, Turn
from memdesk.domain.thirdperson import retell

if TYPE_CHECKING:
    from memdesk.ports import Clock

#: Turns a selected sentence into ``(content, kind)``.
Describe = Callable[[str, Turn | None], tuple[str, FactKind]]


def retold(clock: Clock) -> Describe:
    """Return a description in the third person with absolute dates, by rules alone.

    A model's words stay as they are: its "I" is not the user.
    """

    def describe(text: str, turn: Turn | None) -> tuple[str, FactKind]:
        if turn is not None and turn.role == "assistant" and not turn.speaker:
            return text, kind_of(text)
        when = clock.local(turn.said_at if turn else clock.now())
        speaker = turn.speaker if turn and turn.speaker else "the user"
        source = SourceTurn(id="", speaker=speaker, listener="the assistant", text=text, day=when.date())
        found = extract([source]).candidates
        if len(found) == 1:
            return found[0].text, found[0].kind
        analysis = plain(text)
        return retell(analysis, 0, len(analysis.tokens), cast_of(source)), kind_of(text)

    return describe
