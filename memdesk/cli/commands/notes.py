"""``memdesk notes``: folders of notes that are remembered as they are."""

import argparse
from pathlib import Path
from typing import Any

from memdesk.cli.backend import connect
from memdesk.cli.output import note, print_json, print_table
from memdesk.settings.schema import NoteSearch

#: OpenClaw's memory files in a workspace.
OPENCLAW = ("/MEMORY.md", "/memory.md", "/memory/**/*.md")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    actions.add_parser("list", help="list folders (the default)")
    add = actions.add_parser("add", help="remember a folder, or one file")
    add.add_argument("path")
    add.add_argument("--agent", default="default", metavar="ID", help="whose memory")
    _add_how(add)
    change = actions.add_parser("change", help="change how a folder is read or searched; other options stay")
    change.add_argument("id")
    _add_how(change)
    remove = actions.add_parser("remove", help="forget a folder; its files stay")
    remove.add_argument("id")
    sync = actions.add_parser("sync", help="scan folders now")
    sync.add_argument("id", nargs="?", help="one folder; all when left out")
    sync.add_argument("--force", action="store_true", help="also reread files that have not changed")


def _add_how(parser: argparse.ArgumentParser) -> None:
    """Add options for reading and searching a folder; ``none`` restores the general ranking."""
    switch = argparse.BooleanOptionalAction
    parser.add_argument(
        "--include", action="append", metavar="PATTERN", help="which files below it, by .gitignore patterns"
    )
    parser.add_argument("--openclaw", action="store_true", help="only MEMORY.md and memory/, as OpenClaw has them")
    parser.add_argument("--local-only", action=switch, help="never show them to a model on another machine")
    parser.add_argument("--append", action=switch, help="let programs write into memory/YYYY-MM-DD.md there")
    parser.add_argument(
        "--every",
        type=int,
        dest="sync_minutes",
        metavar="MINUTES",
        help="minutes between scans of the whole folder",
    )
    group = parser.add_argument_group("how a search finds its passages")
    group.add_argument("--min-score", type=number, metavar="0..1", help="only what is at least this likely")
    group.add_argument(
        "--vector-weight", type=number, metavar="0..1", help="weight of meaning against words, such as 0.7; or none"
    )
    group.add_argument("--candidates", type=number, metavar="TIMES", help="candidates for each result, such as 4")
    group.add_argument(
        "--mmr", type=number, dest="mmr_lambda", metavar="0..1", help="1 by score, 0 by variety, such as 0.7; or none"
    )
    group.add_argument(
        "--half-life",
        type=number,
        dest="half_life_days",
        metavar="DAYS",
        help="days after which a score halves, such as 30",
    )


def number(text: str) -> float | str:
    """Return a number, an integer if written as one, or the word ``none``. Raises ``ValueError``."""
    return text if text == "none" else int(text) if text.isdecimal() else float(text)


def _how(options: argparse.Namespace) -> dict[str, Any]:
    """Return the given options for reading and searching a folder."""
    given = {
        name: getattr(options, name) for name in ("local_only", "append", "sync_minutes", *NoteSearch.model_fields)
    }
    named = {name: None if value == "none" else value for name, value in given.items() if value is not None}
    how = {"search": {name: named.pop(name) for name in NoteSearch.model_fields if name in named}} | named
    include = [*(options.include or ()), *(OPENCLAW if options.openclaw else ())]
    return how | ({"include": include} if include else {})


def run(options: argparse.Namespace) -> None:
    with connect(options, settle=options.action in {"add", "sync"}) as client:
        if options.action == "add":
            # An empty path (an unset variable) does not mean the current folder.
            path = str(Path(options.path).expanduser().absolute()) if options.path else ""
            answer = client.post("/memory/notes", {"path": path, "agent": options.agent} | _how(options))
            synced = client.post("/memory/notes/sync", {"id": answer["id"]}, timeout=None)
            # The current state: the folder may have been scanned in the background before.
            (answer,) = (each for each in client.get("/memory/notes")["items"] if each["id"] == answer["id"])
            answer["synced"] = synced
        elif options.action == "change":
            answer = client.patch(f"/memory/notes/{options.id}", _how(options))
        elif options.action == "remove":
            answer = client.delete(f"/memory/notes/{options.id}")
        elif options.action == "sync":
            answer = client.post("/memory/notes/sync", {"id": options.id, "force": options.force}, timeout=None)
        else:
            answer = client.get("/memory/notes")
    if options.json:
        print_json(answer)
    elif options.action in {None, "list", "add", "change"}:
        _print(answer.get("items", [answer]))
    else:
        note(", ".join(f"{name} {count}" for name, count in answer.items()))


def _print(folders: list[dict[str, Any]]) -> None:
    rows = [(f["id"], f["agent"], f["files"], f["passages"], f["state"], f["path"]) for f in folders]
    print_table(rows, ("id", "agent", "files", "passages", "state", "folder"))
    for folder in folders:
        if folder["error"]:
            note(f"{folder['path']}: {folder['error']}")
        for refused in folder["refused"]:
            note(f"{refused['file']}: {refused['reason']}")
