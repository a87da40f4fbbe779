"""What a block of memory is asked for with."""

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
    """How many tokens of a model a text is; two of one model are equal."""

    model: str
    count: Callable[[str], int] = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A message that a block is made for; equal requests get equal blocks as long as the memory stays as it is.

    Attributes:
        budget: tokens of the whole block.
        section: None lets the gate choose.
        session_now: the present that "yesterday" counts from; None for the clock's.
        history: earlier user messages of the chat.
        replies: what was answered in the chat.
        muted: what is not to be used in the chat.
        tokenizer: of the model that will read the block; None estimates its tokens.
        sparing: the model that will read the block takes what it reads for what it is asked; it gets lines that bear on the
            message alone, not the user's name with every reply.
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
        """What the chat holds already."""
        return (*self.history, *self.replies)
