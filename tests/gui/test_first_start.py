from __future__ import annotations

import json
import subprocess
import sys
import threading
import zipfile

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QRadioButton

from memdesk.bootstrap.profile import MemorySecrets
from memdesk.domain.models import Conversation
from memdesk.errors import LockedError
from memdesk.gui.i18n import install
from memdesk.gui.models.conversations import Shelf
from memdesk.gui.views.firststart import progress
from memdesk.gui.views.firststart.import_step import ImportDialog
from memdesk.gui.views.firststart.wizard import STEPS, FirstStart
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from memdesk.services.importing.importing import ImportReport, ImportService
from tests.helpers.archives import chatgpt_archive
from tests.helpers.gguf import gguf_bytes
from tests.helpers.openai_server import openai_server
from tests.helpers.person import Person
from tests.helpers.window import window


def wizard(desk):
    assert isinstance(desk.face, FirstStart)
    return desk.face


def confirm(desk):
    step = wizard(desk).steps[0]
    groups = step.code.split("-")
    for place, edit in step._asked.items():
        edit.setText(groups[place].lower())
    wizard(desk).next.click()
    desk.settle()


def test_a_newcomer_comes_through_in_four_steps(new_desk, qtbot, tmp_path):
    desk = new_desk
    face = wizard(desk)
    assert not face.next.isEnabled()
    confirm(desk)
    assert desk.real.vault.recovery_confirmed()
    face.next.click()
    desk.settle()
    face.steps[2].name.setText("Ada Berger")
    face.steps[2].call.setText("Ada")
    face.next.click()
    desk.settle()
    assert [line.content for line in desk.real.memories.identity()] == [
        "The user's name is Ada Berger.",
        "The user wants to be called Ada.",
    ]
    face.next.click()
    desk.settle()
    assert desk.face is desk.window.shell
    assert desk.window.host.current == "chat"
    assert desk.window.banner.isHidden()


def focus_name(desk):
    return desk.window.focusWidget().accessibleName() or desk.window.focusWidget().text()


def test_typing_begins_where_there_is_something_to_type(home, qtbot, qapp, model):
    """At the code, at the name, and there again when the first start goes on after a restart."""
    secrets = MemorySecrets()
    with window(home, qtbot, qapp, created=False, secrets=secrets) as desk:
        asked = next(iter(wizard(desk).steps[0]._asked.values()))
        assert desk.window.focusWidget() is asked
        confirm(desk)
        wizard(desk).next.click()
        desk.settle()
        assert desk.window.focusWidget() is wizard(desk).steps[2].name
    with window(home, qtbot, qapp, created=False, secrets=secrets) as desk:
        assert desk.window.focusWidget() is wizard(desk).steps[2].name


def test_a_wrong_group_is_refused(new_desk, qtbot):
    step = wizard(new_desk).steps[0]
    for edit in step._asked.values():
        edit.setText("zzzz")
    wizard(new_desk).next.click()
    new_desk.settle()
    assert step.fault.isVisible()
    assert wizard(new_desk)._place == 0
    assert not new_desk.real.vault.recovery_confirmed()


def test_what_went_wrong_is_scrolled_to_where_text_is_large(home, qtbot, qapp, model):
    with window(home, qtbot, qapp, created=False, scale=200, size=(1000, 640)) as desk:
        face = wizard(desk)
        area, step = face.pages.currentWidget(), face.steps[0]

        def seen():
            fault = step.fault
            return area.viewport().rect().contains(QRect(fault.mapTo(area.viewport(), QPoint(0, 0)), fault.size()))

        for edit in step._asked.values():
            edit.setText("zzzz")
        assert not seen()
        face.next.click()
        desk.settle()
        qtbot.waitUntil(seen)


def test_the_code_can_be_copied_and_saved_for_its_owner_alone(new_desk, qtbot, tmp_path):
    from memdesk.gui.operations.vault import write_private

    step = wizard(new_desk).steps[0]
    Person(new_desk).press("Copy")
    assert QGuiApplication.clipboard().text() == step.code
    path = tmp_path / "code.txt"
    write_private(new_desk.session.context, step, path=str(path), text=step._sheet()).start()
    new_desk.settle()
    assert step.code in path.read_text()
    assert path.stat().st_mode & 0o077 == 0
    step._save()
    (dialog,) = new_desk.window.findChildren(QFileDialog)
    dialog.reject()


