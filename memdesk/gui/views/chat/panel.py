"""The panel at the right of a chat: a header with a close button, and its contents."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import ScrollColumn, clear, column, line, row


class SidePanel(QWidget):
    """Hidden until filled; ``closed``: the user closed it."""

    closed = Signal()
    #: The panel was shown or hidden.
    toggled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setFixedWidth(Theme.current().px(350))
        self.title = Label("", "heading")
        self.close_button = IconButton("x", self.tr("Close panel"), self.shut)
        self.area = ScrollColumn(margins=(16, 12, 16, 16), gap=10)
        head = row(self.title, None, self.close_button, margins=(16, 8, 8, 8))
        inner = column(head, line(), self.area, gap=0)
        box = row(line(vertical=True), (inner, 1), gap=0)
        self.setLayout(box)
        #: whether the folded part is shown.
        self.unfolded = False
        self.hide()

    def begin(self, title: str) -> None:
        """Show the panel empty under a title."""
        self.title.setText(title)
        self.setAccessibleName(title)
        clear(self.area.body)
        self.show()

    def add(self, widget: QWidget) -> None:
        """Add a widget at the bottom."""
        self.area.body.addWidget(widget)

    def fold(self, title: str, rest: QWidget, filled: Callable[[], object] = lambda: None) -> None:
        """Add a folded widget at the bottom; ``filled`` is called when the user first opens it."""
        toggle = Button(title, variant="link", icon_name="chevron-right")
        waits = [filled]

        def show() -> None:
            if self.unfolded and waits:
                waits.pop()()
            rest.setVisible(self.unfolded)
            toggle.set_icon("chevron-down" if self.unfolded else "chevron-right")

        def flip() -> None:
            self.unfolded = not self.unfolded
            show()

        toggle.clicked.connect(flip)
        self.area.body.addWidget(toggle, 0, Qt.AlignmentFlag.AlignLeft)
        self.add(rest)
        show()

    def end(self) -> None:
        """Align the contents at the top."""
        self.area.body.addStretch(1)

    def showEvent(self, event: QShowEvent) -> None:
        """Signal that space is needed."""
        super().showEvent(event)
        self.toggled.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Signal that space is free."""
        super().hideEvent(event)
        self.toggled.emit()

    def shut(self) -> None:
        self.hide()
        self.closed.emit()
