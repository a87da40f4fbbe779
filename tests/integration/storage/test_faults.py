"""Every failure of the machine has its own error, and leaves the file unchanged."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from contextlib import contextmanager
from pathlib import Path

import pytest

from memdesk.errors import EnvironmentFault
from memdesk.ports import TextFilter
from memdesk.storage import migrate
from memdesk.storage.connection import connect
from memdesk.storage.database import Database
from memdesk.storage.errors import (
    DamagedDatabaseError,
    DiskFullError,
    InUseError,
    NewerSchemaError,
    NotMemdeskDatabaseError,
    ReadOnlyError,
    StorageError,
    WrongKeyError,
    translate_os,
)
from memdesk.storage.pages import log_of
from memdesk.storage.vault import Vault
from tests.helpers import rows

NOBODY = 65534


def fingerprint(path):
    """Return everything of the file and its neighbors that could have changed, bytes and times alike."""
    found = {}
    for name in (path.name, path.name + "-wal"):
        file = path.with_name(name)
        if file.exists():
            found[name] = (file.read_bytes(), file.stat().st_mtime_ns)
    return found


def refused(path, kind, key=rows.KEY):
    """Open ``path``, expect ``kind``, and check that nothing changed and that the user is told what to do."""
    before = fingerprint(path)
    database = Database(path)
    with pytest.raises(kind) as caught:
        database.open(key)
    assert fingerprint(path) == before
    error = caught.value
    assert isinstance(error, EnvironmentFault)
    assert type(error) is kind
    assert error.code
    assert error.title
    assert error.message
    assert error.hint
    assert not database.is_open
    return error


@pytest.fixture
def filled(store, path):
    """A closed database with some hundred pages."""
    turns = [rows.turn(f"turn {n} " + "word " * 50, position=n) for n in range(400)]
    store.write(lambda repos: repos.turns.add(turns))
    store.close()
    return path


def test_wrong_key(filled):
    refused(filled, WrongKeyError, rows.OTHER_KEY)
    database = Database(filled)
    database.open(rows.KEY)
    database.close()


def test_wrong_key_beside_a_log_that_was_not_folded_in(path):
    _crash_with_log(path)
    refused(path, WrongKeyError, rows.OTHER_KEY)


def test_a_plain_sqlite_file(path):
    plain = sqlite3.connect(path)
    plain.execute("CREATE TABLE t (a)")
    plain.commit()
    plain.close()
    refused(path, NotMemdeskDatabaseError)


@pytest.mark.parametrize("content", [b"just some notes\n", b"%PDF-1.7 " + bytes(range(256)) * 40])
def test_a_file_that_is_something_else(path, content):
    path.write_bytes(content)
    refused(path, NotMemdeskDatabaseError)


@pytest.mark.parametrize("keep", [0, 100, 4096, 5000, 0.5, 0.97])
def test_a_file_cut_off(filled, keep):
    data = filled.read_bytes()
    filled.write_bytes(data[: keep if isinstance(keep, int) else int(len(data) * keep)])
    refused(filled, DamagedDatabaseError)


def test_an_altered_first_page(filled):
    data = bytearray(filled.read_bytes())
    data[200] ^= 1
    filled.write_bytes(data)
    refused(filled, DamagedDatabaseError)


def test_an_altered_later_page_is_found_when_it_is_read_and_by_verify(filled):
    data = bytearray(filled.read_bytes())
    data[-1000] ^= 1
    filled.write_bytes(data)
    database = Database(filled)
    database.open(rows.KEY)
    try:
        with pytest.raises(DamagedDatabaseError):
            database.pages_holding([b"no such words"])
        assert database.verify()
        with pytest.raises(DamagedDatabaseError), database.read() as repos:
            _read_everything(repos)
    finally:
        database.close()


def test_a_log_without_its_database(path):
    _crash_with_log(path)
    path.unlink()
    refused(path, DamagedDatabaseError)


def test_a_newer_schema(filled):
    conn = connect(filled, rows.KEY, writable=True)
    conn.execute(f"PRAGMA user_version = {migrate.latest() + 1}")
    conn.close()
    refused(filled, NewerSchemaError)


def test_a_newer_schema_that_is_only_in_the_log(path):
    _crash_with_log(path, f"PRAGMA user_version = {migrate.latest() + 1}")
    refused(path, NewerSchemaError)


def test_a_second_instance(store, path):
    refused(path, InUseError)
    with store.read() as repos:
        assert len(repos.agents.all()) == 2


def test_a_second_process(store, path):
    script = f"""
    import pathlib
    from memdesk.storage.database import Database
    from memdesk.storage.errors import InUseError
    from tests.helpers import rows
    try:
        Database(pathlib.Path({str(path)!r})).open(rows.KEY)
    except InUseError:
        print("in use")
    """
    assert _python(script).stdout == "in use\n"
    with store.read() as repos:
        assert len(repos.agents.all()) == 2


# --------------------------------------------------------------------------- read-only


@contextmanager
def as_nobody():
    """Drop root's right to write everywhere, if we have it, so that file modes count."""
    if os.geteuid() != 0:
        yield
        return
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@pytest.fixture
def public_folder():
    """A folder that every user can reach, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="memdesk-test-"))
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o777)
    shutil.rmtree(folder)


@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o555, 0o666), (0o555, 0o444), (0o777, 0o444)])
def test_a_read_only_folder_or_file(filled, public_folder, folder_mode, file_mode):
    copy = public_folder / "memory.db"
    shutil.copy(filled, copy)
    copy.chmod(file_mode)
    public_folder.chmod(folder_mode)
    with as_nobody():
        refused(copy, ReadOnlyError)


def test_a_read_only_folder_without_a_database(public_folder):
    public_folder.chmod(0o555)
    with as_nobody():
        refused(public_folder / "memory.db", ReadOnlyError)
    assert list(public_folder.iterdir()) == []


def test_a_file_that_belongs_to_somebody_else(filled, public_folder):
    copy = public_folder / "memory.db"
    shutil.copy(filled, copy)
    copy.chmod(0o000)
    with as_nobody():
        database = Database(copy)
        with pytest.raises(ReadOnlyError):
            database.open(rows.KEY)


def test_a_disk_mounted_read_only_is_told_the_same_way(path):
    error = translate_os(OSError(errno.EROFS, os.strerror(errno.EROFS)), path)
    assert type(error) is ReadOnlyError


def test_a_read_only_vault_folder(public_folder):
    public_folder.chmod(0o555)
    with as_nobody(), pytest.raises(ReadOnlyError):
        Vault(public_folder / "vault.json", _NoKeyring()).create("a passphrase")
    assert list(public_folder.iterdir()) == []


# --------------------------------------------------------------------------- full disk


@contextmanager
def no_room(path, spare=0):
    """Let no file grow beyond the size that the log has now: for every writer the disk is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    wal = path.with_name(path.name + "-wal")
    size = max(p.stat().st_size for p in (path, wal) if p.exists())
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + spare, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.expect_log
@pytest.mark.parametrize("spare", [0, 1000, 20_000])
def test_a_full_disk_loses_nothing_and_recovers(store, path, spare):
    store.write(lambda repos: repos.turns.add([rows.turn("kept", position=0)]))
    before = path.read_bytes()
    many = [rows.turn("lost " * 500, position=n) for n in range(1, 500)]
    with no_room(path, spare):
        for _ in range(2):
            with pytest.raises(DiskFullError) as caught:
                store.write(lambda repos: repos.turns.add(many))
        assert path.read_bytes() == before
        with store.read() as repos:
            assert [t.content for t in repos.turns.of_conversation("ana", "c1")] == ["kept"]
    assert caught.value.hint
    store.write(lambda repos: repos.turns.add(many))
    with store.read() as repos:
        assert repos.turns.count() == 500
    assert store.verify() == []


