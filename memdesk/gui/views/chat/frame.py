"""The parts of the chat page and their layout."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QSplitter, QWidget

from memdesk.gui.models.chat import ChatModel
from memdesk.gui.pages import Page, PageContext
from memdesk.gui.views.chat.composer import Composer
from memdesk.gui.views.chat.conversations import ConversationList
from memdesk.gui.views.chat.editor import files_in
from memdesk.gui.views.chat.explaining import Explaining
from memdesk.gui.views.chat.head import ChatHead
from memdesk.gui.views.chat.thread import ThreadView
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.layout import ScrollColumn, Stack, boxed, column, row
from memdesk.gui.widgets.notice import Banner
from memdesk.gui.widgets.states import EmptyState
from memdesk.services.events import SettingsChanged

#: Widths in px at 100 %.
PANEL = 350
LEAST_CENTER = 400
#: With less space than this beside the list, only the list or the messages are shown.
LEAST_BESIDE = 260
#: Width of a scroll bar, as in ``base.qss``.
SCROLL_BAR = 12


class ChatFrame(Page):
    """The list of conversations, the messages above the composer, and the panels that explain a reply."""

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        #: State shared by the parts.
        self.model = ChatModel()
        self.explaining = Explaining(context, self.model, self)
        self.setAcceptDrops(True)

    def build(self) -> Iterator[None]:
        self.splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False, handleWidth=1)
        self._panes = row((self.splitter, 1), gap=0)
        self.setLayout(self._panes)
        yield from self._build_list()
        yield from self._build_messages()
        yield from self._build_composer()
        yield from self.explaining.build()
        self.model.watch(self._say_welcome, "open", "memory")
        self.model.watch(self.leave_list, "open")
        self.model.watch(self._show_agent, "open", "agents")
        self.model.watch(self._show_busy, "busy")
        self.model.watch(lambda: self.composer.show_fullness(self.model.fullness), "fullness")
        self.composer.choices.sight_changed.connect(self.composer.know_sight)
        self.explaining.toggled.connect(self._share_room)
        for panel in self.explaining.panels:
            self._panes.addWidget(panel)
            panel.closed.connect(self.composer.editor.setFocus)
        self._share_room()
        self.context.bridge.on(SettingsChanged, self._settings_changed, owner=self)
        self._show_memory_state()
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self._find)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _build_list(self) -> Iterator[None]:
        self.list = ConversationList(self.context)
        yield from self.list.build()
        self.list.setMinimumWidth(self.context.theme.px(190))
        center = QWidget()
        self._middle = center
        self._center = column(gap=0)
        center.setLayout(self._center)
        self.splitter.addWidget(self.list)
        self.splitter.addWidget(center)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([self.context.theme.px(250), 10_000])
        yield

    def _build_messages(self) -> Iterator[None]:
        #: In narrow windows, whether the list is shown instead of the messages.
        self._listing = False
        self.head = ChatHead(self.model, self._show_list)
        self._center.addWidget(self.head)
        self.messages = ThreadView()
        yield
        self.welcome = EmptyState("message-square", "", "")
        self._say_welcome()
        self.beginning = ScrollColumn(margins=0)
        self.beginning.body.addWidget(self.welcome)
        self.middle = Stack()
        # What the composer says must be read whole; this scrolls.
        self.middle.setMinimumHeight(1)
        self.middle.addWidget(self.beginning)
        self.middle.addWidget(self.messages)
        self.banner = Banner()
        self._center.addWidget(self.banner)
        self._center.addWidget(self.middle, 1)
        yield

    def _build_composer(self) -> Iterator[None]:
        self.composer = Composer(self.context)
        yield from self.composer.build()
        yield
        self._composer_box = boxed(column(self.composer))
        # Same right margin as the messages, which have space for the scroll bar.
        foot = row(None, (self._composer_box, 1000), None, gap=0, margins=(24, 0, 24 + SCROLL_BAR, 14))
        self._center.addLayout(foot)
        self._take_reading_width()
        yield

    def _say_welcome(self) -> None:
        """Say what kind of chat is starting."""
        if self.model.temporary:
            self.welcome.set_words(
                self.tr("Temporary chat"),
                self.tr("Nothing of it is stored, and it sees no memory. It is gone when you leave it."),
                "ghost",
            )
            return
        enabled = self.context.services.settings.current.memory.enabled
        mode = self.model.memory if enabled else "off"
        words = {
            "on": self.tr(
                "Under each reply you see which memories it used. What you say is remembered once the chat rests."
            ),
            "read_only": self.tr("Replies use your memory. Nothing you say in this chat is remembered."),
            "off": self.tr("Memory is off here: replies see none of it, and nothing you say is remembered."),
        }
        icons = {"on": "message-square", "read_only": "eye", "off": "eye-off"}
        self.welcome.set_words(self.tr("What is on your mind?"), words[mode], icons[mode])

    def _settings_changed(self, event: SettingsChanged) -> None:
        if "appearance.conversation_width" in event.names:
            self._take_reading_width()
        self._show_memory_state()
        self._say_welcome()

    def _show_memory_state(self) -> None:
        context, settings = self.context, self.context.services.settings
        if settings.current.memory.enabled:
            self.banner.hide()
            return
        enable = Button(
            self.tr("Turn memory on"),
            lambda: context.bridge.run(self, lambda: settings.update("memory", {"enabled": True})),
        )
        self.banner.say("warning", self.tr("Memory is off: nothing is remembered and nothing is used."), enable)

    def _show_agent(self) -> None:
        agent = self.model.agent
        if agent is not None:
            self.messages.set_agent(agent)
            self.composer.editor.setPlaceholderText(self.tr("Message {agent}").format(agent=agent.name))

    def _show_busy(self) -> None:
        self.composer.set_busy(busy=self.model.busy)
        self.messages.set_busy(busy=self.model.busy)

    def _take_reading_width(self) -> None:
        """Apply the reading width to messages and composer."""
        width = self.context.services.settings.current.appearance.conversation_width
        self.messages.set_reading_width(width)
        self._composer_box.setMaximumWidth(self.context.theme.px(width))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.built:
            self._share_room()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files and pictures anywhere on the page, not only on the composer."""
        if self.built and (files_in(event.mimeData()) or event.mimeData().hasImage()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.composer.editor.dropEvent(event)

    def _share_room(self) -> None:
        """With a panel open, hide the list first, then the messages."""
        px, room = self.context.theme.px, self.width()
        panel = self.explaining.open
        wide = px(PANEL)
        beside = self.list.minimumWidth() + px(LEAST_BESIDE) <= room
        alone = panel is None and not beside
        room_for_list = panel is None or room - wide - self.list.width() >= px(LEAST_CENTER)
        self.list.setVisible(self._listing if alone else room_for_list)
        self._middle.setVisible(not (alone and self._listing))
        self.head.show_list_button(on=alone)
        covers = panel is not None and room - wide < px(LEAST_CENTER)
        focus = self.window().focusWidget()
        if panel is not None and covers and focus is not None and self.splitter.isAncestorOf(focus):
            # By default, Qt gives the focus to the first control of the window.
            panel.close_button.setFocus()
        self.splitter.setVisible(not covers)
        if panel is not None:
            panel.setFixedWidth(room if covers else wide)

    def _show_list(self) -> None:
        """Show the conversations instead of the messages."""
        self._listing = True
        self._share_room()
        self.list.search.setFocus()

    def leave_list(self) -> None:
        """Show the messages again instead of the list."""
        if self._listing:
            self._listing = False
            self._share_room()

    def _find(self) -> None:
        """Search the conversations; close a panel that hides them."""
        if not self.list.isVisible():
            self.explaining.close()
        if not self.list.isVisible():
            self._show_list()
        self.list.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.list.search.selectAll()
