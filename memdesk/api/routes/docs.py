"""The server's description for machines and for people, both generated from the routes."""

import html
from typing import Any, Final

from fastapi import APIRouter, FastAPI, Response

from memdesk.api.plain import reply

_STYLE: Final = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2rem; } code { font-size: 0.95em; }
li { margin: 0.4rem 0; } .verb { display: inline-block; min-width: 4.2rem; font-weight: 600; }
.params { opacity: 0.75; margin-left: 4.2rem; }
"""


def router(app: FastAPI) -> APIRouter:
    routes = APIRouter(include_in_schema=False)

    def described() -> dict[str, Any]:
        # Rarely requested: starting does not wait for all response types.
        from memdesk.api.schema import openapi

        return openapi(app)

    @routes.get("/openapi.json")
    def schema() -> Response:
        return reply(described())

    @routes.get("/docs")
    def docs() -> Response:
        page = _page(described())
        # No script, nothing external: it works offline, and there is nothing to steal.
        policy = "default-src 'none'; style-src 'unsafe-inline'"
        return Response(page, media_type="text/html", headers={"Content-Security-Policy": policy})

    return routes


def _page(schema: dict[str, Any]) -> str:
    groups: dict[str, list[str]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            group = (operation.get("tags") or ["other"])[0]
            groups.setdefault(group, []).append(_entry(path, method, operation, schema))
    parts = [f"<h2>{html.escape(group)}</h2><ul>{''.join(entries)}</ul>" for group, entries in groups.items()]
    title = f"memdesk {html.escape(schema['info']['version'])}: HTTP"
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>{_STYLE}</style>"
        f"<h1>{title}</h1><p>{html.escape(schema['info'].get('description', ''))} Send "
        "<code>Authorization: Bearer mdk-…</code>; bodies are JSON. The machine-readable form is "
        f"<code>/openapi.json</code>.</p>{''.join(parts)}</html>"
    )


def _entry(path: str, method: str, operation: dict[str, Any], schema: dict[str, Any]) -> str:
    names = [parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "query"]
    fields = _body_fields(operation, schema)
    details = [f"query: {', '.join(names)}"] if names else []
    details += [f"body: {', '.join(fields)}"] if fields else []
    return (
        f"<li><span class=verb>{method.upper()}</span><code>{html.escape(path)}</code> "
        f"{html.escape(operation.get('summary', ''))}"
        + "".join(f"<br><small class=params>{html.escape(line)}</small>" for line in details)
        + "</li>"
    )


def _body_fields(operation: dict[str, Any], schema: dict[str, Any]) -> list[str]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    name = str(content.get("$ref", "")).rpartition("/")[2]
    return list(schema.get("components", {}).get("schemas", {}).get(name, {}).get("properties", {}))
