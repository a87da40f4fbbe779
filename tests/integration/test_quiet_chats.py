"""A chat that is kept out of memory is never shown to another one."""

from __future__ import annotations

import pytest

from memdesk.bootstrap.throwaway import throwaway
from tests.helpers.exchange import exchange


@pytest.fixture
def services(tmp_path):
    with throwaway(tmp_path, embedder=lambda: None) as app:
        yield app.services


def found(services, query):
    hits = services.recall.search(agent_id="a", query=query, scope="transcript").items
    block = services.recall.context(agent_id="a", query=query, section="transcript").block
    return [hit.text for hit in hits], block


@pytest.mark.parametrize("mode", ["read_only", "off"])
def test_its_words_are_not_recalled_until_it_is_let_in(services, mode):
    exchange(services.ingest, agent_id="a", conversation_id="c", user="The zebra is called Quagmire.", assistant="Ok")
    assert "Quagmire" in found(services, "zebra")[1]
    services.conversations.set_memory("a", "c", mode)
    texts, block = found(services, "zebra")
    assert not any("Quagmire" in text for text in texts)
    assert "Quagmire" not in block
    assert services.memories.transcript("a", "c").total == 2
    own = services.recall.search(agent_id="a", query="zebra", scope="transcript", conversation_id="c").items
    assert own
    services.conversations.set_memory("a", "c", "on")
    assert "Quagmire" in found(services, "zebra")[1]
