"""Files that agents write, links and passages of notes in the window: found, read, deleted and restored."""

from __future__ import annotations

import time

import pytest
from PySide6.QtGui import QDesktopServices

from memdesk.gui.operations.kept import editor_at
from memdesk.gui.views.memory.kept import KeptTab, title_of
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.richtext import PlainBox

URL = "https://example.org/sourdough"
STARTER = "Feed the starter on Sundays.\nThe oven holds two trays.\n"


@pytest.fixture
def tab(desk, tmp_path):
    services = desk.real
    services.agents.ensure("coder")
    services.own_files.create("default", "/memories/kitchen.md", STARTER, by="laptop: Claude")
    services.own_files.create("coder", "/memories/style.md", "Tabs, never spaces.\n")
    services.items.put(
        content="How to feed a starter in summer",
        agent_id="default",
        form="link",
        metadata={"url": URL, "title": "Dough"},
    )
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "garden.md").write_text("# Beds\n\nThe tomatoes stand by the south wall.\n", encoding="utf-8")
    services.notes.add(str(notes), agent="default")
    services.notes.sync()
    found = desk.page("memory", tab="kept").findChild(KeptTab)
    desk.rest()
    return found


def titles(tab):
    return [title_of(kept) for _row, kept in tab.model.known()]


def pick(desk, tab, title):
    tab.table.selectRow(titles(tab).index(title))
    desk.rest()


def press(desk, tab, words):
    next(b for b in tab.findChildren(Button) if b.text().strip() == words and b.isVisibleTo(tab)).click()
    desk.rest()


def said(tab):
    return " ".join(label.text() for label in tab.side.findChildren(Label) if label.isVisibleTo(tab))


def test_all_of_it_is_listed_and_narrowed_by_words_kind_and_agent(desk, tab):
    assert titles(tab)[:2] == ["/memories/kitchen.md", "/memories/style.md"]
    assert set(titles(tab)[2:]) == {"Dough", "# Beds The tomatoes stand by the south wall."}
    tab.search.setText("tomatoes")
    desk.rest()
    assert titles(tab) == ["# Beds The tomatoes stand by the south wall."]
    tab.search.setText("starter")
    desk.rest()
    assert titles(tab) == ["/memories/kitchen.md", "Dough"]
    tab.kind.set_key("link")
    tab.kind.chosen.emit("link")
    desk.rest()
    assert titles(tab) == ["Dough"]
    tab.search.setText("")
    tab.kind.set_key("file")
    tab.kind.chosen.emit("file")
    desk.rest()
    desk.page("memory", tab="kept", agent_id="coder")
    desk.rest()
    assert titles(tab) == ["/memories/style.md"]
    tab.search.setText("nowhere")
    desk.rest()
    assert tab.pane.currentWidget() is tab.pane.empty


def test_a_file_says_who_wrote_it_and_comes_back_after_it_was_deleted(desk, tab):
    pick(desk, tab, "/memories/kitchen.md")
    assert tab.side.findChild(PlainBox).toPlainText() == STARTER
    assert "laptop: Claude" in said(tab)
    press(desk, tab, "Delete")
    assert "/memories/kitchen.md" not in titles(tab)
    assert tab.side.isHidden()
    assert desk.window.focusWidget() is tab.bar.undo
    assert not desk.real.own_files.all("default")
    tab.bar.undo.click()
    desk.rest()
    assert [file.text for file in desk.real.own_files.all("default")] == [STARTER]
    assert "/memories/kitchen.md" in titles(tab)


def test_a_deleted_file_leaves_neither_words_nor_name(desk, tab):
    pick(desk, tab, "/memories/kitchen.md")
    press(desk, tab, "Delete")
    store = desk.app._wiring.store
    with store.read() as repos:
        assert not [key for key in repos.meta.prefix("files:") if "kitchen" in key]
    log = desk.real.history.page(limit=200).items
    assert not [entry for entry in log if "trays" in str(entry.old) + str(entry.new)]


def test_a_link_is_opened_and_comes_back_as_it_was(desk, tab, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    pick(desk, tab, "Dough")
    press(desk, tab, "Open page")
    assert opened == [URL]
    press(desk, tab, "Delete")
    assert "Dough" not in titles(tab)
    tab.bar.undo.click()
    desk.rest()
    pick(desk, tab, "Dough")
    assert tab.kept.item.metadata == {"url": URL, "title": "Dough"}
    assert tab.kept.item.content == "How to feed a starter in summer"


def test_a_passage_leads_to_its_file_and_goes_with_it_alone(desk, tab, monkeypatch, tmp_path):
    opened = []
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True)
    pick(desk, tab, "# Beds The tomatoes stand by the south wall.")
    press(desk, tab, "Open file")
    assert opened == [str(tmp_path / "notes" / "garden.md")]
    assert not [b for b in tab.side.findChildren(Button) if b.text().strip() == "Delete"]


EDITORS = [
    ("code --wait", ["--wait", "-g", "{file}:3"]),
    ("subl", ["{file}:3"]),
    ("gvim -f", ["-f", "+3", "{file}"]),
    ("kate", ["--line", "3", "{file}"]),
]


@pytest.mark.parametrize(("editor", "told"), EDITORS)
def test_an_editor_that_takes_a_line_is_started_there(monkeypatch, tmp_path, editor, told):
    program = tmp_path / editor.split()[0]
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("VISUAL", editor)
    assert editor_at("/n/a b.md", 3) == [str(program), *(part.format(file="/n/a b.md") for part in told)]


@pytest.mark.parametrize("editor", ["", "nano", "vim", "emacs -nw", "subl", "code 'unclosed"])
def test_an_editor_in_a_terminal_or_one_that_is_not_there_is_left_to_the_system(monkeypatch, tmp_path, editor):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    assert editor_at("/n/a.md", 3) == []


def test_a_passage_is_opened_at_its_line(desk, tab, monkeypatch, tmp_path):
    started = tmp_path / "started"
    program = tmp_path / "codium"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {started}.new; mv {started}.new {started}\n')
    program.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(program))
    pick(desk, tab, "# Beds The tomatoes stand by the south wall.")
    press(desk, tab, "Open file")
    deadline = time.monotonic() + 60
    while not started.exists():
        assert time.monotonic() < deadline
        desk.settle()
    assert started.read_text().split() == ["-g", f"{tmp_path / 'notes' / 'garden.md'}:1"]
