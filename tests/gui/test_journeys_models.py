"""Adding a model in three ways, and talking to it: a file, a server, a download by name."""

from __future__ import annotations

import pytest

from tests.helpers.gguf import gguf_bytes
from tests.helpers.hub import hub_server
from tests.helpers.openai_server import openai_server
from tests.helpers.person import Person
from tests.helpers.window import window


@pytest.fixture
def bare(home, qtbot, qapp):
    """The window over the real catalogue: no model is played."""
    with window(home, qtbot, qapp) as desk:
        yield desk
        desk.real.models.unload()


@pytest.fixture
def person(bare):
    made = Person(bare)
    made.press("Models")
    return made


def files(bare):
    return [model for model in bare.real.models.all() if model.source == "gguf"]


@pytest.mark.model
def test_a_gguf_file_is_added_used_and_answers(bare, person, tmp_path):
    bundled = next(model for model in bare.real.models.all() if model.id == "bundled:smollm2-135m")
    path = tmp_path / "mine.gguf"
    path.symlink_to(bundled.path)
    person.press("Add file")
    person.choose_file(path)
    (added,) = files(bare)
    person.press(f"Use for chat: {added.name}")
    person.press("Chat")
    person.write("Message Assistant", "Say hello.")
    person.key("Return")
    person.await_text("tokens/s")
    (talk,) = bare.real.conversations.page().items
    turn = bare.real.conversations.turns("default", talk.id)[-1]
    assert turn.model == added.id
    assert turn.content


def test_a_file_that_is_no_model_is_refused_in_words(bare, person, tmp_path):
    path = tmp_path / "letter.gguf"
    path.write_bytes(b"Dear Marta")
    person.press("Add file")
    person.choose_file(path)
    person.await_text("letter.gguf")
    assert bare.window.notices.recent[-1].level == "error"
    assert files(bare) == []


def test_a_server_is_probed_added_and_answers(bare, person):
    with openai_server() as server:
        server.key = "sesame"
        person.press("Add server")
        person.write("Name", "Workshop")
        person.write("Address", server.url + "/v1")
        person.press("Add")
        person.await_text("asks for a key")
        person.write("Key", "sesame")
        person.press("Add")
        person.press("Use for chat: qwen3:4b (Workshop)")
        person.press("Chat")
        person.write("Message Assistant", "Are you there?")
        person.key("Return")
        person.await_text("Hello there.")
        assert "sesame" not in (bare.app.config_folder / "engine.json").read_text()


@pytest.fixture
def hub(bare):
    with hub_server() as made:
        bare.real.settings.update("engine", {"hub_url": made.url})
        yield made


def test_a_model_is_downloaded_by_name(bare, person, hub):
    content = gguf_bytes("Sparrow")
    hub.add("owner/sparrow-GGUF", "sparrow-Q4_K_M.gguf", content)
    person.press("Download")
    person.write("Model", "owner/nothing")
    person.press("Search")
    person.await_text("owner/nothing")
    person.write("Model", "owner/sparrow-GGUF")
    person.press("Search")
    person.press("sparrow-Q4_K_M.gguf")
    person.await_text("Use for chat")
    (added,) = files(bare)
    assert added.size_bytes == len(content)
    assert added.name in person.text()


def test_a_download_that_was_altered_is_not_kept(bare, person, hub):
    hub.add("owner/sparrow-GGUF", "sparrow.gguf", gguf_bytes("Sparrow"))
    hub.announce["sparrow.gguf"] = "0" * 64
    person.press("Download")
    person.write("Model", "owner/sparrow-GGUF")
    person.press("Search")
    person.press("sparrow.gguf")
    person.await_text("is not what the hub announced")
    assert files(bare) == []
