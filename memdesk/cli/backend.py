"""How a command reaches the memory: by HTTP, always.

If an instance owns the profile, the command connects to it. Otherwise it becomes the owner while it runs: it
opens the memory, starts a server on a free loopback port, and connects to itself.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from memdesk.cli.client import Client
from memdesk.cli.output import note, progress
from memdesk.cli.prompts import ask_secret
from memdesk.cli.secrets import given_passphrase, given_recovery_code
from memdesk.errors import EngineError, MemdeskError
from memdesk.settings.paths import ProfilePaths, profile_paths

if TYPE_CHECKING:
    from memdesk.bootstrap.app import App
    from memdesk.runtime.instance import Owner

#: Seconds to wait for an instance that is starting.
PATIENCE = 15.0
_LOOK_AGAIN = 0.1
#: Prompt for when the key is not available otherwise.
_QUESTIONS = {"passphrase_required": "Passphrase", "no_keyring": "New passphrase", "recovery_required": "Recovery code"}


def paths_of(options: argparse.Namespace) -> ProfilePaths:
    return profile_paths(options.profile, options.home)


def running(paths: ProfilePaths) -> Owner | None:
    """Return the instance that owns the profile and has a server, or None.

    Raises:
        AlreadyRunningError: an instance owns it, but has no server.
    """
    from memdesk.runtime.instance import AlreadyRunningError, find_owner

    until = time.monotonic() + PATIENCE
    while (owner := find_owner(paths.data)) is not None and owner.pid != os.getpid():
        waited = time.monotonic() > until
        # Another command's server ends with that command: wait for it rather than be cut off.
        if owner.url and (waited or not owner.brief):
            return owner
        if waited:
            hint = "Its server is switched off: use its window, or switch the server on in its settings."
            raise AlreadyRunningError(f"memdesk (process {owner.pid}) has the memory open.", hint=hint)
        time.sleep(_LOOK_AGAIN)
    return None


@contextmanager
def connect(options: argparse.Namespace, *, settle: bool = False) -> Iterator[Client]:
    """Yield a client of the running instance, or of one that lasts as long as the block.

    With ``settle``, our own instance embeds what the block added before it ends; a running one does so anyway.
    """
    owner, opened = _reach(options)
    if owner is not None:
        with Client(owner.url, owner.token) as client:
            yield client
        return
    assert opened is not None
    app, recovery_code = opened
    try:
        tell_recovery_code(recovery_code)
        url = app.start_server(host="127.0.0.1", port=0)
        app.start_indexing()
        with Client(url, app.token) as client:
            yield client
        if settle:
            _embed(app)
    finally:
        app.close()
    _leave_to_server(paths_of(options))


def _leave_to_server(paths: ProfilePaths) -> None:
    """Wait for a server that was started before this command and waited for it: "memdesk serve & memdesk tokens create"."""
    from memdesk.runtime.instance import AlreadyRunningError, find_starting

    until = time.monotonic() + PATIENCE
    while find_starting(paths.data) is not None and time.monotonic() < until:
        time.sleep(_LOOK_AGAIN)
    with suppress(AlreadyRunningError):  # a window without a server
        running(paths)


def _reach(options: argparse.Namespace) -> tuple[Owner | None, tuple[App, str | None] | None]:
    """Return the running instance, or our own app with the recovery code of a new memory.

    A server started just before this command may not own the profile yet when checked, but take it before this
    command does.
    """
    from memdesk.runtime.instance import AlreadyRunningError

    paths = paths_of(options)
    owner = running(paths)
    if owner is not None:
        return owner, None
    try:
        return None, open_app(paths, options, brief=True)
    except AlreadyRunningError:
        owner = running(paths)
        if owner is None:
            raise
        return owner, None


def _embed(app: App) -> None:
    with progress(None, "embedding", "text") as bar:
        try:
            app.finish_indexing(bar.update)
        except EngineError as error:
            note(f"{error.title}: {error.message} What is missing is embedded at the next start.")


@contextmanager
def connect_running(options: argparse.Namespace) -> Iterator[Client | None]:
    """Yield a client of the running instance, or None; does not open the memory."""
    owner = running(paths_of(options))
    if owner is None:
        yield None
        return
    with Client(owner.url, owner.token) as client:
        yield client


@contextmanager
def own_profile(paths: ProfilePaths) -> Iterator[None]:
    """Own the profile, without opening its memory, for the duration of the block.

    Raises:
        AlreadyRunningError: another process owns it.
    """
    from memdesk.runtime.instance import Instance

    paths.ensure()
    instance = Instance(paths.data)
    instance.acquire()
    try:
        yield
    finally:
        instance.release()


def open_app(paths: ProfilePaths, options: argparse.Namespace, *, brief: bool = False) -> tuple[App, str | None]:
    """Open the memory, or create one; return the app and, for a new memory, its recovery code.

    The passphrase or recovery code comes from the options, or if needed from a prompt at the terminal. ``brief``: only
    for one command.

    Raises:
        LockedError: the key is not available.
        AlreadyRunningError: another process owns the profile.
    """
    from memdesk.bootstrap.app import App
    from memdesk.services.events import Notice

    passphrase, code = given_passphrase(options), given_recovery_code(options)
    app = App(paths, brief=brief)
    try:
        app.services.events.subscribe(Notice, lambda told: note(f"{told.title}: {told.message} {told.hint}".strip()))
        try:
            return app, app.open(passphrase, code)
        except MemdeskError as error:
            question = _QUESTIONS.get(error.code)
            asked = ask_secret(question) if question and passphrase is None and code is None else None
            if not asked:
                raise
            if error.code == "recovery_required":
                return app, app.open(recovery_code=asked)
            return app, app.open(asked)
    except BaseException:
        app.close()
        raise


def tell_recovery_code(code: str | None) -> None:
    """Show the recovery code of a new memory, once, on stderr."""
    if code is not None:
        note("A new memory was made. This recovery code opens it when its keyring or passphrase is lost.")
        note(f"Write it down; it is not shown again:\n\n    {code}\n")
