import json

import httpx
import pytest

from memdesk.cli.client import AnsweredError, Client, UnreachableError
from memdesk.cli.exits import Exit, exit_for


def client_for(handler):
    return Client("http://127.0.0.1:1", "secret", httpx.Client(transport=httpx.MockTransport(handler)))


def test_requests_carry_the_token_and_leave_out_what_is_none():
    seen = []

    def handler(request):
        seen.append(request)
        return httpx.Response(200, json={"ok": True})

    with client_for(handler) as client:
        assert client.get("/x", a=1, b=None) == {"ok": True}
    assert seen[0].headers["authorization"] == "Bearer secret"
    assert dict(seen[0].url.params) == {"a": "1"}


@pytest.mark.parametrize(
    ("status", "code", "exit_code"),
    [
        (404, "not_found", Exit.NOT_FOUND),
        (423, "locked", Exit.LOCKED),
        (409, "model_missing", Exit.MODEL),
        (409, "conflict", Exit.CONFLICT),
        (502, "engine_crashed", Exit.MODEL),
        (500, "internal_error", Exit.FAILED),
    ],
)
def test_an_answered_error_keeps_its_words_and_means_an_exit_code(status, code, exit_code):
    body = {"error": {"message": "no", "code": code, "hint": "do this"}}
    with client_for(lambda _: httpx.Response(status, json=body)) as client, pytest.raises(AnsweredError) as raised:
        client.post("/x", {})
    assert (raised.value.message, raised.value.hint, raised.value.code) == ("no", "do this", code)
    assert exit_for(raised.value) == exit_code


def test_an_answer_that_is_no_json_is_still_an_error():
    with client_for(lambda _: httpx.Response(500, text="<html>")) as client, pytest.raises(AnsweredError, match="500"):
        client.get("/x")


def test_no_answer_at_all():
    def handler(_request):
        raise httpx.ConnectError("refused")

    with client_for(handler) as client, pytest.raises(UnreachableError):
        client.get("/x")


def test_events_are_read_line_by_line_and_an_error_among_them_is_raised():
    lines = [{"event": "progress", "done": 1}, {"error": {"message": "broke", "code": "c"}}]
    content = "\n\n".join(json.dumps(line) for line in lines)
    with client_for(lambda _: httpx.Response(200, text=content)) as client:
        events = client.events("/x", {})
        assert next(events) == lines[0]
        with pytest.raises(AnsweredError, match="broke"):
            next(events)


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("GET /agents lists them.", "“memdesk agents list” lists them."),
        ("GET /memory/identity lists them.", ""),
        ("Answer yes.", "Answer yes."),
    ],
)
def test_a_hint_names_the_command_and_never_an_address(told, shown):
    assert AnsweredError(404, {"message": "no", "hint": told}).hint == shown
