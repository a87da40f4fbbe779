"""The server thread: start, stop, ports, and its messages."""

from __future__ import annotations

import socket
import threading
import time

import anyio
import httpx
import pytest
from anyio.to_thread import current_default_thread_limiter

from memdesk.api.deferred import DeferredApp
from memdesk.api.errors import TooManyRequestsError
from memdesk.api.patience import CALM, LONGEST, SHORT_THREADS, STANDING, Admission, Line
from memdesk.api.server import ApiServer, PortTakenError, ServerStartError
from memdesk.services.admitted import TRIES, admitted
from memdesk.services.events import ServerChanged


def test_start_and_stop_are_told_and_idempotent(parts):
    heard = []
    parts.events.subscribe(ServerChanged, heard.append)
    server = ApiServer(parts.services, host="127.0.0.1", port=0)
    url = server.start()
    assert server.start() == url == server.url
    assert httpx.get(f"{url}/health", timeout=60).status_code == 200
    assert parts.services.status.server().url == url
    server.stop()
    server.stop()
    assert (server.url, server.running) == ("", False)
    assert [event.state for event in heard] == ["listening", "stopped"]
    again = server.start()
    assert httpx.get(f"{again}/health", timeout=60).status_code == 200
    server.stop()


def test_a_taken_port_is_named_with_a_way_out(parts):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        server = ApiServer(parts.services, host="127.0.0.1", port=port)
        with pytest.raises(PortTakenError) as caught:
            server.start()
    assert str(port) in caught.value.message
    assert "--port 0" in caught.value.hint
    assert parts.services.status.server().state == "failed"
    assert any(tile.level == "red" for tile in parts.services.status.health() if tile.id == "server")
    server.stop()


def test_an_address_of_another_machine_is_refused(parts):
    with pytest.raises(ServerStartError):
        ApiServer(parts.services, host="192.0.2.1", port=0).start()


def test_ipv6_loopback_works(parts):
    server = ApiServer(parts.services, host="::1", port=0)
    try:
        assert httpx.get(f"{server.start()}/health", timeout=60).status_code == 200
    finally:
        server.stop()


def test_a_request_that_comes_before_the_application_waits_for_it():
    import asyncio

    release, seen = threading.Event(), []

    def build():
        release.wait(60)

        async def app(scope, receive, send):
            seen.append(scope["type"])

        return app

    deferred = DeferredApp(build)
    deferred.start()

    async def call():
        asyncio.get_running_loop().call_later(0.05, release.set)
        await deferred({"type": "http"}, None, None)

    asyncio.run(call())
    deferred.join()
    assert seen == ["http"]


def test_an_application_that_cannot_be_built_fails_every_request():
    import asyncio

    def build():
        raise ValueError("broken")

    deferred = DeferredApp(build)
    deferred.start()
    deferred.join()
    with pytest.raises(RuntimeError) as caught:
        asyncio.run(deferred({"type": "http"}, None, None))
    assert isinstance(caught.value.__cause__, ValueError)


def test_many_requests_at_once(http, parts):
    parts.services.agents.ensure("caroline")
    failures = []

    def work(number):
        try:
            for step in range(5):
                http.post(
                    "/memory/facts", json={"agent_id": "caroline", "content": f"Fact {number} says {step}."}
                ).raise_for_status()
                admitted(lambda: http.get("/memory/facts?limit=5")).raise_for_status()
        except Exception as error:  # noqa: BLE001 - shown by the assertion
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert http.get("/memory/facts").json()["total"] == 40


def test_many_waiting_imports_do_not_lock_others_out(http, parts, monkeypatch):
    release, waiting = threading.Event(), threading.Semaphore(0)

    def slow(*_args, **_kwargs):
        waiting.release()
        release.wait(60)
        return []

    monkeypatch.setattr(parts.distillation, "distill", slow)
    threads = [threading.Thread(target=lambda: http.post("/memory/distill", json={"agent_id": "a"})) for _ in range(60)]
    for thread in threads:
        thread.start()
    try:
        for _ in threads:
            assert waiting.acquire(timeout=60)
        assert http.get("/agents").status_code == 200
    finally:
        release.set()
        for thread in threads:
            thread.join()


def test_work_has_threads_of_its_own_beside_those_that_short_requests_share():
    async def shared():
        admission, limit = Admission(), current_default_thread_limiter()
        found = []
        with admission.admit("GET", "/memory/facts", object, lambda: True):
            found.append(limit.total_tokens)
            with admission.admit("POST", "/memory/ingest", object, lambda: True):
                found.append(limit.total_tokens)
            found.append(limit.total_tokens)
        return found

    assert anyio.run(shared) == [SHORT_THREADS, SHORT_THREADS + 1, SHORT_THREADS]


def test_a_waiting_answer_does_not_hold_up_others(server, secret, parts, http):
    parts.model.hold = threading.Event()
    asked = {"messages": [{"role": "user", "content": "Hi"}]}
    room = Admission().answers.room
    threads = [threading.Thread(target=lambda: http.post("/v1/chat/completions", json=asked)) for _ in range(room)]
    for thread in threads:
        thread.start()
    deadline = time.monotonic() + 60
    while len(parts.model.requests) < room and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(parts.model.requests) == room
    one_more = http.post("/v1/chat/completions", json=asked)
    assert (one_more.status_code, one_more.json()["error"]["code"]) == (429, "too_many_requests")
    again = http.post("/v1/chat/completions", json=asked | {"seed": 1})
    assert 0 < int(one_more.headers["Retry-After"]) < int(again.headers["Retry-After"])
    assert http.get("/agents").status_code == 200
    parts.model.hold.set()
    for thread in threads:
        thread.join()


