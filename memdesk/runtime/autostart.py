"""Start at login, by each platform's own means: XDG autostart, a launch agent, the Run key."""

import contextlib
import hashlib
import importlib
import json
import os
import plistlib
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from memdesk.errors import EnvironmentFault
from memdesk.messages import say

NAME = "memdesk"
LABEL = "org.memdesk.memdesk"
#: Characters that an ``Exec`` line may have only within quotes.
_RESERVED = re.compile(r"[\s\"'\\><~|&;$*?#()`]")


class AutostartError(EnvironmentFault):
    """The platform refused the entry."""

    code = "autostart_failed"
    title = say("Start at login could not be changed")


def start_command(options: Sequence[str] = (), platform: str = sys.platform) -> list[str]:
    """Return the command that starts the window hidden in the tray, however memdesk was started itself.

    ``options`` select this profile on the command line, such as ``("--profile", "work")``.
    """
    program = _without_console(sys.executable) if platform == "win32" else sys.executable
    if getattr(sys, "frozen", False):
        return [program, *options, "gui", "--hidden"]
    return [program, "-m", "memdesk", *options, "gui", "--hidden"]


def _without_console(program: str) -> str:
    """Return the executable's variant without a terminal on Windows (``pythonw.exe``, ``memdeskw.exe``), if any."""
    path = Path(program)
    quiet = path.with_name(f"{path.stem}w{path.suffix}")
    return str(quiet) if quiet.exists() else program


def set_start_at_login(
    *, on: bool, options: Sequence[str] = (), home: Path | None = None, platform: str = sys.platform
) -> None:
    """Register or remove one profile's start at login. Idempotent.

    Each profile has its own entry, by its ``options`` (see :func:`start_command`).

    Raises:
        AutostartError: the entry cannot be written or removed.
    """
    command = start_command(options, platform)
    try:
        if platform == "win32":
            _run_key(_name(NAME, options), command, on=on)
        elif platform == "darwin":
            label = _name(LABEL, options)
            path = (home or Path.home()) / "Library" / "LaunchAgents" / f"{label}.plist"
            _file(path, _launch_agent(label, command), on=on)
        else:
            _file(_autostart_folder(home) / f"{_name(NAME, options)}.desktop", _desktop_entry(command), on=on)
    except OSError as failed:
        raise AutostartError(
            say("The entry could not be changed: {failed}.", failed=failed.strerror or failed)
        ) from failed


def _name(base: str, options: Sequence[str]) -> str:
    """Return the entry's name; the default profile has the plain one."""
    if not options:
        return base
    return f"{base}-{hashlib.sha256(json.dumps(list(options)).encode()).hexdigest()[:8]}"


def _file(path: Path, data: bytes, *, on: bool) -> None:
    if not on:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _autostart_folder(home: Path | None) -> Path:
    config = None if home else os.environ.get("XDG_CONFIG_HOME")
    return (Path(config) if config else (home or Path.home()) / ".config") / "autostart"


def _desktop_entry(command: Sequence[str]) -> bytes:
    lines = (
        "[Desktop Entry]",
        "Type=Application",
        "Name=memdesk",
        "Comment=Long-term memory for chat agents",
        "Icon=memdesk",
        f"Exec={' '.join(_exec_word(word) for word in command)}",
        "Terminal=false",
        "X-GNOME-Autostart-enabled=true",
        "",
    )
    return "\n".join(lines).encode()


def _exec_word(word: str) -> str:
    """Quote one word of an ``Exec`` line: https://specifications.freedesktop.org/desktop-entry-spec/latest/exec-variables.html.

    A shell's quotes are not understood there; a percent sign begins a field code; and a backslash is unescaped twice,
    once for the file's text and once within the quotes.
    """
    word = word.replace("%", "%%")
    if word and not _RESERVED.search(word):
        return word
    quoted = re.sub(r'(["`$\\])', r"\\\1", word)
    return '"' + quoted.replace("\\", "\\\\") + '"'


def _launch_agent(label: str, command: Sequence[str]) -> bytes:
    return plistlib.dumps(
        {"Label": label, "ProgramArguments": list(command), "RunAtLoad": True, "LimitLoadToSessionType": "Aqua"}
    )


def _run_key(name: str, command: Sequence[str], *, on: bool) -> None:
    # Imported by name: it exists only on Windows.
    winreg = importlib.import_module("winreg")
    key = r"Software\Microsoft\Windows\CurrentVersion\Run"
    with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key, 0, winreg.KEY_SET_VALUE) as run:
        if on:
            winreg.SetValueEx(run, name, 0, winreg.REG_SZ, subprocess.list2cmdline(command))
        else:
            with contextlib.suppress(FileNotFoundError):
                winreg.DeleteValue(run, name)
