"""A remote model's context length: from the server's list, its errors, the maker's figures and the user's setting."""

from __future__ import annotations

import pytest

from memdesk.engines import remote_context
from memdesk.engines.known_models import KnownModels
from memdesk.engines.remote import RemoteServers
from memdesk.errors import ContextOverflowError
from memdesk.ports import ChatMessage, GenerationRequest
from memdesk.settings.addresses import is_local
from memdesk.settings.schema import EngineSettings
from tests.helpers.engines import FakeSecrets
from tests.helpers.openai_server import openai_server

ID = "remote:lab/family/model"
ASK = GenerationRequest(messages=(ChatMessage(role="user", content="Hi"),))


@pytest.mark.parametrize(
    ("entry", "tokens"),
    [
        ({"id": "m", "max_model_len": 40960}, 40960),
        ({"id": "m", "meta": {"n_ctx": 8192, "n_ctx_train": 131072}}, 8192),
        ({"id": "m", "meta": {"n_ctx_train": 131072}}, 131072),
        ({"id": "m", "max_context_length": 131072, "loaded_context_length": 16384}, 16384),
        ({"id": "m", "context_length": 200000, "top_provider": {"context_length": 128000}}, 128000),
        ({"id": "m", "context_length": 200000, "top_provider": {"context_length": None}}, 200000),
        ({"id": "m", "context_window": 131072}, 131072),
        ({"id": "m", "context_length": "many", "owned_by": "me"}, 0),
        ({"id": "m", "context_length": True}, 0),
    ],
)
def test_the_context_is_read_from_the_entry_of_a_list(entry, tokens):
    assert remote_context.listed(entry) == tokens


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        ("This model's maximum context length is 8192 tokens. However, your messages resulted in 9307 tokens.", 8192),
        ("This model's maximum context length is 16,385 tokens, however you requested 17000 tokens (13000 in the messages, 4000 in the completion).", 16385),
        ("the request exceeds the available context size (4096 tokens), try increasing it", 4096),
        ("prompt is too long: 208310 tokens > 200000 maximum", 200000),
        ("Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length", 32768),
        ("Trying to keep the first 5012 tokens when context the overflows. n_ctx: 4096", 4096),
        ("The input is too long for this model.", 0),
    ],
)  # fmt: skip
def test_the_context_is_read_from_a_refusal(message, tokens):
    assert remote_context.told(message) == tokens


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("gpt-4o-mini-2024-07-18", 128_000),
        ("gpt-4.1-nano", 1_047_576),
        ("openai/gpt-4-0613", 8_192),
        ("anthropic/claude-sonnet-4", 200_000),
        ("somebody-elses-model", 0),
    ],
)
def test_the_maker_s_figure_is_that_of_the_longest_beginning(model, tokens):
    assert remote_context.published(model) == tokens


@pytest.fixture
def server():
    with openai_server() as state:
        yield state


@pytest.fixture
def servers(server, tmp_path):
    settings = EngineSettings(remote_servers=[{"name": "lab", "base_url": server.url}], answer_timeout_seconds=5)
    return RemoteServers(lambda: settings, FakeSecrets(), KnownModels(tmp_path / "models.json"))


def test_what_nobody_says_is_not_guessed_until_a_refusal_tells(server, servers):
    servers.probe("lab")
    model = servers.open(servers.info(ID))
    assert model.context_tokens == 0
    server.error = (400, {"error": {"message": "This model's maximum context length is 8192 tokens."}})
    with pytest.raises(ContextOverflowError):
        list(model.generate(ASK))
    assert (model.context_tokens, servers.info(ID).context_tokens) == (8192, 8192)


def test_a_server_s_list_counts_and_the_user_s_word_counts_more(server, servers):
    server.contexts = {"family/model": 65536}
    assert {info.id: info.context_tokens for info in servers.probe("lab")}[ID] == 65536
    servers.set_context(ID, 20000)
    assert servers.open(servers.info(ID)).context_tokens == 20000
    servers.set_context(ID, None)
    assert servers.open(servers.info(ID)).context_tokens == 65536


def test_a_refusal_teaches_the_context(server, servers):
    server.contexts = {"family/model": 65536}
    servers.probe("lab")
    server.error = (400, {"error": {"message": "This model's maximum context length is 8192 tokens."}})
    with pytest.raises(ContextOverflowError):
        list(servers.open(servers.info(ID)).generate(ASK))
    assert servers.info(ID).context_tokens == 8192


def test_a_hosted_server_that_says_nothing_gets_the_maker_s_figure(tmp_path):
    settings = EngineSettings(remote_servers=[{"name": "far", "base_url": "https://models.example/v1"}])
    known = KnownModels(tmp_path / "models.json")
    known.set_remote("far", ["gpt-4o", "nobody-knows"])
    servers = RemoteServers(lambda: settings, FakeSecrets(), known)
    assert [info.context_tokens for info in servers.models()] == [128_000, 0]


@pytest.mark.parametrize(
    ("address", "here"),
    [
        ("http://localhost:11434", True),
        ("http://127.0.0.1:11434/v1", True),
        ("http://127.8.8.8", True),
        ("http://[::1]:1234", True),
        ("https://api.openai.com/v1", False),
        ("http://192.168.1.20:11434", False),
        ("http://localhost.example.com", False),
        ("http://127.0.0.1.example.com", False),
        ("http://[::1", False),
        ("", False),
    ],
)
def test_a_server_is_on_this_machine_by_its_address_alone(tmp_path, address, here):
    settings = EngineSettings.model_construct(remote_servers=[{"name": "lab", "base_url": address}])
    servers = RemoteServers(lambda: settings, FakeSecrets(), KnownModels(tmp_path / "models.json"))
    assert is_local(address) is here
    assert servers.info(ID).on_this_machine is here
