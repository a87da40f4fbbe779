"""A memory over each store, as a class and over HTTP."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from memdesk.api.server import ApiServer
from memdesk.library import Memory, RemoteMemory
from tests.helpers.parts import make_parts
from tests.helpers.programs import Engines
from tests.helpers.stores import STORES, THOROUGH, Stores

#: As a class over each store; over HTTP over the encrypted file, and over each where all are asked for.
FACES = [*STORES, *(f"http-{name}" for name in STORES if THOROUGH or name == "sqlcipher")]


@pytest.fixture(scope="session")
def engines(tmp_path_factory):
    made = Engines(tmp_path_factory.mktemp("engines"))
    yield made
    made.close()


@pytest.fixture(scope="session")
def stores(tmp_path_factory):
    opened = Stores(tmp_path_factory.mktemp("stores"))
    yield opened
    opened.close()


@pytest.fixture(params=FACES)
def m(request, engines, stores, tmp_path):
    """The memory under test."""
    face, _, name = request.param.rpartition("-")
    place = stores.place(name, tmp_path)
    store = place.open()
    service = engines.service(store, stores.history(name, store))
    if face:
        with _served(service, tmp_path / "app") as memory:
            yield memory
    else:
        yield Memory(service)
    service.reset()
    store.close()
    place.clean()


@contextmanager
def _served(service, folder):
    parts = make_parts(folder)
    parts.services.library = service
    server = ApiServer(parts.services, host="127.0.0.1", port=0)
    server.start()
    memory = Memory(RemoteMemory(parts.services.tokens.create("test")[1], server.url))
    yield memory
    memory.close()
    server.stop()
    parts.close()


@pytest.fixture
def local(engines):
    """A memory in this process, for what does not differ between stores."""
    from memdesk.stores.memory import InMemoryStore

    return Memory(engines.service(InMemoryStore()))
