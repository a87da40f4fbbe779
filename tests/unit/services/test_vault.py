import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from memdesk.errors import ConflictError, LockedError
from memdesk.runtime.clock import SystemClock
from memdesk.services.events import EventBus, LockChanged
from memdesk.services.guarding.vault import VaultService
from memdesk.storage.database import Database
from memdesk.storage.errors import DatabaseMissingError
from memdesk.storage.vault import Vault
from tests.helpers.vaults import MemorySecrets, MemoryVault


class Meta(dict):
    def put(self, key, value):
        self[key] = value


class FakeStore:
    def __init__(self):
        self.repos = SimpleNamespace(meta=Meta())
        self.is_open = False

    def open(self, _key, *, create=True):
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
def clock():
    return SimpleNamespace(now=lambda: datetime(2026, 1, 1, tzinfo=UTC))


@pytest.fixture
def service(vault, store, events, clock):
    return VaultService(vault=vault, store=store, events=events, clock=clock)


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


def test_a_right_code_is_noted_with_its_time_and_a_wrong_one_is_not(service, clock):
    code, made = service.create(), clock.now()
    assert service.recovery_tried() == made
    clock.now = lambda: made + timedelta(days=91)
    assert not service.verify_recovery("wrong")
    assert service.recovery_tried() == made
    assert service.verify_recovery(code)
    assert service.recovery_tried() == made + timedelta(days=91)


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


def test_a_vault_without_its_database_is_never_opened_on_an_empty_one(tmp_path):
    paths = tmp_path / "vault.json", tmp_path / "memory.db"
    database = Database(paths[1])
    vault = VaultService(vault=Vault(paths[0], MemorySecrets()), store=database, events=EventBus(), clock=SystemClock())
    vault.create()
    vault.lock()
    for file in tmp_path.glob("memory.db*"):
        file.unlink()
    with pytest.raises(DatabaseMissingError, match="not there") as caught:
        vault.unlock()
    assert "restore a backup" in caught.value.hint
    assert not paths[1].exists()
