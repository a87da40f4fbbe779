"""What addresses are: well formed, on this machine, and vouched for by which certificate authorities."""

from __future__ import annotations

import ipaddress
import re
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import ssl


def is_local(address: str) -> bool:
    """Whether a server is on this machine: it is reached without a proxy, and data sent to it does not leave."""
    try:
        name = urlsplit(address).hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_web_address(text: str) -> bool:
    """Whether ``text`` is ``http://`` or ``https://`` with a host that can be looked up, and a port where it names one."""
    if re.fullmatch(r"https?://[^\s/?#]+(?:[/?#]\S*)?", text, re.IGNORECASE) is None:
        return False
    try:
        parts = urlsplit(text)
        return bool((parts.hostname or "").encode("idna")) and parts.port != 0
    except ValueError:  # a port that is not a number, half a pair of brackets, a name of 300 characters
        return False


def is_server_name(text: str) -> bool:
    """Whether ``text`` may name a remote server: the part before the slash in its models' ids."""
    return bool(text.strip()) and "/" not in text


def is_host(text: str) -> bool:
    """Whether ``text`` may name a machine: a name, or an IPv4 or IPv6 address."""
    return re.fullmatch(r"[\w.-]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*", text, re.ASCII) is not None


@cache
def certificates() -> ssl.SSLContext:
    """Return the trusted certificate authorities, for ``verify`` of all httpx clients; reading them takes 14 ms."""
    import httpx

    return httpx.create_ssl_context()
