"""The OS keyring: a real Secret Service, and machines without one."""

from __future__ import annotations

import sys

import keyring
import keyring.errors
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as FailKeyring
from keyring.backends.null import Keyring as NullKeyring

from memdesk.engines.keyring_store import KeyringFault, KeyringStore
from tests.helpers.secret_service import run_with_secret_service

ROUND_TRIP = """
from memdesk.engines.keyring_store import KeyringStore
store, other = KeyringStore(), KeyringStore("work")
assert store.available()
assert store.get("data-key") is None
store.set("data-key", "s3cret \\u00fc")
other.set("data-key", "another")
assert KeyringStore().get("data-key") == "s3cret \\u00fc"
assert KeyringStore("work").get("data-key") == "another"
store.set("data-key", "changed")
assert store.get("data-key") == "changed"
store.delete("data-key")
store.delete("data-key")
assert store.get("data-key") is None
assert other.get("data-key") == "another"
print("round trip")
"""
KEEP = """
from memdesk.engines.keyring_store import KeyringStore
KeyringStore().set("data-key", "kept-over-restarts")
"""
READ = """
from memdesk.engines.keyring_store import KeyringStore
print(KeyringStore().get("data-key"))
"""
LOCKED = """
import secretstorage
from contextlib import closing
from memdesk.engines.keyring_store import KeyringFault, KeyringStore
store = KeyringStore()
store.set("data-key", "s3cret")
with closing(secretstorage.dbus_init()) as bus:
    secretstorage.get_default_collection(bus).lock()
try:
    store.get("data-key")
except KeyringFault as fault:
    print(fault.code, fault.message)
"""


@pytest.mark.keyring
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Secret Service is Linux's")
class TestSecretService:
    """Against gnome-keyring in a D-Bus session of its own."""

    def test_round_trip(self, tmp_path):
        done = run_with_secret_service(ROUND_TRIP, tmp_path / "user")
        assert done.stdout == "round trip\n", done.stderr

    def test_secrets_survive_and_are_not_readable_on_disk(self, tmp_path):
        home = tmp_path / "user"
        assert run_with_secret_service(KEEP, home).returncode == 0
        assert run_with_secret_service(READ, home).stdout == "kept-over-restarts\n"
        files = [path for path in home.rglob("*") if path.is_file()]
        assert any(path.suffix == ".keyring" for path in files)
        assert not any(b"kept-over-restarts" in path.read_bytes() for path in files)

    def test_a_locked_collection_is_the_environments_fault(self, tmp_path):
        done = run_with_secret_service(LOCKED, tmp_path / "user", timeout=60)
        assert done.stdout.startswith("keyring_unavailable"), done.stderr


class Scripted(KeyringBackend):
    """A backend that fails as told."""

    priority = 0.1
    error: Exception | None = None

    def get_password(self, service, username):
        if self.error:
            raise self.error
        return f"{service}/{username}"

    def set_password(self, service, username, password):
        raise keyring.errors.PasswordSetError("no")


@pytest.fixture
def backend(monkeypatch):
    def put(found):
        monkeypatch.setattr(keyring, "get_keyring", lambda: found)
        return KeyringStore("work")

    return put


@pytest.mark.parametrize("useless", [FailKeyring, NullKeyring])
def test_no_keyring_is_said(backend, useless):
    store = backend(useless())
    assert not store.available()
    with pytest.raises(KeyringFault, match="no keyring"):
        store.get("data-key")


def test_a_plaintext_keyring_is_none(backend):
    plain = type("PlaintextKeyring", (Scripted,), {"__module__": "keyrings.alt.file"})
    assert not backend(plain()).available()


def test_a_broken_library_is_none(monkeypatch):
    def fail():
        raise RuntimeError("no D-Bus")

    monkeypatch.setattr(keyring, "get_keyring", fail)
    assert not KeyringStore().available()


def test_profiles_have_services_of_their_own(backend):
    assert backend(Scripted()).get("data-key") == "memdesk:work/data-key"


@pytest.mark.parametrize(
    "error", [keyring.errors.KeyringLocked("locked"), keyring.errors.InitError("x"), TimeoutError("no answer")]
)
def test_failures_are_the_environments(backend, error):
    failing = Scripted()
    failing.error = error
    store = backend(failing)
    assert store.available()
    for action in (lambda: store.get("a"), lambda: store.set("a", "b"), lambda: store.delete("a")):
        with pytest.raises(KeyringFault):
            action()


class Sieve(KeyringBackend):
    """Takes everything and keeps nothing."""

    priority = 1

    def get_password(self, service, username):
        return None

    def set_password(self, service, username, password):
        pass

    def delete_password(self, service, username):
        pass


def test_a_keyring_that_keeps_nothing_is_found_out(monkeypatch):
    before = keyring.get_keyring()
    keyring.set_keyring(Sieve())
    try:
        assert KeyringStore().available()
        assert not KeyringStore().keeps()
    finally:
        keyring.set_keyring(before)
