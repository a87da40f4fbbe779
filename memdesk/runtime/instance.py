"""One process owns a profile's store; others find it and talk to its server.

``instance.lock`` is held by the operating system's own file lock for as long as the owner lives, so a crash
or a ``kill -9`` frees it. ``instance.json`` (0600) identifies the owner: process id, start time, the server's
address, and a random token for this run. It holds nothing that opens the memory, and the token is useless once the
process has ended. ``starting.json`` identifies a process that waits to become the owner, so that a command that had the
profile first can wait for that process's server before it ends.
"""

import json
import logging
import os
import secrets
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import filelock
import psutil

from memdesk.domain.decoding import decode
from memdesk.errors import ConflictError, DiskFullError, EnvironmentFault
from memdesk.messages import say
from memdesk.settings.files import write_atomic

log = logging.getLogger(__name__)

LOCK_FILE, OWNER_FILE, STARTING_FILE = "instance.lock", "instance.json", "starting.json"
#: A starting process may lose the lock to one that checks it; it retries for this long, in seconds.
PATIENCE = 1.0
#: How long a start waits for a command that has the profile to end, in seconds.
PATIENCE_WITH_COMMANDS = 60.0
#: Tolerance when comparing start times, in seconds.
_SAME_START = 2.0


class AlreadyRunningError(ConflictError):
    """Another process owns this profile."""

    code = "already_running"
    title = say("memdesk is already running")
    default_hint = say("Use its window, or quit it first.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The process that owns a profile.

    Attributes:
        started: when it started, in seconds since 1970.
        brief: it is a command that owns the profile while it runs.
        token: used by our own command line.
    """

    pid: int
    started: float
    brief: bool = False
    url: str = ""
    token: str = ""


class Instance:
    """Ownership of a profile's data folder."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._lock = filelock.FileLock(data / LOCK_FILE, mode=0o600, thread_local=False)
        self._owner: Owner | None = None

    @property
    def owner(self) -> Owner | None:
        """What this process published; None if it does not own the profile."""
        return self._owner

    def acquire(self, *, brief: bool = False) -> Owner:
        """Become the owner, ``brief`` for a command; replaces what a crash left, waits for running commands.

        Raises:
            AlreadyRunningError: another process is the owner; its pid is in the message.
            EnvironmentFault: the folder cannot be written.
        """
        me = os.getpid()
        owner = Owner(pid=me, started=_started(me), brief=brief, token=secrets.token_urlsafe(32))
        try:
            self._lock_for(owner)
            return self._publish(owner)
        except EnvironmentFault:
            self._lock.release()
            raise
        finally:
            if not brief:
                with suppress(OSError):  # what is left of an ended process counts for nothing
                    (self._data / STARTING_FILE).unlink()

    def _lock_for(self, owner: Owner) -> None:
        try:
            self._data.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not owner.brief:
                with suppress(DiskFullError):  # only for commands that end meanwhile
                    write_atomic(self._data / STARTING_FILE, json.dumps(asdict(replace(owner, token=""))).encode())
            self._wait_for_lock()
        except filelock.Timeout as error:
            other = find_owner(self._data)
            who = say(" (process {pid})", pid=other.pid) if other is not None else ""
            raise AlreadyRunningError(say("Another memdesk{who} uses this profile.", who=who)) from error
        except OSError as error:
            raise _cannot_write(error) from error

    def _wait_for_lock(self) -> None:
        until, unnamed = time.monotonic() + PATIENCE_WITH_COMMANDS, 0
        while True:
            try:
                self._lock.acquire(timeout=PATIENCE)
            except filelock.Timeout:
                other = find_owner(self._data)
                # A process that is starting or ending briefly has the lock without a name.
                unnamed += other is None
                if unnamed > 1 or (other is not None and not other.brief) or time.monotonic() > until:
                    raise
            else:
                return

    def announce(self, url: str) -> Owner:
        """Publish where the server listens (empty: no longer).

        Raises:
            ConflictError: this process does not own the profile.
            EnvironmentFault: the folder cannot be written.
        """
        if self._owner is None:
            raise ConflictError(say("This process does not own the profile."))
        return self._publish(replace(self._owner, url=url))

    def release(self) -> None:
        """Give the profile up. Idempotent."""
        if self._owner is not None:
            (self._data / OWNER_FILE).unlink(missing_ok=True)
            self._owner = None
        self._lock.release(force=True)

    def _publish(self, owner: Owner) -> Owner:
        try:
            write_atomic(self._data / OWNER_FILE, json.dumps(asdict(owner)).encode())
        except DiskFullError:
            # The lock is ours anyway. Others wait for an unnamed owner as for one that is starting.
            log.warning("other commands cannot be told of this process: the disk is full")
            (self._data / OWNER_FILE).unlink(missing_ok=True)
        except OSError as error:
            raise _cannot_write(error) from error
        self._owner = owner
        return owner


def _cannot_write(error: OSError) -> EnvironmentFault:
    return EnvironmentFault(say("The data folder cannot be written: {strerror}.", strerror=error.strerror))


def find_owner(data: Path) -> Owner | None:
    """Return the living owner of a data folder, or None.

    The lock is not touched, so that looking never interferes with a start. A process that reuses a dead owner's id
    differs in its start time.
    """
    return _living(data / OWNER_FILE)


def find_starting(data: Path) -> Owner | None:
    """Return the living process that waits to become the owner of a data folder, other than a command; or None."""
    return _living(data / STARTING_FILE)


def _living(file: Path) -> Owner | None:
    try:
        owner = Owner(**decode(file.read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
    try:
        alive = abs(_started(owner.pid) - owner.started) < _SAME_START
    except psutil.Error:
        return None
    return owner if alive else None


def _started(pid: int) -> float:
    return float(psutil.Process(pid).create_time())
