"""Options take effect: input is validated, the server is restarted, changing the language needs no restart."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QSpinBox

from memdesk.gui.i18n import install
from memdesk.gui.views.firststart.progress import finish
from memdesk.gui.views.settings.editors import QdrantKey
from memdesk.gui.views.settings.embedders import EmbedderEditor
from memdesk.gui.views.settings.tokens import SCOPES, TokensCard
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.forms import Combo
from memdesk.gui.widgets.options import FieldEditor
from memdesk.services.agents.agents import AgentsService
from memdesk.services.events import ServerChanged
from memdesk.services.tools import QDRANT_KEY
from memdesk.settings.paths import profile_paths
from tests.helpers.dialogs import shown
from tests.helpers.person import Person
from tests.helpers.window import started


def option(page, name):
    return next(editor for editor in page.findChildren(FieldEditor) if editor.spec.name == name)


@pytest.mark.parametrize(
    ("section", "name", "wrong", "right"),
    [("engine", "hub_url", "huggingface", "http://localhost:8080/hub"), ("server", "host", "my host", "::1")],
)
def test_a_text_is_judged_while_it_is_typed(desk, qtbot, section, name, wrong, right):
    page = desk.page("settings", section=section)
    field = option(page, name)
    before = getattr(getattr(desk.real.settings.current, section), name)
    edit = field.editor
    assert isinstance(edit, QLineEdit)
    edit.selectAll()
    qtbot.keyClicks(edit, wrong)
    assert field.fault.isVisibleTo(page)
    assert edit.property("invalid")
    edit.editingFinished.emit()
    desk.settle()
    assert getattr(getattr(desk.real.settings.current, section), name) == before
    edit.selectAll()
    qtbot.keyClicks(edit, right)
    assert not field.fault.isVisibleTo(page)
    edit.editingFinished.emit()
    desk.settle()
    assert getattr(getattr(desk.real.settings.current, section), name) == right


def test_the_server_takes_its_settings_up_by_one_click(desk, qtbot):
    page = desk.page("settings", section="server")
    option(page, "port").set_value(1337)
    assert option(page, "port").editor.text() == "1337"
    option(page, "port").set_value(0)
    assert not page.banner.isVisibleTo(page)
    option(page, "enabled").editor.click()
    desk.settle()
    assert desk.app.server_state()[0] == "stopped"
    assert page.banner.isVisibleTo(page)
    next(button for button in page.banner.findChildren(Button)).click()
    desk.settle()
    assert desk.app.server_state()[0] == "listening"
    assert not page.banner.isVisibleTo(page)


@pytest.fixture
def english(qapp):
    yield
    install(qapp, "en")


def buttons(window):
    return [button.spec.label for button in window.sidebar.buttons.values()]


def test_larger_letters_leave_the_keyboard_where_it_was(desk, qtbot):
    page = desk.page("settings", section="appearance")
    (width,) = (box for box in page.findChildren(QSpinBox) if box.value() == 760)
    width.setFocus()
    desk.real.settings.update("appearance", {"font_scale": 150})
    qtbot.waitUntil(lambda: desk.window.host.page("settings") is not page)
    desk.rest()
    qtbot.waitUntil(lambda: isinstance(desk.window.focusWidget(), QSpinBox))
    assert desk.window.focusWidget() is not width
    assert desk.window.focusWidget().value() == 760


def languages(window):
    return [box for box in window.host.page("settings").findChildren(Combo) if box.isVisible()][-1]


def test_another_language_shows_at_once_where_nothing_is_lost(home, qtbot, qapp, model, english):
    paths = profile_paths(home=home)
    install(qapp, "en")
    with started(paths, qapp, shown=True) as (starter, first, app):

        def settled():
            return starter.session is not None and not starter.session.bridge.busy()

        app.services.settings.update("server", {"enabled": False})
        qtbot.waitUntil(settled)
        app.services.settings.update("appearance", {"language": "de"})
        qtbot.waitUntil(lambda: bool(first.notices.recent))
        assert starter._window is first, "a first start is not interrupted"
        finish(starter.session.context)
        first.faces.currentWidget().finished.emit()
        first.navigate("settings", section="appearance")

        def there(label):
            window = starter._window
            return settled() and buttons(window)[-1] == label and window.host.place().get("section") == "appearance"

        qtbot.waitUntil(lambda: there("Settings"))
        for language, label in (("en", "Settings"), ("de", "Einstellungen"), ("en", "Settings")):
            before = starter._window
            chosen = languages(before)
            chosen.setFocus()
            app.services.settings.update("appearance", {"language": language})
            qtbot.waitUntil(lambda before=before: starter._window is not before)
            qtbot.waitUntil(lambda label=label: there(label))
            assert starter._window.isVisible()
            qtbot.waitUntil(lambda: isinstance(starter._window.focusWidget(), Combo))
            assert starter._window.focusWidget() is languages(starter._window)


def test_what_is_private_is_ticked_and_kept(desk, qtbot, monkeypatch):
    settings = desk.real.settings
    update, second = settings.update, threading.Event()

    def slowly(section, values):
        """Let the second of two quick changes overtake the first, where it can."""
        second.wait(0.5) if values.get("local_only_kinds") == ["health"] else second.set()
        return update(section, values)

    monkeypatch.setattr(settings, "update", slowly)
    page = desk.page("settings", section="memory")
    desk.settle()
    boxes = {box.text(): box for box in page.findChildren(QCheckBox)}
    boxes["Health"].click()
    boxes["Other people"].click()
    qtbot.waitUntil(lambda: desk.real.settings.current.memory.local_only_kinds == ["health", "people"])
    boxes["Health"].click()
    qtbot.waitUntil(lambda: desk.real.settings.current.memory.local_only_kinds == ["people"])


def test_an_embedding_model_is_chosen_and_what_leaves_the_machine_is_said(desk, qtbot, tmp_path):
    servers = [
        {"name": "Near", "base_url": "http://127.0.0.1:9/v1"},
        {"name": "Far", "base_url": "https://models.example.org/v1"},
    ]
    desk.real.settings.update("engine", {"remoteServers": servers})
    for server in ("Near", "Far"):
        desk.real.models._servers._known.set_remote(server, ["text-embedding-3-small", "chatty-7b"])
    page = desk.page("settings", section="memory")
    desk.settle()
    editor = page.findChild(EmbedderEditor)
    qtbot.waitUntil(lambda: editor.choice.count() == 4)
    assert editor.value() == "bundled:all-MiniLM-L6-v2"
    seen = {}
    for model in ("auto", "remote:Near/text-embedding-3-small", "remote:Far/text-embedding-3-small"):
        editor.choice.set_key(model)
        editor._show_leaving()
        seen[model] = editor.leaves.isVisibleTo(editor)
    assert list(seen.values()) == [False, False, True]
    editor.choice.set_key("remote:Near/text-embedding-3-small")
    editor._choose()
    qtbot.waitUntil(lambda: desk.real.settings.current.memory.embedding_model == "remote:Near/text-embedding-3-small")
    editor._take(str(tmp_path))
    qtbot.waitUntil(lambda: page._editors["memory.embedding_model"].fault.isVisibleTo(page))
    assert desk.real.settings.current.memory.embedding_model == "remote:Near/text-embedding-3-small"


def test_a_token_is_made_for_some_agents_with_its_rights_explained(desk, qtbot):
    for name in ("Editor", "Kitchen"):
        desk.real.agents.create(name, agent_id=name.lower())
    page = desk.page("settings", section="server")
    desk.settle()
    next(b for b in page.findChildren(Button) if b.text().strip() == "New token").click()
    desk.settle()
    dialog = shown(desk)
    assert all(box.accessibleDescription() for box in dialog.scopes.values())
    dialog.name.setText("notebook")
    dialog.all_agents.setChecked(False)
    dialog.action.click()
    assert "Choose an agent" in dialog.fault.text()
    assert desk.real.tokens.all() == []
    for agent_id in ("editor", "kitchen"):
        dialog.agents[agent_id].setChecked(True)
    dialog.action.click()
    desk.settle()
    (token,) = desk.real.tokens.all()
    assert set(token.agents) == {"editor", "kitchen"}
    assert "admin" not in token.scopes
    dialog.close()
    qtbot.waitUntil(lambda: "Revoke: notebook" in {button.accessibleName() for button in page.findChildren(Button)})
    # One that the command line has made.
    desk.real.tokens.create("editor", ["chat"])
    qtbot.waitUntil(lambda: "Revoke: editor" in {button.accessibleName() for button in page.findChildren(Button)})


def test_a_token_has_the_rights_that_were_ticked_however_fast_one_clicks(desk, qtbot):
    card = desk.page("settings", section="server").findChild(TokensCard)
    desk.settle()
    for number, scope in enumerate(SCOPES):
        card._ask()
        dialog = shown(desk)
        dialog.name.setText(scope)
        usual = {name for name, box in dialog.scopes.items() if box.isChecked()}
        box = dialog.scopes[scope]
        # No turn of the event loop from here to the click on Create, and once with the agents arriving in mid-click.
        if number % 2:
            QTest.mouseClick(box, Qt.MouseButton.LeftButton)
        else:
            QTest.mousePress(box, Qt.MouseButton.LeftButton)
            desk.settle()
            QTest.mouseRelease(box, Qt.MouseButton.LeftButton)
        QTest.mouseClick(dialog.action, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(dialog.action.isHidden)
        made = next(token for token in desk.real.tokens.all() if token.name == scope)
        assert set(made.scopes) == usual ^ {scope}
        dialog.close()


def test_a_token_is_made_before_the_agents_are_read(desk, qtbot, monkeypatch):
    card = desk.page("settings", section="server").findChild(TokensCard)
    desk.settle()
    read, go_on = AgentsService.all, threading.Event()
    monkeypatch.setattr(AgentsService, "all", lambda service: go_on.wait(60) and read(service))
    card._ask()
    dialog = shown(desk)
    dialog.name.setText("notebook")
    dialog.action.click()
    qtbot.waitUntil(dialog.action.isHidden)
    go_on.set()
    desk.settle()
    assert [token.name for token in desk.real.tokens.all()] == ["notebook"]
    dialog.close()


def test_the_card_says_what_keeps_the_server_from_running(desk, qtbot):
    page = desk.page("settings", section="server")
    card = page.findChild(TokensCard)
    assert card.address.text() == "The server is switched off."
    assert not card.again.isVisibleTo(card)
    desk.real.settings.update("server", {"enabled": True})
    qtbot.waitUntil(lambda: card.again.isVisibleTo(card))
    assert card.address.text() == "The server is not running."
    desk.real.events.publish(ServerChanged("", "failed", "Port 1337 on 127.0.0.1 is in use."))
    qtbot.waitUntil(lambda: card.address.text() == "Port 1337 on 127.0.0.1 is in use.")
    assert card.again.text().strip() == "Start server"
    card.again.click()
    qtbot.waitUntil(lambda: card.address.text().startswith("http://127.0.0.1:"))
    desk.settle()


def test_the_key_of_the_copy_is_kept_shown_as_kept_and_removed(desk, qtbot, tmp_path):
    desk.real.settings.update("memory", {"qdrant_address": str(tmp_path)})
    person, page = Person(desk), desk.page("settings", section="memory")
    (field,) = page.findChildren(QdrantKey)
    person.write("Qdrant's key", "s3cret")
    person.press("Save the key")
    assert desk.real.entries_copy.keys.get(QDRANT_KEY) == "s3cret"
    assert (field.key.text(), field.key.placeholderText()) == ("", "A key is stored")
    assert "Qdrant answers" in [notice.title for notice in desk.window.notices.recent]
    desk.window.toasts.clear()
    person.press("Remove the key")
    assert not desk.real.entries_copy.keys.get(QDRANT_KEY)
    assert field.key.placeholderText() == "None"
