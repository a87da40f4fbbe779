"""Embeds what was stored without a vector: in the background, or before the next search by meaning."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from memdesk.errors import MemdeskError

if TYPE_CHECKING:
    from memdesk.ports.library import GapStore

log = logging.getLogger(__name__)

#: Stands for the vector of a text that could not be embedded.
FAILED: Final[Any] = object()
#: Maximum pending memories; a call that exceeds it embeds them first, so that no search waits for more.
MOST: Final = 256
#: Memories embedded together.
_BATCH: Final = 32


class Behind:
    """Fills the gaps of one collection. The gaps are stored, so the work of a killed program is resumed by the next one.

    Args:
        vectors: returns a vector for each text, or ``FAILED``; such a memory is found only by full text until the next start.
    """

    def __init__(self, store: GapStore, collection: str, vectors: Callable[[Sequence[str]], list[Any]]) -> None:
        self._store = store
        self._collection = collection
        self._vectors = vectors
        self._alone = threading.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="memdesk-embed")
        self._owed, self._seen = 0, 0
        self._open = True
        self._due = False

    def later(self, count: int) -> None:
        """Schedule the ``count`` memories just stored for embedding."""
        self._owed += count
        self._open = True
        if self._owed > MOST:
            self.now()
        elif not self._due:
            self._due = True
            # If the memory is closing, ``close`` or the next start does it.
            with suppress(RuntimeError):
                self._thread.submit(self._work)

    def now(self) -> None:
        """Embed all pending memories; return early if that fails now."""
        with self._alone:
            while self._open:
                # Before looking: storing more meanwhile sets it again.
                self._open, self._owed = False, 0
                try:
                    self._fill()
                except BaseException as error:
                    self._open = True
                    if not isinstance(error, MemdeskError):
                        raise
                    log.warning("memories wait for their vectors: %s", error.message)
                    return

    def close(self) -> None:
        """Fill what is left. Idempotent."""
        self._thread.shutdown()
        if self._seen or self._owed:
            self.now()

    def _work(self) -> None:
        self._due = False
        try:
            self.now()
        except Exception:
            log.exception("memories wait for their vectors")

    def _fill(self) -> None:
        while gaps := self._store.gaps(self._collection, after=self._seen, limit=_BATCH):
            vectors = self._vectors([text for _, text in gaps])
            made = [(gap, vector) for gap, vector in zip(gaps, vectors, strict=True) if vector is not FAILED]
            if made:
                self._store.fill(self._collection, [gap for gap, _ in made], np.stack([vector for _, vector in made]))
            self._seen = gaps[-1][0]
