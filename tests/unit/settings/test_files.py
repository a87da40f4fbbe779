"""Files are written completely or not at all."""

import fcntl
import io
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from memdesk.errors import BadRequestError, DiskFullError, EnvironmentFault
from memdesk.settings import files
from memdesk.settings.files import (
    drop_scratch,
    put_in_place,
    read_given,
    scratch_folder,
    sync,
    write_atomic,
    write_given,
)
from memdesk.settings.paths import profile_paths


def names(folder):
    return sorted(path.name for path in folder.iterdir() if path.name != "home")


def test_a_written_file_is_its_owners_alone(tmp_path):
    write_atomic(tmp_path / "new" / "f", b"one")
    write_atomic(tmp_path / "new" / "f", b"two")
    assert (tmp_path / "new" / "f").read_bytes() == b"two"
    assert stat.S_IMODE((tmp_path / "new" / "f").stat().st_mode) == 0o600
    assert names(tmp_path / "new") == ["f"]


def test_a_write_that_fails_leaves_the_old_file_alone(tmp_path, monkeypatch):
    write_atomic(tmp_path / "f", b"old")

    def fail(_handle):
        raise OSError(28, "full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(DiskFullError):
        write_atomic(tmp_path / "f", b"new")
    assert names(tmp_path) == ["f"]
    assert (tmp_path / "f").read_bytes() == b"old"


def test_what_is_flushed_was_opened_for_writing_as_windows_asks(tmp_path, monkeypatch):
    modes = []
    monkeypatch.setattr(os, "fsync", lambda handle: modes.append(fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_ACCMODE))
    (tmp_path / "f").write_bytes(b"here")
    sync(tmp_path / "f")
    sync(tmp_path)
    assert modes == [os.O_RDWR, os.O_RDONLY]


def test_a_file_that_somebody_reads_for_a_moment_is_replaced_after_it(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "RETRY_SECONDS", (0.0, 0.0, 0.0))
    refusals = [PermissionError(13, "in use")] * 2
    replace = Path.replace

    def sometimes(fresh, path):
        if refusals:
            raise refusals.pop()
        return replace(fresh, path)

    monkeypatch.setattr(Path, "replace", sometimes)
    write_atomic(tmp_path / "f", b"new")
    assert (tmp_path / "f").read_bytes() == b"new"


def test_a_file_that_stays_in_use_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "RETRY_SECONDS", (0.0,))
    tries = []

    def never(fresh, _path):
        tries.append(fresh)
        raise PermissionError(13, "in use")

    monkeypatch.setattr(Path, "replace", never)
    with pytest.raises(PermissionError):
        put_in_place(tmp_path / "a", tmp_path / "b")
    assert len(tries) == 2


@pytest.mark.parametrize("name", ["../x", "..", ".", "", "a/b", "/tmp", ".hidden", "a\\b", "x" * 65, "a\0b", "work "])
def test_a_profile_that_is_a_path_is_refused(tmp_path, name):
    with pytest.raises(BadRequestError, match="not a valid name for a profile"):
        profile_paths(name, tmp_path)


@pytest.mark.parametrize("name", ["default", "work", "Ünal 2", "a.b-c_d", "7"])
def test_names_of_profiles_are_folders(tmp_path, name):
    assert profile_paths(name, tmp_path).data.is_relative_to(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="file modes are POSIX's")
def test_a_folder_that_everybody_may_write_to_is_refused(tmp_path):
    paths = profile_paths(home=tmp_path)
    paths.ensure()
    paths.data.chmod(0o777)
    with pytest.raises(EnvironmentFault, match="Anyone can write"):
        paths.ensure()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
@pytest.mark.parametrize("name", ["data/memory.db-wal", "data/vault.json", "config/memory.json"])
@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["pipe", "device"])
def test_what_would_be_read_for_ever_is_refused(tmp_path, name, make):
    paths = profile_paths(home=tmp_path)
    paths.ensure()
    make(tmp_path / name)
    with pytest.raises(EnvironmentFault, match="is not a file"):
        paths.ensure()
    (tmp_path / name).unlink()
    paths.ensure()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_a_pipe_is_read_and_written_if_somebody_has_its_other_end(tmp_path):
    pipe, text = tmp_path / "pipe", b"x" * 200_000
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="nobody writes to this pipe"):
        read_given(pipe, 10)
    with pytest.raises(OSError, match="No such device"):
        write_given(pipe, text)
    read = io.BytesIO()
    reader = threading.Thread(target=lambda: read.write(pipe.read_bytes()))
    reader.start()
    end = os.open(pipe, os.O_WRONLY)
    write_given(pipe, text)
    os.close(end)
    reader.join(60)
    assert read.getvalue() == text
    # A writer that has not written yet is waited for.
    end = os.open(pipe, os.O_RDWR)
    later = threading.Timer(0.2, lambda: (os.write(end, b"later"), os.close(end)))
    later.start()
    assert read_given(pipe, 10) == b"later"
    later.join()
    (tmp_path / "file").write_bytes(b"")
    assert read_given(tmp_path / "file", 10) == b""


DYING = """
import os, sys
from pathlib import Path
from memdesk.settings.files import scratch_folder
with scratch_folder(Path(sys.argv[1])) as folder:
    (folder / "copy").write_text("of what was forgotten since")
    os._exit(9)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="rights are otherwise there")
def test_files_of_the_memory_are_closed_to_others(tmp_path, caplog):
    caplog.set_level("INFO", logger="memdesk")
    paths = profile_paths(home=tmp_path)
    paths.ensure()
    files = [paths.vault, paths.database, paths.data / "memory.db-wal", paths.config / "memory.json"]
    for file in files:
        file.write_text("{}")
        file.chmod(0o666)
    elsewhere = tmp_path / "mine"
    elsewhere.touch(0o644)
    (paths.data / "link").symlink_to(elsewhere)
    paths.close_to_others()
    assert [file.stat().st_mode & 0o777 for file in files] == [0o600] * len(files)
    assert elsewhere.stat().st_mode & 0o777 == 0o644
    assert "vault.json was open to others (666)" in caplog.text
    caplog.clear()
    paths.close_to_others()
    assert not caplog.text


def test_a_scratch_folder_goes_with_its_lock(tmp_path):
    with scratch_folder(tmp_path) as folder:
        (folder / "part").write_text("half")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert names(tmp_path) == []


def test_what_a_killed_process_left_goes_with_the_next_and_what_lives_stays(tmp_path):
    subprocess.run([sys.executable, "-c", DYING, str(tmp_path)], check=False)
    assert len(names(tmp_path)) == 2
    with scratch_folder(tmp_path) as folder:
        assert names(tmp_path) == [folder.name, f"{folder.name}.lock"]
        drop_scratch(tmp_path)
        assert folder.exists()
    assert names(tmp_path) == []
