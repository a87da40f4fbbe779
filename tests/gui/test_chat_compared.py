"""Two models side by side in the window: chosen, streaming in columns, each stopped separately, one of them kept."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from memdesk.errors import EngineCrashedError
from tests.helpers.models import QueueModel


@pytest.fixture
def models(monkeypatch):
    """Two models, by their ids; the first is the app's own."""
    from memdesk.engines.catalogue import Catalogue

    made = {name: QueueModel(f"bundled:{name}") for name in ("smollm2-135m", "larger")}
    own, info = Catalogue.all, Catalogue.info

    def larger(catalogue):
        return replace(info(catalogue, "bundled:smollm2-135m"), id="bundled:larger", name="larger")

    monkeypatch.setattr(Catalogue, "open", lambda _self, model_id: made[model_id.partition(":")[2]])
    monkeypatch.setattr(Catalogue, "all", lambda self: [*own(self), larger(self)])
    monkeypatch.setattr(
        Catalogue, "info", lambda self, key: larger(self) if key == "bundled:larger" else info(self, key)
    )
    return tuple(made.values())


@pytest.fixture
def page(desk, models):
    made = desk.page("chat")
    made.pickers.load()
    desk.settle()
    return made


def choose(desk, page, words):
    menu = page.pickers.offer_comparing(page.head.compare)
    next(action for action in menu.actions() if words in action.text()).trigger()
    menu.close()
    desk.settle()


def say(page, text):
    page.composer.editor.setPlainText(text)
    page.composer.send()


def shown(page):
    return [message.text for message in page.messages.messages]


def columns(page):
    return page.messages.messages[-1].columns


def test_typing_goes_on_in_the_editor_after_another_model_was_chosen_or_left(desk, page, models):
    page.head.compare.setFocus()
    choose(desk, page, "larger")
    assert desk.window.focusWidget() is page.composer.editor
    page.head.beside.setFocus()
    choose(desk, page, "One model")
    assert desk.window.focusWidget() is page.composer.editor


def test_two_models_answer_in_columns_and_one_of_them_is_kept(desk, page, models):
    one, two = models
    one.queue("In the shed.")
    two.queue("Behind the garage, I should think.")
    choose(desk, page, "larger")
    assert page.head.beside.text().strip() == "with larger"
    say(page, "Where is my kayak?")
    desk.settle()
    left, right = columns(page)
    assert (left.text, right.text) == ("In the shed.", "Behind the garage, I should think.")
    assert "tokens" in left._figures.text()
    left.show_receipt(left.receipt_id, 1)
    assert left.chip.text().strip() == "1 memory"
    assert left.receipt_id == right.receipt_id
    assert left.keep.isVisible()
    assert right.keep.isVisible()
    right.keep.click()
    desk.settle()
    assert shown(page) == ["Where is my kayak?", "Behind the garage, I should think."]
    versions = page.messages.messages[1].versions
    assert versions.isVisible()
    (versions.back if versions.back.isEnabled() else versions.on).click()
    desk.settle()
    assert shown(page)[1] == "In the shed."
    one.queue("Blue.")
    two.queue("Red.")
    say(page, "And its color?")
    desk.settle()
    assert [column.text for column in columns(page)] == ["Blue.", "Red."]


def test_each_is_stopped_by_itself_and_nothing_is_offered_before_both_have_ended(desk, qtbot, page, models):
    one, two = models
    one.queue("In the shed.")
    two.queue("Behind the garage, I should think.")
    two.hold = threading.Event()
    choose(desk, page, "larger")
    say(page, "Where is my kayak?")
    qtbot.waitUntil(two.holding.is_set)
    left, right = columns(page)
    qtbot.waitUntil(lambda: left.text == "In the shed." and not left.stop.isVisible())
    assert right.stop.isVisible()
    assert not left.keep.isVisible()
    right.stop.click()
    desk.settle()
    assert right.text == "Behind"
    assert "stopped" in right._figures.text()
    assert left.keep.isVisible()
    assert right.keep.isVisible()
    assert two.stopped.is_set()


def test_one_that_fails_is_asked_again_and_the_other_stays_a_version(desk, page, models):
    one, two = models
    one.queue("In the shed.")
    two.queue(EngineCrashedError("gone"))
    choose(desk, page, "larger")
    say(page, "Where is my kayak?")
    desk.settle()
    left, right = columns(page)
    assert left.keep.isVisible()
    assert not right.keep.isVisible()
    assert right.failed
    two.queue("Behind the garage.")
    next(note for note in right._notes if "again" in note.text()).click()
    desk.settle()
    assert shown(page) == ["Where is my kayak?", "Behind the garage."]
    assert page.messages.messages[1].versions.isVisible()


def test_another_chat_is_looked_at_meanwhile(desk, qtbot, page, models):
    one, two = models
    one.queue("In the shed.")
    two.queue("Behind the garage, I should think.")
    two.hold = threading.Event()
    choose(desk, page, "larger")
    say(page, "Where is my kayak?")
    qtbot.waitUntil(two.holding.is_set)
    left, _right = columns(page)
    qtbot.waitUntil(lambda: left.turn_id != "")
    here = page.model.here
    page.new_chat()
    assert not page.model.compared
    page.open_conversation(*here)
    qtbot.waitUntil(lambda: len(page.messages.messages) == 2 and hasattr(page.messages.messages[-1], "columns"))
    left, right = columns(page)
    assert left.text == "In the shed."
    qtbot.waitUntil(right.stop.isVisible)
    two.hold.set()
    desk.settle()
    assert right.text == "Behind the garage, I should think."
    left.keep.click()
    desk.settle()
    assert shown(page) == ["Where is my kayak?", "In the shed."]


def test_both_stopped_before_a_word_give_the_message_back(desk, qtbot, page, models):
    held = [threading.Event() for _ in models]
    for model, event in zip(models, held, strict=True):
        generate = model.generate

        def waiting(request, *, cancel=None, generate=generate, event=event):
            event.set()
            cancel.wait()
            yield from generate(request, cancel=cancel)

        model.generate = waiting
    choose(desk, page, "larger")
    say(page, "Where is my kayak?")
    qtbot.waitUntil(lambda: all(event.is_set() for event in held))
    page.composer.stopped.emit()
    desk.settle()
    assert shown(page) == []
    assert page.composer.editor.toPlainText() == "Where is my kayak?"


def test_narrow_columns_stand_below_each_other(desk, page, models):
    choose(desk, page, "larger")
    say(page, "Where is my kayak?")
    desk.settle()
    left, right = columns(page)
    assert left.y() == right.y()
    desk.window.resize(560, 600)
    desk.settle()
    assert left.y() < right.y()


def test_a_temporary_chat_has_one_model(desk, page, models):
    page.new_chat(temporary=True)
    desk.settle()
    assert not page.head.compare.isVisible()
