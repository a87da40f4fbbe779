"""Keyboard focus survives when part of a page is rebuilt: on the same control, or its replacement."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from memdesk.domain.models import FactKind
from memdesk.gui.views.memory.editing import FactDialog
from memdesk.gui.views.memory.fact_panel import FactPanel
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.layout import clear, column, row


@pytest.fixture
def part(theme):
    """A window with a part that is made anew, between two buttons that are not."""
    window, part = QWidget(), QWidget()
    part.setLayout(column())
    window.setLayout(column(Button("Before"), part, Button("After")))
    window.show()
    yield part
    window.close()


def fill(part, *names):
    for name in names:
        part.layout().addLayout(row(Button(name), None))


def words(widget):
    return widget.window().focusWidget().text()


def hold(part, qtbot, name):
    button = next(button for button in part.findChildren(Button) if button.text() == name)
    qtbot.waitUntil(button.isVisible)
    button.setFocus()


@pytest.mark.parametrize(
    ("then", "found"),
    [
        (("Add", "Edit", "Pin"), "Pin"),  # of the same name, wherever it stands now
        (("Edit", "Unpin", "Forget"), "Unpin"),  # under another name
        (("Edit",), "Edit"),  # the last of fewer
        (("New", "Add", "Edit", "Unpin", "Forget"), "Unpin"),  # behind what stands before it, wherever that is
    ],
)
def test_the_focus_goes_to_what_stands_in_its_place(part, qtbot, then, found):
    fill(part, "Edit", "Pin", "Forget")
    hold(part, qtbot, "Pin")
    clear(part.layout())
    fill(part, *then)
    qtbot.waitUntil(lambda: isinstance(part.window().focusWidget(), Button) and words(part) == found)


def test_what_comes_in_slices_is_waited_for(part, qtbot):
    fill(part, "Edit", "Pin", "Forget")
    hold(part, qtbot, "Forget")
    clear(part.layout())
    fill(part, "Edit")
    QTimer.singleShot(80, part, lambda: fill(part, "Pin", "Forget"))
    qtbot.waitUntil(lambda: isinstance(part.window().focusWidget(), Button))
    assert words(part) == "Forget"


def test_focus_moved_elsewhere_meanwhile_stays_there(part, qtbot):
    fill(part, "Edit", "Pin")
    hold(part, qtbot, "Pin")
    clear(part.layout())
    fill(part, "Edit", "Pin")
    after = part.window().layout().itemAt(2).widget()
    after.setFocus()
    qtbot.wait(50)
    assert part.window().focusWidget() is after


def test_a_fact_is_edited_and_pinned_without_losing_the_place(desk, qtbot):
    fact = desk.real.memories.add_fact(agent_id="default", content="The user keeps bees.", kind=FactKind.PREFERENCE)
    desk.page("memory", fact_id=fact.id)
    (panel,) = desk.window.findChildren(FactPanel)
    edit = next(b for b in panel.findChildren(Button) if b.text().strip() == "Edit")
    edit.setFocus()
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    dialog = desk.window.findChild(FactDialog)
    text = dialog.findChild(QPlainTextEdit)
    text.setPlainText("The user keeps two hives of bees.")
    qtbot.keyClick(text, Qt.Key.Key_Return)
    desk.settle()
    qtbot.waitUntil(lambda: isinstance(desk.window.focusWidget(), Button) and words(panel).strip() == "Edit")
    assert panel.isAncestorOf(desk.window.focusWidget())
    pin = next(b for b in panel.findChildren(Button) if b.text().strip() == "Pin")
    pin.setFocus()
    qtbot.keyClick(pin, Qt.Key.Key_Space)
    desk.settle()
    qtbot.waitUntil(lambda: isinstance(desk.window.focusWidget(), Button) and words(panel).strip() == "Unpin")