def test_the_place_of_the_code_is_kept_while_the_key_is_made(new_desk, qtbot, monkeypatch):
    desk, made, vault = new_desk, threading.Event(), type(new_desk.real.vault)
    make = vault.new_recovery_code
    confirm(desk)
    monkeypatch.setattr(vault, "new_recovery_code", lambda self: make(self) if made.wait(60) else "")
    wizard(desk).back.click()
    desk.settle()
    step = wizard(desk).steps[0]
    next(button for button in step.findChildren(Button) if "new code" in button.text()).click()

    def words():
        return [label.text() for label in step.findChildren(Label) if label.isVisible()]

    try:
        qtbot.waitUntil(lambda: "Creating your key…" in words())
        assert words().count("••••") == 7
        assert not wizard(desk).next.isEnabled()
        assert not wizard(desk).skip.isVisible()
    finally:
        made.set()
    desk.settle()
    assert "••••" not in words()
    assert len(set(step.code.split("-")) & set(words())) == len(set(step.code.split("-")))


def test_it_is_skipped_reminded_and_resumed(home, qtbot, qapp, model):
    secrets = MemorySecrets()
    with window(home, qtbot, qapp, created=False, secrets=secrets) as desk:
        first = wizard(desk).steps[0].code
        wizard(desk).skip.click()
        desk.settle()
        assert wizard(desk)._place == 1
    with window(home, qtbot, qapp, created=False, secrets=secrets) as desk:
        face = wizard(desk)
        assert face._place == 1
        face.back.click()
        desk.settle()
        assert face.steps[0].code not in {"", first}
        for _ in range(3):
            face.go_on()
            desk.settle()
        face.next.click()
        desk.settle()
        assert desk.window.banner.isVisible()


@pytest.mark.parametrize(
    ("keyring", "passphrase", "lost"),
    [
        (True, None, "If the keyring is lost, nothing else opens your memory."),
        (True, "correct horse battery", "If keyring and passphrase are lost, nothing else opens your memory."),
        (False, "correct horse battery", "If you forget the passphrase, nothing else opens your memory."),
    ],
)
def test_the_reminder_speaks_of_what_opens_the_memory(home, qtbot, qapp, model, keyring, passphrase, lost):
    secrets = MemorySecrets()
    with window(home, qtbot, qapp, secrets=secrets) as desk:
        assert desk.window.banner.isHidden()
        desk.real.vault.new_recovery_code()
        desk.real.vault.set_passphrase(passphrase)
        secrets._available = keyring
        desk.session.lock()
        desk.settle()
        desk.session._unlock("passphrase" if passphrase else "keyring", passphrase or "")
        desk.settle()
        assert desk.window.banner.isVisible()
        words = " ".join(label.text() for label in desk.window.banner.findChildren(Label))
        assert words.endswith(lost)


def test_going_back_leaves_a_code_that_was_kept_in_force(new_desk, qtbot):
    desk = new_desk
    kept = wizard(desk).steps[0].code
    confirm(desk)
    wizard(desk).back.click()
    desk.settle()
    step = wizard(desk).steps[0]
    assert step.code == ""
    assert wizard(desk).next.isEnabled()
    assert desk.real.vault.verify_recovery(kept)
    wizard(desk).next.click()
    desk.settle()
    assert wizard(desk)._place == 1
    wizard(desk).back.click()
    desk.settle()
    anew = next(button for button in step.findChildren(Button) if "new code" in button.text())
    anew.click()
    desk.settle()
    assert step.code not in {"", kept}
    assert not wizard(desk).next.isEnabled()


def test_one_killed_before_the_code_was_kept_comes_back_to_it(home, qtbot, qapp, model):
    secrets = MemorySecrets()
    with window(home, qtbot, qapp, created=False, secrets=secrets) as desk:
        first = wizard(desk).steps[0].code
        assert first
    with window(home, qtbot, qapp, created=False, secrets=secrets) as desk:
        face = wizard(desk)
        assert face._place == 0
        assert face.steps[0].code not in {"", first}


