"""The models page: downloads that go on behind other pages, servers that change, files that are deleted."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path

import pytest

from memdesk.errors import CancelledError
from memdesk.gui.operations import models as operations
from memdesk.gui.views.models.dialogs import DownloadDialog, RemoteDialog
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.gui.widgets.labels import Label
from memdesk.services.models.models import ModelsService
from tests.helpers.gguf import gguf_bytes
from tests.helpers.hub import hub_server
from tests.helpers.openai_server import openai_server
from tests.helpers.window import window


@pytest.fixture
def bare(home, qtbot, qapp):
    """The window over the real catalogue: no model is played."""
    with window(home, qtbot, qapp) as desk:
        yield desk


def button(page, name):
    return next(found for found in page.findChildren(Button) if found.accessibleName() == name)


def press(desk, page, name):
    button(page, name).click()
    desk.settle()


def test_models_are_looked_for_by_words_and_fetched(bare):
    with hub_server() as hub:
        hub.add("owner/sparrow-GGUF", "sparrow-Q4_K_M.gguf", gguf_bytes("Sparrow"))
        bare.real.settings.update("engine", {"hub_url": hub.url})
        page = bare.page("models")
        page._download()
        (dialog,) = bare.window.findChildren(DownloadDialog)
        dialog.repo.setText("sparrow")
        dialog.look.click()
        bare.settle()
        press(bare, dialog, "owner/sparrow-GGUF")
        button(dialog, "sparrow-Q4_K_M.gguf").click()
        bare.settle()
    assert [model.name for model in bare.real.models.all() if model.source == "gguf"] == ["Sparrow"]


def test_what_cannot_be_used_of_a_folder_is_named(bare, tmp_path):
    (tmp_path / "sparrow.gguf").write_bytes(gguf_bytes("Sparrow"))
    (tmp_path / "half.gguf").write_bytes(gguf_bytes("Owl")[:100])
    page = bare.page("models")
    operations.add_path(page.context, page, path=str(tmp_path)).start()
    bare.settle()
    told = bare.window.notices.recent[-1]
    assert told.title == "1 model was added"
    assert "half.gguf was not added: " in told.message
    assert "sparrow.gguf" not in told.message


@contextmanager
def slow(hub):
    """Hold the hub's answers in the middle, until left."""
    hub.hold.clear()
    try:
        yield
    finally:
        hub.hold.set()


def downloads(bare, page, count):
    bare.qtbot.waitUntil(lambda: len(page.downloads.rows) == count)
    return page.downloads.rows


def test_a_download_goes_on_behind_other_pages_is_stopped_resumed_and_discarded(bare):
    content = gguf_bytes("Sparrow", padding=4_000_000)
    with hub_server() as hub:
        hub.add("owner/sparrow-GGUF", "sparrow.gguf", content)
        bare.real.settings.update("engine", {"hub_url": hub.url})
        page = bare.page("models")
        with slow(hub):
            operations.download(page.context, repo="owner/sparrow-GGUF", filename="sparrow.gguf").start()
            page.downloads.watch()
            (row,) = downloads(bare, page, 1)
            bare.qtbot.waitUntil(lambda: row.fetching.done > 0)
            bare.window.navigate("agents")
            bare.window.navigate("models")
            assert page.downloads.rows[0].fetching.running
            button(page.downloads, "Stop: sparrow.gguf").click()
        bare.settle()
        page.downloads.look()
        bare.settle()
        (row,) = page.downloads.rows
        assert not row.fetching.running
        assert 0 < row.fetching.done < len(content)
        button(page.downloads, "Resume: sparrow.gguf").click()
        bare.settle()
        bare.qtbot.waitUntil(lambda: not page.downloads.rows)
        assert any(asked for _verb, _path, asked in hub.requests)
    bare.settle()
    (added,) = [model for model in bare.real.models.all() if model.source == "gguf"]
    press(bare, page, f"Delete file…: {added.name}")
    (dialog,) = [found for found in bare.window.findChildren(ConfirmDialog) if found.isVisible()]
    dialog.button.click()
    bare.settle()
    assert all(model.source != "gguf" for model in bare.real.models.all())
    assert not Path(added.path).exists()


