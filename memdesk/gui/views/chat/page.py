"""The chat page: which conversation is open, and what each part of the page is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from memdesk.domain.drafts import Draft
from memdesk.domain.models import Hit
from memdesk.gui.commands import Command
from memdesk.gui.operations import facts as fact_operations
from memdesk.gui.pages import PageContext
from memdesk.gui.rich import warm_up
from memdesk.gui.views.chat.answers import Answers
from memdesk.gui.views.chat.drafts import Drafts, Place
from memdesk.gui.views.chat.forget_selection import ForgetSelection
from memdesk.gui.views.chat.frame import ChatFrame
from memdesk.gui.views.chat.learned import LearnedChip
from memdesk.gui.views.chat.loading import Loaded, Opening, load, opening
from memdesk.gui.views.chat.pickers import Pickers
from memdesk.gui.views.chat.thread import quoting
from memdesk.gui.widgets.buttons import Button
from memdesk.services.events import DistillationFinished, SettingsChanged, TurnsRecorded

DEFAULT_AGENT = "default"


class ChatPage(ChatFrame):
    """Opens conversations, begins new ones, and joins the parts."""

    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(context, parent)
        self.agent_id = DEFAULT_AGENT
        self.conversation_id: str | None = None
        self.temporary = False
        self.answers = Answers(self)
        self.drafts = Drafts(context, self)
        self._entered = False

    def build(self) -> Iterator[None]:
        """Make the parts, and hear what the user wants of each."""
        yield from super().build()
        self.pickers = Pickers(self)
        self.list.chosen.connect(self._open_found)
        self.list.wanted_new.connect(lambda temporary: self.new_chat(temporary=temporary))
        self.list.deleted.connect(self._deleted)
        self.messages.wanted_receipt.connect(self.explaining.show_receipt)
        self.messages.wanted_again.connect(self.answers.regenerate)
        self.messages.resent.connect(self.answers.resend)
        self.messages.remember.connect(self._remember)
        self.messages.forget.connect(self._forget)
        self.composer.sent.connect(self.answers.send)
        self.composer.stopped.connect(self.answers.stop)
        self.composer.draft_changed.connect(self.keep_draft)
        self.composer.draft_changed.connect(self._warm_up)
        self.explaining.receipt.opened.connect(self._open_source)
        bridge = self.context.bridge
        bridge.on(SettingsChanged, self._settings_changed, owner=self)
        bridge.on(DistillationFinished, self._distilled, owner=self)
        bridge.on(TurnsRecorded, self._recorded, owner=self)
        bridge.run(warm_up, owner=self, lane="background")
        self._show_memory_state()
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.leave)

    # -- being shown -------------------------------------------------------------------

    def enter(self, **arguments: Any) -> None:
        """Show a conversation, a new chat, or what was open before."""
        first = not self._entered
        self._entered = True
        if first:
            self.pickers.load()
            self.list.reload()
        if arguments.get("conversation_id"):
            self.open_conversation(
                arguments.get("agent_id") or self.agent_id, arguments["conversation_id"], arguments.get("turn_id", "")
            )
        elif arguments.get("new") or first or arguments.get("agent_id"):
            self.new_chat(
                temporary=bool(arguments.get("temporary")),
                agent_id=arguments.get("agent_id"),
                draft=Draft(arguments.get("text", "")),
            )
        self.composer.editor.setFocus()

    def leave(self) -> None:
        """Keep what is written now, not when the pause after it is over."""
        self.composer.flush()

    def lock(self) -> None:
        """Stop what runs."""
        self.leave()
        self.answers.stop_all()

    def unsent(self) -> bool:
        """Whether something is written, said to a temporary chat, or being answered."""
        said_here = self.temporary and bool(self.messages.messages)
        return not self.composer.empty or bool(self.answers) or said_here

    def place(self) -> dict[str, Any]:
        """Return the conversation that is open."""
        if self.conversation_id is None or self.temporary:
            return {"agent_id": self.agent_id}
        return {"agent_id": self.agent_id, "conversation_id": self.conversation_id}

    def commands(self) -> tuple[str, list[Command]]:
        """Return what can be done with the conversation that is open."""
        return self.tr("This conversation"), [] if self.temporary else self.list.commands()

    # -- conversations -----------------------------------------------------------------

    def new_chat(self, *, temporary: bool = False, agent_id: str | None = None, draft: Draft | None = None) -> None:
        """Begin a chat with a draft, or the one that waits; nothing else is stored before the first message."""
        self._leave_conversation()
        self.agent_id = agent_id or self.agent_id
        self.conversation_id = None
        self.temporary = temporary
        self.messages.clear()
        self.middle.setCurrentWidget(self.welcome)
        self.say_welcome(temporary=temporary)
        self._settle(Opening(draft=draft or Draft()))
        self.list.select("", "")
        self.pickers.show_agent()
        if not temporary and not draft:
            agent = self.agent_id
            self.context.bridge.run(
                lambda: opening(self.context.services, agent), owner=self, success=self._opened, latest="open"
            )
        self.composer.editor.setFocus()

    def _opened(self, opened: Opening) -> None:
        """Show the draft of a new chat, unless something is written already."""
        self._settle(replace(opened, draft=self._waiting(opened.draft)), keep=not self.composer.empty)

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
        if (agent_id, conversation_id) == self.here:
            self._go_to(turn_id or self.messages.quoting(quote), words or (quote,))
            return
        self._leave_conversation()
        self.agent_id, self.conversation_id, self.temporary = agent_id, conversation_id, False
        self.pickers.show_agent()
        self.list.select(agent_id, conversation_id)
        underway = self.answers.here()
        if underway is not None and underway.begins:
            # Nothing of it is stored yet.
            self.context.bridge.supersede(self, "open")
            self.messages.clear()
            self._settle(Opening(memory=underway.memory))
            self.answers.show(underway)
        else:
            self._load(turn_id, words, quote)

    def reload(self) -> None:
        """Show the open conversation as it is stored."""
        if self.conversation_id is not None and not self.temporary:
            self.answers.leave()
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
        if here and self.answers.shown is None and not all(map(self.messages.has_turn, event.turn_ids)):
            self._load(keep=True)

    def _show(self, loaded: Loaded, turn_id: str, words: Sequence[str], *, keep: bool = False) -> None:
        self.pickers.learn(loaded.agent)
        self.list.know(loaded.talk)
        self.messages.show_turns(loaded.agent, loaded.turns, turn_id)
        if loaded.learned is not None:
            self._distilled(loaded.learned)
        self.middle.setCurrentWidget(self.messages if loaded.turns else self.welcome)
        underway = self.answers.here()
        self._settle(Opening(draft=self._waiting(loaded.draft), memory=loaded.memory, used=loaded.used), keep=keep)
        if underway is not None:
            self.answers.show(underway)
        self._go_to(turn_id, words)
        self.composer.editor.setFocus()

    def _go_to(self, turn_id: str, words: Sequence[str]) -> None:
        message = self.messages.find_turn(turn_id)
        if message is not None:
            self.messages.show_message(message, words)

    def _settle(self, opened: Opening, *, keep: bool = False) -> None:
        """Let the composer begin; with ``keep`` what is written in it stays."""
        self.composer.choices.set_temporary(on=self.temporary)
        if not keep:
            self.composer.set_draft(opened.draft)
        self.composer.choices.set_memory(opened.memory)
        self.composer.begin(opened.used)
        self.explaining.close()

    def _waiting(self, stored: Draft) -> Draft:
        """Return what waits to be sent here: while it is answered it stays stored, but is no draft to the eye."""
        draft, underway = self.drafts.latest(self.here, stored), self.answers.here()
        return Draft() if underway is not None and underway.draft == draft else draft

    def _deleted(self, agent_id: str, conversation_id: str) -> None:
        if (agent_id, conversation_id) == (self.agent_id, self.conversation_id):
            self.new_chat()

    def _leave_conversation(self) -> None:
        """Another conversation is about to be shown: keep what is written in this one."""
        self.composer.flush()
        self.composer.clear()
        self.answers.leave()
        if self.temporary and self.conversation_id:
            self.explaining.temporary.clear()
            self.end_temporary(self.conversation_id)

    @property
    def here(self) -> Place:
        """The agent and the conversation that is open."""
        return self.agent_id, self.conversation_id

    def end_temporary(self, conversation_id: str) -> None:
        """Let go what was said in a temporary chat."""
        self.context.bridge.run(lambda: self.context.services.chat.end_temporary(conversation_id), owner=self)

    # -- settings and drafts -----------------------------------------------------------

    def _settings_changed(self, event: SettingsChanged) -> None:
        if "appearance.conversation_width" in event.names:
            self.take_reading_width()
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

    def keep_draft(self, draft: Draft) -> None:
        """Store what is written here, unless nothing of it may touch the disk."""
        if not self.temporary:
            self.drafts.keep(self.here, draft)

    def _warm_up(self, draft: Draft) -> None:
        """Get the memory ready while the first words are typed."""
        if draft and self.answers.shown is None:
            services, agent_id = self.context.services, self.agent_id
            self.context.bridge.run(lambda: services.indexing.warm_up(agent_id), owner=self, lane="background")

    # -- memory ------------------------------------------------------------------------

    def _open_source(self, agent_id: str, conversation_id: str, turn_id: str, quote: str) -> None:
        self.open_conversation(agent_id, conversation_id, turn_id, quote=quote)

    def _distilled(self, event: DistillationFinished) -> None:
        mine = (event.agent_id, event.conversation_id) == (self.agent_id, self.conversation_id)
        if mine and event.outcome == "distilled":
            self.messages.set_end_note(lambda: self._learned_chip(event))

    def _learned_chip(self, event: DistillationFinished) -> LearnedChip:
        chip = LearnedChip(event)
        chip.opened.connect(self.explaining.show_learned)
        return chip

    def _remember(self, turn_id: str, text: str) -> None:
        fact_operations.remember(
            context=self.context, parent=self, agent_id=self.agent_id, text=text, turn_id=turn_id or None
        ).start()

    def _forget(self, _turn_id: str, text: str) -> None:
        ForgetSelection(self.context, self, self.agent_id, text).open()
