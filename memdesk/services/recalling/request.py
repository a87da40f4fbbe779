"""The request for a block of memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.domain.models import Section
    from memdesk.services.recalling.muted import Muted


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """Counts a text's tokens for a model; two of one model are equal."""

    model: str
    count: Callable[[str], int] = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request for a block; equal requests get equal blocks while the memory is unchanged.

    Attributes:
        budget: tokens of the whole block.
        section: None lets the gate choose.
        session_now: the present that "yesterday" counts from; None for the clock's.
        history: earlier user messages of the chat.
        replies: what was answered in the chat.
        muted: items muted in the chat.
        tokenizer: of the reading model; None estimates its tokens.
        sparing: the reading model confuses context with the question; it gets only lines relevant to the message,
            without the user's name in every reply.
    """

    agent_id: str
    query: str
    budget: int
    section: Section | None = None
    as_of: datetime | None = None
    session_now: datetime | None = None
    history: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    muted: Muted = frozenset()
    conversation_id: str | None = None
    remote: bool = False
    tokenizer: Tokenizer | None = None
    sparing: bool = False

    @property
    def at_hand(self) -> tuple[str, ...]:
        """Texts already in the chat."""
        return (*self.history, *self.replies)