def test_without_a_keyring_a_passphrase_is_asked_for(home, qtbot, qapp, model):
    with window(home, qtbot, qapp, created=False, secrets=MemorySecrets(available=False)) as desk:
        step = wizard(desk).steps[0]
        fields = [edit for edit in step.findChildren(type(desk.session.lock_page.secret)) if edit.isVisible()]
        assert len(fields) == 2
        assert step.heading.text() == "Choose a passphrase"
        fields[0].setText("correct horse battery")
        fields[1].setText("correct horse")
        assert step.fault.isHidden()
        QTest.keyClick(fields[1], Qt.Key.Key_Return)
        assert step.fault.text() == "The two do not match."
        fields[1].setText("correct horse b")
        assert step.fault.isHidden()
        fields[1].setText("correct horse batteri")
        assert step.fault.text() == "The two do not match."
        for edit in fields:
            edit.setText("correct horse battery")
        from memdesk.gui.widgets.buttons import Button

        assert step.fault.isHidden()
        assert button(step, "Look for a keyring again").isVisible()
        face = wizard(desk)
        # A notice covers no way on.
        desk.window.notices.warning("The port is taken", "Another program has it.")
        (toast,) = desk.window.toasts.toasts
        ends = [QRect(part.mapTo(desk.window, QPoint()), part.size()) for part in (toast, face.next)]
        assert not ends[0].intersects(ends[1])
        make = next(b for b in step.findChildren(Button) if b.text() == "Create the memory")
        make.click()
        desk.settle()
        assert step.code
        assert step.heading.text() == "Keep this code"
        desk.session.lock()
        desk.settle()
        desk.session._unlock("passphrase", "correct horse battery")
        desk.settle()
        assert desk.real.vault.state() == "open"


def test_a_full_disk_is_told_and_tried_again_without_asking_for_a_passphrase(new_desk, monkeypatch):
    from memdesk.storage.errors import DiskFullError

    confirm(new_desk)
    vault = type(new_desk.real.vault)

    def full(_self):
        raise DiskFullError("There is no room for vault.json.")

    with monkeypatch.context() as broken:
        broken.setattr(vault, "new_recovery_code", full)
        wizard(new_desk).back.click()
        new_desk.settle()
        step = wizard(new_desk).steps[0]
        button(step, "Make a new code instead").click()
        new_desk.settle()
        assert "There is no room for vault.json. Free some space" in step.fault.text()
        assert not step.findChildren(QLineEdit)
        assert not wizard(new_desk).next.isEnabled()
    button(step, "Try again").click()
    new_desk.settle()
    assert step.fault.isHidden()
    assert step.code


def button(parent, words):
    return next(found for found in parent.findChildren(Button) if found.text().strip() == words)


def test_a_model_is_chosen_and_a_failed_download_says_why(new_desk, qtbot, monkeypatch):
    from memdesk.errors import EnvironmentFault
    from memdesk.gui.views.firststart.model_step import OFFERS
    from memdesk.gui.widgets.buttons import Button
    from memdesk.services.models.models import ModelsService

    desk = new_desk
    confirm(desk)
    step = wizard(desk).steps[1]
    assert step._group.checkedButton().property("model") == "bundled:smollm2-135m"
    told = []

    def refuse(_self, repo, filename, **_more):
        told.append((repo, filename))
        raise EnvironmentFault("There is too little room on the disk.")

    monkeypatch.setattr(ModelsService, "download", refuse)
    get = next(button for button in step.findChildren(Button) if button.text().strip() == "Download")
    get.click()
    desk.settle()
    assert told == [(OFFERS[0].repo, OFFERS[0].filename)]
    assert "too little room" in step.fault.text()


