"""``kill -9`` at any moment: what was acknowledged is there after the restart."""

import json
import os
import signal
import threading
import time

import httpx
import pytest

from tests.helpers.server import Server

pytestmark = pytest.mark.e2e
ROUNDS = 20


def test_every_acknowledged_turn_survives_kill_9_in_mid_ingest(home):
    where = home / "memdesk"
    # Words alone: no engine has to start and die in each round.
    (where / "config").mkdir(parents=True)
    (where / "config" / "memory.json").write_text('{"embeddingBackend": "none"}')
    acknowledged: list[str] = []
    before = 0
    for number in range(ROUNDS):
        server = Server(where)
        server.start()
        # What the last kill could have cost; all of it once more at the end.
        _check(server, acknowledged[before:])
        # The first request reads most of the code; what follows is quick enough to be met in its middle.
        server.post("/memory/ingest", _body(f"warm-{number}", "warm up"))
        done = threading.Event()
        writer = threading.Thread(target=_write, args=(server.url, number, acknowledged, done))
        writer.start()
        # Once something was acknowledged; then at another moment of the writing in every round.
        before, deadline = len(acknowledged), time.monotonic() + 60
        while len(acknowledged) == before and time.monotonic() < deadline:
            time.sleep(0.005)
        time.sleep(0.007 * (number % 9))
        server.kill()
        done.set()
        writer.join(60)
        assert not writer.is_alive()
    with Server(where) as server:
        _check(server, acknowledged)
    assert len(acknowledged) >= ROUNDS


def _write(url: str, number: int, acknowledged: list[str], done: threading.Event) -> None:
    from tests.helpers.server import TOKEN

    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {TOKEN}"}, trust_env=False) as http:
        count = 0
        while not done.is_set():
            text = f"statement {number}-{count}"
            try:
                answer = http.post("/memory/ingest", json=_body(f"c-{number}-{count}", text), timeout=60.0)
            except httpx.TransportError:
                return
            if answer.status_code == 200:
                acknowledged.append(text)
            count += 1


def _body(conversation_id: str, text: str) -> dict[str, object]:
    return {
        "agent_id": "tour",
        "conversation_id": conversation_id,
        "turns": [{"user": text, "assistant": "ok"}],
        "skip_extraction": True,
    }


def _check(server: Server, acknowledged: list[str]) -> None:
    for text in acknowledged:
        number = text.removeprefix("statement ")
        page = server.get("/memory/transcript", agent_id="tour", conversation_id=f"c-{number}")
        assert [turn["content"] for turn in page["items"]] == [text, "ok"], text


@pytest.mark.model
@pytest.mark.parametrize("stream", [True, False])
def test_an_engine_killed_in_mid_answer_is_an_error_in_the_apis_shape_and_the_next_request_works(home, stream):
    body = {
        "model": "default",
        "stream": stream,
        "max_tokens": 2000,
        "temperature": 1.5,
        "messages": [{"role": "user", "content": "Write a very long story about the sea, with many chapters."}],
    }
    with Server(home / "memdesk") as server:
        answers: list[httpx.Response] = []
        asking = threading.Thread(target=lambda: answers.append(server.http.post("/v1/chat/completions", json=body)))
        asking.start()
        os.kill(_busy_engine(server), signal.SIGKILL)
        asking.join(120)
        assert not asking.is_alive()
        (answer,) = answers
        if stream and answer.status_code == 200:
            events = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: {")]
            error = json.loads(events[-1])["error"]
        else:
            # A whole answer, or a stream of which nothing had been sent yet.
            assert answer.status_code == 502, answer.text
            error = answer.json()["error"]
        assert error["code"] == "engine_crashed"
        assert error["message"]
        again = server.post("/v1/chat/completions", {**body, "stream": False, "max_tokens": 4})
        assert again["choices"][0]["message"]["content"]


def _busy_engine(server: Server) -> int:
    """Wait until a language model is answering, and return its process id."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        for engine in server.get("/memory/status")["engines"]:
            if engine["kind"] == "llm" and engine["state"] == "busy" and engine["pid"]:
                # Into the middle of its answer.
                time.sleep(1.0)
                return int(engine["pid"])
        time.sleep(0.1)
    raise AssertionError("no engine came to work")
