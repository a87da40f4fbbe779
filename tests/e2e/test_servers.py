"""Several servers on one PostgreSQL: nothing doubled, nothing lost, no tenant sees another's."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from memdesk.cli.exits import Exit
from memdesk.cli.main import run
from tests.conftest import PATIENCE_SECONDS
from tests.helpers.fleet import Server, memories
from tests.helpers.stores import Stores

pytestmark = pytest.mark.e2e
SAID = "I keep bees in Porto. My sister is called Ana. I work as a carpenter."


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    stores = Stores(tmp_path_factory.mktemp("servers"), only=("pgvector",))
    yield stores.postgres
    stores.close()


@pytest.fixture(scope="module")
def two(postgres):
    with ThreadPoolExecutor() as pool:
        servers = list(pool.map(lambda tenant: Server(postgres, tenant), ["acme", "umbra"]))
        list(pool.map(_warm, servers))
    yield servers
    assert [server.close() for server in servers] == [0, 0]


def _warm(server):
    """Let it start its reader, which lives as long as it does."""
    with server.client() as client:
        client.post("/v1/memories/", json={"messages": "I like tea.", "user_id": "warm"}).raise_for_status()


def at_once(*calls):
    """Run calls on threads that begin together; return their results."""
    start = threading.Barrier(len(calls))

    def run(call):
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(run, call) for call in calls]]


def test_one_conversation_at_two_servers_at_once_gives_one_set_of_memories(two):
    first, second = (server.client() for server in two)
    with first, second:
        body = {"messages": SAID, "user_id": "ada"}
        done = at_once(*(lambda c=client: c.post("/v1/memories/", json=body) for client in (first, second) * 2))
        assert [answer.status_code for answer in done] == [200] * 4
        kept = memories(first, "ada")
        assert len(kept) == len(set(kept)) == 3
        assert memories(second, "ada") == kept
        events = [one["event"] for answer in done for one in answer.json()["results"]]
        assert events.count("ADD") == 3


def test_a_key_that_comes_twice_is_carried_out_once(two):
    first, second = (server.client() for server in two)
    with first, second:
        body, headers = {"messages": "exactly this", "user_id": "key", "infer": False}, {"Idempotency-Key": "k1"}
        done = at_once(
            *(lambda c=client: c.post("/v1/memories/", json=body, headers=headers) for client in (first, second))
        )
        assert done[0].json() == done[1].json()
        assert memories(first, "key") == ["exactly this"]
        for wishes in ({}, {"async_mode": True}):
            other = first.post("/v1/memories/", json={**body, "messages": "something else", **wishes}, headers=headers)
            assert (other.status_code, other.json()["error"]["code"]) == (422, "invalid_request")
        assert memories(first, "key") == ["exactly this"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"user_id": None},
        {"messages": [{"role": "robot", "content": "x"}]},
        {"expires_at": "rubbish"},
        {"messages": "x" * 50_001, "infer": False},
    ],
)
def test_what_cannot_be_used_is_refused_before_it_is_queued(two, wrong):
    with two[0].client() as client:
        body = {"messages": "x", "user_id": "wrong", "async_mode": True, **wrong}
        assert client.post("/v1/memories/", json=body).status_code == 400


def test_a_tenant_sees_nothing_of_another_and_postgresql_itself_says_so(two, postgres):
    with two[0].client("acme") as acme, two[0].client("umbra") as umbra:
        (made,) = acme.post("/v1/memories/", json={"messages": "acme's", "user_id": "t", "infer": False}).json()[
            "results"
        ]
        umbra.post("/v1/memories/", json={"messages": "umbra's", "user_id": "t", "infer": False})
        assert memories(acme, "t") == ["acme's"]
        assert memories(umbra, "t") == ["umbra's"]
        for method, path in (("GET", ""), ("PUT", ""), ("DELETE", ""), ("GET", "history/")):
            answer = umbra.request(
                method, f"/v1/memories/{made['id']}/{path}", json={"text": "x"} if method == "PUT" else None
            )
            assert answer.status_code == 404 or answer.json() == []
        assert umbra.post("/v1/reset/", json={}).status_code == 200
        assert memories(umbra, "t") == []
        assert memories(acme, "t") == ["acme's"]
        assert (
            acme.get("/v1/memories/", params={"user_id": "t"}, headers={"Authorization": "Bearer no"}).status_code
            == 401
        )
    with psycopg.connect(postgres) as plain:
        plain.execute("SET ROLE memdesk_tenant")
        assert plain.execute("SELECT count(*) FROM memdesk_items_memories").fetchone() == (0,)


def test_what_was_queued_is_read_once_though_a_server_is_killed(two, postgres):
    third = Server(postgres)
    with two[0].client() as client, third.client() as other:
        keys = [f"q{number}" for number in range(12)]
        for number, key in enumerate(keys):
            body = {"messages": f"I have been to town number {number}.", "user_id": "queue", "infer": False}
            to = other if number % 2 and number < 8 else client
            answer = to.post("/v1/memories/", json={**body, "async_mode": True}, headers={"Idempotency-Key": key})
            assert answer.json()["status"] == "PENDING"
            if number == 8:
                third.kill()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while any(client.get(f"/v1/event/{key}/").json()["status"] == "PENDING" for key in keys):
            assert time.monotonic() < deadline
        assert memories(client, "queue") == sorted(f"I have been to town number {number}." for number in range(12))
        assert client.get("/v1/event/unknown/").status_code == 404


def test_a_token_is_made_and_ended_while_servers_run(two, postgres, monkeypatch, capsys):
    monkeypatch.setenv("MEMDESK_TEST_STORE", postgres)

    def told(*arguments):
        capsys.readouterr()
        assert run(["tokens", "--store-env", "MEMDESK_TEST_STORE", "--json", *arguments]) == 0
        return capsys.readouterr().out

    made = json.loads(told("create", "reader", "--tenant", "acme", "--scope", "memory:read"))
    bearer = {"Authorization": f"Bearer {made['secret']}"}
    with two[0].client("acme") as acme:
        acme.post("/v1/memories/", json={"messages": "said", "user_id": "tok", "infer": False}).raise_for_status()
    with two[1].client("acme") as client:
        found = client.get("/v1/memories/", params={"user_id": "tok"}, headers=bearer).json()["results"]
        assert [one["memory"] for one in found] == ["said"]
        body = {"messages": "no", "user_id": "tok"}
        assert client.post("/v1/memories/", json=body, headers=bearer).status_code == 403
        (listed,) = [one for one in json.loads(told("list"))["items"] if one["name"] == "reader"]
        assert (listed["tenant"], listed["scopes"]) == ("acme", ["memory:read"])
        assert made["secret"] not in told("list")
        told("revoke", listed["id"])
        assert client.get("/v1/memories/", params={"user_id": "tok"}, headers=bearer).status_code == 401
    assert run(["tokens", "--store-env", "MEMDESK_TEST_STORE", "revoke", listed["id"]]) == Exit.NOT_FOUND


@pytest.mark.parametrize(
    "arguments",
    [
        ("take-back", "x"),
        ("create", "x", "--agent", "a"),
        ("create", "x", "--scope", "chat"),
        ("create", "x", "--tenant", ""),
    ],
)
def test_what_tokens_of_tenants_do_not_have_is_refused(postgres, arguments):
    assert run(["tokens", "--store", postgres, *arguments]) == Exit.USAGE
