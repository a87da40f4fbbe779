"""``memdesk gui``: the window."""

import argparse
import os
import sys
from functools import partial
from pathlib import Path

from memdesk.cli.backend import paths_of, running
from memdesk.cli.client import Client
from memdesk.cli.exits import Exit
from memdesk.cli.output import note, print_error
from memdesk.cli.secrets import given_passphrase, given_recovery_code
from memdesk.errors import EnvironmentFault, MissingPartError


class NoDisplayError(EnvironmentFault):
    code = "no_display"
    title = "No window can be shown"
    default_hint = "Start the server instead: memdesk serve"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("backup", type=Path, nargs="?", help="a backup to look at, and to restore from")
    parser.add_argument("--hidden", action="store_true", help="start in the tray")


def run(options: argparse.Namespace) -> int:
    """Open the window, or bring the open one to the front."""
    return show(options, hidden=options.hidden, wish=options.backup.absolute().as_uri() if options.backup else "")


def show(options: argparse.Namespace, *, hidden: bool, wish: str) -> int:
    """Bring the window, or quick entry, to the front if memdesk is running; else start it.

    ``wish``: see :func:`memdesk.gui.ring.ring`.

    Raises:
        AlreadyRunningError: it is running without a window.
        NoDisplayError: there is no display.
        MissingPartError: Qt is not installed.
    """
    paths = paths_of(options)
    from memdesk.gui.ring import QUICK, ring
    from memdesk.runtime.instance import AlreadyRunningError, find_owner

    told = "quick entry" if wish == QUICK else "its window"
    if find_owner(paths.data) is not None and ring(paths.config, wish):
        note(f"memdesk is running already; {told} was brought to the front.")
        return Exit.OK
    owner = running(paths)
    if owner is not None:
        with Client(owner.url, owner.token) as client:
            there = client.post("/memory/window", {})["window"]
        if not there:
            raise AlreadyRunningError(
                f"memdesk (process {owner.pid}) is running without a window.",
                hint="Quit it first: it has the memory open.",
            )
        note("memdesk is running already; its window was brought to the front.")
        return Exit.OK
    if sys.platform.startswith("linux") and not _has_display():
        raise NoDisplayError("Neither DISPLAY nor WAYLAND_DISPLAY is set.")
    from memdesk.bootstrap.app import App

    try:
        from memdesk.gui.app import make_application
        from memdesk.gui.app import run as run_window
        from memdesk.gui.application import telling_why_not
    except ImportError as error:
        missing = MissingPartError.of(error)
        if missing is None:
            raise
        raise missing from error

    with telling_why_not(partial(_end, as_json=options.json)):
        make_application(sys.argv[:1])
    passphrase, code = given_passphrase(options), given_recovery_code(options)
    app = App(paths)
    return run_window(lambda: app.open_window(passphrase, code), app_controls=app, hidden=hidden, wish=wish)


def _end(reason: str, *, as_json: bool) -> None:
    """Say why there is no window and exit, where Qt would abort with a core dump. Nothing is open yet."""
    from memdesk.gui.application import missing_library

    missing = missing_library() if sys.platform.startswith("linux") else ""
    error = NoDisplayError(reason.rstrip(".") + ".")
    if missing:
        hint = f"On Debian and Ubuntu: sudo apt-get install {_debian_package(missing)}. Without a window: memdesk serve"
        error = NoDisplayError(f"Qt needs {missing}, which is not installed or cannot be loaded.", hint=hint)
    print_error(error, as_json=as_json)
    sys.stderr.flush()
    os._exit(Exit.ENVIRONMENT)


def _debian_package(library: str) -> str:
    """Return the name of a library's Debian package: its name and version, joined by Debian's policy."""
    name, _, version = library.lower().partition(".so.")
    return name + ("-" if name[-1].isdigit() else "") + version


def _has_display() -> bool:
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
