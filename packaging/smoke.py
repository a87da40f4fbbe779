"""Tries a built memdesk as a user's first minutes would: serve, tell, distill, ask, chat, look for faults, open the window.

    python packaging/smoke.py dist/memdesk/memdesk

Standard library only. Prints one line a step; the exit code is 1 when a step fails. Everything happens in a
throw-away folder.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TOKEN = "the token of the smoke test"  # noqa: S105 -- of a server that lives for a minute
SECRETS = {"SMOKE_TOKEN": TOKEN, "SMOKE_PASSPHRASE": "the passphrase of the smoke test"}
SESSION = {
    "agent_id": "smoke",
    "conversation_id": "monday",
    "session_date": "2024-05-06T18:00:00+00:00",
    "turns": [{"user": "My sister Philippa keeps bees in Lisbon.", "assistant": "How lovely!"}],
    "wait": True,
}
CHAT = {
    "model": "default",
    "max_tokens": 16,
    "messages": [{"role": "user", "content": "What does my sister Philippa keep?"}],
}
#: Seconds for one step; loading libraries from a cold disk is slow.
PATIENCE = 180.0


class StepError(Exception):
    """A step did not do what it should."""


def need(truth: object, words: str) -> None:
    """Raise when something that must hold does not.

    Raises:
        StepError: it does not hold.
    """
    if not truth:
        raise StepError(words)


def call(url: str, path: str, body: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, str]]:
    """Send one request to the server and return its JSON and headers."""
    request = urllib.request.Request(  # noqa: S310 -- the URL is the one our server printed
        url + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {TOKEN}",
            "Content-Type": "application/json",
            "X-Memdesk-Agent-Id": "smoke",
        },
    )
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 -- as above
        return json.loads(answer.read()), {key.lower(): value for key, value in answer.headers.items()}


@contextlib.contextmanager
def running(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    """A process that is asked to end afterwards, and must end well."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    except BaseException:
        process.kill()
        raise
    process.terminate()
    code = process.wait(timeout=PATIENCE)
    # Windows knows no polite request to end a process without a console: terminate() is always 1 there.
    need(code == 0 or os.name == "nt", f"{' '.join(command)} ended with exit code {code}")


def server_steps(program: list[str], environment: dict[str, str]) -> Iterator[str]:
    """Start the server and use it; yield a line for each step done."""
    serve = [*program, "--passphrase-env", "SMOKE_PASSPHRASE", "serve", "--port", "0", "--token-env", "SMOKE_TOKEN"]
    with running(serve, environment) as process:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline() or "{}")
        need(ready.get("event") == "ready", "the server printed no ready line")
        yield f"serves at {ready['url']}"
        told, _ = call(ready["url"], "/memory/ingest", SESSION)
        need(told["distillation"] == "distilled" and told["facts"] >= 1, f"not distilled: {told}")
        yield f"distilled {told['facts']} fact(s) with the bundled model"
        question = {"agent_id": "smoke", "query": CHAT["messages"][0]["content"]}
        found, _ = call(ready["url"], "/memory/context", question)
        need("bees" in found["block"], f"not remembered: {found}")
        yield f"remembers, in {found['tokens']} tokens"
        answer, headers = call(ready["url"], "/v1/chat/completions", CHAT)
        need(answer["choices"][0]["message"]["content"], "the model said nothing")
        need(int(headers.get("x-memdesk-memory-tokens", "0")) > 0, "the chat was given no memory")
        yield "chats with its memory"
    yield "ends when asked to"


def doctor_steps(program: list[str], environment: dict[str, str]) -> Iterator[str]:
    """Let it check itself: its libraries, the vault, the models, and a sentence parsed."""
    command = [*program, "--passphrase-env", "SMOKE_PASSPHRASE", "--json", "doctor"]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE, check=False
    )
    found = json.loads(done.stdout or "[]")
    failed = [f"{check['name']}: {check['message']}" for check in found if check["state"] == "fail"]
    need(found and not failed and done.returncode == 0, f"the doctor ended with {done.returncode}: {failed}")
    yield f"finds itself whole in {len(found)} checks"


def window_steps(program: list[str], environment: dict[str, str]) -> Iterator[str]:
    """Open the window for a few seconds."""
    with running([*program, "gui"], {**environment, "QT_QPA_PLATFORM": "offscreen"}) as process:
        deadline = time.monotonic() + 8.0
        while time.monotonic() < deadline:
            need(process.poll() is None, f"the window ended by itself with exit code {process.returncode}")
            time.sleep(0.2)
    yield "opens its window and closes it when asked to"


def main(argv: list[str]) -> int:
    """Try the program named on the command line."""
    # Finds memdesk.exe by the name memdesk, too.
    found = shutil.which(argv[0]) if len(argv) == 1 else None
    if found is None:
        print(__doc__)
        return 2
    # Under a systemd scope or on a fresh machine there may be no keyring: secrets come by environment.
    environment = {**os.environ, **SECRETS, "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    with tempfile.TemporaryDirectory() as home:
        program = [str(Path(found).resolve()), "--home", home]
        try:
            for steps in (server_steps, doctor_steps, window_steps):
                for line in steps(program, environment):
                    print(f"ok      {line}", flush=True)
        except (StepError, OSError, subprocess.TimeoutExpired) as error:
            print(f"FAILED  {error}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
