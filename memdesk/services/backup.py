"""One encrypted file that holds everything, and the way back from it.

A backup is a ZIP archive, stored without compression (ciphertext does not shrink), of

    manifest.json   format, version, time, sizes and SHA-256 of the other members; no content
    memory.db       the encrypted database, copied while it is in use
    vault.json      the data key, wrapped by the recovery code and, if given, by a passphrase
    config/*.json   settings

so it opens on another machine with the recovery code or the passphrase, and with nothing less.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memdesk import __version__
from memdesk.errors import BadRequestError, ConflictError, EnvironmentFault

if TYPE_CHECKING:
    from memdesk.ports import Clock, Store, VaultPort
    from memdesk.services.vault import VaultService
    from memdesk.settings.paths import ProfilePaths

FORMAT: Final = 1
_MANIFEST: Final = "manifest.json"
_DATABASE: Final = "memory.db"
_VAULT: Final = "vault.json"


class BackupError(BadRequestError):
    """A file that is no backup, or not a whole one."""

    code = "backup_unusable"
    title = "That backup cannot be used"


class BackupFault(EnvironmentFault):
    """The backup could not be written or put back."""

    code = "backup_failed"
    title = "The backup failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupReport:
    """What a backup holds. ``verified``: it was opened again and its rows counted."""

    path: str
    bytes: int
    created_at: datetime
    version: str
    counts: dict[str, int]
    verified: bool

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        return {**asdict(self), "created_at": self.created_at.isoformat()}


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreReport:
    """What was put back, and where the former memory was moved to (None: there was none)."""

    counts: dict[str, int]
    created_at: datetime
    replaced: str | None


VaultFactory = Callable[[Path], "VaultPort"]
StoreOpener = Callable[[Path, bytes], "Store"]


class BackupService:
    """Writes backups of the open memory.

    Args:
        store: the open memory.
        vault: holds its key.
        paths: the profile's folders.
        clock: gives the time of the backup.
        opener: opens a database file for the check.
        vault_at: a vault over another file, which does not touch the keyring.
    """

    def __init__(
        self,
        *,
        store: Store,
        vault: VaultService,
        paths: ProfilePaths,
        clock: Clock,
        opener: StoreOpener,
        vault_at: VaultFactory,
    ) -> None:
        self._store = store
        self._vault = vault
        self._paths = paths
        self._clock = clock
        self._opener = opener
        self._vault_at = vault_at

    def backup(self, path: Path | str, passphrase: str | None = None) -> BackupReport:
        """Write everything into ``path``, then open it again and count its rows.

        Args:
            path: must not exist.
            passphrase: opens this backup too, beside the recovery code.

        Raises:
            ConflictError: the file exists.
            LockedError: the memory is locked.
            BackupFault: it could not be written, or the check failed; nothing is left behind.
        """
        target = Path(path).expanduser().absolute()
        if target.exists():
            raise ConflictError(f"{target} exists already.", hint="Choose another name.")
        key = self._vault.key()
        created = self._clock.now()
        partial = target.with_name(f".{target.name}.part")
        try:
            with _scratch(target.parent) as scratch:
                self._collect(scratch, key, passphrase)
                counts = self._count(scratch / _DATABASE, key)
                _pack(scratch, partial, created, counts)
            partial.replace(target)
        except OSError as failed:
            raise BackupFault(
                f"{target} could not be written: {failed.strerror or failed}.",
                hint="Check that there is room for it, and that the folder may be written to.",
            ) from failed
        finally:
            partial.unlink(missing_ok=True)
        report = inspect(target, self._vault_at, self._opener, key=key)
        if report.counts != counts:
            raise BackupFault("The backup was written, but does not hold what it should. Do not rely on it.")
        return report

    def _collect(self, scratch: Path, key: bytes, passphrase: str | None) -> None:
        self._store.backup(str(scratch / _DATABASE), key)
        shutil.copyfile(self._paths.vault, scratch / _VAULT)
        if passphrase:
            self._vault_at(scratch / _VAULT).set_passphrase(key, passphrase)
        (scratch / "config").mkdir()
        for file in sorted(self._paths.config.glob("*.json")):
            shutil.copyfile(file, scratch / "config" / file.name)

    def _count(self, database: Path, key: bytes) -> dict[str, int]:
        return _counts(self._opener, database, key)


def inspect(
    path: Path | str,
    vault_at: VaultFactory,
    opener: StoreOpener,
    *,
    passphrase: str | None = None,
    recovery_code: str | None = None,
    key: bytes | None = None,
) -> BackupReport:
    """Open a backup and count what it holds; nothing else is touched.

    Raises:
        BackupError: it is no backup, or damaged.
        LockedError: the secret does not open it.
    """
    source = Path(path)
    with _scratch(None) as scratch:
        manifest = _unpack(source, scratch)
        key = key or vault_at(scratch / _VAULT).open(passphrase=passphrase, recovery_code=recovery_code)
        counts = _counts(opener, scratch / _DATABASE, key)
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
    replace: bool = False,
    settings: bool = True,
) -> RestoreReport:
    """Put a backup back into a profile that no process has open.

    The backup is opened and read through first; only then is anything moved. A former memory is moved
    aside into a folder ``replaced-<time>``, never deleted.

    Args:
        path: the backup file.
        paths: where to.
        vault_at: a vault over a file, which does not touch the keyring.
        opener: opens a database file.
        keyring_vault: the profile's own vault; learns the key, so that the next start asks nothing.
        passphrase: opens the backup,
        recovery_code: or this does.
        replace: allow a former memory to be moved aside.
        settings: bring the settings back too.

    Raises:
        BackupError: it is no backup, or damaged.
        LockedError: the secret does not open it.
        ConflictError: there is a memory here and ``replace`` is not set.
    """
    if paths.database.exists() and not replace:
        raise ConflictError(
            f"There is a memory in {paths.data} already.",
            hint="Restore with --replace: it is moved aside, not deleted.",
        )
    paths.ensure()
    with _scratch(paths.data) as scratch:
        manifest = _unpack(Path(path), scratch)
        key = vault_at(scratch / _VAULT).open(passphrase=passphrase, recovery_code=recovery_code)
        counts = _counts(opener, scratch / _DATABASE, key)
        created = datetime.fromisoformat(manifest["created_at"])
        try:
            aside = _move_aside(paths)
            # The vault goes first: a database without its vault would look like a memory that cannot be opened.
            (scratch / _VAULT).replace(paths.vault)
            (scratch / _DATABASE).replace(paths.database)
            if settings and (scratch / "config").is_dir():
                for file in (scratch / "config").iterdir():
                    file.replace(paths.config / file.name)
        except OSError as failed:
            raise BackupFault(f"The backup could not be put back: {failed.strerror or failed}.") from failed
    keyring_vault.open(passphrase=passphrase, recovery_code=recovery_code)
    return RestoreReport(counts=counts, created_at=created, replaced=str(aside) if aside else None)


def _move_aside(paths: ProfilePaths) -> Path | None:
    former = [file for file in (paths.vault, *sorted(paths.data.glob("memory.db*"))) if file.exists()]
    if not former:
        return None
    number = 1
    while (aside := paths.data / f"replaced-{number}").exists():
        number += 1
    aside.mkdir(mode=0o700)
    for file in former:
        file.replace(aside / file.name)
    return aside


@contextmanager
def _scratch(parent: Path | None) -> Iterator[Path]:
    """Lend a private folder, on the disk where the result will be; what is put into it is encrypted already."""
    with tempfile.TemporaryDirectory(prefix=".memdesk-backup-", dir=parent) as name:
        yield Path(name)


def _pack(scratch: Path, target: Path, created: datetime, counts: dict[str, int]) -> None:
    members = [scratch / _DATABASE, scratch / _VAULT, *sorted((scratch / "config").iterdir())]
    described = {
        file.relative_to(scratch).as_posix(): {"bytes": file.stat().st_size, "sha256": _sha256(file)}
        for file in members
    }
    manifest = {
        "format": FORMAT,
        "memdesk": __version__,
        "created_at": created.isoformat(),
        "counts": counts,
        "members": described,
    }
    with zipfile.ZipFile(target, "x", zipfile.ZIP_STORED, allowZip64=True) as archive:
        archive.writestr(_MANIFEST, json.dumps(manifest, indent=2))
        for name in described:
            archive.write(scratch / name, name)
    target.chmod(0o600)


def _unpack(source: Path, scratch: Path) -> dict[str, Any]:
    """Unpack the members that the manifest names and check their sums."""
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = json.loads(archive.read(_MANIFEST))
            if manifest["format"] > FORMAT:
                raise BackupError("It was made by a newer memdesk.", hint="Install the newer version, then restore.")
            for name, member in manifest["members"].items():
                if name not in {_DATABASE, _VAULT} and not _is_settings_file(name):
                    raise BackupError(f"It names a member that no backup has: {name!r}.")
                target = scratch / name
                target.parent.mkdir(exist_ok=True)
                with archive.open(name) as packed, target.open("xb") as file:
                    shutil.copyfileobj(packed, file)
                if _sha256(target) != member["sha256"]:
                    raise BackupError(f"{source.name} is damaged: {name} does not match its checksum.")
            if not {_DATABASE, _VAULT} <= manifest["members"].keys():
                raise BackupError(f"{source.name} is not a whole backup.")
    except FileNotFoundError as missing:
        raise BackupError(f"{source} does not exist.") from missing
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, AttributeError) as broken:
        raise BackupError(f"{source.name} is no memdesk backup, or it is damaged.") from broken
    return dict(manifest)


def _is_settings_file(name: str) -> bool:
    folder, _, file = name.partition("/")
    return folder == "config" and file.endswith(".json") and "/" not in file and "\\" not in file


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _counts(opener: StoreOpener, database: Path, key: bytes) -> dict[str, int]:
    store = opener(database, key)
    try:
        with store.read() as repos:
            return {
                "agents": len(repos.agents.all()),
                "conversations": repos.conversations.page(limit=1).total,
                "turns": repos.turns.count(),
                "episodes": repos.episodes.page(limit=1).total,
                "facts": sum(repos.agents.fact_counts().values()),
            }
    finally:
        store.close()
