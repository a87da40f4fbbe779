"""One error shape for every status, in OpenAI's terms, without a traceback or the user's words."""

from __future__ import annotations

import json
import re

import openai
import pytest

from memdesk.api.answers import ANSWERS
from memdesk.errors import (
    BadRequestError,
    ConflictError,
    EngineTimeoutError,
    EnvironmentFault,
    LockedError,
    ModelMissingError,
    NotFoundError,
)


def shape(answer):
    assert answer.headers["Content-Type"] == "application/json"
    body = answer.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"message", "type", "code", "hint"}
    assert body["error"]["message"]
    return body["error"]


@pytest.mark.parametrize(
    ("raised", "status", "type_"),
    [
        (BadRequestError("no"), 400, "invalid_request_error"),
        (NotFoundError("no"), 404, "not_found_error"),
        (ConflictError("no"), 409, "conflict_error"),
        (ModelMissingError("no"), 409, "conflict_error"),
        (LockedError("no"), 423, "locked_error"),
        (EnvironmentFault("no"), 503, "server_error"),
        (EngineTimeoutError("no"), 504, "server_error"),
    ],
)
def test_our_errors_keep_their_code_and_hint(http, parts, monkeypatch, caplog, raised, status, type_):
    def fail(*_args, **_kwargs):
        raise raised

    monkeypatch.setattr(parts.recall, "search", fail)
    answer = http.post("/memory/search", json={"agent_id": "a", "query": "x"})
    error = shape(answer)
    assert (answer.status_code, error["type"], error["code"]) == (status, type_, raised.code)
    assert error["hint"] == raised.hint
    caplog.clear()


def test_a_bug_of_ours_is_a_500_without_a_traceback(http, parts, monkeypatch, caplog):
    def fail(*_args, **_kwargs):
        raise ZeroDivisionError("the user's words")

    monkeypatch.setattr(parts.recall, "search", fail)
    answer = http.post("/memory/search", json={"agent_id": "a", "query": "x"})
    error = shape(answer)
    assert (answer.status_code, error["code"], error["type"]) == (500, "internal_error", "server_error")
    assert "words" not in answer.text
    assert "Traceback" not in answer.text
    caplog.clear()


def test_404_and_405(http):
    assert shape(http.get("/nothing/here"))["code"] == "not_found"
    answer = http.delete("/memory/search")
    assert (answer.status_code, shape(answer)["code"]) == (405, "method_not_allowed")
    assert answer.headers["Allow"] == "POST"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"agent_id": "a"}, "query"),
        ({"agent_id": "a", "query": "x", "limit": 0}, "limit"),
        ({"agent_id": "a", "query": "x", "scop": "all"}, "scop"),
        ({"agent_id": "a", "query": "x", "scope": "everything"}, "scope"),
    ],
)
def test_422_names_the_field_and_not_its_value(http, body, says):
    answer = http.post("/memory/search", json=body)
    assert answer.status_code == 422
    error = shape(answer)
    assert error["code"] == "invalid_request"
    assert says in error["message"]
    assert "everything" not in error["message"]


def test_invalid_json_says_so(http):
    answer = http.post("/memory/search", content=b"{nope", headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert "not valid JSON" in shape(answer)["message"]


def test_bad_cursor_and_missing_agent_are_400(http):
    assert shape(http.post("/memory/search", json={"query": "x"}))["code"] == "bad_request"
    assert http.get("/memory/facts?cursor=nonsense").status_code == 400


@pytest.mark.parametrize(
    ("make", "status", "kind"),
    [
        (lambda: BadRequestError("no"), 400, openai.BadRequestError),
        (lambda: LockedError("no"), 423, openai.APIStatusError),
        (lambda: EngineTimeoutError("no"), 504, openai.InternalServerError),
    ],
)
def test_the_openai_client_reads_our_errors(ai, parts, make, status, kind, caplog):
    raised = make()
    parts.model.queue(raised)
    with pytest.raises(kind) as caught:
        ai.chat.completions.create(model="default", messages=[{"role": "user", "content": "x"}])
    assert (caught.value.status_code, caught.value.code) == (status, raised.code)
    assert caught.value.body["hint"] == raised.hint
    caplog.clear()


def test_a_wrong_key_is_openais_authentication_error(server):
    with (
        openai.OpenAI(base_url=f"{server.url}/v1", api_key="wrong", max_retries=0) as client,
        pytest.raises(openai.AuthenticationError),
    ):
        client.models.list()


def test_docs_and_schema_cover_every_route(http):
    schema = http.get("/openapi.json").json()
    assert schema["info"]["title"] == "memdesk"
    for path in ("/v1/chat/completions", "/memory/ingest", "/memory/receipts/{receipt_id}", "/agents/{agent_id}"):
        assert path in schema["paths"]
    page = http.get("/docs")
    assert page.headers["Content-Type"].startswith("text/html")
    assert "<script" not in page.text
    for path in schema["paths"]:
        assert path in page.text
    json.dumps(schema)
    facts = schema["paths"]["/memory/facts"]["get"]["responses"]
    assert facts["200"]["content"]["application/json"]["schema"]["properties"]["items"]["items"] == {
        "$ref": "#/components/schemas/Fact"
    }
    assert "seq" not in schema["components"]["schemas"]["Fact"]["properties"]
    assert "secret_hash" not in schema["components"]["schemas"]["ApiToken"]["properties"]
    assert "422" not in facts
    assert facts["default"]["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/ErrorBody"}
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(schema)))
    assert named <= set(schema["components"]["schemas"])
    routes = {f"{method.upper()} {path}" for path, methods in schema["paths"].items() for method in methods}
    assert set(ANSWERS) == routes
