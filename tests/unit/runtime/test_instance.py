"""The instance lock, with real processes."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from memdesk.errors import ConflictError
from memdesk.runtime.instance import OWNER_FILE, PATIENCE, AlreadyRunningError, Instance, find_owner, find_starting

OTHER = """
import sys, time
from pathlib import Path
from memdesk.runtime.instance import Instance
instance = Instance(Path(sys.argv[1]))
instance.acquire()
instance.announce("http://127.0.0.1:1337")
print("owner", flush=True)
time.sleep(60)
"""


@pytest.fixture
def other(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", OTHER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "owner\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_owner_is_found_with_its_address_and_token(tmp_path):
    instance = Instance(tmp_path)
    assert find_owner(tmp_path) is None
    owner = instance.acquire()
    assert find_owner(tmp_path) == owner
    assert owner.pid == os.getpid()
    assert owner.url == ""
    assert len(owner.token) >= 40
    announced = instance.announce("http://127.0.0.1:4000")
    assert find_owner(tmp_path) == announced
    assert announced.token == owner.token
    instance.release()
    instance.release()
    assert find_owner(tmp_path) is None
    assert not (tmp_path / OWNER_FILE).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX's")
def test_owner_file_is_private(tmp_path):
    instance = Instance(tmp_path)
    instance.acquire()
    assert (tmp_path / OWNER_FILE).stat().st_mode & 0o077 == 0
    instance.release()


def test_tokens_differ_from_run_to_run(tmp_path):
    tokens = set()
    for _ in range(2):
        instance = Instance(tmp_path)
        tokens.add(instance.acquire().token)
        instance.release()
    assert len(tokens) == 2


def test_second_process_is_refused(tmp_path, other):
    with pytest.raises(AlreadyRunningError, match=str(other.pid)):
        Instance(tmp_path).acquire()
    assert find_owner(tmp_path).url == "http://127.0.0.1:1337"
    assert find_starting(tmp_path) is None


def test_who_waits_for_a_command_to_end_is_seen_by_it(tmp_path):
    command, server = Instance(tmp_path), Instance(tmp_path)
    command.acquire(brief=True)
    assert find_starting(tmp_path) is None
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(server.acquire)
        while find_starting(tmp_path) is None:
            assert not waiting.done()
        command.release()
        owner = waiting.result()
    assert find_starting(tmp_path) is None
    assert find_owner(tmp_path) == owner
    server.release()


def test_a_killed_owner_leaves_nothing_in_the_way(tmp_path, other):
    other.send_signal(signal.SIGKILL)
    other.wait()
    assert (tmp_path / OWNER_FILE).exists()
    assert find_owner(tmp_path) is None
    instance = Instance(tmp_path)
    assert instance.acquire().pid == os.getpid()
    instance.release()


def test_a_reused_process_id_is_no_owner(tmp_path):
    (tmp_path / OWNER_FILE).write_text(json.dumps({"pid": os.getpid(), "started": 1.0, "url": "x", "token": "y"}))
    assert find_owner(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{}", "[1]", "{", '{"pid": "x"}'])
def test_a_damaged_owner_file_is_nobody(tmp_path, text):
    (tmp_path / OWNER_FILE).write_text(text)
    assert find_owner(tmp_path) is None


def test_only_the_owner_announces(tmp_path):
    with pytest.raises(ConflictError):
        Instance(tmp_path).announce("http://127.0.0.1:1")


@pytest.mark.expect_log
def test_on_a_full_disk_it_owns_the_profile_without_telling_the_others(tmp_path, monkeypatch):
    def full(_handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        instance = Instance(tmp_path)
        assert instance.acquire().pid == os.getpid()
        with pytest.raises(AlreadyRunningError):
            Instance(tmp_path).acquire()
    assert list(tmp_path.glob(f"*{OWNER_FILE}*")) == []
    instance.announce("http://127.0.0.1:1")
    assert find_owner(tmp_path).url == "http://127.0.0.1:1"
    instance.release()


BRIEF = """
import sys, time
from pathlib import Path
from memdesk.runtime.instance import Instance
instance = Instance(Path(sys.argv[1]))
instance.acquire(brief=True)
print("owner", flush=True)
sys.stdin.readline()
instance.release()
"""


def test_a_start_waits_for_the_end_of_a_command(tmp_path):
    command = subprocess.Popen(
        [sys.executable, "-c", BRIEF, str(tmp_path)], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    )
    with command:
        assert command.stdout.readline() == "owner\n"
        # Longer than a start waits for one that is no command.
        ending = threading.Timer(2 * PATIENCE, lambda: command.communicate("end\n"))
        ending.start()
        instance = Instance(tmp_path)
        assert instance.acquire().pid == os.getpid()
        instance.release()
        ending.join()
