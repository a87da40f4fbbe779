"""Errors of the store and the vault, worded for the user.

Foreign exceptions (SQLCipher's, the operating system's) are translated where they enter, in :func:`translate` and
:func:`translate_os`. All that concern the user's machine are :class:`~memdesk.errors.EnvironmentFault`; none is raised
after the file was changed.
"""

import errno
import os
from contextlib import suppress
from pathlib import Path

from sqlcipher3 import dbapi2 as sqlcipher

from memdesk.errors import BadRequestError, ConflictError, DiskFullError, EnvironmentFault, LockedError, MemdeskError
from memdesk.messages import say
from memdesk.settings.files import NO_ROOM, unwritten


class StorageError(EnvironmentFault):
    code = "storage_failed"
    title = say("The memory cannot be read or written")
    default_hint = say("Restart memdesk. If it happens again, restore a backup under Settings, Privacy.")


class WrongKeyError(StorageError):
    code = "wrong_key"
    title = say("Wrong key")
    default_hint = say(
        "The memory belongs to another vault. Put the vault.json that came with it beside it and unlock "
        "with its recovery code."
    )


class NotMemdeskDatabaseError(StorageError):
    code = "not_memdesk_database"
    title = say("Not a memdesk memory")
    default_hint = say("Move that file away, or choose another profile folder; memdesk will not overwrite it.")


class DamagedDatabaseError(StorageError):
    """The file is truncated or some of its pages were altered."""

    code = "database_damaged"
    title = say("The memory file is damaged")
    default_hint = say(
        "Restore a snapshot or a backup, or read what is left of it: memdesk salvage. Keep the damaged file until then."
    )


class DatabaseMissingError(StorageError):
    code = "database_missing"
    title = say("The memory file is missing")
    default_hint = say("Put memory.db back beside vault.json, or restore a backup.")


class ReadOnlyError(StorageError):
    code = "storage_read_only"
    title = say("The memory is read-only")
    default_hint = say("Make the folder writable for your user, or choose another profile folder with --home.")


class NewerSchemaError(StorageError):
    code = "newer_schema"
    title = say("This memory was written by a newer memdesk")
    default_hint = say("Update memdesk, or open the backup that was made before the update.")


class InUseError(StorageError):
    code = "storage_in_use"
    title = say("Another memdesk is using this memory")
    default_hint = say("Use the memdesk that is already running, or quit it first.")
    status = 409
    retryable = True


class BusyError(StorageError):
    code = "storage_busy"
    title = say("The memory is busy")
    default_hint = say("Try again in a moment.")
    retryable = True


class ConstraintError(ConflictError):
    """A row refers to something that does not exist, or already exists."""

    code = "constraint_failed"
    title = say("That conflicts with what is stored")


class InvalidCursorError(BadRequestError):
    """A list cursor was altered, or belongs to another list."""

    code = "invalid_cursor"
    title = say("That page cannot be found")
    default_hint = say("Ask for the first page again, without a cursor.")


class VaultError(EnvironmentFault):
    code = "vault_failed"
    title = say("The vault cannot be used")


class VaultMissingError(VaultError):
    code = "vault_missing"
    title = say("The vault file is missing")
    default_hint = say(
        "Put vault.json back beside memory.db (a backup holds it). Without it the memory cannot be read; "
        "memdesk will not create a new vault over an existing memory."
    )


class VaultDamagedError(VaultError):
    code = "vault_damaged"
    title = say("The vault file is damaged")
    default_hint = say("Restore vault.json from a backup; the recovery code works with any copy of it.")


class VaultNewerError(VaultError):
    code = "vault_newer"
    title = say("This vault was written by a newer memdesk")
    default_hint = say("Update memdesk.")


class NoKeyringError(VaultError):
    code = "no_keyring"
    title = say("No keyring on this system")
    default_hint = say(
        "Choose a passphrase for the memory: in the window, at a terminal, or with --passphrase-file "
        "FILE (packaging/bootstrap.py passes on what follows --). Or start a keyring (Secret Service, "
        "KWallet) first."
    )


class VaultExistsError(ConflictError):
    code = "vault_exists"
    title = say("There is a vault already")


class VaultAbsentError(LockedError):
    code = "vault_absent"
    title = say("memdesk is not set up yet")
    default_hint = say("Start memdesk once and follow the first steps.")


class RecoveryRequiredError(LockedError):
    code = "recovery_required"
    title = say("The key is not in your keyring")
    default_hint = say(
        "Enter the recovery code you kept at the first start; memdesk puts the key back into the keyring."
    )


class PassphraseRequiredError(LockedError):
    """Only a passphrase (or the recovery code) opens this vault on this machine."""

    code = "passphrase_required"
    title = say("A passphrase is needed")
    default_hint = say("Enter the passphrase, or name what holds it with --passphrase-env or --passphrase-file.")


