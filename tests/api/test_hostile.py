"""Malformed and hostile requests: rejected with an explanation, early, and never with an internal error."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from datetime import datetime
from http.client import HTTPConnection

import httpx
import pytest

from memdesk.api import patience
from memdesk.api.dialects import talks
from memdesk.api.dialects.events import arguments_of
from memdesk.api.dialects.ollama.chatting import _call
from memdesk.api.dialects.upstream import _Heard
from memdesk.api.server import ApiServer
from memdesk.services.chatting import ToolCall
from memdesk.services.importing.everything import EverythingService
from memdesk.services.importing.importing import ImportService
from memdesk.services.recording import IngestTurn

CHAT = "/v1/chat/completions"


@pytest.fixture
def importing(parts):
    parts.services.importing = ImportService(
        store=parts.store,
        ingest=parts.services.ingest,
        everything=EverythingService(store=parts.store, clock=parts.services.clock),
        events=parts.services.events,
        agents=parts.services.agents,
        remember=parts.services.memories.add_fact,
    )


def words(answer):
    return answer.json()["error"]["message"]


@pytest.mark.parametrize("depth", [101, 500, 900, 100_000])
@pytest.mark.parametrize("path", [CHAT, "/memory/ingest", "/memory/search", "/memory/facts", "/memory/tools/x"])
def test_a_body_that_is_nested_too_deeply_is_refused(http, path, depth):
    body = '{"query": ' + "[" * depth + "]" * depth + "}"
    answer = http.post(path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert "too deeply" in words(answer)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "tool_calls": [{}]},
        {"role": "assistant", "tool_calls": [{"function": {}}]},
        {"role": "assistant", "tool_calls": [{"function": {"name": 5, "arguments": {}}}]},
        {"role": "assistant", "tool_calls": {}},
        {"role": "user", "content": [{"type": "text", "text": None}]},
    ],
)
def test_messages_of_another_shape_are_refused(http, message):
    answer = http.post(CHAT, json={"messages": [{"role": "user", "content": "Hi"}, message]})
    assert 400 <= answer.status_code < 500, answer.text


def test_a_hundred_thousand_messages_are_refused(http):
    answer = http.post(CHAT, json={"messages": [{"role": "user", "content": "Hi"}] * 100_000})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "date", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-23:59"]
)
def test_dates_at_the_ends_of_the_calendar_are_refused_or_taken(http, date):
    asked = [
        http.get("/memory/facts", params={"as_of": date}),
        http.get("/memory/episodes", params={"since": date, "until": date}),
        http.post("/memory/search", json={"agent_id": "a", "query": "x", "since": date}),
        http.post("/memory/facts", json={"agent_id": "a", "content": "Ada keeps bees.", "valid_from": date}),
        http.post(
            "/memory/ingest",
            json={"agent_id": "a", "conversation_id": "c", "turns": [{"user": "x", "date": date}]},
        ),
    ]
    assert [answer.status_code for answer in asked if answer.status_code >= 500] == []
    datetime.fromisoformat(date)


@pytest.mark.parametrize("path", ["/nothing/here", "/dev/zero", "/" + "x" * 300, "/a\0b", "/proc/self/mem", "relative"])
@pytest.mark.usefixtures("importing")
def test_an_import_of_what_cannot_be_imported_says_so_with_its_status(http, path):
    answer = http.post("/memory/import", json={"path": path, "agent_id": "a", "dry_run": True})
    assert 400 <= answer.status_code < 500, (path, answer.text)
    assert words(answer)


@pytest.mark.parametrize("path", ["/proc/x.zip", "/nothing/here/x.zip", "/dev/null/x.zip"])
def test_a_place_where_no_file_can_be_is_refused_in_words(http, parts, path):
    parts.services.everything = EverythingService(store=parts.store, clock=parts.services.clock)
    answer = http.post("/memory/export", json={"path": path})
    assert answer.status_code == 400, answer.text
    assert "could not be written" in words(answer)


@pytest.mark.usefixtures("importing")
def test_an_import_reports_its_steps_and_its_result(http, tmp_path):
    file = tmp_path / "chats.json"
    file.write_text(json.dumps({"messages": [{"role": "user", "content": "Hi"}]}), encoding="utf-8")
    lines = http.post("/memory/import", json={"path": str(file), "agent_id": "a"}).text.splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["progress", "report"]


def test_a_boolean_is_not_guessed_at(http):
    for value in (0, 1, "no"):
        answer = http.post("/memory/facts", json={"agent_id": "a", "content": "x", "pinned": value})
        assert answer.status_code == 422, value
    answer = http.post(CHAT, json={"messages": [{"role": "user", "content": "x"}], "temperature": True})
    assert answer.status_code in {400, 422}


def test_a_number_is_not_guessed_at(http):
    asked = {"messages": [{"role": "user", "content": "Hi"}], "stream": False}
    for path, field in (
        ("/api/chat", {"options": {"seed": "-1"}}),
        (CHAT, {"seed": "7"}),
        (CHAT, {"temperature": "1"}),
    ):
        assert http.post(path, json=asked | field).status_code in {400, 422}
    for field in ({"limit": "5"}, {"limit": True}):
        assert http.post("/memory/search", json={"agent_id": "a", "query": "x"} | field).status_code == 422


def test_a_body_beyond_the_limit_is_refused_before_all_of_it_came(server, secret, monkeypatch):
    monkeypatch.setattr("memdesk.api.guard.MAX_BODY_BYTES", 1000)
    host, port = server.url.removeprefix("http://").split(":")
    head = (
        f"POST /memory/search HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    with socket.create_connection((host, int(port)), timeout=60) as link:
        link.sendall(head.encode() + b"800\r\n" + b"x" * 0x800 + b"\r\n")
        got = b""
        while piece := link.recv(65536):
            got += piece
    assert b" 413 " in got.split(b"\r\n")[0]


@pytest.mark.parametrize("sent", [b"", b"GET /health HT", b"GET /health HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_client_with_incomplete_headers_is_disconnected(parts, monkeypatch, sent):
    monkeypatch.setattr(patience, "HEADER_SECONDS", 0.2)
    server = ApiServer(parts.services, host="127.0.0.1", port=0)
    server.start()
    try:
        host, port = server.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=60) as link:
            link.sendall(sent)
            assert link.recv(100) == b""
    finally:
        server.stop()


def test_a_body_that_does_not_come_is_given_up(server, secret, monkeypatch):
    monkeypatch.setattr(patience, "BODY_SECONDS", 0.2)
    request = httpx.Request(
        "POST",
        f"{server.url}/memory/search",
        headers={"Authorization": f"Bearer {secret}", "Content-Type": "application/json"},
    )
    host, port = server.url.removeprefix("http://").split(":")
    head = f"POST /memory/search HTTP/1.1\r\nHost: {host}\r\n" + "".join(
        f"{name}: {value}\r\n" for name, value in request.headers.items() if name not in {"host", "content-length"}
    )
    with socket.create_connection((host, int(port)), timeout=60) as link:
        link.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
        assert b" 408 " in link.recv(65536).split(b"\r\n")[0]


def test_a_client_that_does_not_read_its_answer_is_disconnected(server, secret, parts, monkeypatch):
    monkeypatch.setattr(patience, "TAKE_SECONDS", 0.2)
    turns = [IngestTurn(user="word " * 200_000)] * 8
    parts.services.ingest.ingest(agent_id="a", conversation_id="c", turns=turns, skip_extraction=True)
    host, port = server.url.removeprefix("http://").split(":")
    head = f"GET /memory/transcript?agent_id=a&limit=500 HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {secret}\r\n\r\n"
    connections = server._server.server_state.connections
    with socket.socket() as link:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.connect((host, int(port)))
        link.sendall(head.encode())
        assert link.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200"
        while connections:
            time.sleep(0.01)


def test_with_too_many_connections_the_longest_idle_one_is_dropped(server, monkeypatch):
    monkeypatch.setattr(patience, "MAX_CONNECTIONS", 3)
    host, port = server.url.removeprefix("http://").split(":")
    with contextlib.ExitStack() as stack:
        links = [stack.enter_context(socket.create_connection((host, int(port)), timeout=60)) for _ in range(8)]
        links[-1].sendall(f"GET /health HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert b" 200 " in links[-1].recv(65536).split(b"\r\n")[0]
        assert links[0].recv(100) == b""


def test_those_who_ask_nothing_do_not_displace_who_was_answered(server, monkeypatch):
    monkeypatch.setattr(patience, "MAX_CONNECTIONS", 3)
    host, port = server.url.removeprefix("http://").split(":")
    with contextlib.ExitStack() as stack:
        known = stack.enter_context(contextlib.closing(HTTPConnection(host, int(port), timeout=60)))

        def health():
            known.request("GET", "/health")
            answer = known.getresponse()
            answer.read()
            return answer.status

        assert health() == 200
        linked = known.sock
        silent = [stack.enter_context(socket.create_connection((host, int(port)), timeout=60)) for _ in range(8)]
        assert silent[0].recv(100) == b""
        assert health() == 200
        assert known.sock is linked


DEEP = "[" * 5000


def test_a_filter_in_the_address_is_read_as_carefully_as_a_body(http):
    for text in (DEEP, '{"AND": ' * 500, '{"n": 1e999}', "NaN", '"\\ud800"'):
        answer = http.get("/memory/items", params={"agent_id": "default", "filter": text})
        assert answer.status_code == 400, text[:20]


@pytest.mark.parametrize(
    "told",
    [
        DEEP,
        "{}",
        '{"choices": 3}',
        '{"choices": {"a": 1}}',
        '{"choices": [1, null, {"delta": 7, "index": "x"}]}',
        "NaN",
    ],
)
def test_what_the_server_behind_us_sends_passes_through_whatever_it_is(told):
    heard = _Heard(talks.CHAT, streamed=True)
    heard.feed(f"data: {told}\n".encode())
    heard.feed(b'data: {"choices": [{"delta": {"content": "Hello."}}]}\n')
    assert heard.text == "Hello."


@pytest.mark.parametrize("arguments", [DEEP, "NaN", '{"a": 1e999}', "{"])
def test_arguments_that_a_model_made_up_stay_a_text(arguments):
    call = ToolCall(index=0, id="c", name="search", arguments=arguments)
    assert _call(call)["function"]["arguments"] == {"arguments": arguments}
    assert arguments_of(call) == {"arguments": arguments}


@pytest.mark.parametrize("value", [10**400, {"in": [1, 10**30]}, {"gt": -(10**20)}])
def test_a_number_that_no_database_holds_is_refused_in_a_filter(http, value):
    answer = http.get("/memory/items", params={"agent_id": "a", "filter": json.dumps({"weight": value})})
    assert answer.status_code == 400
    assert "larger than" in answer.json()["error"]["message"]
