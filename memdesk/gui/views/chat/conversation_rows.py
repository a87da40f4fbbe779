"""How a conversation looks in the list, and a heading above some of them."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from memdesk.domain.models import Conversation, Hit
from memdesk.gui.icons import icon
from memdesk.gui.models.conversations import HIT, ConversationsModel, Heading, Hint, Shelf
from memdesk.gui.models.paged import ITEM
from memdesk.gui.theme import Theme
from memdesk.gui.words import number

#: Indent of rows in a folder.
INDENT = 14
#: Characters of an excerpt before the hit, if narrow.
LEAD_CHARS = 12
AnyIndex = QModelIndex | QPersistentModelIndex


class ConversationDelegate(QStyledItemDelegate):
    """Draws a heading, a folder, or a conversation: agent's color, title and marks; on hover, dots for its menu.

    ``menu_wanted`` has the row whose dots were pressed, ``new_wanted`` the folder whose plus was.
    """

    menu_wanted = Signal(QModelIndex)
    new_wanted = Signal(QModelIndex)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.colors: dict[str, str] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        theme = Theme.current()
        if index.data(HIT) is not None:
            return QSize(0, theme.px(34) + option.fontMetrics.lineSpacing())
        return QSize(0, theme.px(34 if isinstance(index.data(ITEM), Heading) else 30))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        theme = Theme.current()
        item = index.data(ITEM)
        area: QRect = option.rect
        painter.save()
        if isinstance(item, Heading):
            font = painter.font()
            font.setPixelSize(theme.text_px("f_s"))
            font.setWeight(font.Weight.DemiBold)
            painter.setFont(font)
            painter.setPen(theme.color("muted"))
            room = area.adjusted(theme.px(10), theme.px(8), -theme.px(8), 0)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), item.title)
        elif isinstance(item, Conversation):
            model = index.model()
            inside = isinstance(model, ConversationsModel) and model.inside(item)
            inner = area.adjusted(Theme.current().px(INDENT) if inside else 0, 0, 0, 0)
            self._talk(painter, option, inner, item, index.data(HIT))
        elif isinstance(item, Shelf):
            self._shelf(painter, option, area, item)
        elif isinstance(item, Hint):
            painter.setPen(theme.color("faint"))
            room = area.adjusted(theme.px(28 + INDENT), 0, -theme.px(8), 0)
            words = painter.fontMetrics().elidedText(item.title, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), words)
        painter.restore()

    def _talk(
        self, painter: QPainter, option: QStyleOptionViewItem, area: QRect, talk: Conversation, hit: Hit | None
    ) -> None:
        theme = Theme.current()
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        box = self._ground(painter, option, area, "accent_soft")
        if hit is not None:
            words = box.adjusted(theme.px(24), theme.px(26), -theme.px(8), 0)
            self._excerpt(painter, words, hit)
            box.setHeight(theme.px(28))
        dot = theme.px(8)
        painter.setPen(Qt.PenStyle.NoPen)
        # Agents without a color of their own have the accent's, as beside their answers.
        painter.setBrush(QColor(self.colors.get(talk.agent_id, theme.hex("track")) or theme.hex("accent")))
        painter.drawEllipse(box.left() + theme.px(8), box.center().y() - dot // 2 + 1, dot, dot)
        right = box.right() - theme.px(6)
        if over:
            icon("ellipsis", "muted").paint(painter, self._dots(area))
            right = self._dots(area).left() - theme.px(4)
        for name in self._marks(talk):
            side = theme.px(13)
            right -= side
            icon(name, "faint").paint(painter, QRect(right, box.center().y() - side // 2, side, side))
            right -= theme.px(4)
        painter.setPen(theme.color("text"))
        room = QRect(box.left() + theme.px(24), box.top(), right - box.left() - theme.px(28), box.height())
        title = painter.fontMetrics().elidedText(talk.title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), title)

    def _shelf(self, painter: QPainter, option: QStyleOptionViewItem, area: QRect, shelf: Shelf) -> None:
        theme = Theme.current()
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        box = self._ground(painter, option, area, "hover")
        side, left = theme.px(14), box.left() + theme.px(4)
        folded = shelf.folder.collapsed
        kind = "lock" if shelf.folder.agent_id is not None else "folder" if folded else "folder-open"
        for name in ("chevron-right" if folded else "chevron-down", kind):
            icon(name, "muted").paint(painter, QRect(left, box.center().y() - side // 2, side, side))
            left += side + theme.px(4)
        right = box.right() - theme.px(8)
        if over:
            icon("ellipsis", "muted").paint(painter, self._dots(area))
        if over or not shelf.count:
            # The line below an empty folder belongs to it.
            icon("plus", "muted").paint(painter, self._plus(area))
            right = self._plus(area).left() - theme.px(4)
        else:
            count = number(shelf.count)
            painter.setPen(theme.color("faint"))
            room = QRect(box.left(), box.top(), right - box.left(), box.height())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), count)
            right -= painter.fontMetrics().horizontalAdvance(count) + theme.px(6)
        painter.setPen(theme.color("text"))
        font = painter.font()
        font.setWeight(font.Weight.DemiBold)
        painter.setFont(font)
        left += theme.px(2)
        room = QRect(left, box.top(), right - left, box.height())
        title = painter.fontMetrics().elidedText(shelf.title, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), title)

    @staticmethod
    def _ground(painter: QPainter, option: QStyleOptionViewItem, area: QRect, chosen: str) -> QRect:
        """Draw a row's background, colored if ``chosen``, with a focus ring; return its rectangle."""
        theme, state = Theme.current(), option.state
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = area.adjusted(theme.px(4), 1, -theme.px(4), -1)
        selected, over = state & QStyle.StateFlag.State_Selected, state & QStyle.StateFlag.State_MouseOver
        focused = state & QStyle.StateFlag.State_HasFocus
        if selected or over or focused:
            painter.setPen(theme.color("accent") if focused else Qt.PenStyle.NoPen)
            painter.setBrush(
                theme.color(chosen if selected else "hover") if selected or over else Qt.BrushStyle.NoBrush
            )
            painter.drawRoundedRect(box, theme.px(6), theme.px(6))
        return box

    @classmethod
    def _plus(cls, area: QRect) -> QRect:
        """Return the rectangle of a folder's plus, left of its dots."""
        return cls._dots(area).translated(-Theme.current().px(24), 0)

    @staticmethod
    def _dots(area: QRect) -> QRect:
        theme = Theme.current()
        side = theme.px(16)
        return QRect(area.right() - theme.px(12) - side, area.top() + (theme.px(30) - side) // 2, side, side)

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: AnyIndex
    ) -> bool:
        if (
            isinstance(event, QMouseEvent)
            and event.type() == QEvent.Type.MouseButtonPress
            and event.button() == Qt.MouseButton.LeftButton
            and isinstance(index.data(ITEM), Conversation | Shelf)
        ):
            grown, at = Theme.current().px(4), event.position().toPoint()
            if self._dots(option.rect).adjusted(-grown, -grown, grown, grown).contains(at):
                self.menu_wanted.emit(index)
                return True
            plus = self._plus(option.rect).adjusted(-grown, -grown, grown, grown)
            if isinstance(index.data(ITEM), Shelf) and plus.contains(at):
                self.new_wanted.emit(index)
                return True
        return super().editorEvent(event, model, option, index)

    @staticmethod
    def _excerpt(painter: QPainter, room: QRect, hit: Hit) -> None:
        """Draw the excerpt, from shortly before the first hit."""
        theme, metrics = Theme.current(), painter.fontMetrics()
        text = hit.excerpt
        at = min((text.find(word) for word in hit.words if word in text), default=0)
        start = 0
        if metrics.horizontalAdvance(text[: at + LEAD_CHARS]) > room.width():
            start = max(0, at - LEAD_CHARS)
            while start and metrics.horizontalAdvance("…" + text[start - 1 :]) <= room.width():
                start -= 1
            # Start with a whole word.
            start = start + 1 + text[start:at].find(" ") if " " in text[start:at] else start
        text = "…" + text[start:].lstrip() if start else text
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.setPen(theme.color("muted"))
        line = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        for word in hit.words:
            start = shown.find(word)
            if start >= 0:
                left = room.left() + metrics.horizontalAdvance(shown[:start])
                mark = QRect(left, room.top(), metrics.horizontalAdvance(word), metrics.height())
                painter.fillRect(mark, theme.color("mark"))
        painter.drawText(room, line, shown)

    @staticmethod
    def _marks(talk: Conversation) -> list[str]:
        marks = []
        if talk.pinned:
            marks.append("pin")
        if talk.memory != "on":
            marks.append("eye" if talk.memory == "read_only" else "eye-off")
        if talk.archived:
            marks.append("archive")
        return marks
