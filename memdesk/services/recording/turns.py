"""Turns to be stored: from imports and chats, and titles of threads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from memdesk.domain.chatting.images import Image
from memdesk.domain.chatting.thinking import without_thinking
from memdesk.domain.chatting.titles import title_of
from memdesk.domain.chatting.versions import Thought
from memdesk.domain.models import Conversation, Receipt, Turn, new_id
from memdesk.domain.reading.secret_forms import SecretKind
from memdesk.errors import BadRequestError
from memdesk.messages import say
from memdesk.ports import Repositories

MAX_TURN_CHARS: Final = 1_000_000
#: User settings of a conversation, kept when its text is replaced or it moves.
KEPT: Final = ("title", "memory", "pinned", "archived", "overrides", "folder_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestTurn:
    """One exchange of an import. Either side may be empty, if one speaker continues."""

    user: str = ""
    assistant: str = ""
    date: datetime | None = None
    user_speaker: str = ""
    assistant_speaker: str = ""
    user_images: tuple[Image, ...] = ()
    assistant_images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestResult:
    """The outcome of an import.

    ``distillation`` is one of ``distilled``, ``no_signals``, ``unchanged`` (it already exists unchanged, and nothing
    is pending), ``skipped:<why>``, ``empty:<why>``, ``parked:<n>``, ``error:<why>``.
    """

    status: Literal["ok"] = "ok"
    turns_ingested: int
    distillation: str
    episode_id: str | None = None
    #: facts kept or said again, facts pending review, rejected candidates.
    facts: int = 0
    review: int = 0
    rejected: int = 0
    model_calls: int = 0
    seconds: float = 0.0
    #: an explanation, if the outcome needs one.
    message: str = ""
    #: kinds of secrets in new messages, which memory omits unless deliberately stored as a fact.
    secrets: tuple[SecretKind, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurn:
    """A message about to be recorded."""

    role: Literal["user", "assistant"]
    content: str
    speaker: str = ""
    #: None: now.
    said_at: datetime | None = None
    model: str = ""
    usage: dict[str, Any] = field(default_factory=dict)
    #: stored with the turn, in the same transaction.
    receipt: Receipt | None = None
    receipt_id: str | None = None
    #: the model's thinking before it; stored with the turn, never part of memory.
    thought: Thought | None = None
    images: tuple[Image, ...] = ()
    program: str = ""
    #: the user's text, if passages of earlier files were added.
    written: str = ""
    #: the whole text of its files, by name; stored for those of which it has only passages.
    files: Mapping[str, str] = field(default_factory=dict)


def check_conversation_id(conversation_id: str) -> str:
    """Return a conversation id that can be stored and put in a path.

    Raises:
        BadRequestError: empty, over 200 characters, or with control characters.
    """
    if not 1 <= len(conversation_id) <= 200 or not conversation_id.isprintable() or not conversation_id.strip():
        raise BadRequestError(say("A conversation id must have 1 to 200 printable characters."))
    return conversation_id


def fresh_conversation(
    agent_id: str,
    conversation_id: str,
    rows: Sequence[NewTurn],
    session_date: datetime | None,
    now: datetime,
    defaults: dict[str, Any],
) -> Conversation:
    """Return a conversation that starts with these turns, titled by its first words."""
    first = next((row.content for row in rows if row.role == "user"), rows[0].content if rows else "")
    made = Conversation(
        agent_id=agent_id,
        id=conversation_id,
        title=title_of(first) or next((image.name for row in rows for image in row.images), ""),
        session_date=session_date,
        created_at=now,
        updated_at=now,
    )
    return replace(made, **defaults)


def turn_of(row: NewTurn, conversation: Conversation, position: int, now: datetime) -> Turn:
    return Turn(
        id=new_id(),
        agent_id=conversation.agent_id,
        conversation_id=conversation.id,
        position=position,
        role=row.role,
        speaker=row.speaker,
        content=row.content,
        said_at=row.said_at or now,
        created_at=now,
        model=row.model,
        receipt_id=row.receipt.id if row.receipt is not None else row.receipt_id,
        usage=row.usage,
        images=tuple(dict.fromkeys(image.id for image in row.images)),
        program=row.program,
    )


def rows_of(
    turns: Sequence[IngestTurn], session_date: datetime | None, program: str, now: datetime
) -> tuple[list[NewTurn], set[int]]:
    """Return the messages, and the numbers of undated ones."""
    rows: list[NewTurn] = []
    undated: set[int] = set()
    base = session_date or now
    for number, turn in enumerate(turns):
        # Milliseconds keep the order of turns that share a date, without moving them to another day.
        when = turn.date or base + timedelta(milliseconds=number)
        for role, text, speaker, images in (
            ("user", turn.user, turn.user_speaker, turn.user_images),
            ("assistant", without_thinking(turn.assistant), turn.assistant_speaker, turn.assistant_images),
        ):
            if len(text) > MAX_TURN_CHARS:
                raise BadRequestError(say("A turn has more than {n:,} characters.", n=MAX_TURN_CHARS))
            if text.strip() or images:
                side: Literal["user", "assistant"] = "user" if role == "user" else "assistant"
                if turn.date is None and session_date is None:
                    undated.add(len(rows))
                new = NewTurn(role=side, content=text, speaker=speaker, said_at=when, images=images, program=program)
                rows.append(new)
    return rows, undated


def already_held(
    repos: Repositories, known: Conversation, rows: Sequence[NewTurn], undated: set[int], *, learned: bool
) -> int | None:
    """Return how many of the messages a conversation has; None if it must be rewritten.

    That is if it has others, or if whether to learn from it has changed.
    """
    had = repos.turns.of_conversation(known.agent_id, known.id)
    if not 0 < len(had) <= len(rows):
        return None
    for number, (row, turn) in enumerate(zip(rows, had, strict=False)):
        if (row.role, row.speaker, row.content) != (turn.role, turn.speaker, turn.content):
            return None
        if set(turn.images) != {image.id for image in row.images}:
            return None
        if number not in undated and row.said_at != turn.said_at:
            return None
    signals = len(repos.signals.of_turns([turn.id for turn in had]))
    return len(had) if signals == (len(had) if learned else 0) else None
