"""Restoring a backup through the window: from the settings, from the lock screen, and without a vault."""

from __future__ import annotations

import pytest

from memdesk.bootstrap.profile import MemorySecrets
from memdesk.errors import LockedError
from memdesk.gui.session import StartFault
from memdesk.gui.shell.restore import RestorePage
from memdesk.gui.widgets.labels import Label
from memdesk.ports import FactFilter
from tests.helpers.window import window

pytestmark = pytest.mark.usefixtures("model")


@pytest.fixture
def backup(desk, tmp_path):
    """A backup with one fact, after which the memory learned another."""
    desk.real.memories.add_fact(agent_id="default", content="The boat is called Petrel.")
    path = tmp_path / "memory.memdesk-backup"
    desk.real.backup.backup(path)
    desk.real.memories.add_fact(agent_id="default", content="The harbor is in Kiel.")
    return path


def facts(desk):
    return {fact.content for fact in desk.real.memories.facts(FactFilter()).items}


def look_inside(desk, path, code):
    page = desk.face
    assert isinstance(page, RestorePage)
    page.path.setText(str(path))
    page.secret.setText(code)
    page.look()
    desk.settle()
    return page


def test_a_backup_is_looked_into_and_put_back(desk, backup, qtbot):
    desk.page("memory", tab="facts")
    desk.window.commands.run("app.restore")
    page = look_inside(desk, backup, desk.code)
    assert page.go.isEnabled()
    words = [label.text() for label in page._card.findChildren(Label)]
    assert words[words.index("Facts") + 1] == "1 (now 2)"
    assert facts(desk) == {"The boat is called Petrel.", "The harbor is in Kiel."}
    page.go.click()
    desk.settle()
    assert desk.face is desk.window.shell
    assert facts(desk) == {"The boat is called Petrel."}
    assert (desk.app.paths.data / "replaced-1" / "memory.db").exists()
    assert "replaced-1" in desk.window.notices.recent[-1].message
    desk.page("chat")


def test_a_snapshot_is_looked_into_beside_the_present_and_put_back_without_a_secret(desk):
    desk.real.memories.add_fact(agent_id="default", content="The boat is called Petrel.")
    desk.real.snapshots.make()
    desk.real.memories.add_fact(agent_id="default", content="The harbor is in Kiel.")
    desk.window.commands.run("app.restore")
    desk.settle()
    page = desk.face
    assert page.snapshots.count() == 2
    page.snapshots.setCurrentIndex(1)
    page.snapshots.activated.emit(1)
    desk.settle()
    assert not page.secret.isVisible()
    words = [label.text() for label in page._card.findChildren(Label)]
    assert words[words.index("Facts") + 1] == "1 (now 2)"
    vault = desk.app.paths.vault.read_bytes()
    page.go.click()
    desk.settle()
    assert desk.face is desk.window.shell
    assert facts(desk) == {"The boat is called Petrel."}
    assert desk.app.paths.vault.read_bytes() == vault
    desk.page("chat")


def test_a_snapshot_of_an_earlier_key_asks_for_what_opened_it(desk, backup):
    desk.real.snapshots.make()
    desk.window.commands.run("app.restore")
    desk.settle()
    page = desk.face
    page.path.setText(str(backup))
    assert page.secret.isVisible()
    page.path.setText(page.snapshots.itemData(1))
    assert not page.secret.isVisible()
    page._failed(LockedError("another key"))
    assert page.secret.isVisible()


def test_a_wrong_code_and_a_file_that_is_no_backup_change_nothing(desk, backup, tmp_path):
    other = tmp_path / "letter.txt"
    other.write_text("Dear Marta")
    desk.page("settings", section="privacy")
    desk.window.commands.run("app.restore")
    page = look_inside(desk, other, desk.code)
    assert "letter.txt" in page.fault.text()
    assert not page.go.isEnabled()
    page = look_inside(desk, backup, "0000-0000")
    assert page.fault.isVisible()
    page.back.click()
    desk.settle()
    assert desk.face is desk.window.shell
    assert desk.window.host.current == "settings"
    assert len(facts(desk)) == 2


def test_a_database_that_cannot_be_opened_is_replaced_from_the_lock_screen(home, qtbot, qapp, tmp_path):
    secrets = MemorySecrets()
    path = tmp_path / "memory.memdesk-backup"
    with window(home, qtbot, qapp, secrets=secrets) as desk:
        desk.real.memories.add_fact(agent_id="default", content="The boat is called Petrel.")
        desk.real.backup.backup(path)
        code, database = desk.code, desk.app.paths.database
    database.write_bytes(b"\x00" * database.stat().st_size)
    with window(home, qtbot, qapp, created=False, secrets=secrets) as desk:
        assert desk.face is desk.session.lock_page
        assert desk.face.restore.isVisible()
        assert desk.face._title.text() != "memdesk is locked"
        desk.face.restore.click()
        look_inside(desk, path, code).go.click()
        desk.settle()
        assert desk.face is desk.window.shell
        assert facts(desk) == {"The boat is called Petrel."}


def test_a_lost_vault_is_told_and_comes_back_with_a_backup(home, qtbot, qapp, tmp_path):
    secrets = MemorySecrets()
    path = tmp_path / "memory.memdesk-backup"
    with window(home, qtbot, qapp, secrets=secrets) as desk:
        desk.real.backup.backup(path)
        code, vault = desk.code, desk.app.paths.vault
    vault.unlink()
    with window(home, qtbot, qapp, created=False, secrets=secrets) as desk:
        assert isinstance(desk.face, StartFault)
        desk.session.show_restore()
        desk.face.back.click()
        desk.settle()
        assert isinstance(desk.face, StartFault)
        desk.session.show_restore()
        look_inside(desk, path, code).go.click()
        desk.settle()
        assert desk.face is desk.window.shell


def test_a_newcomer_with_a_backup_skips_the_first_start(home, qtbot, qapp, tmp_path):
    path = tmp_path / "memory.memdesk-backup"
    with window(home / "former", qtbot, qapp) as desk:
        desk.real.memories.add_fact(agent_id="default", content="The boat is called Petrel.")
        desk.real.backup.backup(path)
        code = desk.code
    with window(home / "new", qtbot, qapp, created=False) as desk:
        desk.face.restore.click()
        look_inside(desk, path, code).go.click()
        desk.settle()
        assert desk.face is desk.window.shell
        assert facts(desk) == {"The boat is called Petrel."}
