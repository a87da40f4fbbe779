"""Our own tools, through the official client over HTTP."""

import json

import httpx2
import pytest
from mcp import MCPError

from memdesk.domain.models import FactStatus
from memdesk.mcp.http import McpEndpoint
from memdesk.ports import FactFilter
from memdesk.services.guarding import ALL_SCOPES, COMMAND_LINE
from memdesk.services.recording import IngestTurn

OURS = {
    "search_memory": ("memory:read", True, False),
    "get_context": ("memory:read", True, False),
    "add_memory": ("memory:write", False, False),
    "update_memory": ("memory:write", False, False),
    "forget": ("memory:write", False, True),
    "list_memories": ("memory:read", True, False),
    "memory_status": ("memory:read", True, False),
}

#: What the official knowledge-graph server's tools answer.
GRAPH = {
    "create_entities": {"entities"},
    "create_relations": {"relations"},
    "add_observations": {"results"},
    **{name: {"success", "message"} for name in ("delete_entities", "delete_observations", "delete_relations")},
    **{name: {"entities", "relations"} for name in ("read_graph", "search_nodes", "open_nodes")},
}


def call(name, **arguments):
    async def work(client):
        return await client.call_tool(name, arguments)

    return work


def said(app, agent, *words):
    """Return the turns of a conversation that is recorded and not learned from."""
    turns = [IngestTurn(user=words[0], assistant=words[1])]
    app.services.ingest.ingest(agent_id=agent, conversation_id="talk", turns=turns, skip_extraction=True)
    return app.services.memories.transcript(agent).items[::-1]


def facts(app, agent):
    return app.services.memories.facts(FactFilter(agent_id=agent, status=(FactStatus.ACTIVE,))).items


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_both_revisions_list_the_tools_with_hints(talk, mode):
    async def work(client):
        return client.protocol_version, (await client.list_tools()).tools

    version, tools = talk(work, mode=mode)
    assert (version == "2026-07-28") is (mode == "2026-07-28")
    found = {tool.name: [tool.annotations.read_only_hint, tool.annotations.destructive_hint] for tool in tools}
    assert {name: found[name] for name in OURS} == {name: hints for name, (_, *hints) in OURS.items()}
    assert all(tool.input_schema["type"] == "object" and tool.description for tool in tools)
    answers = {tool.name: set(tool.output_schema["required"]) for tool in tools if tool.output_schema}
    assert answers == GRAPH


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_what_is_added_is_found_listed_and_counted(talk, agent, mode):
    async def work(client):
        added = await client.call_tool("add_memory", {"content": "Ada keeps bees in Porto.", "tags": ["bees"]})
        found = await client.call_tool("search_memory", {"query": "Who keeps bees?"})
        listed = await client.call_tool("list_memories", {"tag": "bees"})
        state = await client.call_tool("memory_status", {})
        return added, found, listed, state

    added, found, listed, state = (each.structured_content for each in talk(work, mode=mode))
    assert added["created"] is True
    assert [each["id"] for each in found["results"]] == [added["memory"]["id"]]
    assert (listed["total"], listed["memories"][0]["content"]) == (1, "Ada keeps bees in Porto.")
    assert (state["facts"], state["memory"], state["agent_id"]) == (1, "on", agent)


def test_the_same_words_again_are_not_stored_twice(talk, app, agent):
    for created in (True, False):
        assert talk(call("add_memory", content="Ada keeps bees.")).structured_content["created"] is created
    assert len(facts(app, agent)) == 1


def test_what_says_the_same_in_other_words_is_told_as_known(talk, app, agent):
    first = talk(call("add_memory", content="User lives in Porto.")).structured_content
    again = talk(call("add_memory", content="The user lives in Porto.")).structured_content
    assert (first["created"], again["created"]) == (True, False)
    assert again["memory"]["id"] == first["memory"]["id"]
    stored = talk(call("memory_store", text="The user lives in Porto.")).structured_content
    known = {"existingId": first["memory"]["id"], "existingText": "User lives in Porto."}
    assert stored == {"action": "duplicate"} | known
    assert len(facts(app, agent)) == 1


def test_the_text_of_a_result_is_its_structure_as_json(talk):
    result = talk(call("add_memory", content="Ada keeps bees."))
    assert json.loads(result.content[0].text) == result.structured_content


def test_context_is_what_a_chat_would_be_given(talk, app):
    talk(call("add_memory", content="User's sister Ada keeps bees in Porto."))
    told = talk(call("get_context", message="What does my sister Ada keep?")).structured_content
    assert "sister Ada keeps bees in Porto." in told["context"]
    assert app.services.chat.receipts.get(told["receipt_id"]).block == told["context"]


