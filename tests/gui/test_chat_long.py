"""Long conversations, long answers, long messages: what is out of view is not rendered, and nothing jumps."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QPoint

from memdesk.gui.rich import code_lines
from memdesk.gui.widgets.code import CodeBlock
from memdesk.gui.widgets.richtext import syntax_colors
from memdesk.services.recording.ingest import IngestTurn

LONG = "\n\n".join(f"Paragraph {n} " + "lorem ipsum dolor sit amet " * 16 for n in range(30))


@pytest.fixture
def talk(desk):
    """A conversation of 240 messages."""
    turns = [IngestTurn(user=f"Question {n}", assistant=f"Answer {n}\n\n" + "word " * 80) for n in range(120)]
    desk.real.ingest.ingest(agent_id="default", conversation_id="long", turns=turns, skip_extraction=True)
    return desk.real.conversations.turns("default", "long")


def still(page, qtbot):
    """Wait until all that is near is made."""
    thread = page.messages
    qtbot.waitUntil(lambda: thread.messages and not thread._fill_timer.isActive() and thread._held is None)
    qtbot.wait(30)


def top_of(page, message):
    return message.mapTo(page.messages.viewport(), QPoint(0, 0)).y()


def test_a_reply_without_a_receipt_can_be_copied(desk, qtbot, talk):
    page = desk.page("chat", agent_id="default", conversation_id="long")
    still(page, qtbot)
    reply = page.messages.messages[-1]
    assert not reply.receipt_id
    assert reply._copy.isVisible()


def test_going_far_up_makes_what_is_there_and_puts_the_rest_away(desk, qtbot, talk):
    page = desk.page("chat", agent_id="default", conversation_id="long")
    still(page, qtbot)
    assert page.messages.messages[-1].text.startswith("Answer 119")
    page.open_conversation("default", "long", talk[0].id)
    desk.settle()
    still(page, qtbot)
    thread = page.messages
    assert thread.messages[0].text == "Question 0"
    assert len(thread.messages) < 40
    assert -5 < top_of(page, thread.messages[0]) < 120
    assert thread.last_assistant() is None
    thread.to_end()
    still(page, qtbot)
    assert thread.last_assistant().text.startswith("Answer 119")
    assert len(thread.messages) < 40
    assert thread._bar.value() == thread._bar.maximum()


def test_a_message_in_the_middle_stays_in_its_place_while_those_around_it_come(desk, qtbot, talk):
    page = desk.page("chat", agent_id="default", conversation_id="long", turn_id=talk[100].id)
    still(page, qtbot)
    message = page.messages.find_turn(talk[100].id)
    assert message.text == "Question 50"
    assert 0 <= top_of(page, message) < 120


def test_every_message_can_be_reached_by_scrolling(desk, qtbot, talk):
    page = desk.page("chat", agent_id="default", conversation_id="long", turn_id=talk[0].id)
    still(page, qtbot)
    qtbot.wait(800)  # it has arrived
    thread, seen, most = page.messages, set(), 0
    for _ in range(400):
        seen.update(message.turn_id for message in thread.messages)
        most = max(most, len(thread.messages))
        if not thread._later and thread._bar.value() >= thread._bar.maximum():
            break
        thread._bar.setValue(thread._bar.value() + thread._bar.pageStep())
        still(page, qtbot)
    assert seen == {turn.id for turn in talk}
    assert most < 60


def test_a_message_sent_while_one_reads_far_up_is_seen(desk, qtbot, talk, model):
    page = desk.page("chat", agent_id="default", conversation_id="long", turn_id=talk[0].id)
    still(page, qtbot)
    page.composer.editor.setPlainText("And now?")
    page.composer.send()
    desk.settle()
    still(page, qtbot)
    assert [m.text for m in page.messages.messages][-2:] == ["And now?", "All right, noted."]
    assert [m.text for m in page.messages.messages][-3].startswith("Answer 119")
    page.open_conversation("default", "long", talk[0].id)
    desk.settle()
    still(page, qtbot)
    page.messages.to_end()
    still(page, qtbot)
    assert [m.text for m in page.messages.messages][-2:] == ["And now?", "All right, noted."]


def answer_held(desk, qtbot, model, after):
    """Ask for :data:`LONG`, of which the model holds back what comes after so many words; return the page."""
    model.hold, model.hold_after = threading.Event(), after
    model.queue(LONG)
    page = desk.page("chat")
    page.composer.editor.setPlainText("Tell me all")
    page.composer.send()
    qtbot.waitUntil(model.holding.is_set)
    return page


def test_the_view_follows_an_answer_only_while_its_end_is_seen(desk, qtbot, model):
    page = answer_held(desk, qtbot, model, 1500)
    thread = page.messages
    qtbot.waitUntil(lambda: thread._bar.maximum() > 300 and thread._bar.value() == thread._bar.maximum())
    thread._bar.setValue(100)
    model.hold.set()
    desk.settle()
    still(page, qtbot)
    assert thread._bar.value() == 100
    assert thread._down.isVisible()
    thread._down.click()
    assert thread._bar.value() == thread._bar.maximum()


def test_words_stay_where_they_are_when_the_scroll_bar_comes(desk, qtbot, model):
    page = answer_held(desk, qtbot, model, 60)
    reply = page.messages.last_assistant()
    qtbot.waitUntil(lambda: bool(reply.views()))
    bar, view = page.messages._bar, reply.views()[0]
    assert bar.maximum() == 0
    assert not bar.isEnabled()
    before = view.mapTo(page, QPoint(0, 0)).x(), view.width()
    assert before == (page.composer.mapTo(page, QPoint(0, 0)).x(), page.composer.width())
    model.hold.set()
    desk.settle()
    still(page, qtbot)
    assert bar.isEnabled()
    assert (view.mapTo(page, QPoint(0, 0)).x(), view.width()) == before


def test_a_long_message_is_folded_and_can_be_read_whole(desk, qtbot, model):
    text = "a line of what was pasted\n" * 4000
    page = desk.page("chat")
    page.composer.editor.setPlainText(text)
    page.composer.send()
    desk.settle()
    user = page.messages.messages[0]
    assert user.height() < 600
    assert len(user.view.toPlainText()) < 2000
    user._unfold.click()
    assert user._box_of_all.toPlainText() == text.strip()
    user._unfold.click()
    assert user.view.isVisibleTo(page)
    assert user.text == text.strip()


def lines_of(view):
    line = view.document().firstBlock()
    while line.isValid():
        yield line
        line = line.next()


def colored(view):
    """What has a color of its own, line by line."""
    return [
        [line.text().encode("utf-16-le")[2 * r.start : 2 * (r.start + r.length)].decode("utf-16-le") for r in ranges]
        for line in lines_of(view)
        if (ranges := line.layout().formats())
    ]


def test_code_that_grows_is_colored_and_is_what_was_sent(desk, qtbot):
    block = CodeBlock()
    qtbot.addWidget(block)
    block.resize(400, 300)
    block.show()
    source = "\n".join(f"def f{n}(): return '🙂'  # {n}" for n in range(130))
    for end in (*range(0, len(source), 211), len(source)):
        block.show_code(source[:end], "python", code_lines(source[:end], "python", syntax_colors()))
        qtbot.waitUntil(lambda: not block.view.growing)
        assert block.view.toPlainText() == source[:end]
    assert colored(block.view) == [["def", f"f{n}", "return", "'🙂'", f"# {n}"] for n in range(130)]
    assert block.view.horizontalScrollBar().maximum() == 0 or block.view.height() > sum(
        block.view.blockBoundingRect(line).height() for line in lines_of(block.view)
    )


def test_words_that_were_searched_for_are_marked_in_code_as_well(desk, qtbot, talk):
    source = "\n".join(f"value_{n} = {n}" for n in range(300))
    turns = [IngestTurn(user="Code, please", assistant=f"Here:\n\n```python\n{source}\n```")]
    desk.real.ingest.ingest(agent_id="default", conversation_id="code", turns=turns, skip_extraction=True)
    answer = desk.real.conversations.turns("default", "code")[1]
    page = desk.page("chat")
    page.open_conversation("default", "code", answer.id, words=("value_250",))
    desk.settle()
    still(page, qtbot)
    (block,) = page.messages.last_assistant().findChildren(CodeBlock)
    qtbot.waitUntil(lambda: [s.cursor.selectedText() for s in block.view.extraSelections()] == ["value_250"])
    seen = page.messages.viewport().rect()
    (selection,) = block.view.extraSelections()
    spot = block.view.viewport().mapTo(page.messages.viewport(), block.view.cursorRect(selection.cursor).center())
    qtbot.waitUntil(
        lambda: (
            seen.contains(spot)
            or seen.contains(
                block.view.viewport().mapTo(page.messages.viewport(), block.view.cursorRect(selection.cursor).center())
            )
        )
    )


@pytest.mark.parametrize("fence", ["python", ""])
def test_much_code_at_once_never_stalls_the_window(desk, qtbot, model, watched, fence):
    source = "\n".join(f"def value_{n}(a, b): return str({n}) + 'text'  # number {n}" for n in range(1400))
    model.queue(f"Here:\n\n```{fence}\n{source}\n```\n\nDone.")
    page = desk.page("chat")
    page.composer.editor.setPlainText("Code, please")
    watched.reset()
    page.composer.send()
    desk.settle()
    reply = page.messages.last_assistant()
    qtbot.waitUntil(lambda: not reply.growing)
    assert watched.slow == []


ENDLESS = {
    "paragraph": "A longer sentence with **marks** in it. " * 700,
    "lines": "A line with **marks** and no blank one behind it\n" * 500,
    "quote": "> A line of a quote with `code` in it\n" * 600,
    "list": "- An item with **marks** in it\n" * 700,
    "table": "| n | name | what |\n|---:|---|---|\n" + "| 1 | **two** | three words here |\n" * 500,
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_prose_without_an_end_never_stalls_the_window(desk, qtbot, model, watched, kind):
    model.queue(ENDLESS[kind])
    page = desk.page("chat")
    page.composer.editor.setPlainText("On and on")
    watched.reset()
    page.composer.send()
    desk.settle()
    reply = page.messages.last_assistant()
    qtbot.waitUntil(lambda: not reply.growing)
    assert watched.slow == []
    shown = "".join(view.toPlainText() for view in reply.views())
    word = {"list": "item", "table": "three"}.get(kind, "A ")
    assert shown.count(word) == ENDLESS[kind].count(word)


def test_long_code_is_shown_whole_in_one_block(desk, qtbot, model):
    source = "\n".join(f"value_{n} = {n}" for n in range(500))
    model.queue(f"Here:\n\n```python\n{source}\n```\n\nDone.")
    page = desk.page("chat")
    page.composer.editor.setPlainText("Code, please")
    page.composer.send()
    desk.settle()
    reply = page.messages.last_assistant()
    qtbot.waitUntil(lambda: not reply.growing)
    (block,) = reply.findChildren(CodeBlock)
    assert block.view.toPlainText() == source
    lines = [block.view.blockBoundingRect(line).height() for line in lines_of(block.view)]
    assert sum(lines) < block.view.height() < sum(lines) + 3
    assert block.view.verticalScrollBar().maximum() == 0
