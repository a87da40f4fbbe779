import threading
from contextlib import contextmanager

import pytest

from memdesk.errors import LockedError
from memdesk.services.gatekeeper import LockableStore


class Inner:
    def __init__(self):
        self.closed = 0

    @contextmanager
    def read(self):
        assert not self.closed
        yield "repos"

    def write(self, work):
        assert not self.closed
        return work("repos")

    def stats(self):
        return {"rows": 1}

    def close(self):
        self.closed += 1


@pytest.fixture
def inner():
    return Inner()


@pytest.fixture
def store(inner):
    store = LockableStore(lambda key: inner if key == b"right" else pytest.fail("wrong key"))
    store.open(b"right")
    return store


def test_open_it_passes_everything_on(store):
    with store.read() as repos:
        assert repos == "repos"
    assert store.write(lambda repos: repos + "!") == "repos!"
    assert store.stats() == {"rows": 1}


def test_closed_every_use_answers_locked(store, inner):
    store.close()
    store.close()
    assert inner.closed == 1
    assert not store.is_open
    for use in (lambda: store.write(str), store.stats, store.checkpoint, lambda: store.read().__enter__()):
        with pytest.raises(LockedError):
            use()


def test_opening_twice_opens_once(store, inner):
    store.open(b"other")
    assert store.is_open


def test_closing_waits_for_those_inside(store, inner):
    inside, leave = threading.Event(), threading.Event()

    def reader():
        with store.read():
            inside.set()
            leave.wait(5)
            assert not inner.closed

    thread = threading.Thread(target=reader)
    thread.start()
    assert inside.wait(5)
    closer = threading.Thread(target=store.close)
    closer.start()
    while store.is_open:
        pass
    with pytest.raises(LockedError):
        store.stats()
    assert not inner.closed
    leave.set()
    closer.join(5)
    thread.join(5)
    assert inner.closed == 1


def test_a_database_that_refuses_leaves_the_door_closed():
    def refuse(_key):
        raise LockedError("no")

    store = LockableStore(refuse)
    with pytest.raises(LockedError, match="no"):
        store.open(b"x")
    assert not store.is_open