@pytest.mark.parametrize("told", [True, False])
def test_what_is_kept_here_is_told_to_programs_that_may_have_it(talk, app, agent, told):
    app.services.agents.ensure(agent)
    app.services.items.put(content="User's sister Ada keeps bees in Porto.", agent_id=agent, privacy="local_only")
    scopes = ["memory:read", *(["memory:private"] if told else [])]
    asked = "What does my sister Ada keep?"
    assert ("Porto" in str(talk(call("get_context", message=asked), scopes=scopes).structured_content)) is told
    assert ("Porto" in str(talk(call("search_memory", query=asked), scopes=scopes).structured_content)) is told


@pytest.mark.parametrize("told", [True, False])
def test_what_is_kept_here_is_listed_and_read_as_it_is_searched(talk, app, agent, told):
    app.services.settings.update("memory", {"local_only_kinds": ["health"]})
    harbor = {"name": "Harbor", "entityType": "place", "observations": ["sells herring", "has a diabetes clinic"]}
    talk(call("create_entities", entities=[harbor]))
    clinic, herring = facts(app, agent)
    scopes = ["memory:read", *(["memory:private"] if told else [])]
    for name, arguments in (
        ("list_memories", {}),
        ("read_graph", {}),
        ("open_nodes", {"names": ["Harbor"]}),
        ("search_nodes", {"query": "Harbor"}),
    ):
        answer = str(talk(call(name, **arguments), scopes=scopes).structured_content)
        assert ("herring" in answer, "clinic" in answer) == (True, told), name
    found = talk(call("search_nodes", query="clinic"), scopes=scopes).structured_content["entities"]
    assert len(found) == int(told)
    read = [talk(call("memory_get", path=f"memdesk/fact/{one.id}"), scopes=scopes) for one in (herring, clinic)]
    assert [one.structured_content["text"] for one in read] == [herring.content, clinic.content if told else "…"]
    app.services.settings.update("memory", {"local_only_kinds": []})


def test_a_program_behind_the_command_line_is_elsewhere_too(app, agent):
    import httpx

    app.services.agents.ensure(agent)
    app.services.items.put(content="User's sister Ada keeps bees.", agent_id=agent, privacy="local_only")
    secret = "of a command line that is a test's"
    app.services.tokens.accept(secret, name=COMMAND_LINE, scopes=ALL_SCOPES)
    headers = {"Authorization": f"Bearer {secret}", "X-Memdesk-Agent-Id": agent}
    for program, found in (({}, 1), ({"X-Memdesk-Program": "Claude Desktop"}, 0)):
        body = {"query": "bees"}
        told = httpx.post(f"{app.url}/memory/tools/list_memories", json=body, headers=headers | program, timeout=60)
        assert len(told.json()["memories"]) == found


def test_update_keeps_the_former_words_in_the_history_with_the_programs_name(talk, app):
    fact_id = talk(call("add_memory", content="Ada keeps bees.")).structured_content["memory"]["id"]
    changed = talk(call("update_memory", id=fact_id, content="Ada keeps goats.", pinned=True)).structured_content
    assert (changed["memory"]["content"], changed["memory"]["pinned"]) == ("Ada keeps goats.", True)
    latest, first = app.services.history.of("fact", fact_id)
    assert latest.old["content"] == "Ada keeps bees."
    assert {(each.actor, each.actor_detail) for each in (latest, first)} == {("api", "Claude Desktop")}


def test_forget_previews_first_and_forgets_when_confirmed(talk, app, agent):
    fact_id = talk(call("add_memory", content="Ada keeps bees.")).structured_content["memory"]["id"]
    preview = talk(call("forget", ids=[fact_id])).structured_content
    assert (preview["forgotten"], preview["would_forget"], preview["counts"]["facts"]) == (
        False,
        ["Ada keeps bees."],
        1,
    )
    assert len(facts(app, agent)) == 1
    done = talk(call("forget", ids=[fact_id], confirm=True)).structured_content
    assert (done["forgotten"], done["verified"]) == (True, True)
    assert facts(app, agent) == []


def test_forgetting_a_message_previews_its_words_and_another_agents_is_not_there(talk, app, agent):
    (turn, _) = said(app, agent, "My parrot is called Polly.", "A fine name.")
    preview = talk(call("forget", ids=[turn.id], kind="turn")).structured_content
    assert preview["would_forget"] == ["My parrot is called Polly."]
    for more in ({}, {"confirm": True}):
        refused = talk(call("forget", ids=[turn.id], kind="turn", **more), named="another")
        assert refused.structured_content["error"]["code"] == "not_found"
    assert app.services.memories.turn(turn.id).content == "My parrot is called Polly."


