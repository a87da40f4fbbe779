"""``memdesk folders``: make, change and delete folders of chats, and move chats between them."""

import argparse

from memdesk.cli.backend import connect
from memdesk.cli.client import given, segment
from memdesk.cli.exits import Exit
from memdesk.cli.output import note, print_json, print_rows


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("list", help="list folders in their order (the default)")
    show = actions.add_parser("show", help="print one folder and its chats")
    show.add_argument("id")
    add = actions.add_parser("add", help="make a folder")
    add.add_argument("name")
    add.add_argument("--instructions", default="", help="told to the model in each of its chats")
    add.add_argument(
        "--own-memory", action="store_true", help="recall what is learned in its chats in them alone; for good"
    )
    add.add_argument("--agent", default="default", help="with --own-memory: as whom its chats are answered")
    change = actions.add_parser("change", help="rename a folder, change its instructions, put it elsewhere")
    change.add_argument("id")
    change.add_argument("--name")
    change.add_argument("--instructions")
    change.add_argument("--position", type=int, help="0 is the top")
    move = actions.add_parser("move", help="put a chat into a folder")
    move.add_argument("conversation")
    move.add_argument("--agent", default="default", help="whose chat it is")
    to = move.add_mutually_exclusive_group(required=True)
    to.add_argument("--to", metavar="FOLDER", help="the folder's id")
    to.add_argument("--out", action="store_true", help="out of its folder")
    delete = actions.add_parser("delete", help="delete a folder; its chats stay unless --chats is given")
    delete.add_argument("id")
    delete.add_argument(
        "--chats", action="store_true", help="also delete its chats, with what was learned from them alone"
    )
    delete.add_argument("--dry-run", action="store_true", help="only say what would be deleted")
    delete.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def run(options: argparse.Namespace) -> int:
    actions = {"show": _show, "add": _add, "change": _change, "move": _move, "delete": _delete}
    return actions.get(options.action, _list)(options)


def _list(options: argparse.Namespace) -> int:
    with connect(options) as client:
        answer = client.get("/memory/folders")
    rows = [(f["id"], f["name"], f["conversations"]) for f in answer["folders"]]
    print_rows(options, answer, rows, ("id", "name", "chats"))
    return Exit.OK


def _show(options: argparse.Namespace) -> int:
    with connect(options) as client:
        folder = client.get(f"/memory/folders/{segment(options.id)}")
        chats = client.get("/memory/conversations", folder_id=options.id, limit=500)
    print_json(folder | {"chats": chats["items"]})
    return Exit.OK


def _add(options: argparse.Namespace) -> int:
    with connect(options) as client:
        answer = client.post(
            "/memory/folders",
            {
                "name": options.name,
                "instructions": options.instructions,
                "own_memory": options.own_memory,
                "agent_id": options.agent,
            },
        )
    print_json(answer)
    return Exit.OK


def _change(options: argparse.Namespace) -> int:
    changes = given({name: getattr(options, name) for name in ("name", "instructions", "position")})
    with connect(options) as client:
        answer = client.patch(f"/memory/folders/{segment(options.id)}", changes)
    print_json(answer)
    return Exit.OK


def _move(options: argparse.Namespace) -> int:
    with connect(options) as client:
        answer = client.patch(
            f"/memory/conversations/{segment(options.conversation)}",
            {"folder_id": options.to or ""},
            agent_id=options.agent,
        )
    print_json(answer)
    return Exit.OK


def _delete(options: argparse.Namespace) -> int:
    from memdesk.cli.prompts import confirm

    address, chats = f"/memory/folders/{segment(options.id)}", options.chats
    with connect(options) as client:
        folder = client.get(address)
        preview = client.delete(address, chats=chats, dry_run=True)
        if options.dry_run:
            print_json(preview)
            return Exit.OK
        whole = f"with its {folder['conversations']} chats ({preview})" if chats else "and keep its chats"
        if not options.yes and not confirm(f"Delete folder '{folder['name']}' {whole}?"):
            note("Nothing was deleted. (--yes deletes without asking.)")
            return Exit.INTERRUPTED
        answer = client.delete(address, chats=chats)
    print_json(answer)
    return Exit.OK
