"""The composition root: one app owns a profile, opens and locks it, serves, and leaves nothing behind."""

import json
import logging
import threading
import time
from datetime import timedelta

import httpx
import pytest

from memdesk.bootstrap.app import App
from memdesk.bootstrap.lazy import later, was_made
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.bootstrap.throwaway import throwaway
from memdesk.bootstrap.wiring import HoldableLanes
from memdesk.errors import CancelledError, EngineError, EnvironmentFault, LockedError
from memdesk.runtime.instance import AlreadyRunningError, find_owner
from memdesk.services.events import LockChanged, Notice, WindowWanted
from memdesk.services.recording.ingest import IngestTurn
from memdesk.settings.paths import profile_paths
from memdesk.settings.store import SettingsFileError, SettingsValueError


@pytest.fixture
def app(tmp_path):
    with throwaway(tmp_path / "profile", embedder=lambda: None) as app:
        yield app


def call(app, method, path, **more):
    url = app.start_server(host="127.0.0.1", port=0)
    headers = {"Authorization": f"Bearer {app.token}"}
    with httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=60) as http:
        return http.request(method, path, **more)


def test_what_is_added_is_there_after_a_restart(tmp_path):
    secrets = MemorySecrets()
    paths = profile_paths(home=tmp_path / "profile")
    first = App(paths, secrets=secrets, embedder=lambda: None)
    assert first.open() is not None
    first.services.agents.ensure("a")
    first.services.memories.add_fact(agent_id="a", content="Ada keeps bees.")
    first.close()
    first.close()
    second = App(paths, secrets=secrets, embedder=lambda: None)
    assert second.open() is None
    receipt = second.services.recall.context(agent_id="a", query="What does Ada keep?", section="pinned")
    assert "bees" in receipt.block
    second.close()


def test_two_cannot_own_one_profile(app):
    other = App(app.paths, secrets=MemorySecrets())
    with pytest.raises(AlreadyRunningError):
        other.open()
    other.close()
    assert find_owner(app.paths.data) is not None


def test_locked_everything_answers_locked_and_unlocked_it_goes_on(app):
    app.services.agents.ensure("a")
    app.services.vault.lock()
    with pytest.raises(LockedError):
        app.services.agents.all()
    answer = call(app, "GET", "/memory/facts", params={"agent_id": "a"})
    assert answer.status_code == 423
    assert answer.json()["error"]["code"] == "locked"
    app.services.vault.unlock()
    assert call(app, "GET", "/memory/facts", params={"agent_id": "a"}).status_code == 200


def test_the_owner_file_leads_our_own_command_line_to_the_server(app):
    url = app.start_server(host="127.0.0.1", port=0)
    owner = find_owner(app.paths.data)
    assert (owner.url, owner.token) == (url, app.token)
    app.stop_server()
    assert find_owner(app.paths.data).url == ""
    assert app.server_state() == ("stopped", "")


def test_a_second_start_reaches_the_window_if_there_is_one(app):
    assert call(app, "POST", "/memory/window", json={}).json() == {"window": False}
    asked = threading.Event()
    app.on_raise(asked.set)
    assert call(app, "POST", "/memory/window", json={}).json() == {"window": True}
    assert asked.is_set()
    assert app.services.events.listeners(WindowWanted) == 1


def test_the_background_starts_once_and_ends_with_the_app(tmp_path):
    with throwaway(tmp_path / "profile", embedder=lambda: None) as app:
        app.start_background()
        heard = app.services.events.listeners(LockChanged)
        app.start_background()
        assert app.services.events.listeners(LockChanged) == heard
        assert not app.paused()
        app.set_paused(on=True)
        assert app.paused()


def test_memory_that_reading_took_is_given_back_at_rest(tmp_path, monkeypatch):
    monkeypatch.setattr("memdesk.bootstrap.app.RELEASE_EVERY", timedelta(milliseconds=50))
    with throwaway(tmp_path / "profile", embedder=lambda: None) as app:
        opened = app.services.recall.store.stats()["readers"]["opened"]
        app.start_background()
        deadline = time.monotonic() + 60
        while app.services.recall.store.stats()["readers"]["opened"] == opened:
            assert time.monotonic() < deadline
            time.sleep(0.2)


def test_what_waits_to_be_distilled_is_taken_up_again_after_a_lock(tmp_path, monkeypatch):
    app = App(profile_paths(home=tmp_path / "profile"), secrets=MemorySecrets(), embedder=lambda: None)
    services = app.open_window()
    services.settings.update("server", {"port": 0})
    app.open()
    turns = [IngestTurn(user="My sister Johanna keeps bees.", assistant="Noted.")]
    services.settings.update("memory", {"summary_debounce_seconds": 3600, "core_model": ""})
    services.ingest.ingest(agent_id="a", conversation_id="bees", turns=turns, wait=False)
    assert services.distillation.status()["last"] == []
    # Only now: the start takes up what waits as well, and may come to it after this was told.
    monkeypatch.setattr("memdesk.services.distilling.distillation.ORPHAN_DELAY_SECONDS", 0.0)
    services.vault.lock()
    services.vault.unlock()
    deadline = time.monotonic() + 60
    while not services.distillation.status()["last"] and time.monotonic() < deadline:
        time.sleep(0.01)
    # The start may come to it as well, when the other is done.
    assert {tried["conversation_id"] for tried in services.distillation.status()["last"]} == {"bees"}
    app.close()


