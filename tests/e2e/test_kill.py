"""``kill -9`` of an engine; ``tests/campaigns/kills.py`` kills the server itself during any work."""

import json
import os
import signal
import threading
import time

import httpx
import pytest

from tests.helpers.server import Server

pytestmark = pytest.mark.e2e


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
                return int(engine["pid"])
        time.sleep(0.1)
    raise AssertionError("no engine came to work")
