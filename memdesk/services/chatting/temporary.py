"""Chats that are stored nowhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memdesk.domain.caches import Recent
from memdesk.ports import ChatMessage

#: Maximum number of temporary chats kept.
TEMPORARY_KEPT: Final = 16


@dataclass(frozen=True, slots=True)
class TemporaryChat:
    """Its messages, and the whole text of its files by name."""

    messages: Sequence[ChatMessage] = ()
    files: Mapping[str, str] = field(default_factory=dict)


class TemporaryChats(Recent[str, TemporaryChat]):
    """Keeps them in this process; an unknown one is empty."""

    def get(self, key: str) -> TemporaryChat:
        return super().get(key) or TemporaryChat()
