"""An automatic daily backup of the memory, verified by opening it and thinned out with age."""

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

#: From one snapshot to the next.
EVERY: Final = timedelta(days=1)
#: After one that failed (a full disk, a folder that is away) the next is tried no sooner than this.
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
    """What a snapshot holds, and how many rows of each kind are here now."""

    holds: BackupReport
    now: dict[str, int]


class SnapshotService:
    """Keeps snapshots of the open memory.

    They lie beside the memory: they are for a file that was damaged or a change that is regretted. For a disk that fails,
    make a backup elsewhere. What is forgotten must not stay in them, so forgetting drops those that were made before.
    """

    def __init__(self, *, backup: BackupService, folder: Path, settings: SettingsService, clock: Clock) -> None:
        self._backup = backup
        self._folder = folder
        self._settings = settings
        self._clock = clock
        self._failed_at: datetime | None = None
        #: One that is being made was begun before a forgetting: it has to be there to be dropped.
        self._lock = threading.Lock()

    def all(self) -> list[Snapshot]:
        """Return what is there, the newest first."""
        return snapshots_in(self._folder)

    def compare(self, name: str) -> Comparison:
        """Open a snapshot of this name with the key that is open, and count what it holds and what is here.

        Raises:
            NotFoundError: there is none of this name.
            BackupError: it is damaged.
            LockedError: the memory is locked, or the snapshot was written under another key.
        """
        with self._lock:
            found = next((one for one in self.all() if one.path.name == name), None)
            if found is None:
                raise NotFoundError(say("There is no such snapshot."), hint="GET /memory/snapshots lists them.")
            return Comparison(holds=self._backup.check(found.path), now=self._backup.now())

    def keep_if_due(self) -> BackupReport | None:
        """Make a snapshot if the last is a day old; return what it holds.

        One that cannot be made is logged and tried again later: the memory itself must not suffer from it.
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
            EnvironmentFault: it could not be written, or does not hold what it should.
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
        """Delete all snapshots, and what a killed backup or restore left: they hold what was forgotten since."""
        with self._lock:
            for one in self.all():
                one.path.unlink(missing_ok=True)
        for folder in (self._folder, self._folder.parent):
            drop_scratch(folder)


def snapshots_in(folder: Path) -> list[Snapshot]:
    """Return the snapshots of a folder, the newest first; other files are passed over."""
    found = []
    for path in folder.glob("memdesk-*.memdesk-backup"):
        try:
            made_at = datetime.strptime(path.name, _NAME).replace(tzinfo=UTC)
        except ValueError:
            continue  # a backup that somebody put here under a name of their own
        found.append(Snapshot(path, made_at, path.stat().st_size))
    return sorted(found, key=lambda one: one.made_at, reverse=True)


def surplus(found: Sequence[Snapshot], room: int) -> list[Snapshot]:
    """Return those that are not kept.

    ``found`` has the newest first, which is never surplus; the oldest go until the rest fits ``room`` bytes.
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
