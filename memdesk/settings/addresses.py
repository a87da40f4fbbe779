"""Which addresses are on this machine."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def is_local(address: str) -> bool:
    """Whether a server is on this machine: it is reached through no proxy, and what it is given does not leave."""
    try:
        name = urlsplit(address).hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
