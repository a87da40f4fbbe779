"""Every route, with every scope, for the token's agent and for another's: generated from the app's own description."""

from __future__ import annotations

import httpx
import pytest

from memdesk.api.plain import plain
from memdesk.domain.models import Entity, Receipt
from memdesk.ports import FactFilter
from memdesk.services.guarding.tokens import ALL_SCOPES, USUAL_SCOPES
from tests.helpers.exchange import exchange
from tests.helpers.routes import OPEN, address, described, refusals, variants

SECRET = "Zanzibar"


@pytest.fixture
def calls(server, http):
    return described(http)


@pytest.fixture
def two(parts):
    """Two agents with a row of every kind each; return the ids by agent and kind."""
    services, ids = parts.services, {}
    for agent in ("caroline", "melanie"):
        services.agents.ensure(agent)
        words = f"{agent} hid it in {SECRET}." if agent == "melanie" else "caroline paints."
        exchange(services.ingest, agent_id=agent, conversation_id=f"{agent}-1", user=words, assistant="Ok")
        fact = services.memories.add_fact(agent_id=agent, content=words)
        episode = services.memories.add_episode(agent_id=agent, summary=words, conversation_id=f"{agent}-1")
        receipt = Receipt(
            id=f"{agent}-receipt", agent_id=agent, query=words, section="none", rule="", tokens=0, budget_tokens=1,
            block="", created_at=services.clock.now(),
        )  # fmt: skip
        card = {"id": f"{agent}-card", "agent_id": agent, "old": fact.id, "new": fact.id, "reason": words}
        card["created_at"] = services.clock.now().isoformat()

        def write(repos, receipt=receipt, card=card, agent=agent):
            repos.receipts.put(receipt)
            repos.meta.put(f"contradiction:{card['id']}", card)

            now = services.clock.now()
            repos.entities.put(
                Entity(
                    id=f"{agent}-entity",
                    agent_id=agent,
                    name=SECRET if agent == "melanie" else "Lisbon",
                    type="place",
                    created_at=now,
                    updated_at=now,
                )
            )
            return repos.turns.of_conversation(agent, f"{agent}-1")[0].id

        turn = parts.store.write(write)
        ids[agent] = {
            "fact": fact.id, "episode": episode.id, "turn": turn, "receipt": receipt.id, "card": card["id"],
            "test": services.tests.add(agent_id=agent, question=words, line=words).id, "entity": f"{agent}-entity", "conversation": f"{agent}-1", "agent": agent,
        }  # fmt: skip
    return ids


def rows_of(parts, agent):
    """Return every row of an agent, as text."""
    with parts.store.read() as repos:
        flt = FactFilter(agent_id=agent, status=())
        return plain(
            [
                repos.agents.get(agent),
                repos.items.facts(flt, limit=500).items,
                repos.items.episodes(agent_id=agent, status=None, limit=500).items,
                repos.turns.page(agent_id=agent, limit=500).items,
                repos.conversations.page(agent_id=agent, limit=500).items,
                repos.entities.page(agent_id=agent, limit=500).items,
                repos.receipts.page(agent_id=agent, limit=500).items,
                repos.meta.prefix(f"contradiction:{agent}"),
                [value for value in repos.meta.prefix("memory_test:").values() if value["agent_id"] == agent],
            ]
        )


#: What both a reader and an administrator may see: what ``admin`` changes.
EITHER = {
    "GET /agents",
    "GET /agents/{agent_id}",
    "GET /agents/{agent_id}/export",
    "GET /api/settings/memory",
    "GET /api/settings/qdrant",
    "GET /memory/distill/prompt",
    "GET /memory/settings",
    "GET /memory/settings/fields",
}


def client(server, parts, scopes, agent):
    _, secret = parts.services.tokens.create("matrix", scopes, [agent] if agent else None)
    return httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {secret}"}, timeout=60)


