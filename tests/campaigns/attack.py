"""Attacks every route of the whole app over HTTP: ``python -m tests.campaigns.attack``.

Two agents get one memory each. Then: the ids of one with a token of the other; no token, a wrong one, a foreign host and
a foreign web page; malformed bodies. A failure is an answer that distinguishes an existing id from an unknown one, a word
of the other agent, a success without permission, an internal error (5xx), or a refusal without an explanation.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx

from memdesk.bootstrap.throwaway import throwaway
from memdesk.services.guarding.tokens import ALL_SCOPES
from tests.campaigns.report import Report, options
from tests.campaigns.telling import tell
from tests.helpers.routes import OPEN, Call, address, described, refusals, variants

SECRET = "Zanzibar"
JSON = {"Content-Type": "application/json"}
HOSTILE: dict[str, tuple[bytes, dict[str, str]]] = {
    "nested deeply": (b'{"query": ' + b"[" * 5000 + b"]" * 5000 + b"}", JSON),
    "not a number": (b'{"limit": NaN, "query": Infinity}', JSON),
    "lone surrogate": (b'{"query": "\\ud800", "agent_id": "\\udfff", "content": "\\ud800"}', JSON),
    "broken bytes": (b"\xff\xfe{", JSON),
    "cut off": (b'{"query": "', JSON),
    "a list": (b"[1, 2]", JSON),
    "empty": (b"", JSON),
    "endless digits": (b'{"limit": ' + b"9" * 10_000 + b"}", JSON),
    "a form": (b"query=x", {"Content-Type": "application/x-www-form-urlencoded"}),
    "text that is JSON": (b"{}", {"Content-Type": "text/plain"}),
}
STRANGERS: dict[str, dict[str, str]] = {
    "no token": {"Authorization": ""},
    "a wrong token": {"Authorization": "Bearer mdk_wrong"},
    "another scheme": {"Authorization": "Basic bWU6bWU="},
    "a rebound host": {"Host": "evil.example"},
    "a web page": {"Origin": "https://evil.example"},
    "a sandboxed page": {"Origin": "null"},
}
Attempt = Callable[[], tuple[str, str]]


class Attacker:
    """Makes attempts, each of which returns its outcome and what is wrong.

    Args:
        whole: a client with every right.
        bound: one whose token is of Caroline alone.
    """

    def __init__(self, whole: httpx.Client, bound: httpx.Client) -> None:
        self._whole, self._bound = whole, bound
        self._theirs = self._told("melanie", f"I hid the key in {SECRET}. My sister Ada lives in {SECRET}.")
        self._told("caroline", "I paint on Sundays.")
        self._nobody = dict.fromkeys(self._theirs, "unknown")
        self._calls, self._schemas = described(whole)

    def attempts(self) -> Iterator[Attempt]:
        """Yield every attempt there is."""
        for call in self._calls:
            pairs = zip(
                variants(call, self._theirs, self._schemas), variants(call, self._nobody, self._schemas), strict=True
            )
            for theirs, nothing in pairs:
                yield lambda call=call, theirs=theirs, nothing=nothing: self._reach(call, theirs, nothing)
            if call.name not in OPEN:
                for name, headers in STRANGERS.items():
                    yield lambda call=call, name=name, headers=headers: self._strange(call, name, headers)
            if "requestBody" in call.operation:
                for name in HOSTILE:
                    yield lambda call=call, name=name: self._hostile(call, name)

    def kept(self) -> list[str]:
        """Return the other agent's items, as they read."""
        answer = self._whole.get("/memory/items", params={"agent_id": "melanie", "limit": 200})
        return [item["content"] for item in answer.raise_for_status().json()["items"]]

    def _told(self, agent: str, text: str) -> dict[str, str]:
        """Tell an agent something; return the ids of what it keeps then, by kind."""
        place = {"agent_id": agent, "conversation_id": f"{agent}-1"}
        turns = [{"user": text, "assistant": "Ok."}]
        tell(self._whole, place | {"turns": turns}).raise_for_status()
        receipt = self._whole.post("/memory/context", json={"agent_id": agent, "query": text}).raise_for_status().json()
        ids = {"agent": agent, "conversation": f"{agent}-1", "receipt": receipt["id"]}
        for kind, path in {"fact": "/memory/facts", "episode": "/memory/episodes"}.items():
            ids[kind] = self._whole.get(path, params={"agent_id": agent}).raise_for_status().json()["items"][0]["id"]
        fact = self._whole.get(f"/memory/facts/{ids['fact']}").raise_for_status().json()
        return ids | {"item": ids["fact"], "turn": fact["sources"][0]["turn_id"]}

    def _reach(self, call: Call, theirs: dict[str, Any], nothing: dict[str, Any]) -> tuple[str, str]:
        answer = self._bound.request(call.method, address(call, self._theirs), **theirs)
        empty = self._bound.request(call.method, address(call, self._nobody), **nothing)
        wrong = ""
        if (answer.status_code, answer.text) != (empty.status_code, empty.text):
            wrong = f"tells it from an unknown one: {answer.text[:150]} / {empty.text[:150]}"
        elif SECRET in answer.text or (answer.status_code not in refusals(call, theirs) and call.name not in OPEN):
            wrong = f"answers {answer.status_code}: {answer.text[:150]}"
        return f"another agent's id: {answer.status_code}", f"{call.name} {theirs}: {wrong}" if wrong else ""

    def _strange(self, call: Call, name: str, headers: dict[str, str]) -> tuple[str, str]:
        body = {"json": {}} if "requestBody" in call.operation else {}
        answer = self._whole.request(call.method, address(call, {}), headers=headers, **body)
        wrong = (
            "" if answer.status_code in {401, 403} and _words(answer) else f"{answer.status_code} {answer.text[:150]}"
        )
        return f"{name}: {answer.status_code}", f"{call.name} with {name}: {wrong}" if wrong else ""

    def _hostile(self, call: Call, name: str) -> tuple[str, str]:
        body, headers = HOSTILE[name]
        answer = self._whole.request(call.method, address(call, {}), content=body, headers=headers)
        fine = answer.status_code < 400 or (answer.status_code < 500 and _words(answer))
        return (
            f"a body, {name}: {answer.status_code}",
            "" if fine else f"{call.name} with a body, {name}: {answer.status_code} {answer.text[:150]}",
        )


