"""The knowledge graph as a resource that reports its changes, through the official client."""

import os
import sys
import warnings
from types import SimpleNamespace

import anyio
import mcp_types as types
import pytest
from mcp import Client, MCPDeprecationWarning, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourceUpdated
from starlette.requests import Request

from memdesk.mcp.http import ServiceHost
from memdesk.services.events import EventBus, MemoryChanged

GRAPH = "memory://knowledge-graph"
ADA = {"entities": [{"name": "Ada", "entityType": "person", "observations": ["likes chess"]}]}


async def heard(client, change):
    """Listen to the graph, make a change and return the first event."""
    async with client.listen(resource_subscriptions=[GRAPH]) as events:
        await change()
        with anyio.fail_after(60):
            return await anext(aiter(events))


def test_who_listens_hears_of_a_change_and_reads_it(talk):
    async def work(client):
        event = await heard(client, lambda: client.call_tool("create_entities", ADA))
        return event, (await client.read_resource(GRAPH)).contents[0].text

    event, text = talk(work)
    assert event == ResourceUpdated(uri=GRAPH)
    assert "likes chess" in text


def test_who_listens_hears_of_its_own_agent_alone():
    events, told = EventBus(), []
    caller = SimpleNamespace(need_scope=told.append, agent=lambda named: named)
    host = ServiceHost(SimpleNamespace(), lambda _request: (caller, "mine"), events)
    end = host.watch(SimpleNamespace(request=Request({"type": "http"})), lambda: told.append("changed"))
    events.publish(MemoryChanged("another's"))
    assert told == ["memory:read"]
    events.publish(MemoryChanged("mine"))
    events.publish(MemoryChanged(None))
    assert told == ["memory:read", "changed", "changed"]
    end()
    events.publish(MemoryChanged("mine"))
    assert (len(told), events.listeners(MemoryChanged)) == (3, 0)


def test_who_may_not_read_may_not_listen(talk):
    async def work(client):
        async with client.listen(resource_subscriptions=[GRAPH]):
            return

    with pytest.raises(BaseException) as refused:  # noqa: PT011 -- the client groups what its tasks raise
        talk(work, scopes=["chat"])
    assert refused.group_contains(MCPError) or isinstance(refused.value, MCPError)


@pytest.mark.e2e
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_program_over_standard_input_hears_what_another_changes(app, mode):
    _, secret = app.services.tokens.create("Zed", ["memory:read", "memory:write"], ["zed"])
    app.services.agents.ensure("zed")
    command = ["-m", "memdesk", *app.paths.options, "mcp"]
    program = StdioServerParameters(command=sys.executable, args=command, env=os.environ | {"MEMDESK_TOKEN": secret})
    told = anyio.Event()

    async def note(message):
        if isinstance(message, types.ResourceUpdatedNotification):
            told.set()

    async def elsewhere():
        await anyio.to_thread.run_sync(
            lambda: app.services.memories.add_fact(agent_id="zed", content=f"Ada keeps bees ({mode}).")
        )

    async def main():
        async with Client(program, mode=mode, message_handler=note) as client:
            if mode == "auto":
                return await heard(client, elsewhere)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", MCPDeprecationWarning)
                await client.subscribe_resource(GRAPH)
            await elsewhere()
            with anyio.fail_after(60):
                await told.wait()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", MCPDeprecationWarning)
                await client.unsubscribe_resource(GRAPH)
            return ResourceUpdated(uri=GRAPH)

    assert anyio.run(main) == ResourceUpdated(uri=GRAPH)
