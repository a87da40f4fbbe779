"""A folder with its own memory: nothing crosses its boundary in either direction, by any path."""

from __future__ import annotations

import httpx
import pytest

from memdesk.api.server import ApiServer
from memdesk.bootstrap.throwaway import throwaway
from memdesk.domain.models import Entity, new_id
from memdesk.ports import FactFilter
from memdesk.services.forgetting import ForgetTarget
from tests.helpers import rows
from tests.helpers.exchange import exchange

#: Said on each side of the wall of the same things, so that a question finds both where there is none.
WORDS = {
    "inside": "The user keeps the spare key of the cellar under Quagmire the zebra.",
    "outside": "The user keeps the spare key of the cellar under Petrel the otter.",
}
NAMES = {"inside": "Quagmire", "outside": "Petrel"}
QUESTION = "Where do I keep the spare key of the cellar?"


@pytest.fixture
def app(tmp_path):
    with throwaway(tmp_path, embedder=lambda: None) as made:
        yield made


@pytest.fixture
def agents(app):
    """The same kinds of rows on both sides; return the agents by side."""
    services = app.services
    services.agents.ensure("default")
    folder = services.folders.create("Secret", own_memory_as="default")
    found = {"inside": folder.agent_id, "outside": "default"}
    now = services.clock.now()
    for side, agent in found.items():
        words, name = WORDS[side], NAMES[side]
        exchange(services.ingest, agent_id=agent, conversation_id="keys", user=words, assistant=f"{name} it is.")
        services.memories.add_fact(agent_id=agent, content=words)
        services.memories.add_episode(agent_id=agent, summary=words, conversation_id="keys")
        services.items.put(form="link", agent_id=agent, content=words, metadata={"url": "https://example.org/key"})
        learned = rows.line(words, id=f"line-{side}", origin="distiller", source_agent_id=agent)
        entity = Entity(id=new_id(), agent_id=agent, name=name, type="other", created_at=now, updated_at=now)

        def work(repos, learned=learned, entity=entity):
            repos.items.put(learned)
            repos.entities.put(entity)

        app._wiring.store.write(work)
    return found


def ways(services, agent):
    """Return what is shown to an agent's chats, and listed of an agent, by each way."""
    recall = services.recall
    shown = {
        f"search {scope}": [item.text for item in recall.search(agent_id=agent, query=QUESTION, scope=scope).items]
        for scope in ("all", "pinned", "episodes", "transcript")
    }
    for section in (None, "pinned", "episodes", "transcript"):
        shown[f"context {section}"] = [recall.context(agent_id=agent, query=QUESTION, section=section).block]
    shown["what is known"] = [recall.context(agent_id=agent, query="What do you know about me?").block]
    shown["identity"] = [line.content for line in services.memories.identity(agent_id=agent)]
    shown["facts"] = [fact.content for fact in services.memories.facts(FactFilter(agent_id=agent)).items]
    shown["conversations"] = [talk.title for talk in services.conversations.page(agent).items]
    shown["found conversations"] = [talk.title for talk in services.conversations.page(agent, "cellar").items]
    shown["transcript"] = [turn.content for turn in services.memories.transcript(agent).items]
    return shown


@pytest.mark.parametrize("side", ["inside", "outside"])
def test_each_side_sees_its_own_and_nothing_of_the_other(app, agents, side):
    other = "outside" if side == "inside" else "inside"
    for way, texts in ways(app.services, agents[side]).items():
        words = " ".join(texts)
        assert NAMES[other] not in words, way
        if way != "what is known":
            assert NAMES[side] in words, way


def test_what_the_user_wrote_of_themselves_is_known_on_both_sides(app, agents):
    app.services.memories.add_identity("I am allergic to walnuts.")
    for agent in agents.values():
        assert any("walnuts" in line.content for line in app.services.memories.identity(agent_id=agent))
        assert "walnuts" in app.services.recall.context(agent_id=agent, query="Bake me a walnut cake").block


def test_a_token_for_the_agent_reaches_nothing_of_its_closed_folder(app, agents):
    _, secret = app.services.tokens.create("one", ["memory:read", "memory:write"], ["default"])
    server = ApiServer(app.services, host="127.0.0.1", port=0)
    server.start()
    try:
        with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {secret}"}, timeout=60) as http:
            inside = {"agent_id": agents["inside"]}
            for path in ("facts", "episodes", "entities", "transcript", "conversations", "history", "receipts"):
                assert "Quagmire" not in http.get(f"/memory/{path}").text, path
                assert http.get(f"/memory/{path}", params=inside).status_code == 403, path
            assert http.get("/memory/folders").status_code == 403
    finally:
        server.stop()


def test_forgetting_the_fact_outside_leaves_the_one_inside(app, agents):
    services = app.services
    (fact,) = services.memories.facts(FactFilter(agent_id="default")).items
    report = services.forgetting.forget(ForgetTarget(kind="fact", ids=(fact.id,), include_turns=True))
    assert report.verified
    assert "Petrel" not in " ".join(ways(services, "default")["search transcript"])
    assert NAMES["inside"] in " ".join(ways(services, agents["inside"])["search pinned"])
