"""A new key for the whole memory: killed at any point, the old secrets or the new ones open it, and nothing is lost."""

import os

import pytest

from memdesk.storage import files, recovery_code, vault
from memdesk.storage.database import Database
from memdesk.storage.errors import DiskFullError, WrongRecoveryCodeError
from memdesk.storage.files import rekey
from memdesk.storage.wrapping import KdfCost
from tests.helpers.rows import agent
from tests.helpers.vaults import MemorySecrets

CHEAP = KdfCost(memory_kib=64, iterations=1, lanes=1)


class Memory:
    """A database with one agent in it, its vault, and a keyring."""

    def __init__(self, folder, *, keyring=True):
        self.secrets = MemorySecrets(available=keyring)
        self.path = folder / "memory.db"
        self.vault = vault.Vault(folder / "vault.json", self.secrets, cost=CHEAP)
        self.key, self.code = self.vault.create(None if keyring else "the first passphrase")
        store = Database(self.path)
        store.open(self.key)
        store.write(lambda repos: repos.agents.put(agent("kept")))
        store.close()

    def rotate(self, code, passphrase=None):
        return self.vault.rotate(self.key, code, passphrase, lambda old, new: rekey(self.path, old, new))

    def agents(self, key):
        store = Database(self.path)
        store.open(key, create=False)
        try:
            with store.read() as repos:
                return [one.id for one in repos.agents.all()]
        finally:
            store.close()


@pytest.fixture
def memory(tmp_path):
    return Memory(tmp_path)


def test_the_new_code_and_the_keyring_open_it_and_the_old_code_no_longer(memory):
    code = recovery_code.generate()
    new = memory.rotate(code)
    assert new != memory.key
    assert memory.vault.open() == new
    assert memory.vault.open(recovery_code=code) == new
    assert memory.agents(new) == ["kept"]
    with pytest.raises(WrongRecoveryCodeError):
        memory.vault.open(recovery_code=memory.code)
    assert len(memory.secrets.kept) == 1


def test_a_page_of_the_old_key_is_left_nowhere(memory, tmp_path):
    before = memory.path.read_bytes()[:4096]
    memory.rotate(recovery_code.generate())
    assert all(before not in file.read_bytes() for file in tmp_path.iterdir() if file.is_file())


def test_without_a_keyring_the_new_passphrase_opens_it(tmp_path):
    memory = Memory(tmp_path, keyring=False)
    new = memory.rotate(recovery_code.generate(), "the second passphrase")
    assert memory.vault.open(passphrase="the second passphrase") == new
    assert memory.agents(new) == ["kept"]


def test_a_full_disk_changes_nothing(memory, monkeypatch):
    monkeypatch.setattr(files, "has_room", lambda *_: False)
    before = memory.path.read_bytes(), memory.vault.path.read_bytes()
    with pytest.raises(DiskFullError):
        memory.rotate(recovery_code.generate())
    assert (memory.path.read_bytes(), memory.vault.path.read_bytes()) == before
    assert memory.vault.open() == memory.key
    assert len(memory.secrets.kept) == 1


#: Where the process is killed: the n-th call of a function, before or after it did its work.
POINTS = [
    (vault.Vault, "_write", 1, "before"),
    (vault.Vault, "_write", 1, "after"),
    (files, "keep_copy", 1, "before"),
    (files, "keep_copy", 1, "after"),
    (files, "put_in_place", 1, "before"),
    (files, "put_in_place", 1, "after"),
    (files, "put_in_place", 2, "before"),
    (files, "put_in_place", 2, "after"),
    (vault.Vault, "_write", 2, "before"),
    (vault.Vault, "_write", 2, "after"),
]


def killed_at(memory, code, owner, name, number, when):
    """Rotate in a process of its own that dies at one point, as kill -9 would end it."""
    child = os.fork()
    if child:
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        return
    calls = 0
    real = getattr(owner, name)

    def fatal(*arguments, **named):
        nonlocal calls
        calls += 1
        if calls == number and when == "before":
            os._exit(9)
        result = real(*arguments, **named)
        if calls == number:
            os._exit(9)
        return result

    setattr(owner, name, fatal)
    memory.rotate(code)
    os._exit(0)


@pytest.mark.parametrize("way", ["keyring", "old code", "new code"])
@pytest.mark.parametrize(("owner", "name", "number", "when"), POINTS)
def test_killed_at_any_point_it_opens_and_holds_everything(memory, way, owner, name, number, when):
    code = recovery_code.generate()
    killed_at(memory, code, owner, name, number, when)
    begun = (name, number, when) != ("_write", 1, "before")
    done = (name, number, when) == ("_write", 2, "after")
    ways = {"keyring": None, "old code": memory.code, "new code": code}
    if (way == "new code" and not begun) or (way == "old code" and done):
        # The change had not begun, or was over.
        with pytest.raises(WrongRecoveryCodeError):
            memory.vault.open(recovery_code=ways[way])
        way = "new code" if done else "old code"
    if way == "keyring" and done:
        way = "new code"  # the process that died had the keyring in its own memory
    opened = memory.vault.open(recovery_code=ways[way])
    assert memory.agents(opened) == ["kept"]
    # Whichever way it went, one key is left, and the next start asks nothing.
    assert memory.vault.open() == opened
    assert b'"next"' not in memory.vault.path.read_bytes()
    assert not list(memory.path.parent.glob("*.rekeyed*"))
