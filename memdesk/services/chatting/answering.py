"""Makes one answer: memory, a fitting prompt, the model's text, its searches, and the record."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from attrs import define

from memdesk.domain.chatting.files import apart
from memdesk.domain.chatting.versions import Thought
from memdesk.domain.models import Agent, MemoryMode, Receipt, Turn
from memdesk.errors import (
    BlindModelError,
    CancelledError,
    ContextOverflowError,
    LockedError,
    MemdeskError,
)
from memdesk.messages import say
from memdesk.ports import CancelToken, ChatMessage, GenerationRequest, LanguageModel, ModelCatalogue, ModelInfo, Store
from memdesk.services.chatting.comparing import Comparison
from memdesk.services.chatting.context import fit_context
from memdesk.services.chatting.messages import (
    ChatEvent,
    ContextFit,
    Elsewhere,
    Finished,
    ReceiptReady,
    Sampling,
    ToolCall,
)
from memdesk.services.chatting.naming import is_remote, tokenizer_of
from memdesk.services.chatting.speaking import Answer
from memdesk.services.chatting.tool_calls import (
    FILE_ROUNDS,
    MAX_ROUNDS,
    OUTSIDE_TOKENS,
    RESULT_TOKENS,
    run_outside,
    run_own,
    run_search,
    unknown_tool,
)
from memdesk.services.distilling import is_weak
from memdesk.services.recalling import Sieve
from memdesk.services.recording import NewTurn
from memdesk.services.tools import SEARCH_MEMORY, Calls, OutsideTool, Tool, search_tool, within

if TYPE_CHECKING:
    from memdesk.services.recalling import RecallService
    from memdesk.services.settings import SettingsService
    from memdesk.services.tools import OutsideTools

log = logging.getLogger(__name__)

#: Earlier messages given to recall, of user and model each: the user's help the gate with a follow-up ("and when was
#: that?"), and text already in the chat need not be shown again.
HISTORY_TOLD: Final = 12
#: Memory takes at most this part of a small model's context.
MEMORY_SHARE: Final = 4
#: Part of the context to fill after a model rejected a prompt that should have fit.
SECOND_TRY_PART: Final = 0.6


@dataclass(slots=True, kw_only=True)
class ChatJob:
    """A request for one answer, and what to do with it."""

    agent: Agent | None
    conversation_id: str | None
    messages: tuple[ChatMessage, ...]
    memory: MemoryMode
    model: str
    sampling: Sampling
    keep: Callable[[NewTurn], list[Turn]]
    #: messages that this exchange takes the place of: no memory for it.
    replaced: tuple[str, ...] = ()
    #: the client's own tools.
    tools: tuple[dict[str, Any], ...] = ()
    #: the model may search the memory.
    searches: bool = False
    #: other tools of ours, run here on behalf of a program.
    own_tools: tuple[Tool[Any], ...] = ()
    program: str = ""
    #: tools of other programs, which need the user's permission.
    outside: tuple[OutsideTool, ...] = ()
    tool_choice: str | dict[str, Any] | None = None
    json_schema: dict[str, Any] | None = None
    #: further fields of the request, for a model on another server.
    besides: dict[str, Any] = field(default_factory=dict)
    #: nothing may be written for it: no receipt, no usage counter.
    traceless: bool = False
    #: if another program answers: whether its model is on another machine.
    elsewhere: bool | None = None
    #: two models answer, and get the same memory.
    comparison: Comparison | None = None
    #: the receipt is stored although no turn is: the client got its id.
    receipt_alone: bool = False

    @property
    def models(self) -> tuple[str, ...]:
        """The models that get the same memory."""
        return self.comparison.models if self.comparison is not None else (self.model,)


@define(kw_only=True, eq=False, repr=False, slots=False)
class ChatEngine:
    """Runs chat jobs. Thread-safe; any number may run at once."""

    _store: Store
    _settings: SettingsService
    _recall: RecallService
    _catalogue: ModelCatalogue
    _outside: OutsideTools

    def __attrs_post_init__(self) -> None:
        self._search = search_tool(self._recall)
        self._offered = self._search.as_function(without=("agent_id", "limit"))
        self._lock = threading.Lock()
        #: Answers being made, by model.
        self._streams: Counter[str] = Counter()

    def busy(self) -> bool:
        """Return whether an answer is being made; background work then waits."""
        with self._lock:
            return self._streams.total() > 0

    def run(self, job: ChatJob, cancel: CancelToken | None) -> Iterator[ChatEvent]:
        """Yield the events of one answer; see :mod:`memdesk.services.chatting.messages` for their order."""
        self._check_room(job)
        with self._streaming(job.model) as others:
            model = self._catalogue.open(job.model)
            job = replace(
                job, outside=within(job.outside, model.context_tokens), messages=_for(model.info, job.messages)
            )
            receipt = self._remember(job, model)
            messages, fit, limit, receipt = self._fit(job, model, receipt)
            yield ReceiptReady(
                receipt=receipt,
                fit=fit,
                model=job.model,
                conversation_id=job.conversation_id,
                others=0 if is_remote(job.model) else others,
                said=job.messages[-1].content,
            )
            answer = Answer(shown=receipt.items if receipt is not None else ())
            try:
                try:
                    yield from self._rounds(job, model, messages, limit, cancel, answer)
                except ContextOverflowError:
                    shorter, second, limit = self._shorten(job, model, messages, answer)
                    fit = replace(second, dropped_messages=fit.dropped_messages + second.dropped_messages)
                    yield from self._rounds(job, model, shorter, limit, cancel, answer)
            except CancelledError:
                if cancel is None or not cancel.is_set():
                    raise
                answer.finish_reason = "stopped"
            except GeneratorExit:
                answer.finish_reason = "stopped"
                self._keep(job, answer, receipt)
                raise
            turns = self._keep(job, answer, receipt)
            yield Finished(
                turns=tuple(turns),
                text="".join(answer.text),
                usage=answer.usage,
                finish_reason=answer.finish_reason,
                stop_sequence=answer.stop_sequence,
                receipt_id=receipt.id if receipt is not None else None,
                conversation_id=job.conversation_id,
                memory=job.memory,
                model=job.model,
                fit=fit,
            )

    def elsewhere(self, job: ChatJob) -> Elsewhere:
        """Return the memory for another program's answer, and a function that stores the answer."""
        self._check_room(job)
        receipt = self._remember(job, None)
        block = receipt.block if receipt is not None else ""

        def keep(text: str, model: str) -> None:
            self._keep(replace(job, model=model), Answer(text=[text]), receipt)

        return Elsewhere(receipt=receipt, wrap=lambda message: self._recall.wrap(block, message), keep=keep)

    def _leaves(self, job: ChatJob) -> bool:
        """Whether the prompt leaves this machine, for this model or the one compared with it."""
        if job.elsewhere is not None:
            return job.elsewhere
        infos = {model: self._catalogue.info(model) for model in job.models}
        return any(is_remote(model) and not (info and info.on_this_machine) for model, info in infos.items())

    def _check_room(self, job: ChatJob) -> None:
        """Fail early if an answer could not be stored and would be lost."""
        if job.agent is not None and job.memory != "off" and not job.traceless:
            self._store.check_room()

    def _remember(self, job: ChatJob, model: LanguageModel | None) -> Receipt | None:
        if job.comparison is not None:
            return job.comparison.once("memory", lambda: self._recalled(job, model))
        return self._recalled(job, model)

    def _recalled(self, job: ChatJob, model: LanguageModel | None) -> Receipt | None:
        if job.agent is None or job.memory == "off":
            return None
        # A file's content is not the question; for a file without text, its name is.
        parts = [apart(message.content) for message in job.messages if message.role == "user"]
        asked = [words.strip() or ", ".join(file.name for file in files) for words, files in parts]
        if not asked[-1]:
            # Pictures without text: there is nothing to search for.
            return None
        answered = [message.content for message in job.messages if message.role == "assistant"]
        budget = self._settings.current.memory.memory_budget_tokens
        infos = filter(None, map(self._catalogue.info, job.models if job.comparison is not None else ()))
        for context in (model.context_tokens if model is not None else 0, *(info.context_tokens for info in infos)):
            if context > 0:
                budget = min(budget, max(1, context // MEMORY_SHARE))
        try:
            with self._store.read() as repos:
                sparing = any(is_weak(repos, each) for each in job.models)
            return self._recall.context(
                agent_id=job.agent.id,
                query=asked[-1],
                budget_tokens=budget,
                conversation_id=job.conversation_id,
                store_receipt=False,
                bump_usage=job.memory == "on" and not job.traceless,
                history=asked[-1 - HISTORY_TOLD : -1],
                replies=[*answered[-HISTORY_TOLD:], *job.replaced],
                remote=self._leaves(job),
                # Two models count tokens differently: use an estimate for both.
                tokenizer=None if model is None or job.comparison is not None else tokenizer_of(job.model, model),
                sparing=sparing,
            )
        except LockedError:
            raise
        except MemdeskError as error:
            # An answer without memory is better than none; the missing receipt shows it.
            log.warning("memory could not be read for an answer: %s", error.code)
            return None

    def _fit(
        self, job: ChatJob, model: LanguageModel, receipt: Receipt | None
    ) -> tuple[tuple[ChatMessage, ...], ContextFit, int | None, Receipt | None]:
        bare = job.messages
        max_tokens, tools = job.sampling.max_tokens, self._tools(job)
        if receipt is None or not receipt.block:
            return *fit_context(model, bare, max_tokens=max_tokens, tools=tools), receipt
        last = max(i for i, message in enumerate(bare) if message.role == "user")
        wrapped = replace(bare[last], content=self._recall.wrap(receipt.block, bare[last].content))
        try:
            with_memory = (*bare[:last], wrapped, *bare[last + 1 :])
            return *fit_context(model, with_memory, max_tokens=max_tokens, tools=tools), receipt
        except ContextOverflowError:
            messages, fit, limit = fit_context(model, bare, max_tokens=max_tokens, tools=tools)
            return messages, replace(fit, memory_dropped=True), limit, None

    def _tools(self, job: ChatJob) -> tuple[dict[str, Any], ...]:
        here: tuple[Tool[Any] | OutsideTool, ...] = (*job.own_tools, *job.outside)
        own = tuple(tool.as_function() for tool in here)
        return (*job.tools, self._offered, *own) if job.searches else (*job.tools, *own)

    def _shorten(
        self, job: ChatJob, model: LanguageModel, messages: tuple[ChatMessage, ...], answer: Answer
    ) -> tuple[tuple[ChatMessage, ...], ContextFit, int | None]:
        """Return a shorter prompt after the model found ``messages`` too long; the same one is never sent twice.

        Raises:
            ContextOverflowError: nothing more can be dropped, or part of the answer was already sent.
        """
        shorter, fit, limit = fit_context(
            model, messages, max_tokens=job.sampling.max_tokens, tools=self._tools(job), part=SECOND_TRY_PART
        )
        if len(shorter) == len(messages) or answer.text:
            raise ContextOverflowError(
                say("The prompt is too long: the conversation does not fit this model's context.")
            )
        return shorter, fit, limit

    def _rounds(
        self,
        job: ChatJob,
        model: LanguageModel,
        messages: tuple[ChatMessage, ...],
        limit: int | None,
        cancel: CancelToken | None,
        answer: Answer,
    ) -> Iterator[ChatEvent]:
        ours = [*(tool.name for tool in job.own_tools), *(tool.name for tool in job.outside)]
        ours += [SEARCH_MEMORY] if job.searches else []
        rounds = FILE_ROUNDS if job.own_tools or job.outside else MAX_ROUNDS
        with self._outside.opened() as outside:
            for number in range(rounds + 1):
                tools = self._tools(job) if number < rounds else job.tools
                request = GenerationRequest(
                    messages=messages,
                    **(asdict(job.sampling) | {"max_tokens": limit}),
                    json_schema=job.json_schema,
                    besides=job.besides,
                    tools=tools,
                    tool_choice=job.tool_choice if tools else None,
                )
                calls = yield from answer.speak(model, request, cancel)
                # Without tools of the client, nobody could run a call that the model made up.
                foreign = [call for call in calls if call.name not in ours] if job.tools else []
                if foreign or not calls or number == rounds:
                    yield from foreign
                    if calls:
                        answer.finish_reason = "tool_calls" if foreign else "stop"
                    return
                messages = (*messages, _call_message(answer.latest, calls))
                for call in calls:
                    if job.agent is None or call.name not in ours:
                        result = unknown_tool(call, ours)
                    else:
                        result = yield from self._run(
                            job, job.agent.id, call, model.context_tokens, outside, cancel, answer
                        )
                    told = ChatMessage(role="tool", content=result, tool_call_id=call.id, name=call.name)
                    messages = (*messages, told)
                messages, _, limit = fit_context(model, messages, max_tokens=job.sampling.max_tokens, tools=tools)

    def _run(
        self,
        job: ChatJob,
        agent_id: str,
        call: ToolCall,
        context: int,
        outside: Calls,
        cancel: CancelToken | None,
        answer: Answer,
    ) -> Generator[ChatEvent, None, str]:
        """Run a call of one of our tools; return the model's result."""
        remote = self._leaves(job)
        own = next((tool for tool in job.own_tools if tool.name == call.name), None)
        if own is not None:
            return run_own(own, agent_id=agent_id, call=call, program=job.program, remote=remote)
        theirs = next((tool for tool in job.outside if tool.name == call.name), None)
        if theirs is not None:
            room = min(OUTSIDE_TOKENS, context // MEMORY_SHARE) if context > 0 else OUTSIDE_TOKENS
            answer.outside.append({"server": theirs.server, "tool": theirs.tool.name})
            private = self._knows_private(job, agent_id, answer)
            return (yield from run_outside(theirs, outside, call=call, tokens=room, private=private, cancel=cancel))
        room = min(RESULT_TOKENS, context // (2 * MEMORY_SHARE)) if context > 0 else RESULT_TOKENS
        answer.searched = True
        result, event = run_search(self._search, agent_id=agent_id, call=call, tokens=room, remote=remote)
        yield event
        return result

    def _knows_private(self, job: ChatJob, agent_id: str, answer: Answer) -> bool:
        """Whether a local model got local-only memory."""
        if self._leaves(job):
            return False
        with self._store.read() as repos:
            sieve = Sieve.of(repos, agent_id, self._settings.current.memory.local_only_kinds)
        if sieve.is_empty:
            return False
        return (
            answer.searched
            or job.conversation_id in sieve.conversations
            or sieve.keeps_any(answer.shown, (message.content for message in job.messages))
        )

    def _keep(self, job: ChatJob, answer: Answer, receipt: Receipt | None) -> list[Turn]:
        text = "".join(answer.text)
        if not text.strip() or answer.finish_reason == "tool_calls":
            return []
        kept = None if job.traceless else receipt
        turns = job.keep(
            NewTurn(
                role="assistant",
                content=text,
                model=job.model,
                receipt=kept,
                usage=answer.told(),
                thought=Thought("".join(answer.thinking), round(answer.thought_seconds, 1)),
            )
        )
        if kept is not None and job.memory == "on":
            self._recall.note_use(kept, text)
        if job.receipt_alone and kept is not None:
            self._store.write(lambda repos: repos.receipts.put(replace(kept, conversation_id=None)))
        return turns

    @contextmanager
    def _streaming(self, model: str) -> Iterator[int]:
        """Count an answer in progress; yields how many others the model had at its start."""
        with self._lock:
            others = self._streams[model]
            self._streams[model] += 1
        try:
            yield others
        finally:
            with self._lock:
                self._streams[model] -= 1


def _call_message(spoken: str, calls: Sequence[ToolCall]) -> ChatMessage:
    return ChatMessage(role="assistant", content=spoken, tool_calls=tuple(call.as_openai() for call in calls))


def _for(info: ModelInfo, messages: tuple[ChatMessage, ...]) -> tuple[ChatMessage, ...]:
    """Return messages for a model; one without vision is told where earlier pictures were.

    Raises:
        BlindModelError: it cannot see pictures, and the last message has some.
    """
    if info.sees is not False or not any(message.images for message in messages):
        return messages
    last = max(i for i, message in enumerate(messages) if message.role == "user")
    if any(message.images for message in messages[last:]):
        raise BlindModelError(say("{name} cannot see pictures.", name=info.name))
    return tuple(replace(message, content=_in_words(message), images=()) for message in messages)


def _in_words(message: ChatMessage) -> str:
    marks = [f"(a picture, {image.name})" if image.name else "(a picture)" for image in message.images]
    return "\n\n".join(part for part in (message.content, *marks) if part)