def test_a_disk_too_full_to_begin(tmp_path):
    path = tmp_path / "memory.db"
    path.with_name("filler").write_bytes(bytes(8192))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, hard))
    try:
        with pytest.raises(DiskFullError):
            Database(path).open(rows.KEY)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not path.exists()
    database = Database(path)
    database.open(rows.KEY)
    database.close()


def test_no_room_for_a_backup(store, path, tmp_path):
    target = tmp_path / "copy.db"
    store.write(lambda repos: repos.turns.add([rows.turn("kept")]))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        with pytest.raises(DiskFullError):
            store.backup(str(target), rows.OTHER_KEY)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert sorted(p.name for p in tmp_path.iterdir() if "copy" in p.name) == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_the_ways_a_system_says_full(path, number):
    assert type(translate_os(OSError(number, os.strerror(number)), path)) is DiskFullError


# --------------------------------------------------------------------------- helpers


class _NoKeyring:
    def available(self):
        return False


def _read_everything(repos):
    repos.text.holding("no such words")
    repos.text.search("turn", ["turn", "word"], TextFilter(agent_id="ana"), limit=1000)


def _crash_with_log(path, statement="CREATE TABLE later (a)"):
    """Leave a database whose last change is in the log alone, as a killed process does."""
    database = Database(path)
    database.open(rows.KEY)
    database.close()
    script = f"""
    import os, pathlib
    from memdesk.storage.connection import connect
    from tests.helpers import rows
    conn = connect(pathlib.Path({str(path)!r}), rows.KEY, writable=True)
    conn.execute({statement!r})
    os._exit(0)
    """
    assert _python(script).returncode == 0
    assert path.with_name(path.name + "-wal").stat().st_size


