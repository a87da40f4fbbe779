"""Rings for a profile's window, without Qt: the command line tries this before opening one."""

import hashlib
import os
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

ANSWER: Final = b"here"
#: A wish besides coming to the front; a backup to show is given by its ``file:`` URL.
QUICK: Final = "quick"
#: Environment variables with the desktop's activation token, for taking focus (Wayland).
FOCUS: Final = "XDG_ACTIVATION_TOKEN"
#: How long to wait for a window that is still opening, in seconds.
PATIENCE: Final = 3.0
#: How long its main thread may be busy, in seconds.
ANSWER_SECONDS: Final = 2.0
_LOOK_AGAIN: Final = 0.1


def address(folder: Path) -> str:
    """Return the socket of the window whose settings are in ``folder``."""
    name = f"memdesk-{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]}"
    if sys.platform == "win32":
        return name
    return str(Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()) / name)


def ring(folder: Path, wish: str = "", *, patience: float = PATIENCE) -> bool:
    """Ask the window of a profile to come to the front; return whether there is one.

    Args:
        folder: the profile's folder of settings.
        wish: :data:`QUICK` for quick entry instead of the window, or a backup's URL.
        patience: how long to wait for a window that is still opening, in seconds.
    """
    until = time.monotonic() + patience
    while not _answered(address(folder), wish):
        if time.monotonic() >= until:
            return False
        time.sleep(_LOOK_AGAIN)
    return True


def _answered(place: str, wish: str) -> bool:
    asked = f"{os.environ.get(FOCUS, '')} {wish}\n".encode()
    try:
        if sys.platform == "win32":
            with Path(rf"\\.\pipe\{place}").open("r+b", buffering=0) as pipe:
                pipe.write(asked)
                return pipe.read(len(ANSWER)) == ANSWER
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(ANSWER_SECONDS)
            line.connect(place)
            line.sendall(asked)
            return line.recv(len(ANSWER)) == ANSWER
    except OSError:
        return False
