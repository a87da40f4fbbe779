"""The vectors of questions: from a cache or an embedder; a late one is cached for next time."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as LateError

import numpy as np

from memdesk.errors import LockedError, MemdeskError
from memdesk.ports import Embedder, Vectors

log = logging.getLogger(__name__)

QUERY_CACHE = 1024
#: Maximum questions waiting for vectors at the same time.
MOST_ASKING = 8
#: Seconds that a question waits for a server, which is slower than a local process.
SERVER_SECONDS = 2.0


class Questions:
    """Embeds questions. Thread-safe.

    Args:
        embedder: returns the embedder in use, None for text search only.
    """

    def __init__(self, embedder: Callable[[], Embedder | None]) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._asking = threading.BoundedSemaphore(MOST_ASKING)
        #: by model, question or not, and text
        self._known: OrderedDict[tuple[str, bool, str], Vectors] = OrderedDict()
        #: cache hits and misses.
        self._asked = (0, 0)
        #: the embedder's last error.
        self._error = ""

    @property
    def model(self) -> str:
        """Names the space in use; "" without one."""
        embedder = self._embedder()
        return "" if embedder is None else embedder.model_id

    def embed_query(self, text: str) -> tuple[str, Vectors] | None:
        """Return ``(model, vector)`` of a question, cached if possible.

        None without an embedder, if its engine failed, and for local-only text: then full text answers.
        """
        embedded = self.embed_queries([text])
        return None if embedded is None else (embedded[0], embedded[1][0])

    def embed_queries(self, texts: Sequence[str], *, query: bool = True) -> tuple[str, Vectors] | None:
        """Return the model and the vectors of questions, shape (len(texts), dim), embedding uncached ones together; None as above.

        Without ``query`` they are embedded as texts: for similarity, not for answers. A server is not asked twice for
        each; there they are always embedded as questions.
        """
        embedder = self._embedder()
        if embedder is None:
            return None
        model, query = embedder.model_id, query or bool(embedder.state().server)
        with self._lock:
            known = {text: self._known[model, query, text] for text in texts if (model, query, text) in self._known}
            for text in known:
                self._known.move_to_end((model, query, text))
            fresh = [text for text in dict.fromkeys(texts) if text not in known]
            hits, misses = self._asked
            self._asked = hits + len(known), misses + len(fresh)
        try:
            made = dict(zip(fresh, embedder.embed(fresh, query=query), strict=True)) if fresh else {}
        except LockedError:
            raise
        except MemdeskError as error:
            self._complain("a question was not embedded", error)
            return None
        if not all(vector.any() for vector in made.values()):
            # It must not leave this machine.
            return None
        with self._lock:
            for text, vector in made.items():
                self._known[model, query, text] = vector
            while len(self._known) > QUERY_CACHE:
                self._known.popitem(last=False)
        return model, np.stack([known[text] if text in known else made[text] for text in texts])

    def embed_soon(
        self, texts: Sequence[str], seconds: float, *, own: bool = True
    ) -> tuple[str, Vectors, Vectors | None] | None:
        """Return the model and the vectors of texts as questions and as texts, or None if that takes longer than ``seconds``.

        Without ``own`` they are not embedded as texts. If a text's context cannot be embedded in time, only the text is. Late vectors are cached for a repeated
        question.
        """
        embedder = self._embedder()
        if embedder is None:
            return None
        with self._lock:
            ways = (True, False) if own else (True,)
            known = all((embedder.model_id, query, text) in self._known for query in ways for text in texts)
        if known:
            return self._both(texts, own=own)
        if embedder.state().server:
            seconds = max(seconds, SERVER_SECONDS)
        if not self._asking.acquire(blocking=False):
            # Others are already waiting for an unresponsive embedder.
            return None

        def work() -> None:
            try:
                asked.set_result(self._both(texts, own=own))
            except BaseException as error:  # noqa: BLE001 -- whoever waits raises it
                asked.set_exception(error)
            finally:
                self._asking.release()

        asked: Future[tuple[str, Vectors, Vectors | None] | None] = Future()
        threading.Thread(target=work, name="memdesk-asking", daemon=True).start()
        try:
            return asked.result(timeout=seconds)
        except LateError:
            log.info("a question was not embedded in time; words answer it")
            return None

    def _both(self, texts: Sequence[str], *, own: bool) -> tuple[str, Vectors, Vectors | None] | None:
        asked = self.embed_queries(texts)
        if asked is not None and not own:
            return *asked, None
        said = None if asked is None else self.embed_queries(texts, query=False)
        if asked is None or said is None or asked[0] != said[0]:
            return self._both(texts[:1], own=own) if len(texts) > 1 else None
        return *asked, said[1]

    def _complain(self, what: str, error: MemdeskError) -> None:
        log.warning("%s: %s", what, error.code)
        self._error = error.message


def rate(hits: int, misses: int) -> dict[str, float]:
    return {"hits": hits, "misses": misses, "rate": round(hits / (hits + misses), 4) if hits + misses else 0.0}