class Ticks:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def ticks():
    return Ticks()


@pytest.fixture
def line(ticks):
    return Line("Enough.", least=2, most=20, patience=30.0, pace=2.0, now=ticks)


def serve(line, ticks, seconds, count):
    """Let so many be served, each in so many seconds."""
    for _ in range(count):
        line.enter(object)
        ticks.now += seconds
        line.leave(served=True)


def test_as_many_wait_as_are_served_in_time(line, ticks):
    assert line.room == 15
    serve(line, ticks, 10.0, 30)
    assert line.room == 3
    serve(line, ticks, 0.1, 30)
    assert line.room == 20
    serve(line, ticks, 600.0, 30)
    assert line.room == 2


def fill(line):
    while line.room > line._inside:
        line.enter(object)


def told(line, what, who=None):
    with pytest.raises(TooManyRequestsError) as refused:
        line.enter(lambda: what, who=who)
    return int(refused.value.again)


def test_each_rejected_request_is_told_a_later_time_than_the_one_before(line):
    fill(line)
    seconds = [told(line, number) for number in range(40)]
    assert seconds[:4] == [2, 4, 6, 8]
    assert seconds[-1] == LONGEST


def test_who_comes_again_when_told_is_let_in_before_those_who_come_first(line, ticks):
    fill(line)
    assert told(line, "mine") == 2
    ticks.now += 1.0
    assert told(line, "another's") == 3
    ticks.now += 1.0
    told(line, "another's")
    line.enter(lambda: "mine")
    told(line, "mine")


def test_requests_that_look_alike_have_a_turn_each(line, ticks):
    fill(line)
    assert [told(line, "alike", who) for who in (1, 2)] == [2, 4]
    ticks.now += 2
    line.enter(lambda: "alike", who=1)
    told(line, "alike", 2)
    ticks.now += 2
    told(line, "alike", "another")
    # The second comes on another connection.
    ticks.now += 1
    line.enter(lambda: "alike", who="later")
    told(line, "alike", "one more")


def test_who_comes_too_early_keeps_the_turn(line, ticks):
    fill(line)
    told(line, "before")
    assert told(line, "mine") == 4
    ticks.now += 1
    assert told(line, "mine") == 3
    told(line, "behind")
    ticks.now += 3
    line.enter(lambda: "mine")


def crowd(line, ticks):
    """Let a queue stand for as long as makes a line crowded; leave it full for those in a hurry."""
    serve(line, ticks, 0.02, 50)
    while line.inside < 20:
        line.enter(object)
    ticks.now += STANDING
    line.enter(object)
    ticks.now += STANDING
    line.enter(object)
    while line.inside > line.crowded_room:
        line.leave(served=False)


def hurry(line, what):
    line.enter(lambda: what, hurried=True)


@pytest.fixture
def short(ticks):
    return Line("Enough.", least=16, most=80, patience=2.0, pace=0.02, now=ticks)


def test_what_comes_at_once_is_served_and_what_keeps_coming_is_refused_early(short, ticks):
    crowd(short, ticks)
    assert short.crowded_room == 5
    with pytest.raises(TooManyRequestsError):
        hurry(short, "late")
    short.enter(object)
    ticks.now += CALM + 1
    hurry(short, "late")


def test_no_more_are_read_at_once_than_the_least_while_writers_may_wait(short):
    for _ in range(16):
        hurry(short, object())
    with pytest.raises(TooManyRequestsError):
        hurry(short, "late")
    short.enter(object)


def test_one_alone_is_always_served(short, ticks):
    crowd(short, ticks)
    while short.inside:
        short.leave(served=False)
    hurry(short, "alone")


def test_who_came_in_time_in_vain_is_let_in_sooner_each_time(short, ticks):
    crowd(short, ticks)
    with pytest.raises(TooManyRequestsError):
        hurry(short, "mine")
    for _ in range(3):
        short.enter(object)
    tries = 0
    while True:
        ticks.now += 1.0
        tries += 1
        try:
            hurry(short, "mine")
        except TooManyRequestsError as refused:
            assert refused.again == "1"  # noqa: PT017 -- what it is told each time
        else:
            break
    assert tries == 3


def test_what_is_refused_says_nothing_of_the_pace(line, ticks):
    serve(line, ticks, 10.0, 30)
    for _ in range(100):
        line.enter(object)
        line.leave(served=False)
    assert line.room == 3


@pytest.mark.parametrize(("seconds", "asked"), [("1", 3), ("60", 1), ("", 1)])
def test_our_own_clients_come_again_when_they_were_told_a_few_seconds(seconds, asked):
    headers = {"Retry-After": seconds} if seconds else {}
    answers = [httpx.Response(429, headers=headers), httpx.Response(429, headers=headers), httpx.Response(200)]
    sent = []

    def send():
        sent.append(1)
        return answers[len(sent) - 1]

    assert admitted(send).status_code == (200 if asked == 3 else 429)
    assert len(sent) == asked < TRIES


def test_the_description_says_when_to_come_again(http):
    described = http.get("/openapi.json").json()["paths"]["/memory/search"]["post"]["responses"]["429"]
    assert described["headers"]["Retry-After"]["schema"] == {"type": "integer", "minimum": 1}
