"""Which addresses are on this machine, and which certificate authorities vouch for others."""

import ipaddress
import ssl
from functools import cache
from urllib.parse import urlsplit


def is_local(address: str) -> bool:
    """Whether a server is on this machine: it is reached without a proxy, and data sent to it does not leave."""
    try:
        name = urlsplit(address).hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


@cache
def certificates() -> ssl.SSLContext:
    """Return the trusted certificate authorities, for ``verify`` of all httpx clients; reading them takes 14 ms."""
    import httpx

    return httpx.create_ssl_context()
