"""What the Python library needs besides a store: a history, a reader of messages, a language model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, Protocol

from memdesk.domain.items.history import Event, HistoryRecord
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.items.statement import Statement
from memdesk.domain.models import FactKind
from memdesk.ports.engines import Vectors
from memdesk.ports.item_store import ItemStore


@dataclass(frozen=True, slots=True)
class Message:
    """One message to remember."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One thing said in messages.

    Attributes:
        statement: the same in fields; None if it could not be parsed.
        kind: what it is about; None if unknown.
        entities: ``(name, type)`` of the names in it.
        speaker: whose words these are.
    """

    text: str
    statement: Statement | None = None
    kind: FactKind | None = None
    entities: tuple[tuple[str, str], ...] = ()
    confidence: float = 1.0
    speaker: Literal["system", "user", "assistant"] = "user"


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do with a new statement.

    Attributes:
        event: ADD a memory; UPDATE the target to ``text``; DELETE the target; NONE.
        reason: in plain text.
    """

    event: Event
    text: str
    target: MemoryItem | None = None
    reason: str = ""


class Decide(Protocol):
    """Decides what a new statement does to the memories nearest to it."""

    def __call__(self, told: Told, known: Sequence[MemoryItem]) -> list[Decision]:
        """Return the decision; ``known`` is sorted nearest first. Raises ``EngineError`` where a model failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What a graph shows of one memory.

    Attributes:
        id: of the memory.
        owner: ``user_id``, ``agent_id`` and ``run_id``, each may be "". Entities of one name and owner are the same.
        entities: name to type, "" if unknown.
        relations: ``(source, relation, target)`` by names of ``entities``.
    """

    id: str
    owner: Mapping[str, str]
    entities: Mapping[str, str]
    relations: Sequence[tuple[str, str, str]] = ()


class GraphCopy(Protocol):
    """A graph database that shows the entities of memories and their relations. Thread-safe.

    Raises:
        EnvironmentFault: it does not answer, or refuses.
    """

    def draw(self, collection: str, drawn: Sequence[Drawn]) -> None:
        """Show memories, each replacing what was shown of it before."""

    def erase(self, collection: str, ids: Sequence[str]) -> None:
        """Delete memories, and the entities that no other memory names."""

    def count(self, collection: str) -> int:
        """Return how many memories are shown."""

    def forget(self, collection: str) -> None:
        """Delete everything of a collection."""

    def close(self) -> None:
        """Close connections. Idempotent."""


class Extractor(Protocol):
    """Reads messages."""

    def read(self, messages: Sequence[Message], *, said_at: datetime, prompt: str = "") -> list[Told]:
        """Return what is worth remembering, in the order it was said.

        Args:
            messages: in order.
            said_at: when they were said, for relative dates.
            prompt: replaces the model's usual prompt; a reader without a model ignores it.

        Raises:
            EngineError: reading failed.
        """


class Grammar(Extractor, Protocol):
    """Reads messages without a model, and the texts of memories."""

    def told(self, text: str, *, said_at: datetime) -> Told:
        """Return what one memory's text says: in fields if it is one statement, and the names in it in any case."""


#: JSON schema of every answer that readers and deciders ask for. Its bounds make small models stop.
ANSWERS: Final[dict[str, Any]] = {
    "anyOf": [
        {
            "type": "object",
            "properties": {"facts": {"type": "array", "items": {"type": "string", "maxLength": 300}, "maxItems": 32}},
            "required": ["facts"],
        },
        {
            "type": "object",
            "properties": {
                "memory": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "id": {"type": "string", "maxLength": 4},
                            "event": {"enum": ["ADD", "UPDATE", "DELETE", "NONE"]},
                            "text": {"type": "string", "maxLength": 300},
                        },
                        "required": ["event"],
                    },
                    "maxItems": 6,
                }
            },
            "required": ["memory"],
        },
    ]
}


class TextModel(Protocol):
    """A language model that answers in one piece."""

    def complete(self, system: str, user: str) -> str:
        """Return the answer, asked for as JSON if the model supports it.

        Raises:
            RateLimitedError: too many requests; the same call may succeed after a pause.
            EngineError: any other failure.
        """

    def close(self) -> None:
        """Close connections. Idempotent."""


class ItemHistory(Protocol):
    """What happened to items, in chronological order."""

    def note(self, collection: str, records: Sequence[HistoryRecord]) -> None: ...

    def noted(self, collection: str, memory_id: str | None = None) -> list[HistoryRecord]:
        """Return the records of one item, even if deleted, or of all, oldest first."""

    def forget(self, collection: str) -> None:
        """Delete all records of a collection."""

    def close(self) -> None:
        """Close connections. Idempotent."""


@dataclass(frozen=True, slots=True)
class RequestStatus:
    """Outcome of a request: its answer, or None with the error, and whether it will not be retried."""

    answer: Any
    problem: str = ""
    given_up: bool = False


class Requests(Protocol):
    """Requests to servers that share a database, executed once.

    Raises:
        BadRequestError: the key was used before with another body.
    """

    def once(self, tenant: str, key: str, body: Mapping[str, Any], work: Callable[[], Any]) -> Any:
        """Return the result of ``work``, run once for this key by whichever server is first."""

    def queue(self, tenant: str, key: str, body: Mapping[str, Any]) -> None:
        """Accept a request for later; durable when it returns, once per key."""

    def status(self, tenant: str, key: str) -> RequestStatus | None:
        """Return the outcome of a request, None if unknown."""


class RecordingStore(ItemStore, ItemHistory, Protocol):
    """A store that writes the history in the transaction of the change; nothing is recorded for missing items."""

    def insert(
        self,
        collection: str,
        items: Sequence[MemoryItem],
        vectors: Vectors | None,
        *,
        records: Sequence[HistoryRecord] = (),
    ) -> None:
        """Store new items; see ``ItemStore``."""

    def update(
        self, collection: str, item: MemoryItem, vector: Vectors | None, *, records: Sequence[HistoryRecord] = ()
    ) -> bool:
        """Replace an item; see ``ItemStore``."""

    def delete(self, collection: str, ids: Sequence[str], *, records: Sequence[HistoryRecord] = ()) -> int:
        """Delete items; see ``ItemStore``."""


class GapStore(Protocol):
    """A store that lists items without a vector, numbered in the order they were stored."""

    def gaps(self, collection: str, *, after: int, limit: int) -> list[tuple[int, str]]:
        """Return ``(number, text)`` of the first after the number ``after``; none for an unknown collection."""

    def fill(self, collection: str, gaps: Sequence[tuple[int, str]], vectors: Vectors) -> None:
        """Store the vectors, shape ``(len(gaps), dimensions)``, of those with unchanged text and none yet.

        Raises:
            BadRequestError: their width is not the collection's.
        """
