"""Small things that a newcomer stumbles over."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit, QScrollBar, QWidget

from memdesk.bootstrap.app import App
from memdesk.bootstrap.profile import MemorySecrets
from memdesk.gui.i18n import install
from memdesk.gui.operations.forgetting import ask_forget
from memdesk.gui.shell.statusbar import StatusBar
from memdesk.gui.views.chat.folders import FolderDialog
from memdesk.gui.views.diagnostics.tile import Tile
from memdesk.gui.views.memory.editing import FactDialog, LineDialog
from memdesk.gui.views.memory.page import LEAST_HEIGHT
from memdesk.gui.views.settings.vault import PassphraseDialog
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.dialog import ConfirmDialog
from memdesk.gui.widgets.labels import ElidedLabel, Label
from memdesk.gui.widgets.layout import Tall
from memdesk.gui.widgets.states import LEAST_WORDS, PageHead
from memdesk.ports import EngineState
from memdesk.services.forgetting import ForgetTarget
from memdesk.settings.paths import profile_paths
from tests.helpers.person import Person
from tests.helpers.window import started, window


def test_save_is_in_view_wherever_one_writes_in_an_agent(desk, qtbot):
    desk.window.resize(900, 560)
    page = desk.page("agents")
    page.form.description.setText("Writes letters")
    page.form.edited.emit()
    bar = page._detail.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(bar.maximum())
    top = page._save.mapTo(page, QPoint(0, 0)).y()
    assert page._save.isVisible()
    assert 0 <= top < page.height() - page._save.height()
    assert not page._detail.isAncestorOf(page._save)


def test_chat_with_an_agent_saves_what_was_changed_first(desk, qtbot):
    page = desk.page("agents")
    page.form.description.setText("Writes letters")
    page.form.edited.emit()
    page._chat()
    desk.settle()
    assert desk.real.agents.get("default").description == "Writes letters"
    assert desk.window.host.current == "chat"


def test_ctrl_enter_saves_in_a_dialog_of_several_lines(desk, qtbot):
    said = []
    dialog = LineDialog(desk.window, "Edit summary", lambda text, _dialog: said.append(text), text="one", rows=3)
    dialog.open()
    qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert len(said) == 1
    dialog.reject()


@pytest.mark.parametrize("field", ["content", "tags", "kind", "salience"])
def test_ctrl_enter_saves_from_every_field_of_a_dialog(desk, qtbot, field):
    saved = []
    dialog = FactDialog(desk.window, "Add a fact", lambda values, _dialog: saved.append(values["content"]), agents=[])
    dialog.content.setPlainText("The user keeps bees.")
    dialog.open()
    control = getattr(dialog, field)
    control.setFocus()
    qtbot.keyClick(control, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert saved == ["The user keeps bees."]
    dialog.reject()


def test_fields_beside_each_other_stand_at_one_height(desk, qtbot):
    dialog = FactDialog(desk.window, "Add a fact", lambda _values, _dialog: None, agents=[])
    dialog.open()
    for one, other in ((dialog.first, dialog.last), (dialog.expires, dialog.key)):
        assert one.mapTo(dialog, QPoint()).y() == other.mapTo(dialog, QPoint()).y()
    dialog.reject()


def test_ctrl_enter_saves_a_folder_from_the_choice_of_its_memory(desk, qtbot):
    dialog = FolderDialog(desk.window, desk.page("chat").context, None, "default", lambda _folder: None)
    dialog.name.setText("Garden")
    dialog.open()
    qtbot.mouseClick(dialog.own, Qt.MouseButton.LeftButton, pos=QPoint(8, dialog.own.height() // 2))
    qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    desk.settle()
    (folder,) = desk.real.folders.all()
    assert folder.name == "Garden"
    assert folder.agent_id is not None


@pytest.mark.parametrize("there", ["first", "option"])
def test_ctrl_enter_confirms_nothing_that_would_be_lost(desk, qtbot, there):
    said = []
    dialog = ConfirmDialog(
        desk.window, title="Forget?", text="Gone.", action="Forget", confirmed=said.append, option="Messages too"
    )
    dialog.open()
    control = dialog.option if there == "option" else dialog.focusWidget()
    control.setFocus()
    qtbot.keyClick(control, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert said == []
    dialog.reject()


def test_ctrl_enter_saves_an_agent(desk, qtbot):
    page = desk.page("agents")
    page.form.prompt.setFocus()
    page.form.prompt.setPlainText("Answer in verse.")
    page.form.edited.emit()
    qtbot.keyClick(page.form.prompt, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    desk.settle()
    assert desk.real.agents.get("default").system_prompt == "Answer in verse."


def test_a_passphrase_can_be_shown_and_a_slip_in_it_is_told_while_it_is_typed(desk, qtbot):
    dialog = PassphraseDialog(desk.session.context, desk.window)
    dialog.open()
    qtbot.keyClicks(dialog.first, "correct horse")
    qtbot.keyClicks(dialog.second, "correct hors")
    assert not dialog.fault.isVisible()
    qtbot.keyClicks(dialog.second, "f")
    assert dialog.fault.isVisible()
    qtbot.keyClick(dialog.second, Qt.Key.Key_Backspace)
    qtbot.keyClicks(dialog.second, "e")
    assert not dialog.fault.isVisible()
    assert dialog.first.echoMode() == QLineEdit.EchoMode.Password
    dialog.first.findChild(QAbstractButton).click()
    assert dialog.first.echoMode() == QLineEdit.EchoMode.Normal
    dialog.reject()


def test_the_lock_screen_names_no_keyring_where_a_passphrase_alone_opens(home, qtbot, qapp):
    secrets = MemorySecrets(available=False)
    with window(home, qtbot, qapp, created=False, secrets=secrets) as made:
        made.real.vault.create(passphrase="correct horse battery staple")
        made.session.lock()
        made.settle()
        page = made.session.lock_page
        assert made.face is page
        assert page.ways.value() == "passphrase"
        shown = [key for key, button in page.ways._buttons.items() if button.isVisibleTo(page)]
        assert shown == ["passphrase", "recovery"]


def test_a_small_window_with_large_letters_shows_chat_and_list_in_turn(home, qtbot, qapp):
    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as made:
        made.real.conversations.create("default", conversation_id="t1", title="A talk")
        page = made.page("chat")
        assert not page.list.isVisible()
        assert page.composer.width() > 400
        page.pickers.override({"sampling": {"temperature": 0.5}})
        made.settle()
        chip = page.head.settings
        assert (chip.text().strip(), chip.accessibleName()) == ("1", "1 own setting")
        assert chip.width() >= chip.sizeHint().width()
        assert page.head.reset.mapTo(page, QPoint(page.head.reset.width(), 0)).x() <= page.width()
        page.composer.editor.setPlainText("line\n" * 20)
        qtbot.wait(20)
        foot = page.composer.choices.mapTo(page.composer, QPoint(0, 0)).y()
        assert page.composer.editor.geometry().bottom() <= foot
        qtbot.mouseClick(page.head.conversations, Qt.MouseButton.LeftButton)
        assert page.list.isVisible()
        assert not page.composer.isVisible()
        page.list.chosen.emit("default", "t1", None)
        made.settle()
        assert not page.list.isVisible()
        assert page.composer.isVisible()
        qtbot.keyClick(page.composer.editor, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        assert made.window.focusWidget() is page.list.search


def test_imported_talks_stand_under_one_heading_a_time(desk, qtbot):
    from memdesk.services.recording.ingest import NewTurn

    june = datetime(2025, 6, 3, tzinfo=UTC)
    for number, day in enumerate([None, june, None, june + timedelta(days=2)]):
        turns = [NewTurn(role="user", content=f"Talk {number}", said_at=day)]
        defaults = {"session_date": day} if day else {}
        desk.real.ingest.record(
            agent_id="default", conversation_id=f"t{number}", turns=turns, conversation_defaults=defaults
        )
    page = desk.page("chat")
    desk.rest()
    titles = [row.title for row in page.list.model.rows]
    assert titles == ["Today", "Talk 2", "Talk 0", "June 2025", "Talk 3", "Talk 1"]


def test_a_notice_goes_up_with_words_that_grow(desk, qtbot, model):
    page = desk.page("chat")
    desk.window.notices.info("Something happened", "It is done.")
    page.composer.editor.setPlainText("line\n" * 12)
    qtbot.wait(20)
    (toast,) = desk.window.toasts.toasts
    top = page.composer.mapTo(desk.window.faces, QPoint(0, 0)).y()
    assert toast.geometry().bottom() < top


def test_a_small_window_with_large_letters_cuts_nothing_off(home, qtbot, qapp):
    from tests.helpers.demo import fill

    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as made:
        fill(made.app)
        bar = made.window.findChild(StatusBar)
        made.page("agents")
        made.rest()
        assert bar.engine.shown().endswith("…")
        assert bar.engine.toolTip() == bar.engine.text()
        assert bar.pending.shown() == bar.pending.text()
        assert bar.engine.geometry().right() < bar.server.geometry().left()
        detail = made.page("agents")._detail
        assert detail.widget().width() <= detail.viewport().width()
        memory = made.page("memory", tab="facts")
        made.rest()
        assert memory.stack.height() >= 2 * LEAST_HEIGHT
        assert memory.segments.visibleRegion().boundingRect().height() == memory.segments.height()


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_list_of_the_memory_begins_in_sight_in_a_small_window_with_large_letters(home, qtbot, qapp, language):
    from tests.helpers.demo import fill

    install(qapp, language)
    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as made:
        fill(made.app)
        for name in ("facts", "episodes", "transcript", "entities", "activity"):
            page = made.page("memory", tab=name)
            made.rest()
            table = page.stack.currentWidget().table
            first = table.visualRect(table.model().index(0, 0))
            seen = table.viewport().visibleRegion().boundingRect()
            assert seen.contains(first), name
            assert page.findChild(Tall).verticalScrollBar().maximum() == 0, name


def test_one_thing_of_the_memory_scrolls_alone_in_a_small_window_with_large_letters(home, qtbot, qapp):
    from tests.helpers.demo import fill

    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as made:
        _talks, facts = fill(made.app)
        ada = next(each for each in made.real.memories.entities(agent_id="default").items if each.name == "Ada")
        episode = made.real.memories.episodes(agent_id="default").items[0]
        for way in ({"fact_id": facts[1].id}, {"episode_id": episode.id}, {"entity_id": ada.id}):
            page = made.page("memory", **way)
            made.rest()
            bars = [bar for bar in page.findChildren(QScrollBar) if bar.isVisible() and bar.maximum() > 0]
            assert len(bars) == 1, way
            assert not page.segments.isVisible()
        (back,) = [each for each in page.findChildren(QAbstractButton) if each.isVisible() and "Back to" in each.text()]
        back.click()
        made.rest()
        assert page.segments.isVisible()


@pytest.mark.parametrize("size", [(800, 600), (1100, 700)])
def test_the_sentence_of_a_head_has_room_beside_its_tools(home, qtbot, qapp, size):
    install(qapp, "de")
    with window(home, qtbot, qapp, size=size) as made:
        for name in ("memory", "consolidation", "agents", "models", "settings"):
            head = made.page(name).findChild(PageHead)
            made.rest()
            assert head.text.isVisible(), name
            assert head.text.width() >= LEAST_WORDS, name


def test_a_menu_holds_what_has_no_room_in_the_head_of_a_page(home, qtbot, qapp):
    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as made:
        person = Person(made)
        person.press("Memory")
        made.rest()
        head = made.page("memory").findChild(PageHead)
        assert head.more.isVisible()
        head.more.menu().aboutToShow.emit()
        ways = {way.text(): way for way in head.more.menu().actions()}
        assert set(ways) == {"Consolidate", "Add a fact"}
        ways["Consolidate"].trigger()
        made.settle()
        assert made.window.host.current == "consolidation"


@pytest.mark.parametrize("section", ["memory", "engine", "appearance", "privacy"])
def test_every_setting_can_be_reached_in_a_small_window_with_large_letters(home, qtbot, qapp, section):
    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as made:
        area = made.page("settings", section=section).stack.currentWidget()
        made.rest()
        kinds = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)
        controls = [each for kind in kinds for each in area.findChildren(kind) if each.isVisible()]
        assert len(controls) > 3
        for each in controls:
            right = each.mapTo(area.viewport(), QPoint(each.width(), 0)).x()
            assert right <= area.viewport().width(), each.accessibleName() or each
            assert each.width() >= each.minimumSizeHint().width(), each.accessibleName() or each
        for words in (each for each in area.findChildren(Label) if each.isVisible()):
            assert words.height() >= words.heightForWidth(words.width()), words.text()


def test_the_status_bar_names_the_remote_model_while_a_local_one_keeps_the_memory(desk):
    bar = desk.window.findChild(StatusBar)
    desk.real.settings.update("engine", {"chat_model": "remote:Attic:qwen3"})
    local = EngineState(name="SmolLM2", kind="llm", state="ready")
    for state, shown in (("ready", "remote"), ("busy", "remote"), ("failed", "SmolLM2")):
        bar._fill(([replace(local, state=state)], {}, ("stopped", ""), "qwen3 (Attic)", True))
        assert shown in bar.engine.text()


def test_a_window_with_room_does_not_scroll_the_memory(desk):
    memory = desk.page("memory", tab="facts")
    assert memory.findChild(Tall).verticalScrollBar().maximum() == 0
    assert desk.window.findChild(StatusBar).engine.toolTip() == ""


@pytest.mark.expect_log  # That the passphrase did not open it.
@pytest.mark.parametrize(("passphrase", "locked"), [("correct horse", False), ("battery staple", True)])
def test_a_passphrase_given_at_the_start_is_not_asked_for_and_a_wrong_one_is(tmp_path, qtbot, qapp, passphrase, locked):
    paths, secrets = profile_paths(home=tmp_path / "profile"), MemorySecrets(available=False)
    first = App(paths, secrets=secrets, embedder=lambda: None)
    try:
        code = first.services.vault.create(passphrase="correct horse")
        first.services.vault.confirm_recovery(dict(enumerate(code.split("-"))))
    finally:
        first.close()
    with started(paths, qapp, shown=True, secrets=secrets, passphrase=passphrase) as (starter, made, _app):
        qtbot.waitUntil(lambda: starter.session is not None and not starter.session.bridge.busy(), timeout=60_000)
        qtbot.waitUntil(lambda: made.faces.currentWidget() is (starter.session.lock_page if locked else made.shell))
        qtbot.waitUntil(lambda: not starter.session.bridge.busy(), timeout=60_000)


def test_a_new_agent_is_named_before_its_id_is_made(desk):
    person = Person(desk)
    person.press("Agents")
    person.press("New agent")
    person.pick("Empty")
    person.write("Name", "Garden notes")
    person.press("Create")
    assert desk.real.agents.get("garden-notes").name == "Garden notes"
    person.await_text("id garden-notes")


def test_a_menu_acts_on_its_row_and_leaves_the_chat_that_is_open(desk):
    for name in ("one", "two"):
        desk.real.conversations.create("default", conversation_id=name, title=f"Talk {name}")
    person = Person(desk)
    page = desk.page("chat", agent_id="default", conversation_id="one")
    desk.rest()
    person.ask_menu("Talk two")
    person.pick("Pin")
    desk.rest()
    pinned = [desk.real.conversations.get("default", name).pinned for name in ("one", "two")]
    assert pinned == [False, True]
    assert page.list.model.talk(page.list.view.currentIndex()).id == "one"
    person.ask_menu("Talk two")
    person.front.close()
    desk.settle()
    assert page.list.model.talk(page.list.view.currentIndex()).id == "one"


def test_the_dialog_that_forgets_stays_within_a_small_window_with_large_letters(home, qtbot, qapp):
    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as made:
        text = "My sister Johanna keeps bees on the roof of the old mill. " * 6
        fact = made.real.memories.add_fact(agent_id="default", content=text, kind="relationship")
        made.page("memory", tab="facts", fact_id=fact.id)._tabs["facts"].panel._forget(fact)
        made.rest()
        (dialog,) = [each for each in made.window.findChildren(ConfirmDialog) if each.isVisible()]
        frame = made.window.geometry()
        assert frame.contains(dialog.geometry())
        for button in (dialog.button, dialog._cancel):
            assert dialog.rect().contains(button.geometry())


def test_everything_of_a_page_is_legible_in_a_small_german_window_with_large_letters(home, qtbot, qapp):
    install(qapp, "de")
    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as made:
        made.real.agents.create(name="Schreibwerkstatt", agent_id="writer")
        person = Person(made)
        person.press("Agenten")
        made.rest()
        person.choose("Agent", "Schreibwerkstatt")
        made.settle()
        assert person.read("Name") == "Schreibwerkstatt"
        buttons = [each for each in made.page("agents").findChildren(QAbstractButton) if each.isVisible()]
        assert all(each.height() >= each.minimumSizeHint().height() for each in buttons)
        fields = made.page("memory", tab="preview")._tabs["preview"]
        made.rest()
        for each in (fields.query, fields.section, fields.budget, *fields.findChildren(QAbstractButton)):
            if each.isVisible():
                assert each.width() >= each.minimumSizeHint().width(), each.accessibleName()
        assert fields.query.width() > 400
        page = made.page("diagnostics")
        made.rest()
        titles = page.findChildren(ElidedLabel)
        assert titles
        for each in (title for title in titles if isinstance(title.parentWidget(), Tile)):
            assert each.fontMetrics().horizontalAdvance(each.text()) <= each.width(), each.text()
        made.window.commands.run("help.shortcuts")
        made.settle()
        dialog = person.front
        bars = [bar for bar in dialog.findChildren(QScrollBar) if bar.isVisible() and bar.maximum() > 0]
        assert len(bars) == 1
        dialog.close()


def test_a_fact_that_is_opened_is_in_sight_in_a_small_window_with_large_letters(home, qtbot, qapp):
    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as made:
        fact = made.real.memories.add_fact(agent_id="default", content="Johanna keeps bees.", kind="relationship")
        panel = made.page("memory", fact_id=fact.id)._tabs["facts"].panel
        made.rest()
        seen = panel.visibleRegion().boundingRect()
        assert seen.height() > made.window.height() // 2
        assert seen.width() == panel.width()


def wholly_seen(area, part):
    return area.viewport().rect().contains(QRect(part.mapTo(area.viewport(), QPoint(0, 0)), part.size()))


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_start_cuts_nothing_off_in_a_small_window_with_large_letters(home, qtbot, qapp, model, language):
    install(qapp, language)
    with window(home, qtbot, qapp, created=False, scale=200, size=(800, 600)) as made:
        face = made.face
        qtbot.waitUntil(lambda: bool(face.steps[0].code))
        code = next(card for card in face.findChildren(QWidget) if face.steps[0].code[:4] in card.accessibleName())
        qtbot.waitUntil(lambda: wholly_seen(face.pages.currentWidget(), code), timeout=20_000)
        for place in range(len(face.steps)):
            face._show(place)
            made.settle()
            shown = [
                part for part in (*face.marks._names, face.back, face.restore, face.skip, face.next) if part.isVisible()
            ]
            for part in shown:
                assert part.width() >= part.sizeHint().width(), part.text()
            assert place == 0 or face.back.y() == face.next.y()
            assert face.pages.currentWidget().body.contentsMargins().top() < 50
        face._show(1)
        made.settle()
        better = face.steps[1].findChildren(Button)[0]
        qtbot.waitUntil(lambda: wholly_seen(face.pages.currentWidget(), better))
    install(qapp, "en")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_lock_cuts_nothing_off_in_a_small_window_with_large_letters(home, qtbot, qapp, language):
    install(qapp, language)
    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as made:
        made.real.vault.set_passphrase("correct horse battery")
        made.session.lock()
        made.settle()
        page = made.session.lock_page
        for way, size in (("passphrase", (800, 600)), ("recovery", (800, 600)), ("passphrase", (1400, 900))):
            made.window.resize(*size)
            page.ask(way)
            made.settle()
            left, right = (page.secret.mapTo(made.window, QPoint(x, 0)).x() for x in (0, page.secret.width()))
            assert 0 < left < right < made.window.width()
            assert abs(left - (made.window.width() - right)) <= 1
        assert right - left == 880
    install(qapp, "en")


def test_the_reminder_leaves_room_for_the_composer_in_a_small_window_with_large_letters(home, qtbot, qapp, model):
    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as made:
        made.real.vault.new_recovery_code()
        made.session._open()
        made.rest()
        banner, composer = made.window.banner, made.page("chat").composer
        for label in banner.findChildren(Label):
            assert label.height() >= label.heightForWidth(label.width())
        assert composer.height() >= composer.minimumSizeHint().height()
        assert banner.geometry().bottom() < made.window.host.y()
        assert "nothing else opens" not in banner.findChild(Label).text()
        made.window.resize(1400, 900)
        made.rest()
        assert banner.findChild(Label).text().endswith("If the keyring is lost, nothing else opens your memory.")


def test_how_far_forgetting_goes_is_seen_first_in_a_small_window_with_large_letters(home, qtbot, qapp, model):
    from tests.helpers.demo import fill

    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as made:
        _talks, facts = fill(made.app)
        fact = next(fact for fact in facts if "vegetarian" in fact.content)
        dialog = ask_forget(
            made.session.context,
            made.window,
            target=ForgetTarget(kind="fact", ids=(fact.id,), agent_id=fact.agent_id),
            title="Forget this fact?",
            text=fact.content,
        )
        made.settle()
        assert len(dialog.reach) > 1
        assert all(wholly_seen(dialog._room, button) for button in dialog.reach.values())
        dialog.reject()


def test_the_model_can_be_chosen_and_a_receipt_has_the_focus_in_a_small_window_with_large_letters(
    home, qtbot, qapp, model
):
    from tests.helpers.demo import fill

    with window(home, qtbot, qapp, scale=200, size=(800, 600)) as made:
        fill(made.app)
        page = made.page("chat")
        made.rest()
        choices = page.composer.choices
        shown = [choices.agents, choices.models, choices.memory]
        assert all(part.isVisible() for part in shown)
        edges = [edge for part in shown for edge in (part.x(), part.x() + part.width())]
        assert [0, *edges, choices.width()] == sorted([0, *edges, choices.width()])
        page.composer.editor.setFocus()
        page.explaining.receipt.begin("Why this reply")
        assert not page.composer.isVisible()
        assert page.explaining.receipt.isAncestorOf(made.window.focusWidget())
        page.explaining.receipt.close_button.click()
        assert made.window.focusWidget() is page.composer.editor
