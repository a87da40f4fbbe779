"""``memdesk agents``: list, make and delete agents."""

import argparse

from memdesk.cli.backend import connect
from memdesk.cli.client import given
from memdesk.cli.exits import Exit
from memdesk.cli.output import note, print_json, print_rows


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


def run(options: argparse.Namespace) -> int:
    action = {"show": _show, "put": _put, "delete": _delete}.get(options.action, _list)
    return action(options)


def _list(options: argparse.Namespace) -> int:
    with connect(options) as client:
        answer = client.get("/agents")
    rows = [(a["id"], a["name"], a["default_model"], a["memory_entry_count"]) for a in answer["agents"]]
    print_rows(options, answer, rows, ("id", "name", "model", "facts"))
    return Exit.OK


def _show(options: argparse.Namespace) -> int:
    with connect(options) as client:
        print_json(client.get(f"/agents/{options.id}"))
    return Exit.OK


def _put(options: argparse.Namespace) -> int:
    names = ("name", "description", "model", "system_prompt", "memory")
    with connect(options) as client:
        answer = client.put(f"/agents/{options.id}", given({name: getattr(options, name) for name in names}))
    print_json(answer)
    return Exit.OK


def _delete(options: argparse.Namespace) -> int:
    from memdesk.cli.prompts import confirm

    with connect(options) as client:
        preview = client.delete(f"/agents/{options.id}", dry_run=True)
        if options.dry_run:
            print_json(preview)
            return Exit.OK
        if not options.yes and not confirm(f"Delete agent '{options.id}' with all of its memory ({preview})?"):
            note("Nothing was deleted. (--yes deletes without asking.)")
            return Exit.INTERRUPTED
        answer = client.delete(f"/agents/{options.id}")
    print_json(answer)
    return Exit.OK
