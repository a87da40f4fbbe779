"""Several ``memdesk serve --store`` on one PostgreSQL, each a process that can be killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import httpx

SECRETS = {"acme": "mdk-acme-secret-of-the-tests", "umbra": "mdk-umbra-secret-of-the-tests"}


class Server:
    """One process; ``tenant`` says whose token it admits."""

    def __init__(self, store: str, tenant: str = "acme") -> None:
        command = [sys.executable, "-m", "memdesk", "serve", "--store-env", "MEMDESK_TEST_STORE", "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--token-env", "MEMDESK_TEST_SECRET", "--tenant", tenant],
            env={**os.environ, "MEMDESK_TEST_STORE": store, "MEMDESK_TEST_SECRET": SECRETS[tenant]},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"it ended with {self.process.wait(60)}"
        self.url = json.loads(line)["url"]

    def client(self, tenant: str = "acme") -> httpx.Client:
        """Return a client with a tenant's token."""
        headers = {"Authorization": f"Bearer {SECRETS[tenant]}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=120, trust_env=False)

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.kill()
        self._gone()

    def close(self) -> int:
        """Ask it to end; return its exit code."""
        self.process.terminate()
        return self._gone()

    def _gone(self) -> int:
        code = self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


def memories(client: httpx.Client, user: str) -> list[str]:
    """Return the texts that are kept of a user."""
    found, page = [], 1
    while page:
        answer = client.post(
            "/v3/memories/", params={"page": page, "page_size": 1000}, json={"filters": {"user_id": user}}
        )
        answer.raise_for_status()
        found += [one["memory"] for one in answer.json()["results"]]
        page = page + 1 if answer.json()["next"] else 0
    return sorted(found)
