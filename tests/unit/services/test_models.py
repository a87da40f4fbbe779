"""The models service over real engine adapters, a local hub and a local server."""

from __future__ import annotations

import pytest

from memdesk.engines.discover import find_models
from memdesk.engines.hub import HttpHub
from memdesk.errors import BadRequestError, ConflictError, EngineError, NotFoundError
from memdesk.services.events import EventBus
from memdesk.services.models.models import ModelsService
from memdesk.services.settings import SettingsService
from memdesk.settings.store import SettingsStore
from tests.helpers.engines import engines
from tests.helpers.gguf import gguf_bytes
from tests.helpers.hub import hub_server
from tests.helpers.openai_server import openai_server

REPO, FILE = "ana/tiny-GGUF", "tiny.gguf"


@pytest.fixture
def hub():
    with hub_server() as state:
        state.add(REPO, FILE, gguf_bytes(padding=2_000_000))
        yield state


@pytest.fixture
def server():
    with openai_server() as state:
        yield state


@pytest.fixture
def parts(tmp_path):
    with engines(tmp_path) as parts:
        yield parts


@pytest.fixture
def service(parts, hub, home):
    settings = SettingsService(SettingsStore(parts.folder / "config"), EventBus())
    parts.servers._settings = lambda: settings.current.engine
    return ModelsService(
        catalogue=parts.catalogue,
        embedder=None,
        settings=settings,
        servers=parts.servers,
        hub=HttpHub(lambda: hub.url),
        finder=lambda: find_models(home),
        speeds=parts.known,
        folder=parts.models,
    )


def test_a_downloaded_model_is_offered(service):
    info = service.download(REPO, FILE)
    assert info.available
    assert info in service.all()
    assert service.hub_files(REPO)[0].filename == FILE
    assert service.search_hub("tiny") == [REPO]


def test_one_download_of_a_file_at_a_time(service):
    def again(done, total):
        with pytest.raises(ConflictError):
            service.download(REPO, FILE)

    service.download(REPO, FILE, progress=again)
    service.download(REPO, FILE)


def test_models_of_other_programs_are_used_in_place(service, home):
    path = home / ".lmstudio" / "models" / "x" / "tiny.gguf"
    path.parent.mkdir(parents=True)
    path.write_bytes(gguf_bytes())
    [found] = service.discover()
    assert not found.known
    [added] = service.add_found(found)
    assert added.path == str(path.resolve())
    assert [again.known for again in service.discover()] == [True]
    service.remove(added.id)
    assert path.exists()
    with pytest.raises(NotFoundError):
        service.info(added.id)


def test_a_server_with_a_key(service, server, parts):
    server.key = "s3cret"
    with pytest.raises(EngineError):
        service.add_remote("lab", server.url)
    assert service.all()[-1].source != "remote"
    added = service.add_remote("lab", server.url, "s3cret")
    assert [info.id for info in added] == ["remote:lab/family/model", "remote:lab/qwen3:4b"]
    assert parts.secrets.kept == {"remote:lab": "s3cret"}
    assert "s3cret" not in "".join(p.read_text() for p in (parts.folder / "config").glob("*.json"))
    server.models = ["other"]
    assert [info.id for info in service.probe_remote("lab")] == ["remote:lab/other"]
    model = service.open("remote:lab/other")
    assert model.info.source == "remote"
    service.remove_remote("lab")
    assert parts.secrets.kept == {}
    assert service.all()[-1].source != "remote"


@pytest.mark.parametrize("name", ["", "  ", "a/b", "x" * 65])
def test_odd_names_of_servers(service, server, name):
    with pytest.raises(BadRequestError):
        service.add_remote(name, server.url)


def test_speed_is_measured_and_remembered(service, server):
    [info, _] = service.add_remote("lab", server.url)
    assert service.speed(info.id) is None
    speed = service.measure(info.id)
    assert speed.tokens_per_second > 0
    assert service.speed(info.id) == speed


def test_states_without_engines(service):
    assert service.states() == []
    service.unload()
    assert service.embedder is None


def test_a_key_is_kept_unless_another_is_given(service, server, parts):
    server.key = "s3cret"
    service.add_remote("lab", server.url, " s3cret\t")
    assert parts.secrets.kept == {"remote:lab": "s3cret"}
    service.add_remote("lab", f"{server.url}/v1", same_key=True)
    assert parts.secrets.kept == {"remote:lab": "s3cret"}
    for odd in ("s3 cret", "schlüssel"):
        with pytest.raises(BadRequestError):
            service.add_remote("lab", server.url, odd)
    assert parts.secrets.kept == {"remote:lab": "s3cret"}


def test_what_a_model_did_the_default_does_when_it_is_gone(service, server):
    settings = service._settings
    default = settings.current.engine.chat_model
    info = service.download(REPO, FILE)
    settings.update("engine", {"chat_model": info.id})
    service.delete_file(info.id)
    assert settings.current.engine.chat_model == default
    assert info.id not in [model.id for model in service.all()]
    [first, _] = service.add_remote("lab", server.url)
    settings.update("memory", {"core_model": first.id})
    service.remove_remote("lab")
    assert settings.current.memory.core_model == type(settings.current.memory)().core_model


def test_servers_of_the_settings_are_asked_together_and_not_too_often(service, server, monkeypatch):
    entries = [{"name": "lab", "base_url": f"{server.url}/v1"}, {"name": "attic", "base_url": "http://127.0.0.1:9/v1"}]
    service._settings.update("engine", {"remote_servers": entries})
    service.ask_servers()
    theirs = ["remote:lab/family/model", "remote:lab/qwen3:4b"]
    assert [info.id for info in service.all() if info.source == "remote"] == theirs
    server.models = ["other"]
    service.ask_servers()
    assert [info.id for info in service.all() if info.source == "remote"] == theirs
    monkeypatch.setattr("memdesk.services.models.models.ASK_AGAIN_SECONDS", 0.0)
    service.ask_servers()
    assert [info.id for info in service.all() if info.source == "remote"] == ["remote:lab/other"]
    server.key = "now it wants one"
    service.ask_servers()
    assert [info.id for info in service.all() if info.source == "remote"] == ["remote:lab/other"]
