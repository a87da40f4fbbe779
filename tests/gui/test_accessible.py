"""Accessibility of every page: names for screen readers, keyboard access, no text cut off at 200 %."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
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

from memdesk.errors import EnvironmentFault
from memdesk.gui.i18n import install
from memdesk.gui.widgets.labels import ElidedLabel, Label
from memdesk.gui.widgets.tab_order import stops
from tests.helpers import dialogs
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


#: Where a dialog begins that has something to fill in.
FIRST = (QLineEdit, QPlainTextEdit, QComboBox)


def open_window(home, qtbot, qapp, **options):
    """The demo profile in a window; its model is the one of the fixture."""
    return window(home, qtbot, qapp, **options)


def walk(desk, talks, facts):
    """Show page after page and yield its name once it is filled."""
    receipt = give_receipt(desk.app, talks, facts)
    page = desk.page("chat", agent_id="default", conversation_id="demo-0")
    desk.rest()
    yield "chat"
    page.explaining.show_receipt(receipt.id)
    desk.rest()
    yield "chat with receipt"
    for tab in MEMORY_TABS:
        desk.page("memory", tab=tab)
        desk.rest()
        yield f"memory {tab}"
    desk.page("memory", fact_id=facts[1].id)
    desk.rest()
    yield "fact"
    entity = desk.real.memories.entities(agent_id="default").items[0]
    desk.page("memory", entity_id=entity.id)
    desk.rest()
    yield "name"
    desk.page("memory", tab="preview", query="What should I cook for Marta?")
    desk.rest()
    yield "context"
    desk.page("consolidation", preview=True)
    desk.rest()
    yield "consolidation preview"
    for name in PAGES:
        desk.page(name)
        desk.rest()
        yield name
    for section in SETTINGS:
        desk.page("settings", section=section)
        desk.rest()
        yield f"settings {section}"


def first_steps(desk):
    """Show the four steps of the first start and yield their titles."""
    wizard = desk.face
    for number in range(4):
        desk.rest()
        yield f"first start {number + 1}"
        wizard.go_on()


def seen(root, kinds):
    return [widget for widget in root.findChildren(QWidget) if isinstance(widget, kinds) and widget.isVisible()]


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
    """Tab goes through each page as it is read: sidebar, page from its head on, status bar."""
    with open_window(home, qtbot, qapp) as desk:
        talks, facts = fill(desk.app)
        faults = []
        for page in walk(desk, talks, facts):
            faults += [f"{page}: {fault}" for fault in shut_out(desk.window)]
            desk.window.focusNextPrevChild(True)
            parts = [desk.window.sidebar, desk.window.host.currentWidget(), desk.window.status]
            faults += [f"{page}: {fault}" for part in parts for fault in out_of_order(part, desk.window.sidebar)]
            faults += [f"{page}: {fault}" for fault in mixed(parts)]
    assert not faults, "\n".join(sorted(set(faults)))


def test_the_first_start_is_open_to_everyone(home, qtbot, qapp, model, language):
    with open_window(home, qtbot, qapp, created=False, scale=200, size=(1320, 860)) as desk:
        faults = []
        for step in first_steps(desk):
            desk.window.focusNextPrevChild(True)
            faults += [f"{step}: {fault}" for fault in faults_of(desk.window)]
    assert not faults, "\n".join(sorted(set(faults)))


def faults_of(root):
    return (*shut_out(root), *cut_texts(root), *too_wide(root), *out_of_order(root))


def too_wide(root):
    """Describe columns whose parts reach beyond their right edge, where nobody can scroll to."""
    for area in seen(root, QScrollArea):
        fixed = area.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if fixed and area.widget() is not None and area.widget().width() > area.viewport().width():
            wide = f"{area.widget().width()} px in {area.viewport().width()}"
            yield f"{describe(area)}: {wide}"


def shut_out(root):
    """Describe controls that a screen reader cannot name or that Tab never comes to."""
    for widget in seen(root, CONTROLS):
        if inner(widget):
            continue
        if not named(widget):
            yield f"{describe(widget)}: no name"
        if widget.isEnabled() and isinstance(widget, QAbstractButton) and unreachable(widget):
            yield f"{describe(widget)}: out of reach of Tab"


def unreachable(button):
    """Whether Tab never comes to a button. Of a group of radio buttons Tab comes to one, arrows to the others."""
    group = button.group()
    chosen = group.checkedButton() if group is not None and group.exclusive() else None
    return not (chosen or button).focusPolicy() & Qt.FocusPolicy.TabFocus


def out_of_order(root, start=None):
    """Describe controls that Tab comes to before one that is read earlier: further up, or left of it in its line.

    What stands in the next column may be further up. Without ``start`` the chain, a ring, is read from the control
    that stands first.
    """
    chain, begin = [], start or root
    widget = begin.nextInFocusChain()
    while widget is not begin and len(chain) < 500:
        stops = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.isEnabled()
        if stops and root.isAncestorOf(widget) and isinstance(widget, CONTROLS) and not inner(widget):
            chain.append(widget)
        widget = widget.nextInFocusChain()
    first = 0 if start else min(range(len(chain)), key=lambda place: way(chain[place], root), default=0)
    for one, after in pairwise(chain[first:] + chain[:first]):
        here, there = scroller(one, root), scroller(after, root)
        first, then = (one, after) if here is there else (here or one, there or after)
        left, top = first.mapTo(root, first.rect().topLeft()).toTuple()
        x, bottom = then.mapTo(root, then.rect().bottomLeft()).toTuple()
        beside = x > first.mapTo(root, first.rect().topRight()).x()
        if (bottom < top and not beside) or (bottom < top + first.height() and x < left):
            yield f"{describe(after)}: Tab comes to it after {describe(one)}"


def mixed(parts):
    """Describe controls where Tab leaves a part for any but the next one."""
    window, widget, order = parts[0].window(), parts[0], []
    while widget.nextInFocusChain() is not parts[0]:
        widget = widget.nextInFocusChain()
        stops = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.isEnabled()
        part = next((part for part in parts if part.isAncestorOf(widget)), window)
        if stops and order[-1:] != [part]:
            order.append(part)
    if order != parts:
        yield f"Tab goes through {[type(part).__name__ for part in order]}"


def way(widget, root):
    outer = scroller(widget, root)
    left, top = (outer or widget).mapTo(root, QPoint()).toTuple()
    return (top, left, *(widget.mapTo(outer, QPoint()).toTuple()[::-1] if outer else (0, 0)))


def scroller(widget, root):
    """Return what a widget scrolls in; its place there says nothing about what stands outside."""
    while widget is not root and not isinstance(widget, QScrollArea):
        widget = widget.parentWidget()
    return None if widget is root else widget


def too_large(dialog, window):
    """Describe a dialog that does not fit over the window."""
    if dialog.width() > window.width() or dialog.height() > window.height():
        yield f"{dialog.size().toTuple()} over a window of {window.size().toTuple()}"


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


def test_the_keyboard_is_seen_where_it_is(home, qtbot, qapp, model, quiet):
    """Each control looks another way once Tab has come to it."""
    with open_window(home, qtbot, qapp) as desk:
        talks, facts = fill(desk.app)
        faults = [f"{page}: {fault}" for page in walk(desk, talks, facts) for fault in unseen(desk.window)]
    assert not faults, "\n".join(sorted(set(faults)))


def unseen(window):
    """Describe controls that look the same with the focus and without."""
    window.activateWindow()
    QApplication.processEvents()
    inside = (one for one in stops(window) if not one.visibleRegion().isEmpty())
    controls = [one for one in inside if isinstance(one, CONTROLS) and one.isEnabled()]
    for before, control in zip((controls[-1], *controls), controls, strict=False):
        around = QRect(control.mapTo(window, QPoint()), control.size()).adjusted(-4, -4, 4, 4)
        before.setFocus()
        without = window.grab(around).toImage()
        control.setFocus(Qt.FocusReason.TabFocusReason)
        if window.grab(around).toImage() == without:
            yield describe(control)


@pytest.fixture(params=["en", "de"])
def language(request, qapp):
    """The window's language."""
    return install(qapp, request.param)


