"""Moving a chat into a folder with its own memory: what was learned stays, moves along or is forgotten, and all can be undone."""

from __future__ import annotations

import pytest

from memdesk.bootstrap.throwaway import throwaway
from memdesk.domain.items.item import Digest, MemoryItem
from memdesk.domain.models import FactSource
from memdesk.errors import NotFoundError
from memdesk.ports import FactFilter
from memdesk.services.recording.ingest import IngestTurn

FACT = "The user keeps the kayak in the shed."
SHARED = "The user has a brother called Ola."


@pytest.fixture
def app(tmp_path):
    with throwaway(tmp_path, embedder=lambda: None) as made:
        yield made


@pytest.fixture
def folder(app):
    """A chat with a fact and an episode of its own, and a fact that another chat says too; the folder's agent."""
    services = app.services
    services.agents.ensure("default")
    found = services.folders.create("Secret", own_memory_as="default")
    for name, user in (("kayak", "My kayak is in the shed."), ("ola", "My brother Ola called.")):
        turn = IngestTurn(user=user, assistant="Fine.")
        services.ingest.ingest(agent_id="default", conversation_id=name, turns=[turn], skip_extraction=True)
    said = services.conversations.turns("default", "kayak")[0].id
    elsewhere = services.conversations.turns("default", "ola")[0].id
    now = services.clock.now()

    def work(repos):
        common = {"agent_id": "default", "created_at": now, "updated_at": now, "origin": "distiller"}
        here, there = FactSource(turn_id=said, quote="in the shed"), FactSource(turn_id=elsewhere)
        repos.items.put(MemoryItem(id="own", content=FACT, run_id="kayak", sources=(here,), **common))
        repos.items.put(MemoryItem(id="shared", content=SHARED, source_count=2, sources=(here, there), **common))
        digest = Digest(started_at=now, ended_at=now)
        repos.items.put(
            MemoryItem(
                id="episode", form="episode", type="episodic", tier="kept", content=EPISODE, run_id="kayak",
                sources=(here,), digest=digest, **common,
            )
        )  # fmt: skip

    app._wiring.store.write(work)
    return found


def known(app, agent):
    services = app.services
    facts = {fact.content for fact in services.memories.facts(FactFilter(agent_id=agent)).items}
    return facts | {episode.content for episode in services.memories.episodes(agent_id=agent).items}


EPISODE = "Where the kayak is."


@pytest.mark.parametrize(
    ("learned", "here", "there"),
    [
        ("stays", {FACT, SHARED, EPISODE}, set()),
        ("moves", {SHARED}, {FACT, EPISODE}),
        ("forgotten", {SHARED}, set()),
    ],
)
def test_what_was_learned_stays_goes_along_or_is_forgotten_and_comes_back(app, folder, learned, here, there):
    services = app.services
    before = {fact.content: fact for fact in services.memories.facts(FactFilter(agent_id="default")).items}
    moved = services.ingest.rehouse("default", "kayak", folder.agent_id, learned=learned)
    assert moved.talk.folder_id == folder.id
    assert [t.content for t in services.conversations.turns(folder.agent_id, moved.talk.id)] == [
        "My kayak is in the shed.",
        "Fine.",
    ]
    assert services.conversations.turns("default", "kayak") == []
    assert (known(app, "default"), known(app, folder.agent_id)) == (here, there)
    back = services.ingest.bring_back(moved)
    assert (back.agent_id, back.folder_id) == ("default", None)
    assert services.conversations.turns(folder.agent_id, moved.talk.id) == []
    assert (known(app, "default"), known(app, folder.agent_id)) == ({FACT, SHARED, EPISODE}, set())
    turns = [turn.id for turn in services.conversations.turns("default", back.id)]
    after = {fact.content: fact for fact in services.memories.facts(FactFilter(agent_id="default")).items}
    assert [source.turn_id for source in after[FACT].sources] == turns[:1]
    assert {source.turn_id for source in after[SHARED].sources} > set(turns[:1])
    assert after[SHARED].id == before[SHARED].id
    assert after[SHARED].run_id == before[SHARED].run_id
    assert after[SHARED].source_count == before[SHARED].source_count
    assert after[FACT].run_id == back.id


def test_a_chat_that_is_not_there_and_an_agent_that_is_not_change_nothing(app, folder):
    for talk, to in (("gone", folder.agent_id), ("kayak", "nobody")):
        with pytest.raises(NotFoundError):
            app.services.ingest.rehouse("default", talk, to, learned="moves")
    assert len(app.services.conversations.turns("default", "kayak")) == 2
