"""Messages: the user's in a bubble, the agent's across the column."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal, SignalInstance
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QWidget

from memdesk.domain.chatting.files import SentFile, apart, joined
from memdesk.gui.icons import icon
from memdesk.gui.rich import Drawn
from memdesk.gui.segments import split
from memdesk.gui.speech import Speaker
from memdesk.gui.text import tr
from memdesk.gui.theme import Theme
from memdesk.gui.views.chat.aloud import ReadButton
from memdesk.gui.views.chat.outside import ToolRow
from memdesk.gui.views.chat.pieces import Pieces
from memdesk.gui.views.chat.rewording import Rewording
from memdesk.gui.views.chat.shown import FileRead, Small, Thumbnail, size_of
from memdesk.gui.views.chat.thinking import ThinkingRow, Thoughts
from memdesk.gui.views.chat.versions import VersionArrows
from memdesk.gui.widgets.buttons import Button, IconButton
from memdesk.gui.widgets.code import CodeView
from memdesk.gui.widgets.copying import copying
from memdesk.gui.widgets.dot import Dot
from memdesk.gui.widgets.labels import Label
from memdesk.gui.widgets.layout import FlowLayout, boxed, column, flowing, row
from memdesk.gui.widgets.richtext import PlainBox, RichText
from memdesk.gui.words import answer_figures, clock, moment, number
from memdesk.ports import Usage
from memdesk.services.chatting import FinishReason, ToolAsked, ToolUsed

#: Longer user messages are folded to this many characters.
LONG_CHARS, LONG_LINES = 2400, 24
#: Height of the box with the whole message, in px at 100 %.
LONG_HEIGHT = 380
#: Side of a picture in a message, in px at 100 %.
THUMB = 200


class Wishes(QObject):
    """Requests from any of a chat's messages.

    ``remember`` and ``forget`` have ``(turn id, selected text)``, ``resent`` and ``resent_apart`` (in a separate chat)
    ``(turn id, new text)``, ``released`` the turn and the view where the mouse was released, ``turned`` the key of
    another version to show, ``branched`` the turn to branch from, ``kept`` the one of two answers to continue with,
    ``opened`` a picture to show large, and ``drawing_wanted`` a diagram. ``speaker`` reads all of them aloud.
    """

    remember = Signal(str, str)
    forget = Signal(str, str)
    resent = Signal(str, str)
    resent_apart = Signal(str, str)
    released = Signal(str, object)
    turned = Signal(str)
    branched = Signal(str)
    kept = Signal(str)
    opened = Signal(object)
    drawing_wanted = Signal(object)
    wanted_receipt = Signal(str)
    wanted_again = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.speaker = Speaker(self)


class Message(QWidget):
    """Base: the text, its turn, and actions on a selection."""

    def __init__(self, wishes: Wishes, text: str, turn_id: str = "") -> None:
        super().__init__()
        self.wishes = wishes
        self.text = text
        self.turn_id = turn_id
        self.versions = VersionArrows()
        self.versions.wanted.connect(wishes.turned)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def views(self) -> list[RichText | CodeView]:
        """Return the text views, from top to bottom."""
        return []

    @property
    def growing(self) -> bool:
        return False

    @property
    def in_use(self) -> bool:
        """Whether it has state that cannot be reloaded."""
        return False

    def mark(self, words: Sequence[str]) -> int:
        """Highlight words; return the vertical position of the first, in px, or -1."""
        for view in self.views():
            top = view.mark(words)
            if top >= 0:
                return top + view.mapTo(self, QPoint(0, 0)).y()
        return -1

    def extend_menu(self, selected: str, menu: QMenu) -> None:
        """Add memory actions on a selection."""
        if not selected.strip():
            return
        menu.addSeparator()
        keep = menu.addAction(icon("bookmark-plus"), self.tr("Remember this"))
        keep.triggered.connect(lambda: self.wishes.remember.emit(self.turn_id, selected))
        drop = menu.addAction(icon("eraser"), self.tr("Forget this…"))
        drop.triggered.connect(lambda: self.wishes.forget.emit(self.turn_id, selected))

    def _released(self, view: RichText | CodeView) -> None:
        self.wishes.released.emit(self.turn_id, view)

    def thumbs(self, pictures: Sequence[Small]) -> list[Thumbnail]:
        shown = [Thumbnail(small, side=THUMB) for small in pictures]
        for thumb in shown:
            thumb.opened.connect(self.wishes.opened)
        return shown

    def copied(self) -> str:
        return self.text

    def copy_button(self) -> IconButton:
        return copying(IconButton("copy", self.tr("Copy message"), side=14), self.copied)


class UserMessage(Message):
    """A user message, with its attachments as chips."""

    def __init__(
        self,
        wishes: Wishes,
        text: str,
        turn_id: str = "",
        when: datetime | None = None,
        pictures: Sequence[Small] = (),
    ) -> None:
        super().__init__(wishes, text, turn_id)
        self.words, self.files = apart(text)
        self.pictures = tuple(pictures)
        self._column_width = 0
        self.setAccessibleName(self.tr("You said"))
        self.view = RichText(self.tr("You said"))
        self.view.menu_wanted.connect(self.extend_menu)
        self.view.released.connect(self._released)
        self.bubble = QFrame()
        self.bubble.setObjectName("userBubble")
        self._inner = column(self.view, gap=4, margins=(12, 8, 12, 8))
        #: Attachments above the text, each kind on its own lines.
        self._shown: list[list[QWidget]] = [[*self.thumbs(self.pictures)], [*map(self._chip, self.files)]]
        self._kinds = [flowing(*shown) for shown in self._shown]
        for place, kind in enumerate(self._kinds):
            self._inner.insertWidget(place, kind)
            if not self._shown[place]:
                kind.hide()
        self._box_of_all: PlainBox | None = None
        self._unfold = Button("", self._fold, variant="link", icon_name="chevron-down")
        self._inner.addWidget(self._unfold, 0, Qt.AlignmentFlag.AlignLeft)
        self.bubble.setLayout(self._inner)
        self._edit = IconButton("pencil", self.tr("Edit and send again"), self.edit, side=14)
        self._stamp = Label(_clock(when), "small")
        foot = row(None, self._stamp, self.versions, self.copy_button(), self._edit, gap=2)
        self.setLayout(column(row(None, self.bubble, gap=0), foot, gap=2))
        self.show_edit(on=True)
        self.view.show_plain(_beginning(self.words))
        self._show_words()
        self._name_fold()

    def show_files(self, text: str) -> None:
        """Show the files of the message as sent, including earlier ones it refers to."""
        words, files = apart(text)
        if words == self.words and files != self.files:
            self.text, self.files = text, files
            self._shown[1] = list(map(self._chip, files))
            was, self._kinds[1] = self._kinds[1], flowing(*self._shown[1])
            self._inner.replaceWidget(was, self._kinds[1])
            was.deleteLater()
            self.set_width(self._column_width)

    def _chip(self, file: SentFile) -> Button:
        """Return a file's chip, which opens its text as read."""
        words = f"{file.name} · {size_of(file)}"
        chip = Button(words, partial(self._read, file), variant="chip", icon_name="file-text")
        chip.setToolTip(self.tr("Show what the model was given of it"))
        return chip

    def _read(self, file: SentFile) -> None:
        dialog = FileRead(self.window(), file)
        dialog.box.menu_wanted.connect(self.extend_menu)
        dialog.open()

    def copied(self) -> str:
        """Return only the text; without any, the whole message."""
        return self.words or self.text

    def views(self) -> list[RichText | CodeView]:
        return [self.view]

    @property
    def in_use(self) -> bool:
        return not self._edit.isEnabled()

    def _fold(self) -> None:
        """Expand a long message in a box, or fold it again."""
        if self._box_of_all is None:
            height = Theme.current().px(LONG_HEIGHT)
            self._box_of_all = PlainBox(self.words, self.accessibleName(), height=height)
            self._box_of_all.menu_wanted.connect(self.extend_menu)
            self._inner.insertWidget(self._inner.indexOf(self.view) + 1, self._box_of_all)
            self.view.hide()
        else:
            self._inner.removeWidget(self._box_of_all)
            self._box_of_all.deleteLater()
            self._box_of_all = None
            self.view.show()
        self._name_fold()
        self.set_width(self._column_width)

    def _name_fold(self) -> None:
        folded = self._box_of_all is None
        words = self.tr("Show all ({n} characters)").format(n=number(len(self.words)))
        self._unfold.setText(words if folded else self.tr("Show less"))
        self._unfold.set_icon("chevron-down" if folded else "chevron-up")

    def bind(self, turn_id: str, when: datetime) -> None:
        """Set the turn and its time, once stored."""
        self.turn_id = turn_id
        self._stamp.setText(_clock(when))
        self.show_edit(on=True)

    def show_edit(self, *, on: bool) -> None:
        """Offer to edit the message, once it is stored."""
        self._edit.setVisible(on and bool(self.turn_id))

    def set_width(self, width: int) -> None:
        """Fit the width to the text, at most four fifths of the column."""
        theme = Theme.current()
        self._column_width = width
        most = int(width * 0.82)
        if self._box_of_all is not None or not self._unfold.isHidden():
            self.bubble.setFixedWidth(most)
            return
        side_by_side = max(sum(shown.sizeHint().width() + 8 for shown in kind) for kind in self._shown)
        words = self.view.ideal_width() if self.words else 0
        wanted = max(words, side_by_side) + theme.px(24) + 2
        self.bubble.setFixedWidth(max(theme.px(60), min(most, wanted)))

    def edit(self) -> None:
        """Edit the text in place."""
        if self._box_of_all is not None:
            self._fold()
        self._edit.setEnabled(False)
        self.view.hide()
        self._unfold.hide()
        field = Rewording(self.words)
        field.sent.connect(partial(self._resend, self.wishes.resent))
        field.apart.connect(partial(self._resend, self.wishes.resent_apart))
        field.left.connect(self._show_words)
        field.left.connect(lambda: self.set_width(self._column_width))
        self._inner.addWidget(field)
        self.bubble.setFixedWidth(int(self.width() * 0.82))
        field.setFocus()

    def _resend(self, told: SignalInstance, text: str) -> None:
        told.emit(self.turn_id, joined(text, self.files))

    def _show_words(self) -> None:
        self.view.setVisible(bool(self.words) or not (self.pictures or self.files))
        self._unfold.setVisible(_beginning(self.words) != self.words)
        self._edit.setEnabled(True)


