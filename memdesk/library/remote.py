"""The memory of a running memdesk, over its REST dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from memdesk.domain.decoding import clean
from memdesk.services import library as errors
from memdesk.services.admitted import admitted

if TYPE_CHECKING:
    import httpx

#: The desktop app's default address.
URL: Final = "http://127.0.0.1:1337"
SECONDS: Final = 120.0
NO_ANSWER: Final = "memdesk does not answer."
WHERE: Final = "Start it, or check its address under Settings, Server."
_JSON: Final = {"Content-Type": "application/json"}
_BY_CODE: Final[dict[str, type[errors.MemoryError]]] = {
    kind.code: kind
    for kind in (
        errors.ScopeError,
        errors.InvalidInputError,
        errors.NotFoundError,
        errors.VectorStoreError,
        errors.LLMError,
        errors.EmbeddingError,
        errors.VaultError,
    )
}


class RemoteMemory:
    """The calls of ``Memory`` over HTTP. Thread-safe.

    Args:
        token: of the server, with the scopes ``memory:read`` and ``memory:write``.
        url: of the server.
    """

    def __init__(self, token: str, url: str = URL) -> None:
        import httpx

        headers = {"Authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=SECONDS, trust_env=False)

    def close(self) -> None:
        """Close the connection. Idempotent."""
        self._http.close()

    def add(self, messages: Any, **wishes: Any) -> Any:
        """Remember what messages say; see ``Memory.add``."""
        return self._ask("POST", "/v1/memories/", json={"messages": messages, **_given(wishes)})

    def search(self, query: str, **wishes: Any) -> Any:
        """Return the memories nearest to a query; see ``Memory.search``."""
        return self._ask("POST", "/v1/memories/search/", json={"query": query, **_given(wishes)})

    def get(self, memory_id: str) -> Any:
        try:
            return self._ask("GET", _place(memory_id))
        except errors.NotFoundError:
            return None

    def get_all(self, **wishes: Any) -> Any:
        """Return the memories of a scope; see ``Memory.get_all``."""
        return self._ask("POST", "/v1/memories/list/", json=_given(wishes))

    def update(self, memory_id: str, text: str | None = None, **wishes: Any) -> Any:
        """Overwrite a memory; see ``Memory.update``."""
        return self._ask("PUT", _place(memory_id), json=_given({"text": text, **wishes}))

    def delete(self, memory_id: str) -> None:
        self._ask("DELETE", _place(memory_id))

    def delete_all(self, **scope: Any) -> int:
        """Delete the memories of a scope; return how many there were."""
        return int(self._ask("DELETE", "/v1/memories/", params=_given(scope))["deleted"])

    def history(self, memory_id: str) -> Any:
        return self._ask("GET", f"{_place(memory_id)}history/")

    def reset(self) -> None:
        """Delete everything, the history too."""
        self._ask("POST", "/v1/reset/", json={})

    def entities(self, **scope: Any) -> Any:
        return self._ask("POST", "/v1/entities/", json=_given(scope))["results"]

    def relations(self, name: str, **scope: Any) -> Any:
        """Return an entity's relations."""
        return self._ask("GET", f"/v1/entities/{quote(name, safe='')}/relations/", params=_given(scope))["results"]

    def _ask(self, method: str, path: str, **sent: Any) -> Any:
        import httpx

        if self._http.is_closed:
            raise errors.VaultError("The memory is closed.")
        if "json" in sent:
            # httpx cannot send lone surrogates, which the server handles.
            sent |= {"content": errors.json_of("What is sent", sent.pop("json")), "headers": _JSON}
        try:
            answer = admitted(lambda: self._http.request(method, path, **sent))
        except httpx.HTTPError as error:
            raise errors.VectorStoreError(NO_ANSWER, hint=WHERE) from error
        if answer.is_success:
            return answer.json() if answer.content else None
        raise _error(answer)


def _given(wishes: dict[str, Any]) -> dict[str, Any]:
    """Return the given values; ids without characters that no URL can hold."""
    return {
        name: clean(value) if isinstance(value, str) else value for name, value in wishes.items() if value is not None
    }


def _place(memory_id: str) -> str:
    return f"/v1/memories/{quote(str(memory_id), safe='')}/"


def _error(answer: httpx.Response) -> errors.MemoryError:
    try:
        body = answer.json()["error"]
        code, message, hint = body["code"], body["message"], body.get("hint", "")
    except (ValueError, KeyError, TypeError):
        code, message, hint = "", f"memdesk answered with {answer.status_code}.", ""
    by_status = {400: errors.InvalidInputError, 404: errors.NotFoundError, 423: errors.VaultError}
    kind = _BY_CODE.get(code) or by_status.get(answer.status_code, errors.MemoryError)
    return kind(message, hint=hint)
