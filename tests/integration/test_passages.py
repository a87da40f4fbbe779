"""A passage of a file: a form known only to the registry, found, listed and forgotten like all others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memdesk.domain.items.filters import parse
from memdesk.domain.items.scope import Scope
from memdesk.errors import BadRequestError
from memdesk.services.events import EventBus
from memdesk.services.forgetting.forgetting import ForgettingService
from memdesk.services.remembering.items import ItemsService
from tests.helpers.recall_desk import NOW, Desk


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


def test_a_passage_is_found_listed_and_forgotten(desk, items):
    item, _ = items.put(
        form="passage", agent_id="a", content="The boiler is serviced in October.", metadata={"file": "house.md"}
    )
    assert (item.tier, item.type) == ("kept", "semantic")
    desk.indexing.flush()
    (hit,) = desk.recall.search(agent_id="a", query="When is the boiler serviced?", scope="pinned").items
    assert hit.id == item.id
    # Its file's name is part of what it is found by.
    vector = desk.embedder.embed(["house.md"])[0]
    assert [seq for seq, _ in desk.indexing.search("a", "fact", vector, 1)] == [item.seq]
    assert items.page(Scope(agent_id="a"), parse({"form": "passage"})).items == [replace(item, seq=item.seq)]
    assert items.forget(item.id).proof.startswith("Looked for")
    assert items.page(Scope(agent_id="a")).total == 0
    assert desk.recall.search(agent_id="a", query="When is the boiler serviced?", scope="pinned").items == []


def test_a_passage_has_one_tier(items):
    with pytest.raises(BadRequestError, match="no tier"):
        items.put(form="passage", tier="always", agent_id=None, content="x", valid_from=NOW)
