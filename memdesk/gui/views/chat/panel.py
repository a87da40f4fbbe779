"""The panel at the right of a chat: a head with a close button, and what fills it."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import ScrollColumn, clear, column, line, row


class SidePanel(QWidget):
    """Hidden until filled; ``closed`` tells that the user shut it."""

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
        #: whether what is folded is shown.
        self.unfolded = False
        self.hide()

    def begin(self, title: str) -> None:
        """Show the panel empty under a title."""
        self.title.setText(title)
        self.setAccessibleName(title)
        clear(self.area.body)
        self.show()

    def add(self, widget: QWidget) -> None:
        """Put a widget below the others."""
        self.area.body.addWidget(widget)

    def fold(self, title: str, rest: QWidget, filled: Callable[[], object] = lambda: None) -> None:
        """Put a widget below the others that is shown once the user opens it; ``filled`` is called when it first is."""
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
        """Let what was added stand at the top."""
        self.area.body.addStretch(1)

    def showEvent(self, event: QShowEvent) -> None:
        """Tell that room is needed."""
        super().showEvent(event)
        self.toggled.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Tell that room is free."""
        super().hideEvent(event)
        self.toggled.emit()

    def shut(self) -> None:
        self.hide()
        self.closed.emit()
