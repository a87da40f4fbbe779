import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from memdesk.errors import ConflictError, LockedError
from memdesk.services.events import EventBus, LockChanged
from memdesk.services.vault import VaultService
from tests.helpers.vaults import MemoryVault


class Meta(dict):
    def put(self, key, value):
        self[key] = value


class FakeStore:
    def __init__(self):
        self.repos = SimpleNamespace(meta=Meta())
        self.is_open = False

    def open(self, _key):
        self.is_open = True

    def close(self):
        self.is_open = False

    @contextmanager
    def read(self):
        assert self.is_open
        yield self.repos

    def write(self, work):
        assert self.is_open
        return work(self.repos)


@pytest.fixture
def vault():
    return MemoryVault()


@pytest.fixture
def heard():
    return []


@pytest.fixture
def events(heard):
    made = EventBus()
    made.subscribe(LockChanged, lambda event: heard.append(event.locked))
    return made


@pytest.fixture
def store():
    return FakeStore()


@pytest.fixture
def service(vault, store, events):
    return VaultService(vault=vault, store=store, events=events)


def test_a_memory_is_made_once_locked_and_opened_again(service, heard):
    assert service.state() == "new"
    assert service.create() == "alpha-bravo-charlie-delta"
    assert service.state() == "open"
    service.lock()
    service.lock()
    assert service.state() == "locked"
    with pytest.raises(LockedError):
        service.key()
    service.unlock()
    service.unlock()
    assert service.state() == "open"
    assert heard == [False, True, False]


def test_making_a_second_memory_over_the_first_is_refused(service):
    service.create()
    with pytest.raises(ConflictError):
        service.create()


def test_a_lost_keyring_is_a_question_for_the_recovery_code(service, vault):
    code = service.create()
    service.lock()
    vault.in_keyring = False
    with pytest.raises(LockedError):
        service.unlock()
    assert service.state() == "locked"
    service.unlock(recovery_code=code)
    assert service.state() == "open"


def test_the_code_is_confirmed_by_some_of_its_words_or_as_a_whole(service):
    service.create()
    assert not service.confirm_recovery({0: "alpha", 2: "wrong"})
    assert not service.confirm_recovery({})
    assert not service.confirm_recovery({9: "alpha"})
    assert not service.recovery_confirmed()
    assert service.confirm_recovery({0: " Alpha", 2: "charlie "})
    assert service.recovery_confirmed()
    assert service.confirm_recovery("alpha-bravo-charlie-delta")
    assert not service.confirm_recovery("alpha")


def test_a_new_code_wants_to_be_confirmed_again(service):
    service.create()
    service.confirm_recovery({0: "alpha"})
    assert service.new_recovery_code() == "echo-foxtrot-golf-hotel"
    assert not service.recovery_confirmed()
    assert service.verify_recovery("echo-foxtrot-golf-hotel")


def test_a_passphrase_can_be_added_and_taken_away(service):
    service.create()
    service.set_passphrase("open sesame")
    assert service.has_passphrase()
    service.lock()
    service.unlock(passphrase="open sesame")
    service.set_passphrase(None)
    assert not service.has_passphrase()


def test_one_who_unlocks_while_it_is_being_locked_finds_an_open_store(service, store, events, heard):
    """Letting go of the engines takes seconds, and the lock screen is up by then."""
    service.create()
    impatient = threading.Thread(target=service.unlock)

    def meanwhile(event):
        if event.locked:
            impatient.start()
            impatient.join(0.1)

    events.subscribe(LockChanged, meanwhile)
    service.lock()
    impatient.join(60)
    assert service.state() == "open"
    assert store.is_open
    assert heard == [False, True, False]
