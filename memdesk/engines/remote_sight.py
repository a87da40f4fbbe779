"""Whether a model takes pictures, if its server's model list does not say: through the server's own API.

Some local servers accept pictures for a model without vision, which then makes things up. Hosted ones refuse by
themselves, and are not queried.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from memdesk.domain.decoding import decode, object_in
from memdesk.engines import remote_context
from memdesk.settings.addresses import is_local

if TYPE_CHECKING:
    from memdesk.engines.remote_server import Server

log = logging.getLogger(__name__)

SECONDS: Final = 5.0
_MOST_BYTES: Final = 8 * 2**20


def ask(server: Server, model: str) -> bool | None:
    """Query a server on this machine; None if it does not say, cannot be reached or is elsewhere."""
    import httpx

    from memdesk.engines.sse import read_at_most

    if not is_local(server.base_url):
        return None
    root = server.base_url.rstrip("/").removesuffix("/v1")
    # Ollama, LM Studio, and llama-server, which has one model under any name.
    ways = (
        ("POST", "/api/show", {"model": model}),
        ("GET", f"/api/v0/models/{quote(model)}", None),
        ("GET", "/props", None),
    )
    try:
        with httpx.Client(timeout=SECONDS, trust_env=False, headers=server.headers()) as client:
            for method, path, body in ways:
                with client.stream(method, root + path, json=body) as answer:
                    told = decode(read_at_most(answer, _MOST_BYTES)) if answer.is_success else None
                if isinstance(told, dict) and (found := _said(told)) is not None:
                    return found
    except (httpx.HTTPError, ValueError) as error:
        log.info("%s does not say what its models see (%s)", server.name, type(error).__name__)
    return None


def _said(told: dict[str, object]) -> bool | None:
    # LM Studio's type takes precedence over its capabilities, which mean something else.
    kind = told.get("type")
    if kind in ("llm", "vlm"):
        return kind == "vlm"
    return remote_context.sees(object_in(told, "modalities") or told)