def _python(script):
    root = Path(rows.__file__).parents[2]
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )


def _damage_log(path, where):
    """Flip a byte of a log, at a share of its length."""
    wal = path.with_name(path.name + "-wal")
    data = bytearray(wal.read_bytes())
    data[int(len(data) * where)] ^= 1
    wal.write_bytes(data)
    return bytes(data)


@pytest.mark.parametrize("junk", [b"x" * 5000, bytes(5000), bytes(range(256)) * 20, b"\x37\x7f\x06\x82" + b"\1" * 5000])
def test_junk_in_the_place_of_the_log_is_kept_and_does_not_stop_a_start(filled, junk):
    wal = filled.with_name(filled.name + "-wal")
    wal.write_bytes(junk)
    database = Database(filled)
    database.open(rows.KEY)
    with database.read() as repos:
        assert repos.turns.count() == 400
    assert log_of(database.damaged).read_bytes() == junk
    database.close()
    assert database.damaged is None


def test_a_folder_in_the_place_of_the_log_is_named(filled):
    log = log_of(filled)
    log.mkdir()
    with pytest.raises(StorageError, match=r"memory\.db-wal cannot be used: Is a directory"):
        Database(filled).open(rows.KEY)
    log.rmdir()
    database = Database(filled)
    database.open(rows.KEY)
    database.close()


@pytest.mark.parametrize("where", [0.3, 0.6, 0.999])
def test_a_log_that_was_damaged_is_told_and_kept(path, where):
    _crash_with_log(path)
    damaged, before = _damage_log(path, where), path.read_bytes()
    database = Database(path)
    database.open(rows.KEY)
    assert log_of(database.damaged).read_bytes() == damaged
    assert database.damaged.read_bytes() == before
    database.drop_former_copies()
    assert list(path.parent.glob("*damaged*")) == []
    database.close()
    database.open(rows.KEY)
    assert database.damaged is None
    database.close()


@pytest.mark.parametrize("cut", [0, 100, 4096])
def test_a_log_that_ends_in_the_middle_of_a_frame_is_no_damage(path, cut):
    _crash_with_log(path)
    wal = path.with_name(path.name + "-wal")
    wal.write_bytes(wal.read_bytes() + bytes(cut))
    database = Database(path)
    database.open(rows.KEY)
    assert database.damaged is None
    database.close()


def test_a_log_that_was_deleted_after_a_kill_is_told(path):
    _crash(path)
    path.with_name(path.name + "-wal").unlink()
    database = Database(path)
    database.open(rows.KEY)
    assert database.log_gone
    database.close()
    database.open(rows.KEY)
    assert not database.log_gone
    database.close()


def test_a_log_that_is_there_after_a_kill_is_read_without_a_word(path):
    _crash(path)
    database = Database(path)
    database.open(rows.KEY)
    assert not database.log_gone
    assert database.damaged is None
    with database.read() as repos:
        assert repos.agents.get("ana") is not None
    database.close()


def test_what_is_damaged_beyond_the_first_page_lets_go_of_the_file(filled):
    database = Database(filled)
    database.open(rows.KEY)
    with database.read() as repos:
        root = repos.meta._conn.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'meta'")[0][0]
    database.close()
    whole = filled.read_bytes()
    data = bytearray(whole)
    data[(root - 1) * 4096 + 99] ^= 1
    filled.write_bytes(data)
    with pytest.raises(DamagedDatabaseError):
        database.open(rows.KEY)
    filled.write_bytes(whole)
    database.open(rows.KEY)
    database.close()


def _crash(path):
    """Leave a database as a killed process does that had written an agent."""
    script = f"""
    import os, pathlib
    from memdesk.storage.database import Database
    from tests.helpers import rows
    database = Database(pathlib.Path({str(path)!r}))
    database.open(rows.KEY)
    database.write(lambda repos: repos.agents.put(rows.agent("ana")))
    os._exit(0)
    """
    assert _python(script).returncode == 0
