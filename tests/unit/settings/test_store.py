import json
import os
import stat

import pytest

from memdesk.errors import DiskFullError
from memdesk.settings.schema import MemorySettings, Settings
from memdesk.settings.store import SettingsFileError, SettingsStore


@pytest.fixture
def store(tmp_path):
    return SettingsStore(tmp_path / "config")


def write(store, section, data):
    path = store.path(section)
    path.parent.mkdir(exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def test_missing_files_mean_defaults_and_nothing_is_made(store, tmp_path):
    assert store.load() == Settings()
    assert not (tmp_path / "config").exists()


def test_a_saved_section_comes_back_and_is_camel_case(store):
    store.save("memory", MemorySettings(memory_budget_tokens=1200, core_model=""))
    data = json.loads(store.path("memory").read_text())
    assert data["memoryBudgetTokens"] == 1200
    assert data["version"] == 1
    assert store.load().memory.core_model == ""


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"memoryBudgetTokens": ', "this is not JSON"),
        ("[1]", "must hold one JSON object"),
        ({"memoryBudgetTokens": -1}, "'memoryBudgetTokens' must be greater than or equal to 0 (it is -1)"),
        ({"memoryBudget": 800}, "'memoryBudget' is not a setting"),
        ({"version": 99}, "written by a newer memdesk"),
        ({"version": "one"}, "'version' is 'one'"),
    ],
)
def test_a_file_that_cannot_be_used_names_itself_and_the_field_and_stays(store, content, words):
    path = write(store, "memory", content)
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(SettingsFileError) as refused:
            store.load()
    assert words in refused.value.message
    assert "memory.json" in refused.value.message
    assert path.read_bytes() == before
    copies = sorted(path.parent.glob("memory.refused-*.json"))
    assert [copy.read_bytes() for copy in copies] == [before]
    assert copies[0].name in refused.value.hint


def test_several_problems_are_all_named(store):
    write(store, "memory", {"salienceFloor": 2, "coreModel": 5})
    with pytest.raises(SettingsFileError) as refused:
        store.load()
    assert "'salienceFloor'" in refused.value.message
    assert "'coreModel'" in refused.value.message


def test_a_file_that_is_nested_without_end_is_refused_in_words(store):
    store.path("memory").parent.mkdir(parents=True, exist_ok=True)
    store.path("memory").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(SettingsFileError, match="nested"):
        store.load()


def test_bytes_that_are_no_text_are_refused(store):
    path = write(store, "server", "{}")
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsFileError, match="UTF-8"):
        store.load()


def test_a_failed_write_leaves_the_old_file_and_no_leftovers(store, monkeypatch):
    store.save("memory", MemorySettings())
    before = store.path("memory").read_bytes()

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFullError, match="no room"):
        store.save("memory", MemorySettings(enabled=False))
    assert store.path("memory").read_bytes() == before
    assert [p.name for p in store.path("memory").parent.iterdir()] == ["memory.json"]


def test_files_are_for_their_owner_alone(store):
    store.save("server", Settings().server)
    assert stat.S_IMODE(store.path("server").stat().st_mode) == 0o600
