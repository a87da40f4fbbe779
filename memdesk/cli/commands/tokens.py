"""``memdesk tokens``: tokens for programs that use the server."""

import argparse
import os

from memdesk.cli.backend import connect
from memdesk.cli.client import given
from memdesk.cli.output import note, print_json, print_table
from memdesk.errors import BadRequestError

SCOPES = ("chat", "memory:read", "memory:write", "admin")
PRIVATE = "memory:private"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", metavar="URL", help="of the servers on this PostgreSQL (postgresql://...)")
    parser.add_argument("--store-env", metavar="NAME", help="environment variable with that address")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("list", help="list tokens (the default)")
    create = actions.add_parser("create", help="make a token; it is printed once")
    create.add_argument("name", help="which program it is for")
    create.add_argument(
        "--scope", action="append", choices=(*SCOPES, PRIVATE), help="may be repeated; all but the last when left out"
    )
    create.add_argument("--agent", metavar="ID", action="append", help="limit it to this agent; may be repeated")
    create.add_argument("--tenant", help="with --store: whose memory it reaches (default)")
    create.add_argument("--days", type=int, help="days until it expires; never when left out")
    revoke = actions.add_parser("revoke", help="revoke a token")
    revoke.add_argument("id")
    back = actions.add_parser("take-back", help="take back everything that a program wrote")
    back.add_argument("name", help="name of its token, as the history shows it")
    back.add_argument("--dry-run", action="store_true", help="only say how much that is")


def run(options: argparse.Namespace) -> None:
    if options.store or options.store_env:
        _run_shared(options)
        return
    if getattr(options, "tenant", None) is not None:
        raise BadRequestError("--tenant is of servers on one PostgreSQL: name it with --store.")
    with connect(options) as client:
        if options.action == "create":
            body = {
                "name": options.name,
                "scopes": options.scope or list(SCOPES),
                "agents": options.agent,
                "days": options.days,
            }
            answer = client.post("/memory/tokens", given(body))
        elif options.action == "revoke":
            answer = client.delete(f"/memory/tokens/{options.id}")
        elif options.action == "take-back":
            ask = client.get if options.dry_run else client.delete
            answer = ask("/memory/programs", program=options.name)
        else:
            answer = client.get("/memory/tokens")
    if options.json:
        print_json(answer)
    elif options.action == "create":
        note("This is shown once; only its hash is stored:")
        print(answer["secret"])
    elif options.action == "revoke":
        note("The token is revoked.")
    elif options.action == "take-back":
        print_table([(name.capitalize(), count) for name, count in answer.items()])
    else:
        rows = [
            (t["id"], t["name"], " ".join(t["scopes"]), " ".join(t["agents"]), str(t.get("last_used") or "never")[:19])
            for t in answer["items"]
        ]
        print_table(rows, ("id", "name", "scopes", "agents", "last used"))


def _run_shared(options: argparse.Namespace) -> None:
    """Apply the action for servers that share a PostgreSQL database; none of them has to be running."""
    from memdesk.bootstrap.shared import SCOPES as SHARED
    from memdesk.bootstrap.shared import TENANT, SharedTokens

    action = options.action or "list"
    if action == "take-back":
        raise BadRequestError("Servers that share a PostgreSQL do not note which program wrote what.")
    if action == "create" and (options.agent or options.days or not set(options.scope or ()) <= set(SHARED)):
        raise BadRequestError(f"Tokens of such servers have a tenant and the scopes {', '.join(SHARED)}, nothing else.")
    with SharedTokens(options.store or os.environ.get(options.store_env, "")) as tokens:
        if action == "create":
            tenant = TENANT if options.tenant is None else options.tenant
            secret = tokens.create(options.name, tenant, options.scope or SHARED)
            if options.json:
                print_json({"name": options.name, "tenant": tenant, "secret": secret})
            else:
                note("This is shown once; only its hash is stored:")
                print(secret)
        elif action == "revoke":
            tokens.revoke(options.id)
            note("The token is revoked.")
        elif options.json:
            print_json({"items": tokens.list()})
        else:
            rows = [
                (t["id"], t["tenant"], t["name"], " ".join(t["scopes"]), t["created_at"][:19]) for t in tokens.list()
            ]
            print_table(rows, ("id", "tenant", "name", "scopes", "made"))