def test_every_route_wants_one_scope(calls, server, parts):
    routes, _ = calls
    wanted = {call.name: set() for call in routes if call.name not in OPEN}
    for scope in USUAL_SCOPES:
        others = [other for other in ALL_SCOPES if other != scope]
        with client(server, parts, others, None) as http:
            for call in routes:
                answer = http.request(
                    call.method, address(call, {}), json={} if "requestBody" in call.operation else None
                )
                if answer.status_code == 403:
                    body = answer.json()
                    error = body if isinstance(body["error"], str) else body["error"]
                    assert error["code"] == "insufficient_scope"
                    wanted[call.name].add(scope)
    assert {name for name, scopes in wanted.items() if not scopes} == EITHER
    assert {name: scopes for name, scopes in wanted.items() if len(scopes) > 1} == {}
    reading = {name for name, scopes in wanted.items() if scopes == {"memory:read"}}
    asking = {"POST /memory/search", "POST /memory/context", "POST /memory/tools/{name}"}
    asking |= {"POST /search", "POST /memories/search", "POST /v2/memories/search"}
    asking |= {"POST /memory/tests/run", "POST /memories/list", "POST /v2/memories", "POST /entities"}
    asking |= {"POST /api/settings/qdrant/search", "POST /v3/memories/search", "POST /v3/memories"}
    assert {name for name in reading if not name.startswith("GET ")} == asking


def test_a_token_of_one_agent_reaches_nothing_of_another_by_any_route(calls, server, parts, two):
    routes, schemas = calls
    before = rows_of(parts, "melanie")
    nobody = dict.fromkeys(two["melanie"], "unknown")
    tried = 0
    with client(server, parts, ALL_SCOPES, "caroline") as http:
        for call in routes:
            foreign = variants(call, two["melanie"], schemas)
            unknown = variants(call, nobody, schemas)
            for theirs, nothing in zip(foreign, unknown, strict=True):
                tried += 1
                answer = http.request(call.method, address(call, two["melanie"]), **theirs)
                empty = http.request(call.method, address(call, nobody), **nothing)
                assert (answer.status_code, answer.text) == (empty.status_code, empty.text), (call.name, theirs)
                refused = refusals(call, theirs)
                assert answer.status_code in refused or call.name in OPEN, (call.name, theirs, answer.text)
                assert SECRET not in answer.text, call.name
    assert tried > 60
    assert rows_of(parts, "melanie") == before


def test_a_token_of_one_agent_lists_nothing_of_another(calls, server, parts, two):
    routes, _ = calls
    with client(server, parts, ALL_SCOPES, "caroline") as http:
        for call in routes:
            if call.method == "GET" and not call.parameters and call.name not in OPEN:
                answer = http.get(call.path, params={"conversation_id": "melanie-1"})
                assert SECRET not in answer.text, call.name
                if call.path != "/memory/export":
                    assert SECRET not in http.get(call.path).text, call.name
        search = http.post("/memory/search", json={"query": SECRET}).json()
        assert search["items"] == []


def test_a_token_of_one_agent_may_forget_rows_of_its_own(server, parts, two):
    own = two["caroline"]
    with client(server, parts, ["memory:write"], "caroline") as http:
        for kind in ("fact", "episode", "entity", "turn", "conversation"):
            shown = http.post("/memory/forget/preview", json={"kind": kind, "ids": [own[kind]]})
            assert shown.status_code == 200, (kind, shown.text)
        assert (
            http.post("/memory/forget", json={"kind": "conversation", "ids": [own["conversation"]]}).status_code == 200
        )
    with parts.store.read() as repos:
        assert repos.turns.page(agent_id="caroline", limit=10).items == []
    assert SECRET in str(rows_of(parts, "melanie"))


def test_rows_named_with_the_wrong_agent_are_unknown_to_everybody(http, parts, two):
    for kind in ("fact", "episode", "entity", "turn"):
        body = {"kind": kind, "ids": [two["melanie"][kind]], "agent_id": "caroline"}
        assert http.post("/memory/forget", json=body).status_code == 404, kind
    assert SECRET in str(rows_of(parts, "melanie"))


def test_a_token_of_several_agents_names_one_of_them(server, parts, two):
    _, secret = parts.services.tokens.create("several", agents=["caroline", "default"])
    with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {secret}"}, timeout=60) as http:
        assert {agent["id"] for agent in http.get("/agents").json()["agents"]} == {"caroline", "default"}
        assert http.get("/memory/facts").status_code == 400
        assert http.get("/memory/facts", params={"agent_id": "default"}).json()["items"] == []
        mine = http.get("/memory/facts", params={"agent_id": "caroline"}).json()["items"]
        assert [fact["id"] for fact in mine] == [two["caroline"]["fact"]]
        assert http.get(f"/memory/facts/{two['caroline']['fact']}").status_code == 200
        assert http.get("/memory/facts", params={"agent_id": "melanie"}).status_code == 403
        assert http.get(f"/memory/facts/{two['melanie']['fact']}").status_code == 404
