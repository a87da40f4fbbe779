"""The tab order of a window, by the position of its controls.

Qt's own order is that of creation. Pages are created when first shown, and most of their contents once loaded, so that
Tab would go from the sidebar to the status bar and then through a page in any order.
"""

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSlider,
    QSplitter,
    QTextEdit,
    QWidget,
)

#: Controls whose parts Qt handles itself.
WHOLE = (QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QSlider, QTextEdit)


def order_tabs(root: QWidget) -> None:
    """Set the tab order of visible controls in ``root`` to the order of its layouts.

    A container with a focus proxy passes the focus on to it.
    """
    chain = list(stops(root, root.window().focusWidget()))
    if any(before.nextInFocusChain() is not after for before, after in pairwise(chain)):
        for before, after in pairwise(chain):
            QWidget.setTabOrder(before, after)


def stops(widget: QWidget, focus: QWidget | None = None) -> Iterator[QWidget]:
    """Yield the visible tab stops in a widget, itself and ``focus`` included, in order."""
    if not widget.isVisible():
        return
    if widget is focus or widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus:
        yield widget
    if not isinstance(widget, WHOLE):
        for part in _parts(widget):
            yield from stops(part, focus)


def _parts(widget: QWidget) -> Iterator[QWidget]:
    """Yield the children of a widget: those of its layout, then overlays."""
    laid: list[QWidget] = []
    if isinstance(widget, QScrollArea):
        inner = widget.widget()
        yield from [] if inner is None else [inner]
        laid = [widget.viewport()]
    elif isinstance(widget, QSplitter):
        laid = [part for place in range(widget.count()) if (part := widget.widget(place)) is not None]
        yield from laid
    elif (layout := widget.layout()) is not None:
        laid = list(widgets_of(layout))
        yield from laid
    for child in widget.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if child not in laid and not child.isWindow():
            yield child


def widgets_of(layout: QLayout) -> Iterator[QWidget]:
    """Yield the widgets of a layout and of nested ones, in order."""
    for place in range(layout.count()):
        item = layout.itemAt(place)
        assert item is not None
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            yield widget
        elif inner is not None:
            yield from widgets_of(inner)
