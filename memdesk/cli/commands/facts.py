"""``memdesk facts``: list, add and forget facts, and show a fact's history."""

import argparse
from typing import Any

from memdesk.cli.backend import connect
from memdesk.cli.client import Client, need_agent, segment
from memdesk.cli.output import print_json, print_table
from memdesk.errors import NotFoundError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", default="default", metavar="ID", help="whose memory")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    listing = actions.add_parser("list", help="list facts (the default)")
    listing.add_argument("--query", default="", help="only those with these words")
    listing.add_argument("--as-of", metavar="DATE", help="what was believed at this date")
    listing.add_argument("--limit", type=int, default=50)
    history = actions.add_parser("history", help="list the changes of a fact, or of all facts, newest first")
    history.add_argument("id", nargs="?")
    history.add_argument("--limit", type=int, default=50)
    for paged in (listing, history):
        paged.add_argument("--cursor", help="cursor that the previous page ended with")
    add = actions.add_parser("add", help="add a fact by hand")
    add.add_argument("content")
    forget = actions.add_parser("forget", help="delete a fact with every trace of it")
    forget.add_argument("id")
    for action in (listing, add, history):
        action.add_argument("--agent", default=argparse.SUPPRESS, metavar="ID", help="whose memory")


def run(options: argparse.Namespace) -> None:
    with connect(options) as client:
        if options.action == "add":
            answer = client.post("/memory/facts", {"agent_id": options.agent, "content": options.content})
        elif options.action == "forget":
            answer = client.delete(f"/memory/facts/{options.id}")
        elif options.action == "history":
            wanted = {"ref_id": options.id, "limit": options.limit, "cursor": options.cursor}
            answer = client.get("/memory/history", agent_id=options.agent, kind="fact", **wanted)
            if options.id and not answer["items"] and not options.cursor:
                _explain(client, options)
        else:
            # Without an action, the options of ``list`` are missing too.
            given = vars(options)
            wanted = {name: given.get(name) for name in ("as_of", "limit", "cursor")}
            answer = client.get("/memory/facts", agent_id=options.agent, q=given.get("query"), **wanted)
        if not answer.get("items", True):
            need_agent(client, options.agent)
    if options.json or "items" not in answer:
        print_json(answer)
        return
    if options.action == "history":
        print_table([_told(entry) for entry in answer["items"]], ("when", "who", "what", "change"))
    else:
        rows = [
            (
                fact["id"],
                fact["salience"],
                fact["status"],
                (fact["confirmed_at"] or fact["created_at"])[:10],
                fact["content"],
            )
            for fact in answer["items"]
        ]
        print_table(rows, ("id", "salience", "status", "confirmed", "fact"))
    if answer["next"]:
        print(f"{answer['total']:,} in all; continue with --cursor {answer['next']}")


def _explain(client: Client, options: argparse.Namespace) -> None:
    """Raise the reason why a fact has no history.

    Raises:
        NotFoundError: it does not exist, or belongs to another agent.
    """
    whose = client.get(f"/memory/facts/{segment(options.id)}")["agent_id"]
    if whose != options.agent:
        raise NotFoundError(f"{options.agent} has no such fact.", hint=f"It belongs to {whose}: --agent {whose}")


def _told(entry: dict[str, Any]) -> tuple[str, str, str, str]:
    """Return a change as a line: when, who, what, the old and new text, and why."""
    old, new = entry["old"] or {}, entry["new"] or {}
    parts = [f"{name}: {old[name]} -> {new.get(name)}" if name in old else f"{name}: {new[name]}" for name in new]
    who = " ".join(part for part in (entry["actor"], entry["actor_detail"]) if part)
    return entry["at"][:19], who, entry["action"], "; ".join([*parts, *filter(None, [entry["reason"]])])
