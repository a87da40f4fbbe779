from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from memdesk.gui.i18n import chosen_language, install
from memdesk.settings.resources import resources_root

#: Named and numbered places; the count (%n) may be left out of a singular.
PLACES = re.compile(r"\{\w*\}|%\d")


@pytest.fixture
def german(qapp):
    assert install(qapp, "de") == "de"


def messages(language):
    root = ET.parse(resources_root() / "translations" / f"memdesk_{language}.ts").getroot()
    return list(root.iter("message"))


def test_english_has_all_its_plurals():
    for message in messages("en"):
        translation = message.find("translation")
        assert translation.get("type") != "unfinished", message.find("source").text
        assert all(form.text for form in translation.iter("numerusform"))


def forms(message):
    translation = message.find("translation")
    return [form.text for form in translation.iter("numerusform")] if message.get("numerus") else [translation.text]


def test_german_is_complete(tmp_path):
    """Every text of the sources as they are now, also those that nobody has put into the file yet."""
    root = resources_root().parent
    found = subprocess.run(
        [sys.executable, "packaging/texts.py"], cwd=root, check=True, capture_output=True, text=True
    ).stdout
    said = tmp_path / "texts.py"
    said.write_text(found, encoding="utf-8")
    fresh = tmp_path / "memdesk_de.ts"
    shutil.copy(resources_root() / "translations" / "memdesk_de.ts", fresh)
    files = sorted(str(path) for path in (root / "memdesk" / "gui").rglob("*.py"))
    tool = Path(sys.executable).with_name("pyside6-lupdate")
    subprocess.run(
        [str(tool), *files, str(said), "-ts", str(fresh), "-locations", "none", "-no-obsolete"],
        check=True,
        capture_output=True,
    )
    open_ones = [
        message.find("source").text
        for message in ET.parse(fresh).getroot().iter("message")
        if message.find("translation").get("type") == "unfinished" or not all(forms(message))
    ]
    assert open_ones == [], "translate these in memdesk_de.ts, after `poe translations`"


def test_no_text_hides_in_an_f_string():
    """Qt Linguist does not look into f-strings, so a text in one is never translated."""
    hidden = [
        f"{path.name}:{call.lineno}"
        for path in (resources_root().parent / "memdesk" / "gui").rglob("*.py")
        for joined in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(joined, ast.JoinedStr)
        for call in ast.walk(joined)
        if isinstance(call, ast.Call) and getattr(call.func, "attr", getattr(call.func, "id", "")) == "tr"
    ]
    assert hidden == []


def test_no_class_with_plurals_has_a_subclass():
    """A subclass's ``tr`` takes the filled-in source for a translation: "1 memories", in every language."""
    classes = [
        node
        for path in sorted((resources_root().parent / "memdesk" / "gui").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    ]
    bases = {ast.unparse(base).partition("[")[0].rpartition(".")[2] for node in classes for base in node.bases}
    calls = ((node.name, call) for node in classes for call in ast.walk(node) if isinstance(call, ast.Call))
    plurals = {name for name, call in calls if ast.unparse(call.func) == "self.tr" and len(call.args) == 3}
    assert plurals
    assert plurals & bases == set()


def test_placeholders_are_kept():
    for message in messages("de"):
        source = message.find("source").text
        for target in forms(message):
            assert sorted(PLACES.findall(source)) == sorted(PLACES.findall(target)), source
            assert source.count("&&") == target.count("&&"), source
            assert source[:1].isspace() == target[:1].isspace(), source


def test_plurals_have_both_forms():
    for message in messages("de"):
        if message.get("numerus"):
            one, many = forms(message)
            assert "%Ln" in many, message.find("source").text  # grouped as the language does it
            assert one, message.find("source").text


def test_the_window_speaks_german(german, desk, qtbot, model):
    from memdesk.gui.words import ago

    now = desk.real.clock.now()
    from datetime import timedelta

    assert desk.window.sidebar.buttons["settings"].accessibleName() == "Einstellungen"
    assert ago(now - timedelta(days=3), now) == "vor 3 Tagen"
    assert ago(now - timedelta(days=1), now) == "vor einem Tag"
    page = desk.page("chat")
    page.composer.editor.setPlainText("Hallo")
    page.composer.send()
    desk.settle()
    assert page.messages.last_assistant().chip.text().strip() == "keine Erinnerung benutzt"


def shown(window):
    """Return all texts of a window: those that are read, pointed at and spoken."""
    from PySide6.QtWidgets import QComboBox, QWidget

    for widget in window.findChildren(QWidget):
        for name in ("text", "placeholderText", "title", "toolTip", "accessibleName", "accessibleDescription"):
            said = getattr(widget, name, None)
            if callable(said):
                yield said()
        if isinstance(widget, QComboBox):
            yield from (widget.itemText(at) for at in range(widget.count()))
        for action in widget.actions():
            yield from (action.text(), action.toolTip())


def test_no_page_of_the_german_window_says_a_sentence_in_english(german, desk, model):
    english = {
        message.find("source").text
        for message in messages("de")
        if message.find("source").text not in forms(message) and not PLACES.search(message.find("source").text)
    }
    agent = desk.real.agents.get("default")
    theirs = {agent.name, agent.description, agent.system_prompt}
    for page in ("chat", "memory", "consolidation", "agents", "models", "diagnostics"):
        desk.page(page)
    for tab in ("identity", "facts", "episodes", "transcript", "entities", "review", "activity", "preview"):
        desk.page("memory", tab=tab)
    for section in ("memory", "engine", "server", "appearance", "privacy"):
        desk.page("settings", section=section)
    found = {words.replace("&", "").strip() for words in shown(desk.window)} - theirs
    assert found & english == set()
    assert {"Einstellungen", "Gedächtnis", "Fakten", "Neuer Chat"} <= found


def test_languages_fall_back_to_english():
    assert chosen_language("de") == "de"
    assert chosen_language("system") in {"en", "de"}


def test_a_window_outlives_an_update_of_its_texts(tmp_path):
    """In a process of its own, which it would end."""
    shutil.copytree(resources_root() / "translations", tmp_path / "translations")
    code = f"""
import os, pathlib, sys
from PySide6.QtWidgets import QApplication
from memdesk.gui import i18n
folder = pathlib.Path({str(tmp_path)!r})
i18n.resources_root = lambda: folder
app = QApplication([])
i18n.install(app, "de")
(folder / "translations" / "memdesk_de.qm").write_bytes(b"")
print(app.translate("memory", "People && things"))
"""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "Personen && Dinge")
