"""What may be written to a full disk; these tests decide when it is full."""

from __future__ import annotations

import os
import stat

import pytest

from memdesk.errors import DiskFullError
from memdesk.storage import room as rooms
from memdesk.storage.database import Database
from tests.helpers import rows


class Disk:
    """Tells how much room there is, in place of the system."""

    def __init__(self):
        self.free = 2**40

    def has_room(self, path, size=1 << 16):
        reserve = path.with_name(path.name + ".reserve")
        return size <= self.free - (rooms.RESERVE if reserve.exists() else 0)


@pytest.fixture
def disk(monkeypatch):
    disk = Disk()
    monkeypatch.setattr(rooms, "has_room", disk.has_room)
    monkeypatch.setattr("memdesk.storage.database.has_room", disk.has_room)
    return disk


def say(store, text="hello", position=0):
    store.write(lambda repos: repos.turns.add([rows.turn(text, position=position)]))


def test_the_reserve_takes_its_room_and_is_private(store, path):
    store.room.keep_reserve()
    found = store.room.reserve.stat()
    assert found.st_size == rooms.RESERVE
    assert found.st_blocks * 512 >= rooms.RESERVE
    assert os.name == "nt" or stat.S_IMODE(found.st_mode) == 0o600


def test_no_reserve_is_made_where_there_is_little_room(disk, store):
    disk.free = rooms.RESERVE + rooms.SPARE
    store.room.keep_reserve()
    assert not store.room.reserve.exists()


@pytest.mark.expect_log
def test_a_full_disk_gives_its_reserve_to_what_frees_room(disk, store):
    told = []
    store.room = rooms.Room(store.path, told.append)
    store.room.keep_reserve()
    disk.free = rooms.RESERVE
    store.room.look()
    assert not store.room.reserve.exists()
    with pytest.raises(DiskFullError) as caught:
        say(store)
    assert "forget" in caught.value.hint
    with store.making_room(lambda: None):
        say(store)
    with pytest.raises(DiskFullError):
        say(store, position=1)
    disk.free = 2**40
    say(store, position=1)
    assert store.room.reserve.exists()
    assert told == [True, False]


@pytest.mark.expect_log
def test_messages_wait_until_there_is_room_for_the_reserve_too(disk, store):
    store.room.keep_reserve()
    disk.free = rooms.RESERVE
    store.room.look()
    disk.free = rooms.RESERVE + rooms.SPARE - 1
    with pytest.raises(DiskFullError):
        say(store)
    disk.free = rooms.RESERVE + rooms.SPARE
    say(store)
    assert store.room.reserve.exists()


@pytest.mark.expect_log
def test_messages_wait_while_the_reserve_cannot_be_made(disk, store, monkeypatch):
    store.room.keep_reserve()
    disk.free = rooms.RESERVE
    store.room.look()
    disk.free = 2**40

    def refused(path):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(rooms, "_fill", refused)
        with pytest.raises(DiskFullError):
            say(store)
    say(store)


@pytest.mark.expect_log
def test_copies_that_may_go_are_dropped_first_when_there_is_no_reserve(disk, store):
    disk.free = 0
    dropped = []
    with store.making_room(lambda: dropped.append(True)):
        say(store)
    assert dropped == [True]


def test_with_room_nothing_is_dropped(disk, store):
    with store.making_room(lambda: pytest.fail("dropped")):
        say(store)


@pytest.mark.expect_log
def test_freed_pages_go_back_to_a_full_disk(disk, store, path):
    store.write(lambda repos: repos.turns.add([rows.turn("word " * 4000, position=n) for n in range(200)]))
    store.checkpoint()
    size = path.stat().st_size
    disk.free = rooms.LEAST
    with store.making_room(lambda: None):
        store.write(lambda repos: repos.erasing.rows("turns", range(1, 201), marks=False))
    assert path.stat().st_size < size / 2
    assert store.verify() == []


@pytest.mark.expect_log
@pytest.mark.skipif(os.name != "posix", reason="the index of the log is a file elsewhere")
def test_without_a_free_byte_the_memory_is_read_without_making_a_file(disk, store, path):
    say(store, "kept")
    store.close()
    disk.free = 0
    database = Database(path)
    database.open(rows.KEY)
    try:
        with database.read() as one, database.read() as other:
            for repos in (one, other):
                assert [turn.content for turn in repos.turns.of_conversation("ana", "c1")] == ["kept"]
        assert not path.with_name(path.name + "-shm").exists()
        with pytest.raises(DiskFullError):
            say(database, position=1)
        assert database.verify() == []
    finally:
        database.close()
