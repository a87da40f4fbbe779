"""A chat's inputs and outputs, for both window and server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from memdesk.domain.models import MemoryMode, Receipt, Scope, Turn
from memdesk.ports import ChatMessage, Usage
from memdesk.services.tools import Tool, Verdict

FinishReason = Literal["stop", "length", "repeating", "tool_calls", "stopped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """A model's sampling parameters. ``None`` leaves the agent's choice, then the model's default."""

    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    seed: int | None = None
    top_k: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None

    @classmethod
    def of(cls, data: dict[str, Any]) -> Sampling:
        """Read validated parameters of an agent or the window."""
        stop = data.get("stop") or ()
        return cls(
            temperature=data.get("temperature"),
            top_p=data.get("top_p"),
            max_tokens=int(data["max_tokens"]) if data.get("max_tokens") is not None else None,
            stop=(stop,) if isinstance(stop, str) else tuple(stop),
            seed=int(data["seed"]) if data.get("seed") is not None else None,
        )

    def over(self, base: Sampling) -> Sampling:
        """Return these parameters, with ``base``'s where one is not set."""
        return replace(base, **{name: value for name, value in asdict(self).items() if value not in (None, ())})


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRequest:
    """One request of a client that keeps its own history."""

    messages: tuple[ChatMessage, ...]
    #: a catalogue id, a model's name, or ``default``.
    model: str = "default"
    #: None: a plain completion; no memory, nothing stored.
    agent_id: str | None = None
    #: None: derived from the messages.
    conversation_id: str | None = None
    #: narrows the agent's own mode.
    memory: MemoryMode = "on"
    sampling: Sampling = field(default_factory=Sampling)
    tools: tuple[dict[str, Any], ...] = ()
    tool_choice: str | dict[str, Any] | None = None
    json_schema: dict[str, Any] | None = None
    #: other OpenAI fields of the request, passed on to a model on another server.
    besides: dict[str, Any] = field(default_factory=dict)
    #: tools of ours, run here with the agent's memory.
    own_tools: tuple[Tool[Any], ...] = ()
    #: the requesting program: its messages and tool calls are attributed to it.
    program: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextFit:
    """How the prompt fits the model's context, and what was dropped to make it fit."""

    prompt_tokens: int
    #: 0 when the model does not say.
    context_tokens: int
    #: messages left out, oldest first; never the system prompt or the latest message.
    dropped_messages: int = 0
    #: whether the memory block was left out for lack of space.
    memory_dropped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptReady:
    """Always the first event: the prompt is ready, and the model is about to read it."""

    #: None if memory was not used (off, no agent) or failed.
    receipt: Receipt | None
    fit: ContextFit
    model: str
    conversation_id: str | None
    #: answers that a local model is already generating: this one takes turns with them, or waits.
    others: int = 0
    #: the user's message as sent and stored, with relevant passages of earlier files.
    said: str = ""


@dataclass(frozen=True, slots=True)
class Delta:
    """The next piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Thinking:
    """The next piece of the model's thinking; it is stored with the answer, but not part of memory.

    With ``taken_back`` this text was already sent as answer: only its end showed that it was thinking.
    """

    text: str
    taken_back: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySearched:
    """The model searched the memory; the answer continues."""

    query: str
    scope: Scope
    found: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAsked:
    """The model wants to use a tool of a server the user added; the answer continues once ``answer`` is called."""

    id: str
    server: str
    tool: str
    #: JSON text, as the model wrote it.
    arguments: str
    answer: Callable[[Verdict], None]
    #: why permission is needed although it is always allowed; else empty.
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUsed:
    """The outcome of such a call; ``text`` is the result for the model."""

    id: str
    server: str
    tool: str
    arguments: str
    allowed: bool
    failed: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call of one of the client's own tools; the client runs it and sends another request."""

    index: int
    id: str
    name: str
    #: JSON text, as the model wrote it.
    arguments: str

    def as_openai(self) -> dict[str, Any]:
        return {"id": self.id, "type": "function", "function": {"name": self.name, "arguments": self.arguments}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """Always the last event, and only when no error was raised."""

    #: the stored turns; empty if nothing was to be stored.
    turns: tuple[Turn, ...]
    text: str
    usage: Usage
    #: ``stopped``: the user or client stopped it; the text so far is kept.
    finish_reason: FinishReason
    #: which of the client's stop sequences ended it, if the engine reports it.
    stop_sequence: str = ""
    receipt_id: str | None
    conversation_id: str | None
    memory: MemoryMode
    model: str
    fit: ContextFit

    @property
    def cut(self) -> bool:
        """Whether the model was ended before it was done."""
        return self.finish_reason in {"length", "repeating"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A chat that another program answers: the memory for it, and how to store the answer.

    Attributes:
        receipt: None if memory is off or failed.
        wrap: returns a user message with the memory block before it.
        keep: stores the user's new messages and the answer, with the model's name, as the agent's mode allows.
    """

    receipt: Receipt | None
    wrap: Callable[[str], str]
    keep: Callable[[str, str], None]


ChatEvent = ReceiptReady | Thinking | Delta | MemorySearched | ToolAsked | ToolUsed | ToolCall | Finished
