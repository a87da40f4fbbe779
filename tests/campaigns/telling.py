"""Tells a memory something over HTTP, and waits until it was read."""

from __future__ import annotations

from typing import Any

import httpx

#: Times that a session is sent: on a busy machine a reading may take longer than a request waits for it.
MOST_TIMES = 20


def tell(http: httpx.Client, session: dict[str, Any]) -> httpx.Response:
    """Record a session, again while it is still being read; return the last answer."""
    answer = http.post("/memory/ingest", json=session)
    for _ in range(MOST_TIMES):
        if answer.status_code != httpx.codes.OK or answer.json()["distillation"] != "skipped:deferred":
            break
        answer = http.post("/memory/ingest", json=session)
    return answer
