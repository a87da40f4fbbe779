"""Every page for everyone: names for screen readers, keys for everything, no text cut at 200 %."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale, Qt, QTranslator
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSlider,
    QTextEdit,
    QWidget,
)

from memdesk.gui.i18n import install
from memdesk.gui.widgets.labels import ElidedLabel
from tests.helpers.demo import fill, give_receipt
from tests.helpers.scenes import MEMORY_TABS, PAGES, SETTINGS
from tests.helpers.window import window

CONTROLS = (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QSlider,
    QTextEdit,
)


def open_window(home, qtbot, qapp, **options):
    """The demo profile in a window; its model is the one of the fixture."""
    return window(home, qtbot, qapp, **options)


def rest(desk):
    """Let what is made bit by bit be there."""
    desk.settle()
    desk.qtbot.wait(250)
    desk.settle()


def walk(desk, talks, facts):
    """Show page after page and yield its name once it is filled."""
    receipt = give_receipt(desk.app, talks, facts)
    page = desk.page("chat", agent_id="default", conversation_id="demo-0")
    rest(desk)
    yield "chat"
    page.show_receipt(receipt.id)
    rest(desk)
    yield "chat with receipt"
    for tab in MEMORY_TABS:
        desk.page("memory", tab=tab)
        rest(desk)
        yield f"memory {tab}"
    desk.page("memory", fact_id=facts[1].id)
    rest(desk)
    yield "fact"
    entity = desk.real.memories.entities(agent_id="default").items[0]
    desk.page("memory", entity_id=entity.id)
    rest(desk)
    yield "name"
    desk.page("memory", tab="preview", query="What should I cook for Marta?")
    rest(desk)
    yield "context"
    desk.page("consolidation", preview=True)
    rest(desk)
    yield "consolidation preview"
    for name in PAGES:
        desk.page(name)
        rest(desk)
        yield name
    for section in SETTINGS:
        desk.page("settings", section=section)
        rest(desk)
        yield f"settings {section}"


def first_steps(desk):
    """Show the four steps of the first start and yield their titles."""
    wizard = desk.face
    for number in range(4):
        rest(desk)
        yield f"first start {number + 1}"
        wizard.go_on()


def seen(desk, kinds):
    return [widget for widget in desk.window.findChildren(QWidget) if isinstance(widget, kinds) and widget.isVisible()]


def inner(widget):
    """Whether a widget is a part of a control of Qt's own, named by that control."""
    parent = widget.parentWidget()
    return (
        widget.objectName().startswith("qt_")
        or isinstance(widget, QHeaderView)
        or isinstance(parent, (QAbstractSpinBox, QComboBox, QLineEdit))
    )


def named(widget):
    if widget.accessibleName().strip():
        return True
    return isinstance(widget, QAbstractButton) and bool(widget.text().strip())


@pytest.fixture
def quiet(monkeypatch):
    """The demo profile is filled on the main thread, which the guard of the services would refuse."""
    from tests.helpers.window import Guarded

    monkeypatch.setattr(Guarded, "armed", False)


def test_every_control_has_a_name_and_every_page_a_way_by_keyboard(home, qtbot, qapp, model, quiet):
    with open_window(home, qtbot, qapp) as desk:
        talks, facts = fill(desk.app)
        faults = [f"{page}: {fault}" for page in walk(desk, talks, facts) for fault in shut_out(desk)]
    assert not faults, "\n".join(sorted(set(faults)))


def test_the_first_start_is_open_to_everyone(home, qtbot, qapp, model):
    with open_window(home, qtbot, qapp, created=False, scale=200, size=(1320, 860)) as desk:
        faults = [f"{step}: {fault}" for step in first_steps(desk) for fault in (*shut_out(desk), *cut_texts(desk))]
    assert not faults, "\n".join(sorted(set(faults)))


def shut_out(desk):
    """Describe controls that a screen reader cannot name or that Tab never comes to."""
    for widget in seen(desk, CONTROLS):
        if inner(widget):
            continue
        if not named(widget):
            yield f"{describe(widget)}: no name"
        if widget.isEnabled() and isinstance(widget, QAbstractButton) and unreachable(widget):
            yield f"{describe(widget)}: out of reach of Tab"


def unreachable(button):
    """Whether Tab never comes to a button. Of a group of radio buttons Tab comes to one, arrows to the others."""
    return not button.focusPolicy() & Qt.FocusPolicy.TabFocus


def describe(widget):
    words = widget.text() if hasattr(widget, "text") else ""
    up = []
    parent = widget.parentWidget()
    while parent is not None and len(up) < 3:
        up.append(type(parent).__name__)
        parent = parent.parentWidget()
    return f"{type(widget).__name__} {words!r} {widget.accessibleName()!r} in {' in '.join(up)}"


def test_tab_walks_down_the_settings(home, qtbot, qapp, model):
    """The order of focus is the order of reading: each next option lies below or right of the one before."""
    with open_window(home, qtbot, qapp) as desk:
        page = desk.page("settings", section="engine")
        places, widget = [], page.search.nextInFocusChain()
        while widget is not page.search:
            stops = widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            if stops and page.stack.isAncestorOf(widget) and not isinstance(widget, QScrollArea):
                places.append(widget.mapTo(page.stack, widget.rect().center()).y())
            widget = widget.nextInFocusChain()
        assert len(places) >= 8
        assert places == sorted(places)


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_text_is_cut_at_twice_the_size(home, qtbot, qapp, model, quiet, language):
    before = QLocale()
    install(qapp, language)
    try:
        with open_window(home, qtbot, qapp, scale=200, size=(1320, 860)) as desk:
            talks, facts = fill(desk.app)
            cut = [f"{page}: {words}" for page in walk(desk, talks, facts) for words in cut_texts(desk)]
        assert not cut, "\n".join(sorted(set(cut)))
    finally:
        for translator in qapp.findChildren(QTranslator):
            qapp.removeTranslator(translator)
            translator.deleteLater()
        QLocale.setDefault(before)


def cut_texts(desk):
    """Describe labels and buttons that are smaller than their text, or that lie partly out of reach at the side."""
    for widget in seen(desk, (QLabel, QAbstractButton)):
        if isinstance(widget, ElidedLabel) or not widget.text().strip() or widget.visibleRegion().isEmpty():
            continue
        room, need = widget.size(), wanted(widget)
        if room.width() < need.width() or room.height() < need.height():
            yield f"{describe(widget)}: {room.toTuple()} of {need.toTuple()}"
        elif sticks_out(widget):
            yield f"{describe(widget)}: sticks out"


def wanted(widget):
    hint = widget.sizeHint()
    if isinstance(widget, QLabel) and widget.wordWrap():
        hint.setWidth(0)
        hint.setHeight(widget.heightForWidth(widget.width()))
    return hint


def sticks_out(widget):
    """Whether a widget goes past the side of what shows it, where no one can scroll sideways."""
    parent = widget.parentWidget()
    while parent is not None and not isinstance(parent.parentWidget(), QScrollArea):
        if parent.isWindow():
            return False
        parent = parent.parentWidget()
    if parent is None or parent.isWindow():
        return False
    right = widget.mapTo(parent, widget.rect().topRight()).x()
    return right > parent.width()
