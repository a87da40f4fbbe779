"""An automatic daily backup of the memory, verified by opening it, and thinned out by age."""

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from memdesk.errors import EnvironmentFault, NotFoundError
from memdesk.messages import say
from memdesk.ports import Clock
from memdesk.services.guarding.backup import BackupReport, BackupService
from memdesk.services.settings import SettingsService
from memdesk.settings.files import drop_scratch

log = logging.getLogger(__name__)

#: Interval of snapshots.
EVERY: Final = timedelta(days=1)
#: Minimum delay after a failed one (a full disk, a missing folder).
RETRY: Final = timedelta(hours=1)
#: How many are kept, the newest of each: days, weeks, months.
KEPT: Final = (("%Y-%j", 7), ("%G-%V", 4), ("%Y-%m", 12))
_NAME: Final = "memdesk-%Y%m%d-%H%M%S.memdesk-backup"


@dataclass(frozen=True, slots=True)
class Snapshot:
    path: Path
    made_at: datetime
    bytes: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """A snapshot's contents, and the present number of rows of each kind."""

    holds: BackupReport
    now: dict[str, int]


class SnapshotService:
    """Keeps snapshots of the open memory.

    They are beside the memory, against a damaged file or a regretted change; against a failing disk, make a backup
    elsewhere. Forgotten data must not stay in them, so forgetting deletes earlier ones.
    """

    def __init__(self, *, backup: BackupService, folder: Path, settings: SettingsService, clock: Clock) -> None:
        self._backup = backup
        self._folder = folder
        self._settings = settings
        self._clock = clock
        self._failed_at: datetime | None = None
        #: A snapshot in progress was started before a forgetting: it must be finished before it can be deleted.
        self._lock = threading.Lock()

    def all(self) -> list[Snapshot]:
        """Return the snapshots, newest first."""
        return snapshots_in(self._folder)

    def compare(self, name: str) -> Comparison:
        """Open a snapshot by name with the open key, and count its rows and the present ones.

        Raises:
            NotFoundError: no snapshot has this name.
            BackupError: it is damaged.
            LockedError: the memory is locked, or the snapshot was written under another key.
        """
        with self._lock:
            found = next((one for one in self.all() if one.path.name == name), None)
            if found is None:
                raise NotFoundError(say("There is no such snapshot."), hint="GET /memory/snapshots lists them.")
            return Comparison(holds=self._backup.check(found.path), now=self._backup.now())

    def keep_if_due(self) -> BackupReport | None:
        """Make a snapshot if the last is a day old; return its contents.

        A failure is logged and retried later: it must not affect the memory itself.
        """
        now = self._clock.now()
        if not self._settings.current.memory.snapshots:
            return None
        newest = next(iter(self.all()), None)
        if newest is not None and newest.made_at <= now < newest.made_at + EVERY:
            return None
        if self._failed_at is not None and self._failed_at <= now < self._failed_at + RETRY:
            return None
        try:
            report = self.make()
        except EnvironmentFault as fault:
            log.warning("no snapshot: %s", fault.code)
            self._failed_at = now
            return None
        self._failed_at = None
        return report

    def make(self) -> BackupReport:
        """Make a snapshot now, open it and count its rows; then delete older ones.

        Raises:
            LockedError: the memory is locked.
            EnvironmentFault: it could not be written, or its contents are wrong.
        """
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as failed:
            raise EnvironmentFault(
                say("{folder} cannot be made: {failed}.", folder=self._folder, failed=failed.strerror or failed)
            ) from failed
        with self._lock:
            report = self._backup.backup(self._folder / self._clock.now().astimezone(UTC).strftime(_NAME))
            found = self.all()
            for one in surplus(found, self._settings.current.memory.snapshot_megabytes * 1_000_000):
                one.path.unlink(missing_ok=True)
        return report

    def drop(self) -> None:
        """Delete all snapshots, and leftovers of killed backups or restores: they contain what was forgotten since."""
        with self._lock:
            for one in self.all():
                one.path.unlink(missing_ok=True)
        for folder in (self._folder, self._folder.parent):
            drop_scratch(folder)


def snapshots_in(folder: Path) -> list[Snapshot]:
    """Return the snapshots of a folder, newest first, ignoring other files."""
    found = []
    for path in folder.glob("memdesk-*.memdesk-backup"):
        try:
            made_at = datetime.strptime(path.name, _NAME).replace(tzinfo=UTC)
        except ValueError:
            continue  # a backup that somebody put here under a name of their own
        found.append(Snapshot(path, made_at, path.stat().st_size))
    return sorted(found, key=lambda one: one.made_at, reverse=True)


def surplus(found: Sequence[Snapshot], room: int) -> list[Snapshot]:
    """Return the snapshots to delete.

    ``found`` is sorted newest first, and the newest is always kept; oldest are deleted until the rest fits ``room``
    bytes.
    """
    kept: set[Path] = set()
    for pattern, count in KEPT:
        newest: dict[str, Path] = {}
        for one in found:
            newest.setdefault(one.made_at.strftime(pattern), one.path)
        kept.update(list(newest.values())[:count])
    gone, used = [], 0
    for number, one in enumerate(found):
        fits = number == 0 or used + one.bytes <= room
        if one.path in kept and fits:
            used += one.bytes
        else:
            gone.append(one)
    return gone
