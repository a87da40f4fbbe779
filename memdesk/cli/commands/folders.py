"""``memdesk folders``: create, change and delete folders of chats, and move chats between them."""

import argparse
from typing import Any

from memdesk.cli.backend import connect
from memdesk.cli.client import Client, given, segment
from memdesk.cli.exits import Exit
from memdesk.cli.output import print_json, print_rows


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("list", help="list folders in their order (the default)")
    show = actions.add_parser("show", help="print one folder and its chats")
    show.add_argument("id")
    add = actions.add_parser("add", help="make a folder")
    add.add_argument("name")
    add.add_argument("--instructions", default="", help="told to the model in each of its chats")
    add.add_argument(
        "--own-memory",
        action="store_true",
        help="what is learned in its chats is used only there; cannot be changed later",
    )
    add.add_argument("--agent", default="default", help="with --own-memory: the agent that answers its chats")
    change = actions.add_parser("change", help="rename a folder, change its instructions or position")
    change.add_argument("id")
    change.add_argument("--name")
    change.add_argument("--instructions")
    change.add_argument("--position", type=int, help="0 is the top")
    move = actions.add_parser("move", help="put a chat into a folder")
    move.add_argument("conversation")
    move.add_argument("--agent", default="default", help="whose chat it is")
    to = move.add_mutually_exclusive_group(required=True)
    to.add_argument("--to", metavar="FOLDER", help="the folder's id")
    to.add_argument("--out", action="store_true", help="take it out of its folder")
    delete = actions.add_parser("delete", help="delete a folder; its chats stay unless --chats is given")
    delete.add_argument("id")
    delete.add_argument(
        "--chats", action="store_true", help="also delete its chats, with what was learned from them alone"
    )
    delete.add_argument("--dry-run", action="store_true", help="only say what would be deleted")
    delete.add_argument("--yes", action="store_true", help="do not ask for confirmation")


def run(options: argparse.Namespace) -> Exit | None:
    with connect(options) as client:
        if options.action in {None, "list"}:
            answer = client.get("/memory/folders")
            rows = [(f["id"], f["name"], f["conversations"]) for f in answer["folders"]]
            print_rows(options, answer, rows, ("id", "name", "chats"))
            return None
        if options.action == "delete":
            return _delete(options, client)
        print_json(_done(options, client))
    return None


def _done(options: argparse.Namespace, client: Client) -> Any:
    """Apply the action to one folder or chat, and return the answer."""
    if options.action == "add":
        made = {"name": options.name, "instructions": options.instructions, "agent_id": options.agent}
        return client.post("/memory/folders", made | {"own_memory": options.own_memory})
    if options.action == "move":
        address = f"/memory/conversations/{segment(options.conversation)}"
        return client.patch(address, {"folder_id": options.to or ""}, agent_id=options.agent)
    address = f"/memory/folders/{segment(options.id)}"
    if options.action == "change":
        names = ("name", "instructions", "position")
        return client.patch(address, given({name: getattr(options, name) for name in names}))
    folder = client.get(address)
    return folder | {"chats": client.get("/memory/conversations", folder_id=options.id, limit=500)["items"]}


def _delete(options: argparse.Namespace, client: Client) -> Exit | None:
    from memdesk.cli.prompts import delete_asking

    address = f"/memory/folders/{segment(options.id)}"
    folder = client.get(address)

    def question(preview: Any) -> str:
        whole = f"with its {folder['conversations']} chats ({preview})" if options.chats else "and keep its chats"
        return f"Delete folder '{folder['name']}' {whole}?"

    return delete_asking(options, client, address, question, chats=options.chats)
