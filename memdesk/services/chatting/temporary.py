"""Chats that are stored nowhere."""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memdesk.ports import ChatMessage

#: Maximum number of temporary chats kept.
TEMPORARY_KEPT: Final = 16


@dataclass(frozen=True, slots=True)
class TemporaryChat:
    """Its messages, and the whole text of its files by name."""

    messages: Sequence[ChatMessage] = ()
    files: Mapping[str, str] = field(default_factory=dict)


class TemporaryChats:
    """Keeps them in this process. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, TemporaryChat] = OrderedDict()

    def get(self, chat_id: str) -> TemporaryChat:
        """Return a chat; an empty one for unknown ids."""
        with self._lock:
            return self._kept.get(chat_id, TemporaryChat())

    def keep(self, chat_id: str, chat: TemporaryChat) -> None:
        """Store a chat as it is now; drop the oldest if there are too many."""
        with self._lock:
            self._kept[chat_id] = chat
            self._kept.move_to_end(chat_id)
            while len(self._kept) > TEMPORARY_KEPT:
                self._kept.popitem(last=False)

    def end(self, chat_id: str) -> None:
        """Forget a chat; unknown ids are fine."""
        with self._lock:
            self._kept.pop(chat_id, None)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._kept.clear()
