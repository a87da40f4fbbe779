"""A backup of a real store opens on another machine with the recovery code or the passphrase, and not without."""

import json
import os
import zipfile
from datetime import UTC, datetime

import pytest

from memdesk.bootstrap.profile import MemorySecrets, open_store
from memdesk.domain.items.item import MemoryItem
from memdesk.domain.models import Agent
from memdesk.errors import ConflictError, LockedError, MemdeskError
from memdesk.runtime.clock import SystemClock
from memdesk.services.events import EventBus
from memdesk.services.guarding.archive import BackupError
from memdesk.services.guarding.backup import BackupService, inspect, restore
from memdesk.services.guarding.vault import VaultService
from memdesk.settings.files import WrongPlaceError
from memdesk.settings.paths import profile_paths
from memdesk.storage.database import Database
from memdesk.storage.vault import Vault
from memdesk.storage.wrapping import KdfCost

NOW = datetime(2024, 5, 1, tzinfo=UTC)
PHRASE = "My sister Ada keeps bees in Lisbon"


def vault_at(path, secrets=None):
    return Vault(path, secrets or MemorySecrets(available=False), cost=KdfCost(iterations=1, lanes=1, memory_kib=64))


class Profile:
    def __init__(self, root):
        self.paths = profile_paths(home=root)
        self.secrets = MemorySecrets()
        self.vault_file = vault_at(self.paths.vault, self.secrets)
        self.store = Database(self.paths.database)
        self.vault = VaultService(vault=self.vault_file, store=self.store, events=EventBus(), clock=SystemClock())
        self.service = BackupService(
            store=self.store,
            vault=self.vault,
            paths=self.paths,
            clock=SystemClock(),
            opener=open_store,
            vault_at=vault_at,
        )


@pytest.fixture
def profile(tmp_path):
    profile = Profile(tmp_path / "one")
    profile.code = profile.vault.create()
    profile.paths.ensure()
    (profile.paths.config / "memory.json").write_text('{"memoryBudgetTokens": 900}')
    profile.store.write(
        lambda repos: (
            repos.agents.put(Agent(id="a", name="A", created_at=NOW, updated_at=NOW)),
            repos.items.put(MemoryItem(id="f", agent_id="a", content=PHRASE, created_at=NOW, updated_at=NOW)),
        )
    )
    yield profile
    profile.store.close()


@pytest.fixture
def elsewhere(tmp_path):
    profile = Profile(tmp_path / "two")
    yield profile
    profile.store.close()


def put_back(path, profile, **given):
    return restore(path, profile.paths, vault_at, open_store, keyring_vault=profile.vault_file, **given)


def test_a_backup_comes_back_on_another_machine_with_the_recovery_code(profile, elsewhere, tmp_path):
    report = profile.service.backup(tmp_path / "x.backup")
    assert report.verified
    assert report.counts["facts"] == 1
    done = put_back(tmp_path / "x.backup", elsewhere, recovery_code=profile.code)
    assert done.counts == report.counts
    assert done.replaced is None
    elsewhere.vault.unlock()
    with elsewhere.store.read() as repos:
        assert repos.items.get("f").content == PHRASE
    assert json.loads((elsewhere.paths.config / "memory.json").read_text()) == {"memoryBudgetTokens": 900}


def test_a_passphrase_of_its_own_opens_the_backup_but_not_the_vault(profile, elsewhere, tmp_path):
    profile.service.backup(tmp_path / "x.backup", "carry me home")
    assert not profile.vault.has_passphrase()
    assert inspect(tmp_path / "x.backup", vault_at, open_store, passphrase="carry me home").counts["facts"] == 1
    put_back(tmp_path / "x.backup", elsewhere, passphrase="carry me home")


def test_nothing_of_it_can_be_read_and_nothing_is_left_beside_it(profile, tmp_path):
    profile.service.backup(tmp_path / "x.backup")
    data = (tmp_path / "x.backup").read_bytes()
    assert b"sister" not in data
    assert b"bees" not in data
    assert sorted(p.name for p in tmp_path.iterdir() if p.name not in {"one", "home"}) == ["x.backup"]