@pytest.mark.parametrize("waits", [True, False])
def test_a_model_downloaded_at_the_first_start_is_used_without_being_chosen_again(
    new_desk, qtbot, monkeypatch, tmp_path, waits
):
    """While one waits for it, it is what Continue takes; who has gone on has it as soon as it is there."""
    from memdesk.services.models.models import ModelsService

    desk, arrived = new_desk, threading.Event()
    confirm(desk)
    path = tmp_path / "owl.gguf"
    path.write_bytes(gguf_bytes("Owl"))

    def fetch(models, _repo, _filename, **_more):
        assert arrived.wait(60)
        return models.add_path(str(path))[0]

    monkeypatch.setattr(ModelsService, "download", fetch)
    person = Person(desk)
    next(button for button in wizard(desk).steps[1].findChildren(Button) if button.text().strip() == "Download").click()
    if waits:
        arrived.set()
        desk.settle()
        assert wizard(desk).steps[1]._group.checkedButton().property("model") == f"gguf:{path}"
    wizard(desk).next.click()
    qtbot.waitUntil(lambda: wizard(desk)._place == 2)
    arrived.set()
    person.settle()
    settings = desk.real.settings.current
    assert settings.engine.chat_model == settings.memory.core_model == f"gguf:{path}"


def test_a_newcomer_with_a_model_server_begins_with_it(new_desk, qtbot):
    desk = new_desk
    confirm(desk)
    person = Person(desk)
    with openai_server() as server:
        server.models = ["tall-tale"]
        person.press("Use a model server…")
        person.choose("Kind", "OpenAI")
        assert person.read("Address") == "https://api.openai.com/v1"
        person.write("Address", f"{server.url}/v1")
        person.press("Add")
        person.await_text("tall-tale")
        person.press("Continue")
    settings = desk.real.settings.current
    assert settings.engine.chat_model == settings.memory.core_model == "remote:OpenAI/tall-tale"


def test_a_model_of_another_program_is_chosen_at_once(home, qtbot, qapp, model):
    path = home / ".lmstudio" / "models" / "ana" / "owl-GGUF" / "owl.gguf"
    path.parent.mkdir(parents=True)
    path.write_bytes(gguf_bytes("Owl"))
    broken = path.with_name("half.gguf")
    broken.write_bytes(gguf_bytes("Half")[:-1])
    with window(home, qtbot, qapp, created=False) as desk:
        confirm(desk)
        step = wizard(desk).steps[1]
        choices = {choice.text(): choice for choice in step.findChildren(QRadioButton)}
        choices["half"].setChecked(True)
        wizard(desk).next.click()
        desk.settle()
        assert "middle of its weights" in step.fault.text()
        assert wizard(desk)._place == 1
        choices["owl"].setChecked(True)
        wizard(desk).next.click()
        desk.settle()
        settings = desk.real.settings.current
        assert settings.engine.chat_model == settings.memory.core_model == f"gguf:{path}"


def tabbed(desk, qtbot):
    """Return what Tab comes to before the buttons of the foot."""
    wizard(desk).marks.setFocus()
    names = []
    while not names or names[-1] != "Back":
        qtbot.keyClick(desk.window.focusWidget(), Qt.Key.Key_Tab)
        names.append(focus_name(desk).strip())
        assert len(names) < 20
    return names[:-1]


@pytest.mark.parametrize("learn", [True, False])
def test_a_chatgpt_archive_is_previewed_then_imported(new_desk, qtbot, tmp_path, learn):
    desk = new_desk
    confirm(desk)
    face = wizard(desk)
    face.go_on()
    face.go_on()
    desk.settle()
    archive = tmp_path / "export.zip"
    chatgpt_archive(archive)
    panel = face.steps[3].panel
    panel.look(str(archive))
    desk.settle()
    words = " ".join(label.text() for label in panel.findChildren(type(face.steps[3].fault)))
    assert "2 conversations were found" in words
    assert "Learning takes less than a minute of work" in words
    assert face.next.text() == "Start without importing"
    QTest.keyClick(face, Qt.Key.Key_Return)
    assert not face.isHidden()
    assert desk.real.conversations.page().total == 0
    panel._learn.setChecked(learn)
    passed = tabbed(desk, qtbot)
    assert passed[-5:] == ["Choose a file…", "Choose a folder…", panel._learn.text(), "Import", "Cancel"]
    begin = next(button for button in panel.findChildren(Button) if button.text() == "Import")
    begin.setFocus()
    qtbot.keyClick(begin, Qt.Key.Key_Return)
    desk.settle()
    assert face.next.text() == "Start"
    assert desk.real.conversations.page().total == 2
    pending = desk.real.distillation.status()["pending"]
    assert bool(pending) == learn
    qtbot.waitUntil(lambda: "2 conversations were imported" in focus_name(desk))
    qtbot.keyClick(desk.window.focusWidget(), Qt.Key.Key_Return)
    desk.settle()
    assert desk.face is desk.window.shell


