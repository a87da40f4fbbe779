"""Bodies with contents that no text can have, and dates at the ends of the calendar."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

import pytest

from memdesk.api import moments
from memdesk.domain.decoding import cleaned


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/memory/facts", '{"agent_id": "a", "content": "A %s fact", "tags": ["%s"]}'),
        ("PUT", "/agents/a", '{"name": "%s"}'),
        ("POST", "/memory/tokens", '{"name": "%s"}'),
        ("PUT", "/memory/settings", '{"coreModel": "%s"}'),
        ("POST", "/memory/search", '{"agent_id": "a", "query": "%s"}'),
        (
            "POST",
            "/memory/ingest",
            '{"agent_id": "a", "conversation_id": "c", "turns": [{"user": "%s"}], "skip_extraction": true}',
        ),
        (
            "POST",
            "/v1/chat/completions",
            '{"model": "default", "max_tokens": 2, "messages": [{"role": "user", "content": "%s"}]}',
        ),
    ],
)
@pytest.mark.parametrize("half", [r"cut \ud83d", r"\udc1d cut", r"nul \u0000"])
def test_half_an_emoji_is_no_fault_of_ours(http, method, path, body, half):
    answer = http.request(
        method,
        path,
        content=body.replace("%s", half).encode(),
        headers={"Content-Type": "application/json", "X-Memdesk-Agent-Id": "a"},
    )
    assert answer.status_code in {200, 201}, answer.text


def test_texts_are_made_readable_wherever_they_stand():
    assert cleaned({"a\ud83d": ["🐝", "b\0", 1, None, {"c": "é"}]}) == {"a\ufffd": ["🐝", "b ", 1, None, {"c": "é"}]}


@pytest.mark.parametrize("day", ["9999-12-31", "1958-03-01"])
def test_every_day_of_the_calendar_can_be_asked_for(http, day):
    assert http.get("/memory/facts", params={"as_of": day}).status_code == 200


def test_a_day_before_1970_is_read_where_the_system_cannot(monkeypatch):
    """As on Windows; the clock's standard time takes the place."""

    class Old(datetime):
        def astimezone(self, _zone=None):
            raise OSError(22, "Invalid argument")

    monkeypatch.setattr(time, "timezone", -3600)
    assert moments._of_the_user(Old(1958, 3, 1)).utcoffset() == timedelta(hours=1)


@pytest.mark.parametrize("path", ["", "a.backup", "folder/a.backup"])
def test_a_path_is_never_taken_from_the_servers_own_folder(http, path):
    for route in ("/memory/backup", "/memory/import"):
        answer = http.post(route, json={"path": path})
        assert answer.status_code == 422
        assert answer.json()["error"]["message"].startswith("path: give an absolute path")
