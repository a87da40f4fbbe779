"""A Mermaid diagram: its picture, or its source with the reason why there is none."""

from collections.abc import Iterable

from PySide6.QtCore import QByteArray, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy

from memdesk.domain.caches import remembered
from memdesk.domain.chatting.images import Image
from memdesk.errors import BadRequestError, EngineError, MissingPartError
from memdesk.gui.rich import CodeLines
from memdesk.gui.text import said, tr
from memdesk.gui.theme import Theme
from memdesk.gui.views.chat.shown import Small, drawn_at
from memdesk.gui.widgets.buttons import IconButton
from memdesk.gui.widgets.code import CodeBlock
from memdesk.gui.widgets.labels import Label
from memdesk.ports import DiagramColors, DiagramDrawer, DrawnDiagram

#: Theme tokens for the parts of a diagram.
_HUES = ("accent", "syntax_name", "syntax_keyword", "syntax_number", "success", "danger")


def diagram_colors() -> DiagramColors:
    theme = Theme.current()
    return DiagramColors(
        dark=theme.mode == "dark",
        background=theme.hex("code"),
        raised=theme.hex("hover"),
        text=theme.hex("text"),
        line=theme.hex("muted"),
        border=theme.hex("border_strong"),
        hues=tuple(map(theme.hex, _HUES)),
    )


@remembered(32)
def outcome(drawer: DiagramDrawer, source: str, colors: DiagramColors) -> DrawnDiagram | str:
    """Return a diagram, or one line why there is none; on a lane. Cached, as scrolling unloads messages."""
    try:
        return drawer.draw(source, colors)
    except (BadRequestError, EngineError, MissingPartError) as error:
        return error.message


class DiagramBlock(CodeBlock):
    """Shows the source until ``show_outcome``.

    ``wanted``: it became visible and is to be drawn; ``opened``: show its picture large, where it can be copied and
    saved.
    """

    wanted = Signal(object)
    opened = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._asked = False
        self.picture = FittingPicture(self.tr("Diagram"))
        self.picture.clicked.connect(self._open)
        self.note = Label("", "small", wrap=True)
        self.turn = IconButton("code", self.tr("Show the source"), self._turn, side=14)
        self.large = IconButton("eye", self.tr("View, copy or save the picture"), self._open, side=14)
        self.copy.set_name(self.tr("Copy the source"))
        place = self.head.indexOf(self.copy)
        self.head.insertWidget(place, self.large)
        self.head.insertWidget(place, self.turn)
        self.body.insertWidget(0, self.picture)
        self.body.addWidget(self.note)
        for widget in (self.picture, self.note, self.turn, self.large):
            widget.hide()

    def show_code(self, source: str, language: str, blocks: Iterable[CodeLines]) -> None:
        super().show_code(source, language, blocks)
        self.language.setText(self.tr("Diagram (Mermaid)"))
        self._asked = False
        if self.isVisible():
            self._ask()

    def showEvent(self, event: QShowEvent) -> None:
        """Request the picture only now: far more diagrams are loaded than seen."""
        super().showEvent(event)
        self._ask()

    def _ask(self) -> None:
        if not self._asked:
            self._asked = True
            self.wanted.emit(self)

    def show_outcome(self, made: DrawnDiagram | str) -> None:
        """Replace the source by the picture, or say below the source why there is none."""
        picture = QImage()
        if isinstance(made, DrawnDiagram):
            picture = QImage.fromData(QByteArray(made.png))
            picture.setDevicePixelRatio(made.scale)
            self._image = Image.of(made.png, self.tr("Diagram") + ".png")
            words = self.tr("Not in the picture: {signs}").format(signs=made.left_out) if made.left_out else ""
        else:
            words = self.tr("No picture: {reason}").format(reason=said(made))
        self.note.setText(words)
        self.note.setVisible(bool(words))
        self.picture.show_picture(picture)
        self._show(source=picture.isNull())
        self.turn.setVisible(not picture.isNull())
        self.large.setVisible(not picture.isNull())

    def _turn(self) -> None:
        self._show(source=self.view.isHidden())

    def _show(self, *, source: bool) -> None:
        self.view.setVisible(source)
        self.picture.setVisible(not source)
        self.turn.set_name(self.tr("Show the picture") if source else self.tr("Show the source"))
        self.turn.set_icon("waypoints" if source else "code")

    def _open(self) -> None:
        self.opened.emit(Small.of(self._image))


class FittingPicture(QPushButton):
    """A picture at its own size, or scaled down to fit."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._picture = QImage()
        self.setProperty("variant", "picture")
        self.setProperty("bare", True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(name)
        self.setToolTip(tr("View enlarged"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_picture(self, picture: QImage) -> None:
        """Show another one, sized by its device pixel ratio."""
        self._picture = picture
        self.setIcon(QIcon())
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._picture.isNull():
            return
        theme = Theme.current()
        # Like the text, it grows with the text size.
        meant = self._picture.deviceIndependentSize() * (theme.text_px() / 13)
        most = max(1, self.width() - 8)
        size = (meant if meant.width() <= most else meant * (most / meant.width())).toSize().expandedTo(QSize(1, 1))
        if size == self.iconSize() and not self.icon().isNull():
            return
        self.setIcon(QIcon(drawn_at(self._picture, size)))
        self.setIconSize(size)
        self.setFixedHeight(size.height() + 8)
