"""``memdesk serve --store``: one of several stateless servers on one PostgreSQL."""

from __future__ import annotations

import logging
import socket
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from memdesk.bootstrap import library_parts as parts
from memdesk.errors import BadRequestError, MemdeskError, NotFoundError
from memdesk.library.config import MemoryConfig
from memdesk.services.guarding import hash_secret, new_secret
from memdesk.services.library import MemoryService, Parts, calibration, decide, translated

if TYPE_CHECKING:
    from memdesk.domain.models import ApiToken
    from memdesk.stores.postgres import PostgresStore
    from memdesk.stores.tenancy import Tenancy

log = logging.getLogger(__name__)

#: Seconds between looks at an empty queue.
REST: Final = 0.25
#: The tenant if none is named.
TENANT: Final = "default"
SCOPES: Final = ("memory:read", "memory:write", "admin")


class SharedTokens:
    """The tokens of servers on one PostgreSQL; none of them has to run.

    Raises:
        EnvironmentFault: PostgreSQL does not answer, or refuses.
    """

    def __init__(self, url: str) -> None:
        with ExitStack() as closing:
            _, self._tenancy = _opened(url, closing)
            self._tenancy.prepare_tokens()
            self._closing = closing.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.close()

    def create(self, name: str, tenant: str, scopes: Sequence[str]) -> str:
        """Return the secret of a new token; only its SHA-256 is stored."""
        secret = new_secret()
        _admit(self._tenancy, secret, tenant, name, scopes)
        return secret

    def list(self) -> list[dict[str, Any]]:
        """Return ``id, tenant, name, scopes, created_at`` of every token."""
        return self._tenancy.tokens()

    def revoke(self, name: str) -> None:
        """Revoke a token by its id, at every server.

        Raises:
            NotFoundError: there is no such token.
        """
        if not self._tenancy.revoke(name):
            raise NotFoundError("There is no such token.")


def _opened(url: str, closing: ExitStack) -> tuple[PostgresStore, Tenancy]:
    from memdesk.stores.postgres import PostgresStore
    from memdesk.stores.tenancy import Tenancy

    if not url.startswith(("postgresql://", "postgres://")):
        raise BadRequestError("Servers share PostgreSQL: --store postgresql://user@host/database.")
    store = PostgresStore(url)
    closing.callback(store.close)
    return store, Tenancy(store)


def _admit(tenancy: Tenancy, secret: str, tenant: str, name: str, scopes: Sequence[str]) -> None:
    if not tenant:
        raise BadRequestError("A tenant has a name.")
    tenancy.admit(hash_secret(secret), tenant, name, tuple(scopes))


class SharedServer:
    """Opens everything a server needs, and serves.

    Args:
        url: ``postgresql://user@host/database``; the user must be allowed to create roles.

    Raises:
        EnvironmentFault: PostgreSQL does not answer, or refuses.
    """

    def __init__(self, url: str) -> None:
        self._wanted = MemoryConfig()
        self._services: dict[str, MemoryService] = {}
        self._guard, self._stop = threading.Lock(), threading.Event()
        with ExitStack() as closing:
            # Only digests of model files are written here.
            self._place = parts.Place(Path(closing.enter_context(tempfile.TemporaryDirectory())), None, None)
            workers = parts.open_workers(closing)
            embedder = parts.open_embedder(self._wanted.embedder, workers, self._place, closing)
            assert embedder is not None
            self._embedder = embedder
            self._grammar = parts.open_grammar(workers, self._place)
            self._store, self._tenancy = _opened(url, closing)
            self._tenancy.prepare(self._wanted.vector_store.collection_name, embedder.dim)
            self._closing = closing.pop_all()

    def close(self) -> None:
        """Close connections and processes. Idempotent."""
        self._stop.set()
        self._closing.close()

    def admit(self, secret: str, tenant: str = TENANT) -> None:
        """Accept a token for a tenant at every server; its SHA-256 is stored."""
        _admit(self._tenancy, secret, tenant, tenant, SCOPES)

    def check(self, secret: str) -> ApiToken | None:
        return self._tenancy.token(hash_secret(secret))

    def memory(self, tenant: str) -> MemoryService:
        with self._guard:
            if tenant not in self._services:
                store = self._store.of(tenant)
                self._services[tenant] = MemoryService(
                    Parts(
                        store=store,
                        history=store,
                        embedder=self._embedder,
                        grammar=self._grammar,
                        decide=decide,
                        clock=parts.clock(),
                        calibrate=calibration(self._embedder.model_id),
                        alone=store.alone,
                    )
                )
            return self._services[tenant]

    def run(self, host: str, port: int, ready: Callable[[str], None]) -> None:
        """Serve until SIGTERM or SIGINT; report the address once requests are accepted."""
        from memdesk.api.shared import create_shared_app, run
        from memdesk.api.tenants import Shared

        shared = Shared(memory=self.memory, check=self.check, requests=self._tenancy, clock=parts.clock())
        with socket.create_server((host, port)) as listening:
            address = f"http://{host}:{listening.getsockname()[1]}"
            worker = threading.Thread(target=self._work, name="memdesk-queue")
            worker.start()
            try:
                run(create_shared_app(shared, host=host), listening, lambda: ready(address))
            finally:
                self._stop.set()
                worker.join()

    def _work(self) -> None:
        """Take queued requests until the server stops."""
        while not self._stop.is_set():
            try:
                busy = self._tenancy.take(self._add)
            except MemdeskError as error:
                log.warning("the queue cannot be read: %s", error.message)
                busy = False
            if not busy:
                self._stop.wait(REST)

    def _add(self, tenant: str, body: Any) -> Any:
        from memdesk.api.dialects.mem0.routes import added

        with translated():
            return added(self.memory(tenant), body)
