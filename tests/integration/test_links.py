"""A link: a page with a note on why it is kept, found by that and by its title, and shown with its URL."""

from __future__ import annotations

import pytest

from memdesk.errors import BadRequestError
from memdesk.services.events import EventBus
from memdesk.services.forgetting.forgetting import ForgettingService
from memdesk.services.remembering.items import ItemsService
from tests.helpers.recall_desk import Desk

URL = "https://example.org/sourdough"


@pytest.fixture
def desk(tmp_path):
    made = Desk(tmp_path)
    made.agent("a")
    yield made
    made.close()


@pytest.fixture
def items(desk):
    events = EventBus()
    forgetting = ForgettingService(store=desk.store, clock=desk.clock, events=events)
    return ItemsService(
        store=desk.store, clock=desk.clock, events=events, forgetting=forgetting, indexing=desk.indexing
    )


def keep(desk, items, **metadata):
    item, _ = items.put(
        form="link", agent_id="a", content="How to feed a sourdough starter in summer", metadata=metadata
    )
    desk.indexing.flush()
    return item


def test_a_link_is_shown_with_its_address_under_a_heading_of_its_own(desk, items):
    keep(desk, items, url=URL, title="The Fresh Loaf")
    receipt = desk.recall.context(agent_id="a", query="How do I feed my sourdough starter?", section="pinned")
    assert "Links the user keeps:" in receipt.block
    assert f"({URL})" in receipt.block


def test_a_link_is_found_by_its_title_and_forgotten_as_all_else(desk, items):
    item = keep(desk, items, url=URL, title="The Fresh Loaf")
    vector = desk.embedder.embed(["The Fresh Loaf"])[0]
    assert [seq for seq, _ in desk.indexing.search("a", "fact", vector, 1)] == [item.seq]
    items.forget(item.id)
    assert desk.recall.search(agent_id="a", query="sourdough starter", scope="pinned").items == []


def test_a_link_without_an_address_is_recalled_beside_facts(desk, items):
    keep(desk, items)
    receipt = desk.recall.context(agent_id="a", query="How do I feed my sourdough starter?", section="pinned")
    assert "feed a sourdough starter" in receipt.block
    assert "Links the user keeps:" not in receipt.block


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)", "JavaScript:alert(1)", "file:///etc/passwd", "data:text/html,x", "example.org", "//example.org",
        "http://", "https://a:b@example.org", "http://[::1", "https://example.org/\nx", 5, "",
    ],
)  # fmt: skip
def test_only_pages_of_the_web_are_links(desk, items, url):
    with pytest.raises(BadRequestError, match="https://"):
        keep(desk, items, url=url)
    kept = keep(desk, items, url=URL)
    with pytest.raises(BadRequestError, match="https://"):
        items.change(kept.id, metadata={"url": url})
    assert items.change(kept.id, metadata={"url": "HTTPS://Example.org:8443/a?b#c"}).metadata["url"].startswith("HTTPS")