def test_no_text_is_cut_at_twice_the_size(home, qtbot, qapp, model, quiet, language):
    with open_window(home, qtbot, qapp, scale=200, size=(1320, 860)) as desk:
        talks, facts = fill(desk.app)
        cut = [
            f"{page}: {words}"
            for page in walk(desk, talks, facts)
            for words in (*cut_texts(desk.window), *too_wide(desk.window))
        ]
    assert not cut, "\n".join(sorted(set(cut)))


def test_an_empty_chat_has_room_beside_the_sidebar_at_twice_the_size(home, qtbot, qapp, model, language):
    with open_window(home, qtbot, qapp, scale=200, size=(1320, 860)) as desk:
        page = desk.page("chat")
        desk.window.commands.run("view.sidebar")
        desk.rest()
        assert desk.window.sidebar.width() > 300
        for label in page.list.empty.findChildren(Label):
            assert label.mapTo(page.list, label.rect().topLeft()).x() >= 0
            assert label.mapTo(page.list, label.rect().topRight()).x() < page.list.width()
        choices = page.composer.choices
        shown = [part for part in (choices.agents, choices.models, choices.memory) if part.isVisible()]
        edges = [edge for part in shown for edge in (part.x(), part.x() + part.width())]
        assert [0, *edges, choices.width()] == sorted([0, *edges, choices.width()])


