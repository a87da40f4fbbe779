"""Calls every route with valid and invalid input by its description: ``python -m tests.campaigns.api``.

A finding is an internal error (500), an error of another shape, a success whose status or body contradicts the
description, a valid call that the server rejects as malformed, or an invalid one that it accepts.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx
from jsonschema import Draft202012Validator

from memdesk.bootstrap.throwaway import throwaway
from tests.campaigns.report import Report, options
from tests.helpers.openai_server import openai_server
from tests.helpers.routes import Answers

#: Not called: they end the campaign's own right to call, or open a window.
LEFT_OUT = {"DELETE /memory/tokens/{token_id}"}
TEXTS = (
    "", " ", "x", "Ada keeps bees.", "x" * 300, "\0", "\ud800", "😀", "../..", "/proc", "a/b", "%", "_", '"', "NULL", "-1",
    "9999-12-31T23:59:59-12:00", "0001-01-01", "2024-02-30", "default", "caroline", "*", "\u202e", "ß" * 100,
)  # fmt: skip
NUMBERS = (0, 1, -1, 2**31, 2**63, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308)
#: Values of every type; one of them takes the place of what the description asks for.
OTHERS = (None, True, 0, "", [], {}, [{}], {"a": {"b": []}}, "x", 1.5, [None], ["x"] * 50)


class Caller:
    """Makes calls from the description, some as it says and some not."""

    def __init__(self, http: httpx.Client, seed: int) -> None:
        self._http = http
        self._random = random.Random(seed)
        self._described = http.get("/openapi.json").json()
        self._components = self._described["components"]
        self._schemas = self._components["schemas"]
        self._answers = Answers(self._described)
        #: Ids of what the server has told of, so that not every address leads nowhere.
        self._ids: list[str] = []
        self._validators: dict[str, Draft202012Validator] = {}
        self.operations = [
            (method.upper(), path, operation)
            for path, methods in self._described["paths"].items()
            for method, operation in methods.items()
            if f"{method.upper()} {path}" not in LEFT_OUT
        ]

    def value(self, schema: dict[str, Any], depth: int = 0) -> Any:
        """Return a value that a schema allows, as far as its keywords are understood here."""
        pick = self._random
        while "$ref" in schema:
            schema = self._schemas[schema["$ref"].rpartition("/")[2]]
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return pick.choice(schema["enum"])
        if "anyOf" in schema:
            return self.value(pick.choice(schema["anyOf"]), depth)
        kind = schema.get("type")
        if kind == "object":
            properties, required = schema.get("properties", {}), set(schema.get("required", ()))
            chosen = [name for name in properties if name in required or (depth < 3 and pick.random() < 0.5)]
            return {name: self.value(properties[name], depth + 1) for name in chosen}
        if kind == "array":
            least, most = schema.get("minItems", 0), min(schema.get("maxItems", 3), 3)
            return [
                self.value(schema.get("items", {}), depth + 1) for _ in range(pick.randint(least, max(least, most)))
            ]
        if kind in {"integer", "number"}:
            low, high = schema.get("minimum", -5), schema.get("maximum", 50)
            return (
                pick.randint(int(low), int(max(low, high))) if kind == "integer" else pick.uniform(low, max(low, high))
            )
        if kind == "boolean":
            return pick.random() < 0.5
        if kind == "null":
            return None
        if schema.get("format") == "date-time":
            return pick.choice(("2024-05-01T12:00:00Z", "2030-01-01T00:00:00+02:00", "1999-12-31T23:59:59.999"))
        if kind == "string":
            texts = [*TEXTS, *schema.get("examples", ())]
            text = pick.choice([text for text in texts if _fits(text, schema)])
            return (text * (2 if "pattern" not in schema and pick.random() < 0.1 else 1))[
                : schema.get("maxLength", 1000)
            ]
        return pick.choice(OTHERS)

    def spoilt(self, value: Any) -> Any:
        """Return a value with one of its parts replaced by something of another type or size."""
        pick = self._random
        if isinstance(value, dict) and value and pick.random() < 0.8:
            name = pick.choice(sorted(value))
            return value | {name: self.spoilt(value[name])}
        if isinstance(value, list) and value and pick.random() < 0.5:
            return [*value[:-1], self.spoilt(value[-1])]
        return pick.choice((*OTHERS, *TEXTS, *NUMBERS))

    def wrong(self, value: Any, schema: dict[str, Any]) -> str:
        """Return what of a value a schema does not allow, and where; nothing where it allows it."""
        key = json.dumps(schema, sort_keys=True)
        if key not in self._validators:
            self._validators[key] = Draft202012Validator({**schema, "components": self._components})
        found = next(self._validators[key].iter_errors(value), None)
        return f"{'.'.join(map(str, found.absolute_path))}: {found.message[:200]}" if found else ""

    def _compared(self, answer: httpx.Response, operation: dict[str, Any], *, honest: bool, forbidden: bool) -> str:
        """Return where an answer and the description part; nothing where they agree."""
        if answer.status_code >= 400:
            return f"allowed, and malformed: {answer.text[:300]}" if honest and answer.status_code == 422 else ""
        if forbidden:
            return f"forbidden, and answered {answer.status_code}"
        wrong = self._answers.wrong(answer, operation)
        return f"answered otherwise than described: {wrong}" if wrong else ""

    def _id(self) -> str:
        known = [*self._ids[-30:], "default", "caroline", "x"]
        return (
            self._random.choice(("x", "%00", "%2E%2E", "a%2Fb"))
            if self._random.random() < 0.2
            else self._random.choice(known)
        )

    def _learn(self, answer: httpx.Response) -> None:
        if answer.is_success and answer.headers.get("content-type", "").startswith("application/json"):
            told = answer.json()
            rows = [told, *told.get("items", ())] if isinstance(told, dict) else told
            self._ids += [row["id"] for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)][:3]

    def call(self, report: Report) -> None:
        """Make one call and look at the answer."""
        pick = self._random
        method, path, operation = pick.choice(self.operations)
        honest = pick.random() < 0.5
        address = re.sub(r"\{[^}]+\}", lambda _: self._id(), path)
        query: dict[str, Any] = {}
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "query" and (parameter.get("required") or pick.random() < 0.4):
                given = self.value(parameter["schema"]) if honest else self.spoilt(self.value(parameter["schema"]))
                if isinstance(given, str | int | float) or (
                    isinstance(given, list) and not any(isinstance(v, list | dict) for v in given)
                ):
                    query[parameter["name"]] = _sendable(given)
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        body = None
        if content is not None:
            body = self.value(content["schema"])
            body = body if honest else self.spoilt(body)
        asked = f"{method} {path}"
        sent = f"query {query}, body {json.dumps(body)[:300]}"
        try:
            answer = self._http.request(
                method,
                address,
                params=query,
                content=None if content is None else json.dumps(body).encode(),
                headers={"Content-Type": "application/json"} if content is not None else {},
            )
        except httpx.HTTPError as error:
            report.case("no answer", f"{asked}: {type(error).__name__} {error}; {sent}")
            return
        self._learn(answer)
        forbidden = content is not None and bool(self.wrong(body, content["schema"]))
        finding = _looked_at(answer) or self._compared(answer, operation, honest=honest, forbidden=forbidden)
        report.case(f"answered {answer.status_code}", f"{asked}: {finding}; {sent}" if finding else "")


def _fits(text: str, schema: dict[str, Any]) -> bool:
    # What a text cannot hold is dropped from it on the way in: NUL counts for nothing.
    return len(text.replace("\0", "")) >= schema.get("minLength", 0) and bool(
        re.search(schema.get("pattern", ""), text)
    )


def _sendable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode().replace("\0", "\x01")
    return [_sendable(each) for each in value] if isinstance(value, list) else value


def _looked_at(answer: httpx.Response) -> str:
    """Return what is wrong with an answer; nothing where it is right."""
    status = answer.status_code
    if status in {500, 501, 502}:
        return f"answered {status}: {answer.text[:200]}"
    if status < 400:
        return ""
    try:
        error = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        return f"answered {status} in another shape: {answer.text[:100]}"
    words = error if isinstance(error, str) else error.get("message")
    return "" if words else f"answered {status} without words"


def campaign(calls: int, seed: int, folder: Path) -> Report:
    """Make a number of calls to a server over a new memory."""
    report = Report("api")
    with openai_server() as model, throwaway(folder, embedder=lambda: None) as app:
        app.services.settings.update("memory", {"extraction_mode": "rules"})
        # What a model answers is not looked at here; a scripted one answers at once.
        servers = [{"name": "lab", "base_url": model.url}]
        app.services.settings.update(
            "engine", {"remote_servers": servers, "chat_model": f"remote:lab/{model.models[0]}"}
        )
        url = app.start_server(host="127.0.0.1", port=0)
        headers = {"Authorization": f"Bearer {app.token}"}
        with httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=120) as http:
            caller = Caller(http, seed)
            for _ in range(calls):
                caller.call(report)
    return report


if __name__ == "__main__":
    chosen = options(calls=20_000, seed=1)
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(campaign(chosen.calls, chosen.seed, Path(scratch)).tell())