@pytest.mark.parametrize("name", [name for name, (scope, *_) in OURS.items() if scope == "memory:write"])
def test_a_token_that_may_only_read_changes_nothing(talk, app, agent, name):
    arguments = {"content": "Ada keeps bees.", "ids": ["x"], "id": "x"}
    result = talk(call(name, **arguments), scopes=["memory:read"])
    assert result.is_error
    assert result.structured_content["error"]["code"] == "insufficient_scope"
    assert facts(app, agent) == []


def test_an_agent_is_named_by_header_argument_or_token(talk, app):
    talk(call("add_memory", content="One."), named="by-header")
    talk(call("add_memory", content="Two.", agent_id="by-argument"), named="by-header")
    talk(call("add_memory", content="Three."), bound="by-token")
    assert [facts(app, agent)[0].content for agent in ("by-header", "by-argument", "by-token")] == [
        "One.",
        "Two.",
        "Three.",
    ]


def test_a_token_of_one_agent_reaches_no_other(talk, app):
    fact_id = talk(call("add_memory", content="A secret of a.", agent_id="a")).structured_content["memory"]["id"]
    refused = talk(call("list_memories", agent_id="a"), bound="b")
    assert refused.structured_content["error"]["code"] == "agent_forbidden"
    for name, more in (("update_memory", {"id": fact_id, "content": "x"}), ("forget", {"ids": [fact_id]})):
        assert talk(call(name, **more), bound="b").structured_content["error"]["code"] == "not_found"
    assert [fact.content for fact in facts(app, "a")] == ["A secret of a."]


def test_wrong_arguments_are_named_and_their_values_are_not(talk):
    result = talk(call("search_memory", query=["a secret text"]))
    assert result.is_error
    assert "query" in result.content[0].text
    assert "a secret text" not in result.content[0].text


def test_an_unknown_tool_is_an_error_of_the_protocol(talk):
    with pytest.raises((MCPError, ExceptionGroup)):
        talk(call("launch_rockets"))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("update_memory", {"id": "x", "content": "x"}),
        ("forget", {"ids": ["x"]}),
        ("forget", {"ids": ["x"], "kind": "episode"}),
        ("forget", {"ids": ["x"], "kind": "turn"}),
        ("memory_forget", {"id": "x"}),
    ],
)
def test_where_to_find_what_is_not_there_is_told_by_the_names_of_tools(talk, name, arguments):
    told = talk(call(name, **arguments)).content[0].text
    assert "There is no such" in told
    assert "GET /" not in told


@pytest.mark.parametrize(
    ("headers", "status"),
    [({}, 401), ({"Authorization": "Bearer mdk-wrong"}, 401), ({"Origin": "http://evil.example"}, 403)],
)
def test_the_endpoint_is_behind_the_servers_own_checks(app, headers, status):
    import httpx

    secret = app.services.tokens.create("test")[1]
    given = {"Authorization": f"Bearer {secret}"} | headers if "Origin" in headers else headers
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    assert httpx.post(f"{app.url}/mcp", json=body, headers=given).status_code == status


def test_the_first_requests_may_come_all_at_once(app):
    import asyncio

    import httpx

    endpoint = McpEndpoint(
        app.services.tools, lambda _request: pytest.fail("nobody asks who calls"), app.services.events
    )
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepted = {"Accept": "application/json, text/event-stream"}

    async def ask():
        transport = httpx.ASGITransport(endpoint, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=app.url, headers=accepted) as client:
            return await asyncio.gather(*(client.post("/mcp", json=body) for _ in range(4)))

    assert [answer.status_code for answer in asyncio.run(ask())] == [200] * 4


def test_an_unknown_resource_is_refused(talk):
    async def work(client):
        return await client.read_resource("memory://elsewhere")

    with pytest.raises((MCPError, ExceptionGroup)):
        talk(work)


def test_a_gateway_is_told_what_share_of_contexts_was_still_known(app, agent):
    app.services.memories.add_fact(agent_id=app.services.agents.ensure(agent).id, content="Ada keeps bees.")
    for _ in range(2):
        app.services.recall.context(agent_id=agent, query="What does Ada keep?")
    _, secret = app.services.tokens.create("gateway")
    told = httpx2.get(f"{app.url}/api/memory", headers={"Authorization": f"Bearer {secret}"}).json()
    assert told["stats"]["hitRate"] == app.services.recall.stats()["contexts"]["rate"] > 0
