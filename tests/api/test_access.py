"""Attacks on the loopback port, and what tokens may do."""

from __future__ import annotations

import socket
import threading
from datetime import timedelta
from types import SimpleNamespace

import httpx
import pytest

from memdesk.api.auth import AccessPolicy, host_name
from memdesk.api.server import ApiServer
from tests.helpers.exchange import exchange

EVERY_ROUTE = [
    ("GET", "/readyz"),
    ("GET", "/v1/models"),
    ("POST", "/v1/chat/completions"),
    ("POST", "/v1/embeddings"),
    ("POST", "/memory/ingest"),
    ("POST", "/memory/search"),
    ("POST", "/memory/context"),
    ("GET", "/memory/facts"),
    ("POST", "/memory/facts"),
    ("GET", "/memory/episodes"),
    ("POST", "/memory/episodes"),
    ("GET", "/memory/identity"),
    ("GET", "/memory/transcript"),
    ("GET", "/memory/conversations"),
    ("DELETE", "/memory/conversations/c1"),
    ("GET", "/memory/status"),
    ("POST", "/memory/distill"),
    ("GET", "/memory/distill/prompt"),
    ("POST", "/memory/consolidate"),
    ("GET", "/memory/runs"),
    ("GET", "/memory/settings"),
    ("PUT", "/memory/settings"),
    ("GET", "/memory/tokens"),
    ("POST", "/memory/forget"),
    ("GET", "/agents"),
    ("PUT", "/agents/a"),
    ("GET", "/openapi.json"),
    ("GET", "/docs"),
    ("GET", "/no-such-thing"),
]


def error(answer):
    body = answer.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"message", "type", "code", "hint"}
    assert all(isinstance(value, str) for value in body["error"].values())
    return body["error"]


def raw(server, request: str) -> bytes:
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=60) as link:
        link.sendall(request.encode())
        return link.recv(65536)


def test_health_is_open(bare):
    assert bare.get("/health").json()["status"] == "ok"


@pytest.mark.parametrize(("method", "path"), EVERY_ROUTE)
def test_every_other_route_wants_a_token(bare, method, path):
    answer = bare.request(method, path)
    assert answer.status_code == 401
    assert error(answer)["type"] == "authentication_error"
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer wrong", "Basic {secret}", "{secret}", "Bearer {secret}x", "Bearer mdk-"]
)
def test_a_wrong_token_is_refused(bare, secret, header):
    answer = bare.get("/agents", headers={"Authorization": header.format(secret=secret)})
    assert (answer.status_code, error(answer)["code"]) == (401, "unauthorized")


def test_a_revoked_token_ends_at_once(http, parts):
    token = parts.services.tokens.all()[0]
    assert http.get("/agents").status_code == 200
    parts.services.tokens.revoke(token.id)
    assert http.get("/agents").status_code == 401


def test_an_expired_token_is_refused(bare, parts, monkeypatch):
    _, secret = parts.services.tokens.create("short", days=1)
    headers = {"Authorization": f"Bearer {secret}"}
    assert bare.get("/agents", headers=headers).status_code == 200
    later = parts.services.clock.now() + timedelta(days=2)
    monkeypatch.setattr(parts.services.tokens, "_clock", SimpleNamespace(now=lambda: later))
    assert bare.get("/agents", headers=headers).status_code == 401


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:1337", "127.0.0.1.evil.example", "localhost.evil.example", "0.0.0.0", "[::2]"],
)
def test_a_rebound_host_name_is_refused(http, host):
    for path in ("/health", "/agents"):
        answer = http.get(path, headers={"Host": host})
        assert (answer.status_code, error(answer)["code"]) == (403, "host_not_allowed")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:99", "127.0.0.1", "[::1]:1337", "localhost."])
def test_loopback_names_are_ours(http, host):
    assert http.get("/agents", headers={"Host": host}).status_code == 200


def test_a_request_without_a_host_is_refused(server, secret):
    answer = raw(server, f"GET /agents HTTP/1.0\r\nAuthorization: Bearer {secret}\r\n\r\n")
    assert b" 403 " in answer.split(b"\r\n")[0]


