"""``memdesk serve``: the local server without a window."""

import argparse
import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from memdesk.cli.backend import open_app, paths_of, tell_recovery_code
from memdesk.cli.secrets import secret_from
from memdesk.runtime.collecting import spare

#: Seconds after which the code for most requests is loaded.
SPARE_SECONDS: Final = 20.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", help="address to listen on, instead of the settings'")
    parser.add_argument("--port", type=port, help="port to listen on, instead of the settings'; 0 takes a free one")
    parser.add_argument("--token-env", metavar="NAME", help="environment variable with a token to accept")
    parser.add_argument("--token-fd", type=int, metavar="N", help="file descriptor to read such a token from")
    parser.add_argument("--token-file", metavar="FILE", help="file with such a token, which only you may read")
    parser.add_argument(
        "--store",
        metavar="URL",
        help="be one of several servers on this PostgreSQL (postgresql://...): mem0's addresses only",
    )
    parser.add_argument("--store-env", metavar="NAME", help="environment variable with that address")
    parser.add_argument("--tenant", default="default", help="with --store: whose memory the token reaches (default)")
    parser.add_argument("--upstream", metavar="URL", help="give memory to the chat of this server (http://.../v1)")
    parser.add_argument("--upstream-key-env", metavar="NAME", help="environment variable with that server's key")
    parser.add_argument("--upstream-key-fd", type=int, metavar="N", help="file descriptor to read that key from")
    parser.add_argument("--upstream-key-file", metavar="FILE", help="file with that key, which only you may read")


def port(text: str) -> int:
    """Return a port's number. Raises ``ArgumentTypeError``."""
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text} is not a port: ports go from 0 to 65535")
    return int(text)


def run(options: argparse.Namespace) -> None:
    """Serve until SIGTERM or SIGINT; print one JSON line when requests are accepted."""
    if options.store or options.store_env:
        return _run_shared(options)
    with signals() as awake:
        token = secret_from(options, "token")
        upstream = (options.upstream, secret_from(options, "upstream_key") or "") if options.upstream else None
        app, recovery_code = open_app(paths_of(options), options)
        try:
            tell_recovery_code(recovery_code)
            if token is not None:
                app.services.tokens.accept(token, name=options.token_env or "command line option")
            url = app.start_server(host=options.host, port=options.port, upstream=upstream)
            print(json.dumps({"event": "ready", "url": url}), flush=True)
            app.start_background()
            app.services.lanes.later(SPARE_SECONDS, "background", spare, key="spare")
            awake.recv(1)
        finally:
            app.close()


def _run_shared(options: argparse.Namespace) -> None:
    """Serve over PostgreSQL; a given token is stored there, for every server."""
    from memdesk.bootstrap.shared import SharedServer

    server = SharedServer(options.store or os.environ.get(options.store_env, ""))
    try:
        token = secret_from(options, "token")
        if token is not None:
            server.admit(token, options.tenant)
        server.run(
            options.host or "127.0.0.1",
            8000 if options.port is None else options.port,
            lambda url: print(json.dumps({"event": "ready", "url": url}), flush=True),
        )
    finally:
        server.close()


@contextmanager
def signals() -> Iterator[socket.socket]:
    """Yield a socket that becomes readable after SIGTERM or SIGINT.

    The system may deliver a signal to any thread, which would not wake the main one; Python writes to the socket at once.
    """
    told = threading.Event()

    def handle(number: int, _frame: FrameType | None) -> None:
        if told.is_set():
            # A second signal means exit at once. What was acknowledged is on disk.
            sys.exit(128 + number)
        told.set()

    awake, wake = socket.socketpair()
    with awake, wake:
        wake.setblocking(False)
        former = signal.set_wakeup_fd(wake.fileno())
        for name in ("SIGINT", "SIGTERM", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), handle)
        try:
            yield awake
        finally:
            signal.set_wakeup_fd(former)
