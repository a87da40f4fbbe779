"""A small client of the server's JSON API; it raises the errors that the server returns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from memdesk.errors import EnvironmentFault, MemdeskError
from memdesk.services.admitted import admitted

if TYPE_CHECKING:
    from types import TracebackType

    import httpx

#: Timeout in seconds for answers without a model.
QUICK = 60.0
_ADDRESS = re.compile(r"GET (/[\w/]+)")


#: Commands by the paths in the server's hints.
_COMMANDS = {
    "/agents": "“memdesk agents list”",
    "/memory/facts": "“memdesk facts list”",
    "/memory/items": "“memdesk items list”",
    "/memory/history": "“memdesk facts history”",
    "/memory/runs": "“memdesk consolidate --runs”",
    "/v1/models": "“memdesk doctor”",
}


class AnsweredError(MemdeskError):
    """An error from the server, with its code and status."""

    def __init__(self, status: int, error: dict[str, Any]) -> None:
        message = str(error.get("message") or f"The server answered {status}.")
        super().__init__(message, hint=_for_terminal(str(error.get("hint", ""))))
        self.status = status  # type: ignore[misc]  # told by the server, not by the class
        self.code = str(error.get("code") or "error")  # type: ignore[misc]  # as above
        self.title = "memdesk refused"  # type: ignore[misc]  # as above

    def __reduce__(self) -> tuple[object, ...]:
        return AnsweredError, (self.status, {"message": self.message, "hint": self.hint, "code": self.code})


def _for_terminal(hint: str) -> str:
    """Return a hint with its path replaced by the command; "" if no command corresponds."""
    found = _ADDRESS.match(hint)
    if found is None:
        return hint
    command = _COMMANDS.get(found[1])
    return f"{command}{hint[found.end() :]}" if command else ""


class UnreachableError(EnvironmentFault):
    code = "instance_unreachable"
    title = "memdesk does not answer"
    default_hint = "If its window is open, wait a moment; else try again."


class Client:
    """A client of one server."""

    def __init__(self, url: str, token: str, http: httpx.Client | None = None) -> None:
        import httpx

        self.url = url
        self._errors = (httpx.TransportError,)
        # Loopback addresses never go through a proxy.
        self._http = http or httpx.Client(trust_env=False)
        self._headers = {b"Authorization": f"Bearer {token}".encode()}

    def __enter__(self) -> Client:  # noqa: PYI034 -- final by intent
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections. Idempotent."""
        self._http.close()

    def get(self, path: str, **query: Any) -> Any:
        """GET, without parameters that are None."""
        return self._ask("GET", path, query=query)

    def post(self, path: str, body: dict[str, Any], **how: Any) -> Any:
        """POST a JSON body, optionally with a ``timeout`` in seconds (None: no limit) and further ``headers``."""
        return self._ask("POST", path, body=body, **how)

    def put(self, path: str, body: dict[str, Any], **query: Any) -> Any:
        """PUT a JSON body, without parameters that are None."""
        return self._ask("PUT", path, query=query, body=body)

    def patch(self, path: str, body: dict[str, Any], **query: Any) -> Any:
        """PATCH with a JSON body, without parameters that are None."""
        return self._ask("PATCH", path, query=query, body=body)

    def delete(self, path: str, **query: Any) -> Any:
        """DELETE, without parameters that are None."""
        return self._ask("DELETE", path, query=query)

    def events(self, path: str, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """POST a body and yield the streamed lines of JSON."""
        request = self._http.build_request("POST", self.url + path, json=body, headers=self._headers, timeout=None)
        try:
            response = self._http.send(request, stream=True)
            try:
                if response.is_error:
                    response.read()
                    raise self._refusal(response)
                for line in response.iter_lines():
                    if line.strip():
                        event = json.loads(line)
                        if "error" in event:
                            raise AnsweredError(500, event["error"])
                        yield event
            finally:
                response.close()
        except self._errors as failed:
            raise UnreachableError(f"{self.url} stopped answering ({type(failed).__name__}).") from failed

    def _ask(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, Any] | None = None,
        body: dict[str, Any] | None = None,
        timeout: float | None = QUICK,
        headers: dict[str, bytes] | None = None,
    ) -> Any:
        every = self._headers | {name.encode(): value for name, value in (headers or {}).items()}
        try:
            response = admitted(
                lambda: self._http.request(
                    method, self.url + path, params=given(query or {}), json=body, headers=every, timeout=timeout
                )
            )
        except self._errors as failed:
            raise UnreachableError(f"{self.url} did not answer ({type(failed).__name__}).") from failed
        if response.is_error:
            raise self._refusal(response)
        return response.json() if response.content else {}

    @staticmethod
    def _refusal(response: httpx.Response) -> AnsweredError:
        try:
            error = response.json()["error"]
        except (ValueError, KeyError, TypeError):
            error = {"message": f"The server answered {response.status_code}."}
        return AnsweredError(response.status_code, error if isinstance(error, dict) else {"message": str(error)})


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def need_agent(client: Client, agent_id: str) -> None:
    """Reject an unknown agent: an empty result would hide a typo in the name.

    Raises:
        NotFoundError: no agent has this id.
    """
    client.get(f"/agents/{segment(agent_id)}")


def segment(text: str) -> str:
    return quote(text, safe="")
