"""The tests tab: failures first with what changed, rerun, add and delete."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLineEdit

from memdesk.gui.views.memory.memory_tests import MemoryTestsTab
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.ports import FactFilter
from tests.helpers import dialogs


@pytest.fixture
def tab(full):
    found = full.page("memory", tab="tests").findChild(MemoryTestsTab)
    full.rest()
    return found


def press(full, where, text):
    next(b for b in where.findChildren(Button) if b.text().strip() == text and b.isVisibleTo(where)).click()
    full.rest()


def chips(tab):
    return [chip.text() for chip in tab.findChildren(Chip) if chip.text() in {"found", "not found"}]


def test_a_test_is_added_turns_red_with_its_reason_and_is_dropped(full, tab):
    press(full, tab, "Add a test")
    dialog = dialogs.shown(full)
    question, wanted = dialog.findChildren(QLineEdit)
    question.setText("Is anybody allergic to peanuts?")
    wanted.setText("allergic to peanuts")
    press(full, dialog, "Add")
    assert chips(tab) == ["found"]
    assert tab.summary.text() == "All of them are found."
    for line in full.real.memories.identity():
        full.real.memories.edit_identity(line.id, status="disabled")
    told = full.real.memories.facts(FactFilter(query="peanuts")).items
    full.real.memories.set_status([fact.id for fact in told], "disabled")
    press(full, tab, "Run all")
    assert full.real.tests.all()[0].state == "failed"
    assert chips(tab) == ["not found"]
    assert tab.summary.text() == "1 is not found."
    reasons = [label.text() for label in tab.findChildren(Label)]
    assert any(reason in reasons for reason in full.real.tests.all()[0].reasons)
    press(full, tab, "Remove")
    assert chips(tab) == []
