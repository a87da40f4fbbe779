"""Who may call: loopback names in ``Host``, known web pages in ``Origin``, a bearer token with its scopes.

Any web page can make a browser send requests to a loopback port. So the name in ``Host`` must be ours (a
rebound DNS name is not), a page's origin must be on the list, a body must have a type that no HTML form can
send, and a token that no page knows must come with every request but ``GET /health``.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import Scope

from memdesk.api.errors import ForbiddenError, UnauthorizedError
from memdesk.domain.models import ApiToken, MemoryMode
from memdesk.errors import BadRequestError, LockedError
from memdesk.messages import say
from memdesk.services.container import Services
from memdesk.services.guarding import PRIVATE, SECRET_PREFIX, TOKENLESS, RowKind, TokensService, new_secret

LOOPBACK_NAMES: Final = frozenset({"127.0.0.1", "localhost", "::1"})
AGENT_HEADERS: Final = ("x-memdesk-agent-id", "x-osaurus-agent-id")
#: "Token" is what mem0's client calls it.
_SCHEMES: Final = frozenset({"bearer", "token"})
#: What programs may do without a token if the user allows it.
TOKENLESS_SCOPES: Final = ("chat", "memory:read", "memory:write")
_CALLER: Final = "memdesk.caller"
#: Kinds of rows by path parameter. Routes with one of these are checked before they run; those with other ids are
#: closed to a token of one agent (``whole``), or name the agent too.
_ROWS: Final[dict[str, RowKind]] = {
    "fact_id": "fact",
    "episode_id": "episode",
    "entity_id": "entity",
    "receipt_id": "receipt",
    "card_id": "card",
    "item_id": "item",
    "test_id": "memory test",
}


class AgentForbiddenError(ForbiddenError):
    """The token is limited to another agent."""

    code = "agent_forbidden"
    default_hint = "This token is limited to one agent. Use its agent, or a token without that limit."


class ScopeForbiddenError(ForbiddenError):
    """The token lacks a scope."""

    code = "insufficient_scope"


class OriginForbiddenError(ForbiddenError):
    """A web page that is not on the list of origins."""

    code = "origin_not_allowed"
    default_hint = "Add the page's origin under Settings, Server, Allowed web origins."


class HostForbiddenError(ForbiddenError):
    """A host name that is not this machine's loopback."""

    code = "host_not_allowed"
    default_hint = "Call it as http://127.0.0.1 or http://localhost."


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessPolicy:
    """Who may call the server.

    Attributes:
        check: returns the token of a secret, or None; ``TokensService.check``.
        recognize: the same without reading the store, None if that is needed.
        allowed_origins: web pages that may call, as ``http://localhost:3000``.
        allowed_hosts: names in ``Host`` besides the loopback ones.
        any_address: also accept an IP address as ``Host`` (the user lets the server listen on a network).
        open_to: the token for requests without one of ours; None refuses them.
    """

    check: Callable[[str], ApiToken | None]
    recognize: Callable[[str], ApiToken | None] = lambda _: None
    allowed_origins: frozenset[str] = frozenset()
    allowed_hosts: frozenset[str] = frozenset()
    any_address: bool = False
    open_to: ApiToken | None = None

    @classmethod
    def of(cls, services: Services, *, host: str | None = None) -> AccessPolicy:
        """Return the policy of the server settings.

        ``host``: the listening address, if it is not that of the settings.
        """
        server = services.settings.current.server
        host = (host or server.host).strip("[]").casefold()
        here = host in LOOPBACK_NAMES
        # Added to the process's tokens, so that it is still valid at the end of long answers.
        opened = server.tokenless and here
        open_to = services.tokens.accept(new_secret(), name=TOKENLESS, scopes=TOKENLESS_SCOPES) if opened else None
        return cls(
            open_to=open_to,
            check=services.tokens.check,
            recognize=services.tokens.recognize,
            allowed_origins=frozenset(origin.rstrip("/").casefold() for origin in server.allowed_origins),
            allowed_hosts=frozenset({host}),
            any_address=not here,
        )

    def check_host(self, host: str | None) -> None:
        """Reject a ``Host`` that is not ours.

        Raises:
            HostForbiddenError: missing, malformed, or a name that is not on the list.
        """
        name = host_name(host or "")
        if name is None or not (name in LOOPBACK_NAMES or name in self.allowed_hosts or self._is_address(name)):
            raise HostForbiddenError("The server does not answer to this host name.")

    def check_origin(self, origin: str | None, host: str | None) -> None:
        """Reject a web page that is not on the list. Programs send no ``Origin``.

        Raises:
            OriginForbiddenError: a page of another origin, including sandboxed ones and files.
        """
        if origin is None:
            return
        folded = origin.casefold()
        own = {f"http://{(host or '').casefold()}"}
        if folded not in self.allowed_origins and folded not in own:
            raise OriginForbiddenError("This web page may not call the server.")

    def known(self, header: str | None) -> ApiToken | None:
        """Return the token of an ``Authorization`` header if no store must be read for it; for the event loop."""
        scheme, _, secret = (header or "").partition(" ")
        return self.recognize(secret.strip()) if scheme.casefold() in _SCHEMES and secret.strip() else None

    def authenticate(self, header: str | None) -> ApiToken:
        """Return the token of an ``Authorization`` header.

        Raises:
            UnauthorizedError: no token, another scheme, or an unknown, revoked or expired secret.
            LockedError: the vault is locked, so stored tokens cannot be read.
        """
        scheme, _, secret = (header or "").partition(" ")
        secret = secret.strip()
        told = scheme.casefold() in _SCHEMES and bool(secret)
        token = self.check(secret) if told else None
        if token is not None:
            return token
        # Clients that need a key may send any text; one of ours must be valid, or revoking it would have no effect.
        if self.open_to is not None and not secret.startswith(SECRET_PREFIX):
            return self.open_to
        raise UnauthorizedError(
            say("This token is unknown, revoked or expired.") if told else say("This request has no bearer token.")
        )

    def _is_address(self, name: str) -> bool:
        if not self.any_address:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def host_name(host: str) -> str | None:
    """Return the name in a ``Host`` header without its port, in lower case; None if malformed."""
    host = host.strip().casefold()
    if host.startswith("["):
        name, bracket, port = host[1:].partition("]")
        if not bracket or (port and not (port.startswith(":") and port[1:].isdecimal())):
            return None
    else:
        name, colon, port = host.partition(":")
        if colon and not port.isdecimal():
            return None
    return name.removesuffix(".") or None