class AssistantMessage(Message):
    """An agent's message, and how it was produced."""

    def __init__(self, wishes: Wishes, name: str, color: str) -> None:
        super().__init__(wishes, "")
        self.receipt_id = ""
        self.memories = 0
        #: Whether it was interrupted and is not stored.
        self.failed = False
        self.setAccessibleName(self.tr("{agent} said").format(agent=name))
        self.head = row(Dot("accent", color, side=10), Label(name, "strong"), None)
        #: The model's thinking, while this message is shown.
        self.thinking: ThinkingRow | None = None
        #: Calls of other programs' tools, by id.
        self._tools: dict[str, ToolRow] = {}
        self._pieces = Pieces(self.accessibleName())
        self._pieces.menu_wanted.connect(self.extend_menu)
        self._pieces.released.connect(self._released)
        self._pieces.drawing_wanted.connect(wishes.drawing_wanted)
        self._pieces.opened.connect(wishes.opened)
        self.status = Label("", "muted", wrap=True)
        self.chip = Button("", lambda: wishes.wanted_receipt.emit(self.receipt_id), variant="chip", icon_name="brain")
        self._notes: list[QWidget] = []
        self._end_note: QWidget | None = None
        self._figures = Label("", "small")
        self._copy = self.copy_button()
        self._again = IconButton("refresh-cw", self.tr("Answer again"), wishes.wanted_again.emit, side=14)
        self._branch = IconButton(
            "waypoints", self.tr("Go on from here in a new chat"), lambda: wishes.branched.emit(self.turn_id), side=14
        )
        self.read = ReadButton(wishes.speaker)
        self.foot = QWidget()
        self._flow = FlowLayout(self.foot)
        tail = boxed(row(self.versions, self._figures, self._copy, self.read, self._again, self._branch, gap=2))
        for widget in (self.chip, tail):
            self._flow.addWidget(widget)
        for part in (self.status, self.chip, self._figures, self._copy, self._again, self._branch, self.foot):
            part.hide()
        self.rows = column(self.head, self._pieces, self.status, self.foot, gap=6)
        self.setLayout(self.rows)

    # -- words -------------------------------------------------------------------------

    def show_pictures(self, pictures: Sequence[Small]) -> None:
        self.rows.insertWidget(self.rows.indexOf(self.status), flowing(*self.thumbs(pictures)))

    def show_waiting(self, text: str) -> None:
        """Show a status before the first word."""
        self.status.setText(text)
        self.status.setVisible(bool(text))

    def show_thinking(self, thoughts: Thoughts) -> None:
        """Show the model's thinking, or the new part of it."""
        if self.thinking is None:
            self.thinking = ThinkingRow(thoughts)
            self.rows.insertWidget(1, self.thinking)
        else:
            self.thinking.refresh()

    def show_tool(self, call: ToolAsked | ToolUsed) -> None:
        """Show a call of another program's tool, or its outcome."""
        known = self._tools.get(call.id)
        if known is not None:
            known.show_call(call)
            return
        self._tools[call.id] = made = ToolRow(call)
        self.rows.insertWidget(self.rows.indexOf(self._pieces), made)

    def show_tools_used(self, used: Sequence[Mapping[str, str]]) -> None:
        """Say which tools of other programs a stored answer used."""
        names = dict.fromkeys(f"“{each['tool']}” ({each['server']})" for each in used)
        if names:
            words = self.tr("Used {tools}").format(tools=", ".join(names))
            self.rows.insertWidget(self.rows.indexOf(self._pieces), Label(words, "small", wrap=True))

    def set_text(self, text: str) -> None:
        """Show the text so far; only changed segments are redrawn."""
        self._take_text(text)
        if text:
            self.status.hide()
        self._pieces.show_segments(split(text))

    def set_drawn(self, text: str, drawn: list[Drawn]) -> None:
        """Show text drawn on a lane."""
        self._take_text(text)
        self._pieces.show_segments(drawn)

    def _take_text(self, text: str) -> None:
        self.text = text
        self._copy.setVisible(bool(text))
        self.read.offer(text)
        if text:
            self.foot.show()

    @property
    def growing(self) -> bool:
        return self._pieces.growing

    @property
    def in_use(self) -> bool:
        return bool(self._notes)

    def views(self) -> list[RichText | CodeView]:
        return self._pieces.views()

    def redraw(self) -> None:
        self._pieces.forget()
        self.set_text(self.text)

    # -- what is known about it ----------------------------------------------------------

    def show_receipt(self, receipt_id: str, count: int, *, asked: bool = True) -> None:
        """Show the chip that opens the receipt (empty: none), with the number of memories in the reply."""
        self.receipt_id, self.memories = receipt_id, count
        if count:
            self.chip.setText(" " + tr("%n memories", "", count))
            self.chip.set_tone("accent")
        else:
            self.chip.setText(" " + (self.tr("no memory used") if asked else self.tr("memory off")))
            self.chip.set_tone("")
        self.chip.setEnabled(bool(receipt_id))
        self.chip.setAccessibleName(self.tr("Why this reply: {what}").format(what=self.chip.text().strip()))
        self.chip.show()
        self.foot.show()

    def show_figures(self, usage: Usage | None, *, model: str = "", finish: FinishReason = "stop") -> None:
        """Show speed, length and model, and how it ended unless normally."""
        words = answer_figures(usage, finish)
        self._figures.setText(words)
        self._figures.setVisible(bool(words))
        self._figures.setToolTip(model)
        self.foot.show()

    def offer_branch(self) -> None:
        self._branch.setVisible(bool(self.turn_id))

    def show_again(self, *, on: bool) -> None:
        self._again.setVisible(on)

    def add_note(self, widget: QWidget) -> None:
        """Put a chip beside the receipt's."""
        self._flow.addWidget(widget)
        self._notes.append(widget)
        self.foot.show()

    def put_end_note(self, widget: QWidget) -> None:
        """Put a chip there that takes the place of the former one of its kind."""
        if self._end_note is not None:
            self._notes.remove(self._end_note)
            self._flow.removeWidget(self._end_note)
            self._end_note.hide()
            self._end_note.deleteLater()
        self._end_note = widget
        self.add_note(widget)


def _clock(when: datetime | None) -> str:
    """Return the time of day, with the date if it was another day."""
    if when is None:
        return ""
    return clock(when) if when.date() == datetime.now(when.tzinfo).date() else moment(when)


def _beginning(text: str) -> str:
    """Return a message, or the start of a long one."""
    lines = text.split("\n", LONG_LINES)
    if len(text) <= LONG_CHARS and len(lines) <= LONG_LINES:
        return text
    return "\n".join(lines[: LONG_LINES // 2])[: LONG_CHARS // 2].rstrip() + " …"
