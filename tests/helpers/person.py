"""A person at the window: reads the screen, clicks and types. Uses no service and no method of a view."""

from __future__ import annotations

from fnmatch import fnmatchcase

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QTableView,
    QTextEdit,
    QWidget,
)

LEFT = Qt.MouseButton.LeftButton
FIELDS = (QLineEdit, QPlainTextEdit, QAbstractSpinBox)


class Person:
    """Acts on what is in front: the menu that is open, else the dialog, else the window.

    Every act looks for the widget by the words a person or a screen reader has for it, scrolls to it, makes sure that
    nothing lies over it, and comes back when what it started has ended.

    Args:
        desk: the window, see ``tests.helpers.window``.
    """

    def __init__(self, desk):
        self._desk = desk
        self._qtbot = desk.qtbot

    # -- reading -----------------------------------------------------------------------

    @property
    def front(self) -> QWidget:
        """The window that takes input now."""
        return QApplication.activePopupWidget() or QApplication.activeModalWidget() or self._desk.window

    def text(self) -> str:
        """Return every word in front, a line each widget."""
        return "\n".join(filter(None, (words_of(widget) for widget in self._shown(QWidget))))

    def await_text(self, wanted: str) -> None:
        """Look at the window until it says so."""
        try:
            self._qtbot.waitUntil(lambda: wanted in self.text())
        except Exception as error:
            raise AssertionError(f"{wanted!r} is not in what is shown:\n{self.text()}") from error

    def await_gone(self, former: str) -> None:
        """Look at the window until it says so no more."""
        self._qtbot.waitUntil(lambda: former not in self.text())

    def settle(self) -> None:
        """Wait until nothing is on its way."""
        self._desk.settle()

    # -- acting ------------------------------------------------------------------------

    def press(self, name: str, near: str = "") -> None:
        """Click the button of this name, of which ``*`` stands for any part.

        ``near`` picks the one that shares the smallest frame with these words.
        """
        self._click(self._find(name, (QAbstractButton,), near))

    def write(self, name: str, text: str) -> None:
        """Put words in a field in the place of what is there."""
        field = self._find(name, FIELDS)
        self._click(field)
        self._qtbot.keySequence(field, QKeySequence.StandardKey.SelectAll)
        self._qtbot.keyClicks(field, text)
        self.settle()

    def read(self, name: str) -> str:
        """Return what is in a field."""
        field = self._find(name, FIELDS)
        return field.toPlainText() if isinstance(field, QPlainTextEdit) else field.text()

    def key(self, keys: str) -> None:
        """Press keys where the focus is, such as ``Ctrl+K``."""
        front = self.front
        # What is in front again after a dialog gets the focus back by the window manager; there is none here.
        front.activateWindow()
        self._qtbot.waitUntil(front.isActiveWindow)
        self._qtbot.keySequence(QApplication.focusWidget() or front, QKeySequence(keys))
        self.settle()

    def choose(self, name: str, option: str) -> None:
        """Open a choice and take an option."""
        self._click(self._find(name, (QComboBox,)))
        view, place = self._row(option)
        self._qtbot.mouseMove(view.viewport(), place)
        self._qtbot.keyClick(view, Qt.Key.Key_Return)
        self.settle()

    def pick(self, entry: str) -> None:
        """Click an entry of the menu that is open, else the row that says so."""
        popup = self.front
        if isinstance(popup, QMenu):
            action = next(a for a in popup.actions() if a.text().replace("&", "").strip() == entry and a.isEnabled())
            self._qtbot.mouseClick(popup, LEFT, pos=popup.actionGeometry(action).center())
        else:
            view, place = self._row(entry)
            self._qtbot.mouseClick(view.viewport(), LEFT, pos=place)
        self.settle()

    def ask_menu(self, entry: str) -> None:
        """Click with the right button on the row that says so."""
        view, place = self._row(entry)
        click = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.viewport().mapToGlobal(place))
        QApplication.sendEvent(view.viewport(), click)
        self.settle()

    def choose_file(self, path) -> None:
        """Type a path in the file dialog that is in front."""
        dialog = self.front
        assert isinstance(dialog, QFileDialog), dialog
        field = dialog.findChild(QLineEdit, "fileNameEdit")
        assert field is not None
        field.selectAll()
        self._qtbot.keyClicks(field, str(path))
        self._qtbot.keyClick(field, Qt.Key.Key_Return)
        self.settle()

    # -- finding -----------------------------------------------------------------------

    def _shown(self, kind):
        return [widget for widget in self.front.findChildren(kind) if widget.isVisible()]

    def _find(self, name, kinds, near=""):
        found = [w for w in self._shown(QWidget) if isinstance(w, kinds) and w.isEnabled() and _called(w, name)]
        if near:
            found = sorted(found, key=lambda widget: _frames_up_to(widget, near))[:1]
        assert len(found) == 1, f"{len(found)} of {name!r} can be used in:\n{self.text()}"
        return found[0]

    def _row(self, entry):
        for view in self._shown(QAbstractItemView):
            for index in (index for line in _lines(view) for index in line):
                if entry in str(index.data()):
                    view.scrollTo(index)
                    return view, view.visualRect(index).center()
        raise AssertionError(f"no row says {entry!r} in:\n{self.text()}")

    def _click(self, widget):
        above = widget.parentWidget()
        while above is not None:
            if isinstance(above, QScrollArea):
                above.ensureWidgetVisible(widget)
            above = above.parentWidget()
        # A row of buttons may be laid out once more when its counts come in.
        self._qtbot.waitUntil(lambda: _can_be_hit(widget))
        middle = widget.rect().center()
        if isinstance(widget, QAbstractButton):
            assert widget.hitButton(middle), f"a click on the middle of {_names(widget)} does nothing"
        self._qtbot.mouseClick(widget, LEFT, pos=QPoint(middle))
        self.settle()


def _can_be_hit(widget):
    """Whether the middle of a widget is in its window, and nothing lies over it."""
    window = widget.window()
    hit = window.childAt(widget.mapTo(window, widget.rect().center()))
    return hit is not None and (hit is widget or widget.isAncestorOf(hit))


def _names(widget):
    shown = widget.text() if isinstance(widget, QAbstractButton) else getattr(widget, "placeholderText", str)()
    return {shown.replace("&", "").strip(), widget.accessibleName()} - {""}


def _called(widget, name):
    return any(fnmatchcase(own, name) for own in _names(widget))


def words_of(widget):
    """Return what a widget says, shown or not."""
    if isinstance(widget, QTextEdit | QPlainTextEdit):
        return widget.toPlainText()
    if isinstance(widget, QLabel | QAbstractButton | QLineEdit):
        return widget.text().strip()
    if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
        return "\n".join(" | ".join(str(index.data() or "") for index in line) for line in _lines(widget))
    return ""


def _lines(view):
    """Return the indexes of a view's first rows, those of a row together."""
    model = view.model()
    columns = range(model.columnCount() if isinstance(view, QTableView) else 1)
    return [[model.index(row, column) for column in columns] for row in range(min(model.rowCount(), 50))]


def _frames_up_to(widget, near):
    above, steps = widget.parentWidget(), 0
    while above is not None:
        if any(near in words_of(inner) for inner in above.findChildren(QWidget) if inner.isVisible()):
            return steps
        above, steps = above.parentWidget(), steps + 1
    return 1000
