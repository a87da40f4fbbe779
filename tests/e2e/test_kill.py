"""``kill -9`` at any moment: what was acknowledged is there after the restart."""

import threading
import time

import httpx
import pytest

from tests.helpers.server import Server

pytestmark = pytest.mark.e2e
ROUNDS = 20


def test_every_acknowledged_turn_survives_kill_9_in_mid_ingest(home):
    where = home / "memdesk"
    acknowledged: list[str] = []
    for number in range(ROUNDS):
        server = Server(where)
        server.start()
        _check(server, acknowledged)
        # The first request reads most of the code; what follows is quick enough to be met in its middle.
        server.post("/memory/ingest", _body(f"warm-{number}", "warm up"))
        done = threading.Event()
        writer = threading.Thread(target=_write, args=(server.url, number, acknowledged, done))
        writer.start()
        # Another moment of the writing in every round.
        time.sleep(0.05 + 0.03 * (number % 7))
        server.kill()
        done.set()
        writer.join(30)
        assert not writer.is_alive()
    with Server(where) as server:
        _check(server, acknowledged)
    assert len(acknowledged) > ROUNDS


def _write(url: str, number: int, acknowledged: list[str], done: threading.Event) -> None:
    from tests.helpers.server import TOKEN

    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {TOKEN}"}, trust_env=False) as http:
        count = 0
        while not done.is_set():
            text = f"statement {number}-{count}"
            try:
                answer = http.post("/memory/ingest", json=_body(f"c-{number}-{count}", text), timeout=10.0)
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
