"""``memdesk tokens``: tokens for programs that use the server."""

from __future__ import annotations

import argparse

from memdesk.cli.backend import connect
from memdesk.cli.exits import Exit
from memdesk.cli.output import note, print_json, print_table

SCOPES = ("chat", "memory:read", "memory:write", "admin")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("list", help="list tokens (the default)")
    create = actions.add_parser("create", help="make a token; it is printed once")
    create.add_argument("name", help="which program it is for")
    create.add_argument("--scope", action="append", choices=SCOPES, help="may be repeated; all when left out")
    create.add_argument("--agent", metavar="ID", help="limit it to one agent")
    create.add_argument("--days", type=int, help="days until it expires; never when left out")
    revoke = actions.add_parser("revoke", help="make a token useless")
    revoke.add_argument("id")


def run(options: argparse.Namespace) -> int:
    """Do the action."""
    with connect(options) as client:
        if options.action == "create":
            body = {
                "name": options.name,
                "scopes": options.scope or list(SCOPES),
                "agent_id": options.agent,
                "days": options.days,
            }
            answer = client.post("/memory/tokens", {key: value for key, value in body.items() if value is not None})
        elif options.action == "revoke":
            answer = client.delete(f"/memory/tokens/{options.id}")
        else:
            answer = client.get("/memory/tokens")
    if options.json:
        print_json(answer)
    elif options.action == "create":
        note("This is shown once; only its hash is stored:")
        print(answer["secret"])
    elif options.action == "revoke":
        note("The token is revoked.")
    else:
        rows = [
            (t["id"], t["name"], " ".join(t["scopes"]), t.get("agent_id"), str(t.get("last_used") or "never")[:19])
            for t in answer["items"]
        ]
        print_table(rows, ("id", "name", "scopes", "agent", "last used"))
    return Exit.OK
