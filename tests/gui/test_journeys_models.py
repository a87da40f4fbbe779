"""Bringing a model in, three ways, and talking to it: a file, a server, a download by name."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from memdesk.gui.views.models.dialogs import DownloadDialog, RemoteDialog
from memdesk.gui.widgets.buttons import Button
from tests.helpers.gguf import gguf_bytes
from tests.helpers.hub import hub_server
from tests.helpers.openai_server import openai_server
from tests.helpers.window import window


@pytest.fixture
def bare(home, qtbot, qapp):
    """The window over the real catalogue: no model is played."""
    with window(home, qtbot, qapp) as desk:
        yield desk
        desk.real.models.unload()


def button(page, name):
    return next(b for b in page.findChildren(Button) if b.accessibleName() == name)


def press(desk, page, name):
    button(page, name).click()
    desk.settle(30_000)


@pytest.mark.model
def test_a_gguf_file_is_added_used_and_answers(bare, tmp_path):
    bundled = next(model for model in bare.real.models.all() if model.id == "bundled:smollm2-135m")
    path = tmp_path / "mine.gguf"
    path.symlink_to(bundled.path)
    page = bare.page("models")
    page._add(str(path))
    bare.settle(30_000)
    added = next(model for model in bare.real.models.all() if model.source == "gguf")
    press(bare, page, f"Use for chat: {added.name}")
    assert bare.real.settings.current.engine.chat_model == added.id
    chat = bare.page("chat")
    chat.composer.editor.setPlainText("Say hello.")
    chat.composer.send()
    bare.settle(180_000)
    assert chat.messages.last_assistant().text
    turn = bare.real.conversations.turns("default", chat.conversation_id)[-1]
    assert turn.model == added.id


def test_a_file_that_is_no_model_is_refused_in_words(bare, tmp_path):
    path = tmp_path / "letter.gguf"
    path.write_bytes(b"Dear Marta")
    page = bare.page("models")
    page._add(str(path))
    bare.settle()
    assert bare.window.notices.recent[-1].level == "error"
    assert all(model.source != "gguf" for model in bare.real.models.all())


def test_a_server_is_probed_added_and_answers(bare):
    with openai_server() as server:
        server.key = "sesame"
        page = bare.page("models")
        page._add_server()
        (dialog,) = bare.window.findChildren(RemoteDialog)
        dialog.name.setText("Workshop")
        dialog.url.setText(server.url + "/v1")
        dialog.action.click()
        bare.settle()
        assert dialog.fault.isVisible()
        dialog.key.setText("sesame")
        dialog.action.click()
        bare.settle()
        assert not [d for d in bare.window.findChildren(RemoteDialog) if d.isVisible()]
        press(bare, page, "Use for chat: qwen3:4b (Workshop)")
        chat = bare.page("chat")
        chat.composer.editor.setPlainText("Are you there?")
        chat.composer.send()
        bare.settle(30_000)
        assert chat.messages.last_assistant().text == "Hello there."
        assert "sesame" not in (bare.app.config_folder / "engine.json").read_text()


def test_a_model_is_downloaded_by_name(bare):
    content = gguf_bytes("Sparrow")
    with hub_server() as hub:
        hub.add("owner/sparrow-GGUF", "sparrow-Q4_K_M.gguf", content)
        bare.real.settings.update("engine", {"hub_url": hub.url})
        page = bare.page("models")
        page._download()
        (dialog,) = bare.window.findChildren(DownloadDialog)
        dialog.repo.setText("owner/nothing")
        dialog.look.click()
        bare.settle()
        assert dialog.fault.isVisible()
        dialog.repo.setText("owner/sparrow-GGUF")
        dialog.look.click()
        bare.settle()
        button(dialog, "sparrow-Q4_K_M.gguf").click()
        bare.settle(30_000)
        assert not dialog.fault.isVisible()
        dialog.reject()
    added = next(model for model in bare.real.models.all() if model.source == "gguf")
    assert added.size_bytes == len(content)
    bare.page("models")
    assert any(label.text() == added.name for label in page.findChildren(QLabel))


def test_a_download_that_was_altered_is_not_kept(bare):
    with hub_server() as hub:
        hub.add("owner/sparrow-GGUF", "sparrow.gguf", gguf_bytes("Sparrow"))
        hub.announce["sparrow.gguf"] = "0" * 64
        bare.real.settings.update("engine", {"hub_url": hub.url})
        page = bare.page("models")
        page._download()
        (dialog,) = bare.window.findChildren(DownloadDialog)
        dialog.repo.setText("owner/sparrow-GGUF")
        dialog.look.click()
        bare.settle()
        button(dialog, "sparrow.gguf").click()
        bare.settle(30_000)
        assert dialog.fault.isVisible()
        dialog.reject()
    assert all(model.source != "gguf" for model in bare.real.models.all())
