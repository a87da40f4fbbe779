"""Writes memdesk into the configuration of programs that speak the Model Context Protocol, and takes it out again.

Where each keeps its servers is as its own documentation says; files are JSON, changed by one entry, with a copy beside them.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from memdesk.errors import BadRequestError, EnvironmentFault, NotFoundError
from memdesk.messages import say

#: What the entry is called.
NAME: Final = "memdesk"
#: Ends the name of the copy of a file as it was before.
BACKUP: Final = ".before-memdesk"


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program that can be connected.

    Attributes:
        id: as it is named on the command line.
        title: as people call it.
        under: the key of its file under which servers are.
        way: ``http`` speaks to the running app with a token of its own, ``stdio`` starts ``memdesk mcp``.
        place: its file below a home folder, by system.
        extra: what else its entry has.
    """

    id: str
    title: str
    under: str
    way: Literal["http", "stdio"]
    place: Callable[[Path, str], Path]
    extra: tuple[tuple[str, Any], ...] = ()

    def file(self, home: Path | None = None, platform: str = sys.platform) -> Path:
        """Return its configuration file, which need not be there."""
        return self.place(Path.home() if home is None else home, platform)


def _config(home: Path, platform: str, *steps: str) -> Path:
    """Return a file in the folder where programs keep their settings."""
    if platform == "darwin":
        return home.joinpath("Library", "Application Support", *steps)
    if platform == "win32":
        return home.joinpath("AppData", "Roaming", *steps)
    return home.joinpath(".config", *steps)


PROGRAMS: Final[dict[str, Program]] = {
    program.id: program
    for program in (
        Program(
            id="claude-desktop",
            title="Claude Desktop",
            under="mcpServers",
            way="stdio",
            place=lambda home, system: _config(home, system, "Claude", "claude_desktop_config.json"),
        ),
        Program(
            id="cursor",
            title="Cursor",
            under="mcpServers",
            way="http",
            place=lambda home, _system: home / ".cursor" / "mcp.json",
        ),
        Program(
            id="vscode",
            title="VS Code",
            under="servers",
            way="http",
            place=lambda home, system: _config(home, system, "Code", "User", "mcp.json"),
            extra=(("type", "http"),),
        ),
        Program(
            id="zed",
            title="Zed",
            under="context_servers",
            way="stdio",
            place=lambda home, system: (
                home / ".config" / "zed" / "settings.json"
                if system == "darwin"
                else _config(home, system, "Zed" if system == "win32" else "zed", "settings.json")
            ),
        ),
        Program(
            id="lmstudio",
            title="LM Studio",
            under="mcpServers",
            way="http",
            place=lambda home, _system: home / ".lmstudio" / "mcp.json",
        ),
    )
}


def program_of(name: str) -> Program:
    """Return a program by its id.

    Raises:
        NotFoundError: it is not known.
    """
    found = PROGRAMS.get(name)
    if found is None:
        known = ", ".join(PROGRAMS)
        raise NotFoundError(say("There is no program {name}.", name=name), hint=say("There are {known}.", known=known))
    return found


def entry_of(program: Program, *, url: str, token: str, command: list[str], agent: str) -> dict[str, Any]:
    """Return what stands in the program's file for memdesk."""
    if program.way == "stdio":
        args = [*command[1:], "mcp", "--agent", agent]
        return {**dict(program.extra), "command": command[0], "args": args}
    # The token is of this agent alone, and names it.
    return {**dict(program.extra), "url": f"{url}/mcp", "headers": {"Authorization": f"Bearer {token}"}}


def connected(file: Path, program: Program) -> bool:
    """Whether memdesk stands in a program's file; one that cannot be read says no."""
    try:
        return NAME in _servers(_read(file), program, file)
    except BadRequestError:
        return False


def put(file: Path, program: Program, entry: dict[str, Any]) -> bool:
    """Write memdesk's entry; return whether that changed anything. Everything else in the file stays.

    Raises:
        BadRequestError: the file is no JSON, for instance because it has comments.
        EnvironmentFault: it cannot be written.
    """
    return _change(file, program, {**_servers(_read(file), program, file), NAME: entry})


def remove(file: Path, program: Program) -> bool:
    """Take memdesk's entry out; return whether it was there.

    Raises:
        BadRequestError: the file is no JSON.
        EnvironmentFault: it cannot be written.
    """
    servers = _servers(_read(file), program, file)
    return NAME in servers and _change(file, program, {name: value for name, value in servers.items() if name != NAME})


def _change(file: Path, program: Program, servers: dict[str, Any]) -> bool:
    found = _read(file)
    after = {**found, program.under: servers}
    if after == found:
        return False
    new = file.with_name(f"{file.name}.memdesk-new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists():
            shutil.copy2(file, file.with_name(file.name + BACKUP))
        # It may hold a token: only the user reads it.
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(json.dumps(after, ensure_ascii=False, indent=2) + "\n")
        new.replace(file.resolve())
    except OSError as error:
        raise EnvironmentFault(
            say("{file} could not be written: {strerror}.", file=str(file), strerror=str(error.strerror))
        ) from error
    return True


def _read(file: Path) -> dict[str, Any]:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequestError(say("{file} cannot be read.", file=str(file))) from error
    try:
        found = json.loads(text) if text.strip() else {}
    except ValueError as error:
        # With comments it is more than JSON, and they would be lost.
        raise BadRequestError(
            say("{file} is no plain JSON, perhaps for its comments.", file=str(file)),
            hint=say("“--preview” shows what to add by hand."),
        ) from error
    if not isinstance(found, dict):
        raise BadRequestError(say("{file} holds no settings.", file=str(file)))
    return found


def _servers(found: dict[str, Any], program: Program, file: Path) -> dict[str, Any]:
    servers = found.get(program.under, {})
    if not isinstance(servers, dict):
        raise BadRequestError(say("{file} holds no settings.", file=str(file)))
    return servers
