"""Start at login, by each platform's own means: XDG autostart, a launch agent, the Run key."""

from __future__ import annotations

import os
import plistlib
import shlex
import subprocess
import sys
from pathlib import Path

from memdesk.errors import EnvironmentFault

NAME = "memdesk"
LABEL = "org.memdesk.memdesk"


class AutostartError(EnvironmentFault):
    """The platform did not take the entry."""

    code = "autostart_failed"
    title = "Start at login could not be changed"


def start_command() -> list[str]:
    """Return the command that starts the window hidden in the tray, however memdesk was started itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "gui", "--hidden"]
    return [sys.executable, "-m", "memdesk", "gui", "--hidden"]


def set_start_at_login(*, on: bool, home: Path | None = None, platform: str = sys.platform) -> None:
    """Register or remove the start at login. Idempotent.

    Args:
        on: register, or remove.
        home: the user's home folder, for tests.
        platform: ``sys.platform``, for tests.

    Raises:
        AutostartError: the entry cannot be written or removed.
    """
    try:
        if platform == "win32":
            _windows(on=on)
        elif platform == "darwin":
            _file(_launch_agent(home), _launch_agent_text(), on=on)
        else:
            _file(_desktop_entry(home), _desktop_entry_text(), on=on)
    except OSError as failed:
        raise AutostartError(f"The entry could not be changed: {failed.strerror or failed}.") from failed


def _file(path: Path, data: bytes, *, on: bool) -> None:
    if not on:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _desktop_entry(home: Path | None) -> Path:
    config = None if home else os.environ.get("XDG_CONFIG_HOME")
    base = Path(config) if config else (home or Path.home()) / ".config"
    return base / "autostart" / f"{NAME}.desktop"


def _desktop_entry_text() -> bytes:
    lines = (
        "[Desktop Entry]",
        "Type=Application",
        "Name=memdesk",
        "Comment=Long-term memory for chat agents",
        f"Exec={shlex.join(start_command())}",
        "Terminal=false",
        "X-GNOME-Autostart-enabled=true",
        "",
    )
    return "\n".join(lines).encode()


def _launch_agent(home: Path | None) -> Path:
    return (home or Path.home()) / "Library" / "LaunchAgents" / f"{LABEL}.plist"


def _launch_agent_text() -> bytes:
    return plistlib.dumps({"Label": LABEL, "ProgramArguments": start_command(), "RunAtLoad": True})


def _windows(*, on: bool) -> None:
    if sys.platform != "win32":
        raise OSError("the Run key is Windows' own")
    import winreg

    key = r"Software\Microsoft\Windows\CurrentVersion\Run"
    with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key, 0, winreg.KEY_SET_VALUE) as run:
        if on:
            winreg.SetValueEx(run, NAME, 0, winreg.REG_SZ, subprocess.list2cmdline(start_command()))
        else:
            try:
                winreg.DeleteValue(run, NAME)
            except FileNotFoundError:
                return
