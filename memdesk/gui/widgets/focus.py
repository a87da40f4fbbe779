"""Keeps the focus while a part of a window is rebuilt: it goes to the replacement of its owner."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QLayout, QWidget

from memdesk.gui.widgets.tab_order import stops, widgets_of

#: Delays between checks of the new part, which may be built in slices. After the last, what exists by then must do.
LOOKS_MS = (50, 100, 250)


def hold_focus(layout: QLayout) -> None:
    """Keep the focus in place while the contents of ``layout`` are rebuilt.

    By default, Qt passes the focus of a deleted widget to whatever comes next in the window: a notice, or the first
    control. Here it goes to the control of the same name, else the one in the same position, unless it is set
    meanwhile.
    """
    host = layout.parentWidget()
    focus = host.window().focusWidget() if host is not None else None
    if host is None or focus is None or not host.isAncestorOf(focus):
        return
    before = list(stops(host))
    if focus not in before or not any(part is focus or part.isAncestorOf(focus) for part in widgets_of(layout)):
        return
    name, place, count = _name(focus), before.index(focus), len(before)
    twin = sum(_name(stop) == name for stop in before[:place])

    def give_back(looks: tuple[int, ...]) -> None:
        if host.window().focusWidget() is not host:
            return
        there = list(stops(host))
        twins = [stop for stop in there if _name(stop) == name]
        if twins:
            twins[min(twin, len(twins) - 1)].setFocus()
        elif len(there) < count and looks:
            QTimer.singleShot(looks[0], host, lambda: give_back(looks[1:]))
        elif there:
            there[min(place, len(there) - 1)].setFocus()

    host.setFocus()
    QTimer.singleShot(0, host, lambda: give_back(LOOKS_MS))


def _name(widget: QWidget) -> tuple[type[QWidget], str]:
    return type(widget), widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")
