"""Finds which conversation a client's messages belong to, and which are new.

OpenAI-style clients resend their whole history with every request without naming a conversation. These pure rules find
the conversation and store every message once, whether the client continues, asks for another answer, edits an earlier
message, or forgets its own oldest messages.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from memdesk.domain.chatting.images import Image
from memdesk.domain.models import Turn
from memdesk.ports import ChatMessage

DERIVED_PREFIX: Final = "auto-"


@dataclass(frozen=True, slots=True)
class Said:
    """A user's or assistant's message, as a client resends it."""

    role: Literal["user", "assistant"]
    content: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class Reconciled:
    """How to bring a stored conversation in line with its client's messages."""

    #: stored turns that the client replaced (an edit, another answer).
    drop: tuple[str, ...]
    #: messages to append, including the latest user message unless already stored.
    add: tuple[Said, ...]


def said(messages: Sequence[ChatMessage]) -> list[Said]:
    """Return the messages of user and model, through the latest user message, without tool traffic."""
    last = max((i for i, message in enumerate(messages) if message.role == "user"), default=-1)
    found: list[Said] = []
    for message in messages[: last + 1]:
        if message.role == "user" and (message.content.strip() or message.images):
            found.append(Said("user", message.content, message.images))
        elif message.role == "assistant" and message.content.strip():
            found.append(Said("assistant", message.content))
    return found


def derived_id(agent_id: str, messages: Sequence[Said], number: int = 1) -> str:
    """Return the id of the ``number``-th conversation that begins with these messages' first one."""
    first = next((message for message in messages if message.role == "user"), None)
    text = "\0".join((_fold(first.content), *_ids(first))) if first is not None else ""
    digest = hashlib.sha256(f"{agent_id}\0{text}".encode("utf-8", "surrogatepass")).hexdigest()[:20]
    return f"{DERIVED_PREFIX}{digest}" + (f"-{number}" if number > 1 else "")


def tail_key(agent_id: str, messages: Sequence[Said]) -> str | None:
    """Return a key of the last complete exchange, by which a shortened history is recognized."""
    if len(messages) < 2 or messages[-1].role != "assistant":
        return None
    text = "\0".join((agent_id, _fold(messages[-2].content), _fold(messages[-1].content)))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def common_prefix(stored: Sequence[Turn], messages: Sequence[Said], *, users_only: bool = False) -> int:
    """Return how many messages agree from the start on; with ``users_only`` an answer agrees with any answer."""
    number = 0
    for turn, message in zip(stored, messages, strict=False):
        if turn.role != message.role:
            break
        lenient = users_only and turn.role == "assistant"
        if not lenient and not _same(turn, message):
            break
        number += 1
    return number


def reconcile(stored: Sequence[Turn], messages: Sequence[Said]) -> Reconciled:
    """Compare a stored conversation with the messages of its client.

    Returns:
        what to drop and what to append. A history that shares nothing with what is stored (a client that
        sends only the newest message, or a summary in place of old ones) drops nothing.
    """
    if not messages:
        return Reconciled((), ())
    history, latest = messages[:-1], messages[-1]
    if not stored:
        return Reconciled((), tuple(messages))
    if not history:
        again = len(stored) == 2 and stored[1].role == "assistant" and _same(stored[0], latest)
        return Reconciled((stored[1].id,), ()) if again else Reconciled((), (latest,))
    start = _window(stored, history)
    if start is None:
        return Reconciled((), (latest,))
    agreed = common_prefix(stored[start:], history, users_only=True)
    rest = stored[start + agreed :]
    if agreed < len(history):
        return Reconciled(tuple(turn.id for turn in rest), (*history[agreed:], latest))
    if rest and _same(rest[0], latest):
        return Reconciled(tuple(turn.id for turn in rest[1:]), ())
    return Reconciled(tuple(turn.id for turn in rest), (latest,))


def _window(stored: Sequence[Turn], history: Sequence[Said]) -> int | None:
    """Return where in ``stored`` the client's history begins: 0, or later if it forgot its oldest messages."""
    if common_prefix(stored, history, users_only=True) > 0:
        return 0
    best: tuple[int, int] | None = None
    for start in range(1, len(stored)):
        agreed = common_prefix(stored[start:], history)
        whole = agreed == min(len(history), len(stored) - start)
        if whole and agreed and (best is None or agreed > best[1]):
            best = (start, agreed)
    return best[0] if best is not None else None


def _same(turn: Turn, message: Said) -> bool:
    """Whether a turn equals a resent message, which may lack its pictures."""
    shown = not message.images or turn.images == _ids(message)
    return turn.role == message.role and _fold(turn.content) == _fold(message.content) and shown


def _ids(message: Said) -> tuple[str, ...]:
    return tuple(dict.fromkeys(image.id for image in message.images))


def _fold(text: str) -> str:
    return " ".join(text.split())