def test_malformed_hosts_have_no_name():
    assert [host_name(h) for h in ("", "a:b", "[::1", "[::1]x", ":80")] == [None] * 5


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "file://", "http://localhost:3000", "http://127.0.0.1:1", "chrome-extension://x"],
)
def test_a_foreign_web_page_is_refused_even_with_a_token(http, origin):
    answer = http.get("/agents", headers={"Origin": origin})
    assert (answer.status_code, error(answer)["code"]) == (403, "origin_not_allowed")
    assert "Access-Control-Allow-Origin" not in answer.headers
    preflight = http.options("/agents", headers={"Origin": origin, "Access-Control-Request-Method": "GET"})
    assert preflight.status_code == 403


def test_an_allowed_origin_gets_cors_headers_on_answers_and_errors(parts, secret):
    parts.services.settings.update("server", {"allowedOrigins": ["http://localhost:3000"]})
    server = ApiServer(parts.services, host="127.0.0.1", port=0)
    server.start()
    try:
        page = {"Origin": "http://localhost:3000"}
        with httpx.Client(base_url=server.url, timeout=60) as client:
            preflight = client.options(
                "/agents",
                headers=page
                | {"Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization"},
            )
            assert preflight.status_code == 204
            assert preflight.headers["Access-Control-Allow-Headers"] == "authorization"
            assert client.get("/agents", headers=page).status_code == 401
            answer = client.get("/agents", headers=page | {"Authorization": f"Bearer {secret}"})
            assert answer.headers["Access-Control-Allow-Origin"] == "http://localhost:3000"
            assert "X-Memdesk-Memory-Receipt" in answer.headers["Access-Control-Expose-Headers"]
            assert "Origin" in answer.headers["Vary"]
    finally:
        server.stop()


@pytest.mark.parametrize(
    "kind",
    [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "text/plain",
        "text/plain; charset=utf-8",
        "",
    ],
)
def test_bodies_that_a_form_can_send_are_refused(http, kind):
    headers = {"Content-Type": kind} if kind else {}
    answer = http.post("/memory/search", content=b'{"agent_id": "a", "query": "x"}', headers=headers)
    assert (answer.status_code, error(answer)["code"]) == (415, "unsupported_media_type")


def test_a_body_that_is_too_large_is_refused_before_it_is_read(server, secret):
    answer = raw(
        server,
        f"POST /memory/search HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n"
        "Content-Type: application/json\r\nContent-Length: 999999999\r\n\r\n",
    )
    assert b" 413 " in answer.split(b"\r\n")[0]


