"""One encrypted file with everything, and restoring it; see ``archive`` for the format."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define

from memdesk.errors import ConflictError, EnvironmentFault
from memdesk.messages import say
from memdesk.services.guarding.archive import DATABASE, VAULT, StoreOpener, counted, pack, row_counts, unpack
from memdesk.settings.files import put_in_place, scratch_folder, unwritten_at

if TYPE_CHECKING:
    from memdesk.ports import Clock, StoreUpkeep, VaultPort
    from memdesk.services.guarding.vault import VaultService
    from memdesk.settings.paths import ProfilePaths


class BackupFault(EnvironmentFault):
    """The backup could not be written or restored."""

    code = "backup_failed"
    title = say("The backup failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupReport:
    """The contents of a backup. ``verified``: it was opened again and its rows counted."""

    path: str
    bytes: int
    created_at: datetime
    version: str
    counts: dict[str, int]
    verified: bool

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "created_at": self.created_at.isoformat()}


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreReport:
    """What was restored, and where the old memory was moved to (None: there was none)."""

    counts: dict[str, int]
    created_at: datetime
    replaced: str | None


VaultFactory = Callable[[Path], "VaultPort"]


@define(kw_only=True, eq=False, repr=False, slots=False)
class BackupService:
    """Writes backups of the open memory, and restores them.

    Args:
        opener: opens a database file for the check.
        vault_at: a vault over another file, without the keyring.
    """

    _store: StoreUpkeep
    _vault: VaultService
    _paths: ProfilePaths
    _clock: Clock
    _opener: StoreOpener
    _vault_at: VaultFactory

    def backup(self, path: Path | str, passphrase: str | None = None) -> BackupReport:
        """Write everything into ``path``, then open it again and count its rows.

        ``path`` must not exist; ``passphrase`` also opens this backup, besides the recovery code.

        Raises:
            ConflictError: the file exists.
            LockedError: the memory is locked.
            EnvironmentFault: it could not be written; nothing is left behind.
            BackupFault: the check failed.
        """
        target = Path(path).expanduser().absolute()
        if self._is_ours(target.parent.resolve()):
            raise ConflictError(
                say("{target} is among memdesk's own files.", target=target),
                hint=say("Choose another folder, preferably on another disk."),
            )
        key = self._vault.key()

        def fill(scratch: Path) -> None:
            self._store.backup(str(scratch / DATABASE), key)
            if passphrase:
                self._vault_at(scratch / VAULT).set_passphrase(key, passphrase)

        counts = write_backup(target, self._paths, key, self._clock.now(), self._opener, fill)
        report = inspect(target, self._vault_at, self._opener, key=key)
        if report.counts != counts:
            raise BackupFault(say("The backup was written, but does not hold what it should. Do not rely on it."))
        return report

    def check(
        self, path: Path | str, *, passphrase: str | None = None, recovery_code: str | None = None
    ) -> BackupReport:
        """Open a backup and return its contents; without a secret it uses the open key, as for snapshots.

        Raises:
            as :func:`inspect`; also LockedError: no secret was given, and the memory is locked.
        """
        key = None if passphrase or recovery_code else self._vault.key()
        return inspect(path, self._vault_at, self._opener, passphrase=passphrase, recovery_code=recovery_code, key=key)

    def now(self) -> dict[str, int]:
        """Return the present memory's row counts, as for a backup."""
        return counted(self._store)

    def restore(
        self, path: Path | str, *, passphrase: str | None = None, recovery_code: str | None = None
    ) -> RestoreReport:
        """Replace this profile's memory by a backup and open it; the settings stay.

        The backup is read through before anything is closed. Meanwhile the memory is locked, as by
        :meth:`VaultService.lock`. The old files are moved aside. Without a secret, the open key is used and the vault
        stays, with all its ways to open it.

        Raises:
            as :func:`restore`; the old memory can then be unlocked again.
        """
        self.check(path, passphrase=passphrase, recovery_code=recovery_code)
        if not (passphrase or recovery_code):
            with self._vault.closed() as key:
                return restore(
                    path, self._paths, self._vault_at, self._opener,
                    keyring_vault=self._vault_at(self._paths.vault), key=key, replace=True, settings=False,
                )  # fmt: skip
        self._vault.lock()
        report = restore(
            path,
            self._paths,
            self._vault_at,
            self._opener,
            keyring_vault=self._vault_at(self._paths.vault),
            passphrase=passphrase,
            recovery_code=recovery_code,
            replace=True,
            settings=False,
        )
        self._vault.unlock(passphrase=passphrase, recovery_code=recovery_code)
        return report

    def _is_ours(self, folder: Path) -> bool:
        """Whether a folder is one of the profile's, where a backup would be among its own sources."""
        if folder.is_relative_to(self._paths.snapshots.resolve()):
            return False
        return any(folder.is_relative_to(own.resolve()) for own in self._paths.folders)


