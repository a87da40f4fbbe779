"""The sidebar: one button per page, folding to icons in narrow windows."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QWidget

from memdesk.gui.commands import shown_keys
from memdesk.gui.icons import icon
from memdesk.gui.pages import PageSpec
from memdesk.gui.theme import Theme
from memdesk.gui.widgets.buttons import IconButton
from memdesk.gui.widgets.labels import Brand
from memdesk.gui.widgets.layout import column, row


class NavButton(QToolButton):
    """A page's button: icon and label, or only the icon."""

    def __init__(self, spec: PageSpec, shortcut: str) -> None:
        super().__init__()
        self.spec = spec
        # Qt has no spacing between icon and label.
        self.setText(f"  {spec.label}")
        self.setAccessibleName(spec.label)
        self.setToolTip(shown_keys(spec.label, shortcut))
        self.setCheckable(True)
        self.setAutoRaise(True)
        self.setProperty("variant", "nav")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        Theme.current().changed.connect(self.tint)
        self.tint()

    def tint(self) -> None:
        side = Theme.current().px(17)
        self.setIcon(icon(self.spec.icon, "muted", active="accent"))
        self.setIconSize(QSize(side, side))


class Sidebar(QWidget):
    """Emits ``chosen`` with the page."""

    chosen = Signal(str)

    def __init__(self, pages: Sequence[PageSpec], menu: Callable[[QWidget], None]) -> None:
        super().__init__()
        self.setProperty("role", "sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Pages"))
        self.folded = False
        self._group = QButtonGroup(self)
        self.buttons: dict[str, NavButton] = {}
        self._name = Brand()
        self._menu = IconButton("menu", self.tr("Menu"), lambda: menu(self._menu))
        self._menu.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._head = row((self._name, 1), self._menu, gap=0)
        self._fold_button = IconButton("panel-left", shown_keys(self.tr("Collapse the sidebar"), "Ctrl+B"), self.toggle)
        self._rows = rows = column(self._head, 8, gap=2, margins=8)
        for number, spec in enumerate(pages, start=1):
            button = NavButton(spec, f"Ctrl+{number}")
            button.clicked.connect(lambda _checked=False, page=spec.id: self.chosen.emit(page))
            self._group.addButton(button)
            self.buttons[spec.id] = button
            rows.addWidget(button)
        rows.addStretch(1)
        rows.addLayout(row(6, self._fold_button, None, gap=0))
        self.setLayout(rows)
        Theme.current().changed.connect(self._size)
        self._size()

    def select(self, page_id: str) -> None:
        self.buttons[page_id].setChecked(True)

    def toggle(self) -> None:
        self.set_folded(not self.folded)

    def set_folded(self, folded: bool) -> None:
        self.folded = folded
        style = Qt.ToolButtonStyle.ToolButtonIconOnly if folded else Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        for button in self.buttons.values():
            button.setToolButtonStyle(style)
        self._name.setVisible(not folded)
        wide = QSizePolicy.Policy.Expanding if folded else QSizePolicy.Policy.Fixed
        self._menu.setSizePolicy(wide, QSizePolicy.Policy.Fixed)
        self._fold_button.set_icon("panel-right" if folded else "panel-left")
        self._size()

    def _size(self) -> None:
        theme = Theme.current()
        # It survives a change of text size, unlike pages, which are recreated.
        side = theme.px(8)
        self._rows.setContentsMargins(side, side, side, side)
        self._rows.setSpacing(theme.px(2))
        # The logo and the button below line up with the pages' icons.
        self._name.setContentsMargins(theme.px(9), 0, 0, 0)
        if self.folded:
            self.setFixedWidth(theme.px(17 + 20 + 16) + 4)
            return
        font = self.font()
        font.setPixelSize(theme.text_px())
        font.setWeight(font.Weight.DemiBold)
        metrics = QFontMetrics(font)
        widest = max(metrics.horizontalAdvance(button.text()) for button in self.buttons.values())
        self.setFixedWidth(widest + theme.px(17 + 8 + 16 + 16 + 20))
