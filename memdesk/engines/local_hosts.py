"""Which addresses are on this machine."""

from __future__ import annotations

from urllib.parse import urlsplit


def is_local(address: str) -> bool:
    """Whether a server is on this machine; its address then never goes through a proxy."""
    return urlsplit(address).hostname in {"127.0.0.1", "localhost", "::1"}
