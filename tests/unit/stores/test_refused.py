"""Requests rejected by a database's own client are reported like a database that does not answer."""

from __future__ import annotations

import pytest

from memdesk.errors import EnvironmentFault
from memdesk.stores.qdrant import QdrantStore
from memdesk.stores.weaviate import WeaviateStore

LONG = f"http://{chr(0xDF) * 100}:9"


@pytest.mark.parametrize(
    "made",
    [
        lambda: QdrantStore(LONG),
        lambda: QdrantStore("https://127.0.0.1:9", api_key="\u00df"),
        lambda: WeaviateStore(LONG),
    ],
)
def test_an_address_or_a_key_that_a_client_refuses_is_told(made):
    with pytest.raises(EnvironmentFault):
        made()
