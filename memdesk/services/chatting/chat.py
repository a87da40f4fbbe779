"""Chat: one engine for the window, which keeps its history in the store, and for HTTP clients, which bring theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from attrs import define

from memdesk.domain.chatting.files import AGAIN_TOKENS, shortened, with_passages
from memdesk.domain.chatting.images import Image
from memdesk.domain.models import Agent, MemoryMode, Overrides, Turn, new_id
from memdesk.errors import BadRequestError, NotFoundError
from memdesk.messages import say
from memdesk.ports import CancelToken, ChatMessage, Clock, ModelCatalogue, Store
from memdesk.services.chatting.adapting import adapted, in_folder, mode_of, narrowest
from memdesk.services.chatting.answering import ChatEngine, ChatJob
from memdesk.services.chatting.branching import branch_of
from memdesk.services.chatting.clients import ClientThreads
from memdesk.services.chatting.comparing import Comparison
from memdesk.services.chatting.completing import ClientChats
from memdesk.services.chatting.messages import ChatEvent, Sampling
from memdesk.services.chatting.naming import resolve, tokenizer_of
from memdesk.services.chatting.receipts import Receipts
from memdesk.services.chatting.temporary import TEMPORARY_KEPT, TemporaryChat, TemporaryChats
from memdesk.services.chatting.titling import Titling
from memdesk.services.events import EventBus, LockChanged
from memdesk.services.recording import (
    NewTurn,
    check_conversation_id,
    former,
    pictures,
    placed,
    whole_files,
)

if TYPE_CHECKING:
    from memdesk.services.agents import AgentsService
    from memdesk.services.recalling import RecallService, Tokenizer
    from memdesk.services.recording import IngestService
    from memdesk.services.settings import SettingsService
    from memdesk.services.tools import OutsideTools

TEMPORARY_PREFIX: Final = "temporary-"


@dataclass(frozen=True, slots=True)
class _Sent:
    """A message from the window, the whole text of its files, and the tokens that passages of files may take."""

    message: ChatMessage
    files: Mapping[str, str] = field(default_factory=dict)
    room: int = 0

    def going_on(self, whole: Mapping[str, str]) -> ChatMessage:
        """Return the message with relevant passages of earlier long files; its own are already in it."""
        earlier = {name: text for name, text in whole.items() if name not in self.files}
        # Passages sent before are also in the chat, so these get less space.
        room = min(self.room // 2, AGAIN_TOKENS)
        return replace(self.message, content=with_passages(self.message.content, earlier, room))


@dataclass(frozen=True, slots=True)
class _Exchange:
    """How a message is answered: by whom, where, after what and in place of what, and how the answer is stored."""

    message: ChatMessage
    agent: Agent
    thread_id: str
    mode: MemoryMode
    keep: Callable[[NewTurn], list[Turn]]
    history: Sequence[Turn] = ()
    gone: Sequence[Turn] = ()


@define(kw_only=True, eq=False, repr=False, slots=False)
class ChatService:
    """Answers with memory, and records the exchange afterwards."""

    _store: Store
    _clock: Clock
    _events: EventBus
    _settings: SettingsService
    _agents: AgentsService
    _ingest: IngestService
    _recall: RecallService
    _catalogue: ModelCatalogue
    _outside: OutsideTools

    def __attrs_post_init__(self) -> None:
        self._engine = ChatEngine(
            store=self._store,
            settings=self._settings,
            recall=self._recall,
            catalogue=self._catalogue,
            outside=self._outside,
        )
        self._titling = Titling(
            store=self._store, events=self._events, settings=self._settings, catalogue=self._catalogue
        )
        self._threads = ClientThreads(store=self._store, clock=self._clock, ingest=self._ingest)
        self.clients = ClientChats(
            store=self._store,
            settings=self._settings,
            agents=self._agents,
            catalogue=self._catalogue,
            engine=self._engine,
            threads=self._threads,
        )
        self._temporary = TemporaryChats(TEMPORARY_KEPT)
        self.receipts = Receipts(self._store)
        self._events.subscribe(LockChanged, self._on_lock)

    def send(
        self,
        *,
        agent_id: str,
        conversation_id: str | None,
        text: str,
        images: Sequence[Image] = (),
        files: Mapping[str, str] | None = None,
        files_room: int = 0,
        model: str | None = None,
        temporary: bool = False,
        memory: MemoryMode | None = None,
        overrides: Overrides | None = None,
        folder_id: str | None = None,
        beside: Comparison | None = None,
        cancel: CancelToken | None = None,
    ) -> Iterator[ChatEvent]:
        """Answer a message of the user, with the stored history before it.

        Args:
            agent_id: who answers; created if unknown.
            conversation_id: None starts one; :class:`ReceiptReady` and :class:`Finished` name it.
            text: the message; may be empty with images.
            images: its pictures.
            files: the whole text of files of which ``text`` has parts, by name; kept with the conversation, so that
                later messages get passages of them.
            files_room: tokens of the model's context that files may take.
            model: a catalogue id; None for the agent's own.
            temporary: nothing of it is stored. The thread lives in this process until
                :meth:`end_temporary`, and sees no memory unless ``memory`` asks for it.
            memory: narrows the agent's mode; stored with a conversation that starts here.
            overrides: the conversation's overrides of its agent's settings; stored with one that starts here. None:
                those stored with it.
            folder_id: folder of a conversation that starts here; existing ones stay where they are.
            beside: send the message to two models, all else being equal. The answer finished first is the chat's, the
                other a version of it, which :meth:`keep_compared` swaps in.
            cancel: stops the answer; the text so far is kept and marked.

        Raises:
            BadRequestError: an empty message.
            ConflictError: the folder has a memory of its own, which is another agent's.
            BlindModelError: pictures for a model without vision; raised while iterating, like those below.
            MemdeskError: the model's or the store's failure, while iterating. Nothing is recorded then.
        """
        sent = _Sent(ChatMessage(role="user", content=text, images=tuple(images)), files or {}, files_room)
        if not (text.strip() or images):
            raise BadRequestError(say("The message is empty."))
        agent = adapted(self._agents.ensure(agent_id), None, overrides)
        if temporary:
            return self._send_temporary(agent, conversation_id, sent, model, memory, cancel)

        def begin() -> _Exchange:
            return self._begin(agent, conversation_id, sent, memory, overrides, folder_id)

        begun = begin() if beside is None else beside.once("begun", begin)

        def keep(answer: NewTurn) -> list[Turn]:
            if beside is None:
                return begun.keep(answer)
            with beside.keeping:
                if beside.said is not None:
                    return self._ingest.record_beside(beside.said, answer)
                turns = begun.keep(answer)
                beside.said = turns[0] if turns else None
                return turns

        job = self._job(replace(begun, keep=keep), model)
        job.comparison = beside
        return self._engine.run(job, cancel)

    def keep_compared(
        self, agent_id: str, conversation_id: str, turn_id: str, *, memory: MemoryMode | None = None
    ) -> list[Turn]:
        """Continue a conversation with one of two compared answers; return the turns that came back, if any.

        Raises:
            NotFoundError: the conversation has no such answer (any more).
        """
        with self._store.read() as repos:
            if any(turn.id == turn_id for turn in repos.turns.of_conversation(agent_id, conversation_id)):
                return []
            kept = former(repos, agent_id, conversation_id)
        key = next((key for key, each in kept.items() if each.turns[0].turn.id == turn_id), "")
        return self.show_version(agent_id, conversation_id, key, memory=memory)

    def _begin(
        self,
        agent: Agent,
        conversation_id: str | None,
        sent: _Sent,
        memory: MemoryMode | None,
        overrides: Overrides | None,
        folder_id: str | None,
    ) -> _Exchange:
        agent_id = agent.id
        with self._store.read() as repos:
            known = repos.conversations.get(agent_id, conversation_id) if conversation_id else None
            history = repos.turns.of_conversation(agent_id, conversation_id) if conversation_id and known else []
            agent = agent if known is None else adapted(agent, known, overrides)
            whole = whole_files(repos, history)
            folder_id = placed(repos, agent_id, folder_id) if known is None else known.folder_id
            agent = in_folder(repos, agent, folder_id)
        thread_id = check_conversation_id(conversation_id or new_id())
        mode = mode_of(self._settings, agent, known.memory if known else None, memory)
        # Text said while an agent may not learn stays out of memory even later.
        kept_as = narrowest(agent.memory, memory or "on")
        defaults: dict[str, Any] = {"memory": kept_as, "overrides": overrides or {}, "folder_id": folder_id}
        defaults = defaults if known is None else {}
        message = sent.going_on(whole)
        told = NewTurn(
            role="user", content=message.content, images=message.images, written=sent.message.content, files=sent.files
        )

        def keep(answer: NewTurn) -> list[Turn]:
            return self._ingest.record(
                agent_id=agent_id,
                conversation_id=thread_id,
                turns=[told, answer],
                learn=mode == "on",
                conversation_defaults=defaults,
                must_exist=known is not None,
            )

        return _Exchange(message, agent, thread_id, mode, keep, history)

    def regenerate(
        self,
        agent_id: str,
        conversation_id: str,
        *,
        model: str | None = None,
        memory: MemoryMode | None = None,
        overrides: Overrides | None = None,
        cancel: CancelToken | None = None,
    ) -> Iterator[ChatEvent]:
        """Answer the last user message again; the old answer becomes a version once the new one is finished.

        Raises:
            NotFoundError: the conversation has no user message.
        """
        if temporary := self._temporary.get(conversation_id).messages:
            agent, sent = adapted(self._agents.ensure(agent_id), None, overrides), _Sent(temporary[-2])
            return self._send_temporary(agent, conversation_id, sent, model, memory, cancel, again=True)
        agent, history, mode = self._thread(agent_id, conversation_id, memory, overrides)
        last = max((i for i, turn in enumerate(history) if turn.role == "user"), default=None)
        if last is None:
            raise NotFoundError(say("There is no message to answer again."))
        gone = history[last + 1 :]
        keep = self._keeping_former(agent, conversation_id, mode, gone, [])
        (message,) = self._as_messages([history[last]])
        exchange = _Exchange(
            message, agent, conversation_id, mode, lambda answer: [history[last], *keep(answer)], history[:last], gone
        )
        return self._engine.run(self._job(exchange, model), cancel)

    def edit_and_resend(
        self,
        agent_id: str,
        conversation_id: str,
        turn_id: str,
        text: str,
        *,
        files_room: int = 0,
        model: str | None = None,
        memory: MemoryMode | None = None,
        overrides: Overrides | None = None,
        cancel: CancelToken | None = None,
    ) -> Iterator[ChatEvent]:
        """Edit a message and answer it again; it keeps its pictures.

        The former message and what followed become a version; what was learned from those alone is forgotten until they
        come back.

        Raises:
            BadRequestError: an empty message.
            NotFoundError: the conversation has no such user message.
        """
        agent, history, mode = self._thread(agent_id, conversation_id, memory, overrides)
        at = next((i for i, turn in enumerate(history) if turn.id == turn_id and turn.role == "user"), None)
        if at is None:
            raise NotFoundError(say("That message is no longer there."))
        (before,) = self._as_messages([history[at]])
        if not (text.strip() or before.images):
            raise BadRequestError(say("The message is empty."))
        with self._store.read() as repos:
            whole = whole_files(repos, history[: at + 1])
        message = _Sent(replace(before, content=text), room=files_room).going_on(whole)
        told = NewTurn(role="user", content=message.content, images=message.images, written=text)
        keep = self._keeping_former(agent, conversation_id, mode, history[at:], [told])
        exchange = _Exchange(message, agent, conversation_id, mode, keep, history[:at], history[at:])
        return self._engine.run(self._job(exchange, model), cancel)

    def _keeping_former(
        self, agent: Agent, conversation_id: str, mode: MemoryMode, gone: Sequence[Turn], told: Sequence[NewTurn]
    ) -> Callable[[NewTurn], list[Turn]]:
        """Return what stores ``told`` and its answer; what they take the place of becomes a version."""
        return lambda answer: self._ingest.record(
            agent_id=agent.id,
            conversation_id=conversation_id,
            turns=[*told, answer],
            learn=mode == "on",
            instead_of=[turn.id for turn in gone],
            keep_former=True,
            must_exist=True,
        )

    def show_version(
        self, agent_id: str, conversation_id: str, key: str, *, memory: MemoryMode | None = None
    ) -> list[Turn]:
        """Switch a conversation to one of its former versions, by its key; return the turns that came back.

        Raises:
            NotFoundError: there is no such version (any more).
        """
        _agent, _history, mode = self._thread(agent_id, conversation_id, memory)
        return self._ingest.turn_to(agent_id, conversation_id, key, learn=mode == "on")

    def give_title(self, agent_id: str, conversation_id: str) -> str:
        """Have the model name a conversation of one exchange; see :meth:`Titling.give`."""
        return self._titling.give(agent_id, conversation_id)

    def branch(self, agent_id: str, conversation_id: str, turn_id: str, *, before: bool = False) -> str:
        """Start a conversation with the messages of another up to one of them; return its id.

        Copied messages are not learned from again; what follows in the branch is, according to the conversation's
        memory mode. Each answer keeps its receipt.

        Raises:
            BadRequestError: nothing comes before that message.
            NotFoundError: the conversation has no such message.
        """
        return branch_of(self._store, self._ingest, agent_id, conversation_id, turn_id, before=before)

    def end_temporary(self, conversation_id: str) -> None:
        """Forget a temporary chat; unknown ids are fine."""
        self._temporary.take(conversation_id)

    def temporary_messages(self, conversation_id: str) -> list[ChatMessage]:
        return list(self._temporary.get(conversation_id).messages)

    def default_model(self, agent_id: str) -> str:
        """Return the id of the model that answers for an agent: its own, else the app's."""
        return resolve("", self._agents.find(agent_id), self._catalogue, self._settings)

    def tokenizer(self, agent_id: str) -> Tokenizer | None:
        """Return the tokenizer of the model that answers for an agent; None if it is on a server or not loaded."""
        model_id = self.default_model(agent_id)
        runs = any(state.model == model_id and state.state in {"ready", "busy"} for state in self._catalogue.states())
        return tokenizer_of(model_id, self._catalogue.open(model_id)) if runs else None

    def busy(self) -> bool:
        """Return whether an answer is being made; background work then waits."""
        return self._engine.busy()

    def _job(self, exchange: _Exchange, model: str | None) -> ChatJob:
        agent, mode = exchange.agent, exchange.mode
        messages = [ChatMessage(role="system", content=agent.system_prompt)] if agent.system_prompt else []
        messages += [*self._as_messages(exchange.history), exchange.message]
        return ChatJob(
            agent=agent,
            conversation_id=exchange.thread_id,
            messages=tuple(messages),
            memory=mode,
            model=resolve(model or "", agent, self._catalogue, self._settings),
            sampling=Sampling.of(agent.sampling),
            keep=exchange.keep,
            replaced=tuple(turn.content for turn in exchange.gone),
            searches=agent.search_tool and mode != "off",
            outside=self._outside.offered(agent.id),
        )

    def _as_messages(self, turns: Sequence[Turn]) -> list[ChatMessage]:
        """Return stored turns as messages for a model."""
        shown: dict[str, Image] = {}
        if any(turn.images for turn in turns):
            with self._store.read() as repos:
                shown = pictures(repos, turns)
        return [
            ChatMessage(
                role=turn.role,
                # Pictures by another app's model are only shown; no protocol accepts pictures in answers.
                content=turn.content if turn.content or turn.role == "user" else "(a picture)",
                images=tuple(shown[image] for image in turn.images if image in shown) if turn.role == "user" else (),
            )
            for turn in turns
        ]

    def _send_temporary(
        self,
        agent: Agent,
        conversation_id: str | None,
        sent: _Sent,
        model: str | None,
        memory: MemoryMode | None,
        cancel: CancelToken | None,
        *,
        again: bool = False,
    ) -> Iterator[ChatEvent]:
        thread_id = conversation_id or TEMPORARY_PREFIX + new_id()
        chat = self._temporary.get(thread_id)
        before = chat.messages[:-2] if again else chat.messages
        message = sent.message if again else sent.going_on(chat.files)
        cut = shortened([message.content])
        whole = {**chat.files} | {name: text for name, text in sent.files.items() if name in cut}
        mode = mode_of(self._settings, agent, "read_only", memory or "off")

        def keep(answer: NewTurn) -> list[Turn]:
            answered = ChatMessage(role="assistant", content=answer.content)
            self._temporary.keep(thread_id, TemporaryChat((*before, message, answered), whole))
            return []

        job = self._job(_Exchange(message, agent, thread_id, mode, keep), model)
        job.messages = (*job.messages[:-1], *before, message)
        job.traceless = True
        return self._engine.run(job, cancel)

    def _thread(
        self, agent_id: str, conversation_id: str, memory: MemoryMode | None, overrides: Overrides | None = None
    ) -> tuple[Agent, list[Turn], MemoryMode]:
        agent = self._agents.get(agent_id)
        with self._store.read() as repos:
            known = repos.conversations.get(agent_id, conversation_id)
            history = repos.turns.of_conversation(agent_id, conversation_id)
            agent = in_folder(repos, adapted(agent, known, overrides), known.folder_id if known else None)
        if known is None:
            raise NotFoundError(say("There is no such conversation."))
        return agent, history, mode_of(self._settings, agent, known.memory, memory)

    def _on_lock(self, event: LockChanged) -> None:
        if event.locked:
            self._temporary.clear()
            self._threads.clear()
