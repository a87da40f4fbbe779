"""``memdesk connect``: add memdesk, with its own token, to another program's configuration, or remove it."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memdesk.cli.backend import connect, connect_running, paths_of, running
from memdesk.cli.client import Client
from memdesk.cli.output import note, print_json, print_table
from memdesk.services.guarding import PROGRAMS, ConnectingService, Program, program_of, shown
from memdesk.settings.store import SettingsStore


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("program", nargs="?", help=f"one of {', '.join(PROGRAMS)}; a list of them when left out")
    parser.add_argument("--agent", default="default", metavar="ID", help="whose memory it reaches")
    parser.add_argument("--preview", action="store_true", help="only show what would be written, and where")
    parser.add_argument("--remove", action="store_true", help="disconnect it, and revoke its token")
    parser.add_argument("--file", type=Path, help="its configuration file, if it is not in the usual place")


class _Keys:
    """Tokens of the running app."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def issue(self, name: str, scopes: Sequence[str], agent: str) -> tuple[str, str]:
        body = {"name": name, "scopes": list(scopes), "agents": [agent]}
        made = self._client.post("/memory/tokens", body)
        return made["id"], made["secret"]

    def live(self, name: str) -> list[str]:
        found = self._client.get("/memory/tokens")["items"]
        return [token["id"] for token in found if token["name"] == name and not token["revoked"]]

    def revoke(self, token_id: str) -> object:
        return self._client.delete(f"/memory/tokens/{token_id}")


def run(options: argparse.Namespace) -> None:
    command = paths_of(options).command
    if options.program is None:
        with connect_running(options) as client:
            keys = None if client is None else _Keys(client)
            _list(ConnectingService(keys=keys, command=command), _address(options), as_json=options.json)
        return
    program = program_of(options.program)
    file: Path | None = options.file or program.file()
    told: dict[str, Any] = {} if file is None else {"file": str(file)}
    if options.preview:
        print_json(told | shown(program, url=_address(options), token="mdk-…", command=command))  # noqa: S106
        return
    with connect(options) as client:
        service = ConnectingService(keys=_Keys(client), command=command)
        if options.remove:
            told["removed"], told["revoked"] = service.disconnect(program.id, file=options.file)
        else:
            made = service.connect(program.id, url=_address(options), agent=options.agent, file=options.file)
            told |= {"connected": True} if file is not None else made
    _tell(told, program, as_json=options.json)


def _address(options: argparse.Namespace) -> str:
    """Return the running server's URL, which `--port` may have changed, or if none runs, its future one."""
    paths = paths_of(options)
    owner = running(paths)
    if owner is not None:
        return owner.url
    server = SettingsStore(paths.config).load().server
    return f"http://{server.host}:{server.port}"


def _list(service: ConnectingService, url: str, *, as_json: bool) -> None:
    rows = [
        {
            "program": each.program.id,
            "title": each.program.title,
            "file": str(each.file or ""),
            "connected": each.connected,
            "fault": each.fault,
        }
        for each in service.all()
    ]
    if as_json:
        print_json({"items": rows})
    else:
        cells = [(row["program"], row["title"], "yes" if row["connected"] else "no", row["file"]) for row in rows]
        print_table(cells, ("program", "", "connected", "file"))
        note(f"Any other program: `memdesk mcp` over standard input and output, or {url}/mcp with a token.")


def _tell(told: dict[str, Any], program: Program, *, as_json: bool) -> None:
    if as_json:
        print_json(told)
    elif "removed" in told:
        done = told["removed"] or told["revoked"]
        note(f"{program.title} is disconnected." if done else f"{program.title} was not connected.")
    elif "file" in told:
        note(f"{program.title} is connected ({told['file']}). Restart it to see memdesk's tools.")
    else:
        note(f"Enter this on {program.title}'s pages for connections and tool servers. The key is shown only once:")
        print(json.dumps(told, ensure_ascii=False, indent=2))
