"""``memdesk facts``: list, add and forget facts."""

from __future__ import annotations

import argparse

from memdesk.cli.backend import connect
from memdesk.cli.exits import Exit
from memdesk.cli.output import print_json, print_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("--agent", default="default", metavar="ID", help="whose memory")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    listing = actions.add_parser("list", help="list facts (the default)")
    listing.add_argument("--query", default="", help="only those with these words")
    listing.add_argument("--limit", type=int, default=50)
    add = actions.add_parser("add", help="add a fact by hand")
    add.add_argument("content")
    forget = actions.add_parser("forget", help="delete a fact with every trace of it")
    forget.add_argument("id")
    for action in (listing, add):
        action.add_argument("--agent", default=argparse.SUPPRESS, metavar="ID", help="whose memory")


def run(options: argparse.Namespace) -> int:
    """Do the action."""
    with connect(options) as client:
        if options.action == "add":
            answer = client.post("/memory/facts", {"agent_id": options.agent, "content": options.content})
        elif options.action == "forget":
            answer = client.delete(f"/memory/facts/{options.id}")
        else:
            answer = client.get(
                "/memory/facts",
                agent_id=options.agent,
                query=getattr(options, "query", ""),
                limit=getattr(options, "limit", 50),
            )
    if options.json or "items" not in answer:
        print_json(answer)
        return Exit.OK
    rows = [(fact["id"], fact["salience"], fact["status"], fact["content"]) for fact in answer["items"]]
    print_table(rows, ("id", "salience", "status", "fact"))
    return Exit.OK
