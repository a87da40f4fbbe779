"""An agent's message in segments of prose and code, of which only the last is redrawn while it grows."""

import time
from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QSpacerItem, QWidget

from memdesk.gui.rich import Drawn, draw
from memdesk.gui.segments import Segment
from memdesk.gui.theme import Theme
from memdesk.gui.views.chat.diagram import DiagramBlock
from memdesk.gui.widgets.code import CodeBlock, CodeView
from memdesk.gui.widgets.layout import column
from memdesk.gui.widgets.richtext import SLICE_SECONDS, RichText, syntax_colors

#: Space between independent segments, in px at 100 %.
GAP = 8


class Pieces(QWidget):
    """Draws segments below each other. Hidden if there are none.

    ``menu_wanted`` has ``(selected text, menu)``, ``released`` the view where the mouse was released,
    ``drawing_wanted`` a diagram to draw, ``opened`` a picture to show large.
    """

    menu_wanted = Signal(str, object)
    released = Signal(object)
    drawing_wanted = Signal(object)
    opened = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._wanted: Sequence[Drawn | Segment] = ()
        self._drawn: list[Drawn] = []
        self._pieces: list[RichText | CodeBlock] = []
        #: The space above each segment.
        self._spaces: list[QSpacerItem] = []
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._go_on)
        self._rows = column(gap=0)
        self.setLayout(self._rows)
        self.hide()

    def show_segments(self, segments: Sequence[Drawn | Segment]) -> None:
        """Show these; only changed ones are redrawn, many of them over several rounds of the event loop."""
        self._wanted = segments
        self._go_on()

    def forget(self) -> None:
        """Redraw all of them with the next call (another theme)."""
        self._drawn = []

    @property
    def growing(self) -> bool:
        code = (piece for piece in self._pieces if isinstance(piece, CodeBlock))
        return len(self._drawn) < len(self._wanted) or any(block.view.growing for block in code)

    def views(self) -> list[RichText | CodeView]:
        """Return the segments' views, from top to bottom."""
        return [piece.view if isinstance(piece, CodeBlock) else piece for piece in self._pieces]

    def _go_on(self) -> None:
        colors, started = syntax_colors(), time.perf_counter()
        for position, wanted in enumerate(self._wanted):
            segment = wanted.segment if isinstance(wanted, Drawn) else wanted
            if position < len(self._drawn) and self._drawn[position].segment == segment:
                continue
            self._put(position, wanted if isinstance(wanted, Drawn) else draw(segment, colors))
            if time.perf_counter() - started > SLICE_SECONDS:
                self._rest.start(0)
                return
        self._cut(len(self._wanted))

    def _put(self, position: int, drawn: Drawn) -> None:
        segment = drawn.segment
        code = _code(segment)
        if position < len(self._pieces) and type(self._pieces[position]) is not (code or RichText):
            self._cut(position)
        if position == len(self._pieces):
            self._add(RichText(self._name) if code is None else code())
        self._drawn[position : position + 1] = [drawn]
        self._spaces[position].changeSize(0, 0 if segment.joined or not position else Theme.current().px(GAP))
        self._rows.invalidate()
        shown = self._pieces[position]
        if isinstance(shown, CodeBlock):
            shown.show_code(segment.text, segment.language, drawn.code)
        else:
            shown.show_html(drawn.html)

    def _add(self, piece: RichText | CodeBlock) -> None:
        piece.menu_wanted.connect(self.menu_wanted)
        piece.released.connect(self.released)
        if isinstance(piece, DiagramBlock):
            piece.wanted.connect(self.drawing_wanted)
            piece.opened.connect(self.opened)
        self._pieces.append(piece)
        self._spaces.append(QSpacerItem(0, 0))
        self._rows.addItem(self._spaces[-1])
        self._rows.addWidget(piece)
        self.show()

    def _cut(self, length: int) -> None:
        for piece, space in zip(self._pieces[length:], self._spaces[length:], strict=True):
            self._rows.removeWidget(piece)
            self._rows.removeItem(space)
            piece.hide()
            piece.deleteLater()
        del self._pieces[length:]
        del self._spaces[length:]
        del self._drawn[length:]
        self.setVisible(bool(self._pieces))


def _code(segment: Segment) -> type[CodeBlock] | None:
    """Return the view of a code segment, None for prose; a diagram is drawn once its source is complete."""
    if segment.kind != "code":
        return None
    return DiagramBlock if segment.closed and segment.language.lower() == "mermaid" else CodeBlock