@dataclass(slots=True)
class Caller:
    """The client behind a request, and the agent it asked about."""

    token: ApiToken
    agent_id: str = ""
    #: the tool in use, and in whose name, as one token may serve several programs.
    tool: str = ""
    name: str = ""

    def uses(self, tool: str, by: str) -> None:
        """Record the tool that a request uses, for the activity log."""
        self.tool, self.name = tool, by

    def agent(self, requested: str | None) -> str | None:
        """Return the agent a request means: the one it names, else the token's only one; None for all.

        Raises:
            AgentForbiddenError: the token is limited to others.
            BadRequestError: none is named, and the token is for several.
        """
        bound = self.token.agents
        if requested and not self.sees(requested):
            raise AgentForbiddenError("This token is not for this agent.")
        if not requested and len(bound) > 1:
            raise BadRequestError("agent_id is missing.", hint="This token is for several agents: name one of them.")
        chosen = requested or next(iter(bound), None)
        self.agent_id = chosen or ""
        return chosen

    def sees(self, agent_id: str) -> bool:
        return not self.token.agents or agent_id in self.token.agents

    @property
    def elsewhere(self) -> bool:
        """Whether its data may reach a model on another machine: programs do not say where their model is."""
        return PRIVATE not in self.token.scopes

    @property
    def by(self) -> dict[str, Any]:
        """The actor of its changes, as arguments for services."""
        return {"actor": "api", "actor_detail": self.token.name}

    def own(self, tokens: TokensService, kind: RowKind, *ids: str) -> None:
        """Reject rows that do not belong to the token's agent.

        Raises:
            NotFoundError: as for an unknown id.
        """
        tokens.check_rows(self.token, kind, ids)

    def need_agent(self, requested: str | None) -> str:
        """Return the agent as :meth:`agent` does, but require one.

        Raises:
            BadRequestError: none is named.
        """
        chosen = self.agent(requested)
        if chosen is None:
            raise BadRequestError("agent_id is missing.", hint="Name the agent in agent_id; GET /agents lists them.")
        return chosen

    def memory_mode(self, wanted: MemoryMode | None) -> MemoryMode:
        """Return how a chat of this caller may use memory, within its scopes.

        Without ``memory:read`` answers see no memory; without ``memory:write`` nothing is stored.
        """
        if "memory:read" not in self.token.scopes:
            return "off"
        if "memory:write" not in self.token.scopes and wanted != "off":
            return "read_only"
        return wanted or "on"

    def need_whole(self) -> None:
        """Reject a token of one agent if all agents are meant.

        Raises:
            AgentForbiddenError: the token is limited to one agent.
        """
        if self.token.agents:
            raise AgentForbiddenError("A token for one agent may not do this.")

    def need_scope(self, *scopes: str) -> None:
        """Reject a token that has none of ``scopes``; ``admin`` does not imply the others.

        Raises:
            ScopeForbiddenError: it lacks them; the first is named.
        """
        if not set(scopes) & set(self.token.scopes):
            raise ScopeForbiddenError(
                f"This token lacks the scope {scopes[0]}.", hint="Make one with this scope under Settings, Server."
            )


def set_caller(scope: Scope, caller: Caller) -> None:
    scope[_CALLER] = caller


def caller_of(request: Request) -> Caller:
    caller = request.scope[_CALLER]
    assert isinstance(caller, Caller)
    return caller


def header(request: Request, *names: str) -> str | None:
    """Return the first non-empty one of these headers; clients send names in UTF-8."""
    for name in names:
        value = request.headers.get(name, "").strip()
        if value:
            try:
                return value.encode("latin-1").decode("utf-8")
            except UnicodeDecodeError:
                return value
    return None


def agent_header(request: Request) -> str | None:
    return header(request, *AGENT_HEADERS)


def needs(*scopes: str, whole: bool = False) -> Callable[[Request], Awaitable[None]]:
    """Return a dependency that requires one of some scopes; with ``whole``, also a token for all agents.

    Rows named in the path must belong to the token's agent.

    Raises:
        LockedError: models are requested while the memory is locked: their engines hold prompts in plain text.
        NotFoundError: the path names a row that is unknown, or of another agent.
    """

    async def demand(request: Request) -> None:
        caller = caller_of(request)
        if "chat" in scopes and not request.app.state.services.vault.is_open():
            raise LockedError("memdesk is locked.")
        caller.need_scope(*scopes)
        if whole:
            caller.need_whole()
        if caller.token.agents:
            tokens = request.app.state.services.tokens
            for name, value in request.path_params.items():
                if name in _ROWS:
                    await run_in_threadpool(caller.own, tokens, _ROWS[name], value)

    return demand
