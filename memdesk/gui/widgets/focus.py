"""Keeps the focus while a part of a window is rebuilt: it goes to the replacement of its owner."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QLayout, QWidget

from memdesk.gui.widgets.tab_order import stops, widgets_of

_Name = tuple[type[QWidget], str]
#: Delays between checks of the new part, which may be built in slices. After the last, what exists by then must do.
LOOKS_MS = (50, 100, 250)
#: Checks for a control of a page that is made anew, before it is given up.
MOST_LOOKS = 50


def hold_focus(layout: QLayout) -> None:
    """Keep the focus in place while the contents of ``layout`` are rebuilt.

    By default, Qt passes the focus of a deleted widget to whatever comes next in the window: a notice, or the first
    control. Here it goes to the control of the same name; else to the first of those behind it that is still there, or
    to what is new before that one. Unless it is set meanwhile.
    """
    host = layout.parentWidget()
    focus = host.window().focusWidget() if host is not None else None
    if host is None or focus is None or not host.isAncestorOf(focus):
        return
    before = list(stops(host))
    if focus not in before or not any(part is focus or part.isAncestorOf(focus) for part in widgets_of(layout)):
        return
    place, names = before.index(focus), [_name(stop) for stop in before]

    def give_back(looks: tuple[int, ...]) -> None:
        if host.window().focusWidget() is not host:
            return
        there = list(stops(host))
        found = [_name(stop) for stop in there]
        if names[place] not in found and len(there) < len(names) and looks:
            QTimer.singleShot(looks[0], host, lambda: give_back(looks[1:]))
        elif there:
            there[min(_place(names, place, found), len(there) - 1)].setFocus()

    host.setFocus()
    QTimer.singleShot(0, host, lambda: give_back(LOOKS_MS))


def focus_at(root: QWidget) -> tuple[type[QWidget], int] | None:
    """Return what has the focus, told without words: its type, and how many of the type stand before it."""
    focus, chain = root.window().focusWidget(), list(stops(root))
    if focus not in chain:
        return None
    return type(focus), sum(type(stop) is type(focus) for stop in chain[: chain.index(focus)])


def focus_again(root: QWidget, place: tuple[type[QWidget], int] | None) -> None:
    """Give the focus to what stands there in ``root``, once it is made, unless it is set meanwhile.

    Call it before what is there now goes, so that Qt passes the focus to nothing else.
    """
    if place is None:
        return

    def look(looks: int) -> None:
        if root.window().focusWidget() is not root:
            return
        alike = [stop for stop in stops(root) if type(stop) is place[0]]
        if place[1] < len(alike):
            alike[place[1]].setFocus()
        elif looks:
            QTimer.singleShot(LOOKS_MS[1], root, lambda: look(looks - 1))

    root.setFocus()
    QTimer.singleShot(0, root, lambda: look(MOST_LOOKS))


def _place(names: list[_Name], place: int, found: list[_Name]) -> int:
    """Return the place in ``found`` of what stood at ``place`` in ``names``, possibly behind the end."""
    for at in range(place, len(names)):
        twins = [there for there, name in enumerate(found) if name == names[at]]
        if twins:
            twin = twins[min(names[:at].count(names[at]), len(twins) - 1)]
            return twin - (at > place and twin > 0 and found[twin - 1] not in names)
    return place


def _name(widget: QWidget) -> _Name:
    return type(widget), widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")
