"""Whether a local server has models with vision if its list does not say."""

import pytest

from memdesk.engines.known_models import KnownModels
from memdesk.engines.remote import RemoteServers
from memdesk.settings.schema import EngineSettings
from tests.helpers.openai_server import openai_server
from tests.unit.engines.test_remote import ID, FakeSecrets


@pytest.fixture
def server():
    with openai_server() as state:
        yield state


@pytest.fixture
def servers(server, tmp_path):
    settings = EngineSettings(remote_servers=[{"name": "lab", "base_url": server.url}], answer_timeout_seconds=5)
    return RemoteServers(lambda: settings, FakeSecrets(), KnownModels(tmp_path / "models.json"))


@pytest.mark.parametrize(
    ("page", "told", "sees"),
    [
        ("/api/show", {"capabilities": ["completion", "tools", "vision"]}, True),
        ("/api/show", {"capabilities": ["completion", "tools"]}, False),
        ("/api/v0/models/family/model", {"type": "vlm", "capabilities": ["tool_use"]}, True),
        ("/api/v0/models/family/model", {"type": "llm", "capabilities": ["tool_use"]}, False),
        ("/props", {"modalities": {"vision": True, "audio": False}}, True),
        ("/props", {"modalities": {"vision": False}}, False),
        ("/props", {"error": "Unexpected endpoint"}, None),
        ("/props", {"modalities": "odd", "type": ["llm"]}, None),
    ],
)
def test_servers_say_it_in_their_own_ways(server, servers, page, told, sees):
    server.pages[page] = told
    assert {info.id: info.sees for info in servers.probe("lab")}[ID] is sees
    assert server.bodies == []


def test_what_the_list_says_is_not_asked_again(server, servers):
    server.pages["/api/show"] = {"capabilities": []}
    server.entries["family/model"] = {"capabilities": ["vision"]}
    assert {info.id: info.sees for info in servers.probe("lab")} == {ID: True, "remote:lab/qwen3:4b": False}
