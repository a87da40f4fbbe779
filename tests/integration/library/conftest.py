"""A memory over each store, as a class and over HTTP."""

from __future__ import annotations

import pytest

from memdesk.api.server import ApiServer
from memdesk.library import Memory, RemoteMemory
from tests.helpers.parts import make_parts
from tests.helpers.programs import Engines
from tests.helpers.stores import STORES, Stores

#: As a class over each store; over HTTP it is the encrypted file's.
FACES = [*STORES, "http"]


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
    if request.param == "http":
        yield from _over_http(engines, tmp_path)
        return
    place = stores.place(request.param, tmp_path)
    store = place.open()
    memory = Memory(engines.service(store, stores.history(request.param, store)))
    yield memory
    memory.reset()
    store.close()
    place.clean()


def _over_http(engines, folder):
    from memdesk.storage.item_store import SqlItemStore

    parts = make_parts(folder)
    store = SqlItemStore(parts.store)
    parts.services.library = engines.service(store, store)
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