def write_backup(
    target: Path,
    paths: ProfilePaths,
    key: bytes,
    created: datetime,
    opener: StoreOpener,
    fill: Callable[[Path], object],
) -> dict[str, int]:
    """Write a backup with the profile's vault and settings; return the rows counted in it.

    ``target`` must not exist; ``fill`` writes the database into a folder that already has the vault.

    Raises:
        ConflictError: the file exists.
        EnvironmentFault: it could not be written; nothing is left behind.
    """
    try:
        if target.exists():
            raise ConflictError(say("{target} exists already.", target=target), hint=say("Choose another name."))
        with scratch_folder(target.parent) as scratch:
            shutil.copyfile(paths.vault, scratch / VAULT)
            (scratch / "config").mkdir()
            for file in sorted(paths.config.glob("*.json")):
                shutil.copyfile(file, scratch / "config" / file.name)
            fill(scratch)
            counts = row_counts(opener, scratch / DATABASE, key)
            packed = scratch / "packed"
            pack(scratch, packed, created, counts)
            put_in_place(packed, target)
    except OSError as failed:
        raise unwritten_at(failed, target) from failed
    return counts


def inspect(
    path: Path | str,
    vault_at: VaultFactory,
    opener: StoreOpener,
    *,
    passphrase: str | None = None,
    recovery_code: str | None = None,
    key: bytes | None = None,
) -> BackupReport:
    """Open a backup and count its rows, without touching anything else.

    Raises:
        BackupError: it is not a backup, or damaged.
        LockedError: the secret does not open it.
    """
    source = Path(path)
    with scratch_folder(None) as scratch:
        manifest = unpack(source, scratch)
        key = key or vault_at(scratch / VAULT).open(passphrase=passphrase, recovery_code=recovery_code)
        counts = row_counts(opener, scratch / DATABASE, key)
    return BackupReport(
        path=str(source),
        bytes=source.stat().st_size,
        created_at=datetime.fromisoformat(manifest["created_at"]),
        version=str(manifest["memdesk"]),
        counts=counts,
        verified=True,
    )


def restore(
    path: Path | str,
    paths: ProfilePaths,
    vault_at: VaultFactory,
    opener: StoreOpener,
    *,
    keyring_vault: VaultPort,
    passphrase: str | None = None,
    recovery_code: str | None = None,
    key: bytes | None = None,
    replace: bool = False,
    settings: bool = True,
) -> RestoreReport:
    """Restore a backup into a profile that no process has open.

    The backup is opened and read through first; only then is anything moved. The old memory is moved
    aside into a folder ``replaced-<time>``, never deleted.

    One of ``passphrase``, ``recovery_code`` and ``key`` opens it; a key must be the one in the profile's vault, which
    then stays. ``keyring_vault``, the profile's own, stores the key, so that the next start asks nothing. ``replace``
    allows moving an old memory aside.

    Raises:
        BackupError: it is not a backup, or damaged.
        LockedError: the secret does not open it.
        ConflictError: a memory exists and ``replace`` is not set.
    """
    if paths.database.exists() and not replace:
        raise ConflictError(
            say("There is a memory in {data} already.", data=paths.data),
            hint=say("Restore with --replace: it is moved aside, not deleted."),
        )
    paths.ensure()
    with scratch_folder(paths.data) as scratch:
        manifest = unpack(Path(path), scratch)
        opens = key or vault_at(scratch / VAULT).open(passphrase=passphrase, recovery_code=recovery_code)
        counts = row_counts(opener, scratch / DATABASE, opens)
        created = datetime.fromisoformat(manifest["created_at"])
        try:
            aside = _move_aside(paths, vault=key is None)
            if key is None:
                # The vault goes first: a database without its vault would look like a memory that cannot be opened.
                put_in_place(scratch / VAULT, paths.vault)
            put_in_place(scratch / DATABASE, paths.database)
            if settings and (scratch / "config").is_dir():
                for file in (scratch / "config").iterdir():
                    put_in_place(file, paths.config / file.name)
        except OSError as failed:
            raise BackupFault(
                say("The backup could not be restored: {failed}.", failed=failed.strerror or failed)
            ) from failed
    if key is None:
        keyring_vault.open(passphrase=passphrase, recovery_code=recovery_code)
    return RestoreReport(counts=counts, created_at=created, replaced=str(aside) if aside else None)


def _move_aside(paths: ProfilePaths, *, vault: bool) -> Path | None:
    former = [
        file for file in (*([paths.vault] if vault else []), *sorted(paths.data.glob("memory.db*"))) if file.exists()
    ]
    if not former:
        return None
    number = 1
    while (aside := paths.data / f"replaced-{number}").exists():
        number += 1
    aside.mkdir(mode=0o700)
    for file in former:
        put_in_place(file, aside / file.name)
    return aside
