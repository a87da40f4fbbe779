"""Small parts of the supervisor: a request on its way, the pause after failures, errors from the other side."""

import queue

from memdesk import errors
from memdesk.errors import EngineError, MemdeskError
from memdesk.ports import LaneName
from memdesk.runtime.process import Frame

MAX_BACKOFF_SECONDS = 60.0

_KINDS: dict[str, type[MemdeskError]] = {
    kind.code: kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, MemdeskError)
}


def backoff_seconds(failures: int) -> float:
    """Return the pause before the next start: none after the first failure, then 0.5, 1, 2 ... 60 s."""
    return 0.0 if failures < 2 else min(MAX_BACKOFF_SECONDS, 0.5 * 2.0 ** (failures - 2))


class Request:
    """One request on its way through the queue and the child.

    Attributes:
        frames: what the child answered; None when the child has ended.
        displaced: an interactive request took its place.
        timeout: seconds without a sign of life before the child counts as hung.
    """

    def __init__(self, ident: int, priority: LaneName) -> None:
        self.ident = ident
        self.priority = priority
        self.frames: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        self.sent = False
        self.ended = False
        self.displaced = False
        self.timeout = 0.0

    @property
    def rank(self) -> tuple[int, int]:
        """Return what waiting requests are ordered by: interactive ones first, then by age."""
        return (0 if self.priority == "interactive" else 1, self.ident)


def typed_error(described: dict[str, str]) -> MemdeskError:
    """Make the error that a child described; unknown codes become ``EngineError``."""
    kind = _KINDS.get(described.get("code", ""), EngineError)
    return kind(described.get("message", ""), hint=described.get("hint"))
