"""The chat page: conversations, messages, composer, and the panels that explain a reply."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from memdesk.domain.models import Agent, Conversation, Hit, Receipt
from memdesk.gui.operations import conversations as conversation_operations
from memdesk.gui.operations import facts as fact_operations
from memdesk.gui.pages import Page, PageContext
from memdesk.gui.rich import warm_up
from memdesk.gui.views.chat.answer import Answer, AnswerView
from memdesk.gui.views.chat.composer import Composer, files_of
from memdesk.gui.views.chat.conversations import ConversationList
from memdesk.gui.views.chat.forget_selection import ForgetSelection
from memdesk.gui.views.chat.learned import LearnedChip, LearnedPanel
from memdesk.gui.views.chat.loading import Loaded, Opening, load, opening
from memdesk.gui.views.chat.receipt import ReceiptPanel
from memdesk.gui.views.chat.thread import ThreadView, quoting
from memdesk.gui.widgets.buttons import Button
from memdesk.gui.widgets.layout import column, row
from memdesk.gui.widgets.notice import Banner
from memdesk.gui.widgets.states import EmptyState
from memdesk.services.events import AgentsChanged, DistillationFinished, EngineChanged, SettingsChanged, TurnsRecorded
from memdesk.services.ingest_turns import title_of

DEFAULT_AGENT = "default"
#: Widths in px at 100 %.
PANEL = 350
LEAST_CENTRE = 400
#: Answers made at once; each holds one of the lane's threads, and one must be left for everything else.
MOST_ANSWERS = 3


class ChatPage(Page):
    """Joins the parts. Each conversation has at most one answer on its way; one that is left is made to its end."""

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.agent_id = DEFAULT_AGENT
        self.conversation_id: str | None = None
        self.temporary = False
        #: Receipts of the temporary chat that is open; they are stored nowhere.
        self.temporary_receipts: dict[str, Receipt] = {}
        self._agents: dict[str, Agent] = {}
        #: Answers on their way, and the one that is shown.
        self._answers: list[AnswerView] = []
        self._answer: AnswerView | None = None
        #: Files attached to what is not sent yet, by conversation; drafts keep the words alone.
        self._files: dict[tuple[str, str | None], dict[str, str]] = {}
        self._entered = False
        self.setAcceptDrops(True)

    def build(self) -> Iterator[None]:
        """Make the list of conversations, the messages, the composer, and the panels that explain a reply."""
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(1)
        self._panes = row(gap=0)
        self._panes.addWidget(self.splitter, 1)
        self.setLayout(self._panes)
        yield from self._build_list()
        yield from self._build_centre()
        yield from self._build_panels()
        bridge = self.context.bridge
        bridge.on(AgentsChanged, lambda _e: self._load_pickers(), owner=self, settle_ms=200)
        bridge.on(EngineChanged, lambda _e: self._load_pickers(), owner=self, settle_ms=2000)
        bridge.on(SettingsChanged, self._settings_changed, owner=self)
        bridge.on(DistillationFinished, self._distilled, owner=self)
        bridge.on(TurnsRecorded, self._recorded, owner=self)
        bridge.run(warm_up, owner=self, lane="background")
        self._show_memory_state()
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self._find)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.leave)

    def _build_list(self) -> Iterator[None]:
        self.list = ConversationList(self.context)
        self.list.chosen.connect(self._open_found)
        self.list.wanted_new.connect(lambda temporary: self.new_chat(temporary=temporary))
        self.list.deleted.connect(self._deleted)
        self.list.setMinimumWidth(self.context.theme.px(190))
        yield
        centre = QWidget()
        self._centre = column(gap=0)
        centre.setLayout(self._centre)
        self.splitter.addWidget(self.list)
        self.splitter.addWidget(centre)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([self.context.theme.px(250), 10_000])
        yield

    def _build_centre(self) -> Iterator[None]:
        width = self.context.services.settings.current.appearance.conversation_width
        self.messages = ThreadView()
        self.messages.set_reading_width(width)
        self.messages.wanted_receipt.connect(self.show_receipt)
        self.messages.wanted_again.connect(self.regenerate)
        self.messages.resent.connect(self.resend)
        self.messages.remember.connect(self._remember)
        self.messages.forget.connect(self._forget)
        self.welcome = EmptyState(
            "message-square",
            self.tr("What is on your mind?"),
            self.tr("Under each reply you see which memories it used. What you say is remembered once the chat rests."),
        )
        yield
        self.middle = QStackedWidget()
        self.middle.addWidget(self.welcome)
        self.middle.addWidget(self.messages)
        self.banner = Banner()
        self._centre.addWidget(self.banner)
        self._centre.addWidget(self.middle, 1)
        yield
        self.composer = Composer(self.context)
        self.composer.sent.connect(self.send)
        self.composer.stopped.connect(self.stop)
        self.composer.agent_chosen.connect(self._agent_chosen)
        self.composer.memory_chosen.connect(self._memory_chosen)
        self.composer.draft_changed.connect(self._save_draft)
        self.composer.draft_changed.connect(self._warm_up)
        yield
        foot = row(gap=0, margins=(24, 0, 24, 14))
        foot.addStretch(1)
        self._composer_box = QWidget()
        self._composer_box.setLayout(column(self.composer))
        foot.addWidget(self._composer_box, 1000)
        foot.addStretch(1)
        self._composer_box.setMaximumWidth(self.context.theme.px(width))
        self._centre.addLayout(foot)
        yield

    def _build_panels(self) -> Iterator[None]:
        self.receipt = ReceiptPanel(self.context)
        self.receipt.opened.connect(self._open_source)
        yield
        self.learned = LearnedPanel(self.context)
        for panel in (self.receipt, self.learned):
            panel.toggled.connect(self._share_room)
            self._panes.addWidget(panel)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        if self.built:
            self._share_room()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files anywhere on the page, not on the composer alone."""
        if self.built and files_of(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Attach dropped files."""
        self.composer.attach(files_of(event))
        event.acceptProposedAction()

    def _share_room(self) -> None:
        """With a panel open, the list gives way first, then the messages."""
        px, room = self.context.theme.px, self.width()
        panel = next((p for p in (self.receipt, self.learned) if p.isVisible()), None)
        wide = px(PANEL)
        self.list.setVisible(panel is None or room - wide - self.list.width() >= px(LEAST_CENTRE))
        covers = panel is not None and room - wide < px(LEAST_CENTRE)
        self.splitter.setVisible(not covers)
        if panel is not None:
            panel.setFixedWidth(room if covers else wide)

    def _find(self) -> None:
        """Search the conversations; a panel that has taken their room goes."""
        if not self.list.isVisible():
            self.receipt.hide()
            self.learned.hide()
        self.list.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.list.search.selectAll()

    # -- being shown -------------------------------------------------------------------

    def enter(self, **arguments: Any) -> None:
        """Show a conversation, a new chat, or what was open before."""
        first = not self._entered
        self._entered = True
        if first:
            self._load_pickers()
            self.list.reload()
        if arguments.get("conversation_id"):
            self.open_conversation(
                arguments.get("agent_id") or self.agent_id, arguments["conversation_id"], arguments.get("turn_id", "")
            )
        elif arguments.get("new") or first or arguments.get("agent_id"):
            self.new_chat(
                temporary=bool(arguments.get("temporary")),
                agent_id=arguments.get("agent_id"),
                text=arguments.get("text", ""),
            )
        self.composer.editor.setFocus()

    def leave(self) -> None:
        """Keep what is written now, not when the pause after it is over."""
        self.composer.flush()

    def lock(self) -> None:
        """Stop what runs."""
        self.leave()
        for view in self._answers:
            view.stop()

    def unsent(self) -> bool:
        """Whether something is written, said to a temporary chat, or being answered."""
        said_here = self.temporary and bool(self.messages.messages)
        return bool(self.composer.message()) or bool(self._answers) or bool(self._files) or said_here

    def place(self) -> dict[str, Any]:
        """Return the conversation that is open."""
        if self.conversation_id is None or self.temporary:
            return {"agent_id": self.agent_id}
        return {"agent_id": self.agent_id, "conversation_id": self.conversation_id}

    # -- conversations -----------------------------------------------------------------

    def new_chat(self, *, temporary: bool = False, agent_id: str | None = None, text: str = "") -> None:
        """Begin a chat; nothing is stored before the first message."""
        self._leave_conversation()
        self.agent_id = agent_id or self.agent_id
        self.conversation_id = None
        self.temporary = temporary
        self.messages.clear()
        self.middle.setCurrentWidget(self.welcome)
        if temporary:
            self.welcome.set_words(
                self.tr("Temporary chat"),
                self.tr("Nothing of it is stored, and it sees no memory. It is gone when you leave it."),
                "ghost",
            )
        else:
            self.welcome.set_words(
                self.tr("What is on your mind?"),
                self.tr(
                    "Under each reply you see which memories it used. What you say is remembered once the chat rests."
                ),
                "message-square",
            )
        self._settle(Opening(text=text))
        self.list.select("", "")
        self._show_agent()
        if not temporary and not text:
            agent = self.agent_id
            self.context.bridge.run(
                lambda: opening(self.context.services, agent), owner=self, success=self._opened, latest="open"
            )
        self.composer.editor.setFocus()

    def _opened(self, opened: Opening) -> None:
        """Show the draft of a new chat, unless something is written already."""
        self._settle(opened, keep=bool(self.composer.message()))

    def _open_found(self, agent_id: str, conversation_id: str, hit: Hit | None) -> None:
        if hit is None:
            self.open_conversation(agent_id, conversation_id)
        else:
            self.open_conversation(agent_id, conversation_id, hit.turn_id, words=hit.words)

    def open_conversation(
        self, agent_id: str, conversation_id: str, turn_id: str = "", *, words: Sequence[str] = (), quote: str = ""
    ) -> None:
        """Show a conversation.

        Args:
            agent_id: whose.
            conversation_id: which.
            turn_id: a message to go to.
            words: what to mark in it.
            quote: goes to the first message that holds it, when no turn is named.
        """
        if (agent_id, conversation_id) == self._here:
            self._go_to(turn_id or self.messages.quoting(quote), words or (quote,))
            return
        self._leave_conversation()
        self.agent_id, self.conversation_id, self.temporary = agent_id, conversation_id, False
        self._show_agent()
        self.list.select(agent_id, conversation_id)
        underway = self._underway()
        if underway is not None and underway.begins:
            # Nothing of it is stored yet.
            self.context.bridge.supersede(self, "open")
            self.messages.clear()
            self._settle(Opening(memory=underway.memory))
            self._show_answer(underway)
        else:
            self._load(turn_id, words, quote)

    def reload(self) -> None:
        """Show the open conversation as it is stored."""
        if self.conversation_id is not None and not self.temporary:
            self._leave_answer()
            self._load(keep=True)

    def _load(self, turn_id: str = "", words: Sequence[str] = (), quote: str = "", *, keep: bool = False) -> None:
        services, agent_id, conversation_id = self.context.services, self.agent_id, str(self.conversation_id)
        self.context.bridge.run(
            lambda: load(services, agent_id, conversation_id),
            owner=self,
            success=lambda loaded: self._show(
                loaded, turn_id or quoting(loaded.turns, quote), words or (quote,), keep=keep
            ),
            latest="open",
        )

    def _recorded(self, event: TurnsRecorded) -> None:
        """Words came that were not said here: an answer that was left, or a program."""
        here = (event.agent_id, event.conversation_id) == (self.agent_id, self.conversation_id)
        if here and self._answer is None and not all(map(self.messages.has_turn, event.turn_ids)):
            self._load(keep=True)

    def _show(self, loaded: Loaded, turn_id: str, words: Sequence[str], *, keep: bool = False) -> None:
        self._agents[loaded.agent.id] = loaded.agent
        self._show_agent()
        self.messages.show_turns(loaded.agent, loaded.turns, turn_id)
        if loaded.learned is not None:
            self._distilled(loaded.learned)
        self.middle.setCurrentWidget(self.messages if loaded.turns else self.welcome)
        underway = self._underway()
        # What is being answered stays the draft until it is stored, but is no draft to the eye.
        draft = "" if underway is not None and underway.text == loaded.talk.draft else loaded.talk.draft
        self._settle(Opening(text=draft, memory=loaded.memory, used=loaded.used), keep=keep)
        if underway is not None:
            self._show_answer(underway)
        self._go_to(turn_id, words)
        self.composer.editor.setFocus()

    def _go_to(self, turn_id: str, words: Sequence[str]) -> None:
        message = self.messages.find_turn(turn_id)
        if message is not None:
            self.messages.show_message(message, words)

    def _settle(self, opened: Opening, *, keep: bool = False) -> None:
        """Let the composer begin; with ``keep`` what is written in it stays."""
        self.composer.set_temporary(on=self.temporary)
        if not keep:
            self.composer.set_text(opened.text)
            self.composer.set_files({} if self.temporary else self._files.get(self._here, {}))
        self.composer.set_memory(opened.memory)
        self.composer.begin(opened.used)
        self.receipt.hide()
        self.learned.hide()

    def _deleted(self, agent_id: str, conversation_id: str) -> None:
        if (agent_id, conversation_id) == (self.agent_id, self.conversation_id):
            self.new_chat()

    def _leave_conversation(self) -> None:
        """Another conversation is about to be shown: keep what is written in this one."""
        self.composer.flush()
        if not self.temporary:
            self._files.pop(self._here, None)
            if self.composer.files:
                self._files[self._here] = self.composer.files
        self.composer.clear()
        self._leave_answer()
        if self.temporary and self.conversation_id:
            self.temporary_receipts.clear()
            self._end_temporary(self.conversation_id)

    @property
    def _here(self) -> tuple[str, str | None]:
        return self.agent_id, self.conversation_id

    def _end_temporary(self, conversation_id: str) -> None:
        self.context.bridge.run(lambda: self.context.services.chat.end_temporary(conversation_id), owner=self)

    # -- pickers -----------------------------------------------------------------------

    def _load_pickers(self) -> None:
        services, agent_id = self.context.services, self.agent_id
        self.context.bridge.run(
            lambda: (services.agents.all(), services.models.all(), services.chat.default_model(agent_id)),
            owner=self,
            success=self._fill_pickers,
            latest="pickers",
        )

    def _fill_pickers(self, found: tuple[list[Agent], list[Any], str]) -> None:
        agents, models, default = found
        self._agents = {agent.id: agent for agent in agents}
        self.list.set_agents(agents)
        self.composer.set_agents(agents, self.agent_id)
        self.composer.set_models(models, default)
        self._show_agent()

    def _show_agent(self) -> None:
        self.composer.agents.set_key(self.agent_id)
        agent = self._agents.get(self.agent_id)
        if agent is not None:
            self.messages.set_agent(agent)
            self.composer.set_widest_memory(agent.memory)
            self.composer.editor.setPlaceholderText(self.tr("Message {agent}").format(agent=agent.name))

    def _agent_chosen(self, agent_id: str) -> None:
        """Begin a chat with another agent; what is written goes along."""
        if agent_id == self.agent_id:
            return
        text, files, talking = self.composer.editor.toPlainText(), self.composer.files, bool(self.messages.messages)
        self.composer.clear()
        self._save_draft("")
        self.new_chat(agent_id=agent_id, temporary=self.temporary, text=text)
        self.composer.set_files(files)
        self._save_draft(text)
        self._load_pickers()
        if talking:
            self.context.notices.info(
                self.tr("A new chat begins"), self.tr("Every agent has its own memory and its own conversations.")
            )

    def _memory_chosen(self, mode: Any) -> None:
        self.composer.set_memory(mode)
        if self.conversation_id is not None:
            conversation_operations.set_memory(
                context=self.context,
                parent=self,
                agent_id=self.agent_id,
                conversation_id=self.conversation_id,
                mode=mode,
            ).start()

    def _settings_changed(self, event: SettingsChanged) -> None:
        if "appearance.conversation_width" in event.names:
            width = self.context.services.settings.current.appearance.conversation_width
            self.messages.set_reading_width(width)
            self._composer_box.setMaximumWidth(self.context.theme.px(width))
        if "engine.chat_model" in event.names:
            self._load_pickers()
        self._show_memory_state()

    def _show_memory_state(self) -> None:
        settings = self.context.services.settings
        if settings.current.memory.enabled:
            self.banner.hide()
            return
        enable = Button(self.tr("Turn memory on"))
        enable.clicked.connect(
            lambda: self.context.bridge.run(lambda: settings.update("memory", {"enabled": True}), owner=self)
        )
        self.banner.say("warning", self.tr("Memory is off: nothing is remembered and nothing is used."), enable)

    def _save_draft(self, text: str) -> None:
        if self.temporary:
            return
        service, agent_id, talk_id = self.context.services.conversations, self.agent_id, self.conversation_id
        self.context.bridge.run(lambda: service.save_draft(agent_id, talk_id, text), owner=self)

    def _warm_up(self, text: str) -> None:
        """Get the memory ready while the first words are typed."""
        if text and self._answer is None:
            services, agent_id = self.context.services, self.agent_id
            self.context.bridge.run(lambda: services.indexing.warm_up(agent_id), owner=self, lane="background")

    # -- talking -----------------------------------------------------------------------

    def send(self, text: str) -> None:
        """Send a message and stream the answer.

        Until the exchange is recorded the message stays the draft, so that neither a failure nor the end of the
        process loses it.
        """
        self._save_draft(text)
        self.ask(Answer.send(self, text))

    def regenerate(self) -> None:
        """Answer the last message again."""
        last = self.messages.last_assistant()
        if self._answer is not None or last is None or self.conversation_id is None:
            return
        answer = Answer.again(self, last.turn_id)
        self.messages.remove_from(last)
        self.ask(answer)

    def resend(self, turn_id: str, text: str) -> None:
        """Replace a message of the user and answer it."""
        if self._answer is None:
            self.ask(Answer.edited(self, turn_id, text))
        else:
            self.take_back(text)
            self._ask_patience()

    def stop(self) -> None:
        """Stop the answer that is being made; what was said is kept."""
        if self._answer is not None:
            self._answer.stop()

    def ask(self, answer: Answer) -> None:
        """Have an answer made and show how it comes."""
        if len(self._answers) >= MOST_ANSWERS:
            self.take_back(answer.text)
            self._ask_patience()
            return
        view = AnswerView(self, answer)
        self._answers.append(view)
        self._show_answer(view)
        view.start()

    def take_back(self, text: str) -> None:
        """Put a message that was not recorded back where it was written, unless another one is there."""
        if text and not self.composer.editor.toPlainText():
            self.composer.set_text(text)

    def _ask_patience(self) -> None:
        self.context.notices.info(
            self.tr("Answers are still being made"), self.tr("Send this when one of them is finished.")
        )

    def _show_answer(self, view: AnswerView) -> None:
        self.context.bridge.supersede(self, "open")
        self.middle.setCurrentWidget(self.messages)
        self.composer.set_busy(busy=True)
        self.messages.set_busy(busy=True)
        self._answer = view
        view.show()

    def _leave_answer(self) -> None:
        """Another conversation is shown: the answer is made to its end unseen, a temporary one ends."""
        view, self._answer = self._answer, None
        if view is None:
            return
        if view.temporary:
            view.stop()
        view.hide()
        self._idle()

    def _idle(self) -> None:
        self.composer.set_busy(busy=False)
        self.messages.set_busy(busy=False)

    def _underway(self) -> AnswerView | None:
        """Return the answer that is made in the conversation that is open."""
        mine = (v for v in self._answers if not v.temporary and (v.agent_id, v.conversation_id) == self._here)
        return next(mine, None)

    def placed(self, view: AnswerView) -> None:
        """A chat that begins was given its id."""
        if self._answer is view:
            self.conversation_id = view.conversation_id
        if view.begins and not view.temporary:
            self._show_underway()

    def answered(self, view: AnswerView) -> None:
        """An answer is complete, stopped or failed."""
        self._answers.remove(view)
        if view.temporary and self._answer is not view and view.conversation_id:
            # It ended after its chat did, and may have been added to it.
            self._end_temporary(view.conversation_id)
        if self._answer is view:
            self._answer = None
            if view.begins and not view.recorded:
                self.conversation_id = None
            elif view.begins:
                # What was written meanwhile had no conversation to be kept with.
                self._save_draft(self.composer.editor.toPlainText())
            self._idle()
        self._show_underway()

    def _show_underway(self) -> None:
        beginning = [
            Conversation(
                agent_id=view.agent_id, id=view.conversation_id, title=title_of(view.text), memory=view.memory,
                created_at=view.since, updated_at=view.since,
            )
            for view in self._answers
            if view.begins and view.conversation_id and not view.temporary
        ]  # fmt: skip
        self.list.set_underway(beginning)
        if self.conversation_id is not None and not self.temporary:
            self.list.select(self.agent_id, self.conversation_id)

    @property
    def answering(self) -> bool:
        """Whether an answer is being made in the conversation that is open."""
        return self._answer is not None

    # -- memory ------------------------------------------------------------------------

    def _open_source(self, agent_id: str, conversation_id: str, turn_id: str, quote: str) -> None:
        self.open_conversation(agent_id, conversation_id, turn_id, quote=quote)

    def show_receipt(self, receipt_id: str) -> None:
        """Open why a reply saw what it saw."""
        self.learned.hide()
        kept = self.temporary_receipts.get(receipt_id)
        if kept is not None:
            self.receipt.show_receipt(kept)
        else:
            self.receipt.load(receipt_id)

    def _distilled(self, event: DistillationFinished) -> None:
        mine = (event.agent_id, event.conversation_id) == (self.agent_id, self.conversation_id)
        if mine and event.outcome == "distilled":
            self.messages.set_end_note(lambda: self._learned_chip(event))

    def _learned_chip(self, event: DistillationFinished) -> LearnedChip:
        chip = LearnedChip(event)
        chip.opened.connect(self._open_learned)
        return chip

    def _open_learned(self, event: DistillationFinished) -> None:
        self.receipt.hide()
        self.learned.load(event)

    def _remember(self, turn_id: str, text: str) -> None:
        fact_operations.remember(
            context=self.context, parent=self, agent_id=self.agent_id, text=text, turn_id=turn_id or None
        ).start()

    def _forget(self, _turn_id: str, text: str) -> None:
        ForgetSelection(self.context, self, self.agent_id, text).open()
