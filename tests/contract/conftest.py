"""The stores for the contract tests; a server of each kind is started once per run."""

from __future__ import annotations

import pytest

from tests.helpers.stores import STORES, Stores


@pytest.fixture(scope="session")
def stores(tmp_path_factory):
    opened = Stores(tmp_path_factory.mktemp("stores"))
    yield opened
    opened.close()


@pytest.fixture(params=STORES)
def place(request, stores, tmp_path):
    """Where a store of this kind keeps things; asking it again opens the same store again."""
    return stores.place(request.param, tmp_path)


@pytest.fixture
def store(place):
    opened = place.open()
    yield opened
    opened.close()
    place.clean()
