"""Runs a Python snippet with its own real Secret Service: a D-Bus session and gnome-keyring in a temporary home."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: The daemon reads the login password from standard input and makes the login collection with it.
SCRIPT = """
set -e
printf '%s' "$KEYRING_PASSWORD" | gnome-keyring-daemon --unlock --components=secrets >/dev/null
exec "$PYTHON" -c "$SNIPPET"
"""


def run_with_secret_service(snippet, home, *, password="test", timeout=120, unlock=True):
    """Return the finished process; its standard output is what the snippet printed."""
    home.mkdir(parents=True, exist_ok=True)
    runtime = home / "run"
    runtime.mkdir(mode=0o700, exist_ok=True)
    inherited = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    script = SCRIPT if unlock else SCRIPT.replace("--unlock", "--start")
    return subprocess.run(
        ["dbus-run-session", "--", "sh", "-c", script],
        env={
            **inherited,
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(runtime),
            "XDG_DATA_HOME": str(home / "share"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_CACHE_HOME": str(home / "cache"),
            "PYTHON": sys.executable,
            "PYTHONPATH": str(ROOT),
            "KEYRING_PASSWORD": password,
            "SNIPPET": snippet,
        },
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