def test_a_closed_app_opens_nothing_any_more(tmp_path):
    """The thread that opens it may be late."""
    late = App(profile_paths(home=tmp_path / "late"))
    late.close()
    with pytest.raises(CancelledError):
        late.open_window()
    assert not late.paths.data.exists()
    with throwaway(tmp_path / "profile", embedder=lambda: None) as app:
        app.close()
        with pytest.raises(CancelledError):
            app.start_server(host="127.0.0.1", port=0)


def test_a_second_try_at_a_start_that_failed_begins_as_the_first(tmp_path):
    app = App(profile_paths(home=tmp_path / "profile"), secrets=MemorySecrets(), embedder=lambda: None)
    app.paths.config.mkdir(parents=True)
    file = app.paths.config / "memory.json"
    file.write_text("{")
    before = list(logging.getLogger().handlers)
    for _ in range(2):
        with pytest.raises(SettingsFileError):
            app.open()
        assert logging.getLogger().handlers == before
        assert find_owner(app.paths.data) is None
    file.unlink()
    code = app.open()
    assert app.services.vault.verify_recovery(code)
    app.close()


def test_without_keyring_and_passphrase_no_memory_is_made(tmp_path):
    app = App(profile_paths(home=tmp_path / "profile"), secrets=MemorySecrets(available=False))
    with pytest.raises(EnvironmentFault):
        app.open()
    assert not app.paths.vault.exists()
    assert not app.paths.database.exists()
    assert app.open("a passphrase") is not None
    app.close()


@pytest.mark.expect_log
def test_an_embedder_that_cannot_be_opened_is_told_about_and_words_alone_go_on(tmp_path):
    with throwaway(tmp_path / "profile") as app:
        told = []
        app.services.events.subscribe(Notice, told.append)
        # As somebody who edits the file may do: the window, HTTP and the command line refuse it.
        file = app.paths.config / "memory.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"embeddingModel": str(tmp_path / "no-model")}))
        app.services.settings.update("memory", {"coreModel": ""})
        app.services.agents.ensure("a")
        app.services.memories.add_fact(agent_id="a", content="Ada keeps bees.")
        found = app.services.recall.search(agent_id="a", query="bees")
        assert found.mode == "fts"
        assert len(told) == 1
        (index,) = (tile for tile in app.services.status.health() if tile.id == "index")
        assert (index.level, "no-model" in index.sentence) == ("red", True)


@pytest.mark.parametrize("field", ["coreModel", "embeddingModel"])
def test_a_model_that_is_not_here_is_refused_with_what_is(app, field):
    before = app.services.settings.current
    with pytest.raises(SettingsValueError) as refused:
        app.services.settings.update("memory", {field: "nonsense"})
    assert "nonsense" in refused.value.message
    assert "bundled:" in refused.value.hint
    assert app.services.settings.current == before


def test_a_model_of_a_server_that_was_never_reached_is_taken(app):
    server = {"name": "lab", "base_url": "http://127.0.0.1:9/v1"}
    app.services.settings.update("engine", {"remoteServers": [server]})
    app.services.settings.update("memory", {"coreModel": "remote:lab/any"})
    with pytest.raises(SettingsValueError):
        app.services.settings.update("memory", {"coreModel": "remote:attic/any"})


def test_locking_is_announced_and_the_recovery_code_opens(tmp_path):
    app = App(profile_paths(home=tmp_path / "profile"), secrets=MemorySecrets(), embedder=lambda: None)
    code = app.open()
    heard = []
    app.services.events.subscribe(LockChanged, lambda event: heard.append(event.locked))
    app.services.vault.lock()
    app.open(recovery_code=code)
    assert heard == [True, False]
    app.close()


def test_a_stand_in_makes_its_object_once_and_tries_again_after_an_error():
    made = []

    def make():
        made.append(1)
        if len(made) == 1:
            raise EngineError("not yet")
        return {"a": 1}

    stand_in = later(make)
    assert not was_made(stand_in)
    with pytest.raises(EngineError):
        stand_in.keys()
    assert list(stand_in.keys()) == ["a"]
    assert list(stand_in.values()) == [1]
    assert len(made) == 2


def test_a_pause_holds_timed_work_by_its_key_and_nothing_else(monkeypatch):
    monkeypatch.setattr("memdesk.bootstrap.wiring.HELD_SECONDS", 0.01)
    lanes = HoldableLanes()
    lanes.held = True
    held, unheld = threading.Event(), threading.Event()
    lanes.later(0.0, "background", held.set, key="distill:a:b")
    lanes.later(0.0, "background", unheld.set, key="unload")
    assert unheld.wait(60)
    assert not held.is_set()
    lanes.held = False
    assert held.wait(60)
    lanes.close()
