from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from memdesk.gui.i18n import chosen_language, install
from memdesk.settings.resources import resources_root


@pytest.fixture
def german(qapp):
    from PySide6.QtCore import QLocale, QTranslator

    before = QLocale()
    assert install(qapp, "de") == "de"
    yield
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(before)


def messages(language):
    root = ET.parse(resources_root() / "translations" / f"memdesk_{language}.ts").getroot()
    return list(root.iter("message"))


def test_english_has_all_its_plurals():
    for message in messages("en"):
        translation = message.find("translation")
        assert translation.get("type") != "unfinished", message.find("source").text
        assert all(form.text for form in translation.iter("numerusform"))


def test_placeholders_are_kept():
    import re

    for message in messages("de"):
        source, target = message.find("source").text, message.find("translation").text
        if target:
            assert sorted(re.findall(r"\{\w+\}", source)) == sorted(re.findall(r"\{\w+\}", target)), source


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


def test_languages_fall_back_to_english():
    assert chosen_language("de") == "de"
    assert chosen_language("system") in {"en", "de"}