def test_a_file_that_holds_no_chats_says_what_can_be_read(new_desk, qtbot, tmp_path):
    desk = new_desk
    confirm(desk)
    face = wizard(desk)
    face.go_on()
    face.go_on()
    desk.settle()
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("readme.bin", b"\0\1")
    panel = face.steps[3].panel
    panel.look(str(other))
    desk.settle()
    words = " ".join(label.text() for label in panel.findChildren(type(face.steps[3].fault)))
    assert "ChatGPT" in words


def test_chats_that_other_programs_keep_here_are_offered(home, new_desk, qtbot):
    talk = {"name": "Physics", "createdAt": 1719999999999}
    said = {"versions": [{"role": "user", "content": [{"type": "text", "text": "I teach physics."}]}]}
    path = home / ".lmstudio" / "conversations" / "1719999999999.conversation.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({**talk, "messages": [said]}))
    confirm(new_desk)
    panel = ImportDialog(new_desk.session.context, new_desk.window).panel
    new_desk.settle()
    next(b for b in panel.findChildren(Button) if b.accessibleName() == "Chats of LM Studio").click()
    new_desk.settle()
    words = " ".join(label.text() for label in panel.findChildren(Label))
    assert "found: LM Studio (1)." in words


def test_what_is_read_can_be_stopped_and_leaves_nothing(new_desk, qtbot, monkeypatch):
    def read(_self, _path, agent_id, *, cancel):
        assert cancel.wait(60)
        return ImportReport(dry_run=True, agent_id=agent_id, conversations=1, cancelled=True)

    monkeypatch.setattr(ImportService, "preview", read)
    desk = new_desk
    confirm(desk)
    panel = wizard(desk).steps[3].panel
    panel.look("export.zip")
    panel.cancel()
    desk.settle()
    words = " ".join(label.text() for label in panel.findChildren(Label))
    assert "What will happen" not in words
    assert panel._op is None


def test_chats_are_imported_later_for_any_agent(desk, qtbot, tmp_path):
    desk.real.agents.create("Scribe")
    archive = tmp_path / "export.zip"
    chatgpt_archive(archive)
    desk.page("settings", section="privacy")
    desk.window.commands.run("chat.import")
    desk.settle()
    (dialog,) = desk.window.findChildren(ImportDialog)
    dialog.panel.look(str(archive))
    desk.settle()
    dialog.agent.set_key("scribe")
    dialog.agent.chosen.emit("scribe")
    desk.settle()
    dialog.panel._import(2)
    dialog.close()
    desk.settle()
    assert desk.real.conversations.page(agent_id="scribe").total == 2
    assert desk.window.notices.recent[-1].title == "2 conversations were imported."
    desk.window.commands.run("chat.import")
    desk.settle()
    again = next(found for found in desk.window.findChildren(ImportDialog) if found.isVisible())
    bare = again.height()
    again.panel.choose_agent("scribe")
    again.panel.look(str(archive))
    desk.settle()
    words = " ".join(label.text() for label in again.panel.findChildren(Label))
    assert "2 are here already" in words
    assert not [button for button in again.panel.findChildren(Button) if button.text().strip() == "Import"]
    assert again.height() > bare
    # No taller than what is said, once there is less to say.
    again.panel._reset()
    qtbot.waitUntil(lambda: again.height() == bare)


def bring(desk, path):
    """Import a file as the window does, and return the titles of the list of chats."""
    page = desk.page("chat")
    desk.window.commands.run("chat.import")
    desk.settle()
    panel = next(dialog for dialog in desk.window.findChildren(ImportDialog) if dialog.isVisible()).panel
    panel.look(str(path))
    desk.settle()
    panel._import(1)
    desk.rest()
    return [row.title for row in page.list.model.rows if isinstance(row, Shelf | Conversation)]


