from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys

import pytest
from PySide6.QtCore import QPoint

from memdesk.gui.operations import agents as operations
from memdesk.gui.views.agents.snippets import LANGUAGES, snippet
from memdesk.gui.widgets.dialog import ConfirmDialog
from tests.helpers.person import Person


def test_create_from_a_template_edit_and_save(desk, qtbot):
    page = desk.page("agents")
    page._ask_name(next(t for t in desk.real.agents.templates() if t.id == "writer"), "Writing partner")
    person = Person(desk)
    person.write("Name", " ")
    person.press("Create")
    person.await_text("An agent needs a name of 1 to 100 characters.")
    person.write("Name", "Scribe")
    person.press("Create")
    assert page.agent_id == "scribe"
    assert not page._save.isVisible()
    page.form.description.setText("Writes")
    page.form.edited.emit()
    page.form.temperature.setText("0,4")
    page.form.search_tool.click()
    assert page._save.isVisible()
    page._save.click()
    desk.settle()
    agent = desk.real.agents.get("scribe")
    assert (agent.description, agent.sampling, agent.search_tool) == ("Writes", {"temperature": 0.4}, True)


def test_what_cannot_be_saved_says_why(desk, qtbot):
    page = desk.page("agents")
    page.form.seed.setText("many")
    page._store()
    assert page.fault.text() == "Seed must be a whole number, or empty."
    page.form.seed.setText("")
    page.form.temperature.setText("9")
    page._store()
    desk.settle()
    assert page.fault.isVisible()
    page._show()
    assert page.form.temperature.text() == ""


def test_duplicate_export_and_import(desk, qtbot, tmp_path):
    page = desk.page("agents")
    page._duplicate()
    desk.settle()
    assert page.agent_id == "assistant-copy"
    path = tmp_path / "agent.json"
    operations.export(desk.session.context, page, agent_id="default", path=str(path)).start()
    desk.settle()
    assert json.loads(path.read_text())["name"] == "Assistant"
    for _ in range(2):
        operations.import_file(desk.session.context, page, path=str(path)).success(page._shown).start()
        desk.settle()
    page._duplicate()
    desk.settle()
    assert [agent.name for agent in desk.real.agents.all()] == [
        "Assistant",
        "Assistant (2)",
        "Assistant (3)",
        "Assistant (3) (copy)",
        "Assistant (copy)",
    ]
    path.write_text("no json")
    operations.import_file(desk.session.context, page, path=str(path)).start()
    desk.settle()
    assert "exported agent" in desk.window.notices.recent[-1].message


def test_delete_previews_the_memory_that_goes(desk, qtbot):
    desk.real.agents.create("Short-lived", agent_id="brief")
    desk.real.memories.add_fact(agent_id="brief", content="A thing to lose.")
    page = desk.page("agents", agent_id="brief")
    page._ask_delete()
    desk.settle()
    (dialog,) = desk.window.findChildren(ConfirmDialog)
    words = [label.text() for label in dialog.findChildren(type(dialog.heading))]
    assert "Facts" in words
    dialog.button.click()
    desk.settle()
    assert [agent.id for agent in desk.real.agents.all()] == ["default"]
    assert page.agent_id == "default"
    assert not page._delete.isEnabled()


def test_try_it_asks_over_http(desk, qtbot, model):
    desk.app.start_server(port=0)
    model.queue("Over the wire.")
    page = desk.page("agents")
    assert desk.app.server_state()[1] in page.program.code.source
    page.program.ask()
    desk.settle()
    assert page.program.answer.text() == "Over the wire."
    assert desk.real.conversations.page().total == 0


def test_try_it_without_a_server_offers_to_turn_it_on(desk, qtbot, model):
    model.queue("Here I am.")
    page = desk.page("agents")
    page.program.go.setFocus()
    page.program.go.click()
    desk.settle()
    assert "does not run" in page.program.answer.text()
    assert desk.window.focusWidget() is page.program.go
    assert not page.program.answer.visibleRegion().isEmpty()
    page.program.turn_on.click()
    desk.settle()
    assert page.program.answer.text() == "Here I am."
    assert desk.window.focusWidget() is page.program.go
    assert desk.app.server_state()[1] in page.program.code.source
    assert desk.real.settings.current.server.enabled


