"""A whole memdesk server in a subprocess, as for a user's program."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import httpx

TOKEN = "a token of the test, long enough to be one"
PASSPHRASE = "a passphrase of the test"
#: Seconds; a busy machine is no failure.
START_SECONDS = 300.0


def environment(**extra: str) -> dict[str, str]:
    """Return the environment of a child: no keyring, no display, secrets by name."""
    return {
        **os.environ,
        "MEMDESK_TEST_TOKEN": TOKEN,
        "MEMDESK_TEST_PASSPHRASE": PASSPHRASE,
        "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        "HF_HUB_OFFLINE": "1",
        "PYTHONWARNINGS": "default",
        **extra,
    }


def memdesk(
    home: Path, *arguments: str, expect: int | None = 0, timeout: float = 600.0
) -> subprocess.CompletedProcess[str]:
    """Run one command of the command line over ``home``."""
    command = [sys.executable, "-m", "memdesk", "--home", str(home), "--passphrase-env", "MEMDESK_TEST_PASSPHRASE"]
    done = subprocess.run(
        [*command, *arguments],
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    if expect is not None:
        assert done.returncode == expect, f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


class Server:
    """``memdesk serve --port 0`` over a home folder.

    A context manager: leaving it ends the process the polite way and checks its exit code. ``tracer`` is a command
    that runs it and becomes it.
    """

    def __init__(self, home: Path, *arguments: str, tracer: Sequence[str] = ()) -> None:
        self.home = home
        self._tracer = tracer
        self._arguments = arguments
        self.url = ""
        self.process: subprocess.Popen[str] | None = None
        self.errors: list[str] = []
        self.lines: list[str] = []
        self.http: httpx.Client | None = None
        self._readers: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self.process is not None:
            code = self.stop()
            if kind is None:
                assert code == 0, self.said()

    def start(self) -> None:
        command = [
            *self._tracer, sys.executable, "-m", "memdesk", "serve", "--home", str(self.home), "--port", "0",
            "--token-env", "MEMDESK_TEST_TOKEN", "--passphrase-env", "MEMDESK_TEST_PASSPHRASE", *self._arguments,
        ]  # fmt: skip
        self.process = subprocess.Popen(
            command,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        ready: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._readers = [
            threading.Thread(target=self._read, args=(self.process.stdout, self.lines, ready), daemon=True),
            threading.Thread(target=self._read, args=(self.process.stderr, self.errors, None), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        try:
            line = ready.get(timeout=START_SECONDS)
        except queue.Empty:
            self.kill()
            raise AssertionError(f"no ready line: {self.said()}") from None
        if not line:
            self.kill()
            raise AssertionError(f"the server ended: {self.said()}")
        event = json.loads(line)
        assert event["event"] == "ready"
        self.url = event["url"]
        self.http = httpx.Client(
            base_url=self.url, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=600.0, trust_env=False
        )

    def stop(self) -> int:
        """SIGTERM, wait, return the exit code."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.terminate()
        return self._ended(60.0)

    def kill(self) -> None:
        """SIGKILL: no chance to tidy up. Engine processes notice and end by themselves."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self._ended(30.0)

    def _ended(self, seconds: float) -> int:
        assert self.process is not None
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
            raise AssertionError(f"it did not end: {self.said()}") from None
        finally:
            if self.http is not None:
                self.http.close()
                self.http = None
        for reader in self._readers:
            reader.join(10)
        for pipe in filter(None, (self.process.stdout, self.process.stderr)):
            pipe.close()
        self.process = None
        return code

    def said(self) -> str:
        """Return what it printed."""
        return "".join([*self.lines, "\n--- stderr\n", *self.errors])

    def post(self, path: str, body: dict[str, Any], status: int = 200, **headers: str) -> Any:
        assert self.http is not None
        answer = self.http.post(path, json=body, headers=headers)
        assert answer.status_code == status, f"{path}: {answer.status_code} {answer.text}\n{self.said()}"
        return answer.json()

    def get(self, path: str, status: int = 200, **query: Any) -> Any:
        assert self.http is not None
        answer = self.http.get(path, params=query)
        assert answer.status_code == status, f"{path}: {answer.status_code} {answer.text}\n{self.said()}"
        return answer.json()

    @staticmethod
    def _read(stream: Any, into: list[str], ready: queue.SimpleQueue[str] | None) -> None:
        for line in stream:
            into.append(line)
            if ready is not None:
                ready.put(line)
        if ready is not None:
            ready.put("")
