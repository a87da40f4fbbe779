"""The receipt of a reply: actions on its memories, and their current state."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QDesktopServices

from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.labels import Chip, Label
from memdesk.services.forgetting.forgetting import ForgetTarget


@pytest.fixture
def page(desk, qtbot, model):
    """A reply that saw one fact, with its receipt open."""
    desk.real.memories.add_fact(agent_id="default", content="The user's favourite tea is Assam.")
    page = desk.page("chat")
    page.composer.editor.setPlainText("What is my favourite tea?")
    page.composer.send()
    desk.settle()
    page.messages.last_assistant().chip.click()
    desk.settle()
    return page


def button(page, *names):
    """Return the icon button of one of these names that is there."""
    found = [
        b
        for b in page.explaining.receipt.area.findChildren(IconButton)
        if b.accessibleName() in names and b.isVisible()
    ]
    assert len(found) == 1
    return found[0]


def chips(page):
    return [chip.text() for chip in page.explaining.receipt.area.findChildren(Chip) if chip.isVisible()]


def test_pinning_shows_and_can_be_taken_back(desk, qtbot, page):
    button(page, "Pin: never fades").click()
    desk.settle()
    (item,) = page.explaining.receipt._receipt.items
    assert desk.real.memories.fact(item.id).user_pinned
    button(page, "Pinned: never fades. Unpin").click()
    desk.settle()
    assert not desk.real.memories.fact(item.id).user_pinned


def test_a_line_that_is_not_used_here_says_so_and_can_be_used_again(desk, qtbot, page):
    button(page, "Don't use this here").click()
    desk.settle()
    assert "not used here" in chips(page)
    button(page, "Use it here again").click()
    desk.settle()
    assert "not used here" not in chips(page)


def test_a_forgotten_memory_says_so_and_offers_nothing(desk, qtbot, page):
    (item,) = page.explaining.receipt._receipt.items
    desk.real.forgetting.forget(ForgetTarget(kind="fact", ids=(item.id,), agent_id="default"))
    page.explaining.show_receipt(page.messages.last_assistant().receipt_id)
    desk.settle()
    assert "gone since" in chips(page)
    assert "What was here has been forgotten." in [
        label.text() for label in page.explaining.receipt.area.findChildren(Label)
    ]
    assert not [b for b in page.explaining.receipt.area.findChildren(IconButton) if b.isVisible()]


def test_a_line_becomes_a_memory_test_with_one_click(desk, qtbot, page):
    button(page, "This should always be found").click()
    desk.settle()
    (test,) = desk.real.tests.all()
    assert (test.question, test.state) == ("What is my favourite tea?", "passed")


def test_a_passage_opens_the_file_it_is_of(desk, qtbot, model, tmp_path, monkeypatch):
    note = tmp_path / "notes" / "house.md"
    note.parent.mkdir()
    note.write_text("# House\nThe boiler is serviced in October by Mr. Silva.\n")
    desk.real.notes.add(str(note.parent), agent="default")
    desk.real.notes.sync()
    receipt = desk.real.recall.context(agent_id="default", query="Who services my boiler?", section="pinned")
    desk.settle()
    page = desk.page("chat")
    panel = page.explaining.receipt
    panel.show_receipt(receipt, desk.real.chat.receipts.state(receipt))
    assert "(house.md#L1-L2)" in " ".join(label.text() for label in panel.area.findChildren(Label))
    (link,) = [b for b in panel.area.findChildren(Button) if b.text() == "Open file"]
    opened = []
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True)
    link.click()
    desk.settle()
    assert opened == [str(note.resolve())]
    # What has gone is told, and nothing is opened.
    note.unlink()
    link.click()
    desk.settle()
    assert len(opened) == 1
    assert "house.md" in desk.window.notices.recent[-1].message
