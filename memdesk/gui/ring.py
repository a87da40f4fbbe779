"""Rings for the window of a profile, without Qt: the command line does so before it knows whether to open one."""

import hashlib
import os
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

ANSWER: Final = b"here"
#: What a window can be asked for besides coming forward; a backup to be looked at is asked for by its ``file:`` address.
QUICK: Final = "quick"
#: What a desktop hands to a program that it starts, so that it may take the focus (Wayland).
FOCUS: Final = "XDG_ACTIVATION_TOKEN"
#: How long a window that is still opening is waited for, in seconds.
PATIENCE: Final = 3.0
#: How long its main thread may be at work when it is rung for, in seconds.
ANSWER_SECONDS: Final = 2.0
_LOOK_AGAIN: Final = 0.1


def address(folder: Path) -> str:
    """Return where the window of the profile whose settings are in ``folder`` listens."""
    name = f"memdesk-{hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]}"
    if sys.platform == "win32":
        return name
    return str(Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()) / name)


def ring(folder: Path, wish: str = "", *, patience: float = PATIENCE) -> bool:
    """Ask the window of a profile to come to the front; return whether there is one.

    Args:
        folder: the profile's folder of settings.
        wish: :data:`QUICK` for quick entry in the window's place, or a backup's address.
        patience: how long to wait for one that is still opening, in seconds.
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
