"""Downloads from a hub, over a real local HTTP server."""

from __future__ import annotations

import errno
import shutil
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from memdesk.engines.gguf import GgufError
from memdesk.engines.hub import HttpHub
from memdesk.engines.hub_download import ChecksumError, DiskFullError
from memdesk.engines.remote_errors import RemoteAuthError, RemoteUnreachableError
from memdesk.errors import BadRequestError, CancelledError, EngineError, EnvironmentFault, NotFoundError
from tests.helpers.gguf import gguf_bytes
from tests.helpers.hub import hub_server

REPO, FILE = "ana/tiny-GGUF", "tiny.Q4_K_M.gguf"


@pytest.fixture
def server():
    with hub_server() as state:
        state.add(REPO, FILE, gguf_bytes(padding=3_000_000))
        yield state


@pytest.fixture
def waits():
    return []


@pytest.fixture
def hub(server, waits):
    return HttpHub(lambda: server.url, waits.append)


def test_downloads_with_progress(hub, server, tmp_path):
    told = []
    [path] = hub.download(REPO, FILE, tmp_path, progress=lambda done, total: told.append((done, total)))
    size = len(server.files[REPO, FILE])
    assert path == tmp_path / "ana" / "tiny-GGUF" / FILE
    assert path.read_bytes() == server.files[REPO, FILE]
    assert told[-1] == (size, size)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert [file.name for file in path.parent.iterdir()] == [FILE]


def test_a_complete_file_is_not_fetched_again(hub, server, tmp_path):
    hub.download(REPO, FILE, tmp_path)
    server.requests.clear()
    hub.download(REPO, FILE, tmp_path)
    assert [method for method, _, _ in server.requests] == ["HEAD"]


def test_a_renamed_repository_is_followed(hub, server, tmp_path):
    server.add("new/tiny", FILE, gguf_bytes())
    [path] = hub.download("old/tiny", FILE, tmp_path)
    assert path.read_bytes() == gguf_bytes()


def test_broken_connections_are_taken_up_where_they_broke(hub, server, tmp_path, waits):
    server.break_after, server.breaks = 1_200_000, 2
    [path] = hub.download(REPO, FILE, tmp_path)
    assert path.read_bytes() == server.files[REPO, FILE]
    starts = [header for method, url, header in server.requests if method == "GET" and url.startswith("/cdn")]
    assert starts[0] is None
    assert all(start and start != "bytes=0-" for start in starts[1:])
    assert len(waits) == 2


def test_gives_up_when_nothing_comes_any_more_and_resumes_later(hub, server, tmp_path):
    server.break_after, server.breaks = 0, 99
    with pytest.raises(EngineError):
        hub.download(REPO, FILE, tmp_path)
    server.breaks = 0
    [path] = hub.download(REPO, FILE, tmp_path)
    assert path.read_bytes() == server.files[REPO, FILE]


def test_cancel_keeps_what_has_come(hub, server, tmp_path):
    cancel = threading.Event()
    with pytest.raises(CancelledError):
        hub.download(REPO, FILE, tmp_path, progress=lambda done, _: done and cancel.set(), cancel=cancel)
    part = tmp_path / "ana" / "tiny-GGUF" / f"{FILE}.part"
    assert part.stat().st_size > 0
    [path] = hub.download(REPO, FILE, tmp_path)
    assert path.read_bytes() == server.files[REPO, FILE]
    assert not part.exists()


def test_a_server_without_ranges_starts_over(hub, server, tmp_path):
    server.ranges = False
    server.break_after, server.breaks = 1_200_000, 1
    [path] = hub.download(REPO, FILE, tmp_path)
    assert path.read_bytes() == server.files[REPO, FILE]


def test_a_part_of_another_revision_is_thrown_away(hub, server, tmp_path):
    cancel = threading.Event()
    with pytest.raises(CancelledError):
        hub.download(REPO, FILE, tmp_path, progress=lambda done, _: done and cancel.set(), cancel=cancel)
    server.add(REPO, FILE, gguf_bytes(name="Newer", padding=2_500_000))
    [path] = hub.download(REPO, FILE, tmp_path)
    assert path.read_bytes() == server.files[REPO, FILE]


