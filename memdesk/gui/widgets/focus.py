"""The focus while a part of a window is made anew: it goes to what stands in place of what had it."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QLayout, QWidget

from memdesk.gui.widgets.tab_order import stops, widgets_of

#: How long after one look at the new part the next one follows: it may come in slices. After the last, what is there
#: by then has to do.
LOOKS_MS = (50, 100, 250)


def hold_focus(layout: QLayout) -> None:
    """Keep the place of the focus while what is in ``layout`` is deleted and made anew.

    Left to itself, Qt hands the focus to whatever comes next in the window once its owner is gone: a notice, or the
    first control of all. It goes to the control of the same name, else to the one in the same place; whoever sets it
    meanwhile is right.
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
