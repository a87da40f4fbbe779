"""Two models side by side: one message, the same memory, two answers, one of which continues the chat."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

from memdesk.domain.models import Turn

T = TypeVar("T")


class Comparison:
    """State shared by the two answers to one message. Thread-safe.

    Attributes:
        said: the message once it is stored, with the answer that was finished first.
        keeping: held while one of the answers is stored.
    """

    def __init__(self, models: tuple[str, str]) -> None:
        self.models = models
        self.said: Turn | None = None
        self.keeping = threading.Lock()
        self._making = threading.Lock()
        self._made: dict[str, Any] = {}

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Return the shared value of this name; the first model computes it, the other waits."""
        with self._making:
            if name not in self._made:
                self._made[name] = make()
            return cast("T", self._made[name])