def test_what_an_import_brings_is_in_the_list_at_once(desk, tmp_path):
    """A folder is stored after the chats in it; the rows of an export are stored as they are."""
    project = {
        "uuid": "p1",
        "name": "Workshop",
        "prompt_template": "",
        "docs": [{"filename": "a.md", "content": "Pads"}],
    }
    projects, whole = tmp_path / "projects.json", tmp_path / "all.zip"
    projects.write_text(json.dumps([project]))
    assert bring(desk, projects) == ["Workshop", "Workshop"]
    desk.real.everything.export(whole)
    talk = desk.real.conversations.page("default").items[0]
    desk.real.conversations.delete("default", talk.id)
    desk.rest()
    assert bring(desk, whole) == ["Workshop", "Workshop"]


def test_a_pause_holds_what_an_import_put_in_line_and_lets_it_go_on(desk, tmp_path, monkeypatch):
    monkeypatch.setattr("memdesk.bootstrap.wiring.HELD_SECONDS", 0.05)
    monkeypatch.setattr("memdesk.services.distilling.distillation.PAUSED_SECONDS", 0.05)
    controls, distillation = desk.session.context.controls, desk.real.distillation
    controls.set_paused(True)
    archive = tmp_path / "export.zip"
    chatgpt_archive(archive)
    # Each chat that is stored sends the one before it to be distilled.
    desk.real.importing.import_archive(archive, "default")
    desk.settle()
    desk.qtbot.wait(300)
    status = distillation.status()
    assert len(status["pending"]) == 2
    assert status["last"] == []
    controls.set_paused(False)
    desk.qtbot.waitUntil(lambda: distillation.status()["last"] != [])
    assert len(distillation.status()["pending"]) == 1


def test_a_locked_memory_ends_an_import_with_one_error(desk, qtbot, tmp_path):
    archive = tmp_path / "export.zip"
    chatgpt_archive(archive)
    desk.window.commands.run("chat.import")
    desk.settle()
    (dialog,) = desk.window.findChildren(ImportDialog)
    dialog.panel.look(str(archive))
    desk.settle()
    desk.real.vault.lock()
    with pytest.raises(LockedError):
        desk.real.importing.import_archive(archive, "default")


def test_the_built_in_agent_speaks_the_language_of_a_first_start(home, qtbot, qapp, model):
    install(qapp, "de")
    with window(home, qtbot, qapp, created=False) as desk:
        confirm(desk)
        agent = desk.real.agents.get("default")
        assert (agent.name, agent.description) == (
            "Assistent",
            "Antwortet schlicht und merkt sich, was dir wichtig ist.",
        )
        assert agent.system_prompt.startswith("Du bist ein hilfsbereiter Assistent.")


def test_the_name_is_kept_in_the_language_of_the_window_and_found(home, qtbot, qapp, model):
    install(qapp, "de")
    with window(home, qtbot, qapp, created=False) as desk:
        confirm(desk)
        step = wizard(desk).steps[2]
        step.name.setText("Ada Berger")
        step.call.setText("Ada")
        step.finish(lambda: None, lambda: None)
        desk.settle()
        lines = [line.content for line in desk.real.memories.identity()]
        assert lines == ["Ich heiße Ada Berger.", "Ich möchte Ada genannt werden."]
        receipt = desk.real.recall.context(agent_id="default", query="Wie heiße ich?")
        assert all(line in receipt.block for line in lines)


def test_a_name_that_is_corrected_on_the_way_back_is_kept_once(new_desk):
    confirm(new_desk)
    step = wizard(new_desk).steps[2]
    for name, call in (("Ada Bergre", "Ady"), ("Ada Berger", "")):
        step.name.setText(name)
        step.call.setText(call)
        step.finish(lambda: None, lambda: None)
        new_desk.settle()
    assert [line.content for line in new_desk.real.memories.identity()] == ["The user's name is Ada Berger."]


def test_a_start_after_the_first_needs_none_of_the_steps(new_desk):
    """As many are counted as there are, without asking them."""
    assert len(STEPS) == progress.COUNT
    code = "import sys, memdesk.gui.session; print('memdesk.gui.views.firststart.wizard' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
    assert progress.unfinished(new_desk.session.context)
    progress.finish(new_desk.session.context)
    assert not progress.unfinished(new_desk.session.context)