def _words(answer: httpx.Response) -> str:
    try:
        error = answer.json()["error"]
        return error if isinstance(error, str) else error["message"]
    except (ValueError, KeyError, TypeError):
        return ""


def campaign(most: int, seed: int, folder: Path) -> Report:
    """Make so many of the attempts, chosen by the seed."""
    report = Report("attack")
    with throwaway(folder, embedder=lambda: None) as app:
        app.services.settings.update("memory", {"extraction_mode": "rules"})
        url = app.start_server(host="127.0.0.1", port=0)
        app.services.agents.ensure("caroline")
        _, secret = app.services.tokens.create("bound", ALL_SCOPES, ["caroline"])
        whole, bound = (
            httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, trust_env=False, timeout=120)
            for token in (app.token, secret)
        )
        with whole, bound:
            attacker = Attacker(whole, bound)
            attempts, before = list(attacker.attempts()), attacker.kept()
            for attempt in random.Random(seed).sample(attempts, min(most, len(attempts))):
                report.case(*attempt())
            if attacker.kept() != before:
                report.failures.append(f"the other agent's memory changed from {before} to {attacker.kept()}")
    return report


if __name__ == "__main__":
    given = options(cases=100_000, seed=1)
    with tempfile.TemporaryDirectory() as scratch:
        sys.exit(campaign(given.cases, given.seed, Path(scratch)).tell())
