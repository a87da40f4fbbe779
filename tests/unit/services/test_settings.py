import json

import pytest

from memdesk.errors import NotFoundError
from memdesk.services.events import EventBus, SettingsChanged
from memdesk.services.settings import SettingsService
from memdesk.settings.store import SettingsStore, SettingsValueError


@pytest.fixture
def heard():
    return []


@pytest.fixture
def service(tmp_path, heard):
    events = EventBus()
    events.subscribe(SettingsChanged, heard.append)
    return SettingsService(SettingsStore(tmp_path), events)


def test_an_update_is_in_force_written_and_told(service, heard, tmp_path):
    service.update("memory", {"memoryBudgetTokens": 900, "core_model": "x"})
    assert service.current.memory.memory_budget_tokens == 900
    assert json.loads((tmp_path / "memory.json").read_text())["coreModel"] == "x"
    assert set(heard[0].names) == {"memory.memory_budget_tokens", "memory.core_model"}


def test_nothing_new_is_neither_written_nor_told(service, heard, tmp_path):
    service.update("memory", {"memoryBudgetTokens": 800})
    assert heard == []
    assert not (tmp_path / "memory.json").exists()


def test_a_bad_value_changes_nothing(service, tmp_path):
    with pytest.raises(SettingsValueError, match="'memoryBudgetTokens' must be less than or equal to 16000"):
        service.update("memory", {"enabled": False, "memoryBudgetTokens": 90000})
    assert service.current.memory.enabled
    assert not (tmp_path / "memory.json").exists()


@pytest.mark.parametrize(
    ("servers", "fault"),
    [
        ([{"name": "lab", "url": "http://127.0.0.1:1/v1"}], "base_url"),
        ([{"name": "a/b", "base_url": "http://127.0.0.1:1/v1"}], "without a slash"),
        ([{"name": "lab", "base_url": "127.0.0.1:1"}], "http://"),
        ([{"name": "lab", "base_url": "http://a/v1"}, {"name": "lab", "base_url": "http://b/v1"}], "different names"),
    ],
)
def test_a_remote_server_that_could_not_be_asked_is_refused(service, servers, fault):
    with pytest.raises(SettingsValueError, match=fault):
        service.update("engine", {"remoteServers": servers})
    assert service.current.engine.remote_servers == []


def test_an_unknown_name_is_answered_with_the_nearest(service):
    with pytest.raises(SettingsValueError) as refused:
        service.update("memory", {"memoryBudget": 1})
    assert "memoryBudgetTokens" in refused.value.hint


def test_an_unknown_section_is_not_found(service):
    with pytest.raises(NotFoundError):
        service.update("memories", {})


def test_what_was_edited_by_hand_meanwhile_is_kept_and_told(service, heard, tmp_path):
    (tmp_path / "memory.json").write_text('{"salienceFloor": 0.5}')
    service.update("memory", {"memoryBudgetTokens": 900})
    assert service.current.memory.salience_floor == 0.5
    assert set(heard[0].names) == {"memory.memory_budget_tokens", "memory.salience_floor"}
