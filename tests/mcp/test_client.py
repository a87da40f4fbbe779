"""Our client of other MCP servers over HTTP, with our own server as the other one."""

import pytest

from memdesk.errors import EngineError
from memdesk.mcp.client import McpConnector
from memdesk.ports import ServerAddress


def test_a_server_is_reached_over_http_with_its_key(app, agent):
    _, secret = app.services.tokens.create("Other", ["memory:read", "memory:write"], [agent])
    with McpConnector().open(ServerAddress(name="other", url=f"{app.url}/mcp", key=secret)) as other:
        offered = {tool.name: tool for tool in other.tools()}
        assert offered["search_memory"].read_only
        assert not offered["add_memory"].read_only
        assert offered["add_memory"].schema["required"] == ["content"]
        assert "Ada keeps bees." in other.call("add_memory", {"content": "Ada keeps bees."}).text
        assert other.call("forget", {}).failed


@pytest.mark.expect_log
def test_a_wrong_key_is_told_in_words(app):
    with (
        pytest.raises(EngineError, match="The tool server other failed"),
        McpConnector().open(ServerAddress(name="other", url=f"{app.url}/mcp", key="mdk-wrong")),
    ):
        pass
