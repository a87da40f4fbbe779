"""``memdesk serve``: the local server without a window."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from types import FrameType

from memdesk.cli.backend import open_app, paths_of, tell_recovery_code
from memdesk.cli.exits import Exit
from memdesk.cli.prompts import secret_from_env


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("--host", help="address to listen on, instead of the settings'")
    parser.add_argument("--port", type=int, help="port to listen on, instead of the settings'; 0 takes a free one")
    parser.add_argument("--token-env", metavar="NAME", help="environment variable with a token to accept")


def run(options: argparse.Namespace) -> int:
    """Serve until SIGTERM or SIGINT; print one JSON line when requests are accepted."""
    stop = threading.Event()
    _on_signals(stop)
    token = secret_from_env(options.token_env)
    app, recovery_code = open_app(paths_of(options), options)
    try:
        tell_recovery_code(recovery_code)
        if token is not None:
            app.services.tokens.accept(token, name=options.token_env)
        url = app.start_server(host=options.host, port=options.port)
        print(json.dumps({"event": "ready", "url": url}), flush=True)
        app.start_background()
        while not stop.wait(3600.0):
            continue
    finally:
        app.close()
    return Exit.OK


def _on_signals(stop: threading.Event) -> None:
    def handle(number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            # A second signal is impatience: leave at once. What was acknowledged is on the disk.
            sys.exit(128 + number)
        stop.set()

    for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), handle)
