"""Said in one program, found in four others, forgotten in all: the story that the docs tell."""

import anthropic
import ollama
import openai
import pytest

from memdesk.ports import FactFilter
from tests.helpers.models import OneModelCatalogue, QueueModel

SAID = [{"role": "user", "content": "My sister Ada keeps bees in Porto."}]
ASKED = [{"role": "user", "content": "Where does my sister Ada keep her bees?"}]


@pytest.fixture
def model(app, monkeypatch):
    """A scripted model behind the whole app."""
    scripted = QueueModel()
    engine = app.services.chat._engine
    monkeypatch.setattr(engine, "_catalogue", OneModelCatalogue(scripted))
    app.services.settings.update("engine", {"chatModel": scripted.info.id})
    return scripted


def test_one_memory_for_all_programs(app, agent, talk, model):
    _, secret = app.services.tokens.create("story")
    named = {"X-Memdesk-Agent-Id": agent}
    with anthropic.Anthropic(base_url=app.url, api_key=secret, default_headers=named) as claude:
        claude.messages.create(model="default", max_tokens=50, messages=SAID)
    app.services.distillation.distill(agent)
    model.requests.clear()

    async def search(client):
        return await client.call_tool("search_memory", {"query": ASKED[0]["content"]})

    def found():
        """Return whether the models of two clients are given it, MCP finds it, and the window lists it."""
        with ollama.Client(host=app.url, headers=named | {"Authorization": f"Bearer {secret}"}) as client:
            client.chat("default", ASKED)
        with openai.OpenAI(base_url=f"{app.url}/v1", api_key=secret, default_headers=named) as ai:
            ai.responses.create(model="default", input=ASKED)
            ai.chat.completions.create(model="default", messages=ASKED)
        told = ["".join(message.content for message in request.messages) for request in model.requests]
        model.requests.clear()
        told += [str(talk(search).structured_content), str(app.services.memories.facts(FactFilter(agent_id=agent)))]
        return ["Porto" in words for words in told]

    assert found() == [True] * 5
    (fact,) = app.services.memories.facts(FactFilter(agent_id=agent)).items

    async def forget(client):
        return await client.call_tool("forget", {"ids": [fact.id], "include_messages": True, "confirm": True})

    assert talk(forget).structured_content["verified"] is True
    assert found() == [False] * 5
