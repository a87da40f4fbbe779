"""Remote models through their real clients, against local servers that speak their protocols."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from memdesk.engines.clients import make_embedder, make_model
from memdesk.engines.remote_errors import RemoteAuthError, RemoteFailedError, RemoteUnreachableError
from memdesk.errors import BadRequestError, EngineError, RateLimitedError
from memdesk.services.library.modelling import ModelExtractor
from memdesk.services.library.retrying import RetryingModel
from memdesk.stores.memory import InMemoryStore
from tests.helpers.played_models import Server

FACTS = '{"facts": ["The user keeps bees."]}'
#: What each provider's server answers with, as recorded from its documentation.
CHAT = {
    "openai": {
        "id": "c1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": FACTS}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    },
    "anthropic": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn", "stop_sequence": None,
        "content": [{"type": "text", "text": FACTS}], "usage": {"input_tokens": 1, "output_tokens": 1},
    },
    "ollama": {
        "model": "m", "created_at": "2026-03-01T09:00:00Z", "done": True, "done_reason": "stop",
        "message": {"role": "assistant", "content": FACTS},
    },
}  # fmt: skip
CHAT["azure"] = CHAT["google"] = CHAT["memdesk"] = CHAT["huggingface"] = CHAT["openai"]
VECTORS = {
    "openai": {
        "object": "list", "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1},
        "data": [{"object": "embedding", "index": n, "embedding": row} for n, row in ((1, [0.0, 2.0, 0.0]), (0, [3.0, 0.0, 4.0]))],
    },
    "ollama": {"model": "m", "embeddings": [[3.0, 0.0, 4.0], [0.0, 2.0, 0.0]]},
}  # fmt: skip
VECTORS["azure"] = VECTORS["openai"]
# Google leaves out an index of zero.
VECTORS["google"] = {"object": "list", "model": "m", "data": [
    {"object": "embedding", "embedding": [3.0, 0.0, 4.0]}, {"object": "embedding", "index": 1, "embedding": [0.0, 2.0, 0.0]},
]}  # fmt: skip
VECTORS["huggingface"] = [[3.0, 0.0, 4.0], [0.0, 2.0, 0.0]]
PATHS = {
    "openai": "/v1/chat/completions",
    "azure": "/openai/deployments/m/chat/completions",
    "anthropic": "/v1/messages",
    "ollama": "/api/chat",
    "google": "/v1/chat/completions",
    "memdesk": "/v1/chat/completions",
    "huggingface": "/v1/chat/completions",
}


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)  # else its client asks nobody at all
    running = Server()
    yield running
    running.close()


def settings(provider, server, **more):
    address = f"{server.url}/v1" if provider in {"openai", "google", "memdesk"} else server.url
    return {
        "model": "m",
        "api_key": "secret",
        "base_url": address,
        "temperature": 0.0,
        "max_tokens": 50,
        "api_version": None,
    } | more


def refusal(provider, words):
    """Return the body of an error in the provider's shape."""
    shapes = {"google": [{"error": {"code": 0, "message": words, "status": "X"}}], "huggingface": {"error": words}}
    return shapes.get(provider, {"error": {"message": words, "type": "x"}})


@pytest.fixture(params=list(CHAT))
def provider(request):
    return request.param


def test_40_each_provider_is_asked_in_its_own_words(provider, server, engines):
    server.answers = [(200, CHAT[provider])]
    model = make_model(provider, settings(provider, server))
    m = engines.service(InMemoryStore(), extractor=ModelExtractor(model, "List facts."))
    assert m.add("I keep bees", user_id="a")["results"][0]["new_memory"] == "The user keeps bees."
    model.close()
    ((path, body, headers),) = server.asked
    assert path == PATHS[provider]
    assert body["model"] == "m"
    assert "I keep bees" in json.dumps(body["messages"])
    assert "List facts." in json.dumps(body)
    # Ollama knows no keys.
    assert provider == "ollama" or any("secret" in value for value in headers.values())


def test_rate_limits_are_told_and_waited_out(provider, server):
    server.answers = [(429, refusal(provider, "slow down"))] * 2 + [(200, CHAT[provider])]
    pauses = []
    model = make_model(provider, settings(provider, server))
    assert RetryingModel(model, pauses.append).complete("s", "u") == FACTS
    assert pauses == [1, 2]
    server.answers = [(429, refusal(provider, "slow down"))]
    with pytest.raises(RateLimitedError):
        model.complete("s", "u")
    model.close()


@pytest.mark.parametrize(
    ("status", "kind"), [(401, RemoteAuthError), (500, RemoteFailedError), (400, RemoteFailedError)]
)
def test_other_errors_count_at_once(provider, server, status, kind):
    server.answers = [(status, refusal(provider, "no"))]
    model = make_model(provider, settings(provider, server))
    with pytest.raises(kind):
        RetryingModel(model, lambda _seconds: pytest.fail("it waited")).complete("s", "u")
    model.close()
    assert len(server.asked) == 1


def test_nobody_at_the_address_is_told_as_such(provider, server):
    server.close()
    model = make_model(provider, settings(provider, server))
    with pytest.raises(RemoteUnreachableError):
        model.complete("s", "u")
    model.close()
    server.close = lambda: None


@pytest.mark.parametrize("provider", list(VECTORS))
def test_vectors_come_in_order_and_with_norm_one(provider, server):
    server.answers = [(200, VECTORS[provider])] * 2
    embedder = make_embedder(provider, settings(provider, server))
    rows = embedder.embed(["a", "b"])
    assert np.allclose(rows, [[0.6, 0, 0.8], [0, 1, 0]])
    assert embedder.model_id == f"{provider}:m"
    with pytest.raises(EngineError, match="another number"):
        embedder.embed(["a"])
    embedder.close()


def test_an_unknown_provider_and_a_missing_model_are_refused(server):
    with pytest.raises(BadRequestError, match="abacus"):
        make_model("abacus", {})
    with pytest.raises(BadRequestError, match="needs model"):
        make_model("openai", settings("openai", server, model=""))


@pytest.mark.parametrize("provider", ["openai", "azure", "anthropic", "google"])
def test_a_missing_key_is_told_before_anybody_is_asked(provider, server, monkeypatch):
    for name in (
        "OPENAI_API_KEY",
        "AZURE_OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "GOOGLE_API_KEY",
    ):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(BadRequestError, match="needs api_key"):
        make_model(provider, settings(provider, server, api_key=None))


@pytest.mark.parametrize("provider", ["google", "memdesk"])
def test_the_key_of_another_provider_is_never_sent(provider, server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "of OpenAI")
    with pytest.raises(BadRequestError, match="needs api_key"):
        make_model(provider, settings(provider, server, api_key=None))


def test_a_client_that_is_not_installed_is_named_by_its_extra(server, monkeypatch):
    monkeypatch.setitem(sys.modules, "memdesk.engines.clients.openai_client", None)
    with pytest.raises(BadRequestError, match="not installed") as caught:
        make_model("google", settings("google", server))
    assert 'pip install "memdesk[openai]"' in caught.value.hint
