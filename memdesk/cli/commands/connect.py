"""``memdesk connect``: write memdesk into the configuration of another program, with a token of its own, or take it out."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from memdesk.cli.backend import connect, paths_of, running
from memdesk.cli.client import Client
from memdesk.cli.exits import Exit
from memdesk.cli.output import note, print_json, print_table
from memdesk.runtime import programs

#: What a connected program may do: read and change its agent's memory.
SCOPES = ("memory:read", "memory:write")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument(
        "program", nargs="?", help=f"one of {', '.join(programs.PROGRAMS)}; a list of them when left out"
    )
    parser.add_argument("--agent", default="default", metavar="ID", help="whose memory it reaches")
    parser.add_argument("--preview", action="store_true", help="only show what would be written, and where")
    parser.add_argument("--remove", action="store_true", help="take it out again, and revoke its token")
    parser.add_argument("--file", type=Path, help="its configuration file, where that is elsewhere")


def run(options: argparse.Namespace) -> int:
    """Do what is asked."""
    if options.program is None:
        return _list(as_json=options.json)
    program = programs.program_of(options.program)
    file: Path = options.file or program.file()
    told: dict[str, Any] = {"file": str(file)}
    if options.preview:
        told[program.under] = {programs.NAME: _entry(options, program, "mdk-…", "…")}
    elif options.remove:
        told["removed"] = programs.remove(file, program)
        with connect(options) as client:
            told["revoked"] = _revoke(client, program.title)
    else:
        with connect(options) as client:
            told["changed"] = _connect(options, client, program, file)
    _tell(told, program, as_json=options.json or options.preview)
    return Exit.OK


def _connect(options: argparse.Namespace, client: Client, program: programs.Program, file: Path) -> bool:
    """Write the program's entry; its former token goes only once the new one stands in the file."""
    if program.way == "stdio":
        return programs.put(file, program, _entry(options, program, "", ""))
    former = _tokens(client, program.title)
    body = {"name": program.title, "scopes": list(SCOPES), "agents": [options.agent]}
    made = client.post("/memory/tokens", body)
    url = _address(options, client)
    try:
        changed = programs.put(file, program, _entry(options, program, made["secret"], url))
    except BaseException:
        client.delete(f"/memory/tokens/{made['id']}")
        raise
    for token in former:
        client.delete(f"/memory/tokens/{token}")
    return changed


def _address(options: argparse.Namespace, client: Client) -> str:
    """Return where the server that runs listens, which `--port` may have chosen; where none runs, where it will."""
    owner = running(paths_of(options))
    if owner is not None:
        return owner.url
    server = client.get("/memory/settings", section="server")
    return f"http://{server['host']}:{server['port']}"


def _entry(options: argparse.Namespace, program: programs.Program, token: str, url: str) -> dict[str, Any]:
    frozen = getattr(sys, "frozen", False)
    command = [sys.executable, *([] if frozen else ["-m", "memdesk"]), *paths_of(options).options]
    return programs.entry_of(program, url=url, token=token, command=command, agent=options.agent)


def _tokens(client: Client, name: str) -> list[str]:
    found = client.get("/memory/tokens")["items"]
    return [token["id"] for token in found if token["name"] == name and not token["revoked"]]


def _revoke(client: Client, name: str) -> int:
    tokens = _tokens(client, name)
    for token in tokens:
        client.delete(f"/memory/tokens/{token}")
    return len(tokens)


def _list(*, as_json: bool) -> int:
    rows = [
        {
            "program": each.id,
            "title": each.title,
            "file": str(each.file()),
            "connected": programs.connected(each.file(), each),
        }
        for each in programs.PROGRAMS.values()
    ]
    if as_json:
        print_json({"items": rows})
    else:
        shown = [(row["program"], row["title"], "yes" if row["connected"] else "no", row["file"]) for row in rows]
        print_table(shown, ("program", "", "connected", "file"))
        note(
            "Any other program: `memdesk mcp` over standard input and output, or http://127.0.0.1:1337/mcp with a token."
        )
    return Exit.OK


def _tell(told: dict[str, Any], program: programs.Program, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(told, ensure_ascii=False, indent=2))
    elif "removed" in told:
        note(f"Taken out of {told['file']}." if told["removed"] else f"{program.title} was not connected.")
    else:
        note(f"{program.title} is connected ({told['file']}). Restart it to see memdesk's tools.")
