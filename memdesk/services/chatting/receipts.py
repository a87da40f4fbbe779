"""Receipts, and the present state of their memories; a receipt itself has them as of the reply."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import FactStatus, Page, Receipt, ReceiptItem
from memdesk.errors import NotFoundError
from memdesk.messages import say
from memdesk.ports import Repositories, Store
from memdesk.services.recalling import muted_in

_GONE = frozenset({FactStatus.BINNED, FactStatus.SUPERSEDED, FactStatus.DISABLED})


@dataclass(frozen=True, slots=True)
class ReceiptState:
    """The present state of a receipt's lines, each as ``(kind, id)``."""

    #: no longer used in replies: forgotten, replaced or switched off.
    gone: frozenset[tuple[str, str]] = frozenset()
    #: the user pinned them.
    pinned: frozenset[tuple[str, str]] = frozenset()
    #: not used in the receipt's conversation.
    muted: frozenset[tuple[str, str]] = frozenset()
    #: files of passages of the user's notes, each with the line where the passage starts (0: unknown).
    files: Mapping[tuple[str, str], tuple[str, int]] = field(default_factory=dict)


class Receipts:
    """Why replies saw what they saw."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, receipt_id: str) -> Receipt:
        """Raises ``NotFoundError``."""
        with self._store.read() as repos:
            found = repos.receipts.get(receipt_id)
        if found is None:
            raise NotFoundError(say("There is no such receipt."), hint=say("It is stored once the answer is finished."))
        return found

    def page(
        self,
        agent_id: str | None = None,
        conversation_id: str | None = None,
        *,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[Receipt]:
        """List receipts, newest first."""
        with self._store.read() as repos:
            return repos.receipts.page(agent_id=agent_id, conversation_id=conversation_id, limit=limit, cursor=cursor)

    def state(self, receipt: Receipt) -> ReceiptState:
        lines = (*receipt.items, *receipt.left_out)
        with self._store.read() as repos:
            present = {(item.kind, item.id): _state(repos, item) for item in lines}
            files = {(item.kind, item.id): _file(repos.items.get(item.id)) for item in lines if item.kind == "fact"}
        return ReceiptState(
            gone=frozenset(key for key, (here, _pinned) in present.items() if not here),
            pinned=frozenset(key for key, (_here, pinned) in present.items() if pinned),
            muted=muted_in(self._store, receipt.agent_id, receipt.conversation_id),
            files={key: file for key, file in files.items() if file},
        )


def _file(item: MemoryItem | None) -> tuple[str, int] | None:
    """Return the file that an item is a passage of, and the passage's line."""
    if item is None or item.form != "passage" or not item.metadata.get("folder"):
        return None
    return str(Path(item.metadata["folder"], item.metadata["file"])), item.metadata.get("start") or 0


def _state(repos: Repositories, item: ReceiptItem) -> tuple[bool, bool]:
    """Return whether a line can be used in replies, and whether it is pinned; a detail depends on its episode."""
    if item.kind == "fact":
        fact = repos.items.get(item.id)
        return fact is not None and fact.status not in _GONE, fact is not None and fact.user_pinned
    if item.kind == "identity":
        line = repos.items.get(item.id)
        return line is not None and line.status == "active", False
    if item.kind == "episode":
        episode = repos.items.get(item.id)
        return episode is not None and episode.status in {"active", "merged"}, False
    if item.kind == "turn":
        return repos.turns.get(item.id) is not None, False
    return True, False
