"""Adds memdesk to other programs' configurations, with a token for each, and removes it again.

The places of their server lists follow each program's documentation; files are JSON, possibly with comments, changed by
one entry, with a backup copy beside them.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from memdesk.domain.decoding import decode
from memdesk.errors import BadRequestError, NotFoundError
from memdesk.messages import say
from memdesk.ports.seams import ProgramTokens
from memdesk.services.guarding import commented
from memdesk.settings.files import unwritten

if TYPE_CHECKING:
    from memdesk.services.guarding.tokens import TokensService

#: The entry's name.
NAME: Final = "memdesk"
#: Where ``memdesk mcp`` finds the token of the program that starts it.
TOKEN_VARIABLE: Final = "MEMDESK_TOKEN"  # noqa: S105 - a name
#: Suffix of the copy of a file as it was before.
BACKUP: Final = ".before-memdesk"
#: Maximum size of a program's file; with many servers it has a few thousand characters.
MAX_BYTES: Final = 4 * 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """A program that can be connected.

    Attributes:
        way: ``http`` speaks to the running app, ``stdio`` starts ``memdesk mcp``, ``forms`` has forms of its own to
            fill in.
        under: the key of the server list in its file.
        place: its file below a home folder, by system; None if it has none.
        extra: further fields of its entry.
        scopes: its scopes: read and change its agent's memory, and chat if it can.
    """

    id: str
    title: str
    way: Literal["http", "stdio", "forms"]
    under: str = ""
    place: Callable[[Path, str], Path] | None = None
    extra: tuple[tuple[str, Any], ...] = ()
    scopes: tuple[str, ...] = ("memory:read", "memory:write")

    def file(self, home: Path | None = None, platform: str = sys.platform) -> Path | None:
        """Return its configuration file, which may not exist; None if it has none."""
        return None if self.place is None else self.place(Path.home() if home is None else home, platform)


def _config(home: Path, platform: str, *steps: str) -> Path:
    """Return a file in the system's folder for programs' settings."""
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
        # Its connections are in its own database: OpenAI's interface for models, MCP for tools.
        Program(id="openwebui", title="Open WebUI", way="forms", scopes=("chat", "memory:read", "memory:write")),
    )
}


def program_of(name: str) -> Program:
    """Return a program by its id.

    Raises:
        NotFoundError: it is unknown.
    """
    found = PROGRAMS.get(name)
    if found is None:
        known = ", ".join(PROGRAMS)
        raise NotFoundError(
            say("There is no program {name}.", name=name), hint=say("Use one of: {known}.", known=known)
        )
    return found


def shown(program: Program, *, url: str, token: str, command: Sequence[str]) -> dict[str, Any]:
    """Return memdesk's entry in the program's file, or the values for its forms. The token names the agent."""
    if program.way == "forms":
        mcp = {"type": "MCP (Streamable HTTP)", "url": f"{url}/mcp", "auth": "Bearer", "key": token}
        return {"openai": {"url": f"{url}/v1", "key": token}, "tools": mcp}
    return {program.under: {NAME: _entry(program, url=url, token=token, command=command)}}


def _entry(program: Program, *, url: str, token: str, command: Sequence[str]) -> dict[str, Any]:
    if program.way == "stdio":
        started = {"command": command[0], "args": [*command[1:], "mcp"]}
        return {**dict(program.extra), **started, "env": {TOKEN_VARIABLE: token}}
    return {**dict(program.extra), "url": f"{url}/mcp", "headers": {"Authorization": f"Bearer {token}"}}


def put(file: Path, program: Program, entry: dict[str, Any]) -> bool:
    """Write memdesk's entry; return whether that changed anything. Everything else in the file stays, comments too.

    Raises:
        BadRequestError: the file is not JSON.
        EnvironmentFault: it cannot be written.
    """
    text, found = _read(file)
    if _servers(found, program, file).get(NAME) == entry:
        return False
    _replace(file, commented.put(text, program.under, NAME, entry))
    return True


def remove(file: Path, program: Program) -> bool:
    """Remove memdesk's entry; return whether it existed.

    Raises:
        BadRequestError: the file is not JSON.
        EnvironmentFault: it cannot be written.
    """
    text, found = _read(file)
    if NAME not in _servers(found, program, file):
        return False
    _replace(file, commented.remove(text, program.under, NAME))
    return True


def _replace(file: Path, text: str) -> None:
    new = file.with_name(f"{file.name}.memdesk-new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists():
            shutil.copy2(file, file.with_name(file.name + BACKUP))
        # It may contain a token: only the user may read it.
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
        new.replace(file.resolve())
    except OSError as error:
        raise unwritten(error, file) from error


def _read(file: Path) -> tuple[str, dict[str, Any]]:
    """Return a file's text, and the settings in it."""
    cannot = BadRequestError(say("{file} cannot be read.", file=str(file)))
    try:
        if not file.exists():
            return "", {}
        # A pipe or a device would be read forever.
        if not file.is_file() or file.stat().st_size > MAX_BYTES:
            raise cannot
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise cannot from error
    told = commented.plain(text)
    try:
        # Decoded only to check it: everything besides our entry stays exactly as it is.
        decode(told)
        found = json.loads(told)
    except ValueError as error:
        raise BadRequestError(cannot.message, hint=say("Add the entry by hand; the preview shows it.")) from error
    if not isinstance(found, dict):
        raise BadRequestError(say("{file} holds no settings.", file=str(file)))
    return text, found


