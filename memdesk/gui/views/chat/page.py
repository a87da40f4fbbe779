"""The chat page: the open conversation, and the parts that show it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QCoreApplication

from memdesk.domain.chatting.drafts import Draft
from memdesk.domain.chatting.folders import Folder
from memdesk.domain.models import Conversation, Hit
from memdesk.gui.commands import Command
from memdesk.gui.models.chat import DEFAULT_AGENT
from memdesk.gui.pages import PageContext
from memdesk.gui.rich import warm_up
from memdesk.gui.views.chat.aloud import reading
from memdesk.gui.views.chat.answers import Answers, Underway
from memdesk.gui.views.chat.drafts import Drafts
from memdesk.gui.views.chat.frame import ChatFrame
from memdesk.gui.views.chat.granting import grant
from memdesk.gui.views.chat.learned import LearnedChip, SecretsTold
from memdesk.gui.views.chat.loading import Loaded, Opening, load, opening
from memdesk.gui.views.chat.pickers import Pickers
from memdesk.gui.views.chat.turning import Turning
from memdesk.services.events import DistillationFinished, TurnsRecorded


class ChatPage(ChatFrame):
    """Opens conversations, starts new ones, and connects the parts."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self.drafts = Drafts(context, self)
        self._entered = False

    def build(self) -> Iterator[None]:
        yield from super().build()
        self.pickers = Pickers(self.context, self.model, self.composer.choices, self)
        self.pickers.agent_chosen.connect(self._change_agent)
        self.pickers.chosen.connect(self.composer.editor.setFocus)
        self._build_answers()
        self.model.watch(lambda: self.list.set_agents(self.model.agents), "agents")
        self.model.watch(self._select, "open")
        self.list.model.loaded.connect(lambda _total: self._retitle())
        self.list.chosen.connect(self._open_found)
        self.list.wanted_new.connect(self._new_outside)
        self.model.watch(self._know_persona, "open")
        self.list.deleted.connect(self._deleted)
        self.list.folders.wanted_new.connect(lambda folder: self.new_chat(folder=folder))
        self.list.folders.moved.connect(self._moved)
        self.list.folders.rehoused.connect(self._rehoused)
        self.list.folders.deleted.connect(self._folder_deleted)
        wishes = self.messages.wishes
        wishes.wanted_receipt.connect(self.explaining.show_receipt)
        wishes.wanted_again.connect(self.answers.regenerate)
        self.speaker = wishes.speaker
        self.speaker.failed.connect(lambda why: self.context.notices.warning(self.tr("Nothing can be read aloud"), why))
        wishes.resent.connect(self.answers.resend)
        turning = Turning(self.context, self.model, self.messages, self)
        wishes.resent_apart.connect(turning.branch)
        wishes.branched.connect(turning.branch)
        wishes.turned.connect(turning.turn_to)
        wishes.kept.connect(turning.keep_compared)
        turning.branched.connect(self._show_branch)
        turning.begun.connect(self._begin_otherwise)
        turning.turned.connect(self._show_turned)
        grant(self.context, self.model, self.messages, self)
        self.head.wanted_comparing.connect(self.pickers.offer_comparing)
        self.head.wanted_settings.connect(self.pickers.ask_settings)
        self.head.wanted_folder.connect(lambda: self.model.folder and self.list.folders.ask(self.model.folder))
        self.head.wanted_reset.connect(lambda: self.pickers.override({}))
        self.composer.sent.connect(self.answers.send)
        self.composer.stopped.connect(self.answers.stop)
        self.composer.draft_changed.connect(self.keep_draft)
        self.composer.draft_changed.connect(self._warm_up)
        self.explaining.receipt.opened.connect(self.open_conversation)
        bridge = self.context.bridge
        self.secrets_told = SecretsTold(self.context, self)
        bridge.on(DistillationFinished, self._distilled, owner=self)
        bridge.on(TurnsRecorded, self._recorded, owner=self)
        bridge.run(self, warm_up, lane="background")
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.leave)

    def _build_answers(self) -> None:
        self.answers = Answers(self.context, self.model, self.drafts, self.messages, self)
        self.answers.began.connect(self._show_answer)
        self.answers.beginning.connect(self._list_beginning)
        self.answers.settled.connect(self._settled)
        self.answers.unsaid.connect(self._take_back)
        self.answers.wanted_stored.connect(self.reload)

    # -- being shown -------------------------------------------------------------------

    def enter(self, **arguments: Any) -> None:
        """Show a conversation, a new chat, or what was open before."""
        first = not self._entered
        self._entered = True
        self.composer.prompts.load()
        if first:
            self.pickers.load()
            self.list.reload()
        if arguments.get("conversation_id"):
            self.open_conversation(
                arguments.get("agent_id") or self.model.agent_id,
                arguments["conversation_id"],
                arguments.get("turn_id", ""),
            )
        elif arguments.get("new") or first or arguments.get("agent_id"):
            self.new_chat(
                temporary=bool(arguments.get("temporary")),
                agent_id=arguments.get("agent_id"),
                draft=Draft(arguments.get("text", "")),
                send=bool(arguments.get("send")),
            )
        self.composer.editor.setFocus()

    def leave(self) -> None:
        """Store the draft now, not after a pause."""
        self.composer.flush()
        self.composer.dictation.drop()

    def lock(self) -> None:
        self.leave()
        self.speaker.stop()
        self.answers.stop_all()

    def unsent(self) -> bool:
        """Whether there is a draft, a temporary chat, or an answer in progress."""
        said_here = self.model.temporary and bool(self.messages.messages)
        return not self.composer.empty or bool(self.answers) or said_here

    def place(self) -> dict[str, Any]:
        if self.model.conversation_id is None or self.model.temporary:
            return {"agent_id": self.model.agent_id}
        return {"agent_id": self.model.agent_id, "conversation_id": self.model.conversation_id}

    def commands(self) -> tuple[str, list[Command]]:
        last = self.messages.last_assistant()
        return self.tr("This conversation"), [
            *reading(self.speaker, last.text if last is not None else ""),
            *self.head.commands(),
            *([] if self.model.temporary else self.list.commands()),
            *self.composer.commands(),
        ]

    # -- conversations -----------------------------------------------------------------

    def new_chat(
        self,
        *,
        temporary: bool = False,
        agent_id: str | None = None,
        draft: Draft | None = None,
        folder: Folder | None = None,
        send: bool = False,
    ) -> None:
        """Start a chat with a draft, or the stored one; nothing else is stored before the first message.

        With ``send`` the draft is sent, once the reply's memory mode is known.
        """
        self._leave_conversation()
        if folder is not None and folder.agent_id is not None and agent_id is None:
            agent_id = folder.agent_id
        whose = agent_id or self.model.agent_id
        # Chats of a folder memory's agent are in that folder, and only those.
        folder = self.list.model.closed(whose) or (folder if folder is not None and folder.takes(whose) else None)
        self.model.open(whose, None, temporary=temporary, folder=folder)
        self.messages.clear()
        self.middle.setCurrentWidget(self.beginning)
        self._settle(Opening(draft=draft or Draft()))
        if not temporary:
            agent = self.model.agent_id
            self.context.bridge.run(
                self,
                lambda: opening(self.context.services, agent),
                lambda opened: self._opened(opened, own_words=bool(draft), send=send),
                latest="open",
            )
        self.composer.editor.setFocus()

    def _opened(self, opened: Opening, *, own_words: bool, send: bool = False) -> None:
        """Show the draft of a new chat, unless it was started with a text or something is already written."""
        keep = own_words or not self.composer.empty
        self._settle(replace(opened, draft=self._waiting(opened.draft)), keep=keep)
        if send:
            self.composer.send()

    def _open_found(self, agent_id: str, conversation_id: str, hit: Hit | None) -> None:
        turn_id, words = (hit.turn_id, hit.words) if hit is not None else ("", ())
        self.open_conversation(agent_id, conversation_id, turn_id, words=words)

    def open_conversation(
        self,
        agent_id: str,
        conversation_id: str,
        turn_id: str = "",
        quote: str = "",
        *,
        words: Sequence[str] = (),
        draft: Draft | None = None,
    ) -> None:
        """Show a conversation from a message on, with words highlighted; then send a draft.

        Without a turn, go to the first message with ``quote``.
        """

        def go() -> None:
            message = self.messages.find_turn(turn_id or self.messages.quoting(quote))
            if message is not None:
                self.messages.show_message(message, words or (quote,))
            if draft:
                self.answers.send(draft)

        if (agent_id, conversation_id) == self.model.here:
            go()
            return
        self._leave_conversation()
        self.model.open(agent_id, conversation_id)
        underway = self.answers.here()
        if underway is not None and underway.begins and not underway.recorded:
            # Nothing of it is stored yet.
            self.messages.clear()
            self.model.set_folder(underway.folder)
            self._settle(Opening(memory=underway.memory, overrides=underway.overrides))
            self.answers.show(underway)
        else:
            self._load(then=go)

    def reload(self) -> None:
        if self.model.conversation_id is not None and not self.model.temporary:
            self.answers.leave()
            self._load(keep=True)

    def _load(self, *, keep: bool = False, then: Callable[[], object] = lambda: None) -> None:
        services, (agent_id, talk) = self.context.services, map(str, self.model.here)

        def show(loaded: Loaded) -> None:
            self._show(loaded, keep=keep)
            then()

        self.context.bridge.run(self, lambda: load(services, agent_id, talk), show, latest="open")

    def _recorded(self, event: TurnsRecorded) -> None:
        """Turns arrived from elsewhere: a background answer, or a program."""
        here = (event.agent_id, event.conversation_id) == self.model.here
        if here and self.answers.shown is None and not all(map(self.messages.has_turn, event.turn_ids)):
            self._load(keep=True)

    def _show(self, loaded: Loaded, *, keep: bool) -> None:
        self.model.know_agent(loaded.agent)
        self.list.know(loaded.talk)
        self.model.set_title(loaded.talk.title)
        self.model.set_folder(loaded.folder)
        self.messages.show_turns(loaded.agent, loaded.turns, loaded.versions)
        if loaded.learned is not None:
            self._distilled(loaded.learned)
        self.middle.setCurrentWidget(self.messages if loaded.turns else self.beginning)
        underway = self.answers.here()
        opened = Opening(memory=loaded.memory, overrides=loaded.talk.overrides, used=loaded.used)
        self._settle(replace(opened, draft=self._waiting(loaded.draft)), keep=keep)
        if underway is not None:
            self.answers.show(underway)
        self.composer.editor.setFocus()

    def _settle(self, opened: Opening, *, keep: bool = False) -> None:
        """Initialize the composer; ``keep`` its text."""
        if not keep:
            self.composer.set_draft(opened.draft)
        self.model.set_memory(opened.memory)
        self.model.set_overrides(opened.overrides)
        self.model.fill(opened.used)
        self.explaining.close()

    def _waiting(self, stored: Draft) -> Draft:
        """Return the message being answered here: it stays stored, but is not shown as a draft."""
        return self.drafts.latest(self.model.here, stored).after(self.answers.waiting)

    def _deleted(self, agent_id: str, conversation_id: str) -> None:
        if (agent_id, conversation_id) == self.model.here:
            self.new_chat()

    def _new_outside(self, temporary: bool) -> None:
        """Start a chat outside folders."""
        closed = self.list.model.closed(self.model.agent_id)
        self.new_chat(temporary=temporary, agent_id=DEFAULT_AGENT if closed else None)

    def _know_persona(self) -> None:
        closed = self.list.model.closed(self.model.agent_id)
        self.list.folders.agent_id = DEFAULT_AGENT if closed else self.model.agent_id

    def _moved(self, talk: Conversation) -> None:
        if (talk.agent_id, talk.id) == self.model.here:
            shelf = self.list.model.shelf(talk.folder_id)
            if shelf is None and talk.folder_id is not None:
                # Just created: the list does not show it yet.
                self._load(keep=True)
            else:
                self.model.set_folder(shelf.folder if shelf else None)

    def _rehoused(self, former: Conversation, talk: Conversation) -> None:
        """A conversation moved to another agent: the open one stays open."""
        if (former.agent_id, former.id) == self.model.here:
            self.open_conversation(talk.agent_id, talk.id)

    def _folder_deleted(self, folder_id: str, chats: bool) -> None:
        if self.model.folder is not None and self.model.folder.id == folder_id:
            if chats and (self.model.conversation_id is not None or self.model.folder.agent_id is not None):
                self.new_chat(agent_id=DEFAULT_AGENT if self.model.folder.agent_id is not None else None)
            else:
                self.model.set_folder(None)

    def _leave_conversation(self) -> None:
        """Another conversation is about to be shown: store this one's draft."""
        self.context.bridge.supersede(self, "open")
        self.composer.flush()
        self.composer.clear()
        self.answers.leave()
        self.speaker.stop()
        self.composer.dictation.drop()
        if self.model.temporary and self.model.conversation_id:
            self.answers.end_temporary(self.model.conversation_id)

    def _change_agent(self, agent_id: str) -> None:
        """Start a chat with another agent, keeping the draft."""
        draft, talking = self.composer.draft(), bool(self.messages.messages)
        self.composer.clear()
        self.keep_draft(Draft())
        self.new_chat(agent_id=agent_id, temporary=self.model.temporary, draft=draft, folder=self.model.folder)
        self.keep_draft(draft)
        self.pickers.load()
        if talking:
            self.context.notices.info(
                self.tr("A new chat begins"), self.tr("Every agent has its own memory and its own conversations.")
            )

    def _show_branch(self, agent_id: str, branch_id: str, draft: Draft) -> None:
        self.open_conversation(agent_id, branch_id, draft=draft)

    def _begin_otherwise(self, draft: Draft) -> None:
        """Rephrase a first message: in a new chat with this one's settings."""
        overrides = self.model.overrides
        self.new_chat(draft=draft, folder=self.model.folder)
        self.pickers.override(overrides)
        self.composer.send()

    def _show_turned(self, turn_id: str) -> None:
        """Show another version's continuation; the focus stays on its arrows."""

        def focus() -> None:
            message = self.messages.find_turn(turn_id)
            if message is not None:
                self.messages.show_message(message)
                message.versions.take_focus()

        self._load(keep=True, then=focus)

    # -- answers -----------------------------------------------------------------------

    def _show_answer(self) -> None:
        """An answer is now drawn. The button that requested it may be gone, so the focus moves to the editor."""
        self.context.bridge.supersede(self, "open")
        self.middle.setCurrentWidget(self.messages)
        self.composer.editor.setFocus()

    def _settled(self, answer: Underway) -> None:
        if answer.begins and answer.recorded:
            self.pickers.keep_late(answer.memory, answer.overrides)
        if answer.recorded and not answer.begins and not self.model.temporary:
            conversations, here = self.context.services.conversations, self.model.here
            self.context.bridge.run(
                self,
                lambda: conversations.versions(*map(str, here)),
                lambda versions: self.messages.show_versions(versions) if here == self.model.here else None,
            )
        # Text written meanwhile is now separate, or follows a pending message.
        if not (answer.unsaid_already or self.composer.empty):
            self.keep_draft(self.composer.draft())

    def _take_back(self, draft: Draft) -> None:
        """Return an unrecorded message to the composer, before its present text."""
        if draft:
            self.composer.set_draft(draft.then(self.composer.draft()))

    def _list_beginning(self, beginning: list[Conversation]) -> None:
        self.list.set_underway(beginning)
        self._select()

    def _retitle(self) -> None:
        listed = self.list.listed(*map(str, self.model.here))
        if listed is not None:
            self.model.set_title(listed.title)
        shown = self.list.model.shelf(self.model.folder.id) if self.model.folder else None
        if shown is not None and shown.folder != self.model.folder:
            self.model.set_folder(shown.folder)

    def _select(self) -> None:
        """Select the open conversation in the list."""
        agent_id, talk = self.model.here
        self.list.select(*((agent_id, talk) if talk and not self.model.temporary else ("", "")))

    # -- drafts ------------------------------------------------------------------------

    def keep_draft(self, draft: Draft) -> None:
        """Store the draft, unless the chat is temporary."""
        if not self.model.temporary:
            # A pending or unanswered message is stored nowhere else: it stays in front of the draft.
            self.drafts.keep(self.model.here, self.answers.unrecorded.then(draft))

    def _warm_up(self, draft: Draft) -> None:
        """Warm up the memory while the first words are typed."""
        if draft and self.answers.shown is None:
            services, agent_id = self.context.services, self.model.agent_id
            self.context.bridge.run(self, lambda: services.recall.warm_up(agent_id), lane="background")

    # -- memory ------------------------------------------------------------------------

    def _distilled(self, event: DistillationFinished) -> None:
        mine = (event.agent_id, event.conversation_id) == self.model.here
        if mine and (event.outcome == "distilled" or event.secrets or event.passed):
            self.messages.set_end_note(lambda: self._learned_chip(event))
        elif event.secrets:
            self.secrets_told.note(event)

    def _learned_chip(self, event: DistillationFinished) -> LearnedChip:
        chip = LearnedChip(event)
        chip.opened.connect(self.explaining.show_learned)
        return chip