def test_try_it_says_that_the_port_is_taken(desk, qtbot):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        desk.real.settings.update("server", {"port": port})
        page = desk.page("agents")
        assert f"127.0.0.1:{port}/v1" in page.program.code.source
        page.program.ask()
        desk.settle()
        page.program.turn_on.click()
        desk.settle()
        assert str(port) in page.program.answer.text()
        assert not page.program.turn_on.isVisible()


@pytest.mark.parametrize(("language", "_title"), LANGUAGES)
def test_snippets_name_agent_and_address(language, _title):
    text = snippet(language, "http://127.0.0.1:9/", "ana", "Who am I?")
    assert "http://127.0.0.1:9/v1" in text
    assert "ana" in text
    assert "MEMDESK_TOKEN" in text


def test_the_snippets_run_as_they_are(desk, model, tmp_path):
    """Whatever the question holds; with the OpenAI client's part played where it is not installed."""
    desk.app.start_server(port=0)
    _token, secret = desk.real.tokens.create("snippet", ["chat"])
    (tmp_path / "openai.py").write_text(OPENAI)
    page = desk.page("agents")
    page.program.question.setText('What\'s "mine" – $HOME?')
    runs = {"curl": ["bash"], "python": [sys.executable], "javascript": ["node", "--input-type=module"]}
    ran = 0
    for language, command in runs.items():
        if shutil.which(command[0]) is None or (language == "curl" and shutil.which("curl") is None):
            continue
        page.program.language.set_value(language)
        page.program.refresh()
        model.queue(f"To {language}.")
        environment = {**os.environ, "MEMDESK_TOKEN": secret, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(
            command,
            input=page.program.code.source,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert f"To {language}." in done.stdout, done.stderr
        assert model.requests[-1].messages[-1].content.endswith('What\'s "mine" – $HOME?')
        ran += 1
    assert ran


#: As much of the OpenAI client as the snippet uses.
OPENAI = """
import json, types, urllib.request


class OpenAI:
    def __init__(self, base_url, api_key, default_headers):
        self.chat = types.SimpleNamespace(completions=self)
        self._url = base_url + "/chat/completions"
        self._headers = {"Authorization": f"Bearer {api_key}", "Content-Type": "application/json", **default_headers}

    def create(self, **body):
        request = urllib.request.Request(self._url, json.dumps(body).encode(), self._headers)
        hook = lambda found: types.SimpleNamespace(**found)
        return json.loads(urllib.request.urlopen(request).read(), object_hook=hook)
"""


def test_a_model_that_is_not_here_stays_chosen(desk):
    desk.real.agents.create("Scribe", model="gguf:/far/away/owl.gguf", sampling={"stop": ["END"]})
    page = desk.page("agents", agent_id="scribe")
    assert page.form.model.currentText() == "owl.gguf (not here)"
    page.form.description.setText("Writes")
    page.form.edited.emit()
    page._store()
    desk.settle()
    agent = desk.real.agents.get("scribe")
    assert (agent.model, agent.sampling) == ("gguf:/far/away/owl.gguf", {"stop": ["END"]})
    page._choose("default")
    assert "owl" not in " ".join(page.form.model.itemText(n) for n in range(page.form.model.count()))


def test_changes_that_were_not_saved_are_not_dropped_unasked(desk, qtbot):
    desk.real.agents.create("Scribe")
    page = desk.page("agents")
    page.form.description.setText("Writes")
    page.form.edited.emit()
    page._choose("scribe")
    assert page.agent_id == "default"
    (dialog,) = desk.window.findChildren(ConfirmDialog)
    assert page.form.description.text() == "Writes"
    dialog.button.click()
    assert page.agent_id == "scribe"
    assert not page.unsent()


def test_an_agent_of_a_newer_memdesk_is_refused_in_words(desk, tmp_path):
    path = tmp_path / "agent.json"
    path.write_text(json.dumps({"format": "memdesk.agent/9", "name": "Late"}))
    page = desk.page("agents")
    operations.import_file(desk.session.context, page, path=str(path)).start()
    desk.settle()
    assert "newer memdesk" in desk.window.notices.recent[-1].message
    assert len(desk.real.agents.all()) == 1


def test_the_page_stands_in_the_middle_of_a_wide_window(desk):
    page = desk.page("agents")
    desk.window.resize(1920, 900)
    desk.settle()
    left = page._left.mapTo(page, QPoint()).x()
    right = page.width() - page._detail.mapTo(page, QPoint(page._detail.width(), 0)).x()
    assert left > 200
    assert abs(left - right) <= 2