def test_dialogs_are_open_to_everyone(home, qtbot, qapp, model, quiet, language):
    """Every dialog at twice the size: names, Tab in the order of reading, no text cut, no larger than the window."""
    with open_window(home, qtbot, qapp, scale=200, size=(1320, 860)) as desk:
        _talks, facts = fill(desk.app)
        faults, names = [], []
        for name, dialog in dialogs.each(desk, facts):
            names.append(name)
            faults += [f"{name}: {fault}" for fault in (*faults_of(dialog), *too_large(dialog, desk.window))]
            fields = [field for field in seen(dialog, (QLineEdit, QPlainTextEdit)) if not field.isReadOnly()]
            if fields and not isinstance(dialog.focusWidget(), FIRST):
                faults.append(f"{name}: typing begins at {describe(dialog.focusWidget())}")
    assert len(set(names)) == len(names) >= 20
    assert not faults, "\n".join(sorted(set(faults)))


def test_what_a_consolidation_would_change_is_named_in_large_text_in_a_small_window(
    home, qtbot, qapp, model, quiet, language
):
    with open_window(home, qtbot, qapp, scale=200, size=(800, 600)) as desk:
        fill(desk.app)
        page = desk.page("consolidation", preview=True)
        desk.rest()
        page.diff.apply.setFocus()
        page.diff.findChild(QScrollArea).ensureWidgetVisible(page.diff.apply)
        assert page.diff.apply.visibleRegion().boundingRect() == page.diff.apply.rect()
        assert list(cut_texts(page)) == []
        assert page.diff.table.columnWidth(0) > page.diff.table.columnWidth(1)


@pytest.mark.parametrize("chat", [{}, {"agent_id": "default", "conversation_id": "demo-0"}])
def test_a_model_that_sees_no_pictures_is_named_whole_in_large_text_in_a_small_window(
    home, qtbot, qapp, model, quiet, chat, language
):
    with open_window(home, qtbot, qapp, scale=200, size=(800, 600)) as desk:
        fill(desk.app)
        page = desk.page("chat", **chat)
        desk.rest()
        page.composer.know_sight("a-model-of-a-long-name (some server)")
        page.composer.attached.attach_picture(QImage(30, 20, QImage.Format.Format_RGB32))
        desk.settle()
        qtbot.wait(50)
        assert page.composer.blind.isVisible()
        assert list(cut_texts(page)) == []


def test_a_long_dialog_in_large_text_stays_within_a_small_window(home, qtbot, qapp, model):
    with open_window(home, qtbot, qapp, scale=200, size=(800, 600)) as desk:
        desk.page("memory", tab="facts").stack.currentWidget().add()
        desk.settle()
        dialog = dialogs.shown(desk)
        assert dialog.findChild(QScrollArea).verticalScrollBar().isVisible()
        assert list(too_large(dialog, desk.window)) == []


def test_lock_and_restore_are_open_to_everyone(home, qtbot, qapp, model, quiet, language):
    with open_window(home, qtbot, qapp, scale=200, size=(1320, 860)) as desk:
        desk.session.lock()
        desk.settle()
        faults = []
        for way in ("keyring", "passphrase", "recovery"):
            desk.face.ask(way)
            desk.face.show_fault(EnvironmentFault("The keyring is locked.", hint="Set a passphrase instead."))
            desk.qtbot.wait(50)
            faults += [f"lock by {way}: {fault}" for fault in faults_of(desk.face)]
        desk.session.show_restore()
        desk.settle()
        page = desk.face
        faults += [f"restore: {fault}" for fault in faults_of(page)]
        page.path.setText("/nowhere/memory.memdesk-backup")
        page.secret.setText(dialogs.CODE)
        page.look()
        desk.settle()
        assert page.fault.text()
        faults += [f"restore refused: {fault}" for fault in faults_of(page)]
    assert not faults, "\n".join(sorted(set(faults)))


def cut_texts(root):
    """Describe labels and buttons that are smaller than their text, or that lie partly out of reach at the side."""
    for widget in seen(root, (QLabel, QAbstractButton)):
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
