"""Events, published to subscribers (window, server). Handlers run on the publisher's thread."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from memdesk.domain.reading.candidates import Passed

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events."""


@dataclass(frozen=True, slots=True)
class TurnsRecorded(Event):
    """Turns became durable."""

    agent_id: str
    conversation_id: str
    turn_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PendingChanged(Event):
    """The number of pending or parked signals changed."""


@dataclass(frozen=True, slots=True)
class DistillationStarted(Event):
    """A session is being distilled."""

    agent_id: str
    conversation_id: str


@dataclass(frozen=True, slots=True)
class DistillationFinished(Event):
    """A session was distilled or not; ``outcome`` is as in the API."""

    agent_id: str
    conversation_id: str
    outcome: str
    episode_id: str | None = None
    fact_ids: tuple[str, ...] = ()
    review_ids: tuple[str, ...] = ()
    rejected: int = 0
    #: sentences skipped as not durable, in order; published once and not stored.
    passed: tuple[Passed, ...] = ()
    #: secrets in newly read messages, each published once: the message, and the kind ("card number").
    secrets: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryChanged(Event):
    """Something remembered changed; caches of this agent are stale; of all agents if ``agent_id`` is None."""

    agent_id: str | None
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AgentsChanged(Event):
    """Agents were created, edited or deleted."""


@dataclass(frozen=True, slots=True)
class ConversationsChanged(Event):
    """Threads were created, renamed, moved or deleted."""

    agent_id: str


@dataclass(frozen=True, slots=True)
class TokensChanged(Event):
    """API tokens were issued, revoked or deleted."""


@dataclass(frozen=True, slots=True)
class SettingsChanged(Event):
    """A settings file was written; ``names`` are dotted field names such as ``memory.core_model``."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EngineChanged(Event):
    """An engine process changed state."""

    name: str
    state: str


@dataclass(frozen=True, slots=True)
class ServerChanged(Event):
    """The local server started, stopped or failed."""

    url: str
    state: Literal["stopped", "starting", "listening", "failed"]
    message: str = ""


@dataclass(frozen=True, slots=True)
class RunChanged(Event):
    """A background run started, progressed (0..1) or ended."""

    run_id: str
    kind: str
    status: str
    progress: float = 0.0
    message: str = ""


@dataclass(frozen=True, slots=True)
class ImportFinished(Event):
    """Chats or rows were imported into an agent's memory."""

    agent_id: str


@dataclass(frozen=True, slots=True)
class MemoryTestsChanged(Event):
    """Memory tests were added, deleted or run."""


@dataclass(frozen=True, slots=True)
class LockChanged(Event):
    """The vault was locked or unlocked."""

    locked: bool


@dataclass(frozen=True, slots=True)
class WindowWanted(Event):
    """A second start asks the window to come to the front."""


@dataclass(frozen=True, slots=True)
class Notice(Event):
    """A message for the user, shown in the app."""

    level: Literal["info", "success", "warning", "error"]
    title: str
    message: str = ""
    hint: str = ""
    code: str = ""
    data: dict[str, Any] = field(default_factory=dict)


E = TypeVar("E", bound=Event)


class EventBus:
    """Publishes events to subscribers of their type. Thread-safe.

    A subscriber that raises is logged and does not affect the others.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscribers: dict[type[Event], list[Callable[[Any], None]]] = {}

    def subscribe(self, kind: type[E], handler: Callable[[E], None]) -> Callable[[], None]:
        """Call ``handler`` for every event of ``kind`` (or of a subclass); return a function that unsubscribes."""
        with self._lock:
            self._subscribers.setdefault(kind, []).append(handler)

        def unsubscribe() -> None:
            with self._lock:
                handlers = self._subscribers.get(kind, [])
                if handler in handlers:
                    handlers.remove(handler)

        return unsubscribe

    def listeners(self, kind: type[Event]) -> int:
        """Return the number of subscribers to events of exactly this kind."""
        with self._lock:
            return len(self._subscribers.get(kind, ()))

    def publish(self, event: Event) -> None:
        """Call every subscriber, on this thread."""
        with self._lock:
            handlers = [h for kind in type(event).__mro__ for h in self._subscribers.get(kind, ())]
        for handler in handlers:
            try:
                handler(event)
            except Exception:
                log.exception("an event handler failed on %s", type(event).__name__)
