"""The upstream server, if memdesk is a proxy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from memdesk.errors import BadRequestError
from memdesk.settings.addresses import certificates, is_local

if TYPE_CHECKING:
    import httpx

CONNECT_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Upstream:
    """The upstream server: its base URL, up to and including ``/v1``, and its key, if it needs one."""

    url: str
    key: str = field(default="", repr=False)

    @classmethod
    def of(cls, url: str, key: str = "") -> Upstream:
        """Return the server at a URL.

        Raises:
            BadRequestError: it is not an http or https URL.
        """
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise BadRequestError(f"{url} is not a server's address.", hint="For example http://127.0.0.1:11434/v1.")
        return cls(url.rstrip("/"), key)

    @property
    def on_this_machine(self) -> bool:
        """Whether it runs on this machine."""
        return is_local(self.url)

    def address(self, path: str) -> str:
        """Return the server's URL for a path below ``/v1``, or beside that below ``/api``."""
        if path.startswith("/v1/"):
            return self.url + path.removeprefix("/v1")
        return self.url.removesuffix("/v1") + path

    def client(self) -> httpx.AsyncClient:
        """Return a client; a server on this machine is never reached through a proxy."""
        import httpx

        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        timeout = httpx.Timeout(None, connect=CONNECT_SECONDS)
        return httpx.AsyncClient(
            headers=headers, timeout=timeout, trust_env=not self.on_this_machine, verify=certificates()
        )