def _servers(found: dict[str, Any], program: Program, file: Path) -> dict[str, Any]:
    servers = found.get(program.under, {})
    if not isinstance(servers, dict):
        raise BadRequestError(say("{file} holds no settings.", file=str(file)))
    return servers


class StoredKeys:
    """Tokens of the open memory."""

    def __init__(self, tokens: TokensService) -> None:
        self._tokens = tokens

    def issue(self, name: str, scopes: Sequence[str], agent: str) -> tuple[str, str]:
        token, secret = self._tokens.create(name, scopes, [agent])
        return token.id, secret

    def live(self, name: str) -> list[str]:
        return [token.id for token in self._tokens.all() if token.name == name and not token.revoked]

    def revoke(self, token_id: str) -> object:
        return self._tokens.revoke(token_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """The state of a program: installed or not, connected or not, and what prevents it."""

    program: Program
    file: Path | None
    installed: bool
    connected: bool
    fault: str = ""


class ConnectingService:
    """Connects programs, each with a token of its name.

    Args:
        keys: the tokens; None if unavailable; then only files are checked.
        command: the command that starts memdesk with this profile.
        home: the home folder of programs' files; None for the user's.
    """

    def __init__(self, *, keys: ProgramTokens | None, command: Sequence[str], home: Path | None = None) -> None:
        self._keys = keys
        self._command = command
        self._home = home

    def all(self) -> list[Connection]:
        return [self._look(program) for program in PROGRAMS.values()]

    def connect(self, name: str, *, url: str, agent: str, file: Path | None = None) -> dict[str, Any]:
        """Connect a program with a new token; the old one is revoked once the new one is in the file.

        ``url`` has no path; ``file`` is its configuration file if elsewhere. Returns what was written, or what to enter
        into a program without a file.

        Raises:
            BadRequestError: the file is not JSON; no token is left behind.
            EnvironmentFault: it cannot be written.
            NotFoundError: there is no such program.
        """
        program = program_of(name)
        place = file or program.file(self._home)
        return self._renew(program, agent, url, lambda made: _write(place, program, made))

    def by_hand(self, name: str, *, url: str, agent: str) -> dict[str, Any]:
        """Return what to put into a program's file by hand, with a new token; the old one is revoked."""
        return self._renew(program_of(name), agent, url, lambda _made: None)

    def disconnect(self, name: str, *, file: Path | None = None) -> tuple[bool, int]:
        """Remove memdesk from a program's file; return whether it was there, and how many tokens were revoked.

        Raises:
            BadRequestError: the file is not JSON.
            EnvironmentFault: it cannot be written.
        """
        program = program_of(name)
        place = file or program.file(self._home)
        removed = place is not None and remove(place, program)
        keys = self._known_keys()
        tokens = keys.live(program.title)
        for token in tokens:
            keys.revoke(token)
        return removed, len(tokens)

    def _renew(self, program: Program, agent: str, url: str, use: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        keys = self._known_keys()
        former = keys.live(program.title)
        token_id, secret = keys.issue(program.title, program.scopes, agent)
        told = shown(program, url=url, token=secret, command=self._command)
        try:
            use(told)
        except BaseException:
            keys.revoke(token_id)
            raise
        for token in former:
            keys.revoke(token)
        return told

    def _known_keys(self) -> ProgramTokens:
        assert self._keys is not None, "made for looking only"
        return self._keys

    def _look(self, program: Program) -> Connection:
        file = program.file(self._home)
        if file is None:
            live = self._keys is not None and bool(self._keys.live(program.title))
            return Connection(program=program, file=None, installed=True, connected=live)
        try:
            there, fault = NAME in _servers(_read(file)[1], program, file), ""
        except BadRequestError as error:
            there, fault = False, error.message
        return Connection(program=program, file=file, installed=file.parent.is_dir(), connected=there, fault=fault)


def _write(file: Path | None, program: Program, told: dict[str, Any]) -> None:
    if file is not None:
        put(file, program, told[program.under][NAME])
