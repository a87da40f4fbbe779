"""One ``add`` of a scope at a time, so that the same thing said twice at once is remembered once."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Turn:
    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0


class Turns:
    """Locks by name, kept only while somebody holds or wants them; of this process."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._turns: dict[str, _Turn] = {}

    @contextmanager
    def alone(self, name: str) -> Iterator[None]:
        """Wait until nobody else is inside with this name."""
        with self._guard:
            turn = self._turns.setdefault(name, _Turn())
            turn.users += 1
        try:
            with turn.lock:
                yield
        finally:
            with self._guard:
                turn.users -= 1
                if not turn.users:
                    del self._turns[name]