@pytest.mark.parametrize("given", [{}, {"passphrase": "wrong"}, {"recovery_code": "wrong"}])
def test_without_the_right_secret_it_stays_shut_and_nothing_is_moved(profile, elsewhere, tmp_path, given):
    profile.service.backup(tmp_path / "x.backup")
    with pytest.raises(MemdeskError):
        put_back(tmp_path / "x.backup", elsewhere, **given)
    assert not elsewhere.paths.database.exists()
    assert not elsewhere.paths.vault.exists()


def test_a_memory_that_is_here_is_moved_aside_only_when_asked(profile, elsewhere, tmp_path):
    profile.service.backup(tmp_path / "x.backup")
    elsewhere.vault.create()
    elsewhere.store.close()
    before = elsewhere.paths.database.read_bytes()
    with pytest.raises(ConflictError):
        put_back(tmp_path / "x.backup", elsewhere, recovery_code=profile.code)
    done = put_back(tmp_path / "x.backup", elsewhere, recovery_code=profile.code, replace=True)
    assert (elsewhere.paths.data / "replaced-1" / "memory.db").read_bytes() == before
    assert done.replaced is not None


def test_an_existing_file_is_never_overwritten(profile, tmp_path):
    (tmp_path / "x.backup").write_text("mine")
    with pytest.raises(ConflictError):
        profile.service.backup(tmp_path / "x.backup")
    assert (tmp_path / "x.backup").read_text() == "mine"


def test_a_folder_that_is_not_there_is_told_in_words(profile, tmp_path):
    with pytest.raises(WrongPlaceError, match="could not be written"):
        profile.service.backup(tmp_path / "none" / "x.backup")


def test_a_path_that_no_disk_takes_is_told_in_words(profile):
    with pytest.raises(WrongPlaceError, match="could not be written"):
        profile.service.backup("/" + "/".join(["a" * 200] * 40))


def test_a_locked_memory_cannot_be_backed_up(profile, tmp_path):
    profile.vault.lock()
    with pytest.raises(LockedError):
        profile.service.backup(tmp_path / "x.backup")


@pytest.mark.skipif(os.name == "nt", reason="there are no such files")
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_what_has_no_end_is_no_backup(elsewhere, tmp_path, kind):
    path = tmp_path / "x.backup"
    os.mkfifo(path) if kind == "pipe" else path.symlink_to("/dev/zero")
    with pytest.raises(BackupError, match="is not a memdesk backup"):
        put_back(path, elsewhere, passphrase="x")


@pytest.mark.parametrize("damage", ["cut", "flip", "text", "empty", "missing", "newer", "stray"])
def test_what_is_no_whole_backup_is_refused(profile, elsewhere, tmp_path, damage):
    path = tmp_path / "x.backup"
    profile.service.backup(path)
    data = bytearray(path.read_bytes())
    if damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif damage == "flip":
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    elif damage == "missing":
        path.unlink()
    elif damage in {"text", "empty"}:
        path.write_text("hello" if damage == "text" else "")
    else:
        with zipfile.ZipFile(path) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        manifest = json.loads(members["manifest.json"])
        if damage == "newer":
            manifest["format"] = 99
        else:
            manifest["members"]["../../evil"] = {"bytes": 1, "sha256": "x"}
        members["manifest.json"] = json.dumps(manifest).encode()
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
    with pytest.raises(BackupError):
        put_back(path, elsewhere, recovery_code=profile.code)
    assert not elsewhere.paths.database.exists()


def test_a_file_that_is_somebody_elses_is_left_alone(profile, tmp_path):
    foreign = tmp_path / ".memory.backup.part"
    foreign.write_text("mine")
    profile.service.backup(tmp_path / "memory.backup")
    assert foreign.read_text() == "mine"
    assert not [file for file in tmp_path.glob(".memory.backup.*.part") if file != foreign]


def test_a_backup_among_our_own_files_is_refused(profile):
    for folder in profile.paths.folders:
        with pytest.raises(ConflictError, match="own files"):
            profile.service.backup(folder / "memory.backup")
