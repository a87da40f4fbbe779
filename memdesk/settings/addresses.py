"""Which addresses are on this machine, and whom the others are believed by."""

import ipaddress
import ssl
from functools import cache
from urllib.parse import urlsplit


def is_local(address: str) -> bool:
    """Whether a server is on this machine: it is reached through no proxy, and what it is given does not leave."""
    try:
        name = urlsplit(address).hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


@cache
def certificates() -> ssl.SSLContext:
    """Return the authorities that servers are believed by, for ``verify`` of every client of httpx: reading them takes 14 ms."""
    import httpx

    return httpx.create_ssl_context()
