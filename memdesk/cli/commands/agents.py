"""``memdesk agents``: list, create and delete agents."""

import argparse

from memdesk.cli.backend import connect
from memdesk.cli.client import given
from memdesk.cli.exits import Exit
from memdesk.cli.output import print_json, print_rows


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("list", help="list agents (the default)")
    show = actions.add_parser("show", help="print one agent")
    show.add_argument("id")
    put = actions.add_parser("put", help="make an agent, or change one")
    put.add_argument("id")
    put.add_argument("--name")
    put.add_argument("--description")
    put.add_argument("--model", help="model id; empty: the app's chat model")
    put.add_argument("--system-prompt")
    put.add_argument("--memory", choices=["on", "read_only", "off"])
    delete = actions.add_parser("delete", help="delete an agent with all of its memory")
    delete.add_argument("id")
    delete.add_argument("--dry-run", action="store_true", help="only say what would be deleted")
    delete.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def run(options: argparse.Namespace) -> Exit | None:
    address = "/agents" if options.action in {None, "list"} else f"/agents/{options.id}"
    with connect(options) as client:
        if options.action == "delete":
            from memdesk.cli.prompts import delete_asking

            asked = f"Delete agent '{options.id}' with all of its memory"
            return delete_asking(options, client, address, lambda preview: f"{asked} ({preview})?")
        if options.action == "put":
            names = ("name", "description", "model", "system_prompt", "memory")
            answer = client.put(address, given({name: getattr(options, name) for name in names}))
        else:
            answer = client.get(address)
    if options.action in {None, "list"}:
        rows = [(a["id"], a["name"], a["default_model"], a["memory_entry_count"]) for a in answer["agents"]]
        print_rows(options, answer, rows, ("id", "name", "model", "facts"))
    else:
        print_json(answer)
    return None