def test_a_wrong_digest_is_refused_and_removed(hub, server, tmp_path):
    server.announce[FILE] = "0" * 64
    with pytest.raises(ChecksumError):
        hub.download(REPO, FILE, tmp_path)
    assert list((tmp_path / "ana" / "tiny-GGUF").iterdir()) == []


def test_what_is_no_model_is_refused(hub, server, tmp_path):
    server.add(REPO, "page.gguf", b"<html>not a model, but long enough to be one</html>")
    with pytest.raises(GgufError):
        hub.download(REPO, "page.gguf", tmp_path)
    assert not (tmp_path / "ana" / "tiny-GGUF" / "page.gguf").exists()


def test_too_little_room_is_said_first(hub, tmp_path, monkeypatch):
    usage = SimpleNamespace(total=10**9, used=10**9, free=600 * 1024 * 1024 - 10**8)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(DiskFullError, match="needs 3 MB"):
        hub.download(REPO, FILE, tmp_path)


def test_split_models_come_whole(hub, server, tmp_path):
    for number in (1, 2, 3):
        server.add(REPO, f"q8/big-{number:05d}-of-00003.gguf", gguf_bytes(padding=1000 * number))
    told = []
    paths = hub.download(REPO, "q8/big-00001-of-00003.gguf", tmp_path, progress=lambda *both: told.append(both))
    assert [path.name[-19:] for path in paths] == [f"{n:05d}-of-00003.gguf" for n in (1, 2, 3)]
    total = sum(path.stat().st_size for path in paths)
    assert told[-1] == (total, total)


def test_lists_and_searches(hub, server):
    server.add(REPO, "README.md", b"x")
    server.add(REPO, "small.gguf", b"x")
    assert [(file.filename, file.size_bytes) for file in hub.files(REPO)] == [
        ("small.gguf", 1),
        (FILE, len(server.files[REPO, FILE])),
    ]
    assert hub.search("tiny") == [REPO]


def test_missing_gated_and_unreachable(hub, server, tmp_path):
    with pytest.raises(NotFoundError):
        hub.download(REPO, "none.gguf", tmp_path)
    with pytest.raises(NotFoundError):
        hub.files("nobody/nothing")
    server.gated = True
    with pytest.raises(RemoteAuthError):
        hub.download(REPO, FILE, tmp_path)
    with pytest.raises(RemoteUnreachableError):
        HttpHub(lambda: "http://127.0.0.1:9").files(REPO)


@pytest.mark.parametrize("repo", ["", "x", "../x", "a/b/c", "a/..", "http://x/y"])
def test_odd_repositories(hub, tmp_path, repo):
    with pytest.raises(BadRequestError):
        hub.download(repo, FILE, tmp_path)


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../x.gguf", "a/../../x.gguf", "a\\b.gguf"])
def test_odd_files(hub, tmp_path, name):
    with pytest.raises(BadRequestError):
        hub.download(REPO, name, tmp_path)


class FullDisk:
    """A file on a disk with room for so many bytes."""

    def __init__(self, file, room):
        self._file, self._room = file, room

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self._file.close()

    def tell(self):
        return self._file.tell()

    def write(self, block):
        if self._file.tell() + len(block) > self._room:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self._file.write(block)


def test_a_disk_that_fills_in_the_middle_keeps_what_has_come(hub, server, tmp_path, monkeypatch):
    real = Path.open

    def small(path, mode="r", **more):
        file = real(path, mode, **more)
        return FullDisk(file, 1_500_000) if path.suffix == ".part" and mode in {"ab", "wb"} else file

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", small)
        with pytest.raises(EnvironmentFault, match="No space left"):
            hub.download(REPO, FILE, tmp_path)
    [left] = hub.unfinished(tmp_path)
    assert 0 < left.done <= 1_500_000
    [path] = hub.download(REPO, FILE, tmp_path)
    assert path.read_bytes() == server.files[REPO, FILE]
    assert server.requests[-1][2] == f"bytes={left.done}-"
    assert hub.unfinished(tmp_path) == []
