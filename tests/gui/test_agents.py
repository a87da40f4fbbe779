from __future__ import annotations

import json

from memdesk.gui.operations import agents as operations
from memdesk.gui.views.agents.snippets import LANGUAGES, snippet
from memdesk.gui.widgets.dialog import ConfirmDialog


def test_create_from_a_template_edit_and_save(desk, qtbot):
    page = desk.page("agents")
    page._create("writer", "Scribe")
    desk.settle()
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
    assert page.fault.isVisible()
    page.form.seed.setText("")
    page.form.temperature.setText("9")
    page._store()
    desk.settle()
    assert page.fault.isVisible()
    page._discard()
    assert page.form.temperature.text() == ""


def test_duplicate_export_and_import(desk, qtbot, tmp_path):
    page = desk.page("agents")
    page._duplicate()
    desk.settle()
    assert page.agent_id == "assistant-copy"
    path = tmp_path / "agent.json"
    operations.export(context=desk.session.context, parent=page, agent_id="default", path=str(path)).start()
    desk.settle()
    assert json.loads(path.read_text())["name"] == "Assistant"
    operations.import_file(context=desk.session.context, parent=page, path=str(path)).success(page._shown).start()
    desk.settle()
    assert len(desk.real.agents.all()) == 3
    path.write_text("no json")
    operations.import_file(context=desk.session.context, parent=page, path=str(path)).start()
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
    assert desk.app.server_state()[1] in page._code._source
    page._try_it()
    desk.settle(20_000)
    assert page._answer.text() == "Over the wire."


def test_try_it_without_a_server_says_what_to_do(desk, qtbot):
    page = desk.page("agents")
    page._try_it()
    desk.settle()
    assert "does not run" in page._answer.text()


def test_snippets_name_agent_and_address():
    for language, _title in LANGUAGES:
        text = snippet(language, "http://127.0.0.1:9/", "ana")
        assert "http://127.0.0.1:9/v1" in text
        assert "ana" in text
        assert "MEMDESK_TOKEN" in text
    compile(snippet("python", "http://127.0.0.1:9", "ana"), "snippet", "exec")


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
