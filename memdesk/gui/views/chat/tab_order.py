"""The order in which Tab goes through the messages: as they stand.

Qt's own order is that in which widgets were made, and of messages the newest is made first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLayout, QScrollArea, QWidget


def order_tabs(first: QWidget, widgets: Sequence[QWidget]) -> None:
    """Let Tab go from ``first`` to what can have the focus in ``widgets``, in the order of their layouts."""
    chain = [first, *(stop for widget in widgets for stop in _stops(widget))]
    if any(before.nextInFocusChain() is not after for before, after in pairwise(chain)):
        for before, after in pairwise(chain):
            QWidget.setTabOrder(before, after)


def _stops(widget: QWidget) -> Iterator[QWidget]:
    """Yield what can have the focus in a widget, itself included; what is hidden too, it may be shown later."""
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus:
        yield widget
    inner = widget.widget() if isinstance(widget, QScrollArea) else widget
    layout = inner.layout() if inner is not None else None
    if layout is not None:
        yield from _in_layout(layout)


def _in_layout(layout: QLayout) -> Iterator[QWidget]:
    for number in range(layout.count()):
        item = layout.itemAt(number)
        assert item is not None
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            yield from _stops(widget)
        elif inner is not None:
            yield from _in_layout(inner)
