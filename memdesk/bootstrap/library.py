"""``from memdesk import Memory, AsyncMemory``: joins the library to stores, models and readers.

Everything heavy is imported on first use.
"""

from __future__ import annotations

import weakref
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from memdesk import library
from memdesk.library.remote import URL, RemoteMemory
from memdesk.services.library import EmbeddingError, LLMError, translated

if TYPE_CHECKING:
    from memdesk.library import Service
    from memdesk.library.config import MemoryConfig


def open_service(
    path: str | Path | None, config: Any, *, passphrase: str | None, recovery_code: str | None, preview: bool = False
) -> tuple[Service, str]:
    """Return a memory, and its recovery code if its encrypted file was just created (else "").

    A ``preview`` creates no file: if there is none, the memory is in this process only.

    Raises:
        InvalidInputError: the configuration cannot be used.
        VaultError: the given secrets do not open the encrypted file.
        VectorStoreError: the store does not answer.
        EmbeddingError, LLMError: a local model is missing or unusable.
    """
    from memdesk.bootstrap import library_parts as parts
    from memdesk.domain.items.asking import stored_name
    from memdesk.library.config import MemoryConfig
    from memdesk.services.library import MemoryService, Parts, calibration, decide

    wanted = MemoryConfig.read(config)
    if path == parts.IN_MEMORY:
        wanted, path = parts.in_memory(wanted), None
    closing = ExitStack()
    with translated(), closing:
        place = parts.Place(Path(path) if path is not None else None, passphrase, recovery_code)
        if preview:
            wanted = parts.previewed(wanted, place, closing)
        workers = parts.open_workers(closing)
        with translated(EmbeddingError):
            embedder = parts.open_embedder(wanted.embedder, workers, place, closing)
        store, history = parts.open_store(wanted, place, closing)
        graph = parts.open_graph(wanted, closing)
        with translated(LLMError):
            grammar = parts.open_grammar(workers, place)
            extractor, decider = parts.open_reader(wanted, workers, place, closing)
        service = MemoryService(
            Parts(
                store=store,
                history=history,
                embedder=embedder,
                gaps=parts.gaps_of(store, wanted),
                graph=graph,
                grammar=grammar,
                extractor=extractor,
                decide=decider or decide,
                clock=parts.clock(),
                collection=stored_name(wanted.vector_store.collection_name),
                calibrate=calibration("" if embedder is None else embedder.model_id),
                alone=getattr(store, "alone", None),
                close=closing.pop_all().close,
            )
        )
    return service, place.new_code


class _OtherWays:
    """The ways to open a memory that the two classes share."""

    if TYPE_CHECKING:

        def __init__(self, **given: Any) -> None: ...

    @classmethod
    def from_config(
        cls,
        config: MemoryConfig | dict[str, Any],
        *,
        passphrase: str | None = None,
        recovery_code: str | None = None,
    ) -> Self:
        return cls(config=config, passphrase=passphrase, recovery_code=recovery_code)

    @classmethod
    def desktop(cls, token: str, url: str = URL) -> Self:
        """Return the programs' memory of a running memdesk, which backs it up and locks it, but does not show it."""
        return cls(service=RemoteMemory(token, url))


class Memory(library.Memory, _OtherWays):
    """What a program remembers of its users, on this machine unless configured otherwise.

    ``Memory()`` keeps an encrypted file in the user's data folder, its key in the system's keyring;
    ``Memory(path=..., passphrase=...)`` uses a folder of your own; ``Memory(":memory:")`` keeps nothing on disk.

    Args:
        path: a folder, ``":memory:"``, or None for the user's data folder.
        passphrase: opens the file without a keyring; once set, it is always required.
        recovery_code: opens the file when key and passphrase are lost.
        config: see :class:`memdesk.library.MemoryConfig`; a dictionary will do.

    Attributes:
        recovery_code: of a file that was just created, else "". Show it to its owner: it is stored nowhere.

    Raises:
        InvalidInputError: the configuration cannot be used.
        VaultError: the given secrets do not open the file, or there is neither keyring nor passphrase.
        VectorStoreError: the store does not answer, or another process has the file open.
        EmbeddingError, LLMError: a local model is missing or unusable.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        passphrase: str | None = None,
        recovery_code: str | None = None,
        config: MemoryConfig | dict[str, Any] | None = None,
        service: Service | None = None,
    ) -> None:
        self.recovery_code = ""
        if service is None:
            service, self.recovery_code = open_service(path, config, passphrase=passphrase, recovery_code=recovery_code)
        super().__init__(service)
        # Programs that forget to close must not leave processes behind.
        self._finally = weakref.finalize(self, service.close)

    def close(self) -> None:
        """Close files, connections and processes. Idempotent."""
        self._finally()


class AsyncMemory(library.AsyncMemory, _OtherWays):
    """:class:`Memory` for asyncio: the same arguments, the same calls, awaited.

    It is opened, with :class:`Memory`'s errors, by ``async with`` or by the first call.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        passphrase: str | None = None,
        recovery_code: str | None = None,
        config: MemoryConfig | dict[str, Any] | None = None,
        service: Service | None = None,
    ) -> None:
        super().__init__(
            lambda: Memory(path, passphrase=passphrase, recovery_code=recovery_code, config=config, service=service)
        )

    @property
    def recovery_code(self) -> str:
        """Recovery code of a file that was just created, once it is open; else ""."""
        return getattr(self._memory, "recovery_code", "")