@pytest.mark.parametrize(
    ("scopes", "method", "path", "body", "status"),
    [
        (["chat"], "GET", "/v1/models", None, 200),
        (["chat"], "GET", "/memory/facts", None, 403),
        (["memory:read"], "GET", "/memory/facts", None, 200),
        (["memory:read"], "POST", "/memory/identity", {"content": "x"}, 403),
        (["memory:read"], "GET", "/v1/models", None, 403),
        (["memory:write"], "POST", "/memory/identity", {"content": "x"}, 201),
        (["memory:write", "memory:read"], "PUT", "/memory/settings", {}, 403),
        (["memory:write", "memory:read"], "GET", "/memory/tokens", None, 403),
        (["admin"], "PUT", "/memory/settings", {}, 200),
        (["admin"], "GET", "/memory/settings", None, 200),
        (["memory:write", "chat"], "GET", "/memory/settings", None, 403),
        (["admin"], "GET", "/memory/facts", None, 403),
        (["memory:write"], "POST", "/memory/forget", {"kind": "everything"}, 403),
    ],
)
def test_scopes_hold(bare, parts, scopes, method, path, body, status):
    _, secret = parts.services.tokens.create("narrow", scopes)
    answer = bare.request(method, path, json=body, headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == status
    if status == 403:
        assert error(answer)["code"] == "insufficient_scope"


@pytest.fixture
def bound(server, parts):
    """A client whose token is limited to the agent ``caroline``; ``melanie`` has a fact of her own."""
    for agent in ("caroline", "melanie"):
        parts.services.agents.ensure(agent)
    parts.services.memories.add_fact(agent_id="melanie", content="Melanie paints sunsets.")
    exchange(parts.services.ingest, agent_id="melanie", conversation_id="m1", user="Secret", assistant="Ok")
    _, secret = parts.services.tokens.create("caroline only", agents=["caroline"])
    with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {secret}"}, timeout=60) as client:
        yield client


def test_a_token_of_one_agent_does_not_see_another(bound):
    asked = [
        ("GET", "/memory/facts?agent_id=melanie", None),
        ("GET", "/memory/transcript?agent_id=melanie", None),
        ("GET", "/memory/conversations?agent_id=melanie", None),
        ("DELETE", "/memory/conversations/m1?agent_id=melanie", None),
        ("GET", "/memory/export?agent_id=melanie&conversation_id=m1", None),
        ("POST", "/memory/search", {"agent_id": "melanie", "query": "paints"}),
        ("POST", "/memory/context", {"agent_id": "melanie", "query": "paints"}),
        ("POST", "/memory/ingest", {"agent_id": "melanie", "conversation_id": "m1", "turns": []}),
        ("POST", "/memory/forget", {"kind": "conversation", "ids": ["m1"], "agent_id": "melanie"}),
        ("POST", "/memory/distill", {"agent_id": "melanie"}),
        ("GET", "/memory/history?agent_id=melanie", None),
        ("POST", "/memory/identity", {"content": "Obey."}),
        ("DELETE", "/memory/identity/x", None),
        ("GET", "/memory/runs", None),
        ("POST", "/memory/consolidate", {}),
        ("GET", "/memory/settings", None),
        ("GET", "/memory/tokens", None),
        ("GET", "/agents/melanie", None),
        ("PUT", "/agents/caroline", {}),
    ]
    for method, path, body in asked:
        answer = bound.request(method, path, json=body)
        assert (answer.status_code, error(answer)["code"]) == (403, "agent_forbidden"), (method, path)
    chat = bound.post(
        "/v1/chat/completions",
        json={"messages": [{"role": "user", "content": "x"}]},
        headers={"X-Memdesk-Agent-Id": "melanie"},
    )
    assert chat.status_code == 403
    assert "unset" not in bound.get("/memory/facts").text
    assert bound.get("/memory/facts").json()["total"] == 0
    assert bound.get("/memory/conversations").json()["total"] == 0
    assert [agent["id"] for agent in bound.get("/agents").json()["agents"]] == ["caroline"]
    assert "melanie" not in bound.get("/memory/status").text


def test_a_token_of_one_agent_implies_its_agent(bound, parts):
    bound.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": "Hello"}]})
    assert parts.services.conversations.page("caroline").total == 1


def test_secrets_are_shown_once_and_kept_as_a_hash(http, parts):
    made = http.post("/memory/tokens", json={"name": "phone", "days": 30}).json()
    assert made["secret"].startswith("mdk-")
    listed = http.get("/memory/tokens").text
    assert made["secret"] not in listed
    assert "secret_hash" not in listed
    assert not parts.store.pages_holding([made["secret"].encode()])
    assert http.delete(f"/memory/tokens/{made['id']}").json()["revoked"] is True


def test_a_secret_from_the_environment_works_without_the_store(bare, parts):
    parts.services.tokens.accept("from-the-environment", name="env")
    headers = {"Authorization": "Bearer from-the-environment"}
    assert bare.get("/agents", headers=headers).status_code == 200
    assert all(token.name != "env" for token in parts.services.tokens.all())
    parts.services.vault.lock()
    locked = bare.get("/agents", headers=headers)
    assert (locked.status_code, error(locked)["code"]) == (423, "locked")


def test_a_locked_vault_answers_locked_and_readyz_says_so(http, bare, parts):
    assert http.get("/readyz").json()["ready"] is True
    parts.services.tokens.accept("env-secret", name="env")
    parts.services.vault.lock()
    for method, path in (("GET", "/memory/facts"), ("GET", "/agents"), ("GET", "/memory/status")):
        answer = http.request(method, path)
        assert (answer.status_code, error(answer)["type"]) == (423, "locked_error")
    ready = bare.get("/readyz", headers={"Authorization": "Bearer env-secret"})
    assert (ready.status_code, ready.json()["database"]) == (503, "locked")
    assert bare.get("/health").status_code == 200
    chat = {"messages": [{"role": "user", "content": "Hi"}]}
    # A token that needs no memory to be known: the model must not be loaded for it all the same.
    answer = bare.post("/v1/chat/completions", json=chat, headers={"Authorization": "Bearer env-secret"})
    assert (answer.status_code, error(answer)["code"]) == (423, "locked")
    assert not parts.model.requests
    parts.services.vault.unlock()
    assert http.get("/agents").status_code == 200


def test_last_use_is_noted_now_and_then(http, parts):
    token = parts.services.tokens.all()[0]
    assert token.last_used is None
    http.get("/agents")
    http.get("/agents")
    assert parts.services.tokens.get(token.id).last_used is not None


def test_activity_names_route_client_and_agent_but_no_content(http, parts):
    http.post("/memory/search", json={"agent_id": "caroline", "query": "a very private question"})
    http.get("/memory/conversations/private-name?agent_id=caroline")
    http.get("/private-address")
    rows = http.get("/memory/activity").json()["items"]
    text = str(rows)
    assert "private" not in text
    search = next(row for row in rows if row["route"] == "/memory/search")
    assert (search["token_name"], search["agent_id"], search["status"], search["method"]) == (
        "test", "caroline", 200, "POST",
    )  # fmt: skip
    assert {row["status"] for row in rows} >= {200, 404}


def test_a_server_on_a_network_takes_addresses_but_no_names():
    policy = AccessPolicy(check=lambda _secret: None, allowed_hosts=frozenset({"0.0.0.0"}), any_address=True)
    policy.check_host("192.168.1.5:1337")
    with pytest.raises(Exception, match="host name"):
        policy.check_host("evil.example")


@pytest.mark.parametrize("agent", ["", "  "])
def test_a_token_of_an_empty_agent_is_refused(http, parts, agent):
    answer = http.post("/memory/tokens", json={"name": "phone", "agent_id": agent})
    assert answer.status_code == 400
    assert len(parts.services.tokens.all()) == 1


@pytest.mark.parametrize(
    ("scopes", "told", "kept"),
    [(["chat"], False, 0), (["chat", "memory:read"], True, 0), (["chat", "memory:read", "memory:write"], True, 2)],
)
def test_a_chat_uses_memory_as_far_as_the_token_reaches(bare, parts, scopes, told, kept):
    parts.services.agents.ensure("caroline")
    parts.services.memories.add_fact(agent_id="caroline", content="The boat is called Petrel.")
    _, secret = parts.services.tokens.create("narrow", scopes)
    for memory in ("on", None):
        body = {"agent_id": "caroline", "messages": [{"role": "user", "content": "What is the boat called?"}]}
        answer = bare.post(
            "/v1/chat/completions",
            json=body | ({"memory": memory} if memory else {}),
            headers={"Authorization": f"Bearer {secret}"},
        )
        assert answer.status_code == 200
        assert ("Petrel" in str(parts.model.requests[-1].messages)) is told
    with parts.store.read() as repos:
        assert repos.turns.count("caroline") == kept


def test_a_stream_ends_when_its_token_is_revoked(bare, parts):
    token, secret = parts.services.tokens.create("narrow", ["chat"])
    parts.model.hold = threading.Event()
    body = {"stream": True, "messages": [{"role": "user", "content": "Tell me a long story."}]}
    headers = {"Authorization": f"Bearer {secret}"}
    with bare.stream("POST", "/v1/chat/completions", json=body, headers=headers) as answer:
        lines = answer.iter_lines()
        next(line for line in lines if '"content"' in line)
        parts.services.tokens.revoke(token.id)
        rest = "".join(lines)
    assert '"code": "unauthorized"' in rest


@pytest.mark.parametrize("path", ["/memory/settings", "/memory/settings/fields", "/memory/distill/prompt"])
def test_settings_of_the_app_are_closed_to_a_token_of_one_agent(bare, parts, path):
    token, secret = parts.services.tokens.create("narrow", agents=["caroline"])
    answer = bare.get(path, headers={"Authorization": f"Bearer {secret}"})
    assert (answer.status_code, error(answer)["code"]) == (403, "agent_forbidden")
    parts.services.tokens.revoke(token.id)
