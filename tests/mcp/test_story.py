"""Told to one program, found in others, forgotten in all."""

import anthropic
import ollama
import openai
import pytest

from tests.helpers.models import OneModelCatalogue, QueueModel


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
    hi = [{"role": "user", "content": "What is the name of my boat?"}]

    async def say(client):
        return await client.call_tool("add_memory", {"content": "User's boat is called Marlin."})

    fact_id = talk(say).structured_content["memory"]["id"]

    def ask_everybody():
        with anthropic.Anthropic(base_url=app.url, api_key=secret, default_headers=named) as claude:
            claude.messages.create(model="default", max_tokens=50, messages=hi)
        with ollama.Client(host=app.url, headers=named | {"Authorization": f"Bearer {secret}"}) as client:
            client.chat("default", hi)
        with openai.OpenAI(base_url=f"{app.url}/v1", api_key=secret, default_headers=named) as ai:
            ai.responses.create(model="default", input=hi)
            ai.chat.completions.create(model="default", messages=hi)
        asked = ["".join(message.content for message in request.messages) for request in model.requests]
        model.requests.clear()
        return ["Marlin" in words for words in asked]

    assert ask_everybody() == [True] * 4

    async def forget(client):
        return await client.call_tool("forget", {"ids": [fact_id], "confirm": True})

    assert talk(forget).structured_content["verified"] is True
    assert ask_everybody() == [False] * 4
