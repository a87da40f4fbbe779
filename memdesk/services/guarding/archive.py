"""The backup file: packing, unpacking and counting it.

A ZIP archive, stored without compression (ciphertext does not shrink), of

    manifest.json   format, version, time, sizes and SHA-256 of the other members; no content
    memory.db       the encrypted database, copied while it is in use
    vault.json      the data key, wrapped by the recovery code and, if given, by a passphrase
    config/*.json   settings

so it opens on another machine with only the recovery code or the passphrase.
"""

import hashlib
import json
import shutil
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from memdesk import __version__
from memdesk.domain.decoding import decode
from memdesk.errors import BadRequestError
from memdesk.messages import say
from memdesk.ports import Store

FORMAT: Final = 1
#: Size limit of the manifest, which has a dozen members.
MAX_MANIFEST: Final = 2**20
_MANIFEST: Final = "manifest.json"
DATABASE: Final = "memory.db"
VAULT: Final = "vault.json"
StoreOpener = Callable[[Path, bytes], "Store"]


class BackupError(BadRequestError):
    """A file that is not a backup, or incomplete."""

    code = "backup_unusable"
    title = say("That backup cannot be used")


def pack(folder: Path, target: Path, created: datetime, counts: dict[str, int]) -> None:
    """Write the members of ``folder`` and their manifest into ``target``, which must not exist."""
    members = [folder / DATABASE, folder / VAULT, *sorted((folder / "config").iterdir())]
    described = {
        file.relative_to(folder).as_posix(): {"bytes": file.stat().st_size, "sha256": _sha256(file)} for file in members
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
            archive.write(folder / name, name)
    target.chmod(0o600)


def unpack(source: Path, folder: Path) -> dict[str, Any]:
    """Unpack the manifest's members into ``folder``, verify their checksums, and return the manifest.

    Raises:
        BackupError: it is not a backup, has a newer format, or is incomplete.
    """
    if source.exists() and not source.is_file():
        raise BackupError(say("{name} is not a memdesk backup, or it is damaged.", name=source.name))
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = decode(archive.open(_MANIFEST).read(MAX_MANIFEST + 1), most=MAX_MANIFEST)
            if manifest["format"] > FORMAT:
                raise BackupError(
                    say("It was made by a newer memdesk."), hint=say("Install the newer version, then restore.")
                )
            for name, member in manifest["members"].items():
                if name not in {DATABASE, VAULT} and not _is_settings_file(name):
                    raise BackupError(say("It names a member that no backup has: {name!r}.", name=name))
                target = folder / name
                target.parent.mkdir(exist_ok=True)
                with archive.open(name) as packed, target.open("xb") as file:
                    shutil.copyfileobj(packed, file)
                if _sha256(target) != member["sha256"]:
                    raise BackupError(
                        say("{name} is damaged: {name_} does not match its checksum.", name=source.name, name_=name)
                    )
            if not {DATABASE, VAULT} <= manifest["members"].keys():
                raise BackupError(say("{name} is not a complete backup.", name=source.name))
    except FileNotFoundError as missing:
        raise BackupError(say("{source} does not exist.", source=source)) from missing
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, AttributeError) as broken:
        raise BackupError(say("{name} is not a memdesk backup, or it is damaged.", name=source.name)) from broken
    return dict(manifest)


def _is_settings_file(name: str) -> bool:
    folder, _, file = name.partition("/")
    return folder == "config" and file.endswith(".json") and "/" not in file and "\\" not in file


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def row_counts(opener: StoreOpener, database: Path, key: bytes) -> dict[str, int]:
    """Open a database file, count its rows and close it. Raises as ``opener``."""
    store = opener(database, key)
    try:
        return counted(store)
    finally:
        store.close()


def counted(store: Store) -> dict[str, int]:
    """Return how many rows of each kind a store holds."""
    with store.read() as repos:
        return {
            "agents": len(repos.agents.all()),
            "conversations": repos.conversations.page(limit=1).total,
            "turns": repos.turns.count(),
            "episodes": repos.items.episodes(limit=1).total,
            "facts": sum(repos.agents.fact_counts().values()),
        }
