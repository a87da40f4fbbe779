"""``memdesk items``: lists items of all forms, by the registry of forms."""

import argparse
from collections.abc import Mapping
from typing import Any

from memdesk.cli.backend import connect
from memdesk.cli.client import need_agent, segment
from memdesk.cli.output import print_json, print_table
from memdesk.domain.decoding import decode
from memdesk.domain.items.registry import FORMS
from memdesk.errors import BadRequestError

_ANY = {"id": "id", "form": "form", "tier": "tier", "content": "content"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="list what is remembered")
    listing.add_argument("--agent", default="default", metavar="ID", help="whose memory")
    listing.add_argument("--form", choices=list(FORMS), help="only this form, with its own columns")
    listing.add_argument("--query", default="", help="only those with these words")
    listing.add_argument("--filter", default="", metavar="JSON", help='by metadata: {"key": "value"}')
    listing.add_argument("--limit", type=int, default=50)
    listing.add_argument("--cursor", help="cursor that the previous page ended with")
    add = actions.add_parser("add", help="add a statement, or an item of another form")
    add.add_argument("content")
    add.add_argument("--agent", default="default", metavar="ID", help="whose memory")
    add.add_argument("--form", choices=[form.name for form in FORMS.values() if form.writable], default="statement")
    add.add_argument("--metadata", default="{}", metavar="JSON", help='{"url": "https://…", "title": "…"} of a link')
    forget = actions.add_parser("forget", help="delete one with every trace of it")
    forget.add_argument("id")


def run(options: argparse.Namespace) -> None:
    with connect(options) as client:
        if options.action == "forget":
            print_json(client.delete(f"/memory/items/{segment(options.id)}"))
            return
        if options.action == "add":
            body = {"content": options.content, "agent_id": options.agent, "form": options.form}
            print_json(client.post("/memory/items", body | {"metadata": _object(options.metadata)}))
            return
        wanted = {name: getattr(options, name) for name in ("form", "filter", "limit", "cursor")}
        answer = client.get("/memory/items", agent_id=options.agent, q=options.query, **wanted)
        if not answer["items"]:
            need_agent(client, options.agent)
    if options.json:
        print_json(answer)
        return
    columns = FORMS[options.form].columns if options.form else _ANY
    print_table([[_value(item, field) for field in columns.values()] for item in answer["items"]], list(columns))
    if answer["next"]:
        print(f"{answer['total']:,} in all; continue with --cursor {answer['next']}")


def _object(text: str) -> Any:
    try:
        return decode(text)
    except ValueError as error:
        raise BadRequestError(f"--metadata is not JSON: {error}") from error


def _value(item: Mapping[str, Any], field: str) -> Any:
    """Return a field by its path; None if a part is missing."""
    held: Any = item
    for name in field.split("."):
        held = (held or {}).get(name)
    return held
