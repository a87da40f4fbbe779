"""Dialogs: window-modal sheets that never run a nested event loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QDialog,
    QFrame,
    QLayout,
    QProgressBar,
    QRadioButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from memdesk.errors import LockedError
from memdesk.gui.bridge import Bridge, ServiceOp
from memdesk.gui.notices import fault_words
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import ENTER, Button, Variant
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import Body, boxed, clear, column, row
from memdesk.gui.widgets.tab_order import order_tabs
from memdesk.gui.words import number
from memdesk.ports import CancelToken

T = TypeVar("T")


class _Room(QScrollArea):
    """The body of a dialog: as high as its content, up to the window's height, then it scrolls."""

    def __init__(self, body: QLayout, changed: Callable[[], object]) -> None:
        super().__init__()
        self._height, self._changed = 0, changed
        self._inner = Body(body)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(self._inner)

    def height_at(self, width: int) -> int:
        """Return the height its content needs at ``width``."""
        body = self._inner.body
        return body.totalHeightForWidth(width) if body.hasHeightForWidth() else body.totalSizeHint().height()

    def want(self, height: int) -> None:
        if height != self._height:
            self._height = height
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(0, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Signal when its content needs another size."""
        done = super().eventFilter(watched, event)
        if watched is self._inner and event.type() == QEvent.Type.LayoutRequest:
            self._changed()
        return done


class Dialog(QDialog):
    """Title, a ``body``, and a footer with Cancel and one action. Deleted when closed; show it with ``open``."""

    def __init__(self, parent: QWidget, title: str, *, width: int = 480) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._least = Theme.current().px(width)
        self._over = parent.window()
        self.heading = Label(title, "title", wrap=True)
        policy = self.heading.sizePolicy()
        policy.setVerticalPolicy(QSizePolicy.Policy.Maximum)
        self.heading.setSizePolicy(policy)
        self.body = column(gap=12)
        self._room = _Room(self.body, self._hold)
        self.fault = Label("", "danger", wrap=True)
        self.fault.hide()
        self.foot = row(None)
        self._cancel = Button(self.tr("Cancel"), self.reject)
        self._accept = Button("", variant="primary")
        self.foot.addWidget(self._cancel)
        self.foot.addWidget(self._accept)
        self._accept.hide()
        self._box = column(self.heading, (self._room, 1), self.fault, gap=12, margins=20)
        self._box.addSpacing(Theme.current().px(4))
        self._box.addLayout(self.foot)
        self.setLayout(self._box)
        # By default, Qt reserves space for text wrapped at a narrower width than the dialog's.
        self._box.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)

    def showEvent(self, event: QShowEvent) -> None:
        """Focus the first control above the footer, unless the focus was set."""
        super().showEvent(event)
        if self.focusWidget() is None:
            first = next((w for w in self.findChildren(QWidget) if self._is_first(w)), None)
            if first is not None:
                first.setFocus()

    def sizeHint(self) -> QSize:
        """Return the width of the widest part and the height its text needs at that width, within the window's."""
        sides = self._box.contentsMargins()
        beside = sides.left() + sides.right()
        width = max(
            min(self._least, self._over.width()),
            self._box.totalMinimumSize().width(),
            self.body.totalMinimumSize().width() + beside,
        )
        rest = self._box.totalHeightForWidth(width) - self._room.sizeHint().height()
        most = max(self._over.height() - Theme.current().px(16) - rest, Theme.current().px(96))
        wanted = self._room.height_at(width - beside)
        self._room.want(min(wanted, most))
        if wanted > most:
            bar = self._room.verticalScrollBar().sizeHint().width()
            width = max(width, min(width + bar, self._over.width()))
        return QSize(width, rest + self._room.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Grow with its content."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._hold()
        return done

    def setVisible(self, visible: bool) -> None:
        """Take the full size before positioning; by default, Qt takes two thirds of the screen at most."""
        if visible and not self.isVisible():
            self.ensurePolished()
            self._hold()
            self.resize(self.sizeHint())
        super().setVisible(visible)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002 - Qt's own name
        order_tabs(self)
        return super().focusNextPrevChild(next)

    def _hold(self) -> None:
        self.setMinimumSize(self.sizeHint())
        below = self.geometry().bottom() - self._over.geometry().bottom()
        if self.isVisible() and below > 0:
            self.move(self.x(), max(self._over.y(), self.y() - below))

    def fit(self) -> None:
        """Fit its present content, once laid out."""

        def take() -> None:
            # Its previous content still bounds it.
            self._hold()
            self.adjustSize()

        QTimer.singleShot(0, self, take)

    def _is_first(self, widget: QWidget) -> bool:
        above = widget not in {self._cancel, self._accept} and widget.isVisibleTo(self)
        return above and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Trigger the action on Ctrl+Enter from every field: in a text, Enter inserts a line break.

        A mark or a choice of what goes is not a confirmation; buttons that are pressed use the key themselves.
        """
        careful = self._accept.property("variant") == "danger-solid"
        ready = not (careful and isinstance(self.focusWidget(), QAbstractButton)) and self._accept.isVisible()
        if ready and event.key() in ENTER and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._accept.click()
            return
        super().keyPressEvent(event)

    def set_action(self, text: str, handler: Callable[[], object], variant: Variant = "primary") -> Button:
        """Name the action; ``handler`` decides whether to ``accept``."""
        self._accept.setText(text)
        self._accept.set_variant(variant)
        self._accept.clicked.connect(lambda _checked=False: handler())
        self._accept.setDefault(True)
        self._accept.show()
        return self._accept

    def set_cancel(self, text: str) -> Button:
        """Rename Cancel (``Close`` if nothing is lost)."""
        self._cancel.setText(text)
        return self._cancel

    def leave(self, op: ServiceOp[T]) -> ServiceOp[T]:
        """Close at once, and come back with what was typed if ``op`` fails."""

        def back(error: Exception) -> None:
            if isinstance(error, LockedError):
                self.reject()
            else:
                self.show_fault(error)
                self.open()

        self.hide()
        return op.failure(back).then(self.accept)

    def show_fault(self, error: Exception) -> None:
        """Show beside the action why it failed."""
        self.fault.setText(fault_words(error))
        self.fault.show()


class ConfirmDialog(Dialog):
    """Asks before something is lost, with what it would touch.

    Args:
        parent: the window.
        title: the question.
        text: what it means, in a sentence or two.
        action: the verb on the button.
        confirmed: called when the user says yes (with the check box's state if there is one).
        danger: a red button.
        option: a check box, such as "Also forget what was learned from it".
    """

    def __init__(
        self,
        parent: QWidget,
        *,
        title: str,
        text: str,
        action: str,
        confirmed: Callable[[bool], object],
        danger: bool = True,
        option: str = "",
        option_on: bool = False,
    ) -> None:
        super().__init__(parent, title, width=440)
        self.body.addWidget(Label(text, wrap=True))
        #: The choice of scope, by key, if any: above the counts, which may be long and depend on it.
        self.reach: dict[str, QRadioButton] = {}
        self._reach = column(gap=6)
        self.body.addLayout(self._reach)
        self._counts = column(gap=4, margins=12)
        self._frame = boxed(self._counts, "card")
        self._frame.hide()
        self.body.addWidget(self._frame)
        self.option = QCheckBox(option)
        self.option.setChecked(option_on)
        if option:
            self.body.addWidget(self.option)
        else:
            self.option.hide()
        self.button = self.set_action(action, lambda: self._say_yes(confirmed), "danger-solid" if danger else "primary")
        self._cancel.setFocus()

    def count(self, bridge: Bridge, work: Callable[[CancelToken], T], shown: Callable[[T], object]) -> None:
        """Start counting what would go; another count, or closing, stops it."""
        self.wait()
        op = ServiceOp(bridge, self, lambda op: work(op.token)).success(shown).failure(self.show_fault)
        self.finished.connect(op.supersede)
        op.start(latest="preview")

    def preview(
        self, bridge: Bridge, counts: Callable[[CancelToken], tuple[Mapping[str, int], Sequence[str]]]
    ) -> ConfirmDialog:
        """Fetch and show what would go; zero counts are left out.

        Args:
            bridge: to run on.
            counts: runs on a lane, until its token is set; returns ``({label: number}, notes)``, shown unchanged.
        """
        self.count(bridge, counts, self.show_counts)
        return self

    def wait(self) -> None:
        """Show that what would go is being counted."""
        self._frame.show()
        clear(self._counts)
        bar = QProgressBar(minimum=0, maximum=0, textVisible=False)
        self._counts.addWidget(bar)

    def offer(self, options: Sequence[tuple[str, str]], chosen: str, choose: Callable[[str], object]) -> None:
        """Let the user choose the scope; ``choose`` gets the key, including the initial one."""
        for key, words in options:
            button = QRadioButton(words)
            button.setChecked(key == chosen)
            button.toggled.connect(lambda on, key=key: choose(key) if on else None)
            self._reach.addWidget(button)
            self.reach[key] = button
        if chosen != options[0][0]:
            choose(chosen)
        self.fit()

    def show_counts(self, found: tuple[Mapping[str, int], Sequence[str]]) -> None:
        """Show what would go: numbers by label, and notes."""
        counts, notes = found
        clear(self._counts)
        shown = {name: number for name, number in counts.items() if number}
        if not shown:
            self._counts.addWidget(Label(self.tr("Nothing else is touched."), "muted"))
        for name, count in shown.items():
            self._counts.addLayout(row(Label(name, "muted"), None, Label(number(count), "strong")))
        for note in notes:
            self._counts.addWidget(Label(note, "small", wrap=True))

    def _say_yes(self, confirmed: Callable[[bool], object]) -> None:
        on = self.option.isChecked()
        self.accept()
        confirmed(on)


def lay(dialog: Dialog, *parts: QWidget | QLayout) -> None:
    for part in parts:
        if isinstance(part, QWidget):
            dialog.body.addWidget(part)
        else:
            dialog.body.addLayout(part)
