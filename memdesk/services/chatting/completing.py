"""Chats of clients that bring their own history: over HTTP, and those that another program answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import define

from memdesk.domain.chatting.thinking import without_thinking
from memdesk.domain.models import Agent, MemoryMode, Turn
from memdesk.errors import BadRequestError
from memdesk.messages import say
from memdesk.ports import CancelToken, ChatMessage, LanguageModel, ModelCatalogue, Store
from memdesk.services.chatting.adapting import mode_of
from memdesk.services.chatting.answering import ChatEngine, ChatJob
from memdesk.services.chatting.clients import ClientThreads
from memdesk.services.chatting.messages import ChatEvent, CompletionRequest, Elsewhere, Sampling
from memdesk.services.chatting.naming import resolve
from memdesk.services.chatting.threads import said
from memdesk.services.recording import NewTurn, check_conversation_id, told_in_folder
from memdesk.services.tools import SEARCH_MEMORY

if TYPE_CHECKING:
    from memdesk.services.agents import AgentsService
    from memdesk.services.settings import SettingsService


class _Meets(NamedTuple):
    """How a client's request is answered: by whom, where, and how the answer is stored."""

    agent: Agent
    thread_id: str
    mode: MemoryMode
    keep: Callable[[NewTurn], list[Turn]]
    folder_id: str | None


@define(kw_only=True, eq=False, repr=False, slots=False)
class ClientChats:
    """Answers clients that bring their own history.

    With an agent, memory is used as the agent's mode says, and with mode ``on`` each message is stored once, however
    often the client resends it. A request that ends in the client's tool calls stores nothing; the one with the tool
    results does. Thinking that a client left in an answer of its history is neither stored nor sent on.
    """

    _store: Store
    _settings: SettingsService
    _agents: AgentsService
    _catalogue: ModelCatalogue
    _engine: ChatEngine
    _threads: ClientThreads

    def complete(self, request: CompletionRequest, *, cancel: CancelToken | None = None) -> Iterator[ChatEvent]:
        """Answer a client.

        Raises:
            BadRequestError: no user message.
            MemdeskError: the model's or the store's failure, while iterating. Nothing is recorded then.
        """
        if not any(message.role == "user" for message in request.messages):
            raise BadRequestError(say("There is no message with the role “user”."))
        request = replace(request, messages=tuple(map(_in_words, request.messages)))
        if request.agent_id is None:
            return self._engine.run(self._plain_job(request), cancel)
        meets = self._meets(request)
        agent, mode = meets.agent, meets.mode
        # A client's own tool with this name takes precedence over ours.
        taken = any(_tool_name(tool) == SEARCH_MEMORY for tool in request.tools)
        job = ChatJob(
            agent=agent,
            conversation_id=meets.thread_id,
            messages=self._instructed(request, agent, meets.folder_id),
            memory=mode,
            model=resolve(request.model, agent, self._catalogue, self._settings),
            sampling=request.sampling.over(Sampling.of(agent.sampling)),
            keep=meets.keep,
            tools=request.tools,
            searches=agent.search_tool and mode != "off" and not taken,
            own_tools=request.own_tools if mode == "on" else (),
            program=request.program,
            tool_choice=request.tool_choice,
            json_schema=request.json_schema,
            besides=request.besides,
            receipt_alone=mode != "on",
        )
        return self._engine.run(job, cancel)

    def elsewhere(self, request: CompletionRequest, *, remote: bool = True) -> Elsewhere:
        """Prepare a chat that another program answers; ``remote``: it, or its model, is on another machine.

        Raises:
            BadRequestError: no user message, or no agent.
        """
        if request.agent_id is None or not any(message.role == "user" for message in request.messages):
            raise BadRequestError(say("No message has the role “user”, or no agent is named."))
        request = replace(request, messages=tuple(map(_in_words, request.messages)))
        meets = self._meets(request)
        job = ChatJob(
            agent=meets.agent,
            conversation_id=meets.thread_id,
            messages=request.messages,
            memory=meets.mode,
            model="",
            sampling=Sampling(),
            keep=meets.keep,
            receipt_alone=meets.mode != "on",
            elsewhere=remote,
        )
        return self._engine.elsewhere(job)

    def model_of(self, request: CompletionRequest) -> LanguageModel:
        """Return the model that would answer. Raises ``UnknownModelError``, ``ModelMissingError``."""
        agent = self._agents.find(request.agent_id) if request.agent_id is not None else None
        return self._catalogue.open(resolve(request.model, agent, self._catalogue, self._settings))

    def _meets(self, request: CompletionRequest) -> _Meets:
        wanted = str(request.agent_id)
        # Created when something is stored for it: a refused request leaves no agent behind.
        agent = self._agents.find(wanted) or self._agents.draft(wanted)
        spoken = said(request.messages)
        thread_id = request.conversation_id or self._threads.find(agent.id, spoken)
        check_conversation_id(thread_id)
        with self._store.read() as repos:
            known = repos.conversations.get(agent.id, thread_id)
        mode = mode_of(self._settings, agent, known.memory if known else None, request.memory)

        def keep(answer: NewTurn) -> list[Turn]:
            self._agents.ensure(agent.id)
            if mode != "on":
                return []
            sent = replace(answer, program=request.program)
            return self._threads.record(agent.id, thread_id, spoken, sent, must_exist=known is not None)

        return _Meets(agent, thread_id, mode, keep, known.folder_id if known else None)

    def _instructed(self, request: CompletionRequest, agent: Agent, folder_id: str | None) -> tuple[ChatMessage, ...]:
        """Return a client's messages after its own system prompt, else the agent's, with the folder's instructions."""
        begins = request.messages[0]
        own = begins.role == "system"
        system = begins if own else ChatMessage(role="system", content=agent.system_prompt)
        with self._store.read() as repos:
            system = replace(system, content=told_in_folder(repos, folder_id, system.content))
        messages = request.messages[1:] if own else request.messages
        return (system, *messages) if system.content or own else messages

    def _plain_job(self, request: CompletionRequest) -> ChatJob:
        return ChatJob(
            agent=None,
            conversation_id=None,
            messages=request.messages,
            memory="off",
            model=resolve(request.model, None, self._catalogue, self._settings),
            sampling=request.sampling,
            keep=lambda _answer: [],
            tools=request.tools,
            tool_choice=request.tool_choice,
            json_schema=request.json_schema,
            besides=request.besides,
        )


def _in_words(message: ChatMessage) -> ChatMessage:
    return replace(message, content=without_thinking(message.content)) if message.role == "assistant" else message


def _tool_name(tool: dict[str, Any]) -> str:
    return str((tool.get("function") or {}).get("name", ""))
