"""Tab order in a conversation: that of its messages, whichever was created first."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt

from tests.helpers.exchange import exchange

ANSWER = "Two of them:\n\n```py\nprint('honk')\n```\n\nThat is all."


def tabbed(desk, qtbot, page):
    """Return what has the focus after each press of Tab, from the messages on to the editor."""
    qtbot.waitUntil(lambda: not any(message.growing for message in page.messages.messages))
    page.messages.setFocus()
    found = [page.messages]
    while found[-1] is not page.composer.editor:
        qtbot.keyClick(found[-1], Qt.Key.Key_Tab)
        found.append(desk.window.focusWidget())
        assert len(found) < 60
    return found[1:-1]


def test_tab_goes_down_a_conversation_and_on_to_the_editor(desk, qtbot):
    for number in range(3):
        exchange(
            desk.real.ingest, agent_id="default", conversation_id="c", user=f"Question {number}?", assistant=ANSWER
        )
    page = desk.page("chat", agent_id="default", conversation_id="c")
    qtbot.waitUntil(lambda: len(page.messages.messages) == 6)
    stops = tabbed(desk, qtbot, page)
    middles = [stop.mapTo(page.messages, QPoint(0, 0)).y() + stop.height() // 2 for stop in stops]
    assert middles == sorted(middles)
    assert [stop.accessibleName() for stop in stops].count("Copy code") == 3
    # And on, not round and round.
    while page.composer.isAncestorOf(desk.window.focusWidget()):
        qtbot.keyClick(desk.window.focusWidget(), Qt.Key.Key_Tab)
    assert not page.messages.isAncestorOf(desk.window.focusWidget())


def test_thinking_comes_before_the_answer(desk, qtbot, model):
    model.queue("<think>Hm.</think>Yes.")
    page = desk.page("chat")
    page.composer.editor.setPlainText("Well?")
    page.composer.send()
    desk.settle()
    reply = page.messages.last_assistant()
    reply.thinking.fold.click()
    qtbot.waitUntil(lambda: reply.thinking.box is not None and reply.thinking.box.isVisible())
    stops = tabbed(desk, qtbot, page)
    first = stops.index(reply.thinking.fold)
    row = [reply.thinking.box, reply.views()[0], reply.chip, reply._copy, reply._again, reply._branch]
    assert stops[first + 1 :] == row