def test_what_a_kill_left_can_be_taken_up_or_thrown_away(bare):
    folder = bare.app.paths.models / "owner" / "sparrow-GGUF"
    folder.mkdir(parents=True)
    (folder / "sparrow.gguf.part").write_bytes(b"GGUF" * 100)
    note = {"etag": "0" * 64, "size": 4000, "repo": "owner/sparrow-GGUF", "name": "q4/sparrow.gguf"}
    (folder / "sparrow.gguf.part.json").write_text(json.dumps(note))
    page = bare.page("models")
    (row,) = page.downloads.rows
    assert (row.fetching.filename, row.fetching.done, row.fetching.total) == ("q4/sparrow.gguf", 400, 4000)
    button(page.downloads, "Discard: q4/sparrow.gguf").click()
    bare.settle()
    assert page.downloads.rows == []
    assert list(folder.iterdir()) == []


def test_a_server_is_refreshed_changed_and_removed(bare):
    with openai_server() as server:
        bare.real.models.add_remote("Workshop", server.url)
        page = bare.page("models")
        server.models = ["new-model"]
        press(bare, page, "Refresh: Workshop")
        press(bare, page, "Use for chat: new-model (Workshop)")
        server.key = "sesame"
        button(page, "Change: Workshop").click()
        (dialog,) = [found for found in bare.window.findChildren(RemoteDialog) if found.isVisible()]
        assert not dialog.name.isEnabled()
        address = dialog.url.text()
        for url, key, fault in (
            (address, "open", "Workshop refuses the key (401)."),
            ("http://127.0.0.1:9/v1", "sesame", "Workshop is not running, or its address has changed."),
        ):
            dialog.url.setText(url)
            dialog.key.setText(key)
            dialog.action.click()
            bare.settle()
            # Not where to change it: that is here.
            assert dialog.fault.text() == fault
        dialog.url.setText(address)
        dialog.action.click()
        bare.settle()
        assert bare.real.models.probe_remote("Workshop")
        press(bare, page, "Remove: Workshop")
        assert bare.real.settings.current.engine.chat_model == "bundled:smollm2-135m"


def test_whoever_chose_a_model_stays_at_it(bare):
    with openai_server() as server:
        bare.real.models.add_remote("Workshop", server.url)
        page = bare.page("models")
        button(page, "Use for chat: qwen3:4b (Workshop)").setFocus()
        press(bare, page, "Use for chat: qwen3:4b (Workshop)")
        bare.rest()
        bare.qtbot.waitUntil(lambda: isinstance(bare.window.focusWidget(), Button))
        assert bare.window.focusWidget().accessibleName() == "Use for memory: qwen3:4b (Workshop)"


def test_hundreds_of_models_are_shown_in_part_and_found_by_name(bare):
    with openai_server() as server:
        server.models = [f"maker/model-{number:03d}" for number in range(300)]
        bare.real.models.add_remote("Router", server.url)
        bare.real.settings.update("engine", {"chat_model": "remote:Router/maker/model-200"})
        page = bare.page("models")
        assert button(page, "Use for memory: maker/model-200 (Router)").isVisible()
        assert any(label.text() == "288 more: search for one by name." for label in page.findChildren(Label))
        page.search.setText("model-27")
        page.search.returnPressed.emit()
        bare.settle()
        assert len([b for b in page.findChildren(Button) if b.accessibleName().startswith("Use for chat: maker")]) == 10


def test_what_takes_long_can_be_stopped(bare, monkeypatch):
    def measure(_self, _model_id, *, cancel):
        assert cancel.wait(60)
        raise CancelledError("The request was cancelled.")

    monkeypatch.setattr(ModelsService, "measure", measure)
    page = bare.page("models")
    model = "SmolLM2 135M Instruct"

    def offered():
        return {b.accessibleName() for b in page.findChildren(Button) if b.isVisible()} & {
            f"{verb}: {model}" for verb in ("Measure", "Self-test", "Stop")
        }

    button(page, f"Measure: {model}").click()
    bare.qtbot.waitUntil(lambda: offered() == {f"Stop: {model}"})
    button(page, f"Stop: {model}").click()
    bare.qtbot.waitUntil(lambda: offered() == {f"Measure: {model}", f"Self-test: {model}"})