class WrongPassphraseError(LockedError):
    code = "wrong_passphrase"
    title = say("Wrong passphrase")
    default_hint = say("Check Caps Lock and the keyboard layout, or use the recovery code.")
    status = 403


class WrongRecoveryCodeError(LockedError):
    """A well-formed recovery code, but of another vault or an older one of this vault."""

    code = "wrong_recovery_code"
    title = say("That is not this vault's recovery code")
    default_hint = say("Only the newest code opens the vault. Look for a newer note of it.")
    status = 403


class MistypedRecoveryCodeError(LockedError):
    """The code's checksum does not match: something was mistyped."""

    code = "mistyped_recovery_code"
    title = say("The recovery code has a typo")
    default_hint = say("Compare it with your note, group by group: seven groups of four letters and digits.")


_READ_ONLY = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})

# Primary result codes of SQLite, https://www.sqlite.org/rescode.html
_SQLITE_BUSY, _SQLITE_LOCKED, _SQLITE_NOMEM, _SQLITE_READONLY, _SQLITE_INTERRUPT = 5, 6, 7, 8, 9
_SQLITE_IOERR, _SQLITE_CORRUPT, _SQLITE_FULL, _SQLITE_CANTOPEN = 10, 11, 13, 14
_SQLITE_CONSTRAINT, _SQLITE_NOTADB = 19, 26
_CODES = {
    "disk I/O error": _SQLITE_IOERR,
    "database or disk is full": _SQLITE_FULL,
    "attempt to write a readonly database": _SQLITE_READONLY,
    "unable to open database file": _SQLITE_CANTOPEN,
    "database disk image is malformed": _SQLITE_CORRUPT,
    "file is not a database": _SQLITE_NOTADB,
    "database is locked": _SQLITE_BUSY,
}


def has_room(path: Path, size: int = 1 << 16) -> bool:
    """Whether ``size`` more bytes can be written where ``path`` (or its WAL) ends.

    Reserves them in a scratch file at the same offset, so that a full disk, a quota and a limit on
    file size are all detected. The scratch file holds no data and is gone on return.
    """
    probe = path.with_name(path.name + ".probe")
    wal = path.with_name(path.name + "-wal")
    end = max((p.stat().st_size for p in (path, wal) if p.exists()), default=0)
    try:
        descriptor = os.open(probe, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        return error.errno not in NO_ROOM
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(descriptor, end, size)
        else:
            os.lseek(descriptor, end, os.SEEK_SET)
            os.write(descriptor, bytes(size))
    except OSError as error:
        return error.errno not in NO_ROOM
    else:
        return True
    finally:
        # If it cannot be deleted, it is empty and harmless, and the next one overwrites it.
        with suppress(OSError):
            os.close(descriptor)
            probe.unlink(missing_ok=True)


def translate_os(error: OSError, path: Path) -> MemdeskError:
    if error.errno in NO_ROOM:
        return unwritten(error, path)
    if error.errno in _READ_ONLY:
        return ReadOnlyError(say("{path} cannot be written: {strerror}.", path=path, strerror=error.strerror))
    return StorageError(say("{path} cannot be used: {error}.", path=path, error=error.strerror or error))


def translate(error: sqlcipher.Error, path: Path, *, needed: int = 1 << 16) -> MemdeskError:
    """Return the typed error for one of SQLCipher's. A bug of ours stays recognizable in its text.

    ``needed``: bytes being written, to distinguish a full disk from other write failures.
    """
    # Errors of the backup interface carry no code, only a text.
    full_code = getattr(error, "sqlite_errorcode", None) or _CODES.get(str(error), 0)
    code = full_code & 0xFF
    if code == _SQLITE_FULL or (code in {_SQLITE_IOERR, _SQLITE_CANTOPEN} and not has_room(path, needed)):
        return DiskFullError(say("There is no room left to write {name}.", name=path.name))
    if code == _SQLITE_READONLY:
        return ReadOnlyError(say("{path} cannot be written.", path=path))
    if code in {_SQLITE_CORRUPT, _SQLITE_NOTADB}:
        return DamagedDatabaseError(say("A part of {path} does not decrypt to what was written.", path=path))
    if code in {_SQLITE_BUSY, _SQLITE_LOCKED}:
        return BusyError(say("{name} did not become free in time.", name=path.name))
    if code == _SQLITE_INTERRUPT:
        return LockedError(say("memdesk was locked while this was running."))
    if code == _SQLITE_CONSTRAINT:
        return ConstraintError(say("The database refused a row: {error}.", error=error))
    if code == _SQLITE_CANTOPEN:
        return ReadOnlyError(say("{path} cannot be opened for writing.", path=path))
    return StorageError(say("The database reported: {error}.", error=error))
