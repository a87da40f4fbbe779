"""Rows of conversations: agents, conversations, turns, and sessions waiting to be distilled."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memdesk.domain.chatting.images import Image
    from memdesk.domain.models import Agent, Conversation, Hit, Page, Signal, SignalStatus, Turn, Unread, Utterance
    from memdesk.ports.upkeep import UsageRow


class AgentsRepo(Protocol):
    def get(self, agent_id: str) -> Agent | None: ...
    def all(self) -> list[Agent]:
        """Return all agents, built-in ones first, then by name."""

    def put(self, agent: Agent) -> None: ...
    def delete(self, agent_id: str) -> None:
        """Delete the agent and its memory; the history keeps the events without their texts."""

    def fact_counts(self) -> dict[str, int]:
        """Return the number of active facts by agent id; agents without any are left out."""


class ConversationsRepo(Protocol):
    """Conversations, keyed by (agent_id, conversation_id)."""

    def get(self, agent_id: str, conversation_id: str) -> Conversation | None: ...
    def put(self, conversation: Conversation) -> None:
        """Insert or update. ``turn_count`` is counted, never written."""

    def page(
        self,
        *,
        agent_id: str | None = None,
        query: str = "",
        archived: bool | None = None,
        pinned: bool | None = None,
        folder: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Conversation]:
        """List newest first; ``query`` searches titles and turns by full text; ``folder`` "" is threads in none."""

    def hits(self, threads: Collection[tuple[str, str]], query: str) -> dict[tuple[str, str], Hit]:
        """Return where the words occur in threads, by (agent, thread); nothing where only the title has them."""

    def folder_counts(self) -> dict[str, int]:
        """Return how many threads each folder holds, by folder id."""

    def leave_folder(self, folder_id: str) -> None:
        """Take all threads out of a folder."""

    def instructed(self) -> list[Conversation]:
        """Return threads of all agents that have instructions of their own."""

    def quiet(self, agent_id: str, among: Collection[str]) -> set[str]:
        """Return those of the ids whose thread's memory is not ``on``: other chats must not see their words."""


class TurnsRepo(Protocol):
    """The transcript."""

    def add(self, turns: Sequence[Turn]) -> list[int]:
        """Insert turns of conversations that exist; return their ``seq``, ascending, in the order given."""

    def get(self, turn_id: str) -> Turn | None: ...
    def many(self, turn_ids: Sequence[str]) -> list[Turn]: ...
    def by_seq(self, seqs: Sequence[int]) -> dict[int, Turn]: ...
    def said(self, seqs: Sequence[int]) -> dict[int, Utterance]:
        """Return the same rows as :meth:`by_seq` with only the fields ranking needs, in a third of the time."""

    def of_conversation(self, agent_id: str, conversation_id: str) -> list[Turn]:
        """Return the thread in order of position."""

    def page(
        self,
        *,
        agent_id: str | None,
        conversation_id: str | None = None,
        query: str = "",
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Turn]:
        """List turns: of one conversation in the order of the thread, of an agent, or of all, newest first."""

    def of_program(self, program: str) -> list[Turn]:
        """Return what a token ("laptop") and the programs that share it ("laptop: Claude") sent, with the answers."""

    def senders(self) -> list[tuple[str, int, datetime]]:
        """Return the programs that sent messages, how many they sent, how many were answered, and when last."""

    def next_position(self, agent_id: str, conversation_id: str) -> int:
        """Return the position after the thread's last turn; 0 for an empty or unknown thread."""

    def count(self, agent_id: str | None = None) -> int: ...
    def usage(self, since: datetime) -> list[UsageRow]:
        """Return what models were used for answers said since then, by day and model, the newest day first."""


class ImagesRepo(Protocol):
    """Pictures of messages. One is deleted with the last turn, former version or draft that refers to it."""

    def put(self, images: Iterable[Image]) -> None:
        """Keep pictures; rows that refer to them follow in the same transaction."""

    def many(self, image_ids: Iterable[str]) -> dict[str, Image]:
        """Return the pictures that exist, by id."""

    def has(self, image_id: str) -> bool: ...
    def all(self) -> Iterator[Image]:
        """Yield the pictures of all turns."""


class SignalsRepo(Protocol):
    def add(self, signals: Sequence[Signal]) -> None: ...
    def of_turns(self, turn_ids: Sequence[str]) -> set[str]:
        """Return those of the turns that have a signal, whatever its status: they may be learned from."""

    def pending(self, agent_id: str, conversation_id: str) -> list[Signal]:
        """Return what is still to be distilled for a session, oldest first."""

    def sessions(self, status: SignalStatus) -> list[tuple[str, str, int]]:
        """Return ``(agent_id, conversation_id, count)`` of sessions that hold signals of ``status``, oldest first."""

    def page(
        self, *, status: SignalStatus | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[Signal]: ...
    def mark(
        self,
        signal_ids: Sequence[str],
        status: SignalStatus,
        *,
        attempts: int | None = None,
        error: str = "",
        next_try_at: datetime | None = None,
    ) -> None:
        """Set the state of the signals named; with ``attempts`` None each keeps its count."""

    def unread(self, status: SignalStatus) -> Unread | None:
        """Return the last errors of signals of ``status`` whose last attempt failed; None where there are none."""

    def counts(self) -> dict[str, int]:
        """Return the number of signals by status; every status is present."""
