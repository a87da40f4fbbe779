"""Locking during an answer: its stream ends properly, and says why."""

from __future__ import annotations

import json

import httpx
import pytest

from memdesk.errors import CancelledError
from memdesk.services.chatting import Delta


@pytest.fixture
def locks_while_it_answers(parts):
    """Lock after the first words, and let the engine go as its unloading does."""
    complete = parts.services.chat.clients.complete

    def answer(request, *, cancel):
        for event in complete(request, cancel=cancel):
            yield event
            if isinstance(event, Delta):
                parts.services.vault.lock()
                raise CancelledError("The engine was unloaded.")

    parts.services.chat.clients.complete = answer


@pytest.mark.usefixtures("locks_while_it_answers")
def test_a_stream_ends_with_a_lock_in_order(server, secret):
    body = {"messages": [{"role": "user", "content": "Count"}], "stream": True}
    headers = {"Authorization": f"Bearer {secret}"}
    with httpx.stream("POST", f"{server.url}/v1/chat/completions", json=body, headers=headers, timeout=60) as answer:
        events = [line.removeprefix("data: ") for line in answer.iter_lines() if line]
    assert events[-1] == "[DONE]"
    assert json.loads(events[-2])["error"]["code"] == "locked"


@pytest.mark.usefixtures("locks_while_it_answers")
def test_an_answer_in_one_piece_is_refused_as_locked(http):
    answer = http.post("/v1/chat/completions", json={"messages": [{"role": "user", "content": "Count"}]})
    assert (answer.status_code, answer.json()["error"]["type"]) == (423, "locked_error")
