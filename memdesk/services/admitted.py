"""Asks a server again that told when to come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import httpx

#: Times that a request comes again, and the longest that it is waited for, in seconds.
TRIES: Final = 12
LONGEST: Final = 5.0


def admitted(send: Callable[[], httpx.Response]) -> httpx.Response:
    """Send a request, again after a 429 that names a few seconds; return the last answer."""
    for _ in range(TRIES):
        answer = send()
        told = answer.headers.get("Retry-After", "") if answer.status_code == 429 else ""
        if not told.isdecimal() or int(told) > LONGEST:
            return answer
        time.sleep(int(told))
    return send()
